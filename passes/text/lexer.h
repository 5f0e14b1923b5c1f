/* lexer.h -- the characters of MLIR's assembly.
 *
 * The parser has no token objects: it holds a pointer to the next character that is not in a space
 * or comment, and decides by that character. MLIR's grammar allows this: the first character
 * tells a value (%), a symbol (@), a block (^), a type alias (!), an attribute alias (#),
 * a string ("), a number or a word. Texts are NUL-terminated, so no test needs to check for the
 * end. */
#ifndef LOOM_TEXT_LEXER_H
#define LOOM_TEXT_LEXER_H

#include "base/base.h"

/* A piece of the source text. */
typedef struct {
  const char *at;
  u32 len;
} Span;

enum {
  IS_SPACE = 1,  /* space, tab, newline, carriage return */
  IS_DIGIT = 2,  /* 0-9 */
  IS_LETTER = 4, /* a-z, A-Z, _ : starts a word */
  IS_WORD = 8,   /* letters, digits, _ $ . : continues a word */
  IS_NAME = 16,  /* those and - : continues a name after % ^ # ! */
  IS_HEX = 32    /* 0-9, a-f, A-F */
};
extern const u8 char_class[256];

static inline bool char_is(char c, unsigned classes) {
  return (char_class[(unsigned char)c] & classes) != 0;
}

/* The first character at or after `s` that is neither space nor inside a // comment. */
const char *skip_space_and_comments(const char *s);
static inline const char *skip_space(const char *s) {
  if (*s == ' ') s++; /* nearly always the only one */
  return char_is(*s, IS_SPACE) || *s == '/' ? skip_space_and_comments(s) : s;
}

/* The end of the run of characters of these classes that starts at `s`. */
static inline const char *run_end(const char *s, unsigned classes) {
  while (char_is(*s, classes)) s++;
  return s;
}

/* The end of the string literal whose opening quote is at `s` (one past the closing quote), or
 * NULL where the line ends first. */
const char *string_end(const char *s);

/* The end of the string or // comment that starts at `s`; `s` if neither does; NULL for a string
 * without an end. For searches that must ignore brackets inside of them. */
const char *skip_string_or_comment(const char *s);

/* Compares two texts of the same length, short ones without a call. */
static inline bool same_text(const char *a, const char *b, size_t len) {
  if (len < 8) {
    size_t i = 0;
    while (i < len && a[i] == b[i]) i++;
    return i == len;
  }
  u64 x, y, last_x, last_y;
  memcpy(&x, a, 8);
  memcpy(&y, b, 8);
  memcpy(&last_x, a + len - 8, 8);
  memcpy(&last_y, b + len - 8, 8);
  return x == y && last_x == last_y && (len <= 16 || memcmp(a + 8, b + 8, len - 16) == 0);
}

static inline bool span_is(Span span, const char *text) {
  return strlen(text) == span.len && memcmp(span.at, text, span.len) == 0;
}
/* A word, letters, digits, _ $ . after a letter or _: it needs no quotes. */
bool is_bare_word(const char *text, u32 len);

#endif
