/* kernel.c -- runs a compiled kernel on a case, as the token simulator would have done.
 *
 *     Case ── entries ──► args, memories ─┐
 *                                         ├─ info->run ─► results, memories ──► RunResult
 *     histories ◄── taps ◄── tokens ──────┘
 *
 * A kernel works on C types: an i8 is a byte, an f32 four of them. Here the case's 64-bit elements
 * become such arrays and back, sizes are checked before they are allocated, and a memory stands in
 * its type's layout.
 *
 * **Histories.** The kernel hands over a few hundred tokens of a result at a time, as an array of
 * its C type. Their bytes are just what a history hashes (history.h) but for widths that fill no C
 * type, so nothing is unpacked. Each result has a *tap* that says what its tokens are for: its own
 * history, and the part it plays in the history of a memory access, whose entries are an address
 * and a value in turn. Loop code hands over both together; queue code does not, so an access keeps
 * what came until the other part is there.
 *
 * **Firings.** A kernel does not count them, but they follow from the tokens: an adder fired as
 * often as it emitted, a gate as often as it was given a condition.
 *
 * **Getting out.** A trap or an exhausted limit leaves the kernel by longjmp: it is C without
 * anything to clean up, and all its memory is ours.
 */
#include "host/native.h"
#include "sim/entries.h"

#include <setjmp.h>

enum { MOST_ADDRESSES = LAYOUT_MAX_RANK };

/* Bytes that queues and growing memories may take together. */
static const u64 most_grown = (u64)1 << 33;
/* Iterations between two looks at the clock. */
static const u64 usual_fuel = (u64)1 << 20;

/* An array of the C type of a token type. */
typedef struct {
  u8 stride; /* bytes of the C type: 0, 1, 2, 4, 8 */
  u8 bytes;  /* of them in a history */
} Shape;

/* The tokens of one part of an access that wait for the other parts. */
typedef struct {
  Shape shape;
  Buf waiting;
} Part;

/* A load or store of the source. */
typedef struct {
  u32 access;    /* number, in RunResult.accesses */
  u32 nparts;    /* its value, and then its addresses */
  Layout layout; /* several addresses: of the memory */
  Part *parts;
} AccessLog;

/* A part of an access that a result's tokens are. */
typedef struct Ear {
  AccessLog *log;
  u32 part;
  struct Ear *next;
} Ear;

/* What becomes of a result's tokens. */
typedef struct {
  u64 count;
  Shape shape;
  u32 type;
  bool is_tuple;
  History *history; /* NULL: nobody wants it */
  Ear *ears;
} Tap;

typedef struct {
  loom_kernel_run run;
  const loom_kernel_info *info;
  Context *ctx;
  const Dfg *dfg;
  const RunOptions *options;
  RunResult *result;
  Arena *arena;
  KernelEnd end;
  jmp_buf out;
  double started;
  u64 spent; /* of fuel, before what run.fuel says */
  ArgEntry *entries;
  Tap *taps; /* by result; NULL: no histories */
  AccessLog *logs;
  u32 nlogs;
  u32 *tokens_at; /* by output: which of RunResult.results, or DFG_NONE */
  Vec(void *) grown;
  u64 grown_bytes;
} Kernel;

/* ---- C types --------------------------------------------------------------------------------- */

static Shape shape_of(u32 bits) {
  unsigned bytes = history_bytes(bits), stride = 1;
  while (stride < bytes) stride *= 2;
  return (Shape){.stride = (u8)(bits ? stride : 0), .bytes = (u8)bytes};
}

static void put_element(void *data, u64 i, unsigned stride, u64 value) {
  switch (stride) {
  case 1: ((u8 *)data)[i] = (u8)value; break;
  case 2: ((u16 *)data)[i] = (u16)value; break;
  case 4: ((u32 *)data)[i] = (u32)value; break;
  default: ((u64 *)data)[i] = value;
  }
}

