/* columns.c -- with --columns: which tokens are stored, and which follow from those that are.
 *
 *     for %i = 0 to %n iter_args(%s = 0) {        the kernel stores, in each iteration,
 *       %a = load %x[%i]                            s
 *       %p = muli %a, %k                          in each burst
 *       %t = addi %s, %p                            n, k, and what s was in the end
 *       yield %t                                  and its caller works out all the rest
 *     }
 *
 * There are far more edges than values. What enters a loop's body is what its carries hold, but for
 * the last one of each burst; a condition is true until it is false; what a loop takes from outside
 * is the same in all its iterations; what it counts by follows from where it started; a sum follows
 * from what is added, and what is loaded from the address, where nobody stores to the memory. So
 * the caller makes whole arrays of tokens (loom_kernel.h, "Columns"), in loops that have nothing
 * else to do, and the kernel stores only
 *
 *     carries, muxes, loads from memories that are stored to, and operations that may trap or that
 *       the caller cannot do
 *     the data of stores, whatever they follow from: what the program writes is told by the kernel
 *       itself
 *
 * So what is not told still has to be right: a wrong address shows in what is loaded, carried or
 * stored after it.
 *
 * With --accesses, too, only the tokens of loads and stores are told, and arrays are there for
 * those alone and for what they follow from.
 *
 * Every array belongs to the table of one domain (columns.h). In the body of a loop all values of
 * its iteration lie in one row, those of its tests too, for those came first. Of the last test of a
 * burst, which has no row, each value is stored at the loop's exit. What the loop's own tokens are
 * (N + 1 a burst) is put together from both. */
#include "columns.h"

static uint32_t add_array(Columns *c, Array array) {
  uint32_t id = c->count;
  if (c->count == c->most) {
    c->v->m->status = LOOM_ERROR;
    return 0;
  }
  c->count++;
  array.last = array.slot = array.rows_at = array.burst_at = NONE;
  array.next_in_table = array.next_of_root = NONE;
  c->arrays[id] = array;
  if (array.kind == ARRAY_FILLED) {
    c->arrays[id].next_of_root = c->first_filled;
    c->first_filled = id;
    return id;
  }
  if (array.root != NONE) {
    c->arrays[id].next_of_root = c->first_of_root[array.root];
    c->first_of_root[array.root] = id;
  }
  if (c->last_in_table[array.table] == NONE)
    c->first_in_table[array.table] = id;
  else
    c->arrays[c->last_in_table[array.table]].next_in_table = id;
  c->last_in_table[array.table] = id;
  return id;
}

static uint32_t find_array(const Columns *c, uint32_t root, uint32_t table) {
  uint32_t id = c->first_of_root[root];
  while (id != NONE && c->arrays[id].table != table) id = c->arrays[id].next_of_root;
  return id;
}

static uint32_t filled(Columns *c, uint32_t root) {
  const Values *v = c->v;
  uint32_t id;
  for (id = c->first_filled; id != NONE; id = c->arrays[id].next_of_root) {
    uint32_t other = c->arrays[id].root;
    if (strcmp(v->literal[other], v->literal[root]) == 0 &&
        strcmp(csim_type(v, other), csim_type(v, root)) == 0)
      return id;
  }
  return add_array(c, (Array){.kind = ARRAY_FILLED, .root = root, .table = NONE});
}

/* True where a root stays what it is while a loop runs. */
static int is_outside(const Plan *p, uint32_t root, uint32_t level) {
  uint32_t other = level_of(p, p->domain_of[root]);
  return other != level && is_under(p, level, other);
}

static int can_derive(const Columns *c, uint32_t root) {
  const Values *v = c->v;
  const Plan *p = v->p;
  const loom_c *texts = v->m->c;
  return kind_of(p, root) == NODE_PURE && !c->is_written[root] &&
         texts->in_bulk(v->m->design, p->results[root].node);
}

/* Where not all tokens are told, what follows from others by several operations is cheaper to store
 * than to work out, a column for each of them. */
static int is_derived(const Columns *c, uint32_t root) {
  const Plan *p = c->v->p;
  uint32_t n = p->results[root].node, k, operand;
  if (!can_derive(c, root)) return 0;
  if (c->v->m->histories == CSIM_ALL_HISTORIES) return 1;
  for (k = 0; k < p->nodes[n].operand_count; k++) {
    operand = c->v->root[p->inputs[n][k]];
    if (p->domain_of[operand] == p->domain_of[root] && can_derive(c, operand)) return 0;
  }
  return 1;
}

/* The kernel must have a value that it stores, in a row or at the start or end of a burst. */
static int is_kept(const Columns *c, const Array *a) {
  return a->kind == ARRAY_STORED || has_start(a) || has_end(c, a);
}

/* The tokens of result r stand in this array, or others follow from it. */
static void keep(Columns *c, uint32_t r, uint32_t id) {
  if (is_kept(c, &c->arrays[id])) c->v->p->is_recorded[r] = 1;
}

