/* literal.h -- arguments and results on the command line and in the manual: `7, [1, 2, 3], nan`.
 *
 *     values   value { "," value }
 *     value    scalar | list | "text"                a string: its bytes, then a zero
 *     list     "[" [ item { "," item } ] "]"        nested for more dimensions
 *     item     value [ "x" count ]                   [0 x 16] is sixteen zeros
 *
 * Scalars are value_read's (run/value.h): decimals, 0x bits, true, false, inf, nan; () is none. A
 * tagged value is {"value": 5, "tag": 3}.
 * Used by `loom run --args` and by the manual's `// run:` lines.
 */
#ifndef LOOM_RUN_LITERAL_H
#define LOOM_RUN_LITERAL_H

#include "run/case.h"

/* The text being read. */
typedef struct {
  Context *ctx;
  const char *at, *end;
  const char *problem; /* of the first failure, in the context's memory; NULL: none */
  u32 argument; /* literal_case: the problem is in this argument, counted from 1; 0: in none */
} Literals;

/* The elements of a list, or a scalar (depth 0), in row-major order, of value_words words each. */
typedef struct {
  u32 depth;
  i64 shape[8];
  Vec(u64) data;
} Literal;

void literal_space(Literals *in);
/* Skips blanks, and takes `token` if it comes next. */
bool literal_token(Literals *in, const char *token);
/* A name of letters, digits and _ $ . -; its length, 0 where there is none. */
size_t literal_name(Literals *in, const char **name);
/* A scalar or a list of them. The caller frees out->data, also after a failure. */
bool literal_value(Literals *in, const Type *scalar, Literal *out);

/* One argument of this type: a scalar, a memref's contents, or (a list for a scalar type) a stream.
 * Its tokens live in `arena`; a memref's array is held (case_free drops those of a case). */
bool literal_arg(Literals *in, Arena *arena, const Type *type, CaseArg *arg);

/* Arguments for `types` (scalars and memrefs), separated by commas: a case for `function`. NULL
 * after a problem. The caller frees it with case_free. */
Case *literal_case(Literals *in, const Str *function, const Type *const *types, u32 n);

/* Prints elements, of value_words words each, in the syntax of literal_value, with `...` in place
 * of those after the first `most`. */
void literal_print(const Context *ctx, const Type *scalar, const i64 *shape, u32 rank,
                   Elements elements, size_t most, Buf *buf);

#endif
