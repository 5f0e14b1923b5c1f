/* values.h -- private to the loop code: which values are needed, and how each is written.
 *
 * Many results are another one under a new name: both sides of a cond_br, what a gate, a fork or an
 * invariant passes on, a load's data behind its memory. A value is kept for the *root* of such a
 * chain alone. That is sound because a variable is set once an iteration of its level, before all
 * that uses it; what leaves a loop is what the variable held in the last iteration.
 *
 * A root is a literal; or an expression, written at the place of its only use, where that lies in
 * the same level; or a variable. */
#ifndef LOOM_CSIM_VALUES_H
#define LOOM_CSIM_VALUES_H

#include "ranges.h"

#include <string.h>

/* Of the NaNs a float root may be: none but the canonical one; any (canonical where seen); those
 * it has by its bits. */
typedef enum NanState { NAN_NONE, NAN_LOOSE, NAN_EXACT } NanState;

typedef struct Values {
  Plan *p;
  Csim *m;
  Ranges *ranges;
  uint32_t *root;       /* by result */
  char *is_needed;      /* by root */
  char *is_seen;        /* by root, of floats: somebody may look at the bits of its NaNs */
  char *nans;           /* by root: NanState */
  char *may_trap;       /* by root: a pure op that may trap, so it is done where it stands */
  char *is_inlined;     /* by root */
  char *is_observed;    /* by root: some result of it is */
  char *is_local;       /* by root: its variable is declared where it is set */
  uint32_t *storage;    /* by root: the root in whose variable it is kept; mostly itself */
  uint32_t *uses;       /* by root */
  const char **names;   /* by root; NULL: no variable */
  const char **literal; /* by root; NULL: no literal */
  const char **memory_names;
  char *is_touched; /* by memory: what is written uses its pointer */
  char *has_code;   /* by domain: a branch must be written for it */
} Values;

/* Works all that out; needs the plan. m->status says where memory ran out. */
void csim_values_make(Values *v, Plan *p);

/* C text of the value of a result: a name, a literal, or something in parentheses. */
const char *csim_value(Values *v, uint32_t result);
/* The same with its NaNs canonical where it has loose ones. */
const char *csim_exact(Values *v, uint32_t result);
/* What a root that is no literal is set to. */
const char *csim_made(Values *v, uint32_t root);
/* The C type of a result. */
const char *csim_type(const Values *v, uint32_t result);
/* A signed reading of a value of the result's type. */
const char *csim_signed(Values *v, uint32_t result);
/* The same as the index of an element of a memory. */
const char *csim_index(Values *v, uint32_t address, uint32_t memory);
/* True where making `root` reads the variable of `other` (which is of the same level), through
 * whatever is inlined. */
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
