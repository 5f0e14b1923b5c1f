/* prelude.c -- the helper functions that generated C calls, copied from host/text/prelude.h, which
 * is embedded in the binary.
 *
 * The text is divided at empty lines into pieces that define one name each. A piece uses only names
 * of earlier ones, so one pass from the last to the first finds all that are used, also by others.
 * Costs pieces times the length of the text that uses them. */
#include "host/c_text.h"

#include "c_prelude.inc"

/* A part of the text, up to an empty line, and the name that it defines. */
typedef struct {
  const char *text, *name;
  size_t length, name_length;
  bool is_wanted;
} Piece;

enum { MAX_PIECES = 120 };

static bool has_word(const char *text, size_t length, const Piece *word) {
  const char *end = text + length;
  for (const char *at = text; (at = memmem(at, (size_t)(end - at), word->name, word->name_length));
       at++) {
    const char *behind = at + word->name_length;
    if ((at == text || !c_text_is_name(at[-1])) && (behind == end || !c_text_is_name(*behind)))
      return true;
  }
  return false;
}

/* The name of a macro, or the word before the parameters of a function; a comment has none. */
static void find_name(Piece *piece) {
  static const char define[] = "#define ";
  const char *at = memmem(piece->text, piece->length, define, strlen(define)), *end;
  if (at) {
    at = end = at + strlen(define);
    while (c_text_is_name(*end)) end++;
  } else {
    at = end = memchr(piece->text, '(', piece->length);
    while (at && c_text_is_name(at[-1])) at--;
  }
  piece->name = at;
  piece->name_length = (size_t)(end - at);
}

static u32 cut_pieces(const char *text, Piece *pieces) {
  u32 n = 0;
  while (*text) {
    const char *end = strstr(text, "\n\n");
    Piece *piece = &pieces[n];
    *piece = (Piece){.text = text, .length = end ? (size_t)(end + 1 - text) : strlen(text)};
    text += piece->length + (end != NULL);
    find_name(piece);
    n += piece->name_length > 0;
    if (n == MAX_PIECES) loom_bug("text/prelude.h has more pieces than there is room for");
  }
  return n;
}

void c_text_prelude(const char *used, Buf *out) {
  Piece pieces[MAX_PIECES];
  Buf source = {0};
  pages_unpack(c_prelude + 4, c_prelude_length, &source); /* after its length */
  u32 n = cut_pieces(source.data, pieces);
  pieces[0].is_wanted = true; /* LOOM_HELPER */
  for (u32 i = n; i-- > 0;) {
    Piece *piece = &pieces[i];
    piece->is_wanted = piece->is_wanted || has_word(used, strlen(used), piece);
    for (u32 k = 0; piece->is_wanted && k < i; k++)
      pieces[k].is_wanted = pieces[k].is_wanted || has_word(piece->text, piece->length, &pieces[k]);
  }
  for (u32 i = 0; i < n; i++)
    if (pieces[i].is_wanted) buf_put(out, pieces[i].text, pieces[i].length);
  buf_free(&source);
}
