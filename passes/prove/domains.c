/* domains.c -- when tokens come: terms, their rewrite rules, and their description in words.
 *
 *     for i in 0..n:                    %i            TRUE(more, BURST(more, ONCE))
 *       if x[i] < 0:                    the then part TRUE(lt, TRUE(more, BURST(more, ONCE)))
 *     the loop's result                               FALSE(more, BURST(more, ONCE)) = ONCE
 *
 * A term is built by three functions that put it into normal form, and is hash-consed: a table by
 * (kind, condition, parent) gives each term one id, so that "in the same domain" is the comparison
 * of two numbers. The rules, for a condition c with gate result g:
 *
 *     FALSE(c, BURST(c, D))            = D                     a burst ends once
 *     BURST(g, D)                      = TRUE(c, BURST(c, D))  a body token for each true
 *     FALSE(g, TRUE(c, BURST(c, D)))   = D                     the last body token ends it
 *
 * the last two only where c's loop runs at least once for each token of D (loop_runs): a loop that
 * runs zero times gives no body tokens at all, so its g has no false for that token of D. Each
 * rule shortens the term or replaces a BURST on a gated condition by one on its raw condition, so
 * building a term takes at most two steps. */
#include "prove/parts.h"

void domain_init(Proof *p) {
  vec_push(&p->domains, ((Domain){.kind = KIND_UNKNOWN}));
  vec_push(&p->domains, ((Domain){.kind = KIND_ONCE, .length = 1}));
}

/* ---- sharing -------------------------------------------------------------------------------- */

/* True where the slot is the term's, or free for it. */
static bool is_slot_of(const Proof *p, u32 at, DomainKind kind, u32 c, DomainId parent) {
  const Domain *d = domain_at(p, p->domain_slots[at]);
  return !p->domain_slots[at] || (d->cond == c && d->parent == parent && d->kind == kind);
}

/* The slot of a term in the hash table of ids, or the free one for it. The first probe is near
 * those of terms on nearby values, which are looked up at about the same time: that keeps the table
 * in the cache. Then open addressing from a hash. */
static u32 *slot_of(const Proof *p, DomainKind kind, u32 c, DomainId parent) {
  u32 mask = p->ndomain_slots - 1, at = (4 * c + kind) & mask;
  if (!is_slot_of(p, at, kind, c, parent)) {
    u64 hash = ((u64)c << 32 | parent) * 0x9E3779B97F4A7C15u + kind * 0xC2B2AE3D27D4EB4Fu;
    at = (u32)(hash >> 32) & mask;
    while (!is_slot_of(p, at, kind, c, parent)) at = (at + 1) & mask;
  }
  return &p->domain_slots[at];
}

static void grow_slots(Proof *p) {
  u32 n = p->ndomain_slots ? p->ndomain_slots * 4 : 256;
  mem_free(p->domain_slots);
  p->domain_slots = mem_alloc(mem_size(n, sizeof(u32)));
  p->ndomain_slots = n;
  for (DomainId id = DOMAIN_ONCE + 1; id < p->domains.len; id++) {
    const Domain *d = domain_at(p, id);
    *slot_of(p, (DomainKind)d->kind, d->cond, d->parent) = id;
  }
}

DomainId domain_term(Proof *p, DomainKind kind, u32 c, DomainId parent) {
  if (parent == DOMAIN_UNKNOWN || domain_at(p, parent)->length >= DOMAIN_MAX_LENGTH)
    return DOMAIN_UNKNOWN;
  if (p->domains.len >= p->ndomain_slots / 2) grow_slots(p);
  u32 *slot = slot_of(p, kind, c, parent);
  if (*slot) return *slot;
  DomainId id = (DomainId)p->domains.len;
  const Domain *up = domain_at(p, parent);
  bool burst = kind == KIND_BURST;
  Domain d = {.kind = (u8)kind,
              .cond = c,
              .parent = parent,
              .burst = burst ? id : up->burst,
              .bursts = (u16)(up->bursts + burst),
              .length = (u16)(up->length + 1)};
  vec_push(&p->domains, d);
  return *slot = id;
}

/* ---- rules ---------------------------------------------------------------------------------- */

/* Where c is the gated condition of a raw condition whose loop runs for each token of d: the raw
 * condition. */
