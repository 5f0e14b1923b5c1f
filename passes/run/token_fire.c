/* token_fire.c -- the firing rules of the token simulator, and its work list.
 *
 * Each rule is one case of one switch. All have the same form: compute how often it can fire (the
 * tokens on its scarcest input, the room in its fullest output), do that many firings at once, and
 * note what stopped it:
 *
 *     DO_COND_BR       %t, %f = handshake.cond_br %c, %v
 *       c: 1 0 1 ...   v: 7 8 9          ──►   t: 7 9   f: 8        fired 3 times
 *                                              starved of c
 *
 * The dataflow machines (plugins/loom_firing.h), whose inputs depend on the tokens, fire one step
 * at a time, but also as often as they can. So one visit to a unit does a burst of firings, and in
 * a loop without a recurrence most of the work is in the short inner loops below.
 *
 * What stopped a unit decides where it waits. *Starved* of an input: it watches that input, and
 * only that: tokens on its other inputs do not wake it (the idea of watched literals in SAT
 * solvers). *Full*: it waits until the readers of that queue have made room. Otherwise its burst is
 * over and it goes to the end of the work list.
 *
 * Pure ops call their EvalOp. The few that are in every address computation have a case of their
 * own here; spec-tests and random programs compare them with eval.c. */
#include "../plugins/loom_firing.h"
#include "dfg/stream.h"
#include "run/token_state.h"
#include "run/trap.h"

/* Functions that are inlined so that loops over inputs and outputs disappear where the caller's
 * number of them is a constant; compilers do not inline them by themselves. */
#if defined(__GNUC__)
#define INLINE   __attribute__((always_inline)) static inline
#define NOINLINE __attribute__((noinline))
#else
#define INLINE static inline
#define NOINLINE
#endif

/* ---- waiting and waking ---------------------------------------------------------------------- */

static inline void push_work(Sim *s, u32 unit) {
  s->work[s->work_tail++ & s->work_mask] = unit;
}

/* Logs that tokens have arrived at a merge, so that it serves them in this order. */
static void log_arrival(Sim *s, Unit *merge, const Input *in) {
  u32 operand = (u32)(in - merge->in);
  u64 n = in->queue->tail - merge->seen[operand];
  if (n == 0) return;
  merge->seen[operand] += n;
  if (merge->arrived - merge->served > merge->arrivals_mask) {
    u64 old = merge->arrivals_mask + 1, cap = old * 2;
    Arrival *arrivals = mem_alloc(mem_size(cap, sizeof *arrivals));
    for (u64 i = merge->served; i != merge->arrived; i++)
      arrivals[i & (cap - 1)] = merge->arrivals[i & (old - 1)];
    mem_free(merge->arrivals);
    merge->arrivals = arrivals;
    merge->arrivals_mask = cap - 1;
  }
  merge->arrivals[merge->arrived++ & merge->arrivals_mask] = (Arrival){operand, n};
  if (merge->is_queued) return;
  merge->is_queued = true;
  push_work(s, in->unit);
}

/* Wakes the units that wait for a token in this queue. */
static void wake(Sim *s, Queue *q) {
  q->watchers = 0;
  for (u32 i = 0; i < q->ninputs; i++) {
    Input *in = q->inputs[i];
    if (!in->watched) continue;
    if (in->is_merge) {
      q->watchers++;
      log_arrival(s, &s->units[in->unit], in);
    } else {
      in->watched = false;
      push_work(s, in->unit);
    }
  }
}

static inline void watch(Input *in) {
  in->watched = true;
  in->queue->watchers++;
}

static void wait_for_room(Sim *s, Queue *q) {
  q->is_blocked = true;
  if (q->is_listed) return;
  q->is_listed = true;
  vec_push(&s->full, q);
}

/* Resumes the unit that waits for room in `q`, once the work list is empty. */
static inline void made_room(Sim *s, Queue *q) {
  if (!q->is_blocked) return;
  q->is_blocked = false;
  vec_push(&s->resumed, q->producer);
}

/* ---- a burst --------------------------------------------------------------------------------- */

typedef struct {
  u64 n;          /* times it can fire */
  Input *starved; /* the input that has no more tokens than that, */
  Queue *full;    /* or the queue that has no more room; both NULL: neither limits it */
} Burst;

