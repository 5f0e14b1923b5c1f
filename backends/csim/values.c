/* values.c -- decides which values are needed, inlined or kept in variables, and gives their C
 * text. See values.h.
 *
 *     find_roots      the root of each chain of copies
 *     find_needed     backwards from results, accesses, loop conditions and traps: a worklist
 *     find_seen       floats whose NaNs have observable bits, to a fixed point
 *     find_nans       which NaNs a root may hold, to a fixed point
 *     find_uses       where values are used, and how often
 *     find_inlined    values with one use, in the same level; find_inlined_loads: loads
 *     find_storage    values that share the variable of a mux
 *     find_locals     variables that can be declared where they are set
 *
 * Cost: linear in operands times the depth of domains, but for the fixed points. */
#include "values.h"

#include <string.h>

enum { MAX_NESTED = 8 }; /* expressions within expressions */

/* ---- roots ----------------------------------------------------------------------------------- */

/* A cast between integer types of the same width. */
static int is_renaming(const Plan *p, uint32_t n) {
  static const char *const casts[] = {"arith.index_cast", "arith.index_castui", "index.casts",
                                      "index.castu"};
  for (uint32_t i = 0; i < LOOM_COUNT(casts); i++)
    if (strcmp(p->nodes[n].op_name, casts[i]) == 0)
      return type_of(p, p->nodes[n].first_result)->bits == type_of(p, p->inputs[n][0])->bits;
  return 0;
}

/* The result that `r` is a copy of, or r itself. */
static uint32_t source_of(const Plan *p, uint32_t r) {
  uint32_t n = p->results[r].node, which = r - p->nodes[n].first_result;
  const uint32_t *in = p->inputs[n];
  uint32_t count = p->nodes[n].operand_count;
  switch (p->kinds[n]) {
  case NODE_COND_BR:
  case NODE_INVARIANT: return in[1];
  case NODE_COPY: return in[0];
  case NODE_SYNC: return in[which];
  case NODE_LOAD:
  case NODE_STORE: return which == 0 ? in[count - 2] : in[which - 1];
  case NODE_GATE: return which == 0 ? in[0] : r;
  case NODE_PURE: return is_renaming(p, n) ? in[0] : r;
  default: return r;
  }
}

static void find_roots(Values *v) {
  const Plan *p = v->p;
  for (uint32_t i = 0; i < p->result_count; i++) v->root[i] = NONE;
  for (uint32_t i = 0; i < p->result_count; i++) {
    uint32_t at = i, next, root;
    while (v->root[at] == NONE && (next = source_of(p, at)) != at) at = next;
    root = v->root[at] == NONE ? at : v->root[at];
    for (at = i; v->root[at] == NONE; at = next) {
      next = source_of(p, at);
      v->root[at] = root;
      if (next == at) break;
    }
  }
}

static const uint32_t *inputs_of(const Plan *p, uint32_t r) {
  return p->inputs[p->results[r].node];
}

const char *csim_type(const Values *v, uint32_t r) {
  return v->m->c->type_name(v->m->design, v->p->results[r].type);
}

/* ---- needed ---------------------------------------------------------------------------------- */

typedef struct Needs {
  Values *v;
  uint32_t *stack, depth;
} Needs;

static void mark_needed(Needs *w, uint32_t r) {
  Values *v = w->v;
  if (!has_data(v->p, r) || v->p->is_late[r]) return;
  r = v->root[r];
  if (v->is_needed[r]) return;
  v->is_needed[r] = 1;
  w->stack[w->depth++] = r;
}

/* The domain has code: so have the branches and loops around it. */
static void mark_domain_needed(Needs *w, uint32_t d) {
  Values *v = w->v;
  for (; d != NONE && !v->has_code[d]; d = v->p->domains[d].parent) {
    v->has_code[d] = 1;
    if (v->p->domains[d].kind != LOOM_ONCE) mark_needed(w, v->p->domains[d].condition);
  }
}

