// Sutler as plain functions: a call in JSON goes in, an answer in JSON comes out. README.md lists the calls.
// Written by cbindgen from src/lib.rs; changes belong there.

#ifndef SUTLER_H
#define SUTLER_H



#include <stddef.h>
#include <stdint.h>

// The longest call in bytes. What is longer is refused unread.
#define SUTLER_LONGEST_CALL 268435456

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Opens a context, in which rules, games and positions are kept by number; 0 where none can be opened.
// Calls of one context wait for each other, those of several do not.
uint64_t sutler_open(void);

// Ends a context with all that is kept in it. A number that is no context does nothing.
void sutler_close(uint64_t context);

// Answers a call: `length` bytes of UTF-8 at `call`, without an end of their own. The answer is
// `{"ok": ...}` or `{"faults": [...]}`, ends with a zero byte and goes back by `sutler_free`. It is
// NULL only where there is no memory for it.
//
// # Safety
//
// `call` is NULL, or `length` bytes can be read there.
char *sutler_call(uint64_t context, const char *call, size_t length);

// What a code such as `E0201` means, a text that ends with a zero byte and goes back by
// `sutler_free`; NULL where there is no such code.
//
// # Safety
//
// `code` is NULL, or a text that ends with a zero byte.
char *sutler_explain_code(const char *code);

// Takes an answer back. NULL does nothing.
//
// # Safety
//
// `answer` is NULL, or came from this library and was not taken back yet.
void sutler_free(char *answer);

// The version of the library, such as `0.2.0`; it stays the library's.
const char *sutler_version(void);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* SUTLER_H */