/* Words of a token on its way to us: 1, or a tuple's scalars. */
static u32 count_scalars(const Dfg *dfg, u32 type) {
  const DfgType *t = &dfg->types[type];
  if (t->kind != TYPE_TUPLE) return 1;
  u32 n = 0;
  for (u32 i = 0; i < t->nelems; i++) n += count_scalars(dfg, dfg->type_elems[t->first_elem + i]);
  return n;
}

/* ---- what the kernel calls ------------------------------------------------------------------- */

NORETURN static void on_trap(loom_kernel_run *run, uint32_t code, uint32_t node, uint64_t a,
                             uint64_t b) {
  Kernel *k = run->user;
  k->end = (KernelEnd){.status = RUN_TRAP, .trap = code, .node = node, .a = a, .b = b};
  longjmp(k->out, 1);
}

/* What one more chunk of fuel may be; 0: nothing is left of --max-tokens. */
static u64 next_fuel(const Kernel *k) {
  u64 most = k->options->max_steps;
  if (!most || most - k->spent > usual_fuel) return usual_fuel;
  return most - k->spent;
}

static uint64_t on_refuel(loom_kernel_run *run) {
  Kernel *k = run->user;
  const RunOptions *o = k->options;
  const char *what = k->info->has_queues ? "firings" : "loop iterations";
  u64 fuel = next_fuel(k);
  bool late = o->max_seconds > 0 && seconds_now() - k->started > o->max_seconds;
  if (fuel && !late) {
    k->spent += fuel;
    return fuel;
  }
  if (late)
    diag(k->ctx, k->dfg->loc, RT_LIMIT, "stopped after %g seconds", o->max_seconds);
  else
    diag(k->ctx, k->dfg->loc, RT_LIMIT, "stopped after %llu %s", (unsigned long long)k->spent,
         what);
  k->end = (KernelEnd){.status = RUN_LIMIT, .is_told = true};
  longjmp(k->out, 1);
}

static void *on_grow(loom_kernel_run *run, void *old, uint64_t bytes) {
  Kernel *k = run->user;
  if (bytes > most_grown - k->grown_bytes) return NULL;
  k->grown_bytes += bytes; /* what it was stays counted: sizes double */
  size_t i = k->grown.len;
  while (old && i > 0 && k->grown.at[i - 1] != old) i--;
  if (!old || i == 0) {
    vec_push(&k->grown, NULL);
    i = k->grown.len;
    old = NULL;
  }
  return k->grown.at[i - 1] = mem_realloc(old, bytes ? (size_t)bytes : 1);
}

static void on_output(loom_kernel_run *run, uint32_t output, const uint64_t *words, uint32_t n) {
  Kernel *k = run->user;
  if (k->tokens_at[output] == DFG_NONE) return;
  RunTokens *tokens = &k->result->results.at[k->tokens_at[output]];
  u64 scalars = count_scalars(k->dfg, k->dfg->outputs[output].type);
  for (u64 i = 0; i < n * scalars; i++) vec_push(&tokens->tokens, words[i]);
}

/* ---- histories ------------------------------------------------------------------------------- */

/* Writes n entries of an access, address and value in turn. Always inlined, so that each call has
 * copies of constant size. */
#if defined(__GNUC__)
__attribute__((always_inline))
#endif
static inline void
interleave(History *h, const u8 *addresses, unsigned na, const u8 *values, unsigned nv, size_t n) {
  u8 block[2048];
  const size_t most = sizeof block / (na + nv);
  while (n) {
    size_t m = n < most ? n : most;
    u8 *to = block;
    for (size_t i = 0; i < m; i++, to += na + nv) {
      memcpy(to, addresses + i * na, na);
      memcpy(to + na, values + i * nv, nv);
    }
    history_raw(h, block, m * (na + nv));
    addresses += m * na, values += m * nv, n -= m;
  }
}

