/* taps.c -- the histories of a kernel's run: see taps.h.
 *
 * A kernel reports a few hundred tokens of a result at a time, as an array of its C type. These are
 * the bytes that a history hashes (history.h), except for widths that fill no C type, so nothing is
 * unpacked. The address and the value of an access are tokens of two results, reported one after
 * the other, so an access keeps a pointer to the first until the second arrives.
 *
 * **Firings.** A kernel does not count them, but they follow from the tokens: an adder fired as
 * often as it emitted, a gate as often as it took a condition.
 *
 * Cost: linear in the bytes of the tokens.
 */
#include "native/taps.h"

/* One part of an access: its value or its address. */
typedef struct {
  TokenShape shape;
  const void *borrowed; /* its last tokens, until the other part arrives; else NULL */
} Part;

/* A load or store of the source. */
enum { VALUE, ADDRESS, PARTS };
typedef struct {
  u32 access; /* number, in RunResult.accesses */
  Part parts[PARTS];
} AccessLog;

/* The part of an access that a result's tokens go to. */
typedef struct Listener {
  AccessLog *log;
  u32 part;
  struct Listener *next;
} Listener;

/* The consumers of a result's tokens. */
typedef struct {
  u64 count;
  TokenShape shape;
  History *history; /* NULL: not wanted */
  Listener *listeners;
} Tap;

struct Taps {
  Arena *arena;
  Context *ctx;
  const Dfg *dfg;
  const uint32_t *same; /* loom_kernel_info.same */
  bool keep, all;       /* keep every token; every result is reported */
  RunResult *result;
  Tap *taps; /* by result */
  AccessLog *logs;
  u32 nlogs;
};

/* ---- accesses -------------------------------------------------------------------------------- */

/* Whether both parts have the bytes of a history. */
static bool is_plain(const History *h, const AccessLog *log) {
  const TokenShape value = log->parts[VALUE].shape, address = log->parts[ADDRESS].shape;
  return !h->keep && is_little_endian() && address.stride == address.bytes &&
         value.stride == value.bytes;
}

/* Adds n entries, whose parts are in two arrays. */
static void log_entries(Taps *k, const AccessLog *log, size_t n) {
  RunAccess *access = &k->result->accesses.at[log->access];
  const Part *value = &log->parts[VALUE], *address = &log->parts[ADDRESS];
  if (is_plain(&access->history, log)) {
    history_accesses(&access->history, address->borrowed, access->address_bytes, value->borrowed,
                     access->value_bytes, n);
    return;
  }
  for (size_t i = 0; i < n; i++)
    history_access(&access->history, element_get(address->borrowed, address->shape.stride, i),
                   access->address_bytes, element_get(value->borrowed, value->shape.stride, i),
                   access->value_bytes);
}

static void log_part(Taps *k, AccessLog *log, u32 part, const void *data, size_t n) {
  log->parts[part].borrowed = data;
  if (!log->parts[1 - part].borrowed) return;
  log_entries(k, log, n);
  log->parts[VALUE].borrowed = log->parts[ADDRESS].borrowed = NULL;
}

void taps_take(Taps *k, u32 result, const void *data, u32 n) {
  Tap *tap = &k->taps[result];
  tap->count += n;
  if (tap->history) history_tokens(tap->history, data, n, tap->shape.stride, tap->shape.bytes);
  for (const Listener *listener = tap->listeners; listener && n; listener = listener->next)
    log_part(k, listener->log, listener->part, data, n);
}

/* Of results that always have the same tokens, the kernel reports only one: moves the listeners of
 * the others there. */
static void join_taps(Taps *k) {
  const uint32_t *same = k->same;
  if (!same) return;
  for (u32 r = 0; r < k->dfg->nresults; r++) {
    if (same[r] == r) continue;
    Listener **last = &k->taps[same[r]].listeners;
    while (*last) last = &(*last)->next;
    *last = k->taps[r].listeners;
    k->taps[r].listeners = NULL;
  }
}

/* Copies count and history to those others. */
static void copy_taps(Taps *k) {
  const uint32_t *same = k->same;
  for (u32 r = 0; same && r < k->dfg->nresults; r++) {
    if (same[r] == r) continue;
    const Tap *from = &k->taps[same[r]];
    k->taps[r].count = from->count;
    if (from->history) history_copy(k->taps[r].history, from->history);
  }
}

/* Adds a part of an access as a listener to a result's tokens. */
static void listen(Taps *k, u32 result, AccessLog *log, u32 part) {
  Listener *listener = NEW(k->arena, Listener);
  *listener = (Listener){log, part, k->taps[result].listeners};
  k->taps[result].listeners = listener;
  log->parts[part].shape = k->taps[result].shape;
}