/* Operands of a derived root, as `array_in` gives them. */
static Array derived(Columns *c, uint32_t root, uint32_t table,
                     uint32_t (*array_in)(Columns *, uint32_t, uint32_t)) {
  const Plan *p = c->v->p;
  uint32_t n = p->results[root].node, k;
  Array array = {.kind = ARRAY_DERIVED, .root = root, .table = table};
  for (k = 0; k < p->nodes[n].operand_count && k < 3; k++) {
    array.from[k] = array_in(c, c->v->root[p->inputs[n][k]], table);
    keep(c, p->inputs[n][k], array.from[k]);
  }
  return array;
}

/* The result that is the address of a load that follows from it; NONE: it is none. */
static uint32_t loaded_at(const Columns *c, uint32_t root) {
  const Plan *p = c->v->p;
  uint32_t n = p->results[root].node;
  Port port;
  if (kind_of(p, root) != NODE_MEMORY || c->is_changed[p->nodes[n].memory] ||
      (p->memories[p->nodes[n].memory].is_dynamic &&
       p->memories[p->nodes[n].memory].argument == NONE) ||
      !csim_port(p, n, root - p->nodes[n].first_result, &port) || port.data != NONE ||
      type_of(p, port.address)->bits % 32 != 0)
    return NONE;
  return port.address;
}

static uint32_t loaded(Columns *c, uint32_t root, uint32_t table,
                       uint32_t (*array_in)(Columns *, uint32_t, uint32_t)) {
  uint32_t at = loaded_at(c, root), addresses = array_in(c, c->v->root[at], table);
  keep(c, at, addresses);
  return add_array(
      c,
      (Array){.kind = ARRAY_LOADED, .root = root, .table = table, .from = {addresses, NONE, NONE}});
}

static int is_sum(const char *op) {
  return strcmp(op, "arith.addi") == 0 || strcmp(op, "index.add") == 0;
}
static int is_difference(const char *op) {
  return strcmp(op, "arith.subi") == 0 || strcmp(op, "index.sub") == 0;
}

/* True of a state of a loop that goes on by a literal in each iteration: what it starts with, and
 * how it goes on. */
static int is_counter(const Columns *c, uint32_t root, uint32_t level, uint32_t *start,
                      uint64_t *step) {
  const Values *v = c->v;
  const Plan *p = v->p;
  uint32_t n = p->results[root].node, bits = type_of(p, root)->bits, next, by;
  const uint32_t *in = p->inputs[n];
  int falls;
  if (p->domain_of[root] != level || (bits != 8 && bits != 16 && bits != 32 && bits != 64) ||
      is_float(p, root) || type_of(p, root)->kind == LOOM_IEEE)
    return 0;
  if (p->kinds[n] == NODE_STREAM && root == p->nodes[n].first_result) {
    *start = v->root[in[0]];
    by = v->root[in[1]];
    falls = strcmp(p->nodes[n].step_op, "-=") == 0;
    if (!falls && strcmp(p->nodes[n].step_op, "+=") != 0) return 0;
  } else if (p->kinds[n] == NODE_CARRY) {
    *start = v->root[in[1]];
    next = v->root[in[2]];
    if (kind_of(p, next) != NODE_PURE || p->domain_of[next] != p->domains[level].body) return 0;
    in = p->inputs[p->results[next].node];
    falls = is_difference(p->nodes[p->results[next].node].op_name);
    if (!falls && !is_sum(p->nodes[p->results[next].node].op_name)) return 0;
    by = v->root[in[1]];
    if (v->root[in[0]] != root) {
      if (falls || by != root) return 0;
      by = v->root[in[0]];
    }
  } else {
    return 0;
  }
  if (!v->literal[by]) return 0;
  *step = p->nodes[p->results[by].node].literal;
  if (falls) *step = 0 - *step;
  return 1;
}

static uint32_t counted(Columns *c, uint32_t root, uint32_t body, uint32_t start, uint64_t step) {
  Array array = {.kind = ARRAY_COUNTED, .root = root, .table = body, .step = step};
  array.from[0] = c->v->literal[start] ? filled(c, start) : NONE;
  array.from[1] = array.from[2] = NONE;
  return add_array(c, array);
}

/* The array of a root with one token a row of a body or branch. */
static uint32_t rows_of(Columns *c, uint32_t root, uint32_t d) {
  const Plan *p = c->v->p;
  uint32_t id = find_array(c, root, d), start;
  uint64_t step;
  if (id != NONE) return id;
  if (d != 0 && c->v->literal[root]) return filled(c, root);
  if (is_body(p, d) && is_outside(p, root, level_of(p, d)))
    return add_array(c, (Array){.kind = ARRAY_SPREAD, .root = root, .table = d});
  if (d != 0 && p->domain_of[root] == d && is_derived(c, root))
    return add_array(c, derived(c, root, d, rows_of));
  if (d != 0 && p->domain_of[root] == d && loaded_at(c, root) != NONE)
    return loaded(c, root, d, rows_of);
  if (is_body(p, d) && is_counter(c, root, level_of(p, d), &start, &step))
    return counted(c, root, d, start, step);
  return add_array(c, (Array){.kind = ARRAY_STORED, .root = root, .table = d});
}

