//! A chart of bars in groups, light or dark as the page around it, for a wide window and for a
//! phone.

use super::geometry::px;
use super::type_size;
use super::write::Writer;

/// Bars in groups, one below the other.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Chart {
    /// What it shows.
    pub title: String,
    /// What is to be known of it, a line each.
    pub about: Vec<String>,
    /// What a whole bar would be.
    pub whole: u64,
    /// The groups.
    pub groups: Vec<Group>,
    /// What is left out, in words.
    pub more: String,
}

/// Bars that belong together.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Group {
    /// Its name.
    pub name: String,
    /// Its bars.
    pub bars: Vec<Bar>,
}

/// A bar.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Bar {
    /// What it is of.
    pub label: String,
    /// How long it is; no length where there is no answer.
    pub amount: Option<u64>,
    /// What stands behind it.
    pub said: String,
    /// Whether it is of more, or of less; of neither where nothing is said.
    pub rises: Option<bool>,
}

/// All lengths are in tenths; a phone shows the width with letters of eleven pixels.
const WIDTH: i64 = 4600;
const MARGIN: i64 = 160;
/// Where bars begin, and how long the longest is.
const START: i64 = 860;
const LONGEST: i64 = 2500;
const LETTERS: i64 = 130;
const TITLE: i64 = 180;
const BAR: i64 = 130;
const LINE: i64 = 200;
const GAP: i64 = 100;

const STYLE: &str = "text{font-family:'DejaVu Sans','Segoe UI',Helvetica,Arial,sans-serif;\
font-size:13px;fill:#26221c}.b{font-weight:bold}.e{text-anchor:end}.q{fill:#5c564d}\
.paper{fill:#fbf8f0}.down{fill:#a85a14}.up{fill:#2358a5}.same{fill:#5c564d}.rule{stroke:#8d867a}\
@media(prefers-color-scheme:dark){text{fill:#ece7db}.q{fill:#b9b2a3}.paper{fill:#1d1c1a}\
.down{fill:#e39a4f}.up{fill:#7fa8e8}.same{fill:#b9b2a3}.rule{stroke:#6f695e}}\
svg:root{max-width:100%;height:auto}@media print{svg:root{max-height:100vh}}";

/// Draws a chart.
#[must_use]
pub fn chart(chart: &Chart) -> String {
    let title = wrapped(&chart.title, TITLE);
    let about: Vec<String> = chart.about.iter().flat_map(|line| wrapped(line, LETTERS)).collect();
    let names: Vec<Vec<String>> = chart.groups.iter().map(|g| wrapped(&g.name, LETTERS)).collect();
    let more = wrapped(&chart.more, LETTERS);
    let bars: i64 = chart.groups.iter().map(|g| count(g.bars.len())).sum();
    let lines = count(about.len() + names.iter().map(Vec::len).sum::<usize>() + more.len()) + bars;
    let gaps = count(chart.groups.len()) + 1;
    let height = 2 * MARGIN + count(title.len()) * (LINE + 60) + lines * LINE + gaps * GAP;
    let mut w = Writer::default();
    begin(&mut w, height, &chart.title);
    let mut y = MARGIN;
    for line in title {
        y += LINE + 60;
        let at = [px(MARGIN), px(y - 60)];
        let size = px(TITLE);
        let style = format!("font-size:{size}px");
        w.text("text", &[("x", &at[0]), ("y", &at[1]), ("class", &"b"), ("style", &style)], &line);
    }
    for line in about {
        y += LINE;
        quiet(&mut w, y, &line);
    }
    for (group, name) in chart.groups.iter().zip(names) {
        y += GAP;
        for line in name {
            y += LINE;
            w.text("text", &[("x", &px(MARGIN)), ("y", &px(y - 50)), ("class", &"b")], &line);
        }
        for bar in &group.bars {
            y += LINE;
            draw(&mut w, bar, (y, chart.whole));
        }
    }
    y += GAP;
    for line in more {
        y += LINE;
        quiet(&mut w, y, &line);
    }
    w.finish()
}

fn begin(w: &mut Writer, height: i64, title: &str) {
    w.begin(
        "svg",
        &[
            ("xmlns", &"http://www.w3.org/2000/svg"),
            ("viewBox", &format!("0 0 {} {}", px(WIDTH), px(height))),
            ("width", &px(WIDTH * 3 / 2)),
            ("height", &px(height * 3 / 2)),
            ("role", &"img"),
        ],
    );
    w.text("title", &[], title);
    w.text("style", &[], STYLE);
    let (width, height) = (px(WIDTH), px(height));
    w.leaf("rect", &[("width", &width), ("height", &height), ("class", &"paper")]);
}

fn quiet(w: &mut Writer, y: i64, line: &str) {
    w.text("text", &[("x", &px(MARGIN)), ("y", &px(y - 50)), ("class", &"q")], line);
}

fn draw(w: &mut Writer, bar: &Bar, (y, whole): (i64, u64)) {
    let foot = px(y - 50);
    let label = px(START - 80);
    w.text("text", &[("x", &label), ("y", &foot), ("class", &"e")], &bar.label);
    let whole = i128::from(whole.max(1));
    let long = bar.amount.map(|amount| i128::from(amount) * i128::from(LONGEST) / whole);
    let long = long.and_then(|long| i64::try_from(long).ok()).unwrap_or(0).min(LONGEST);
    // What is more than nothing is seen.
    let long = if bar.amount.is_some_and(|amount| amount > 0) { long.max(10) } else { 0 };
    let class = match bar.rises {
        Some(true) => "up",
        Some(false) => "down",
        None => "same",
    };
    let (top, foot_of_axis) = (px(y - 50 - BAR + 20), px(y - 10));
    let (x, axis) = (px(START), px(START - 5));
    w.leaf(
        "line",
        &[
            ("x1", &axis),
            ("x2", &axis),
            ("y1", &px(y - LINE + 10)),
            ("y2", &foot_of_axis),
            ("class", &"rule"),
        ],
    );
    if long > 0 {
        w.leaf(
            "rect",
            &[
                ("x", &x),
                ("y", &top),
                ("width", &px(long)),
                ("height", &px(BAR)),
                ("class", &class),
            ],
        );
    }
    let behind = px(START + long + 50);
    w.text("text", &[("x", &behind), ("y", &foot)], &bar.said);
}

fn count(of: usize) -> i64 {
    i64::try_from(of).unwrap_or(i64::MAX / LINE)
}

/// A text in lines of the width of the chart; none for no text.
fn wrapped(text: &str, letters: i64) -> Vec<String> {
    type_size::wrapped(text, letters, WIDTH - 2 * MARGIN)
}
