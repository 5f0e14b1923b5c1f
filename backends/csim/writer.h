/* writer.h -- private to the loop code: what is shared by the files that write it: writer.c,
 * accesses.c, scan.c, records.c, loops.c and function.c (csim.h). */
#ifndef LOOM_CSIM_WRITER_H
#define LOOM_CSIM_WRITER_H

#include "values.h"

/* Tokens of a result that are gathered: the more the faster, as long as all fit the second-level
 * cache: most of the golden kernels then hand over all they have at once. */
enum { BUFFERED = 4096, BUFFERED_OF_MANY = 128, MANY = 1000 };

/* An address was found to be below a memory's size, in a domain: where that lies around a later
 * access, it need not be looked at again. */
typedef struct Checked {
  struct Checked *next, *before; /* before: the one that was added before, of any address */
  uint32_t address;
  uint32_t domain, memory; /* memory: of dynamic size; NONE: */
  uint64_t elements;       /* a size that is fixed */
} Checked;

enum { CONSTANT_LISTS = 1 << 12 };

typedef struct Writer {
  Csim *m;
  Plan p;
  Values v;
  Text *out; /* what is being written */
  unsigned indent;
  uint32_t open;         /* the domain whose block is open */
  uint32_t *first_state; /* by level: lists of carries and streams' indices; NONE ends */
  uint32_t *next_state;
  uint32_t *first_token, *next_token; /* with histories, by domain: its results, late ones too */
  uint32_t *first_late, *next_late;   /* by BURST: results that are its gates' second, and copies */
  char *is_sized, *is_stored;         /* by memory */
  Checked *last_checked;
  char *is_safe;     /* by result: its port's address was seen to be inside before the loop */
  Checked **checked; /* by root: bounds it was held against, newest first */
  char *is_else;     /* by domain: its block was opened as the else of another */
  uint32_t *kept;    /* with histories, by result: whose buffer has its tokens; NONE: no such yet */
  uint32_t *last_kept;                     /* by root: the result that was recorded last */
  uint32_t first_constant, *next_constant; /* results whose buffers are filled once for all */
  uint32_t *last_constant;                 /* by such a result: who used its buffer last */
  uint32_t *constants, *next_alike;        /* the same results, by a hash of their texts */
  uint32_t *same;                          /* by result: loom_kernel_info.same */
  uint32_t copies;
  int grows;
} Writer;

/* Append to w->out: a text; bytes; a line of any length, with its indentation and newline. */
void csim_word(Writer *w, const char *text);
void csim_append(Writer *w, const char *text, size_t length);
void csim_line(Writer *w, const char *format, ...) BACKEND_PRINTF(2, 3);
/* Closes and opens if blocks until those of domain `d`, of the level being written, are open. */
void csim_go_to(Writer *w, uint32_t d);
/* The negation of a condition as csim_value gives it; `c == 0` rather than `!c` where it is no mere
 * name or literal: tcc gets `!` before a comparison wrong for NaNs. */
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

/* Before a search loop: the same test, vectorised (scan.c). Nothing where the loop is none. */
void csim_write_scan(Writer *w, uint32_t level);
/* Histories: the tokens of a domain; what hung on whether there would be this iteration; and, when
 * all else is written, the buffers and who hands them over. */
void csim_write_record(Writer *w, uint32_t d);
void csim_write_late(Writer *w, uint32_t level);
void csim_write_buffers(Writer *w);
/* The items from `first` to before `end` in the plan's order. */
void csim_write_items(Writer *w, uint32_t first, uint32_t end);

#endif
