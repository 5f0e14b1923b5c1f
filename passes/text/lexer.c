/* lexer.c -- classes of characters; skips spaces, comments and strings. */
#include "text/lexer.h"

#define S_ IS_SPACE
#define DG (IS_DIGIT | IS_WORD | IS_NAME | IS_HEX)
#define HX (IS_LETTER | IS_WORD | IS_NAME | IS_HEX)
#define LT (IS_LETTER | IS_WORD | IS_NAME)
#define WD (IS_WORD | IS_NAME)
#define NM IS_NAME

/* clang-format off */
const u8 char_class[256] = {
    /*         0   1   2   3   4   5   6   7   8   9   A   B   C   D   E   F */
    /* 00 */   0,  0,  0,  0,  0,  0,  0,  0,  0,  S_, S_, 0,  0,  S_, 0,  0,
    /* 10 */   0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,
    /* 20 */   S_, 0,  0,  0,  WD, 0,  0,  0,  0,  0,  0,  0,  0,  NM, WD, 0,
    /* 30 */   DG, DG, DG, DG, DG, DG, DG, DG, DG, DG, 0,  0,  0,  0,  0,  0,
    /* 40 */   0,  HX, HX, HX, HX, HX, HX, LT, LT, LT, LT, LT, LT, LT, LT, LT,
    /* 50 */   LT, LT, LT, LT, LT, LT, LT, LT, LT, LT, LT, 0,  0,  0,  0,  LT,
    /* 60 */   0,  HX, HX, HX, HX, HX, HX, LT, LT, LT, LT, LT, LT, LT, LT, LT,
    /* 70 */   LT, LT, LT, LT, LT, LT, LT, LT, LT, LT, LT, 0,  0,  0,  0,  0,
};
/* clang-format on */

const char *skip_space_and_comments(const char *s) {
  for (;;) {
    if (*s == '\n') /* and the indentation after it, four spaces at a time */
      for (s++; s[0] == ' ' && s[1] == ' ' && s[2] == ' ' && s[3] == ' ';) s += 4;
    s = run_end(s, IS_SPACE);
    if (s[0] != '/' || s[1] != '/') return s;
    while (*s && *s != '\n') s++;
  }
}

const char *string_end(const char *s) {
  for (s++; *s != '"'; s++) {
    if (*s == '\\' && s[1] && s[1] != '\n') s++;
    if (!*s || *s == '\n') return NULL;
  }
  return s + 1;
}

const char *skip_string_or_comment(const char *s) {
  if (*s == '"') return string_end(s);
  if (s[0] == '/' && s[1] == '/')
    while (*s && *s != '\n') s++;
  return s;
}

bool is_bare_word(const char *text, u32 len) {
  if (len == 0 || !char_is(text[0], IS_LETTER)) return false;
  for (u32 i = 1; i < len; i++)
    if (!char_is(text[i], IS_WORD)) return false;
  return true;
}
