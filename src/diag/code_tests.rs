#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed test may abort")]

use super::*;

#[test]
fn titles_agree_with_codes() {
    for info in all() {
        let first = info.text.lines().next().unwrap();
        assert_eq!(first, format!("# {}: {}", info.code, info.title));
        assert!(!info.title.is_empty() && !info.title.ends_with('.'), "{first}");
    }
}

#[test]
fn codes_have_one_shape_and_are_sorted() {
    for info in all() {
        let (letter, digits) = info.code.as_str().split_at(1);
        assert!(matches!(letter, "E" | "W"), "{}", info.code);
        assert!(digits.len() == 4 && digits.bytes().all(|b| b.is_ascii_digit()), "{}", info.code);
    }
    assert!(all().is_sorted_by(|a, b| a.code < b.code), "codes are unique and in order");
}

#[test]
fn the_folder_and_the_registry_agree() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/diag/codes");
    let mut files: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    files.sort();
    let codes: Vec<String> = all().iter().map(|info| format!("{}.md", info.code)).collect();
    assert_eq!(files, codes);
}

#[test]
fn every_explanation_has_prose_and_both_examples() {
    for info in all() {
        let prose: String = blocks(info.text)
            .iter()
            .filter(|block| block.fence.is_none())
            .flat_map(|block| block.text.lines().filter(|line| !line.starts_with('#')))
            .fold(String::new(), |all, line| all + line + " ");
        assert!(prose.matches(". ").count() >= 2, "{} needs two sentences", info.code);
        assert!(info.text.ends_with('\n') && !info.text.contains('\r'), "{}", info.code);
        for (i, line) in info.text.lines().enumerate() {
            assert!(line.chars().count() <= 100, "{} line {} is too long", info.code, i + 1);
        }
        let examples = examples(info);
        for right in [false, true] {
            assert!(
                examples.iter().any(|e| e.right == right),
                "{} lacks right: {right}",
                info.code
            );
        }
        for block in blocks(info.text).into_iter().filter(|block| block.fence.is_some()) {
            let Some(example) = block.example() else {
                panic!("{}: {:?} is neither wrong nor right", info.code, block.fence)
            };
            assert!(
                matches!(example.language, "sutler" | "json" | "text" | "bytes"),
                "{example:?}"
            );
            assert!(example.text.ends_with('\n'), "{}: {example:?}", info.code);
        }
    }
}

#[test]
fn find_takes_any_case_and_closest_mends_a_slip() {
    assert_eq!(find("e0003").unwrap().code, E0003);
    assert!(find("E9999").is_none());
    assert_eq!(closest("E0O04").unwrap().code, E0004);
    assert!(closest("supply").is_none());
}

#[test]
fn blocks_are_cut_at_the_fences() {
    let found = blocks("# T\nprose\n```sutler wrong\na\nb\n```\n\n```json right\n```\nend");
    let shape: Vec<_> = found.iter().map(|b| (b.fence, b.text)).collect();
    assert_eq!(
        shape,
        [
            (None, "# T\nprose\n"),
            (Some("sutler wrong"), "a\nb\n"),
            (Some("json right"), ""),
            (None, "end"),
        ]
    );
}

#[test]
fn a_fence_left_open_reaches_to_the_end() {
    let found = blocks("```text wrong\na");
    assert_eq!(found.first().unwrap().example().unwrap().text, "a");
}
