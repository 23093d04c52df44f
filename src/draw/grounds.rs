//! The patterns of terrain: what a word means in English it is drawn as, any other word is gray.

use crate::map;

/// How a terrain is filled.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ground {
    /// The colour below.
    pub fill: &'static str,
    /// The colour of the drawing on it.
    pub ink: &'static str,
    /// The drawing, as a path in a square of 16 pixels; none for a plain fill.
    pub path: &'static str,
    /// How many steps darker it is.
    pub shade: i64,
}

/// The patterns: what a word means, and below them those of words that mean nothing here.
const GROUNDS: [Ground; 17] = [
    // Plain.
    Ground { fill: "#f6efdc", ink: "#d9cba6", path: "", shade: 0 },
    // Waves.
    Ground {
        fill: "#dbe9f1",
        ink: "#a3c3d8",
        path: "M0 4q2 -2.5 4 0t4 0t4 0t4 0M-4 12q2 -2.5 4 0t4 0t4 0t4 0t4 0",
        shade: 0,
    },
    // Peaks.
    Ground {
        fill: "#e9dfcd",
        ink: "#9c8563",
        path: "M1 7l3.5 -5l3.5 5M9 15l3.5 -5l3.5 5",
        shade: 0,
    },
    // Trees.
    Ground {
        fill: "#e0ead2",
        ink: "#7fa268",
        path: "M2 7h5l-2.5 -5zM4.5 7v1.5M10 15h5l-2.5 -5zM12.5 15v1",
        shade: 0,
    },
    // Thicket.
    Ground {
        fill: "#cfe3c4",
        ink: "#5f9558",
        path: "M1 7q1.5 -5 3 0q1.5 -5 3 0M9 15q1.5 -5 3 0q1.5 -5 3 0M9 6q1.5 -4 3 0M1 15q1.5 -4 3 0",
        shade: 0,
    },
    // Hills.
    Ground { fill: "#efe5c6", ink: "#b79a5c", path: "M0 7q4 -6 8 0M8 15q4 -6 8 0", shade: 0 },
    // Reeds.
    Ground {
        fill: "#e0e9de",
        ink: "#6f9484",
        path: "M1 6h7M3 6v-3M4.5 6v-4M6 6v-3M8 14h7M10 14v-3M11.5 14v-4M13 14v-3",
        shade: 0,
    },
    // Blocks.
    Ground {
        fill: "#e8e0da",
        ink: "#a08d80",
        path: "M2 2h4v4h-4zM10 2h4v4h-4zM2 10h4v4h-4zM10 10h4v4h-4z",
        shade: 0,
    },
    // Grains.
    Ground {
        fill: "#f8ecce",
        ink: "#c9a95f",
        path: "M3 3h1M11 4h1M7 8h1M14 10h1M2 12h1M9 14h1",
        shade: 0,
    },
    // Furrows.
    Ground {
        fill: "#f1eed0",
        ink: "#bdb568",
        path: "M1 4h6M9 4h6M5 12h6M13 12h3M0 12h3",
        shade: 0,
    },
    // Ice.
    Ground { fill: "#eef4f6", ink: "#b3c7cf", path: "M4 2v4M2 4h4M12 10v4M10 12h4", shade: 0 },
    // Strokes.
    Ground { fill: "#eeebe5", ink: "#b3aea4", path: "M2 7l4 -4M10 15l4 -4", shade: 0 },
    // Crosses.
    Ground { fill: "#e9e6e0", ink: "#a8a399", path: "M4 2v4M2 4h4M12 10v4M10 12h4", shade: 0 },
    // Points.
    Ground { fill: "#f1eee8", ink: "#b3aea4", path: "M3 4h2M11 12h2", shade: 0 },
    // Strokes the other way.
    Ground { fill: "#e6e3dd", ink: "#a8a399", path: "M2 3l4 4M10 11l4 4", shade: 0 },
    // Bars.
    Ground { fill: "#f1eee8", ink: "#b3aea4", path: "M4 2v5M12 10v5", shade: 0 },
    // Nets.
    Ground { fill: "#e9e6e0", ink: "#bdb8ae", path: "M0 8l8 -8l8 8l-8 8z", shade: 0 },
];

/// The first pattern of words that mean nothing here.
const NEUTRAL: usize = 11;

/// The ground of each word, so that no two are the same: of a meaning that was met before it is a
/// shade darker.
pub(super) fn grounds(words: &[String]) -> Vec<Ground> {
    let mut met = [0_i64; GROUNDS.len()];
    let mut neutral = (NEUTRAL..GROUNDS.len()).cycle();
    let ground = |word: &String| {
        let place = map::ground(word).or_else(|| neutral.next()).unwrap_or(NEUTRAL);
        let shade = met.get_mut(place).map_or(0, |count| std::mem::replace(count, *count + 1));
        let ground = GROUNDS.get(place).copied().unwrap_or(PAPER);
        Ground { shade, ..ground }
    };
    words.iter().map(ground).collect()
}

/// What has no terrain.
const PAPER: Ground = Ground { fill: "#f4f0e6", ink: "#d9cba6", path: "", shade: 0 };

impl Ground {
    /// The colour below, darker by its shade.
    pub fn colour(&self) -> String {
        let channel = |at: usize| {
            let text = self.fill.get(at..at + 2).unwrap_or("ff");
            i64::from_str_radix(text, 16).unwrap_or(255) * (100 - 7 * self.shade.min(9)) / 100
        };
        format!("#{:02x}{:02x}{:02x}", channel(1), channel(3), channel(5))
    }
}

#[cfg(test)]
#[allow(clippy::indexing_slicing, reason = "a test may fail loudly")]
mod tests {
    use super::*;

    fn words(all: &[&str]) -> Vec<String> {
        all.iter().map(|w| (*w).to_owned()).collect()
    }

    #[test]
    fn no_two_words_have_the_same_ground() {
        let mut all: Vec<String> = (0..12).map(|n| format!("word{n}")).collect();
        all.extend(words(&["sea", "lake", "deep_sea", "forest", "woods", "clear", "plain"]));
        let looks = grounds(&all);
        let mut found: Vec<_> = looks.iter().map(|g| (g.colour(), g.path)).collect();
        found.sort_unstable();
        found.dedup();
        assert_eq!(found.len(), all.len());
    }

    #[test]
    fn a_word_that_means_nothing_is_gray() {
        for ground in grounds(&words(&["rough", "quux"])) {
            let colour = ground.colour();
            let channels: Vec<_> =
                [1, 3, 5].map(|at| i64::from_str_radix(&colour[at..at + 2], 16)).into();
            let channels: Vec<i64> = channels.into_iter().flatten().collect();
            let (low, high) = (channels.iter().min(), channels.iter().max());
            assert!(high.zip(low).is_some_and(|(h, l)| h - l <= 12), "{colour} is no gray");
        }
    }
}