/* A division by a literal other than 0 and -1 cannot trap. */
static int may_trap(const Values *v, uint32_t r) {
  const Plan *p = v->p;
  uint32_t n = p->results[r].node, by;
  uint64_t mask, bits;
  if (kind_of(p, r) != NODE_PURE || !v->m->c->may_trap(v->m->design, n)) return 0;
  if (starts_with(p->nodes[n].op_name, "math.")) return 1;
  by = v->root[p->inputs[n][1]];
  if (kind_of(p, by) != NODE_CONSTANT) return 1;
  mask = type_of(p, by)->bits >= 64 ? UINT64_MAX : ((uint64_t)1 << type_of(p, by)->bits) - 1;
  bits = p->nodes[p->results[by].node].literal & mask;
  return bits == 0 || bits == mask;
}

/* True where the emitted code uses the address of the port of result `r`: not for a load that can
 * never be outside and whose data is not used. */
static int uses_address(const Values *v, uint32_t r, const Port *port) {
  const Plan *p = v->p;
  const loom_memory *memory = &p->memories[p->nodes[p->results[r].node].memory];
  return port->data != NONE || v->is_needed[r] || !csim_is_inside(v->ranges, port->address, memory);
}

static void find_needed(Values *v) {
  const Plan *p = v->p;
  Needs w = {.v = v};
  uint32_t ret = v->m->dfg->return_node(v->m->design);
  Port port;
  w.stack = csim_alloc(v->m, p->result_count, sizeof *w.stack);
  for (uint32_t i = 0; i < p->nodes[ret].operand_count; i++) mark_needed(&w, p->inputs[ret][i]);
  for (uint32_t i = 0; i < p->domain_count; i++)
    if (p->domains[i].kind == LOOM_BURST && p->domains[i].is_used && !p->domains[i].is_late)
      mark_domain_needed(&w, i);
  for (uint32_t i = 0; i < p->result_count; i++) {
    uint32_t n = p->results[i].node;
    if (p->domain_of[i] == NONE || p->is_late[i]) continue;
    if (p->is_observed[i]) mark_needed(&w, i);
    if (p->is_observed[i]) mark_domain_needed(&w, p->domain_of[i]);
    v->may_trap[i] = (char)may_trap(v, i);
    if (v->may_trap[i]) mark_needed(&w, i);
    if (p->kinds[n] != NODE_MEMORY || !csim_port(p, n, i - p->nodes[n].first_result, &port))
      continue;
    mark_domain_needed(&w, p->domain_of[i]);
    if (uses_address(v, i, &port)) mark_needed(&w, port.address);
    if (port.data != NONE) mark_needed(&w, port.data);
  }
  while (w.depth) {
    uint32_t r = w.stack[--w.depth];
    const uint32_t *in = inputs_of(p, r);
    mark_domain_needed(&w, p->domain_of[r]);
    switch (kind_of(p, r)) {
    case NODE_PURE:
    case NODE_MUX:
    case NODE_STREAM:
      for (uint32_t k = 0; k < p->nodes[p->results[r].node].operand_count; k++)
        mark_needed(&w, in[k]);
      if (kind_of(p, r) == NODE_STREAM) mark_needed(&w, p->nodes[p->results[r].node].first_result);
      break;
    case NODE_CARRY: mark_needed(&w, in[1]), mark_needed(&w, in[2]); break;
    case NODE_MEMORY:
      if (csim_port(p, p->results[r].node, r - p->nodes[p->results[r].node].first_result, &port))
        mark_needed(&w, port.address);
      break;
    default: break;
    }
  }
}

/* ---- NaNs ------------------------------------------------------------------------------------ */

static int is_op(const Plan *p, uint32_t r, const char *name) {
  return strcmp(p->nodes[p->results[r].node].op_name, name) == 0;
}

static NanState stricter(NanState a, NanState b) {
  return a > b ? a : b;
}