/* Limits the burst by one token of `in` per firing. */
static inline void need(Burst *b, Input *in) {
  u64 waiting = token_waiting(in);
  if (waiting > in->peak) in->peak = waiting;
  if (waiting < b->n) {
    b->n = waiting;
    b->starved = in;
  }
}

/* Limits it by room for one token in `q` per firing. Called after need(): a starved unit needs no
 * room. */
static inline void room(Sim *s, Burst *b, Queue *q) {
  if (q->limit - q->tail >= b->n) return;
  u64 free_slots = token_make_room(s, q) - q->tail;
  if (free_slots >= b->n) return;
  b->n = free_slots;
  b->starved = NULL;
  b->full = q;
}

static inline bool has_token(Burst *b, Input *in) {
  u64 waiting = token_waiting(in);
  if (waiting > in->peak) in->peak = waiting;
  if (waiting) return true;
  b->starved = in;
  return false;
}

static inline bool has_room(Sim *s, Burst *b, Queue *q) {
  if (q->limit != q->tail || token_make_room(s, q) != q->tail) return true;
  b->full = q;
  return false;
}

static inline u64 peek(const Input *in, u64 i) {
  const Queue *q = in->queue;
  return q->data[(in->head + i) & q->mask];
}

static inline void take(Sim *s, Input *in, u64 n) {
  in->head += n;
  made_room(s, in->queue);
}

static inline void put(Queue *q, u64 i, u64 token) {
  q->data[(q->tail + i) & q->mask] = token;
}

INLINE void emit(Sim *s, Queue *q, u64 n) {
  q->tail += n;
  if (q->watchers && n) wake(s, q);
}

void token_emit(Sim *s, Queue *q, u64 n) {
  emit(s, q, n);
}

static inline u64 take_one(Sim *s, Input *in) {
  u64 token = peek(in, 0);
  take(s, in, 1);
  return token;
}

static inline void emit_one(Sim *s, Queue *q, u64 token) {
  put(q, 0, token);
  emit(s, q, 1);
}

/* ---- dataflow machines ----------------------------------------------------------------------- */

/* Token i of an argument. One of two words becomes a tuple. */
static u64 argument_token(Sim *s, const Unit *u, u64 i) {
  if (!u->words) return u->tokens[i];
  u64 tuple = token_tuple_new(s, u->words);
  memcpy(s->tuples.words + tuple, u->tokens + i * u->words, u->words * sizeof(u64));
  return tuple;
}

/* Computes the next value of a stream that goes on; false after a trap. */
static bool step_stream(Sim *s, Unit *u, u64 done) {
  u64 value = u->value;
  if (u->step == 0) {
    token_trap(s, u, done + 1, u->node, RT_DATAFLOW_STREAM_ZERO_STEP, TRAP_STEP,
               (long long)eval_signed(value, u->width), (long long)eval_signed(u->bound, u->width));
    return false;
  }
  EvalStatus status = stream_step((DfgStepOp)u->step_op, u->width, value, u->step, &u->value);
  if (status == EVAL_OVERFLOW)
    token_trap(s, u, done + 1, u->node, RT_DIVIDE_OVERFLOW,
               "%lld /= -1 does not fit an index of %u bits",
               (long long)eval_signed(value, u->width), u->width);
  else if (status == EVAL_POISON && s->options->strict)
    token_trap(s, u, done + 1, u->node, RT_POISON, "the index is shifted by its width or more");
  else
    return true;
  return false;
}

INLINE bool goes_on(const Unit *u, u64 value, u64 bound) {
  return stream_test((DfgContCond)u->cont_cond, u->width, value, bound);
}

/* Stores the operands of a machine that begins a burst: all of a stream, the value of an invariant.
 */
INLINE void keep_operands(Unit *u, unsigned machine) {
  u->value = peek(u->in + (machine != LOOM_STREAM), 0);
  if (machine != LOOM_STREAM) return;
  u->step = peek(u->in + 1, 0);
  u->bound = peek(u->in + 2, 0);
}