/* Logs the tokens of a memory's port in the history of the access that is wired to it. */
static void log_port(Taps *k, u32 memory, u32 port, u32 access_node) {
  const Dfg *dfg = k->dfg;
  const DfgMemory *m = &dfg->memories[memory];
  const DfgNode *node = &dfg->nodes[m->node], *user = &dfg->nodes[access_node];
  bool is_store = port < m->nstores;
  u32 load = port - m->nstores;     /* operands: data and address of stores, */
  u32 first = node->first_operand + /* then addresses of loads */
              (is_store ? 2 * port + 1 : 2 * m->nstores + load);
  AccessLog *log = &k->logs[k->nlogs++];
  log->access = user->access;
  listen(k, is_store ? dfg->edges[dfg->operands[first - 1]].result : node->first_result + load, log,
         VALUE);
  listen(k, dfg->edges[dfg->operands[first]].result, log, ADDRESS);
  run_access_describe(k->ctx, &k->result->accesses.at[user->access], is_store,
                      dfg->types[m->elem].ir, user->loc, k->keep);
}

/* A tap on each result, and a log for each access that is wired to a memory. */
static void open_taps(Taps *k, TokenTrace *trace) {
  const Dfg *dfg = k->dfg;
  k->taps = NEW_ARRAY(k->arena, Tap, dfg->nresults);
  k->logs = NEW_ARRAY(k->arena, AccessLog, dfg_nports(dfg));
  for (u32 r = 0; r < dfg->nresults; r++) {
    const DfgType *type = &dfg->types[dfg->results[r].type];
    k->taps[r].shape = token_shape(type->bits);
    if (trace && trace->results) k->taps[r].history = &trace->results[r];
  }
  for (u32 m = 0; k->result->observable && m < dfg->nmemories; m++)
    for (u32 p = 0; p < dfg->memories[m].nstores + dfg->memories[m].nloads; p++) {
      u32 user = dfg->ports[dfg->memories[m].first_port + p];
      if (user != DFG_NONE && dfg->nodes[user].access != DFG_NONE) log_port(k, m, p, user);
    }
}

/* ---- firings --------------------------------------------------------------------------------- */

/* The number of tokens on operand i of a node. */
static u64 arrived(const Taps *k, const DfgNode *node, u32 i) {
  return k->taps[k->dfg->edges[k->dfg->operands[node->first_operand + i]].result].count;
}

/* How often a node fired. Adds to *steps as RunResult.steps counts: both halves of loads, and
 * neither arguments nor the return. */
static u64 firings(Taps *k, const DfgNode *node, u64 *steps) {
  const Tap *out = &k->taps[node->first_result];
  u64 n = 0;
  switch ((FireClass)node->fire) {
  case FIRE_ARG: return node->nresults ? out[0].count : 0;
  case FIRE_RETURN:
    for (u32 i = 0; i < node->noperands; i++) n += arrived(k, node, i);
    return n;
  case FIRE_LOAD: *steps += out[0].count + out[1].count; return out[1].count;
  case FIRE_MEMORY:
  case FIRE_EXTMEMORY: {
    const DfgMemory *memory = &k->dfg->memories[node->memory];
    for (u32 i = 0; i < memory->nloads; i++) k->result->loads += out[i].count;
    for (u32 i = 0; i < memory->nstores; i++) k->result->stores += out[memory->nloads + i].count;
    for (u32 i = 0; i < memory->nloads; i++) n += out[i].count;
    for (u32 i = 0; i < memory->nstores; i++) n += out[memory->nloads + i].count;
    break;
  }
  case FIRE_COND_BR: n = out[0].count + out[1].count; break;
  case FIRE_GATE: n = arrived(k, node, 1); break;
  case FIRE_SINK: n = arrived(k, node, 0); break;
  case FIRE_BUFFER:
    n = out[0].count - (out[0].count < node->ninitials ? 0 : node->ninitials);
    break;
  case FIRE_SOURCE:
  case FIRE_NEVER:
  default: n = node->nresults ? out[0].count : 0;
  }
  *steps += n;
  return n;
}

static void count_firings(Taps *k, TokenTrace *trace) {
  const Dfg *dfg = k->dfg;
  for (u32 i = 0; i < dfg->nnodes; i++) {
    u64 n = firings(k, &dfg->nodes[i], &k->result->steps);
    if (trace) trace->firings[i] = n;
  }
  for (u32 r = 0; trace && r < dfg->nresults; r++) trace->tokens += k->taps[r].count;
}

/* ---- entry points ---------------------------------------------------------------------------- */

Taps *taps_open(Arena *arena, Context *ctx, const Dfg *dfg, const loom_kernel_info *info, bool keep,
                RunResult *result, TokenTrace *trace) {
  Taps *taps = NEW(arena, Taps);
  *taps = (Taps){.arena = arena,
                 .ctx = ctx,
                 .dfg = dfg,
                 .same = info->same,
                 .keep = keep,
                 .all = info->has_histories == 1,
                 .result = result};
  open_taps(taps, trace);
  join_taps(taps);
  return taps;
}

void taps_finish(Taps *taps, TokenTrace *trace) {
  copy_taps(taps);
  if (taps->all) count_firings(taps, trace);
}