/* The array of a root with all tokens of a loop. */
static uint32_t whole_of(Columns *c, uint32_t root, uint32_t d) {
  const Plan *p = c->v->p;
  uint32_t id = find_array(c, root, d), rows;
  if (id != NONE) return id;
  if (c->v->literal[root]) return filled(c, root);
  if (is_outside(p, root, d))
    return add_array(c, (Array){.kind = ARRAY_SPREAD_WHOLE, .root = root, .table = d});
  if (root == c->v->root[p->domains[d].condition])
    return add_array(c, (Array){.kind = ARRAY_MORE, .root = root, .table = d});
  if (p->domain_of[root] == d && !c->is_passed[root] && is_derived(c, root))
    return add_array(c, derived(c, root, d, whole_of));
  if (p->domain_of[root] == d && !c->is_passed[root] && loaded_at(c, root) != NONE)
    return loaded(c, root, d, whole_of);
  rows = rows_of(c, root, p->domains[d].body);
  return add_array(
      c, (Array){.kind = ARRAY_WHOLE, .root = root, .table = d, .from = {rows, NONE, NONE}});
}

/* The array of a late result: of its loop. */
static uint32_t again_of(Columns *c, uint32_t level) {
  uint32_t id = c->first_in_table[level];
  while (id != NONE && c->arrays[id].kind != ARRAY_AGAIN) id = c->arrays[id].next_in_table;
  if (id != NONE) return id;
  return add_array(c, (Array){.kind = ARRAY_AGAIN, .root = NONE, .table = level});
}

/* What the body of a loop takes of its tests, and what is stored. */
static void find_passed(Columns *c) {
  const Values *v = c->v;
  const Plan *p = v->p;
  uint32_t r;
  Port port;
  for (r = 0; r < p->result_count; r++) {
    uint32_t n = p->results[r].node, d = p->domain_of[r], root = v->root[r];
    if (d == NONE) continue;
    if (has_data(p, r) && is_body(p, d) && p->domain_of[root] == level_of(p, d))
      c->is_passed[root] = 1;
    if (p->kinds[n] != NODE_MEMORY || !csim_port(p, n, r - p->nodes[n].first_result, &port))
      continue;
    if (port.data == NONE) continue;
    c->is_written[v->root[port.data]] = 1;
    c->is_changed[p->nodes[n].memory] = 1;
  }
}

static void choose_array(Columns *c, uint32_t r) {
  Plan *p = c->v->p;
  uint32_t d = p->domain_of[r], root = c->v->root[r], id;
  if (!p->is_told[r] || !has_data(p, r) || d == NONE || p->is_late[r] == 1) return;
  if (p->is_late[r] == 2)
    id = again_of(c, level_of(p, d));
  else
    id = is_looped(p, d) ? whole_of(c, root, d) : rows_of(c, root, d);
  c->array_of[r] = id;
  keep(c, r, id);
}

Columns *csim_columns_make(Values *v) {
  Csim *m = v->m;
  Plan *p = v->p;
  Columns *c = csim_alloc(m, 1, sizeof *c);
  uint32_t i, n = p->result_count;
  if (!c) return NULL;
  c->v = v;
  c->most = 3 * n + 2 * p->domain_count;
  c->arrays = csim_alloc(m, c->most, sizeof *c->arrays);
  c->array_of = csim_alloc(m, n, sizeof *c->array_of);
  c->first_of_root = csim_alloc(m, n, sizeof *c->first_of_root);
  c->first_in_table = csim_alloc(m, p->domain_count, sizeof *c->first_in_table);
  c->last_in_table = csim_alloc(m, p->domain_count, sizeof *c->last_in_table);
  c->is_passed = csim_alloc(m, n, 1);
  c->is_written = csim_alloc(m, n, 1);
  c->is_changed = csim_alloc(m, m->dfg->memory_count(m->design), 1);
  p->is_recorded = csim_alloc(m, n, 1);
  if (m->status != LOOM_OK) return NULL;
  c->first_filled = NONE;
  for (i = 0; i < n; i++) c->array_of[i] = c->first_of_root[i] = NONE;
  for (i = 0; i < p->domain_count; i++) c->first_in_table[i] = c->last_in_table[i] = NONE;
  find_passed(c);
  /* in the plan's order operands come first: what is derived finds their arrays there */
  for (i = 0; i < p->item_count; i++)
    if (p->order[i] < n) choose_array(c, p->order[i]);
  for (i = 0; i < n; i++) choose_array(c, i);
  return m->status == LOOM_OK ? c : NULL;
}
