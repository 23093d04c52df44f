//! What other elements refer to: the patterns of terrain and of what a side reaches, the window.

use super::geometry::px;
use super::grounds::Ground;
use super::svg::Canvas;
use super::write::Writer;

/// The fills of terrain and the overlays of what a side can reach.
pub(super) fn patterns(canvas: &Canvas<'_>, w: &mut Writer) {
    w.begin("defs", &[]);
    if let Some(window) = canvas.window {
        w.begin("clipPath", &[("id", &"window")]);
        w.leaf(
            "rect",
            &[
                ("x", &px(window.left)),
                ("y", &px(window.top)),
                ("width", &px(window.right - window.left)),
                ("height", &px(window.bottom - window.top)),
            ],
        );
        w.end();
    }
    ground_patterns(&canvas.grounds, w);
    w.begin("pattern", &pattern(&"unreached", &"8"));
    w.leaf(
        "path",
        &[
            ("d", &"M1 2h2M5 6h2"),
            ("stroke", &"#55504a"),
            ("stroke-width", &"1.6"),
            ("stroke-opacity", &".45"),
        ],
    );
    w.end();
    w.begin("pattern", &pattern(&"shut", &"10"));
    w.leaf(
        "path",
        &[
            ("d", &"M-2 2l4 -4M0 10l10 -10M8 12l4 -4"),
            ("stroke", &"#8c1c1c"),
            ("stroke-width", &"1.8"),
            ("stroke-opacity", &".75"),
        ],
    );
    w.end();
    w.end();
}

/// The patterns of what lies below, by the number of each.
pub(super) fn ground_patterns(grounds: &[Ground], w: &mut Writer) {
    for (at, ground) in grounds.iter().enumerate() {
        w.begin("pattern", &pattern(&format!("ground-{at}"), &"16"));
        w.leaf("rect", &[("width", &"16"), ("height", &"16"), ("fill", &ground.colour())]);
        if !ground.path.is_empty() {
            w.leaf(
                "path",
                &[
                    ("d", &ground.path),
                    ("fill", &"none"),
                    ("stroke", &ground.ink),
                    ("stroke-width", &".9"),
                ],
            );
        }
        w.end();
    }
}

pub(super) fn pattern<'a>(
    id: &'a dyn std::fmt::Display,
    size: &'a &'a str,
) -> [(&'a str, &'a dyn std::fmt::Display); 4] {
    [("id", id), ("width", size), ("height", size), ("patternUnits", &"userSpaceOnUse")]
}