/* One of several values: a carry, a mux, a select. */
static int is_merge(const Plan *p, uint32_t r) {
  uint32_t kind = kind_of(p, r);
  return kind == NODE_CARRY || kind == NODE_MUX ||
         (kind == NODE_PURE && is_op(p, r, "arith.select"));
}

static int reads_bits(const Plan *p, uint32_t r) {
  return is_op(p, r, "arith.negf") || is_op(p, r, "math.absf") || is_op(p, r, "math.copysign") ||
         is_op(p, r, "arith.bitcast");
}

static int mark_seen(Values *v, uint32_t r) {
  uint32_t root = v->root[r];
  if (!has_data(v->p, r) || v->is_seen[root]) return 0;
  v->is_seen[root] = 1;
  return 1;
}

/* A NaN's bits are seen where they are stored, returned, recorded or used as bits, and in a merge
 * that is seen itself. Those of a sum that is only added to are not. */
static void find_seen(Values *v) {
  const Plan *p = v->p;
  uint32_t ret = v->m->dfg->return_node(v->m->design);
  int changed = 1;
  Port port;
  for (uint32_t k = 0; k < p->nodes[ret].operand_count; k++) mark_seen(v, p->inputs[ret][k]);
  for (uint32_t i = 0; i < p->result_count; i++) {
    uint32_t n = p->results[i].node;
    if (p->is_observed[i]) v->is_seen[v->root[i]] = 1;
    if (kind_of(p, i) == NODE_PURE && reads_bits(p, i))
      for (uint32_t k = 0; k < p->nodes[n].operand_count; k++) mark_seen(v, p->inputs[n][k]);
    if (p->kinds[n] != NODE_MEMORY || !csim_port(p, n, i - p->nodes[n].first_result, &port))
      continue;
    if (port.data != NONE) mark_seen(v, port.data);
  }
  /* backwards, as operands mostly come before their uses: one round for a row of loops */
  while (changed) {
    changed = 0;
    for (uint32_t i = p->result_count; i-- > 0;)
      if (v->is_seen[v->root[i]] && is_merge(p, v->root[i])) {
        const uint32_t *in = inputs_of(p, v->root[i]);
        changed |= mark_seen(v, in[1]) | mark_seen(v, in[2]);
      }
  }
}

static NanState nan_state(const Values *v, uint32_t r) {
  const Plan *p = v->p;
  const uint32_t *in = inputs_of(p, r);
  NanState state;
  switch (kind_of(p, r)) {
  case NODE_CONSTANT: return starts_with(v->literal[r], "loom_") ? NAN_EXACT : NAN_NONE;
  case NODE_CARRY:
  case NODE_MUX:
  case NODE_PURE:
    if (!is_merge(p, r))
      return v->m->c->is_loose_nan(v->m->design, p->results[r].node) ? NAN_LOOSE : NAN_EXACT;
    state = stricter((NanState)v->nans[v->root[in[1]]], (NanState)v->nans[v->root[in[2]]]);
    return state == NAN_EXACT && !v->is_seen[r] ? NAN_LOOSE : state;
  default: return NAN_EXACT;
  }
}

/* A merge is as strict as its strictest operand, around loops too. Ends, as states only rise. */
static void find_nans(Values *v) {
  const Plan *p = v->p;
  int changed = 1;
  while (changed) {
    changed = 0;
    for (uint32_t i = 0; i < p->result_count; i++) {
      NanState state;
      if (v->root[i] != i || !v->is_needed[i] || !is_float(p, i)) continue;
      state = nan_state(v, i);
      if (state == (NanState)v->nans[i]) continue;
      v->nans[i] = (char)state;
      changed = 1;
    }
  }
}

