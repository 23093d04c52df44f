//! Colours, patterns and styles of lines. No word of any game has a colour of its own: sides and
//! links take theirs by their order, terrain by a number made from its word.

/// The colours of sides in order; white letters can be read on each.
const SIDES: [&str; 12] = [
    "#2358a5", "#a85a14", "#33333d", "#b3202c", "#2f7538", "#8f6d00", "#7b3f98", "#0d7c7c",
    "#b83d78", "#6b5545", "#4a63c8", "#66781a",
];

/// The colour of what belongs to nobody.
pub(super) const NOBODY: &str = "#8d867a";

/// The colour of a side.
pub(super) fn side(side: Option<usize>) -> &'static str {
    side.and_then(|s| SIDES.get(s % SIDES.len())).copied().unwrap_or(NOBODY)
}

/// The stroke of a kind of link: its colour, its width in tenths of a pixel, its dashes; broad
/// along the side of a hex.
pub(super) fn link(kind: usize, hexside: bool) -> (&'static str, i64, &'static str) {
    const LINKS: [(&str, i64, &str); 6] = [
        ("#6f6656", 13, "none"),
        ("#4f7fa3", 12, "1 4"),
        ("#2f5f8a", 14, "8 4"),
        ("#8a5a2b", 18, "none"),
        ("#5d7a3a", 14, "8 3 2 3"),
        ("#7a4a7a", 14, "3 3"),
    ];
    let (colour, width, dashes) =
        LINKS.get(kind % LINKS.len()).copied().unwrap_or((NOBODY, 10, "none"));
    if hexside {
        (colour, width * 5 / 2, if dashes == "none" { dashes } else { "5 2" })
    } else {
        (colour, width, dashes)
    }
}

/// How a terrain is filled.
pub(super) struct Ground {
    /// The colour below.
    pub fill: &'static str,
    /// The colour of the drawing on it.
    pub ink: &'static str,
    /// The drawing, as a path in a square of 16 pixels; none for a plain fill.
    pub path: &'static str,
}

/// The patterns, from which the number of a word picks.
pub(super) const GROUNDS: [Ground; 12] = [
    // Plain.
    Ground { fill: "#f6efdc", ink: "#d9cba6", path: "" },
    // Waves.
    Ground {
        fill: "#dbe9f1",
        ink: "#a3c3d8",
        path: "M0 4q2 -2.5 4 0t4 0t4 0t4 0M-4 12q2 -2.5 4 0t4 0t4 0t4 0t4 0",
    },
    // Peaks.
    Ground { fill: "#e9dfcd", ink: "#9c8563", path: "M1 7l3.5 -5l3.5 5M9 15l3.5 -5l3.5 5" },
    // Trees.
    Ground {
        fill: "#e0ead2",
        ink: "#7fa268",
        path: "M2 7h5l-2.5 -5zM4.5 7v1.5M10 15h5l-2.5 -5zM12.5 15v1",
    },
    // Thicket.
    Ground {
        fill: "#cfe3c4",
        ink: "#5f9558",
        path: "M1 7q1.5 -5 3 0q1.5 -5 3 0M9 15q1.5 -5 3 0q1.5 -5 3 0M9 6q1.5 -4 3 0M1 15q1.5 -4 3 0",
    },
    // Hills.
    Ground { fill: "#efe5c6", ink: "#b79a5c", path: "M0 7q4 -6 8 0M8 15q4 -6 8 0" },
    // Reeds.
    Ground {
        fill: "#e0e9de",
        ink: "#6f9484",
        path: "M1 6h7M3 6v-3M4.5 6v-4M6 6v-3M8 14h7M10 14v-3M11.5 14v-4M13 14v-3",
    },
    // Blocks.
    Ground {
        fill: "#e8e0da",
        ink: "#a08d80",
        path: "M2 2h4v4h-4zM10 2h4v4h-4zM2 10h4v4h-4zM10 10h4v4h-4z",
    },
    // Grains.
    Ground { fill: "#f8ecce", ink: "#c9a95f", path: "M3 3h1M11 4h1M7 8h1M14 10h1M2 12h1M9 14h1" },
    // Strokes.
    Ground { fill: "#eee6d6", ink: "#b3a184", path: "M2 7l4 -4M10 15l4 -4" },
    // Crosses.
    Ground { fill: "#f0e6e4", ink: "#b48f88", path: "M4 2v4M2 4h4M12 10v4M10 12h4" },
    // Furrows.
    Ground { fill: "#f1eed0", ink: "#bdb568", path: "M1 4h6M9 4h6M5 12h6M13 12h3M0 12h3" },
];

/// The start of the number of a word, picked so that the commonest words come out as a reader
/// expects them.
const SEED: u64 = 0xa308_cbaf_ce43_e2e5;

/// The ground of each word: the one its number picks, or the next that no word before it has.
pub(super) fn grounds(words: &[String]) -> Vec<usize> {
    let mut taken: Vec<usize> = Vec::new();
    for word in words {
        let first = number(word);
        let free =
            (0..GROUNDS.len()).map(|n| (first + n) % GROUNDS.len()).find(|n| !taken.contains(n));
        taken.push(free.unwrap_or(first));
    }
    taken
}

fn number(word: &str) -> usize {
    let hash = word
        .bytes()
        .fold(SEED, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    let places = u64::try_from(GROUNDS.len()).unwrap_or(1);
    usize::try_from((hash ^ (hash >> 32)) % places).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_differ_as_long_as_there_are_grounds() {
        let words: Vec<String> = (0..GROUNDS.len()).map(|n| format!("word{n}")).collect();
        let mut found = grounds(&words);
        found.sort_unstable();
        assert_eq!(found, (0..GROUNDS.len()).collect::<Vec<_>>());
    }

    #[test]
    fn water_has_waves_and_mountains_have_peaks() {
        let words = ["land", "sea", "mountain", "forest", "hills"].map(str::to_owned);
        let found = grounds(&words);
        assert_eq!(found.get(..3), Some(&[0, 1, 2][..]));
    }
}
