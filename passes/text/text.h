/* text.h -- the reader and printer of MLIR's assembly.
 *
 * Reads what mlir-opt 16 to 22 and circt-opt print, in the custom form of each op and in the
 * generic one, and writes what mlir-opt 22 writes, so that the two can be compared with diff.
 * Printing what was parsed and parsing it again changes nothing, in either form.
 *
 *   lexer.h     characters, spaces, names          parse.h   internals of the parser
 *   parse*.c    statements, names of values, types, attributes
 *   print*.c    their printers                     print.h   internals of the printer
 *   form*.c     ops whose text a format in ops.def describes: most of them
 *   asm_*.c     all other ops, by dialect; the parser and the printer of an op stand together
 *   number.c    floating-point literals
 *
 * Attributes have the names in the IR that mlir-opt 22 gives them in its generic form
 * (`predicate`, `value`, `callee`, `function_type`, `static_offsets`, ...), also the sizes of
 * operand groups (`operandSegmentSizes`, an ATTR_DENSE_ARRAY of i32, on the ops that have it in
 * MLIR). Older names are upgraded by the reader. Two things are not stored as attributes: defaults
 * (`overflowFlags` none, `fastmath` none), which the generic form prints nevertheless, and names of
 * values.
 */
#ifndef LOOM_TEXT_TEXT_H
#define LOOM_TEXT_TEXT_H

#include "ir/ir.h"

typedef struct {
  bool generic; /* "arith.addi"(%a, %b) : (i32, i32) -> i32 */
  bool locs;    /* loc(...) on every op, as --mlir-print-debuginfo does */
} PrintOptions;

/* Reads a whole file into a new module, which the caller frees. NULL when any error was reported;
 * reading goes on after an error at the next statement, so there may be several. Ops in the
 * custom form are checked only as far as their syntax needs: verify_module does the rest. */
Module *text_parse(Context *ctx, const Source *source);

/* Appends the whole module, with the aliases of its affine maps (and locations) in front, as
 * mlir-opt does. Uses Op.index and Block.index of everything in the module as scratch. */
void text_print(const Module *module, PrintOptions options, Buf *out);
/* Appends one op with its regions, without a newline at the end. Values defined outside of it are
 * printed by their names in the source. Uses the same scratch fields of the op and its contents. */
void text_print_op(const Module *module, const Op *op, PrintOptions options, Buf *out);

/* The name mlir-opt suggests for a result that has none; length 0: it gets a number instead. */
typedef struct {
  char text[48];
  u32 len;
} Suggestion;
Suggestion suggest_name(const Op *op, u32 result);

void text_type(const Type *type, Buf *out);
/* With its type, if it has one that MLIR prints: `5 : i32`. */
void text_attr(const Attr *attr, Buf *out);

/* A symbol as MLIR prints it: @name, @"a\0Ab". Lives with the context. */
const char *symbol_shown(Context *ctx, const char *name);

/* True if `list`, words with spaces between such as fabric_runtime returns, has this word. */
bool word_in(const char *list, const char *word);

/* d0 + s0 floordiv 2, as MLIR writes it. */
void text_affine_expr(const AffineExpr *expr, Buf *out);

/* Parses a type such as "memref<4xi32>"; NULL, without a diagnostic, if it is none. There are no
 * aliases. */
const Type *text_parse_type(Context *ctx, const char *text);

#endif
