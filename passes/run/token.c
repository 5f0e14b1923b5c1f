/* token.c -- the token simulator: runs a frozen graph token by token.
 *
 * The graph of one loop, and how it runs here:
 *
 *     %i, %more = dataflow.stream %0, %1, %n       visit stream: 64 firings, %i and %more are full
 *     %j, %go = dataflow.gate %i, %more            visit gate: 64 firings
 *     %x, %addr = handshake.load [%j] %m#0, %c     ...and so on down the graph, 64 at a time,
 *     %s = dataflow.carry %more, %0, %t            but the carry 1 at a time: %t needs %s
 *     %t = arith.addi %s, %x
 *
 * **The order of firing.** On a Kahn network any order is right, so the one chosen is fast and
 * keeps queues short. Units that may be able to fire are in a work list, first in first out. The
 * unit at its head fires as often as its inputs and the room in its outputs allow, and then waits
 * for exactly one thing: a token on one empty input (token_fire.c: *watching*), or room in one full
 * queue. So a unit is visited only when that has happened, and the work is proportional to firings,
 * whatever the size of the graph.
 *
 * **Room.** Queues are unbounded in theory. Here each is a ring of at most 64 tokens to begin with,
 * and a producer that finds it full waits until its readers have taken some *and* the work list is
 * empty: then it does a long burst again. When no unit can fire but some wait for room, the rings
 * they wait for double (Parks, "Bounded scheduling of process networks", 1995). So short queues
 * stay in the cache, a ring that grew is at most twice as long as the graph needs under this order,
 * and a graph that needs unbounded queues ends at a limit, with a message that names the queue.
 *
 * **Why it ends.** Every visit but the last to a unit is paid for by a token that came or left,
 * and tokens, time, and tokens waiting are all limited.
 *
 * **Merges.** A merge takes its tokens in the order in which the firings above put them on its
 * inputs. That order is always the same for the same graph and case, but may differ in another
 * engine; such a graph is not determinate (Dfg.is_determinate) and has no golden file.
 *
 * **Histories.** A result's tokens are written into one ring, read by all its users, so its history
 * is kept once, in blocks: the ring's contents are hashed whenever it is about to be overwritten.
 *
 * **Memories.** A memory is an array; its ports read and write it when they fire. Only tokens order
 * them. If a graph does not order two accesses that conflict, their order is that of the firings;
 * TokenOptions.schedule_seed gives another.
 *
 * Tried and rejected: one ring per edge (fan-out copies tokens and hashes them again); visiting in
 * topological order by a bitmap (bursts get no longer, and finding the next bit costs); waking a
 * unit at any token (half of all visits find another input empty).
 *
 * The parts: token_setup.c makes units and queues, token_fire.c has the firing rules and the work
 * list, token_tuple.c stores tuples, token_observe.c calls an observer, token_report.c reports how
 * the run ended. */
#include "run/token.h"

#include "run/token_state.h"
#include "run/trap.h"
#include "run/value.h"

/* ---- limits ---------------------------------------------------------------------------------- */

static bool limit_reached(Sim *s) {
  s->status = RUN_LIMIT;
  s->stop = true;
  return false;
}

bool token_check_limits(Sim *s) {
  enum { FIRINGS_BETWEEN_LOOKS = 1 << 16 };
  const RunOptions *o = s->options;
  if (o->max_steps && s->steps >= o->max_steps) {
    diag(s->ctx, s->dfg->loc, RT_LIMIT, "stopped after %llu firings", (unsigned long long)s->steps);
    return limit_reached(s);
  }
  if (o->max_seconds > 0 && seconds_now() - s->started > o->max_seconds) {
    diag(s->ctx, s->dfg->loc, RT_LIMIT, "stopped after %g seconds", o->max_seconds);
    return limit_reached(s);
  }
  if (s->tuples.used >= s->tuples.collect_at) token_tuple_collect(s);
  s->check_at = s->steps + FIRINGS_BETWEEN_LOOKS;
  if (o->max_steps && s->check_at > o->max_steps) s->check_at = o->max_steps;
  return true;
}

/* ---- queues ---------------------------------------------------------------------------------- */

/* The first token that a reader has not taken. */
static u64 first_wanted(const Queue *q) {
  u64 first = q->tail;
  for (u32 i = 0; i < q->ninputs; i++)
    if (q->inputs[i]->head < first) first = q->inputs[i]->head;
  return first;
}

