/* columns.c -- with --columns: which tokens are stored, and which follow from those that are.
 *
 *     for %i = 0 to %n iter_args(%s = 0) {        the kernel stores, in each iteration,
 *       %a = load %x[%i]                            i, s and a
 *       %p = muli %a, %k                          in each burst
 *       %t = addi %s, %p                            n, k, and what i and s were in the end
 *       yield %t                                  and its caller works out all the rest
 *     }
 *
 * There are far more edges than values. What enters a loop's body is what its carries hold, but for
 * the last one of each burst; a condition is true until it is false; what a loop takes from outside
 * is the same in all its iterations; a sum follows from what is added. So the caller is asked to
 * *derive* whole arrays of tokens (loom_kernel_run.bursts and .derive), in loops that have nothing
 * else to do, and the kernel stores only
 *
 *     loads, carries, muxes, and operations that may trap or that the caller cannot do
 *     addresses and the data of stores, whatever they follow from: what the program does to memory
 *       is told by the kernel itself
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
  array.last = array.slot = NONE;
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
  return kind_of(p, root) == NODE_PURE && !c->is_observed[root] &&
         texts->in_bulk(v->m->design, p->results[root].node);
}

/* Operands of a derived root, as `array_in` gives them. */
static Array derived(Columns *c, uint32_t root, uint32_t table,
                     uint32_t (*array_in)(Columns *, uint32_t, uint32_t)) {
  const Plan *p = c->v->p;
  uint32_t n = p->results[root].node, k;
  Array array = {.kind = ARRAY_DERIVED, .root = root, .table = table};
  for (k = 0; k < p->nodes[n].operand_count && k < 3; k++)
    array.from[k] = array_in(c, c->v->root[p->inputs[n][k]], table);
  return array;
}

/* The array of a root with one token a row of a body or branch. */
static uint32_t rows_of(Columns *c, uint32_t root, uint32_t d) {
  const Plan *p = c->v->p;
  uint32_t id = find_array(c, root, d);
  if (id != NONE) return id;
  if (d != 0 && c->v->literal[root]) return filled(c, root);
  if (is_body(p, d) && is_outside(p, root, level_of(p, d)))
    return add_array(c, (Array){.kind = ARRAY_SPREAD, .root = root, .table = d});
  if (d != 0 && p->domain_of[root] == d && can_derive(c, root))
    return add_array(c, derived(c, root, d, rows_of));
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
  if (p->domain_of[root] == d && !c->is_passed[root] && can_derive(c, root))
    return add_array(c, derived(c, root, d, whole_of));
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

/* What the body of a loop takes of its tests, and what ports take and give. */
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
    c->is_observed[v->root[port.address]] = 1;
    if (port.data != NONE) c->is_observed[v->root[port.data]] = 1;
  }
}

/* The kernel must have a value that it stores, in a row or at an end of a burst. */
static int is_kept(ArrayKind kind) {
  return kind == ARRAY_STORED || kind == ARRAY_SPREAD || kind == ARRAY_WHOLE ||
         kind == ARRAY_SPREAD_WHOLE;
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
  p->is_recorded[r] = (char)is_kept(c->arrays[id].kind);
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
  c->is_observed = csim_alloc(m, n, 1);
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
