#![allow(clippy::unwrap_used, reason = "a failed test may abort")]

use super::*;

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

fn refused(path: &Path, reason: &str) {
    let fault = save(path, b"new").unwrap_err();
    assert_eq!(fault.code, code::E0007);
    assert!(fault.message.contains(reason), "{}", fault.message);
    assert!(fault.message.contains(&path.display().to_string()), "{}", fault.message);
    assert!(!fault.message.contains(".sutler-"), "{}", fault.message);
}

#[test]
fn a_file_is_made_and_then_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("position.json");
    save(&path, b"one").unwrap();
    save(&path, b"three").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"three");
    assert_eq!(names(folder.path()), ["position.json"]);
}

#[test]
fn a_missing_folder_is_named_and_not_made() {
    let folder = tempfile::tempdir().unwrap();
    refused(&folder.path().join("no/position.json"), "folder does not exist");
    assert_eq!(names(folder.path()), [] as [&str; 0]);
}

#[test]
fn a_folder_is_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sub");
    fs::create_dir(&path).unwrap();
    refused(&path, "folder");
    assert!(path.is_dir());
    assert_eq!(names(folder.path()), ["sub"]);
    refused(Path::new("/"), "names no file");
}

#[test]
fn a_file_where_a_folder_should_be_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    fs::write(&path, b"old").unwrap();
    let fault = save(&path.join("position.json"), b"new").unwrap_err();
    assert_eq!(fault.code, code::E0007);
    assert_eq!(fs::read(&path).unwrap(), b"old");
}

#[test]
fn a_read_only_file_stays_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("position.json");
    fs::write(&path, b"old").unwrap();
    let mut permissions = fs::metadata(&path).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&path, permissions).unwrap();
    refused(&path, "read-only");
    assert_eq!(fs::read(&path).unwrap(), b"old");
    assert_eq!(names(folder.path()), ["position.json"]);
}

#[cfg(unix)]
#[test]
fn a_read_only_folder_takes_nothing() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("inner");
    fs::create_dir(&inner).unwrap();
    fs::set_permissions(&inner, Permissions::from_mode(0o555)).unwrap();
    if fs::write(inner.join("probe"), b"").is_ok() {
        // The superuser writes anywhere; the other tests show the clean retreat.
        eprintln!("skipped: this user may write into a read-only folder");
        return;
    }
    refused(&inner.join("position.json"), "denied");
    assert_eq!(names(&inner), [] as [&str; 0]);
    fs::set_permissions(&inner, Permissions::from_mode(0o755)).unwrap();
}

#[cfg(unix)]
#[test]
fn permissions_stay_and_new_files_get_the_usual_ones() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let path = folder.path().join("kept");
    fs::write(&path, b"old").unwrap();
    fs::set_permissions(&path, Permissions::from_mode(0o640)).unwrap();
    save(&path, b"new").unwrap();
    assert_eq!(mode(&path), 0o640);
    let usual = folder.path().join("usual");
    fs::write(&usual, b"").unwrap();
    let path = folder.path().join("new");
    save(&path, b"new").unwrap();
    assert_eq!(mode(&path), mode(&usual));
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link() {
    let folder = tempfile::tempdir().unwrap();
    let (file, link) = (folder.path().join("file"), folder.path().join("link"));
    fs::write(&file, b"old").unwrap();
    std::os::unix::fs::symlink(&file, &link).unwrap();
    save(&link, b"new").unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read(&file).unwrap(), b"new");
}

#[cfg(unix)]
#[test]
fn a_device_stays_a_device() {
    let null = Path::new("/dev/null");
    save(null, b"gone").unwrap();
    assert!(!fs::metadata(null).unwrap().is_file());
}

/// The full device takes every write back: the one error of a disk that can be had without a disk.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let full = Path::new("/dev/full");
    if full.exists() {
        refused(full, "No space left");
    }
}

/// A file that grew, shrank, holds other bytes of the same length or is gone, beside one that is as
/// it was read.
#[test]
fn files_that_have_changed_since_they_were_read_are_left_with_all_others() {
    for now in [Some(&b"old and more"[..]), Some(b"ol"), Some(b"odd"), Some(b""), None] {
        for first in [false, true] {
            let folder = tempfile::tempdir().unwrap();
            let [same, other] = ["same.sut", "other.sut"].map(|name| folder.path().join(name));
            fs::write(&same, "old").unwrap();
            now.iter().for_each(|now| fs::write(&other, now).unwrap());
            let of = |path: &PathBuf| Rewrite {
                path: path.clone(),
                old: b"old".to_vec(),
                new: b"new".to_vec(),
            };
            let files = if first { [of(&other), of(&same)] } else { [of(&same), of(&other)] };
            let fault = rewrite(&files).unwrap_err();
            assert_eq!(fault.code, if now.is_some() { code::E0011 } else { code::E0007 });
            assert!(fault.message.contains("other.sut"), "{}", fault.message);
            assert_eq!(fs::read(&same).unwrap(), b"old");
            assert_eq!(fs::read(&other).ok().as_deref(), now);
        }
    }
}