static void add_to_history(Sim *s, History *h, const DfgType *type, const Queue *q, u64 from,
                           u64 n) {
  u32 id = (u32)(type - s->dfg->types);
  unsigned bytes = history_bytes(type->bits);
  for (u64 i = 0; i < n; i++) {
    u64 token = q->data[(from + i) & q->mask];
    if (type->kind == TYPE_TUPLE)
      token_tuple_history(s, h, id, token);
    else
      history_token(h, token, bytes);
  }
}

static void record(Sim *s, Queue *q) {
  const DfgResult *result = &s->dfg->results[q - s->queues];
  add_to_history(s, q->history, &s->dfg->types[result->type], q, q->recorded,
                 q->tail - q->recorded);
  q->recorded = q->tail;
}

u64 token_make_room(Sim *s, Queue *q) {
  if (q->history) record(s, q);
  return q->limit = first_wanted(q) + q->mask + 1;
}

bool token_grow(Sim *s, Queue *q) {
  u64 capacity = q->mask + 1, most = s->more.max_queued ? s->more.max_queued : TOKEN_MAX_QUEUED;
  if (s->room_used + capacity > most) {
    const DfgResult *result = &s->dfg->results[q - s->queues];
    diag(s->ctx, s->dfg->nodes[result->node].loc, RT_LIMIT,
         "stopped: %%%s has %llu tokens waiting, but all queues together are limited to %llu",
         dfg_text(s->dfg, result->name), (unsigned long long)capacity, (unsigned long long)most);
    return limit_reached(s);
  }
  if (q->history) record(s, q); /* tokens that all readers have taken are not copied */
  u64 *data = NEW_ARRAY(s->arena, u64, 2 * capacity), mask = 2 * capacity - 1;
  for (u64 i = first_wanted(q); i != q->tail; i++) data[i & mask] = q->data[i & q->mask];
  q->data = data;
  q->mask = mask;
  s->room_used += capacity;
  token_make_room(s, q);
  return true;
}

/* ---- traps ----------------------------------------------------------------------------------- */

static const char *ordinal_suffix(u64 n) {
  if (n % 100 / 10 == 1) return "th";
  return n % 10 == 1 ? "st" : n % 10 == 2 ? "nd" : n % 10 == 3 ? "rd" : "th";
}

void token_trap(Sim *s, const Unit *u, u64 done, u32 node, Code code, const char *format, ...) {
  va_list args;
  u64 nth = u->fired + done + 1;
  va_start(args, format);
  diag_args(s->ctx, s->dfg->nodes[node].loc, code, format, args);
  va_end(args);
  diag_note(s->ctx, LOC_NONE, "in the %llu%s firing of %%%s", (unsigned long long)nth,
            ordinal_suffix(nth), dfg_text(s->dfg, s->dfg->nodes[node].name));
  s->status = RUN_TRAP;
  s->stop = true;
}

void token_eval_trap(Sim *s, const Unit *u, u64 done, EvalStatus status, const u64 *in) {
  Buf operands = {0};
  for (u32 i = 0; i < u->nin; i++) {
    buf_str(&operands, i ? ", " : " of ");
    value_text(s->ctx, dfg_edge_type(s->dfg, u->in[i].edge)->ir, in[i], &operands);
  }
  const char *name = dfg_text(s->dfg, s->dfg->nodes[u->node].op);
  if (status == EVAL_POISON)
    token_trap(s, u, done, u->node, RT_POISON, "%s%s is poison", name, operands.data);
  else if (status == EVAL_DIV_ZERO)
    token_trap(s, u, done, u->node, RT_DIVIDE_BY_ZERO, TRAP_DIVIDE, name, operands.data);
  else
    token_trap(s, u, done, u->node, RT_DIVIDE_OVERFLOW, TRAP_OVERFLOW, name, operands.data);
  buf_free(&operands);
}

/* ---- results --------------------------------------------------------------------------------- */

/* Sets how often units on demand have fired: as often as the reader that took most. Consumers come
 * first, since a unit on demand takes from others. */
static void count_endless_firings(Sim *s) {
  for (size_t i = s->endless.len; i-- > 0;) {
    Unit *u = &s->units[s->endless.at[i]];
    for (u32 k = 0; k < u->nout; k++) {
      const Queue *q = &u->out[k];
      for (u32 r = 0; r < q->ninputs; r++)
        if (q->inputs[r]->head > u->fired) u->fired = q->inputs[r]->head;
    }
    for (u32 k = 0; k < u->nin; k++) u->in[k].head = u->fired;
  }
}

