/* token.h -- the token simulator: runs a frozen graph token by token.
 *
 * A graph is a Kahn process network: nodes fire when their rule allows, every edge is a FIFO, and
 * on a determinate graph every order of firing gives the same tokens on every edge. So this
 * engine is free to choose its order, and chooses one that is fast and keeps queues short
 * (see token.c).
 *
 * A run is
 *   finished    every output that is owed a token has it, and nothing can fire;
 *   clean       and then every queue is empty and every state machine in its first phase
 *               (RUN_FINISHED; finished but not clean is RUN_LEFTOVER, RT_DFG_LEFTOVER);
 *   deadlocked  nothing can fire, but outputs are owed (RUN_DEADLOCK, RT_DFG_DEADLOCK).
 *
 * Each output of a function is owed one token when all arguments were given single tokens; where
 * one was given a stream, none is owed and whatever arrives is reported.
 */
#ifndef LOOM_RUN_TOKEN_H
#define LOOM_RUN_TOKEN_H

#include "dfg/dfg.h"
#include "run/case.h"
#include "run/run.h"

/* Called for every firing, every token that it takes, and every token when it is emitted, in order
 * of time, which counts firings from 0. A node with parts that fire alone (a memory's ports, the
 * address and the data of a load, the operands of the return) fires with each of them. Tokens that
 * buffers start with come first, at time 0. A token is `n` scalars: one, or those of a tuple, or
 * none of a control token. Functions may be NULL; one that gives false stops the run (RUN_LIMIT,
 * without a word). */
typedef struct {
  void *user;
  bool (*firing)(void *user, u64 time, u32 node);
  bool (*take)(void *user, u64 time, u32 edge); /* not of what fires on demand */
  bool (*token)(void *user, u64 time, u32 result, const u64 *scalars, size_t n);
} TokenObserver;

/* What only this engine is asked. {0} is a good default. */
typedef struct {
  bool edges;        /* keep the history of every result: count and hash */
  bool keep;         /* and every token of it */
  u64 max_queued;    /* tokens waiting in all queues together; 0: TOKEN_MAX_QUEUED */
  u64 schedule_seed; /* 0: the usual order; else a random one, other for each seed. Determinate
                        graphs must not care; a race between memory accesses shows */
  const TokenObserver *observer; /* NULL: none, which costs nothing; else units fire once a time */
} TokenOptions;

#define TOKEN_MAX_QUEUED ((u64)1 << 26)

/* What only this engine answers. Start with {0}; token_trace_free it. */
typedef struct {
  u32 nresults, nnodes, nedges;
  History *results; /* where TokenOptions.edges: by result id, the tokens emitted. Each edge of a
                       result carries just these */
  u64 *firings;     /* by node id */
  u64 *peaks;       /* by edge id: the most tokens that ever waited there for the consumer */
  u64 tokens;       /* emitted on all results together */
} TokenTrace;

/* Runs `dfg` on a case (case_fits must be able to accept it: an argument's entry is a scalar, a
 * stream, or a memref; extents and control inputs need none; a case that has an entry for each of
 * these too is also accepted). Fills *result, which the caller frees whatever the status. Trouble
 * is reported in RT_ diagnostics at the ops concerned. */
RunStatus token_run(Context *ctx, const Dfg *dfg, const Case *c, const RunOptions *options,
                    RunResult *result);
/* The same, with more said on both sides; `more` and `trace` may be NULL. */
RunStatus token_run_traced(Context *ctx, const Dfg *dfg, const Case *c, const RunOptions *options,
                           const TokenOptions *more, RunResult *result, TokenTrace *trace);
void token_trace_free(TokenTrace *trace);

#endif