static bool interleave_fast(History *h, const Part *address, const Part *value, size_t n) {
  const u8 *a = (const u8 *)address->waiting.data, *v = (const u8 *)value->waiting.data;
  if (h->keep || address->shape.stride != address->shape.bytes ||
      value->shape.stride != value->shape.bytes)
    return false;
  switch (address->shape.stride * 16 + value->shape.stride) {
  case 0x41: interleave(h, a, 4, v, 1, n); break;
  case 0x42: interleave(h, a, 4, v, 2, n); break;
  case 0x44: interleave(h, a, 4, v, 4, n); break;
  case 0x48: interleave(h, a, 4, v, 8, n); break;
  case 0x81: interleave(h, a, 8, v, 1, n); break;
  case 0x82: interleave(h, a, 8, v, 2, n); break;
  case 0x84: interleave(h, a, 8, v, 4, n); break;
  case 0x88: interleave(h, a, 8, v, 8, n); break;
  default: return false;
  }
  h->count += n;
  return true;
}

/* The number of the element that entry i's addresses name. */
static u64 log_address(const AccessLog *log, size_t i) {
  i64 at[MOST_ADDRESSES];
  for (u32 d = 0; d + 1 < log->nparts; d++) {
    const Part *part = &log->parts[d + 1];
    at[d] = (i64)history_element(part->waiting.data, i, part->shape.stride);
  }
  return log->nparts == 2 ? (u64)at[0] : (u64)layout_at(&log->layout, at);
}

/* Writes all entries whose parts have all come. */
static void log_flush(Kernel *k, AccessLog *log) {
  size_t n = SIZE_MAX;
  for (u32 p = 0; p < log->nparts; p++) {
    size_t waiting = log->parts[p].waiting.len / log->parts[p].shape.stride;
    if (waiting < n) n = waiting;
  }
  if (n == 0) return;
  RunAccess *access = &k->result->accesses.at[log->access];
  const Part *value = &log->parts[0];
  if (log->nparts != 2 || !interleave_fast(&access->history, &log->parts[1], value, n))
    for (size_t i = 0; i < n; i++)
      history_access(&access->history, log_address(log, i), access->address_bytes,
                     history_element(value->waiting.data, i, value->shape.stride),
                     access->value_bytes);
  for (u32 p = 0; p < log->nparts; p++) {
    Buf *waiting = &log->parts[p].waiting;
    size_t used = n * log->parts[p].shape.stride;
    waiting->len -= used;
    memmove(waiting->data, waiting->data + used, waiting->len);
  }
}

/* One tuple's scalars, inner ones in place; the word after them. */
static const u64 *tuple_pieces(const Dfg *dfg, History *h, u32 type, const u64 *words) {
  const DfgType *t = &dfg->types[type];
  if (t->kind != TYPE_TUPLE) {
    history_piece(h, *words, history_bytes(t->bits));
    return words + 1;
  }
  for (u32 i = 0; i < t->nelems; i++)
    words = tuple_pieces(dfg, h, dfg->type_elems[t->first_elem + i], words);
  return words;
}

static void on_tokens(loom_kernel_run *run, uint32_t result, const void *data, uint32_t n) {
  Kernel *k = run->user;
  Tap *tap = &k->taps[result];
  tap->count += n;
  if (tap->history && tap->is_tuple) {
    const u64 *words = data;
    for (u32 i = 0; i < n; i++) words = tuple_pieces(k->dfg, tap->history, tap->type, words);
    tap->history->count += n;
  } else if (tap->history) {
    history_tokens(tap->history, data, n, tap->shape.stride, tap->shape.bytes);
  }
  for (const Ear *ear = tap->ears; ear && n; ear = ear->next) {
    buf_put(&ear->log->parts[ear->part].waiting, data, (size_t)n * tap->shape.stride);
    log_flush(k, ear->log);
  }
}

