/* token_observe.c -- calls an observer for every firing and every token taken or emitted.
 *
 * Units usually fire in bursts, which do not tell which firing emitted which token. In an observed
 * run a unit fires once a visit. Then the tokens it emitted are those that its queues have beyond
 * the ones observed before:
 *
 *     visit addi      fired 4 -> 5, queue of %s: 4 -> 5       firing(9, addi), token(9, %s, 12)
 *     visit stream    starved: nothing                        (nothing)
 *     visit gate      fired 2 -> 3, took a false              firing(10, gate)
 *
 * Nodes on demand (sources, and nodes fed by nothing else) are never visited: their queues never
 * run dry. They are reported as firing just before one of their tokens is first taken, after those
 * that they take from themselves: a walk up the graph with a stack.
 *
 * The order of firings is that of the work list (token.c), so it is the same for the same graph and
 * case. Cost: a call per firing and token.
 */
#include "run/token_state.h"

static void stop(Sim *s) {
  s->status = RUN_LIMIT;
  s->stop = true;
}

static void announce_firing(Sim *s, u32 node) {
  const TokenObserver *o = s->more.observer;
  if (o->firing && !o->firing(o->user, s->time, node)) stop(s);
}

static void observe_token(Sim *s, const Queue *q, u64 token) {
  const TokenObserver *o = s->more.observer;
  u32 result = (u32)(q - s->queues), type = s->dfg->results[result].type;
  if (!o->token || s->stop) return;
  RunTokens scalars = {0};
  bool is_tuple = s->dfg->types[type].kind == TYPE_TUPLE;
  if (is_tuple) token_tuple_flatten(s, type, token, &scalars);
  const u64 *at = is_tuple ? scalars.tokens.at : &token;
  size_t n = is_tuple ? scalars.tokens.len : s->dfg->types[type].bits > 0;
  if (!o->token(o->user, s->time, result, at, n)) stop(s);
  vec_free(&scalars.tokens);
}

/* Reports the tokens that the last firing has taken. */
static void announce_takes(Sim *s, const Unit *u) {
  const TokenObserver *o = s->more.observer;
  for (u32 k = 0; o->take && k < u->nin; k++)
    for (u64 *taken = &s->taken[u->in[k].edge]; *taken < u->in[k].head && !s->stop; ++*taken)
      if (!o->take(o->user, s->time, u->in[k].edge)) stop(s);
}

static void announce_tokens(Sim *s, const Queue *q) {
  u64 *observed = &s->observed[q - s->queues];
  while (*observed < q->tail && !s->stop) observe_token(s, q, q->data[(*observed)++ & q->mask]);
}

/* ---- on demand ------------------------------------------------------------------------------- */

/* The unit that must fire before `u` can fire once more, or NULL. */
static Unit *awaited_producer(const Sim *s, const Unit *u) {
  for (u32 k = 0; k < u->nin; k++) {
    Unit *p = &s->units[u->in[k].queue->producer];
    if (p->fired <= u->fired) return p;
  }
  return NULL;
}

static void fire_on_demand(Sim *s, Unit *u) {
  announce_firing(s, u->node);
  for (u32 k = 0; k < u->nout; k++)
    if (token_is_endless(&u->out[k])) observe_token(s, &u->out[k], u->out[k].data[0]);
  u->fired++;
  s->time++;
}

/* Announces the firings of a unit on demand until it has fired `n` times. */
static void demand(Sim *s, Unit *u, u64 n) {
  Vec(Unit *) stack = {0};
  while (u->fired < n && !s->stop) {
    vec_push(&stack, u);
    while (stack.len && !s->stop) {
      Unit *up = awaited_producer(s, vec_last(&stack));
      if (up)
        vec_push(&stack, up);
      else
        fire_on_demand(s, vec_pop(&stack));
    }
  }
  vec_free(&stack);
}

/* ---- the rest -------------------------------------------------------------------------------- */

void token_observe_start(Sim *s) {
  s->observed = NEW_ARRAY(s->arena, u64, s->dfg->nresults);
  s->taken = NEW_ARRAY(s->arena, u64, s->dfg->nedges + (size_t)1);
  for (u32 r = 0; r < s->dfg->nresults; r++)
    if (!token_is_endless(&s->queues[r])) announce_tokens(s, &s->queues[r]);
}

void token_observe(Sim *s, Unit *u) {
  u64 before = u->fired;
  s->burst = 1;
  token_visit(s, u);
  if (u->fired == before) return;
  for (u32 k = 0; k < u->nin; k++) {
    const Input *in = &u->in[k];
    if (token_is_endless(in->queue)) demand(s, &s->units[in->queue->producer], in->head);
  }
  announce_firing(s, u->node);
  announce_takes(s, u);
  for (u32 k = 0; k < u->nout; k++) announce_tokens(s, &u->out[k]);
  if (u->action == DO_LOAD_PORT) announce_tokens(s, u->done);
  s->time++;
}
