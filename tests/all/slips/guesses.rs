//! What a newcomer writes first, in a game of its own.

use std::path::PathBuf;

use super::make::Slip;
use super::{Figures, Files, meaning, outcome};

const GAME: &str = include_str!("../../guesses.sut");

#[test]
fn first_guesses_have_true_answers() {
    have_true_answers(include_str!("../../guesses.txt"));
}

#[test]
fn other_first_guesses_have_true_answers() {
    have_true_answers(include_str!("../../guesses_second.txt"));
}

#[test]
fn guesses_of_a_third_hand_have_true_answers() {
    have_true_answers(include_str!("../../guesses_third.txt"));
}

#[test]
fn guesses_of_a_fourth_list_have_true_answers() {
    have_true_answers(include_str!("../../guesses_fourth.txt"));
}

#[test]
fn guesses_of_a_fifth_list_have_true_answers() {
    have_true_answers(include_str!("../../guesses_fifth.txt"));
}

fn have_true_answers(guesses: &str) {
    let folder = PathBuf::from("game");
    let file = folder.join("rules.sut");
    let (mut figures, mut accepted, mut said, mut answered) = (Figures::default(), 0, 0, 0);
    for line in guesses.lines().filter(|l| !l.starts_with("# ") && !l.is_empty()) {
        let parts: Vec<&str> = line.split('\t').collect();
        let (right, wrong, needle) = (parts[0], parts[1], parts[2]);
        assert_eq!(GAME.matches(right).count(), 1, "{right:?} stands once");
        let slip = guess(right, wrong);
        let meant = GAME.replacen(right, parts.get(3).unwrap_or(&right), 1);
        let files = Files::from([(file.clone(), meant.into_bytes())]);
        let Some(one) = outcome((&files, &folder, &file), &slip, false, meaning) else {
            println!("= {wrong}: accepted");
            accepted += 1;
            continue;
        };
        let words = one.shown.contains(needle) && one.shown.contains("help: Some");
        said += usize::from(words);
        answered += usize::from(words || one.right_fix);
        let sign = if one.right_fix { "+" } else { "-" };
        println!("{sign} {wrong}\n{}", one.shown);
        figures.add(&one);
    }
    figures.print("first guesses");
    println!(
        "first guesses: {accepted} are accepted, {said} helps hold the right words, {answered} of both"
    );
    assert_eq!(figures.wrong, 0, "a wrong fix is accepted");
}

/// The game with one line of it as a newcomer writes it.
fn guess(right: &str, wrong: &str) -> Slip {
    let at = GAME.find(right).unwrap();
    let same = |a: &str, b: &str| a.bytes().zip(b.bytes()).take_while(|(x, y)| x == y).count();
    let front = same(right, wrong);
    let backwards = |s: &str| s.chars().rev().collect::<String>();
    let shorter = right.len().min(wrong.len()) - front;
    let back = same(&backwards(right), &backwards(wrong)).min(shorter);
    Slip {
        text: GAME.replacen(right, wrong, 1),
        wrong: at + front..at + wrong.len() - back,
        right: (*right).to_owned(),
        sort: 0,
    }
}
