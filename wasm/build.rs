//! Gives the module the stack that a thread has elsewhere; the linker's own is half of it. And writes
//! numbers of functions as short as they are, where the linker leaves room for the longest.

fn main() {
    println!("cargo:rustc-link-arg-cdylib=-zstack-size=2097152");
    println!("cargo:rustc-link-arg-cdylib=--compress-relocations");
}
