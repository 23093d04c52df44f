//! Sutler as plain functions of C, for Godot, Unity, Java and all else that calls C.
//!
//! Takes a call as JSON and gives an answer as JSON; calls and answers are those of the module of
//! WebAssembly, read by the same code. Decides nothing.
//!
//! The only code of the project that is unsafe: it reads bytes at an address that another language
//! names, and gives a text away and takes it back. A context is a number, so that a wrong one is refused.

#[path = "../../wasm/src/calls.rs"]
mod calls;
mod contexts;
#[path = "../../wasm/src/fields.rs"]
mod fields;
#[path = "../../wasm/src/views.rs"]
mod views;

use std::ffi::{CStr, CString, c_char};

/// The longest call in bytes. What is longer is refused unread.
pub const SUTLER_LONGEST_CALL: usize = 268_435_456;

/// Opens a context, in which rules, games and positions are kept by number; 0 where none can be opened.
/// Calls of one context wait for each other, those of several do not.
#[allow(unsafe_code, reason = "a name that the linker keeps")]
#[unsafe(no_mangle)]
pub extern "C" fn sutler_open() -> u64 {
    contexts::open()
}

/// Ends a context with all that is kept in it. A number that is no context does nothing.
#[allow(unsafe_code, reason = "a name that the linker keeps")]
#[unsafe(no_mangle)]
pub extern "C" fn sutler_close(context: u64) {
    contexts::close(context);
}

/// Answers a call: `length` bytes of UTF-8 at `call`, without an end of their own. The answer is
/// `{"ok": ...}` or `{"faults": [...]}`, ends with a zero byte and goes back by `sutler_free`. It is
/// NULL only where there is no memory for it.
///
/// # Safety
///
/// `call` is NULL, or `length` bytes can be read there.
#[allow(unsafe_code, reason = "the bytes belong to the caller, in another language")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sutler_call(
    context: u64,
    call: *const c_char,
    length: usize,
) -> *mut c_char {
    if call.is_null() {
        return given(contexts::refused("there is no call: it is NULL"));
    }
    if length > SUTLER_LONGEST_CALL {
        return given(contexts::refused("the call is longer than 256 MiB"));
    }
    let mut bytes = Vec::new();
    if bytes.try_reserve_exact(length).is_err() {
        return given(contexts::refused("there is no memory for the call"));
    }
    // SAFETY: it is not NULL, so that the caller promises `length` bytes; they are copied at once.
    bytes.extend_from_slice(unsafe { std::slice::from_raw_parts(call.cast::<u8>(), length) });
    given(contexts::answer(context, bytes))
}

/// What a code such as `E0201` means, a text that ends with a zero byte and goes back by
/// `sutler_free`; NULL where there is no such code.
///
/// # Safety
///
/// `code` is NULL, or a text that ends with a zero byte.
#[allow(unsafe_code, reason = "the text belongs to the caller, in another language")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sutler_explain_code(code: *const c_char) -> *mut c_char {
    if code.is_null() {
        return std::ptr::null_mut();
    }
    // SAFETY: it is not NULL, so that the caller promises a zero byte at its end.
    let code = unsafe { CStr::from_ptr(code) };
    let text = code.to_str().ok().and_then(sutler::explain_code);
    text.map_or(std::ptr::null_mut(), given)
}

/// Takes an answer back. NULL does nothing.
///
/// # Safety
///
/// `answer` is NULL, or came from this library and was not taken back yet.
#[allow(unsafe_code, reason = "the text was given away and comes back")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sutler_free(answer: *mut c_char) {
    if !answer.is_null() {
        // SAFETY: by the promise of the caller it is one of `given`, and comes back once.
        drop(unsafe { CString::from_raw(answer) });
    }
}

/// The version of the library, such as `0.2.0`; it stays the library's.
#[allow(unsafe_code, reason = "a name that the linker keeps")]
#[unsafe(no_mangle)]
pub extern "C" fn sutler_version() -> *const c_char {
    const VERSION: &CStr =
        match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
            Ok(text) => text,
            Err(_) => c"",
        };
    VERSION.as_ptr()
}

/// A text for the other side. JSON has no zero byte in it, and texts of explanations have none.
fn given(text: String) -> *mut c_char {
    CString::new(text).map_or(std::ptr::null_mut(), CString::into_raw)
}
