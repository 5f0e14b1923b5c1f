/* token_tuple.c -- tuples as tokens.
 *
 * A token is 64 bits, so the token of a tuple is the place of its elements in one growing array:
 *
 *     pack %a, %b : tuple<i32, f32>      words: ... | 7 | 0x3f800000 | ...      token: 12
 *                                                    12    13
 *
 * Tokens are copied and dropped freely, without reference counts. When the array has doubled since
 * the last collection, the tuples that are in queues are copied to a new array (a copying
 * collector: amortised constant time per element). Beside queues only invariants hold tuples; a
 * tagged value of two words is one, too. */
#include "run/token_state.h"

enum { FIRST_COLLECTION = 1 << 16 };

u64 token_tuple_new(Sim *s, u32 n) {
  Tuples *t = &s->tuples;
  if (t->collect_at == UINT64_MAX) t->collect_at = FIRST_COLLECTION;
  if (t->used + n > t->cap) {
    u64 cap = t->cap ? t->cap * 2 : 1024;
    while (cap < t->used + n) cap *= 2;
    t->words = mem_realloc(t->words, mem_size(cap, sizeof *t->words));
    t->cap = cap;
  }
  u64 tuple = t->used;
  t->used += n;
  return tuple;
}

/* Moves a tuple out of the old array, with the tuples in it. Nesting of types is bounded. */
static u64 move(Sim *s, const u64 *old, u32 type_id, u64 tuple) {
  const DfgType *type = &s->dfg->types[type_id];
  u64 copy = token_tuple_new(s, type->nelems);
  for (u32 i = 0; i < type->nelems; i++) {
    u32 elem = s->dfg->type_elems[type->first_elem + i];
    u64 token = old[tuple + i];
    if (s->dfg->types[elem].kind == TYPE_TUPLE) token = move(s, old, elem, token);
    s->tuples.words[copy + i] = token;
  }
  return copy;
}

static bool is_tuple(const Sim *s, u32 result) {
  return s->dfg->types[s->dfg->results[result].type].kind == TYPE_TUPLE;
}

/* The type of a unit's first result. */
static u32 type_of_output(const Sim *s, u32 unit) {
  return s->dfg->results[s->units[unit].out - s->queues].type;
}

static bool is_tuple_unit(const Sim *s, u32 unit) {
  return s->dfg->types[type_of_output(s, unit)].kind == TYPE_TUPLE;
}

void token_tuple_collect(Sim *s) {
  const u32 n = s->dfg->nresults;
  for (u32 r = 0; r < n; r++) /* records histories, which read tuples, and drops taken tokens */
    if (is_tuple(s, r) && !token_is_endless(&s->queues[r])) token_make_room(s, &s->queues[r]);
  u64 *old = s->tuples.words;
  s->tuples = (Tuples){.collect_at = UINT64_MAX};
  for (u32 r = 0; r < n; r++) {
    Queue *q = &s->queues[r];
    if (!is_tuple(s, r)) continue;
    u64 first = token_is_endless(q) ? q->tail - 1 : q->limit - q->mask - 1;
    for (u64 i = first; i != q->tail; i++)
      q->data[i & q->mask] = move(s, old, s->dfg->results[r].type, q->data[i & q->mask]);
  }
  for (u32 u = 0; u < s->nunits; u++)
    if (s->units[u].action == DO_INVARIANT && s->units[u].phase == 1 && is_tuple_unit(s, u))
      s->units[u].value = move(s, old, type_of_output(s, u), s->units[u].value);
  mem_free(old);
  s->tuples.collect_at = 2 * s->tuples.used + FIRST_COLLECTION;
}

/* Adds the scalars of a tuple, with those of inner tuples in their place. */
static void history_pieces(const Sim *s, History *h, u32 type_id, u64 token) {
  const DfgType *type = &s->dfg->types[type_id];
  if (type->kind != TYPE_TUPLE) {
    history_piece(h, token, history_bytes(type->bits));
    return;
  }
  for (u32 i = 0; i < type->nelems; i++)
    history_pieces(s, h, s->dfg->type_elems[type->first_elem + i], s->tuples.words[token + i]);
}

void token_tuple_history(const Sim *s, History *h, u32 type, u64 token) {
  history_pieces(s, h, type, token);
  h->count++;
}

void token_tuple_flatten(const Sim *s, u32 type_id, u64 token, RunTokens *into) {
  const DfgType *type = &s->dfg->types[type_id];
  if (type->kind != TYPE_TUPLE) {
    vec_push(&into->tokens, token);
    return;
  }
  for (u32 i = 0; i < type->nelems; i++)
    token_tuple_flatten(s, s->dfg->type_elems[type->first_elem + i], s->tuples.words[token + i],
                        into);
}
