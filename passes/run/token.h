/* token.h -- the token simulator: runs a frozen graph token by token.
 *
 * A graph is a Kahn process network: nodes fire when their rule allows, every edge is a FIFO, and
 * on a determinate graph every order of firing gives the same tokens on every edge. So this
 * engine may choose any order, and chooses one that is fast and keeps queues short (see token.c).
 *
 * A run is
 *   finished    every output that is owed a token has it, and nothing can fire;
 *   clean       finished, every queue is empty and every state machine in its first phase
 *               (RUN_FINISHED; finished but not clean is RUN_LEFTOVER, RT_DFG_LEFTOVER);
 *   deadlocked  nothing can fire, but outputs are owed (RUN_DEADLOCK, RT_DFG_DEADLOCK).
 *
 * Each output of a function is owed one token when every argument has a single token; where one is
 * a stream, none is owed, and the results are the tokens that arrive.
 */
#ifndef LOOM_RUN_TOKEN_H
#define LOOM_RUN_TOKEN_H

#include "dfg/dfg.h"
#include "run/case.h"
#include "run/run.h"

/* Called for every firing, every token that it takes, and every token that it emits, in order of
 * time, which counts firings from 0. A node with parts that fire alone (a memory's ports, the
 * address and the data of a load, the operands of the return) fires with each of them. Tokens that
 * buffers start with come first, at time 0. A token is `n` scalars: one, those of a tuple, or none
 * for a control token. Functions may be NULL; one that returns false stops the run (RUN_LIMIT,
 * without a diagnostic). */
typedef struct {
  void *user;
  bool (*firing)(void *user, u64 time, u32 node);
  bool (*take)(void *user, u64 time, u32 edge); /* not for nodes that fire on demand */
  bool (*token)(void *user, u64 time, u32 result, const u64 *scalars, size_t n);
} TokenObserver;

/* Options of this engine alone. {0} is a good default. */
typedef struct {
  bool edges;        /* keep the history of every result: count and hash */
  bool keep;         /* and every token of it */
  u64 max_queued;    /* tokens waiting in all queues together; 0: TOKEN_MAX_QUEUED */
  u64 schedule_seed; /* 0: the usual order; else a random one, other for each seed. Determinate
                        graphs must not care; a race between memory accesses shows */
  const TokenObserver *observer; /* NULL: none; with one, units fire once a visit: slower */
} TokenOptions;

#define TOKEN_MAX_QUEUED ((u64)1 << 26)

/* The trace of a run, by this engine and, in part, by native_run. Start with {0}; free it with
 * token_trace_free. */
typedef struct {
  u32 nresults, nnodes, nedges;
  History *results; /* where TokenOptions.edges: by result id, the tokens emitted, which are those
                       of each of its edges */
  u64 *firings;     /* by node id */
  u64 *peaks;       /* by edge id: the most tokens that ever waited there for the consumer */
  u64 tokens;       /* emitted on all results together */
} TokenTrace;

/* Runs `dfg` on a case, whose entries are as for entries_read. Fills *result, which the caller
 * frees whatever the status. Failures are RT_ diagnostics at the ops concerned. */
RunStatus token_run(Context *ctx, const Dfg *dfg, const Case *c, const RunOptions *options,
                    RunResult *result);
/* The same with options and a trace; `more` and `trace` may be NULL. */
RunStatus token_run_traced(Context *ctx, const Dfg *dfg, const Case *c, const RunOptions *options,
                           const TokenOptions *more, RunResult *result, TokenTrace *trace);
/* Makes an empty trace for a graph; `edges`: with histories of results, which keep every token
 * where `keep`. */
void token_trace_open(TokenTrace *trace, const Dfg *dfg, bool edges, bool keep);
void token_trace_free(TokenTrace *trace);

#endif
