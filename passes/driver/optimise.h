/* optimise.h -- the programs of a kernel: what -O0 and -O1 make of it, or those that -O2 chooses
 * from.
 *
 *     status = search_loops(call, module, "matmul", input, fabrics, &choice);      -O2, all at once
 *     loop_choice_apply(&choice, &options);        then lower_module(module, &options) does it
 *
 *     programs_make(&programs, call, module, "matmul", input);       in parts: of no fabric yet,
 *     programs_run(&programs);
 *     variants_bound(&variants, &programs, adg, routes);              then on each of many
 *     best = variants_map(&variants, &programs, layout, &options, most);
 */
#ifndef LOOM_DRIVER_OPTIMISE_H
#define LOOM_DRIVER_OPTIMISE_H

#include "dfg/dfg.h"
#include "driver/driver.h"
#include "driver/mapping.h"
#include "lower/lower.h"
#include "map/earliest.h"
#include "map/least_route.h"
#include "map/map.h"
#include "run/case.h"

/* Loops beyond are left as they are; programs beyond are not tried on a fabric. */
enum { MAX_CHOSEN = 16, MAX_PROGRAMS = 150, MORE_PROGRAMS = 50, MOST_COALESCED = 2 };

typedef struct {
  u32 level, choices;              /* as of LowerOptions */
  u32 n;                           /* loops, in textual order as `unroll` leaves them */
  u32 copies[MAX_CHOSEN];          /* of each; 0: it stays as it is */
  bool is_while[MAX_CHOSEN];       /* it tests so many iterations at once */
  bool is_interleaved[MAX_CHOSEN]; /* its iterations take turns in so many slots */
  Loc at[MAX_CHOSEN];
  u64 before, cycles; /* of the case, with -O1 and so; 0: it does not map */
  const char *fabric; /* on which, of those that were named; NULL: nothing was searched */
  u32 tried, mapped;  /* programs that were lowered, and of these mapped */
} LoopChoice;

/* One of them, lowered. */
typedef struct {
  LoopChoice choice;
  Module *module; /* NULL: it cannot be lowered, or does not do what the case expects */
  Dfg *dfg;
  EarliestRun run; /* what it does in the case, where it is the only one; else without steps */
  u64 *tokens; /* by results of the graph how many each gives in the case; NULL: nobody has asked */
} Program;

/* Of a kernel. The first is that without copies, then come the steps from it; others are made when
 * a fabric has room for them, once. */
typedef struct {
  Call *call;
  const Module *source;
  const char *function;
  const Case *input;
  LoopChoice loops; /* which there are, as they are; its level is 0: there is nothing to choose */
  u32 ineffective;  /* choices that change nothing */
  u32 separate;     /* that are no steps of the search, but tried apart (variants_bound) */
  bool fixed
      [MAX_CHOSEN]; /* for loops of which there can be no copies; whiles may, when ifs in them are gone */
  bool is_timed; /* bounds of times and chains are wanted, too */
  size_t n, room;
  Program **at;
  bool shows; /* on a terminal: how far the search is */
} Programs;

/* -O of the call says which. The source stays as it is, and has to outlive this. False where the
 * first cannot be lowered, after diagnostics; what the others have to say is kept quiet. */
bool programs_make(Programs *programs, Call *call, const Module *source, const char *function,
                   const Case *input);
/* All that can be known without a fabric: the case is run on each. False where the first fails. */
bool programs_run(Programs *programs);
void programs_free(Programs *programs);

/* A program as a fabric has it. */
typedef struct {
  const Program *program;
  Module *graph;
  Dfg *dfg;
  bool fits, is_tried, is_expanded, is_paired;
  u64 least;   /* cycles at the least, if it fits */
  u64 promise; /* that, and more where much of the fabric is taken */
  u64 time;    /* cycles by the longest chain at the least; and that chain, where they are wanted */
  u32 chain;
  Mapping *mapping;
  u64 cycles; /* of the case on it; 0: it has no mapping, or does not end in time */
} Variant;

typedef struct {
  u32 n, mapped, coalesced;
  bool fits;       /* one of them */
  u64 least, time; /* of all that fit */
  u32 chain;
  LeastRoutes *routes; /* of the fabric */
  Variant at[MAX_PROGRAMS + MORE_PROGRAMS + MOST_COALESCED];
} Variants;

/* Counts each against a fabric, whose routes take so much. What there is to say of the first is
 * said. */
void variants_bound(Variants *variants, Programs *programs, const Adg *adg, LeastRoutes *routes);
/* Maps the first, and the few that promise more; the quickest, or NULL: the case ends within `most`
 * cycles on none. Again, what there is to say of the first is said. */
Variant *variants_map(Variants *variants, const Programs *programs, const Layout *layout,
                      const MapOptions *options, u64 most);
void variants_free(Variants *variants);

/* Searches where -O2 is asked for and there is a case; else the choice is none (its level is 0). Of
 * the fabrics, files or presets and NULL at the end, on the first that takes the loops as they are,
 * or the last. Its mapping goes to `found` (NULL: it is not wanted), which begins with none; the
 * caller frees it. An exit status: not EXIT_GOOD where one cannot be
 * read. */
int search_loops(Call *call, const Module *source, const char *function, const Case *input,
                 const char *const *fabrics, LoopChoice *choice, FoundMapping *found);
/* Where there is one. The choice has to outlive the lowering. */
void loop_choice_apply(const LoopChoice *choice, LowerOptions *options);
/* "2 copies of the loop at 9:3", "as -O1 makes them" */
void loop_choice_print(Context *ctx, const LoopChoice *choice, Buf *out);
/* The same, and ": 70,000 cycles instead of 133,157 (25 programs, 5 mapped)". */
void loop_choice_print_search(Context *ctx, const LoopChoice *choice, Buf *out);

#endif