INLINE u64 given(const Unit *u, enum loom_given what, unsigned bit) {
  if (what == LOOM_NO) return 0;
  if (what == LOOM_BIT) return bit;
  return what == LOOM_KEPT ? u->value : peek(u->in + what - LOOM_OP0, 0);
}

/* Applies one rule of loom_firing.h, given by constant arguments; false where it is starved or
 * full. The deciding operand has a token (decide). */
INLINE bool apply(Sim *s, Unit *u, Burst *b, unsigned machine, unsigned state, unsigned bit,
                  unsigned takes, enum loom_given first, enum loom_given second, unsigned next) {
  unsigned decider = loom_deciders[machine][state];
  if (takes & 1 && decider != 0 && !has_token(b, u->in)) return false;
  if (takes & 2 && decider != 1 && !has_token(b, u->in + 1)) return false;
  if (takes & 4 && decider != 2 && !has_token(b, u->in + 2)) return false;
  if (first != LOOM_NO && !has_room(s, b, u->out)) return false;
  if (second != LOOM_NO && !has_room(s, b, u->out + 1)) return false;
  if (state == 0 && (machine == LOOM_STREAM || machine == LOOM_INVARIANT))
    keep_operands(u, machine);
  u64 value = given(u, first, bit), other = given(u, second, bit);
  if (takes & 1) take(s, u->in, 1);
  if (takes & 2) take(s, u->in + 1, 1);
  if (takes & 4) take(s, u->in + 2, 1);
  if (next != state) u->phase = (u8)next;
  if (first != LOOM_NO) emit_one(s, u->out, value);
  if (second != LOOM_NO) emit_one(s, u->out + 1, other);
  return true;
}

/* The bit that chooses the rule; false where there is no token for it. */
INLINE bool decide(Burst *b, Unit *u, unsigned machine, unsigned state, unsigned *bit) {
  unsigned decider = loom_deciders[machine][state];
  *bit = 0;
  if (decider == LOOM_NO_DECIDER) return true;
  if (decider != LOOM_TEST) {
    if (!has_token(b, u->in + decider)) return false;
    *bit = peek(u->in + decider, 0) & 1;
    return true;
  }
  if (state == 0 && (!has_token(b, u->in) || !has_token(b, u->in + 2))) return false;
  *bit = state ? goes_on(u, u->value, u->bound) : goes_on(u, peek(u->in, 0), peek(u->in + 2, 0));
  return true;
}

