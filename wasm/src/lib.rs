//! Sutler as plain functions over linear memory, for any host of WebAssembly: no imports, no glue
//! that is generated.
//!
//! Takes a call as JSON and gives an answer as JSON. A host asks for room with [`room`], writes the
//! call there, calls [`call`], which returns how long the answer is, and reads it at [`answer`].
//! The forms of calls and answers are those of [`calls`]. Handles are numbers. Decides nothing: each
//! call is one of the library.

mod calls;
mod fields;
mod views;

use std::cell::RefCell;

use calls::Desk;

/// The texts that go in and out, and what is open.
#[derive(Default)]
struct Exchange {
    call: Vec<u8>,
    answer: Vec<u8>,
    desk: Desk,
}

thread_local! {
    static EXCHANGE: RefCell<Exchange> = RefCell::default();
}

/// Makes room for a call of so many bytes and returns where it is to be written.
#[unsafe(no_mangle)]
pub extern "C" fn room(bytes: usize) -> *const u8 {
    EXCHANGE.with_borrow_mut(|exchange| {
        exchange.call.clear();
        exchange.call.resize(bytes, 0);
        exchange.call.as_ptr()
    })
}

/// Does what was written, and returns how many bytes the answer has.
#[unsafe(no_mangle)]
pub extern "C" fn call() -> usize {
    EXCHANGE.with_borrow_mut(|exchange| {
        exchange.answer = exchange.desk.answer(&exchange.call).into_bytes();
        exchange.answer.len()
    })
}

/// Where the last answer stands, until the next call.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> *const u8 {
    EXCHANGE.with_borrow(|exchange| exchange.answer.as_ptr())
}
