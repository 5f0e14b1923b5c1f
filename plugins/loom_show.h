/* loom_show.h -- for backends that show designs to people; goes with loom_machine.h.
 *
 * What a drawing, a report or a page wants to know beside what hardware and graphs are: the text of
 * the source and where nodes stand in it, where components are drawn, which routes tokens take, how
 * often loops begin an iteration, what is in memories at first, and how a run ended.
 *
 * Of mapped hardware (loom.binding/1 is there) nodes, edges and memories are those of the graph
 * that was asked for, binding->graph(design); else of the design's own graph. Strings and arrays
 * are good as long as the design.
 */
#ifndef LOOM_SHOW_H
#define LOOM_SHOW_H

#include "loom_machine.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- loom.source/1: the user's source text ----------------------------------------------- */
typedef struct loom_source_file {
  const char *name; /* as it was given: "kernel.mlir" */
  const char *text; /* may have zero bytes in it */
  uint64_t length;  /* of the text, in bytes */
} loom_source_file;

typedef struct loom_source_place {
  uint32_t file;         /* which of the files; LOOM_NONE: it is not known where the node is from */
  uint32_t line, column; /* from 1; columns count bytes */
} loom_source_place;

typedef struct loom_source { /* "loom.source/1" */
  uint32_t size;
  loom_count *file_count;
  int (*file)(const loom_design *, uint32_t i, loom_source_file *out, size_t);
  int (*place)(const loom_design *, uint32_t node, loom_source_place *out, size_t);
} loom_source;

/* ---- loom.drawing/1: where hardware is drawn --------------------------------------------------- */
typedef struct loom_box {
  int32_t x, y;           /* the middle, in points; y grows downwards */
  uint32_t width, height; /* 0: not given, only where the middle is */
} loom_box;

typedef struct loom_drawing { /* "loom.drawing/1" */
  uint32_t size;
  /* 1: who made the fabric says so (viz_file); 0: worked out from what is wired to what. */
  loom_count *is_given;
  int (*box)(const loom_design *, uint32_t component, loom_box *out, size_t);
} loom_drawing;

/* ---- loom.routes/1: which routes tokens take ---------------------------------------------------
 * Ports of loom.fabric/1, from the one that the tokens leave their source by to the one where they
 * are used: an output, the input that it drives, the output of the same component that they leave
 * by, and so on. Tags stand beside. Tokens that stay inside a PE have no route. */
typedef struct loom_route {
  uint32_t input;               /* of loom.machine/1; LOOM_NONE: there is no machine */
  uint32_t edge;                /* of the graph; LOOM_NONE: not known */
  const uint32_t *ports, *tags; /* LOOM_NONE: no tag */
  uint32_t port_count;
  /* Where in `ports` the net of `input` begins: behind the last FIFO or buffer on the way in which
   * tokens stop. What stands before it belongs to the nets of those. */
  uint32_t first;
} loom_route;

typedef struct loom_routes { /* "loom.routes/1" */
  uint32_t size;
  loom_count *route_count;
  int (*route)(const loom_design *, uint32_t i, loom_route *out, size_t);
} loom_routes;

/* ---- loom.mapping/1: what the mapper says ------------------------------------------------------ */
typedef struct loom_mapping { /* "loom.mapping/1" */
  uint32_t size;
  /* NAME.map.json: which node is where, recurrences, what was expected of loops; of a mapping that
   * was not found ("incomplete") what had no place and no route. */
  const char *(*json)(const loom_design *);
} loom_mapping;

/* ---- loom.outcome/1: what came of the whole run ------------------------------------------------
 * Present when `loom emit` was given hardware and a case; from the start to the end of the run. */
typedef struct loom_loop {
  uint32_t unit; /* what it is called after: its stream, or its first carry */
  uint64_t entries, iterations;
  /* Gaps from one iteration to the next, and their cycles together; of each entry (a start of the
   * loop) only the later half of them. gap_cycles / gaps is the interval that was achieved; without
   * gaps there is none. */
  uint64_t gaps, gap_cycles;
  uint32_t bound; /* cycles of its longest recurrence; 1: it has none */
  /* What the mapping expects: so many cycles for so many iterations; 0: not known. */
  uint32_t expected_cycles, expected_iterations;
  uint32_t about; /* '>': that or more; '~': about that; or 0 */
} loom_loop;

enum loom_end {
  LOOM_END_GOOD,
  LOOM_END_LEFTOVER, /* all results are there, and tokens are left over */
  LOOM_END_DEADLOCK,
  LOOM_END_TRAP,
  LOOM_END_LIMIT /* of cycles or of time */
};

/* Of what is deadlocked or stalled: each waits for the unit of the next. */
enum loom_awaits {
  LOOM_AWAITS_OPERAND,    /* for the token of `input`, its operand */
  LOOM_AWAITS_SPACE,      /* for room at `input`, of another unit */
  LOOM_AWAITS_ENDED_INPUT /* for nothing: an input of the fabric that has given all it had */
};

typedef struct loom_wait_for {
  enum loom_awaits kind;
  uint32_t unit, input;
} loom_wait_for;

typedef struct loom_outcome { /* "loom.outcome/1" */
  uint32_t size;
  loom_count *end;                         /* enum loom_end */
  uint64_t (*cycles)(const loom_design *); /* until the last thing moved */
  const char *(*text)(
      const loom_design *); /* what `loom sim` says of an end that is not good; "" */
  loom_count *loop_count, *wait_count;
  int (*loop)(const loom_design *, uint32_t i, loom_loop *out, size_t);
  int (*wait)(const loom_design *, uint32_t i, loom_wait_for *out, size_t);
  loom_count *is_circular; /* the last of the waits is for the first */
  uint64_t (*firings)(const loom_design *, uint32_t unit);
} loom_outcome;

/* ---- loom.contents/1: memories before the run --------------------------------------------------
 * Present when `loom emit` was given a case. */
typedef struct loom_initial { /* "loom.contents/1" */
  uint32_t size;
  /* *count elements of a memory of the graph, as zero-extended bits; NULL: there are none. */
  const uint64_t *(*memory)(const loom_design *, uint32_t memory, uint64_t *count);
} loom_initial;

#ifdef __cplusplus
}
#endif
#endif
