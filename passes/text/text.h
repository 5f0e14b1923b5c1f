/* text.h -- MLIR's assembly, read and written.
 *
 * Reads what mlir-opt 16 to 22 and circt-opt print, in the custom form of each op and in the
 * generic one, and writes what mlir-opt 22 writes, so that the two can be compared with diff.
 * Printing what was parsed and parsing it again changes nothing, in either form.
 *
 *   lexer.h     characters, spaces, names                    parse.h   the parser's inside
 *   parse*.c    statements, names of values, types, attributes
 *   print*.c    the same way back                            print.h   the printer's inside
 *   asm_*.c     what each dialect's ops look like: parse and print of an op stand together
 *
 * What the ops' attributes are called in the IR: exactly as mlir-opt 22 calls them in its generic
 * form (`predicate`, `value`, `callee`, `function_type`, `static_offsets`, ...), and so are the
 * sizes of operand groups (`operandSegmentSizes`, an ATTR_DENSE_ARRAY of i32, on the ops MLIR has
 * it on). Older names are brought up to date when read. Two kinds of attribute are not stored:
 * defaults (`overflowFlags` none, `fastmath` none), which the generic form shows all the same, and
 * names of values.
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

/* Appends the whole module, with the affine maps (and locations) it names in front, as mlir-opt
 * does. Uses Op.index and Block.index of everything in the module as scratch. */
void text_print(const Module *module, PrintOptions options, Buf *out);
/* Appends one op and all in it, without a newline at the end. Values defined outside of it are
 * printed by the name they came with. Also uses the scratch fields, of the op and what is in it. */
void text_print_op(const Module *module, const Op *op, PrintOptions options, Buf *out);

/* The name mlir-opt would give result i of an op, for one that has none; length 0: a number. */
typedef struct {
  char text[48];
  u32 len;
} Suggestion;
Suggestion suggest_name(const Op *op, u32 result);

void text_type(const Type *type, Buf *out);
/* With its type, where it has one that must be written: `5 : i32`. */
void text_attr(const Attr *attr, Buf *out);

/* What a symbol is called where people read it, as MLIR writes it: @name, @"a\0Ab". Lives with the
 * context. */
const char *symbol_shown(Context *ctx, const char *name);

/* True where the word is among those of `list` (spaces between), as of fabric_runtime. */
bool word_in(const char *list, const char *word);

/* d0 + s0 floordiv 2, as MLIR writes it. */
void text_affine_expr(const AffineExpr *expr, Buf *out);

/* The type a text such as "memref<4xi32>" means; NULL, without a diagnostic, where it means none.
 * Aliases are not known here. */
const Type *text_parse_type(Context *ctx, const char *text);

#endif
