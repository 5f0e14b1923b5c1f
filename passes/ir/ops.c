/* ops.c -- the op table: ops.def expanded into what can be asked about an op kind. */
#include "ir/ir.h"

/* short spellings of the trait column */
enum {
  P = TRAIT_PURE,
  TERM = TRAIT_TERMINATOR,
  COMM = TRAIT_COMMUTATIVE,
  SYM = TRAIT_SYMBOL,
  ISO = TRAIT_ISOLATED,
  GRAPH = TRAIT_GRAPH,
  NOTERM = TRAIT_NO_TERMINATOR,
  TRAPS = TRAIT_MAY_TRAP
};

/* of the evaluation column only the number of operands matters here */
#define NO_EVAL          0
#define EVAL_INT(n, e)   n
#define EVAL_FLOAT(n, e) n
#define EVAL_TO_INT(e)   1
#define EVAL_FROM_INT(e) 1

const OpInfo op_infos[OP_COUNT] = {
    [OP_UNREGISTERED] = {"", FORM_GENERIC, TYPES_ANY, FIRE_NOT, 0, 0, 0},
#define OP(id, name, form, types, fire, traits, time, eval)                                        \
  [OP_##id] = {name, form, types, fire, eval, time, traits},
#include "ir/ops.def"
#undef OP
};

bool op_dialect_is_known(const char *name) {
  const char *dot = strchr(name, '.');
  size_t len = dot ? (size_t)(dot - name) : strlen(name);
  for (u32 kind = 1; kind < OP_COUNT; kind++)
    if (strncmp(op_infos[kind].name, name, len) == 0 && op_infos[kind].name[len] == '.')
      return true;
  return false;
}
