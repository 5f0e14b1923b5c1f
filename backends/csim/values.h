/* values.h -- private to the loop code: which values are needed, and as which C text.
 *
 * Many results are copies of another: both results of a cond_br, those of a fork or an invariant,
 * the first of a gate, a load's data, which the memory makes. Only the *root* of such a chain of
 * copies has a value of its own. That is sound because a variable is set once an iteration of its
 * level, before all its uses; the value that leaves a loop is that of the last iteration.
 *
 * A root is a literal; or an expression, written at its only use, if that is in the same level; or
 * a variable. */
#ifndef LOOM_CSIM_VALUES_H
#define LOOM_CSIM_VALUES_H

#include "ranges.h"

#include <string.h>

/* The NaNs that a float root may hold: none; with any bits, made canonical where these are seen;
 * with the bits that it must have. */
typedef enum NanState { NAN_NONE, NAN_LOOSE, NAN_EXACT } NanState;

typedef struct Values {
  Plan *p;
  Csim *m;
  Ranges *ranges;
  uint32_t *root;       /* by result */
  char *is_needed;      /* by root */
  char *is_seen;        /* by root, of floats: the bits of its NaNs are observable */
  char *nans;           /* by root: NanState */
  char *may_trap;       /* by root: a pure op that may trap, so it is not inlined */
  char *is_inlined;     /* by root */
  char *is_observed;    /* by root: some copy of it is */
  char *is_local;       /* by root: its variable is declared where it is set */
  uint32_t *storage;    /* by root: the root in whose variable it is kept; mostly itself */
  uint32_t *uses;       /* by root */
  const char **names;   /* by root; NULL: no variable */
  const char **literal; /* by root; NULL: no literal */
  const char **memory_names;
  char *is_touched; /* by memory: the emitted code uses its pointer */
  char *has_code;   /* by domain: a branch must be written for it */
} Values;

/* Computes all of that from the plan. */
void csim_values_make(Values *v, Plan *p);

/* C text of the value of a result: a name, a literal, or something in parentheses. */
const char *csim_value(Values *v, uint32_t result);
/* The same with its NaNs canonical where it has loose ones. */
const char *csim_canonical(Values *v, uint32_t result);
/* The expression that computes a root, which is no literal. */
const char *csim_expression(Values *v, uint32_t root);
/* The C type of a result. */
const char *csim_type(const Values *v, uint32_t result);
/* The value of a result, sign-extended to int32_t or int64_t. */
const char *csim_signed(Values *v, uint32_t result);
/* The value of an address, as the C index of an element of a memory. */
const char *csim_index(Values *v, uint32_t address, uint32_t memory);
/* True where the C text of `root` reads the variable of `other` (which is of the same level),
 * through whatever is inlined. */
int csim_reads(const Values *v, uint32_t root, uint32_t other);

/* names.c: the literal of a constant; names for all variables and memories. */
const char *csim_literal(Values *v, uint32_t root);
void csim_give_names(Values *v);

static inline unsigned char kind_of(const Plan *p, uint32_t r) {
  return p->kinds[p->results[r].node];
}
static inline int is_float(const Plan *p, uint32_t r) {
  const loom_type *t = type_of(p, r);
  return t->kind == LOOM_IEEE && t->bits >= 32;
}
static inline int starts_with(const char *text, const char *start) {
  return strncmp(text, start, strlen(start)) == 0;
}

#endif
