/* columns.h -- private to the loop code: with --columns, which tokens are stored, and which follow
 * from those that are.
 *
 * An *array* holds the tokens of one root in one table. A *table* is a domain whose tokens are
 * taken down together: the body of a loop, with a row an iteration; a branch, with a row each time
 * it is taken; and, with its rows made of those of the body and of one more a burst, the loop
 * itself. */
#ifndef LOOM_CSIM_COLUMNS_H
#define LOOM_CSIM_COLUMNS_H

#include "values.h"

typedef enum ArrayKind {
  ARRAY_STORED,       /* by the kernel, in each row */
  ARRAY_FILLED,       /* a literal, once for all; of no table */
  ARRAY_DERIVED,      /* a pure operation on other arrays of the table */
  ARRAY_LOADED,       /* of a memory that is never stored to, at the addresses of another array */
  ARRAY_COUNTED,      /* of a body: a start a burst, or one for all, and then always a step more */
  ARRAY_SPREAD,       /* of a body: what is stored at the start of each burst, in all its rows */
  ARRAY_WHOLE,        /* of a loop: the body's rows, and what is stored at the end of each burst */
  ARRAY_SPREAD_WHOLE, /* of a loop: what is stored at the start of each burst */
  ARRAY_MORE,         /* of a loop: its condition */
  ARRAY_AGAIN         /* of a loop: its condition without the first of each burst */
} ArrayKind;

typedef struct Array {
  ArrayKind kind;
  uint32_t root;    /* whose values they are; of AGAIN none */
  uint32_t table;   /* domain; of FILLED none */
  uint32_t from[3]; /* arrays: operands of DERIVED; [0] the rows of WHOLE, the addresses of LOADED,
                       a start of COUNTED that is a literal (or NONE) */
  uint64_t step;    /* of COUNTED */
  uint32_t next_of_root, next_in_table;
  uint32_t last; /* the result that was told from it last */
  uint32_t slot; /* of STORED, beside others of the same size: which; NONE: by itself */
  uint32_t rows_at, burst_at; /* where the kernel stores it, in struct history (tables.c); NONE */
} Array;

typedef struct Columns {
  Values *v;
  Array *arrays;
  uint32_t count, most;
  uint32_t *array_of;                       /* by result that is told and has data: its array */
  uint32_t *first_of_root;                  /* by root; NONE ends */
  uint32_t *first_in_table, *last_in_table; /* by domain, in order of need: operands first */
  uint32_t first_filled;
  char *is_passed, *is_written; /* by root: the body takes it; a store does */
  char *is_changed;             /* by memory: something is stored to it */
} Columns;

/* True of a loop whose rows are its body's. */
static inline int is_looped(const Plan *p, uint32_t d) {
  return p->domains[d].kind == LOOM_BURST && p->domains[d].body != NONE && !p->domains[d].is_late;
}
/* True of the body of such a loop. */
static inline int is_body(const Plan *p, uint32_t d) {
  uint32_t level = level_of(p, d);
  return d != 0 && is_looped(p, level) && p->domains[level].body == d;
}

/* The domain in whose table tokens of a domain are told: a loop's in its body's, and so what comes
 * late there. */
static inline uint32_t table_of(const Plan *p, uint32_t d) {
  if (p->domains[d].is_late) return p->domains[d].parent;
  return is_looped(p, d) ? p->domains[d].body : d;
}
/* Something is stored of it at the start of each burst, or at its end. */
static inline int has_start(const Array *a) {
  return a->kind == ARRAY_SPREAD || a->kind == ARRAY_SPREAD_WHOLE ||
         (a->kind == ARRAY_COUNTED && a->from[0] == NONE);
}
static inline int has_end(const Columns *c, const Array *a) {
  return a->kind == ARRAY_WHOLE && c->arrays[a->from[0]].kind != ARRAY_COUNTED;
}

/* Decides for every result of the plan's is_told, and for those that they follow from, and sets
 * is_recorded where the kernel must have its value. Needs roots and literals. NULL with m->status
 * set. */
Columns *csim_columns_make(Values *v);

#endif
