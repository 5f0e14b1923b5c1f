/* lower.h -- from SCF to an explicit dataflow graph.
 *
 * The stages, in order (each in the file of its name; `--stop-after=STAGE` prints what it left):
 *
 *     inline      calls become their callees' bodies; source accesses get their numbers
 *     structure   execute_region, index_switch, parallel and copy become for and if
 *     simplify    constants fold, equal values merge, dead ones go, small ifs become selects
 *     raise       while loops that count become for loops
 *     views       every access becomes an element number in its root memory
 *     guard       a loop that may run zero times is wrapped in `if (lb < ub)`
 *     dataflow    regions become streams: stream, gate, carry, invariant, cond_br, mux
 *     memory      one ctrl-done network a root memory
 *     clean       equal nodes merge, nodes that nothing needs go
 *     prove       the three proofs (prove/prove.h)
 */
#ifndef LOOM_LOWER_H
#define LOOM_LOWER_H

#include "prove/prove.h"

typedef struct {
  const char *func;       /* lower only this function; NULL: all that have a body */
  bool serial;            /* --order=serial: never overlap iterations that touch a memory */
  const char *stop_after; /* a stage name; NULL: run all */
  /* NULL, or called with each function as a stage on SCF (inline to guard) left it. False ends
   * the lowering, after a diagnostic of its own. */
  bool (*after_stage)(void *user, const Op *func, const char *stage);
  void *user;
  ProofReport *report; /* NULL, or where the proof of the last function says what it found */
} LowerOptions;

/* Turns the func.func ops of a verified module into handshake.func ops, in place; private helper
 * functions disappear into their callers. Every lowered function is proved. False after
 * diagnostics (COMP_LOWER_..., COMP_PROOF_...): the module is then not to be used further. */
bool lower_module(Module *module, const LowerOptions *options);

/* Runs one of the stages that stand by themselves (inline, structure, simplify, raise, guard on
 * every func.func; clean on every handshake.func) on a verified module, in place. False after
 * diagnostics. `name` is one of lower_pass_names. */
bool lower_pass(Module *module, const char *name);
extern const char *const lower_pass_names[];
extern const size_t lower_pass_count;

/* The names that stop_after knows, in order. */
extern const char *const lower_stage_names[];
extern const size_t lower_stage_count;

#endif
