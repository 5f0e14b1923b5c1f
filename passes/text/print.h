/* print.h -- internals of the printer, for the files of text/ alone. */
#ifndef LOOM_TEXT_PRINT_H
#define LOOM_TEXT_PRINT_H

#include "text/text.h"
#include "text/words.h"

/* ---- bytes ----------------------------------------------------------------------------------- */

/* Like buf_put, but inlined, and without the NUL at the end, which the outermost caller adds. */
static inline void put_bytes(Buf *out, const char *bytes, size_t len) {
  if (out->cap - out->len <= len) {
    buf_put(out, bytes, len);
    return;
  }
  memcpy(out->data + out->len, bytes, len);
  out->len += len;
}
static inline void put_char(Buf *out, char c) {
  if (out->cap - out->len <= 1)
    buf_char(out, c);
  else
    out->data[out->len++] = c;
}
#define PUT(out, literal) put_bytes((out), "" literal, sizeof(literal) - 1)
static inline void put_text(Buf *out, const char *text) {
  put_bytes(out, text, strlen(text));
}
static inline void put_str(Buf *out, const Str *str) {
  put_bytes(out, str->text, str->len);
}
void put_number(Buf *out, u32 number);

/* ---- aliases (print_alias.c) ----------------------------------------------------------------- */

/* Attributes that have an alias: affine maps, sets, locations and distinct attributes. */
typedef struct {
  Map index; /* attribute id -> index in `attrs` */
  Vec(const Attr *) attrs;
  Vec(u32) number;    /* of each: #map, #map1, ... */
  Vec(bool) deferred; /* a location only used at the ends of ops: defined after all ops */
  Vec(u32) depth;
  u32 counts[4]; /* by kind (print_alias.c) */
  bool fixed;    /* all have their final numbers; none are added */
} Aliases;

/* Prints #map3; false if the attribute has no alias. */
bool put_alias_of(Buf *out, Aliases *aliases, const Attr *attr);
/* Notes a use of an attribute, by an op as its location (deferred) or otherwise; returns its
 * index. */
u32 alias_add(Aliases *aliases, const Attr *attr, bool deferred);
/* Gives all their final numbers. */
void aliases_fix(Aliases *aliases);
/* Prints the definitions for the top of the file, or (deferred) those for its end. */
void aliases_define(Buf *out, Aliases *aliases, bool deferred);
void aliases_free(Aliases *aliases);

/* ---- types and attributes (print_attrs.c) ---------------------------------------------------- */

/* With `aliases` NULL everything is written out. */
void put_type(Buf *out, Aliases *aliases, const Type *type);
typedef enum { WITH_TYPE, ELIDE_I64, NO_TYPE } TypeStyle;
void put_attr(Buf *out, Aliases *aliases, const Attr *attr, TypeStyle style);
void put_attr_body(Buf *out, Aliases *aliases, const Attr *attr); /* not as its alias, no type */
/* `a = 1`, or `a` of a unit. */
void put_entry(Buf *out, Aliases *aliases, const NamedAttr *entry);
void put_quoted(Buf *out, const char *text, u32 len); /* with the quotes */
void put_symbol_name(Buf *out, const Str *name);      /* @name or @"a name" */
void put_affine_map(Buf *out, const AffineMap *map);
void put_location(Buf *out, Aliases *aliases, const Attr *loc); /* without the loc( ) around it */

/* ---- the printer ----------------------------------------------------------------------------- */

/* The printed name of a value as a u32, its code: a number, or one of these. */
#define CODE_NAMED   0xffffffffu /* by its own name */
#define CODE_RENAMED 0x80000000u /* | index in `renamed` */

typedef struct {
  u32 at, len;
} TypeText;

/* A name other than the value's own: its place in Printer.names. */
typedef struct {
  size_t at, len;
} Rename;

typedef struct {
  Buf *out;
  Context *ctx;
  PrintOptions options;
  bool collecting;      /* in the pass that only finds aliases; its output is discarded */
  bool order_uncertain; /* aliases may have been met in another order than mlir-opt's */
  u32 indent;
  const char *dialect; /* the default dialect here: its ops need no prefix */
  const Op *root;      /* of text_print_op; NULL: a whole module */

  Aliases aliases;
  Buf type_pool;            /* each type's text, made once */
  Vec(TypeText) type_texts; /* by type id */
  Vec(u32) name_lengths;    /* of ops, by kind */

  /* By Block.index: the block's number, then the codes of its arguments. By Op.index, for an op
   * with several results: for each its code and the first result of its group (%a of %a#1). For an
   * op with one result Op.index is the code itself. */
  Vec(u32) codes;
  Vec(Rename) renamed;
  Buf names;
  Vec(const Str *) arg_names; /* arg0, arg1, ... */
} Printer;

/* Gives every value in the op's regions its printed name (print_names.c). */
void name_values(Printer *pr, const Op *op);

void print_value(Printer *pr, const Value *value);
static inline void print_operand(Printer *pr, const Op *op, u32 i) {
  print_value(pr, op->operands[i].value);
}
/* With commas between; in parentheses. */
void print_operands(Printer *pr, const Op *op, u32 first, u32 n);
void print_operand_list(Printer *pr, const Op *op, u32 first, u32 n);
void print_type(Printer *pr, const Type *type);
void print_operand_types(Printer *pr, const Op *op, u32 first, u32 n);
void print_result_types(Printer *pr, const Op *op);
/* ` -> T` or ` -> (T, U)`; nothing for no results. */
void print_arrow_results(Printer *pr, const Op *op);
/* ` -> (T)` or ` -> (T, U)`; nothing for no results. */
void print_arrow_list(Printer *pr, const Op *op);
/* T or (T, U) or (): an op's results after an arrow. */
void print_results_after_arrow(Printer *pr, const Op *op);
/* `(T, T) -> T` of an op's operands and results. */
void print_signature(Printer *pr, const Op *op);
void print_attr(Printer *pr, const Attr *attr);
/* `a = 1`, or `a` of a unit. */
void print_entry(Printer *pr, const NamedAttr *entry);
/* All attributes but those for which `hidden` (called with `data`) is true, with `open` in front of
 * the first; false if there is none. */
typedef bool HiddenFn(const Printer *pr, const Op *op, const NamedAttr *attr, const void *data);
bool print_some_attrs(Printer *pr, const Op *op, const char *open, HiddenFn *hidden,
                      const void *data);
/* ` {a = 1, b}`: all attributes but those whose names are words of `hidden`. */
void print_attrs(Printer *pr, const Op *op, const char *hidden);
/* `, a = 1, b`: the same, after attributes that the caller has printed. */
void print_more_attrs(Printer *pr, const Op *op, const char *hidden);
/* ` attributes {...}`. */
void print_attrs_with_keyword(Printer *pr, const Op *op, const char *hidden);

enum {
  ENTRY_ARGS = 1,    /* the entry block gets a header if it has arguments */
  NO_TERMINATOR = 2, /* the entry block's terminator is left out if it is implied */
  EMPTY_HEADER = 4   /* an empty entry block gets a header */
};
void print_region(Printer *pr, const Region *region, unsigned flags);
/* ^bb1(%a, %b : T, T). */
void print_successor(Printer *pr, const Op *op, u32 i);
void print_indent(Printer *pr);

#endif