/* The kernel hands over the tokens of one result for all that always have the same. */
static void join_taps(Kernel *k) {
  const uint32_t *same = k->info->same;
  if (!same) return;
  k->run.skip_same = 1;
  for (u32 r = 0; r < k->dfg->nresults; r++) {
    if (same[r] == r) continue;
    Ear **last = &k->taps[same[r]].ears;
    while (*last) last = &(*last)->next;
    *last = k->taps[r].ears;
    k->taps[r].ears = NULL;
  }
}

static void copy_taps(Kernel *k) {
  const uint32_t *same = k->info->same;
  for (u32 r = 0; same && r < k->dfg->nresults; r++) {
    if (same[r] == r) continue;
    const Tap *from = &k->taps[same[r]];
    k->taps[r].count = from->count;
    if (from->history) history_copy(k->taps[r].history, from->history);
  }
}

/* The tokens of `result` are a part of an access. */
static void listen(Kernel *k, u32 result, AccessLog *log, u32 part) {
  Ear *ear = NEW(k->arena, Ear);
  *ear = (Ear){log, part, k->taps[result].ears};
  k->taps[result].ears = ear;
  log->parts[part].shape = k->taps[result].shape;
}

/* What a port of a memory takes and gives is the history of the access that is wired to it. */
static void log_port(Kernel *k, u32 memory, u32 port, u32 access_node) {
  const Dfg *dfg = k->dfg;
  const DfgMemory *m = &dfg->memories[memory];
  const DfgNode *node = &dfg->nodes[m->node], *user = &dfg->nodes[access_node];
  bool is_store = port < m->nstores;
  u32 load = port - m->nstores, at = m->naddresses; /* operands: data and addresses of stores, */
  u32 first = node->first_operand +                 /* then addresses of loads */
              (is_store ? port * (at + 1) + 1 : m->nstores * (at + 1) + load * at);
  AccessLog *log = &k->logs[k->nlogs++];
  log->access = user->access;
  log->nparts = 1 + at;
  log->parts = NEW_ARRAY(k->arena, Part, log->nparts);
  if (m->arg != DFG_NONE)
    log->layout = k->entries[m->arg].layout;
  else if (!m->is_dynamic)
    entries_row_major(dfg, m, &log->layout);
  listen(k, is_store ? dfg->edges[dfg->operands[first - 1]].result : node->first_result + load, log,
         0);
  for (u32 i = 0; i < at; i++) listen(k, dfg->edges[dfg->operands[first + i]].result, log, i + 1);
  RunAccess *access = &k->result->accesses.at[user->access];
  access->present = true;
  access->is_store = is_store;
  access->address_bytes = (u8)history_bytes(k->ctx->index_width);
  access->value_bytes = (u8)history_bytes(dfg->types[m->elem].bits);
  access->type = dfg->types[m->elem].ir;
  access->loc = user->loc;
  access->history.keep = k->options->keep;
}

/* A tap on each result, and a log for each access that is wired to a memory. */
static void open_taps(Kernel *k, const NativeOptions *more, TokenTrace *trace) {
  const Dfg *dfg = k->dfg;
  k->taps = NEW_ARRAY(k->arena, Tap, dfg->nresults);
  u32 nports = 0;
  for (u32 m = 0; m < dfg->nmemories; m++)
    nports += dfg->memories[m].nstores + dfg->memories[m].nloads;
  k->logs = NEW_ARRAY(k->arena, AccessLog, nports);
  for (u32 r = 0; r < dfg->nresults; r++) {
    const DfgType *type = &dfg->types[dfg->results[r].type];
    k->taps[r] = (Tap){.type = dfg->results[r].type, .is_tuple = type->kind == TYPE_TUPLE};
    if (!k->taps[r].is_tuple) k->taps[r].shape = shape_of(type->bits);
    if (trace && more->edges) k->taps[r].history = &trace->results[r];
  }
  for (u32 m = 0; k->result->observable && m < dfg->nmemories; m++)
    for (u32 p = 0; p < dfg->memories[m].nstores + dfg->memories[m].nloads; p++) {
      u32 user = dfg->ports[dfg->memories[m].first_port + p];
      if (user != DFG_NONE && dfg->nodes[user].access != DFG_NONE) log_port(k, m, p, user);
    }
}