/* Whether operand k of a pure node or a merge must come with its NaNs canonical. */
static int wants_exact(const Values *v, uint32_t r, uint32_t k) {
  const Plan *p = v->p;
  const uint32_t *in = inputs_of(p, r);
  uint32_t from = v->root[in[k]];
  if (!is_float(p, from) || v->nans[from] != NAN_LOOSE) return 0;
  switch (kind_of(p, r)) {
  case NODE_CARRY:
  case NODE_MUX: return v->nans[r] == NAN_EXACT;
  default:
    if (is_op(p, r, "arith.select")) return v->nans[r] == NAN_EXACT;
    return reads_bits(p, r);
  }
}

/* ---- uses ------------------------------------------------------------------------------------ */

/* Uses are visited twice: to decide what can be inlined, and then to find where the variables of
 * the other values must be visible; a use in an inlined expression counts where that is
 * written. */
typedef struct Uses {
  Values *v;
  char *elsewhere; /* by root: used in another level than its own */
  char *outside;   /* by root: used outside its variable's block */
  uint32_t *user;  /* by root: the root that uses it, the last one found; NONE: no value does */
  uint32_t *place; /* by root: the domain of that use */
  uint32_t *item;  /* by root: the item it is written with; AT_END: the update of its loop; NONE */
  uint32_t by;     /* the root whose operands are visited; NONE: none */
  uint32_t at;     /* and the item that it is written with */
  int second_pass;
} Uses;

#define AT_END (NONE - 1)

/* The domain in whose block the variable of a root would be declared. */
static uint32_t declared_in(const Plan *p, uint32_t r) {
  uint32_t d = p->domain_of[r], kind = kind_of(p, r);
  int loops =
      kind == NODE_CARRY || (kind == NODE_STREAM && r == p->nodes[p->results[r].node].first_result);
  return loops ? p->domains[d].parent : d;
}

static void add_use(Uses *u, uint32_t r, uint32_t domain, uint32_t times) {
  Values *v = u->v;
  const Plan *p = v->p;
  if (!has_data(p, r) || p->is_late[r]) return;
  r = v->root[r];
  if (u->second_pass) {
    uint32_t by = u->by;
    while (by != NONE && v->is_inlined[by]) domain = u->place[by], by = u->user[by];
    if (!is_under(p, domain, declared_in(p, r))) u->outside[r] = 1;
    return;
  }
  v->uses[r] += times;
  u->user[r] = u->by;
  u->place[r] = domain;
  u->item[r] = u->at;
  if (level_of(p, domain) != level_of(p, p->domain_of[r])) u->elsewhere[r] = 1;
}

static void use_pure(Uses *u, uint32_t r) {
  static const char *const marks[] = {"\1", "\2", "\3"};
  Values *v = u->v;
  const Plan *p = v->p;
  uint32_t n = p->results[r].node;
  const char *text =
      v->m->c->expression(v->m->host, v->m->design, n, r - p->nodes[n].first_result, marks);
  for (uint32_t k = 0; k < p->nodes[n].operand_count; k++) {
    uint32_t times = 0;
    const char *at;
    for (at = text; *at; at++) times += (uint32_t)(*at == (char)(k + 1));
    add_use(u, p->inputs[n][k], p->domain_of[r], wants_exact(v, r, k) ? 2 * times : times);
  }
}

static int is_literal(const Values *v, uint32_t r) {
  return v->literal[v->root[r]] != NULL;
}

