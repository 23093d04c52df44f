// Line ends, the text of a mistake, and whether a line says `was`. A line goes on where the next one begins with `and`, `or`,
// `then`, `+`, `-` or `[`.
#include "tree_sitter/parser.h"

enum TokenType { NEWLINE, MISTAKE_TEXT, WAS_AHEAD };

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
    case 't':
      return word(lexer, "then");
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

// Whether the next line that says anything has `was` outside of its strings: nothing is read, so that its first word may be
// the word of a line or a name.
static bool was_ahead(TSLexer *lexer) {
  lexer->mark_end(lexer);
  lexer->result_symbol = WAS_AHEAD;
  for (;;) {
    while (blank(lexer->lookahead) || lexer->lookahead == '\n') lexer->advance(lexer, false);
    if (lexer->lookahead != '#') break;
    while (lexer->lookahead != '\n' && !lexer->eof(lexer)) lexer->advance(lexer, false);
  }
  while (!lexer->eof(lexer) && lexer->lookahead != '\n' && lexer->lookahead != '#') {
    if (word_sign(lexer->lookahead)) {
      if (word(lexer, "was")) return true;
      while (word_sign(lexer->lookahead)) lexer->advance(lexer, false);
    } else if (lexer->lookahead == '"') {
      do lexer->advance(lexer, false);
      while (!lexer->eof(lexer) && lexer->lookahead != '"' && lexer->lookahead != '\n');
      if (lexer->lookahead == '"') lexer->advance(lexer, false);
    } else {
      lexer->advance(lexer, false);
    }
  }
  return false;
}

bool tree_sitter_sutler_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid) {
  (void)payload;
  if (valid[MISTAKE_TEXT] && !valid[NEWLINE]) return mistake_text(lexer);
  if (valid[WAS_AHEAD] && !valid[NEWLINE]) return was_ahead(lexer);
  if (!valid[NEWLINE]) return false;
  while (blank(lexer->lookahead)) lexer->advance(lexer, true);
  lexer->result_symbol = NEWLINE;
  if (lexer->eof(lexer)) return true;
  if (lexer->lookahead != '\n') return false;
  lexer->advance(lexer, false);
  lexer->mark_end(lexer);
  return !goes_on(lexer);
}
