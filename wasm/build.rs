//! Gives the module the stack that a thread has elsewhere; the linker's own is half of it.

fn main() {
    println!("cargo:rustc-link-arg-cdylib=-zstack-size=2097152");
}