static void use_root(Uses *u, uint32_t r) {
  Values *v = u->v;
  const Plan *p = v->p;
  const uint32_t *in = inputs_of(p, r);
  uint32_t d = p->domain_of[r], n = p->results[r].node;
  switch (kind_of(p, r)) {
  case NODE_PURE: use_pure(u, r); break;
  case NODE_MUX:
    if (!p->is_split[n]) add_use(u, in[0], d, 1);
    for (uint32_t k = 1; k < 3; k++) {
      if (p->is_split[n]) u->at = arm_item(p, n, k - 1);
      add_use(u, in[k], p->is_split[n] ? p->item_domain[arm_item(p, n, k - 1)] : d,
              wants_exact(v, r, k) ? 2 : 1);
    }
    break;
  case NODE_CARRY:
    u->at = NONE;
    add_use(u, in[1], p->domains[d].parent, wants_exact(v, r, 1) ? 2 : 1);
    u->at = AT_END;
    add_use(u, in[2], p->domains[d].body == NONE ? d : p->domains[d].body,
            wants_exact(v, r, 2) ? 2 : 1);
    break;
  case NODE_STREAM:
    if (r == p->nodes[n].first_result) {
      add_use(u, in[0], p->domains[d].parent, is_literal(v, in[1]) ? 1 : 2);
      if (!is_literal(v, in[1])) add_use(u, in[1], p->domains[d].parent, 2);
      add_use(u, in[1], d, 1);
      add_use(u, in[2], d, 2);
    } else {
      add_use(u, p->nodes[n].first_result, d, 1);
    }
    break;
  default: break;
  }
}

/* How often the condition of a branch is emitted for this side of it. If the other side, whose
 * else this one would be, has no code, this side tests the condition itself. */
static uint32_t tests_written(const Values *v, uint32_t d) {
  const Plan *p = v->p;
  uint32_t other = p->domains[d].opposite;
  return p->tests[d] + (other != NONE && !v->has_code[other] ? p->tests[other] : 0);
}

static void find_uses(Uses *u) {
  Values *v = u->v;
  const Plan *p = v->p;
  uint32_t ret = v->m->dfg->return_node(v->m->design);
  Port port;
  u->by = u->at = NONE;
  for (uint32_t i = 0; i < p->nodes[ret].operand_count; i++) add_use(u, p->inputs[ret][i], 0, 2);
  for (uint32_t i = 0; i < p->domain_count; i++) {
    const Domain *d = &p->domains[i];
    if (d->kind == LOOM_ONCE || !v->has_code[i]) continue;
    if (d->kind == LOOM_BURST)
      add_use(u, d->condition, i, 1);
    else if (tests_written(v, i))
      add_use(u, d->condition, d->parent, tests_written(v, i));
  }
  for (uint32_t i = 0; i < p->result_count; i++) {
    uint32_t n = p->results[i].node;
    if (p->domain_of[i] == NONE || p->is_late[i]) continue;
    u->by = NONE;
    if (p->is_observed[i]) add_use(u, i, p->domain_of[i], 2);
    u->by = u->at = i;
    if (v->root[i] == i && v->is_needed[i]) use_root(u, i);
    u->by = u->at = NONE;
    if (p->kinds[n] != NODE_MEMORY || !csim_port(p, n, i - p->nodes[n].first_result, &port))
      continue;
    if (port.data == NONE) u->by = i;
    if (uses_address(v, i, &port))
      add_use(u, port.address, p->domain_of[i],
              csim_is_inside(v->ranges, port.address, &p->memories[p->nodes[n].memory]) ? 1 : 3);
    u->by = NONE;
    u->at = i;
    if (port.data != NONE)
      add_use(u, port.data, p->domain_of[i], v->nans[v->root[port.data]] == NAN_LOOSE ? 2 : 1);
  }
}

static int can_inline(const Values *v, uint32_t r) {
  const Plan *p = v->p;
  uint32_t n = p->results[r].node;
  if (v->is_observed[r] || v->may_trap[r]) return 0;
  switch (kind_of(p, r)) {
  case NODE_PURE: return 1;
  case NODE_MUX: return !p->is_split[n];
  case NODE_STREAM: return r != p->nodes[n].first_result;
  case NODE_MEMORY: /* a memory without stores can be read later */
    return p->memories[p->nodes[n].memory].store_count == 0;
  default: return 0;
  }
}