static u64 emitted(const Sim *s, const Queue *q) {
  return token_is_endless(q) ? s->units[q->producer].fired : q->tail;
}

static void take_memories(Sim *s) {
  const Dfg *dfg = s->dfg;
  for (u32 i = 0; i < dfg->nargs; i++) {
    const Memory *memory = &s->memories[i];
    if (dfg->args[i].role != DFG_ARG_MEMREF || !memory->entry) continue;
    vec_push(&s->result->memories, case_result(i, memory->entry, memory->array, &memory->layout));
  }
}

static void take_trace(Sim *s) {
  TokenTrace *trace = s->trace;
  const Dfg *dfg = s->dfg;
  for (u32 r = 0; r < dfg->nresults; r++) {
    Queue *q = &s->queues[r];
    trace->tokens += emitted(s, q);
    if (!q->history) continue;
    if (!token_is_endless(q)) {
      record(s, q);
      continue;
    }
    const DfgType *type = &dfg->types[dfg->results[r].type];
    for (u64 i = emitted(s, q); i > 0; i--) add_to_history(s, q->history, type, q, 0, 1);
  }
  for (u32 i = 0; i < s->nunits; i++) {
    const Unit *u = &s->units[i];
    bool is_second_half = dfg->nodes[u->node].fire == FIRE_LOAD && u->action == DO_COPY;
    if (!is_second_half) trace->firings[u->node] += u->fired;
    for (u32 k = 0; k < u->nin; k++) {
      const Input *in = &u->in[k];
      if (token_is_endless(in->queue)) continue; /* nothing ever waits there */
      trace->peaks[in->edge] = in->peak > token_waiting(in) ? in->peak : token_waiting(in);
    }
  }
}

/* ---- the run --------------------------------------------------------------------------------- */

enum { USUAL_BURST = 1 << 12 };

void token_trace_open(TokenTrace *trace, const Dfg *dfg, bool edges, bool keep) {
  *trace = (TokenTrace){.nresults = dfg->nresults, .nnodes = dfg->nnodes, .nedges = dfg->nedges};
  trace->firings = mem_alloc(mem_size((size_t)trace->nnodes + 1, sizeof(u64)));
  trace->peaks = mem_alloc(mem_size((size_t)trace->nedges + 1, sizeof(u64)));
  if (!edges) return;
  trace->results = mem_alloc(mem_size((size_t)trace->nresults + 1, sizeof *trace->results));
  for (u32 r = 0; r < trace->nresults; r++) trace->results[r].keep = keep;
}

RunStatus token_run_traced(Context *ctx, const Dfg *dfg, const Case *c, const RunOptions *options,
                           const TokenOptions *more, RunResult *result, TokenTrace *trace) {
  Sim s = {.ctx = ctx,
           .dfg = dfg,
           .c = c,
           .options = options,
           .result = result,
           .trace = trace,
           .arena = arena_new(),
           .tuples.collect_at = UINT64_MAX,
           .status = RUN_REFUSED};
  *result = (RunResult){0};
  if (more) s.more = *more;
  /* the state must not be 0; neighbouring seeds give distant states */
  if (s.more.schedule_seed) s.random = (s.more.schedule_seed * 0x9E3779B97F4A7C15u) | 1;
  if (trace) token_trace_open(trace, dfg, s.more.edges, s.more.keep);
  if (token_setup(&s)) {
    s.burst = USUAL_BURST;
    s.started = seconds_now();
    if (s.more.observer) token_observe_start(&s);
    if (!s.stop && token_check_limits(&s)) token_fire(&s);
    result->seconds = seconds_now() - s.started;
    count_endless_firings(&s);
    if (!s.stop) s.status = token_judge(&s);
    take_memories(&s);
    if (trace) take_trace(&s);
    result->steps = s.steps;
  }
  result->status = s.status;
  token_clear(&s);
  return result->status;
}

RunStatus token_run(Context *ctx, const Dfg *dfg, const Case *c, const RunOptions *options,
                    RunResult *result) {
  return token_run_traced(ctx, dfg, c, options, NULL, result, NULL);
}

void token_trace_free(TokenTrace *trace) {
  for (u32 r = 0; trace->results && r < trace->nresults; r++) history_free(&trace->results[r]);
  mem_free(trace->results);
  mem_free(trace->firings);
  mem_free(trace->peaks);
  *trace = (TokenTrace){0};
}
