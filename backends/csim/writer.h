/* writer.h -- private to the loop code: shared by the files that emit it: writer.c, accesses.c,
 * scan.c, records.c, loops.c and function.c (csim.h). */
#ifndef LOOM_CSIM_WRITER_H
#define LOOM_CSIM_WRITER_H

#include "values.h"

/* Tokens of a result that are buffered before they are handed over. More is faster, as long as all
 * buffers fit the second-level cache; most golden kernels then hand over all tokens at once. */
enum { BUFFERED = 4096, BUFFERED_OF_MANY = 128, MANY = 1000 };

/* In a domain an address was checked to be below the size of a memory: an access in that domain, or
 * in one below it, needs no further check. */
typedef struct Checked {
  struct Checked *next, *before; /* before: the previous one, of any address */
  uint32_t address;
  uint32_t domain, memory; /* memory: of dynamic size; NONE: */
  uint64_t elements;       /* a size that is fixed */
} Checked;

enum { CONSTANT_LISTS = 1 << 12 };

typedef struct Writer {
  Csim *m;
  Plan p;
  Values v;
  uint32_t open;         /* the domain whose block is open */
  uint32_t *first_state; /* by level: lists of carries and streams' indices; NONE ends */
  uint32_t *next_state;
  uint32_t *first_token, *next_token; /* with histories, by domain: its results, late ones too */
  uint32_t *first_late, *next_late;   /* by BURST: results that are its gates' second, and copies */
  char *is_sized, *is_stored;         /* by memory */
  Checked *last_checked;
  char *is_safe;     /* by result: its port needs no check: that was made before the loop */
  Checked **checked; /* by root: checks of it as an address, newest first */
  char *is_else;     /* by domain: its block was opened as the else of another */
  uint32_t *kept; /* with histories, by result: whose buffer has its tokens; NONE: not yet known */
  uint32_t *last_kept;                     /* by root: the result that was recorded last */
  uint32_t first_constant, *next_constant; /* results whose buffers are filled once, at the start */
  uint32_t *last_constant;          /* by such a result: the last one that shares its buffer */
  uint32_t *constants, *next_alike; /* the same results, by a hash of their texts */
  uint32_t *same;                   /* by result: loom_kernel_info.same */
  uint32_t copies;                  /* variables loom_next0, loom_next1, ... (write_updates) */
  int grows;                        /* some access calls loom_grow */
} Writer;

/* Writes a line (csim_put_line). */
void csim_line(Writer *w, const char *format, ...) BACKEND_PRINTF(2, 3);
/* Closes and opens if blocks until those of domain `d`, of the level being written, are open. */
void csim_enter_domain(Writer *w, uint32_t d);
/* The negation of a condition as csim_value gives it; `c == 0` rather than `!c` where it is not
 * just a name or literal: tcc compiles `!` before a comparison wrongly for NaNs. */
const char *csim_negated(Writer *w, const char *condition);
/* An expression without its outermost parentheses, where these enclose all of it. */
const char *csim_bare(Writer *w, const char *text);

/* An item that is a result, or an arm of a mux. */
void csim_write_result(Writer *w, uint32_t r);
void csim_write_arm(Writer *w, uint32_t item);
/* Finds the accesses of a counted loop that can be checked before it: marks them in is_safe (the
 * caller clears that after the copy without checks) and returns the C condition under which they
 * are inside; NULL: there is no such check. */
const char *csim_hoist_checks(Writer *w, uint32_t level);
/* Drops all records of checks made after `last`. */
void csim_forget_checks(Writer *w, const Checked *last);

/* Before a search loop, its test vectorised (scan.c); before other loops nothing. */
void csim_write_scan(Writer *w, uint32_t level);
/* Histories: records the tokens of a domain; records the late ones, at the next test of the loop;
 * and, after all other code, declares the buffers and the functions that hand them over. */
void csim_write_record(Writer *w, uint32_t d);
void csim_write_late(Writer *w, uint32_t level);
void csim_write_buffers(Writer *w);
/* The items from `first` to before `end` in the plan's order. */
void csim_write_items(Writer *w, uint32_t first, uint32_t end);

#endif