/* In the order of a level operands come before their uses. */
static void find_inlined(Values *v, const Uses *u) {
  const Plan *p = v->p;
  unsigned char *nested = csim_alloc(v->m, p->result_count, 1);
  for (uint32_t i = 0; i < p->item_count; i++) {
    uint32_t r = p->order[i], n;
    if (r >= p->result_count || v->root[r] != r || !v->is_needed[r] || !can_inline(v, r)) continue;
    n = p->results[r].node;
    for (uint32_t k = 0; p->kinds[n] != NODE_MEMORY && k < p->nodes[n].operand_count; k++) {
      uint32_t from = v->root[p->inputs[n][k]];
      if (v->is_inlined[from] && nested[from] >= nested[r])
        nested[r] = (unsigned char)(nested[from] + 1);
    }
    if (v->uses[r] == 1 && !u->elsewhere[r] && nested[r] < MAX_NESTED) v->is_inlined[r] = 1;
  }
}

/* True where something between two places of the order writes the memory, or may. */
static int is_written(const Plan *p, uint32_t memory, uint32_t from, uint32_t to) {
  Port port;
  if (to - from > 64) return 1;
  for (from++; from < to; from++) {
    uint32_t item = p->order[from], n;
    if (item >= p->result_count && item < p->result_count + p->domain_count) return 1;
    if (item >= p->result_count) continue;
    n = p->results[item].node;
    if (p->kinds[n] == NODE_MEMORY && p->nodes[n].memory == memory &&
        csim_port(p, n, item - p->nodes[n].first_result, &port) && port.data != NONE)
      return 1;
  }
  return 0;
}

/* A load of a memory that is also stored to is inlined at its use if no store comes before that. */
static void find_inlined_loads(Values *v, const Uses *u) {
  const Plan *p = v->p;
  uint32_t *at = csim_alloc(v->m, p->item_count, sizeof *at);
  if (v->m->histories) return;
  for (uint32_t i = 0; i < p->item_count; i++) at[i] = NONE;
  for (uint32_t i = 0; i < p->end[0]; i++) at[p->order[i]] = i;
  for (uint32_t i = 1; i < p->domain_count; i++) {
    for (uint32_t k = p->first[i]; k < p->end[i]; k++) at[p->order[k]] = k;
  }
  for (uint32_t i = 0; i < p->result_count; i++) {
    uint32_t item, n = p->results[i].node, to;
    if (p->kinds[n] != NODE_MEMORY || v->root[i] != i || !v->is_needed[i] || v->is_inlined[i] ||
        v->uses[i] != 1 || u->elsewhere[i] ||
        (p->memories[p->nodes[n].memory].is_dynamic &&
         p->memories[p->nodes[n].memory].argument == NONE))
      continue;
    for (item = u->item[i]; item < p->result_count && v->is_inlined[item];) item = u->item[item];
    if (item == NONE) continue;
    to = item == AT_END ? p->end[level_of(p, p->domain_of[i])] : at[item];
    if (to == NONE || at[i] == NONE || to < at[i]) continue;
    v->is_inlined[i] = (char)!is_written(p, p->nodes[n].memory, at[i], to);
  }
}

/* ---- text ------------------------------------------------------------------------------------ */

const char *csim_value(Values *v, uint32_t r) {
  r = v->root[r];
  if (v->literal[r]) return v->literal[r];
  if (v->is_inlined[r])
    return csim_format(v->m, kind_of(v->p, r) == NODE_MEMORY ? "%s" : "(%s)",
                       csim_expression(v, r));
  return v->names[v->storage[r]] ? v->names[v->storage[r]] : "0";
}

const char *csim_canonical(Values *v, uint32_t r) {
  const char *text = csim_value(v, r);
  uint32_t root = v->root[r];
  if (!is_float(v->p, root) || v->nans[root] != NAN_LOOSE) return text;
  return v->m->c->canonical(v->m->host, v->m->design, v->p->results[root].type, text);
}

static const char *operand_text(Values *v, uint32_t r, uint32_t k) {
  uint32_t from = inputs_of(v->p, r)[k];
  return wants_exact(v, r, k) ? csim_canonical(v, from) : csim_value(v, from);
}

