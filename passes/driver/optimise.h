/* optimise.h -- the programs of a kernel: the one of -O0 or -O1, or those among which -O2 searches.
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

/* Loops beyond MAX_CHOSEN are left as they are. The others bound the programs that are tried on a
 * fabric, see optimise.c. */
enum { MAX_CHOSEN = 16, MAX_PROGRAMS = 150, MORE_PROGRAMS = 50, MOST_COALESCED = 2 };

typedef struct {
  u32 level, choices;        /* as of LowerOptions */
  u32 n;                     /* loops, in textual order as `unroll` leaves them */
  u32 copies[MAX_CHOSEN];    /* of each; 0: it stays as it is */
  bool is_while[MAX_CHOSEN]; /* `copies` is how many iterations it tests at once */
  bool
      is_interleaved[MAX_CHOSEN]; /* `copies` is the number of slots its iterations take turns in */
  Loc at[MAX_CHOSEN];
  u64 before, cycles; /* of the case, with -O1 and with this choice; 0: it does not map */
  const char *fabric; /* that these are of; NULL: nothing was searched */
  u32 tried, mapped;  /* programs that were lowered, and of these mapped */
} LoopChoice;

/* A choice, lowered. */
typedef struct {
  LoopChoice choice;
  Module *module; /* NULL: it cannot be lowered, or does not do what the case expects */
  Dfg *dfg;
  EarliestRun run; /* its run of the case, if it is the only program; else empty */
  u64 *tokens;     /* by result of the graph: its tokens in the case; NULL: not yet counted */
} Program;

/* The programs of a kernel: one where nothing is searched; else that of -O1, the plain one of -O2
 * and the steps from it. Others are made once, when a fabric has room for them. */
typedef struct {
  Call *call;
  const Module *source;
  const char *function;
  const Case *input;
  LoopChoice loops; /* the loops, unchanged; its level is 0: there is nothing to choose */
  u32 ineffective;  /* choices that change nothing */
  u32 separate;     /* choices that are no steps of the search, but tried apart (variants_bound) */
  /* For loops that cannot be copied. Whiles may, once the ifs in them are gone. */
  bool fixed[MAX_CHOSEN];
  bool is_timed; /* bounds of times and chains are wanted, too */
  size_t n, room;
  Program **at;
  bool shows; /* on a terminal: how far the search is */
} Programs;

/* Makes the programs for the call's level of -O. The source is not changed, and must outlive them.
 * False after diagnostics where the first cannot be lowered; those of the others are dropped. */
bool programs_make(Programs *programs, Call *call, const Module *source, const char *function,
                   const Case *input);
/* Runs the case on each, which needs no fabric. False after diagnostics where the first fails. */
bool programs_run(Programs *programs);
void programs_free(Programs *programs);

/* A program, legalised for a fabric. */
typedef struct {
  const Program *program;
  Module *graph;
  Dfg *dfg;
  bool fits, is_tried, is_expanded, is_paired;
  u64 least;   /* cycles at the least, if it fits */
  u64 promise; /* an estimate: `least`, and more the fuller the fabric is */
  u64 time;    /* bounds of cycles times the longest chain, and of that chain, if wanted */
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

/* Adds variants for a fabric, whose least routes are `routes`, and bounds their cycles. Reports
 * only diagnostics of the first. */
void variants_bound(Variants *variants, Programs *programs, const Adg *adg, LeastRoutes *routes);
/* Maps the first and the few most promising. The quickest, or NULL: the case ends within `most`
 * cycles on none. Reports only diagnostics of the first. */
Variant *variants_map(Variants *variants, const Programs *programs, const Layout *layout,
                      const MapOptions *options, u64 most);
void variants_free(Variants *variants);

/* Searches at -O2, if there is a case; else makes no choice (level 0). The fabrics are files or
 * presets, NULL at the end; the search is on the first that the unchanged loops map onto, or the
 * last. The best mapping goes to `found` (NULL: not wanted), which must be empty; the caller frees
 * it. An exit status: not EXIT_GOOD where a fabric cannot be read. */
int search_loops(Call *call, const Module *source, const char *function, const Case *input,
                 const char *const *fabrics, LoopChoice *choice, FoundMapping *found);
/* Sets the options of a choice, if one was made. The choice must outlive the lowering. */
void loop_choice_apply(const LoopChoice *choice, LowerOptions *options);
/* "2 copies of the loop at 9:3", "as with -O1" */
void loop_choice_print(Context *ctx, const LoopChoice *choice, Buf *out);
/* The same, and ": 70,000 cycles instead of 133,157 (25 programs, 5 mapped)". */
void loop_choice_print_search(Context *ctx, const LoopChoice *choice, Buf *out);

#endif