#define RULE(kind, state, is, takes, first, second, next)                                          \
  case 4 * LOOM_##kind + 2 * state + is:                                                           \
    fired = apply(s, u, b, LOOM_##kind, state, is, takes, LOOM_##first, LOOM_##second, next);      \
    counts = LOOM_##first != LOOM_NO || LOOM_##second != LOOM_NO || takes == 3;                    \
    break;

/* One step, if it can be made. A rule that takes a condition alone and gives nothing ends a burst:
 * in hardware it takes a cycle, but here it is not counted as a firing. */
INLINE bool step_machine(Sim *s, Unit *u, Burst *b, unsigned machine, unsigned state, u64 *n) {
  unsigned bit;
  bool fired = false, counts = false;
  if (!decide(b, u, machine, state, &bit)) return false;
  switch (4 * machine + 2 * state + bit) {
    LOOM_RULES(RULE)
  default: break;
  }
  if (fired && machine == LOOM_STREAM && u->phase)
    fired = step_stream(s, u, (*n)++);
  else
    *n += fired && counts;
  return fired;
}

/* Fires a machine as often as it can. The state is made a constant, too; a cond_br has none. */
#define MACHINE(name, kind)                                                                        \
  NOINLINE static void name(Sim *s, Unit *u, Burst *b) {                                           \
    u64 n = 0;                                                                                     \
    while (n < b->n &&                                                                             \
           (LOOM_##kind != LOOM_COND_BR && u->phase ? step_machine(s, u, b, LOOM_##kind, 1, &n)    \
                                                    : step_machine(s, u, b, LOOM_##kind, 0, &n)))  \
      continue;                                                                                    \
    u->fired += n;                                                                                 \
  }
MACHINE(fire_stream, STREAM)
MACHINE(fire_gate, GATE)
MACHINE(fire_carry, CARRY)
MACHINE(fire_invariant, INVARIANT)
MACHINE(fire_cond_br, COND_BR)

/* ---- routing --------------------------------------------------------------------------------- */

static void fire_mux(Sim *s, Unit *u, Burst *b) {
  Input *select = u->in;
  u64 n = 0;
  for (; n < b->n; n++) {
    if (!has_token(b, select)) break;
    u64 which = peek(select, 0);
    if (which >= u->nin - 1) {
      token_trap(s, u, n, u->node, RT_DFG_SELECT, TRAP_SELECT, (unsigned long long)which,
                 u->nin - 1);
      break;
    }
    Input *value = u->in + 1 + which;
    if (!has_token(b, value) || !has_room(s, b, u->out)) break;
    take(s, select, 1);
    emit_one(s, u->out, take_one(s, value));
  }
  u->fired += n;
}

/* Serves tokens in the order of arrival. A merge always watches all its inputs. */
static void fire_merge(Sim *s, Unit *u, Burst *b) {
  u64 n = 0;
  for (; n < b->n && u->served < u->arrived; n++) {
    u32 operand = u->arrivals[u->served & u->arrivals_mask].operand;
    bool gives_index = u->action == DO_CONTROL_MERGE;
    if (!has_room(s, b, u->out) || (gives_index && !has_room(s, b, u->out + 1))) break;
    if (--u->arrivals[u->served & u->arrivals_mask].n == 0) u->served++;
    has_token(b, u->in + operand); /* for the peak */
    emit_one(s, u->out, take_one(s, u->in + operand));
    if (gives_index) emit_one(s, u->out + 1, operand);
  }
  u->fired += n;
  s->steps += n;
}

/* ---- memories -------------------------------------------------------------------------------- */

/* Enlarges a memory of unknown size, with zeros, to include element `address`. Old copies stay in
 * the arena: together no larger than the memory, since its size doubles. */
static bool grow(Sim *s, Memory *memory, u64 address) {
  if (!memory->grows || address >= (u64)LAYOUT_MAX_ELEMENTS) return false;
  u64 elements = memory->elements ? memory->elements : 64;
  while (elements <= address) elements *= 2;
  void *data = arena_alloc(s->arena, mem_size((size_t)elements, memory->bytes));
  memcpy(data, memory->data, memory->elements * memory->bytes);
  memory->data = data;
  memory->elements = elements;
  return true;
}

/* The element at the address that a port's operands give; false after a trap. */
static inline bool port_address(Sim *s, const Unit *u, const Input *addresses, u32 naddresses,
                                u64 i, u64 *address) {
  const Memory *memory = u->memory;
  if (naddresses == 1) {
    *address = peek(addresses, i);
  } else {
    i64 at[LAYOUT_MAX_RANK];
    bool inside = true;
    for (u32 d = 0; d < naddresses; d++) {
      at[d] = (i64)peek(addresses + d, i);
      inside = inside && at[d] >= 0 && at[d] < memory->layout.sizes[d];
    }
    *address = inside ? (u64)layout_at(&memory->layout, at) : UINT64_MAX;
  }
  if (*address < memory->elements || grow(s, u->memory, *address)) return true;
  Buf text = {0};
  for (u32 d = 0; d < naddresses; d++)
    buf_printf(&text, "%s%lld", d ? ", " : "",
               (long long)eval_signed(peek(addresses + d, i),
                                      dfg_edge_type(s->dfg, addresses[d].edge)->bits));
  token_trap(s, u, i, u->access_node, RT_OUT_OF_BOUNDS, TRAP_BOUNDS,
             dfg_text(s->dfg, s->dfg->nodes[u->node].name), text.data,
             memory->grows ? "at most " : "",
             (unsigned long long)(memory->grows ? (u64)LAYOUT_MAX_ELEMENTS : memory->elements));
  buf_free(&text);
  return false;
}

static void observe(const Unit *u, u64 address, u64 value) {
  RunAccess *access = u->access;
  history_access(&access->history, address, access->address_bytes, value, access->value_bytes);
}

static void fire_load_port(Sim *s, Unit *u, Burst *b) {
  u64 n = 0;
  for (; n < b->n; n++) {
    u64 address;
    if (!port_address(s, u, u->in, u->nin, n, &address)) break;
    u64 value = element_get(u->memory->data, u->memory->bytes, address);
    put(u->out, n, value);
    put(u->done, n, 0);
    if (u->access) observe(u, address, value);
  }
  b->n = n;
  *u->touched += n;
}

static void fire_store_port(Sim *s, Unit *u, Burst *b) {
  u64 n = 0;
  for (; n < b->n; n++) {
    u64 address, value = peek(u->in, n);
    if (!port_address(s, u, u->in + 1, u->nin - 1, n, &address)) break;
    element_put(u->memory->data, u->memory->bytes, address, value);
    put(u->out, n, 0);
    if (u->access) observe(u, address, value);
  }
  b->n = n;
  *u->touched += n;
}

/* ---- pure ops -------------------------------------------------------------------------------- */

static void fire_eval(Sim *s, Unit *u, Burst *b, u32 noperands) {
  const EvalOp *eval = u->eval;
  u64 in[EVAL_MAX_OPERANDS] = {0}, out[EVAL_MAX_RESULTS] = {0};
  u64 n = 0;
  for (; n < b->n; n++) {
    for (u32 k = 0; k < noperands; k++) in[k] = peek(u->in + k, n);
    EvalStatus status = eval_run(eval, in, out);
    if (status != EVAL_OK && (status != EVAL_POISON || s->options->strict)) {
      token_eval_trap(s, u, n, status, in);
      break;
    }
    put(u->out, n, out[0]);
    if (u->nout > 1) put(u->out + 1, n, out[1]);
  }
  b->n = n;
}

/* The loop of a pure op with a case of its own; x and y are its operands. */
#define EACH(expression)                                                                           \
  do {                                                                                             \
    for (u64 i = 0; i < b.n; i++) {                                                                \
      u64 x = peek(u->in, i), y = u->nin > 1 ? peek(u->in + 1, i) : 0;                             \
      (void)x, (void)y;                                                                            \
      put(u->out, i, (expression));                                                                \
    }                                                                                              \
  } while (0)

#define SIGNED(x)      eval_signed(x, u->width)
#define RELATION(x, y) ((x) == (y) ? 0 : (x) > (y) ? 1 : 2)

/* ---- the plain rule -------------------------------------------------------------------------- */

/* A firing takes one token of every input, and gives one to every output. */
INLINE bool ready(Sim *s, Unit *u, Burst *b, u32 nin, u32 nout) {
  need(b, u->in);
  if (nin > 1) need(b, u->in + 1);
  for (u32 i = 2; i < nin; i++) need(b, u->in + i);
  if (nout > 0) room(s, b, u->out);
  for (u32 i = 1; i < nout; i++) room(s, b, u->out + i);
  return b->n != 0;
}

INLINE void done(Sim *s, Unit *u, const Burst *b, u32 nin, u32 nout) {
  u->fired += b->n;
  take(s, u->in, b->n);
  if (nin > 1) take(s, u->in + 1, b->n);
  for (u32 i = 2; i < nin; i++) take(s, u->in + i, b->n);
  if (nout > 0) emit(s, u->out, b->n);
  for (u32 i = 1; i < nout; i++) emit(s, u->out + i, b->n);
}

static inline void fire_store(Unit *u, const Burst *b, u32 naddresses) {
  for (u64 i = 0; i < b->n; i++) {
    put(u->out, i, peek(u->in + naddresses, i));
    for (u32 k = 0; k < naddresses; k++) put(u->out + 1 + k, i, peek(u->in + k, i));
  }
}

/* fork and sync: output k is input k, or the only input. */
static void fire_copies(Unit *u, const Burst *b) {
  for (u32 k = 0; k < u->nout; k++)
    for (u64 i = 0; i < b->n; i++) put(u->out + k, i, peek(u->in + (u->nin > 1 ? k : 0), i));
}

static void fire_pack(Sim *s, Unit *u, const Burst *b) {
  for (u64 i = 0; i < b->n; i++) {
    u64 tuple = token_tuple_new(s, u->nin);
    for (u32 k = 0; k < u->nin; k++) s->tuples.words[tuple + k] = peek(u->in + k, i);
    put(u->out, i, tuple);
  }
}

static void fire_unpack(Sim *s, Unit *u, const Burst *b) {
  for (u64 i = 0; i < b->n; i++)
    for (u32 k = 0; k < u->nout; k++) put(u->out + k, i, s->tuples.words[peek(u->in, i) + k]);
}

static void fire_return(Sim *s, Unit *u, Burst *b) {
  Input *in = u->in;
  if (token_is_endless(in->queue)) { /* as much as is owed, and never more */
    b->n = !u->fired;
    b->starved = in;
  }
  u->fired += b->n;
  if (u->tokens_at == DFG_NONE) { /* a control token has no value */
    take(s, in, b->n);
    return;
  }
  RunTokens *tokens = &s->result->results.at[u->tokens_at];
  u32 type = s->dfg->results[s->dfg->edges[in->edge].result].type;
  for (u64 i = 0; i < b->n; i++) {
    u64 token = peek(in, i);
    if (s->dfg->types[type].kind == TYPE_TUPLE)
      token_tuple_flatten(s, type, token, tokens);
    else
      vec_push(&tokens->tokens, token);
  }
  take(s, in, b->n);
}

/* ---- one visit ------------------------------------------------------------------------------- */

#define PLAIN(nin, nout, action)                                                                   \
  if (ready(s, u, &b, nin, nout)) {                                                                \
    action;                                                                                        \
    done(s, u, &b, nin, nout);                                                                     \
    s->steps += b.n;                                                                               \
  }                                                                                                \
  break

#define COUNTED(call)                                                                              \
  {                                                                                                \
    u64 before = u->fired;                                                                         \
    call;                                                                                          \
    s->steps += u->fired - before;                                                                 \
    break;                                                                                         \
  }

/* Fires a unit as often as it can, up to s->burst, and puts it where it waits then. */
void token_visit(Sim *s, Unit *u) {
  Burst b = {.n = s->burst};
  switch ((Action)u->action) {
  case DO_NOTHING: return;
  case DO_ARG:
    if (b.n > u->ntokens - u->fired) b.n = u->ntokens - u->fired;
    room(s, &b, u->out);
    for (u64 i = 0; i < b.n; i++) put(u->out, i, argument_token(s, u, u->fired + i));
    u->fired += b.n;
    emit(s, u->out, b.n);
    if (u->fired == u->ntokens) return;
    break;
  case DO_RETURN:
    need(&b, u->in);
    fire_return(s, u, &b);
    break;
  case DO_CONSTANT: PLAIN(1, 1, EACH(u->literal));
  case DO_COPY: PLAIN(1, 1, EACH(x));
  case DO_ADD: PLAIN(2, 1, EACH((x + y) & u->mask));
  case DO_SUB: PLAIN(2, 1, EACH((x - y) & u->mask));
  case DO_MUL: PLAIN(2, 1, EACH((x * y) & u->mask));
  case DO_AND: PLAIN(2, 1, EACH(x & y));
  case DO_OR: PLAIN(2, 1, EACH(x | y));
  case DO_XOR: PLAIN(2, 1, EACH(x ^ y));
  case DO_MASK: PLAIN(1, 1, EACH(x & u->mask));
  case DO_EXTEND: PLAIN(1, 1, EACH((u64)SIGNED(x) & u->mask));
  case DO_COMPARE_UNSIGNED: PLAIN(2, 1, EACH(u->relations >> RELATION(x, y) & 1));
  case DO_COMPARE_SIGNED: PLAIN(2, 1, EACH(u->relations >> RELATION(SIGNED(x), SIGNED(y)) & 1));
  case DO_SELECT: PLAIN(3, 1, EACH(x & 1 ? y : peek(u->in + 2, i)));
  case DO_EVAL_1: PLAIN(1, 1, fire_eval(s, u, &b, 1));
  case DO_EVAL_2: PLAIN(2, 1, fire_eval(s, u, &b, 2));
  case DO_EVAL_3: PLAIN(3, 1, fire_eval(s, u, &b, 3));
  case DO_EVAL_N: PLAIN(u->nin, u->nout, fire_eval(s, u, &b, u->nin));
  case DO_JOIN_2: PLAIN(2, 1, EACH(0));
  case DO_JOIN: PLAIN(u->nin, 1, EACH(0));
  case DO_SINK: PLAIN(1, 0, (void)0);
  case DO_FORK: PLAIN(1, u->nout, fire_copies(u, &b));
  case DO_SYNC: PLAIN(u->nin, u->nout, fire_copies(u, &b));
  case DO_PACK: PLAIN(u->nin, 1, fire_pack(s, u, &b));
  case DO_UNPACK: PLAIN(1, u->nout, fire_unpack(s, u, &b));
  case DO_LOAD: PLAIN(2, 1, EACH(x));
  case DO_LOAD_N: PLAIN(u->nin, u->nout, fire_copies(u, &b));
  case DO_STORE: PLAIN(3, 2, fire_store(u, &b, 1));
  case DO_STORE_N: PLAIN(u->nin, u->nout, fire_store(u, &b, u->nin - 2));
  case DO_STORE_PORT: PLAIN(u->nin, 1, fire_store_port(s, u, &b));
  case DO_LOAD_PORT:
    if (!ready(s, u, &b, u->nin, 1)) break;
    room(s, &b, u->done);
    fire_load_port(s, u, &b);
    done(s, u, &b, u->nin, 1);
    emit(s, u->done, b.n);
    s->steps += b.n;
    break;
  case DO_STREAM: COUNTED(fire_stream(s, u, &b));
  case DO_GATE: COUNTED(fire_gate(s, u, &b));
  case DO_CARRY: COUNTED(fire_carry(s, u, &b));
  case DO_INVARIANT: COUNTED(fire_invariant(s, u, &b));
  case DO_COND_BR: COUNTED(fire_cond_br(s, u, &b));
  case DO_MUX: COUNTED(fire_mux(s, u, &b));
  case DO_MERGE:
  case DO_CONTROL_MERGE:
    fire_merge(s, u, &b);
    u->is_queued = b.full || u->served != u->arrived;
    if (!u->is_queued) return; /* the next arrival queues it */
    break;
  }
  if (b.full)
    wait_for_room(s, b.full);
  else if (b.starved)
    watch(b.starved);
  else
    push_work(s, (u32)(u - s->units));
}

/* ---- the run --------------------------------------------------------------------------------- */

static u64 next_random(Sim *s) {
  u64 x = s->random; /* xorshift64 */
  x ^= x << 13, x ^= x >> 7, x ^= x << 17;
  return s->random = x;
}

/* Random schedule: chooses any unit of the work list to go next, and the length of its burst. */
static void shuffle_head(Sim *s) {
  u64 n = s->work_tail - s->work_head, i = s->work_head + next_random(s) % n;
  u32 *head = &s->work[s->work_head & s->work_mask], *other = &s->work[i & s->work_mask];
  u32 unit = *head;
  *head = *other;
  *other = unit;
  u64 random = next_random(s);
  s->burst = random & 1 ? 1 : 1 + (random >> 1) % 64;
}

/* Doubles every full queue with a waiting producer, when no unit can fire. False where there is
 * none, or at the limit. */
static bool grow_full_queues(Sim *s) {
  bool any = false;
  for (size_t i = 0; i < s->full.len; i++) {
    Queue *q = s->full.at[i];
    q->is_listed = false;
    if (!q->is_blocked) continue;
    if (!token_grow(s, q)) return false;
    q->is_blocked = false;
    push_work(s, q->producer);
    any = true;
  }
  vec_clear(&s->full);
  return any;
}

void token_fire(Sim *s) {
  do {
    for (;;) {
      while (s->work_head != s->work_tail) {
        if (s->random) shuffle_head(s);
        Unit *u = &s->units[s->work[s->work_head++ & s->work_mask]];
        if (s->more.observer)
          token_observe(s, u);
        else
          token_visit(s, u);
        if (s->stop || (s->steps >= s->check_at && !token_check_limits(s))) return;
      }
      if (!s->resumed.len) break;
      for (size_t i = 0; i < s->resumed.len; i++) push_work(s, s->resumed.at[i]);
      vec_clear(&s->resumed);
    }
  } while (grow_full_queues(s));
}
