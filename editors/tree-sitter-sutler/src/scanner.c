// Line ends, and the text of a mistake. A line goes on where the next one begins with `and`, `or`, `+`, `-` or `[`.
#include "tree_sitter/parser.h"

enum TokenType { NEWLINE, MISTAKE_TEXT };

void *tree_sitter_sutler_external_scanner_create(void) { return NULL; }
void tree_sitter_sutler_external_scanner_destroy(void *payload) { (void)payload; }
unsigned tree_sitter_sutler_external_scanner_serialize(void *payload, char *buffer) {
  (void)payload;
  (void)buffer;
  return 0;
}
void tree_sitter_sutler_external_scanner_deserialize(void *payload, const char *buffer, unsigned length) {
  (void)payload;
  (void)buffer;
  (void)length;
}

static bool blank(int32_t c) { return c == ' ' || c == '\t' || c == '\r'; }

static bool word_sign(int32_t c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static bool word(TSLexer *lexer, const char *text) {
  for (; *text; text++) {
    if (lexer->lookahead != *text) return false;
    lexer->advance(lexer, false);
  }
  return !word_sign(lexer->lookahead);
}

// Whether the next line that says anything goes on with this one.
static bool goes_on(TSLexer *lexer) {
  for (;;) {
    while (blank(lexer->lookahead) || lexer->lookahead == '\n') lexer->advance(lexer, false);
    if (lexer->lookahead != '#') break;
    while (lexer->lookahead != '\n' && !lexer->eof(lexer)) lexer->advance(lexer, false);
  }
  switch (lexer->lookahead) {
    case '+':
    case '-':
    case '[':
      return true;
    case 'a':
      return word(lexer, "and");
    case 'o':
      return word(lexer, "or");
    default:
      return false;
  }
}

// All up to the line that begins with `}`.
static bool mistake_text(TSLexer *lexer) {
  bool any = false;
  while (!lexer->eof(lexer)) {
    if (lexer->lookahead == '\n') {
      lexer->advance(lexer, false);
      lexer->mark_end(lexer);
      if (lexer->lookahead == '}') break;
    } else {
      lexer->advance(lexer, false);
    }
    any = true;
  }
  lexer->result_symbol = MISTAKE_TEXT;
  return any;
}

bool tree_sitter_sutler_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid) {
  (void)payload;
  if (valid[MISTAKE_TEXT] && !valid[NEWLINE]) return mistake_text(lexer);
  if (!valid[NEWLINE]) return false;
  while (blank(lexer->lookahead)) lexer->advance(lexer, true);
  lexer->result_symbol = NEWLINE;
  if (lexer->eof(lexer)) return true;
  if (lexer->lookahead != '\n') return false;
  lexer->advance(lexer, false);
  lexer->mark_end(lexer);
  return !goes_on(lexer);
}
