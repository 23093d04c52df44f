//! What a newcomer writes first, in games of its own.

use std::path::{Path, PathBuf};

use super::make::Slip;
use super::{Figures, Files, Outcome, Project, meaning, outcome};

/// The game of the first five lists.
const FORD: [(&str, &str); 1] = [("rules.sut", include_str!("../../guesses.sut"))];

/// A game with more constructs, and a variant of it.
const HARBOURS: [(&str, &str); 2] = [
    ("rules.sut", include_str!("../../guesses_wide.sut")),
    ("winter.sut", include_str!("../../guesses_wide_variant.sut")),
];

/// A game of another hand, of railways and airships, and a variant of it.
const STEPPE: [(&str, &str); 2] = [
    ("rules.sut", include_str!("../../guesses_steppe.sut")),
    ("winter.sut", include_str!("../../guesses_steppe_variant.sut")),
];

/// A game of a third hand, of the wars after Alexander, and a variant of it.
const SUCCESSORS: [(&str, &str); 2] = [
    ("rules.sut", include_str!("../../guesses_successors.sut")),
    ("winter.sut", include_str!("../../guesses_successors_variant.sut")),
];

/// A game of a fourth hand, of a war in a jungle, and a variant of it.
const RIDGE: [(&str, &str); 2] = [
    ("rules.sut", include_str!("../../guesses_ridge.sut")),
    ("winter.sut", include_str!("../../guesses_ridge_variant.sut")),
];

/// The least percentage of a list that has the right fix.
const LEAST: usize = 35;

#[test]
fn first_guesses_have_true_answers() {
    have_true_answers(&FORD, include_str!("../../guesses.txt"));
}

#[test]
fn other_first_guesses_have_true_answers() {
    have_true_answers(&FORD, include_str!("../../guesses_second.txt"));
}

#[test]
fn guesses_of_a_third_hand_have_true_answers() {
    have_true_answers(&FORD, include_str!("../../guesses_third.txt"));
}

#[test]
fn guesses_of_a_fourth_list_have_true_answers() {
    have_true_answers(&FORD, include_str!("../../guesses_fourth.txt"));
}

#[test]
fn guesses_of_a_fifth_list_have_true_answers() {
    have_true_answers(&FORD, include_str!("../../guesses_fifth.txt"));
}

#[test]
fn guesses_of_a_sixth_list_have_true_answers() {
    have_true_answers(&HARBOURS, include_str!("../../guesses_sixth.txt"));
}

#[test]
fn guesses_of_a_seventh_list_have_true_answers() {
    have_true_answers(&HARBOURS, include_str!("../../guesses_seventh.txt"));
}

#[test]
fn guesses_of_an_eighth_list_have_true_answers() {
    have_true_answers(&HARBOURS, include_str!("../../guesses_eighth.txt"));
}

#[test]
fn guesses_of_a_ninth_list_have_true_answers() {
    have_true_answers(&HARBOURS, include_str!("../../guesses_ninth.txt"));
}

#[test]
fn guesses_of_a_tenth_list_have_true_answers() {
    have_true_answers(&HARBOURS, include_str!("../../guesses_tenth.txt"));
}

#[test]
fn guesses_of_an_eleventh_list_have_true_answers() {
    have_true_answers(&HARBOURS, include_str!("../../guesses_eleventh.txt"));
}

#[test]
fn guesses_of_a_twelfth_list_have_true_answers() {
    have_true_answers(&HARBOURS, include_str!("../../guesses_twelfth.txt"));
}

#[test]
fn guesses_of_a_thirteenth_list_have_true_answers() {
    have_true_answers(&HARBOURS, include_str!("../../guesses_thirteenth.txt"));
}

#[test]
fn guesses_of_a_fourteenth_list_have_true_answers() {
    have_true_answers(&HARBOURS, include_str!("../../guesses_fourteenth.txt"));
}

#[test]
fn guesses_of_a_fifteenth_list_have_true_answers() {
    have_true_answers(&HARBOURS, include_str!("../../guesses_fifteenth.txt"));
}