const char *csim_signed(Values *v, uint32_t r) {
  uint32_t bits = type_of(v->p, r)->bits;
  const char *text = csim_value(v, r);
  if (v->literal[v->root[r]] && bits == 32) {
    uint64_t literal = v->p->nodes[v->p->results[v->root[r]].node].literal;
    return csim_format(v->m, literal >> 31 ? "(%d)" : "%d", (int32_t)(uint32_t)literal);
  }
  if (bits == 32) return csim_format(v->m, "(int32_t)%s", text);
  if (bits == 64) return csim_format(v->m, "(int64_t)%s", text);
  if (bits < 32)
    return csim_format(v->m, "((int32_t)((uint32_t)%s << %u) >> %u)", text, 32 - bits, 32 - bits);
  return csim_format(v->m, "((int64_t)(%s << %u) >> %u)", text, 64 - bits, 64 - bits);
}

/* A pointer passed without a size may point into the middle of an array, so that negative indices
 * are legal. */
const char *csim_index(Values *v, uint32_t address, uint32_t id) {
  const loom_memory *memory = &v->p->memories[id];
  int may_precede = v->m->call && memory->is_dynamic && memory->argument != LOOM_NONE &&
                    csim_range(v->ranges, address).least < 0;
  return may_precede ? csim_signed(v, address) : csim_value(v, address);
}

static const char *pure_expression(Values *v, uint32_t r) {
  const Plan *p = v->p;
  uint32_t n = p->results[r].node;
  const char *operands[8] = {0};
  for (uint32_t k = 0; k < p->nodes[n].operand_count && k < 8; k++)
    operands[k] = operand_text(v, r, k);
  return v->m->c->expression(v->m->host, v->m->design, n, r - p->nodes[n].first_result, operands);
}

const char *csim_expression(Values *v, uint32_t r) {
  const Plan *p = v->p;
  uint32_t n = p->results[r].node;
  const uint32_t *in = p->inputs[n];
  switch (p->kinds[n]) {
  case NODE_PURE: return pure_expression(v, r);
  case NODE_MUX:
    return csim_format(v->m, "%s ? %s : %s", csim_value(v, in[0]), operand_text(v, r, 2),
                       operand_text(v, r, 1));
  case NODE_STREAM:
    return csim_format(v->m, "%s %s %s", csim_signed(v, p->nodes[n].first_result),
                       p->nodes[n].cont_cond, csim_signed(v, in[2]));
  case NODE_CARRY: return operand_text(v, r, 2);
  case NODE_MEMORY: {
    Port port;
    csim_port(p, n, r - p->nodes[n].first_result, &port);
    v->is_touched[p->nodes[n].memory] = 1;
    return csim_format(v->m, "%s[%s]", v->memory_names[p->nodes[n].memory],
                       csim_index(v, port.address, p->nodes[n].memory));
  }
  default: return "0";
  }
}