static bool raw_condition(Proof *p, u32 c, DomainId d, u32 *raw) {
  return gated_by(p, c, raw) && loop_runs(p, *raw, d);
}

DomainId domain_burst(Proof *p, u32 c, DomainId d) {
  u32 raw;
  if (raw_condition(p, c, d, &raw)) return domain_true(p, raw, domain_burst(p, raw, d));
  return domain_term(p, KIND_BURST, c, d);
}

DomainId domain_true(Proof *p, u32 c, DomainId d) {
  return domain_term(p, KIND_TRUE, c, d);
}

DomainId domain_false(Proof *p, u32 c, DomainId d) {
  DomainId parent = domain_burst_parent(p, c, d);
  return parent ? parent : domain_term(p, KIND_FALSE, c, d);
}

DomainId domain_burst_parent(Proof *p, u32 c, DomainId d) {
  const Domain *at = domain_at(p, d);
  u32 raw;
  if (at->kind == KIND_BURST && at->cond == c) return at->parent;
  if (at->kind != KIND_TRUE || domain_at(p, at->parent)->kind != KIND_BURST) return 0;
  const Domain *burst = domain_at(p, at->parent);
  DomainId parent = burst->parent;
  if (burst->cond != at->cond || !raw_condition(p, c, parent, &raw)) return 0;
  return raw == domain_at(p, d)->cond ? parent : 0;
}

bool domain_is_under(const Proof *p, DomainId d, DomainId above) {
  u32 length = domain_at(p, above)->length;
  if (above == DOMAIN_UNKNOWN) return false;
  while (domain_at(p, d)->length > length) d = domain_at(p, d)->parent;
  return d == above;
}

DomainId domain_climb(const Proof *p, DomainId d, u32 c) {
  while (d && !(domain_at(p, d)->kind == KIND_BURST && domain_at(p, d)->cond == c))
    d = domain_at(p, d)->parent;
  return d;
}

/* The innermost common term; *from_a, *from_b are its children on the way from a and b, 0 where a
 * or b is that term itself. */
static DomainId meet(const Proof *p, DomainId a, DomainId b, DomainId *from_a, DomainId *from_b) {
  *from_a = *from_b = 0;
  while (a != b) {
    const Domain *da = domain_at(p, a), *db = domain_at(p, b);
    if (da->length >= db->length) *from_a = a, a = da->parent;
    if (db->length >= da->length) *from_b = b, b = db->parent;
  }
  return a;
}

DomainId domain_common(const Proof *p, DomainId a, DomainId b) {
  DomainId from_a, from_b;
  return meet(p, a, b, &from_a, &from_b);
}

bool domains_exclusive(const Proof *p, DomainId a, DomainId b) {
  DomainId from_a, from_b;
  meet(p, a, b, &from_a, &from_b);
  if (!from_a || !from_b) return false;
  const Domain *da = domain_at(p, from_a), *db = domain_at(p, from_b);
  return da->cond == db->cond && ((da->kind == KIND_TRUE && db->kind == KIND_FALSE) ||
                                  (da->kind == KIND_FALSE && db->kind == KIND_TRUE));
}

/* ---- in words ------------------------------------------------------------------------------- */

static void put_place(const Proof *p, Loc loc, Buf *out) {
  Place place = source_place(p->ctx, loc);
  if (place.file)
    buf_printf(out, "%s:%u:%u", place.file, place.line, place.column);
  else
    buf_str(out, "an unknown place");
}

void value_describe(const Proof *p, const Value *v, Buf *out) {
  if (v->name) {
    buf_printf(out, "%%%s", v->name->text);
    /* results that share a name: %mem:2 is %mem#0 and %mem#1 */
    bool shared = !v->is_arg && value_op(v)->nresults > 1 &&
                  op_result(value_op(v), !v->index)->name == v->name;
    if (shared) buf_printf(out, "#%u", v->index);
    return;
  }
  if (v->is_arg) {
    buf_printf(out, "argument %%arg%u", v->index);
    return;
  }
  buf_printf(out, "the result of the %s at ", op_name(value_op(v)));
  put_place(p, value_op(v)->loc, out);
}