#[test]
fn guesses_of_a_sixteenth_list_have_true_answers() {
    have_true_answers(&STEPPE, include_str!("../../guesses_sixteenth.txt"));
}

#[test]
fn guesses_of_a_seventeenth_list_have_true_answers() {
    have_true_answers(&SUCCESSORS, include_str!("../../guesses_seventeenth.txt"));
}

#[test]
fn guesses_of_an_eighteenth_list_have_true_answers() {
    have_true_answers(&RIDGE, include_str!("../../guesses_eighteenth.txt"));
}

/// A game of these texts as files of a folder.
fn files_of(folder: &Path, game: &[(&str, &str)]) -> Files {
    game.iter().map(|(name, text)| (folder.join(name), text.as_bytes().to_vec())).collect()
}

fn have_true_answers(game: &[(&str, &str)], guesses: &str) {
    let folder = PathBuf::from("game");
    let sound = meaning(&Project::of_texts(files_of(&folder, game), &folder));
    assert!(sound.iter().all(Option::is_some), "nothing can be right in a game with a fault");
    let (mut figures, mut accepted, mut said, mut answered) = (Figures::default(), 0, 0, 0);
    for line in guesses.lines().filter(|l| !l.starts_with("# ") && !l.is_empty()) {
        let line = line.replace("\\n", "\n");
        let parts: Vec<&str> = line.split('\t').collect();
        let (right, wrong, needle) = (parts[0], parts[1], parts[2]);
        let times: usize = game.iter().map(|(_, text)| text.matches(right).count()).sum();
        assert_eq!(times, 1, "{right:?} stands once");
        let (name, text) = game.iter().find(|(_, text)| text.contains(right)).unwrap();
        let slip = guess(text, right, wrong);
        // Where two texts say it, either is right.
        let either = [Some(right), parts.get(3).copied()].into_iter().flatten();
        let answers =
            either.map(|meant| answer(game, name, &text.replacen(right, meant, 1), &slip));
        let best = answers.reduce(|a, b| match (&a, &b) {
            (Some(one), Some(other)) if !one.right_fix && other.right_fix => b,
            _ => a,
        });
        let Some(one) = best.flatten() else {
            println!("= {wrong}: accepted");
            accepted += 1;
            continue;
        };
        let words = one.shown.contains(needle) && one.shown.contains("help: Some");
        said += usize::from(words);
        answered += usize::from(words || one.right_fix);
        let sign = if one.right_fix { "+" } else { "-" };
        let place = if one.right_place { "" } else { "  ELSEWHERE\n" };
        println!("{sign} {wrong}\n{place}{}", one.shown);
        figures.add(&one);
    }
    figures.print("first guesses");
    println!(
        "first guesses: {accepted} are accepted, {said} helps hold the right words, {answered} of both"
    );
    assert_eq!(figures.wrong, 0, "a wrong fix is accepted");
    assert!(figures.percent(figures.places) >= 90, "too few are pointed at");
    assert!(figures.percent(figures.fixes) >= LEAST, "too few have the right fix");
}

/// What a slip in one of the files is answered, where this text was meant.
fn answer(game: &[(&str, &str)], name: &str, meant: &str, slip: &Slip) -> Option<Outcome> {
    let folder = PathBuf::from("game");
    let mut files = files_of(&folder, game);
    let file = folder.join(name);
    files.insert(file.clone(), meant.as_bytes().to_vec());
    outcome((&files, &folder, &file), slip, false, meaning)
}

/// A text with one line of it as a newcomer writes it.
fn guess(text: &str, right: &str, wrong: &str) -> Slip {
    let at = text.find(right).unwrap();
    let same = |a: &str, b: &str| a.bytes().zip(b.bytes()).take_while(|(x, y)| x == y).count();
    let front = same(right, wrong);
    let backwards = |s: &str| s.chars().rev().collect::<String>();
    let shorter = right.len().min(wrong.len()) - front;
    let back = same(&backwards(right), &backwards(wrong)).min(shorter);
    Slip {
        text: text.replacen(right, wrong, 1),
        wrong: at + front..at + wrong.len() - back,
        right: (*right).to_owned(),
        sort: 0,
    }
}