int csim_reads(const Values *v, uint32_t r, uint32_t other) {
  const Plan *p = v->p;
  uint32_t n;
  Port port;
  r = v->root[r];
  if (v->literal[r]) return 0;
  if (!v->is_inlined[r]) return v->storage[r] == other;
  n = p->results[r].node;
  if (p->kinds[n] == NODE_MEMORY)
    return csim_port(p, n, r - p->nodes[n].first_result, &port) &&
           csim_reads(v, port.address, other);
  if (p->kinds[n] == NODE_STREAM && v->root[p->nodes[n].first_result] == other) return 1;
  for (uint32_t k = 0; k < p->nodes[n].operand_count; k++)
    if (csim_reads(v, p->inputs[n][k], other)) return 1;
  return 0;
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* A value of a branch that only the mux behind it uses is kept in the mux's variable. */
static void find_storage(Values *v) {
  const Plan *p = v->p;
  for (uint32_t n = 0; n < p->node_count; n++) {
    uint32_t r = p->nodes[n].first_result;
    if (p->kinds[n] != NODE_MUX || !p->is_split[n] || !v->is_needed[r]) continue;
    for (uint32_t side = 0; side < 2; side++) {
      uint32_t from = v->root[p->inputs[n][1 + side]];
      int is_computed = kind_of(p, from) == NODE_MEMORY || kind_of(p, from) == NODE_PURE ||
                        kind_of(p, from) == NODE_MUX;
      if (is_computed && v->uses[from] == 1 && !v->is_inlined[from] && !v->literal[from] &&
          p->domain_of[from] == p->item_domain[arm_item(p, n, side)])
        v->storage[from] = r;
    }
  }
  /* a chain of muxes shares one variable */
  for (uint32_t n = 0; n < p->result_count; n++) {
    uint32_t at = n;
    while (v->storage[at] != at) at = v->storage[at];
    v->storage[n] = at;
  }
}

static void find_locals(Values *v, const Uses *u) {
  const Plan *p = v->p;
  for (uint32_t r = 0; r < p->result_count; r++) {
    uint32_t base, kind = kind_of(p, r);
    if (v->root[r] != r || !v->is_needed[r] || u->outside[r] || v->storage[r] != r) continue;
    if (kind == NODE_MUX && p->is_split[p->results[r].node]) continue;
    v->is_local[r] = 1;
    for (uint32_t d = declared_in(p, r);
         p->domains[d].kind == LOOM_TRUE || p->domains[d].kind == LOOM_FALSE;
         d = p->domains[d].parent) {
      base = level_of(p, d);
      if (p->openings[d] > 1 || (p->domains[base].body == d && p->is_early[base]))
        v->is_local[r] = 0;
    }
  }
}

void csim_values_make(Values *v, Plan *p) {
  Csim *m = p->m;
  Uses u = {.v = v};
  uint32_t n = p->result_count;
  *v = (Values){.p = p, .m = m};
  v->root = csim_alloc(m, n, sizeof *v->root);
  v->is_needed = csim_alloc(m, n, 1);
  v->is_seen = csim_alloc(m, n, 1);
  v->nans = csim_alloc(m, n, 1);
  v->is_observed = csim_alloc(m, n, 1);
  v->may_trap = csim_alloc(m, n, 1);
  v->is_inlined = csim_alloc(m, n, 1);
  v->is_local = csim_alloc(m, n, 1);
  v->storage = csim_alloc(m, n, sizeof *v->storage);
  v->uses = csim_alloc(m, n, sizeof *v->uses);
  v->names = csim_alloc(m, n, sizeof *v->names);
  v->literal = csim_alloc(m, n, sizeof *v->literal);
  v->memory_names = csim_alloc(m, m->dfg->memory_count(m->design), sizeof *v->memory_names);
  v->is_touched = csim_alloc(m, m->dfg->memory_count(m->design), 1);
  v->has_code = csim_alloc(m, p->domain_count, 1);
  v->ranges = csim_ranges_make(p);
  u.elsewhere = csim_alloc(m, n, 1);
  u.outside = csim_alloc(m, n, 1);
  u.user = csim_alloc(m, n, sizeof *u.user);
  u.place = csim_alloc(m, n, sizeof *u.place);
  u.item = csim_alloc(m, n, sizeof *u.item);
  find_roots(v);
  for (uint32_t i = 0; i < n; i++) {
    v->storage[i] = i;
    if (kind_of(p, i) == NODE_CONSTANT && has_data(p, i)) v->literal[i] = csim_literal(v, i);
  }
  for (uint32_t i = 0; i < n; i++)
    if (p->is_observed[i]) v->is_observed[v->root[i]] = 1;
  find_needed(v);
  find_seen(v);
  find_nans(v);
  find_uses(&u);
  find_inlined(v, &u);
  find_inlined_loads(v, &u);
  u.second_pass = 1;
  find_uses(&u);
  if (!m->histories) find_storage(v);
  find_locals(v, &u);
  csim_give_names(v);
}