static void put_cond(const Proof *p, u32 c, Buf *out) {
  value_describe(p, value_at(p, c), out);
}

static void put_loop(const Proof *p, u32 c, Buf *out) {
  const Op *op = def_of(p, c);
  buf_str(out, "the loop ");
  if (op && op->kind != OP_DATAFLOW_STREAM) {
    buf_str(out, "on ");
    put_cond(p, c, out);
    buf_char(out, ' ');
  }
  buf_str(out, "at ");
  put_place(p, op ? op->loc : p->func->loc, out);
}

void domain_describe(const Proof *p, DomainId id, u32 depth, Buf *out) {
  const Domain *d = domain_at(p, id);
  DomainId wheres[8]; /* innermost first */
  u32 n = 0;
  bool body = false;
  while (d->kind == KIND_TRUE || d->kind == KIND_FALSE) {
    const Domain *up = domain_at(p, d->parent);
    if (d->kind == KIND_TRUE && up->kind == KIND_BURST && up->cond == d->cond) {
      body = true;
      d = up;
      break;
    }
    if (n < COUNT_OF(wheres)) wheres[n++] = id;
    id = d->parent;
    d = up;
  }
  if (d->kind == KIND_UNKNOWN) {
    buf_str(out, "an unknown number of times");
  } else if (d->kind == KIND_ONCE) {
    buf_str(out, "once per call");
  } else {
    buf_str(out, body ? "once per iteration of " : "once per test of ");
    put_loop(p, d->cond, out);
  }
  while (n--) {
    const Domain *where = domain_at(p, wheres[n]);
    buf_str(out, " where ");
    put_cond(p, where->cond, out);
    buf_str(out, where->kind == KIND_TRUE ? " is true" : " is false");
  }
  if (d->kind == KIND_BURST && d->parent != DOMAIN_ONCE && depth) {
    buf_str(out, ", which runs ");
    domain_describe(p, d->parent, depth - 1, out);
  }
}

/* Where `id` is the domain of a loop's body or tests: the domain around the loop; else 0. */
static DomainId around_loop(const Proof *p, DomainId id, u32 *c, bool *body) {
  const Domain *d = domain_at(p, id);
  *body = d->kind == KIND_TRUE && domain_at(p, d->parent)->kind == KIND_BURST &&
          domain_at(p, d->parent)->cond == d->cond;
  if (*body) d = domain_at(p, d->parent);
  *c = d->cond;
  return d->kind == KIND_BURST ? d->parent : 0;
}

bool domain_describe_way(const Proof *p, DomainId have, DomainId want, Buf *out) {
  const Domain *h = domain_at(p, have), *w = domain_at(p, want);
  u32 hc, wc;
  bool hbody, wbody;
  DomainId hout = around_loop(p, have, &hc, &hbody), wout = around_loop(p, want, &wc, &wbody);
  if (hout && hout == wout && hc == wc) {
    buf_str(out, wbody
                     ? "one token too many per run of the loop (N+1 for N iterations): use the "
                       "output of its dataflow.gate, or the true output of a handshake.cond_br on "
                     : "one token too few per run of the loop (N for N+1 tests): use the value "
                       "before its dataflow.gate; there is one token per test of ");
    put_cond(p, wc, out);
    return true;
  }
  if (wout && wout == have) {
    buf_printf(out, "repeat it in the loop with a dataflow.invariant on %s",
               wbody ? "the after_cond of " : "");
    put_cond(p, wc, out);
    if (wbody) buf_str(out, "'s gate");
    return true;
  }
  if (hout && hout == want) {
    buf_str(out, "leave the loop through the false output of a handshake.cond_br on ");
    put_cond(p, hc, out);
    return true;
  }
  if ((w->kind == KIND_TRUE || w->kind == KIND_FALSE) && w->parent == have) {
    buf_printf(out, "use the %s output of a handshake.cond_br on ",
               w->kind == KIND_TRUE ? "true" : "false");
    put_cond(p, w->cond, out);
    return true;
  }
  if ((h->kind == KIND_TRUE || h->kind == KIND_FALSE) && h->parent == want) {
    buf_str(out, "merge it with the value of the other branch by a handshake.mux on ");
    put_cond(p, h->cond, out);
    return true;
  }
  return false;
}
