/* asm_func.h -- what functions of all dialects share, and terminators that only pass values on. */
#ifndef LOOM_ASM_FUNC_H
#define LOOM_ASM_FUNC_H

#include "text/asm.h"

typedef struct {
  Range args;                        /* on p->args */
  Range results;                     /* on p->types */
  const Attr *arg_attrs, *res_attrs; /* an array of dictionaries, or NULL */
} Signature;

/* `(%a: T {..}, T) -> (T {..})`, giving the draft function_type and what it says of attributes.
 * With `ellipsis` the arguments may end in `...`. */
void parse_signature(Parser *p, Signature *s, bool ellipsis);
void print_function_signature(Printer *pr, const Op *op, bool ellipsis);

/* A whole function: `private @name(%a: T) -> T attributes {...} { ... }`. */
Op *parse_function(Parser *p, Draft *d, bool ellipsis);
void print_function(Printer *pr, const Op *op, bool ellipsis);

/* `@f(%a) {attrs} : (T) -> T`, the callee's name in the attribute of that name. */
Op *parse_call(Parser *p, Draft *d, Word callee);
void print_call(Printer *pr, const Op *op, const char *callee);

/* `private @name` */
void parse_visibility_and_name(Parser *p);
void print_visibility_and_name(Printer *pr, const Op *op);

/* `{attrs} %a, %b : T, U`, or nothing */
Op *parse_values_and_types(Parser *p, Draft *d);
void print_values_and_types(Printer *pr, const Op *op);

#endif