/* ---- firings --------------------------------------------------------------------------------- */

/* Tokens that came to operand i of a node. */
static u64 came(const Kernel *k, const DfgNode *node, u32 i) {
  return k->taps[k->dfg->edges[k->dfg->operands[node->first_operand + i]].result].count;
}

/* How often a node fired. *steps also counts the halves of loads, and neither arguments nor the
 * return (as RunResult.steps does). */
static u64 firings(Kernel *k, const DfgNode *node, u64 *steps) {
  const Tap *out = &k->taps[node->first_result];
  u64 n = 0;
  switch ((FireClass)node->fire) {
  case FIRE_ARG: return node->nresults ? out[0].count : 0;
  case FIRE_RETURN:
    for (u32 i = 0; i < node->noperands; i++) n += came(k, node, i);
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
  case FIRE_GATE: n = came(k, node, 1); break;
  case FIRE_SINK: n = came(k, node, 0); break;
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

static void count_firings(Kernel *k, TokenTrace *trace) {
  const Dfg *dfg = k->dfg;
  for (u32 i = 0; i < dfg->nnodes; i++) {
    u64 n = firings(k, &dfg->nodes[i], &k->result->steps);
    if (trace) trace->firings[i] = n;
  }
  for (u32 r = 0; trace && r < dfg->nresults; r++) trace->tokens += k->taps[r].count;
}

/* ---- memories -------------------------------------------------------------------------------- */

static void *new_elements(Kernel *k, u64 n, u32 type) {
  return arena_alloc(k->arena,
                     mem_size((size_t)(n ? n : 1), shape_of(k->dfg->types[type].bits).stride));
}

/* An argument's: what the case has, where the layout puts it. */
static void fill_argument(const ArgEntry *arg, unsigned stride, void *data) {
  if (layout_is_empty(&arg->layout)) return;
  i64 at[LAYOUT_MAX_RANK] = {0};
  const u64 *from = arg->entry->data;
  do put_element(data, (u64)layout_at(&arg->layout, at), stride, *from++);
  while (layout_next(&arg->layout, at));
}

static bool make_memories(Kernel *k) {
  const Dfg *dfg = k->dfg;
  k->run.memories = NEW_ARRAY(k->arena, loom_kernel_memory, dfg->nmemories);
  for (u32 i = 0; i < dfg->nmemories; i++) {
    const DfgMemory *decl = &dfg->memories[i];
    loom_kernel_memory *memory = &k->run.memories[i];
    unsigned stride = shape_of(dfg->types[decl->elem].bits).stride;
    if (!entries_memory_fits(k->ctx, dfg, i)) return false;
    if (decl->arg != DFG_NONE) {
      const ArgEntry *arg = &k->entries[decl->arg];
      memory->elements = (u64)arg->layout.elements;
      memory->data = new_elements(k, memory->elements, decl->elem);
      fill_argument(arg, stride, memory->data);
    } else if (!decl->is_dynamic) {
      memory->elements = decl->elements;
      memory->data = new_elements(k, memory->elements, decl->elem);
      for (u64 e = 0; decl->ninitials && e < decl->elements; e++)
        put_element(memory->data, e, stride, entries_initial(dfg, decl, e));
    }
  }
  return true;
}

/* The final contents of each memref argument. One without a memory was never touched. */
static void take_memories(Kernel *k) {
  const Dfg *dfg = k->dfg;
  for (u32 i = 0; i < dfg->nargs; i++) {
    if (dfg->args[i].role != DFG_ARG_MEMREF) continue;
    const ArgEntry *arg = &k->entries[i];
    const CaseArg *entry = arg->entry;
    RunMemory out = {
        .arg = i, .elem = entry->type, .rank = entry->rank, .shape = entry->shape, .n = entry->n};
    out.data = mem_alloc(mem_size(entry->n ? entry->n : 1, sizeof(u64)));
    u32 m = 0;
    while (m < dfg->nmemories && dfg->memories[m].arg != i) m++;
    if (m == dfg->nmemories && entry->n) {
      memcpy(out.data, entry->data, entry->n * sizeof(u64));
    } else if (entry->n) {
      unsigned stride = shape_of(dfg->types[dfg->memories[m].elem].bits).stride;
      i64 at[LAYOUT_MAX_RANK] = {0};
      u64 *to = out.data;
      do *to++ = history_element(k->run.memories[m].data, (u64)layout_at(&arg->layout, at), stride);
      while (layout_next(&arg->layout, at));
    }
    vec_push(&k->result->memories, out);
  }
}

/* ---- arguments and results ------------------------------------------------------------------- */

static void make_arguments(Kernel *k) {
  const Dfg *dfg = k->dfg;
  u64 *args = NEW_ARRAY(k->arena, u64, dfg->nargs);
  u64 *counts = NEW_ARRAY(k->arena, u64, dfg->nargs);
  const uint64_t **tokens = NEW_ARRAY(k->arena, const uint64_t *, dfg->nargs);
  bool streams = false;
  for (u32 i = 0; i < dfg->nargs; i++) {
    const ArgEntry *arg = &k->entries[i];
    if (dfg->args[i].role == DFG_ARG_MEMREF) continue;
    if (arg->ntokens) args[i] = arg->tokens[0];
    if (!arg->is_stream) continue;
    streams = true;
    tokens[i] = arg->tokens ? arg->tokens : args; /* an empty stream is no NULL */
    counts[i] = arg->ntokens;
  }
  k->run.args = args;
  if (!streams) return;
  k->run.arg_tokens = tokens;
  k->run.arg_counts = counts;
}

static void make_results(Kernel *k) {
  const Dfg *dfg = k->dfg;
  k->run.results = NEW_ARRAY(k->arena, u64, dfg->noutputs);
  k->run.result_counts = NEW_ARRAY(k->arena, u64, dfg->noutputs);
  k->tokens_at = NEW_ARRAY(k->arena, u32, dfg->noutputs);
  for (u32 i = 0; i < dfg->noutputs; i++) {
    const Type *type = dfg->types[dfg->outputs[i].type].ir;
    k->tokens_at[i] = DFG_NONE;
    if (type->kind == TYPE_NONE) continue;
    k->tokens_at[i] = (u32)k->result->results.len;
    vec_push(&k->result->results, ((RunTokens){.type = type}));
  }
}

/* Loop code gives each output one token and says nothing on the way. */
static void take_results(Kernel *k) {
  for (u32 i = 0; i < k->dfg->noutputs; i++)
    if (k->tokens_at[i] != DFG_NONE && k->run.result_counts[i])
      vec_push(&k->result->results.at[k->tokens_at[i]].tokens, k->run.results[i]);
}

/* ---- the run --------------------------------------------------------------------------------- */

static void check_kernel(const Kernel *k) {
  const loom_kernel_info *info = k->info;
  const Dfg *dfg = k->dfg;
  if (info->abi != LOOM_KERNEL_ABI || info->args != dfg->nargs || info->outputs != dfg->noutputs ||
      info->memories != dfg->nmemories || info->results != dfg->nresults)
    loom_bug("a kernel that was made of another graph");
}

static RunStatus status_of(const Kernel *k, int said) {
  switch (said) {
  case LOOM_KERNEL_FINISHED: return RUN_FINISHED;
  case LOOM_KERNEL_LEFTOVER: return RUN_LEFTOVER;
  case LOOM_KERNEL_DEADLOCK: return RUN_DEADLOCK;
  case LOOM_KERNEL_FULL: return RUN_LIMIT;
  case LOOM_KERNEL_ENDLESS: return RUN_REFUSED;
  case LOOM_KERNEL_REFUSED:
    if (k->grown_bytes) return RUN_LIMIT; /* it asked for more than it may have */
    break;
  default: break;
  }
  loom_bug("a kernel came back with %d", said);
}

/* Calls the kernel. What a longjmp may come back to is kept out of this frame. */
static void call_kernel(Kernel *k) {
  if (setjmp(k->out)) return;
  int said = k->info->run(&k->run);
  k->end.status = status_of(k, said);
}

static bool set_up(Kernel *k, const Case *c, const NativeOptions *more, TokenTrace *trace) {
  const Dfg *dfg = k->dfg;
  k->entries = NEW_ARRAY(k->arena, ArgEntry, dfg->nargs);
  if (!entries_read(k->ctx, dfg, c, k->arena, k->entries)) return false;
  if (!make_memories(k)) return false;
  make_arguments(k);
  make_results(k);
  if (!k->info->has_histories) return true;
  if (k->options->histories && dfg->naccesses) {
    k->result->observable = true;
    run_access(k->result, dfg->naccesses - 1);
  }
  open_taps(k, more, trace);
  join_taps(k);
  return true;
}

static void open_trace(const Kernel *k, const NativeOptions *more, TokenTrace *trace) {
  const Dfg *dfg = k->dfg;
  *trace = (TokenTrace){.nresults = dfg->nresults, .nnodes = dfg->nnodes, .nedges = dfg->nedges};
  trace->firings = mem_alloc(mem_size((size_t)trace->nnodes + 1, sizeof(u64)));
  trace->peaks = mem_alloc(mem_size((size_t)trace->nedges + 1, sizeof(u64)));
  if (!more->edges || !k->info->has_histories) return;
  trace->results = mem_alloc(mem_size((size_t)trace->nresults + 1, sizeof *trace->results));
  for (u32 r = 0; r < trace->nresults; r++) trace->results[r].keep = more->keep;
}

static void clear(Kernel *k) {
  for (u32 i = 0; i < k->nlogs; i++)
    for (u32 p = 0; p < k->logs[i].nparts; p++) buf_free(&k->logs[i].parts[p].waiting);
  for (size_t i = 0; i < k->grown.len; i++) mem_free(k->grown.at[i]);
  vec_free(&k->grown);
  arena_free(k->arena);
}

KernelEnd kernel_run(Context *ctx, const Dfg *dfg, const loom_kernel_info *info, const Case *c,
                     const RunOptions *options, const NativeOptions *more, RunResult *result,
                     TokenTrace *trace) {
  static const NativeOptions nothing;
  Kernel k = {.info = info,
              .ctx = ctx,
              .dfg = dfg,
              .options = options,
              .result = result,
              .arena = arena_new(),
              .end = {.status = RUN_REFUSED, .is_told = true}};
  if (!more) more = &nothing;
  check_kernel(&k);
  *result = (RunResult){0};
  if (trace) open_trace(&k, more, trace);
  if (set_up(&k, c, more, trace)) {
    k.end = (KernelEnd){0};
    k.run.abi = LOOM_KERNEL_ABI;
    k.run.user = &k;
    k.run.trap = on_trap;
    k.run.tokens = on_tokens;
    k.run.refuel = on_refuel;
    k.run.grow = on_grow;
    k.run.output = on_output;
    k.run.max_queued = TOKEN_MAX_QUEUED;
    k.run.fuel = k.spent = next_fuel(&k);
    k.started = seconds_now();
    call_kernel(&k);
    result->seconds = seconds_now() - k.started;
    if (!info->has_queues && k.end.status == RUN_FINISHED) take_results(&k);
    take_memories(&k);
    if (k.taps) {
      copy_taps(&k);
      if (info->has_histories == 1) count_firings(&k, trace);
    }
  }
  clear(&k);
  result->status = k.end.status;
  return k.end;
}
