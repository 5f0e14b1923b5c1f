/* plan.c -- reads a proved graph and orders its items (plan.h) within loops and branches.
 *
 * The order is topological (Kahn, "Topological sorting of large networks", 1962), level by level.
 *
 * Edges. An item has an edge from each item that it needs. Where the two are in different levels,
 * an edge joins their representatives in the innermost level around both: the item itself, or the
 * loop that it is in. So a loop comes after all items that its inside needs, and before those that
 * use results of its inside.
 *
 * Choice among ready items. To open few branches, prefer one in the open branch, then one in its
 * else, then one that closes the fewest branches. That is greedy: a branch may be opened twice
 * (Plan.openings). The body of a loop comes after its test, unless the test needs some of it
 * (Plan.is_early). The ready items of a branch are a stack, so uses tend to follow their values.
 *
 * Cost: linear in edges times the depth of branches; and, where no branch around has a ready item,
 * a scan of all branches of the level.
 *
 * An item that is never ready means that a level waits for itself. The proof's last condition
 * ("each loop can run in one go") excludes that but for one case, a loop's condition that also
 * chooses in a mux of the loop's test. That is refused. */
#include "plan.h"

#include <string.h>

/* Values are variables of one function. Even without any optimisation they must fit the stack,
 * whose usual limit is 8 MiB. */
enum { MAX_NODES = 100000 };

/* ---- reading --------------------------------------------------------------------------------- */

static const struct {
  const char *op;
  NodeKind kind;
} kinds[] = {
    {"handshake.func", NODE_ARGUMENT},     {"handshake.return", NODE_RETURN},
    {"handshake.constant", NODE_CONSTANT}, {"handshake.cond_br", NODE_COND_BR},
    {"handshake.mux", NODE_MUX},           {"handshake.join", NODE_JOIN},
    {"handshake.fork", NODE_COPY},         {"handshake.lazy_fork", NODE_COPY},
    {"handshake.buffer", NODE_COPY},       {"handshake.br", NODE_COPY},
    {"handshake.sync", NODE_SYNC},         {"handshake.sink", NODE_SINK},
    {"handshake.load", NODE_LOAD},         {"handshake.store", NODE_STORE},
    {"handshake.memory", NODE_MEMORY},     {"handshake.extmemory", NODE_MEMORY},
    {"dataflow.stream", NODE_STREAM},      {"dataflow.gate", NODE_GATE},
    {"dataflow.carry", NODE_CARRY},        {"dataflow.invariant", NODE_INVARIANT},
};

/* The graph cannot be loop code: keeps the first reason. */
static void refuse(Plan *p, const char *why) {
  if (!p->why) p->why = why;
}

static void read_kind(Plan *p, uint32_t n) {
  Csim *m = p->m;
  const loom_node *node = &p->nodes[n];
  for (uint32_t i = 0; i < LOOM_COUNT(kinds); i++)
    if (strcmp(kinds[i].op, node->op_name) == 0) p->kinds[n] = (unsigned char)kinds[i].kind;
  if (p->kinds[n] == NODE_OTHER && m->c->is_pure(m->design, n)) p->kinds[n] = NODE_PURE;
  if (p->kinds[n] == NODE_OTHER)
    refuse(p, csim_format(m, "it has the operation %s", node->op_name));
  if (p->kinds[n] == NODE_COPY && node->initial_count) refuse(p, "a buffer starts with tokens");
  if (p->kinds[n] == NODE_MUX) p->muxes[p->mux_count] = n, p->mux_number[n] = p->mux_count++;
  if (p->kinds[n] == NODE_MUX && node->operand_count != 3)
    refuse(p, "a mux has more than two inputs");
}

static void read_graph(Plan *p) {
  Csim *m = p->m;
  uint32_t memories = m->dfg->memory_count(m->design), types = m->dfg->type_count(m->design);
  p->node_count = m->dfg->node_count(m->design);
  p->result_count = m->dfg->result_count(m->design);
  p->domain_count = m->domains->domain_count(m->design);
  p->nodes = csim_alloc(m, p->node_count, sizeof *p->nodes);
  p->kinds = csim_alloc(m, p->node_count, sizeof *p->kinds);
  p->inputs = csim_alloc(m, p->node_count, sizeof *p->inputs);
  p->is_split = csim_alloc(m, p->node_count, sizeof *p->is_split);
  p->mux_number = csim_alloc(m, p->node_count, sizeof *p->mux_number);
  p->muxes = csim_alloc(m, p->node_count, sizeof *p->muxes);
  p->results = csim_alloc(m, p->result_count, sizeof *p->results);
  p->domain_of = csim_alloc(m, p->result_count, sizeof *p->domain_of);
  p->is_late = csim_alloc(m, p->result_count, sizeof *p->is_late);
  p->is_observed = csim_alloc(m, p->result_count, 1);
  p->types = csim_alloc(m, types, sizeof *p->types);
  p->memories = csim_alloc(m, memories, sizeof *p->memories);
  p->domains = csim_alloc(m, p->domain_count, sizeof *p->domains);
  if (p->node_count > MAX_NODES) refuse(p, "it has more than 100000 nodes");
  for (uint32_t i = 0; i < types; i++) m->dfg->type(m->design, i, &p->types[i], sizeof p->types[i]);
  for (uint32_t i = 0; i < memories; i++) {
    m->dfg->memory(m->design, i, &p->memories[i], sizeof p->memories[i]);
    if (p->memories[i].address_count != 1) refuse(p, "a memory takes several indices");
  }
  for (uint32_t i = 0; i < p->result_count; i++) {
    m->dfg->result(m->design, i, &p->results[i], sizeof p->results[i]);
    p->domain_of[i] = m->domains->of_result(m->design, i);
    if (has_data(p, i) && !m->c->type_name(m->design, p->results[i].type))
      refuse(p, "it has values of a tuple type");
  }
  for (uint32_t i = 0; i < p->node_count; i++) {
    loom_node *node = &p->nodes[i];
    m->dfg->node(m->design, i, node, sizeof *node);
    read_kind(p, i);
    p->inputs[i] = csim_alloc(m, node->operand_count, sizeof **p->inputs);
    for (uint32_t k = 0; k < node->operand_count; k++) {
      loom_edge edge;
      m->dfg->edge(m->design, node->operands[k], &edge, sizeof edge);
      p->inputs[i][k] = edge.result;
    }
  }
}

uint32_t csim_identity(const Plan *p, uint32_t result) {
  while (p->kinds[p->results[result].node] == NODE_COPY)
    result = p->inputs[p->results[result].node][0];
  return result;
}

/* Is it a gate's second result, which tells whether there is a next iteration? */
static int is_late_condition(const Plan *p, uint32_t result) {
  uint32_t node = p->results[result].node;
  return p->kinds[node] == NODE_GATE && result == p->nodes[node].first_result + 1;
}

/* Finds levels, bodies, opposites, which domains are late and which are used. A parent's id is
 * below its child's. */
static void read_domains(Plan *p) {
  uint32_t *last_of = csim_alloc(p->m, p->domain_count, sizeof *last_of); /* by parent: a branch */
  for (uint32_t i = 0; i < p->domain_count; i++) {
    Domain *d = &p->domains[i], *up;
    loom_domain from;
    p->m->domains->domain(p->m->design, i, &from, sizeof from);
    d->kind = from.kind;
    d->condition = from.condition;
    d->parent = from.kind == LOOM_ONCE ? NONE : from.parent;
    d->body = d->opposite = NONE;
    if (d->kind == LOOM_ONCE) continue;
    up = &p->domains[d->parent];
    d->level = d->kind == LOOM_BURST ? i : up->level;
    d->outer = up->level;
    d->depth = d->kind == LOOM_BURST ? p->domains[up->level].depth + 1 : 0;
    d->is_late = up->is_late || is_late_condition(p, d->condition);
    if (d->kind == LOOM_TRUE && up->kind == LOOM_BURST && up->condition == d->condition)
      up->body = i;
  }
  /* Opposites: each branch is compared with the last one of its parent only, which finds most; one
   * that is missed is written as an if of its own. */
  for (uint32_t i = 0; i < p->domain_count; i++) {
    Domain *d = &p->domains[i];
    uint32_t other;
    if (d->kind != LOOM_TRUE && d->kind != LOOM_FALSE) continue;
    other = last_of[d->parent];
    if (other && p->domains[other].condition == d->condition && p->domains[other].kind != d->kind) {
      d->opposite = other;
      p->domains[other].opposite = i;
    }
    last_of[d->parent] = i;
  }
  for (uint32_t i = 0; i < p->result_count; i++) {
    uint32_t d;
    if (p->domain_of[i] == NONE) continue;
    for (d = p->domain_of[i]; d != NONE && !p->domains[d].is_used; d = p->domains[d].parent)
      p->domains[d].is_used = 1;
  }
}

/* ---- late results ---------------------------------------------------------------------------- */

/* May a late condition be this operand? It must not be needed before the next iteration. */
static int takes_late(const Plan *p, uint32_t node, uint32_t operand) {
  switch (p->kinds[node]) {
  case NODE_CARRY:
  case NODE_INVARIANT:
  case NODE_COND_BR: return operand == 0;
  case NODE_COPY:
  case NODE_SINK: return 1;
  default: return 0;
  }
}

/* Marks late results (plan.h), and refuses graphs that use them for more than counting
 * iterations. */
static void find_late(Plan *p) {
  for (uint32_t d = 0; d < p->domain_count; d++) {
    const Domain *at = &p->domains[d], *up;
    uint32_t gate, c;
    if (!at->is_late || !at->is_used || at->kind == LOOM_ONCE) continue;
    up = &p->domains[at->parent];
    gate = p->results[at->condition].node;
    c = p->kinds[gate] == NODE_GATE ? csim_identity(p, p->inputs[gate][1]) : NONE;
    if (at->kind == LOOM_BURST || up->is_late || up->kind != LOOM_TRUE || up->condition != c ||
        p->domains[up->parent].kind != LOOM_BURST || p->domains[up->parent].condition != c)
      refuse(p, "more than a counter depends on whether there is a next iteration");
  }
  for (uint32_t i = 0; i < p->result_count; i++) {
    if (p->domain_of[i] == NONE) continue;
    if (p->domains[p->domain_of[i]].is_late) {
      p->is_late[i] = LATE_DOMAIN;
      if (has_data(p, i)) refuse(p, "data depends on whether there is a next iteration");
      if (p->kinds[p->results[i].node] == NODE_MEMORY)
        refuse(p, "a memory access depends on whether there is a next iteration");
    } else if (is_late_condition(p, csim_identity(p, i))) {
      p->is_late[i] = LATE_CONDITION;
    }
  }
  for (uint32_t i = 0; i < p->node_count; i++)
    for (uint32_t k = 0; k < p->nodes[i].operand_count; k++) {
      uint32_t from = p->inputs[i][k];
      if (p->is_late[from] == LATE_CONDITION && !takes_late(p, i, k))
        refuse(p, "whether there is a next iteration is used as data");
    }
  for (uint32_t d = 0; d < p->domain_count; d++) {
    const Domain *at = &p->domains[d];
    uint32_t c;
    if (at->kind != LOOM_BURST || !at->is_used) continue;
    c = p->domain_of[at->condition];
    if (c != d) refuse(p, "the condition of a loop is computed outside the loop");
  }
  /* a carry whose condition is late gets its next value late */
  for (uint32_t i = 0; i < p->node_count; i++)
    if (p->kinds[i] == NODE_CARRY && p->is_late[p->inputs[i][0]] &&
        has_data(p, p->nodes[i].first_result))
      refuse(p, "data depends on whether there is a next iteration");
}

/* ---- needs ----------------------------------------------------------------------------------- */

int csim_port(const Plan *p, uint32_t n, uint32_t which, Port *port) {
  const loom_memory *memory = &p->memories[p->nodes[n].memory];
  uint32_t stores = memory->store_count, loads = memory->load_count;
  if (which >= loads + stores) return 0;
  if (which < loads) {
    port->port = stores + which;
    port->data = NONE;
    port->address = p->inputs[n][2 * stores + which];
  } else {
    port->port = which - loads;
    port->data = p->inputs[n][2 * port->port];
    port->address = p->inputs[n][2 * port->port + 1];
  }
  port->node = memory->ports[port->port] == NONE ? n : memory->ports[port->port];
  return 1;
}

typedef struct Sorter {
  Plan *p;
  uint32_t *head, *to, *next; /* by item: list of its edges, 1 + edge, 0 ends; by edge */
  uint32_t *waits;            /* by item: edges to it from items that have no place yet */
  uint32_t edges;
  int counting;                 /* first pass: only count edges, to allocate them */
  uint32_t *ready, *next_ready; /* by domain, by item: stacks of ready items; NONE ends */
} Sorter;

/* The item of a level around that of `item` that contains it: a loop, or `item` itself. */
static uint32_t item_in_level(const Plan *p, uint32_t item, uint32_t level) {
  uint32_t at = level_of(p, p->item_domain[item]), inner = NONE;
  while (at != level) inner = at, at = p->domains[at].outer;
  return inner == NONE ? item : loop_item(p, inner);
}

/* The innermost level around both. */
static uint32_t common_level(const Plan *p, uint32_t a, uint32_t b) {
  while (a != b)
    if (p->domains[a].depth >= p->domains[b].depth)
      a = p->domains[a].outer;
    else
      b = p->domains[b].outer;
  return a;
}

static void add_edge(Sorter *s, uint32_t from, uint32_t to) {
  Plan *p = s->p;
  uint32_t level;
  if (s->counting) {
    s->edges++;
    return;
  }
  level = common_level(p, level_of(p, p->item_domain[from]), level_of(p, p->item_domain[to]));
  from = item_in_level(p, from, level);
  to = item_in_level(p, to, level);
  if (from == to) return;
  s->to[s->edges] = to;
  s->next[s->edges] = s->head[from];
  s->head[from] = ++s->edges;
  s->waits[to]++;
}

/* Result (or arm) `r` needs result `from`. Late results are not ordered. */
static void add_need(Sorter *s, uint32_t from, uint32_t r) {
  if (!s->p->is_late[from]) add_edge(s, from, r);
}

static void add_needs(Sorter *s, uint32_t r) {
  Plan *p = s->p;
  uint32_t n = p->results[r].node, first = p->nodes[n].first_result, which = r - first;
  const uint32_t *in = p->inputs[n];
  Port port;
  switch (p->kinds[n]) {
  case NODE_LOAD: /* data from the memory -> data; addresses and control -> addresses */
    for (uint32_t k = 0; k < p->nodes[n].operand_count; k++)
      if ((k + 2 == p->nodes[n].operand_count) == (which == 0)) add_need(s, in[k], r);
    break;
  case NODE_MEMORY:
    if (!csim_port(p, n, which, &port)) { /* the done of a load comes with its data */
      add_need(s,
               r - p->memories[p->nodes[n].memory].load_count -
                   p->memories[p->nodes[n].memory].store_count,
               r);
      break;
    }
    if (port.data != NONE) add_need(s, port.data, r);
    add_need(s, port.address, r);
    break;
  case NODE_CARRY:
  case NODE_INVARIANT: add_need(s, in[1], r); break;
  case NODE_STREAM:
    for (uint32_t k = 0; k < 3; k++) add_need(s, in[k], r);
    if (which == 1) add_need(s, first, r);
    break;
  case NODE_MUX:
    for (uint32_t k = 0; k < 3; k++) add_need(s, in[k], r);
    for (uint32_t k = 0; p->is_split[n] && k < 2; k++) {
      add_need(s, in[0], arm_item(p, n, k));
      add_need(s, in[1 + k], arm_item(p, n, k));
      add_edge(s, arm_item(p, n, k), r);
    }
    break;
  default:
    for (uint32_t k = 0; k < p->nodes[n].operand_count; k++) add_need(s, in[k], r);
  }
  if (p->is_observed[r]) {
    const Domain *d = &p->domains[p->domain_of[r]];
    add_edge(s, r, record_item(p, p->domain_of[r]));
    if (d->kind == LOOM_BURST && d->body != NONE) add_edge(s, r, record_item(p, d->body));
  }
}

/* Ids that are no items have no domain. */
static int is_item(const Plan *p, uint32_t item) {
  return p->item_domain[item] != NONE;
}

static void place_items(Plan *p) {
  for (uint32_t i = 0; i < p->item_count; i++) p->item_domain[i] = NONE;
  for (uint32_t i = 0; i < p->result_count; i++)
    if (!p->is_late[i]) p->item_domain[i] = p->domain_of[i];
  for (uint32_t i = 0; i < p->domain_count; i++) {
    if (!p->domains[i].is_used || p->domains[i].is_late) continue;
    if (p->domains[i].kind == LOOM_BURST) p->item_domain[loop_item(p, i)] = p->domains[i].parent;
    if (p->m->histories) p->item_domain[record_item(p, i)] = i;
  }
  for (uint32_t i = 0; i < p->node_count; i++)
    if (p->is_split[i]) {
      p->item_domain[arm_item(p, i, 0)] = p->domain_of[p->inputs[i][1]];
      p->item_domain[arm_item(p, i, 1)] = p->domain_of[p->inputs[i][2]];
    }
}

/* A mux becomes if/else where one of its branches has effects (accesses, traps, loops), and so is
 * written as a branch in any case. */
static void choose_splits(Plan *p) {
  char *has_effect = csim_alloc(p->m, p->domain_count, 1);
  Port port;
  for (uint32_t i = 0; i < p->result_count; i++) {
    uint32_t n = p->results[i].node;
    if (p->domain_of[i] == NONE || p->is_late[i]) continue;
    if ((p->kinds[n] == NODE_MEMORY && csim_port(p, n, i - p->nodes[n].first_result, &port)) ||
        (p->kinds[n] == NODE_PURE && p->m->c->may_trap(p->m->design, n)))
      has_effect[p->domain_of[i]] = 1;
  }
  for (uint32_t d = p->domain_count; d-- > 1;) {
    if (!p->domains[d].is_used) continue;
    if (has_effect[d] || p->domains[d].kind == LOOM_BURST) has_effect[p->domains[d].parent] = 1;
  }
  for (uint32_t i = 0; i < p->node_count; i++) {
    uint32_t r = p->nodes[i].first_result;
    if (p->kinds[i] != NODE_MUX || p->is_late[r] || !has_data(p, r)) continue;
    for (uint32_t side = 0; side < 2; side++)
      if (has_effect[p->domain_of[p->inputs[i][1 + side]]]) p->is_split[i] = 1;
  }
}

/* ---- sorting --------------------------------------------------------------------------------- */

static void make_ready(Sorter *s, uint32_t item) {
  uint32_t d = s->p->item_domain[item];
  s->next_ready[item] = s->ready[d];
  s->ready[d] = item;
}

/* A domain of the level with a ready item, the nearest to `at`: that, its else, then the same of
 * each one around it, then any. Not `except` or one below. NONE: there is none. `list`: the level's
 * `n` domains. */
static uint32_t choose_domain(const Sorter *s, uint32_t at, const uint32_t *list, uint32_t n,
                              uint32_t level, uint32_t except) {
  const Plan *p = s->p;
  for (uint32_t d = at;; d = p->domains[d].parent) {
    uint32_t other = p->domains[d].opposite;
    if (except == NONE || !is_under(p, d, except)) {
      if (s->ready[d] != NONE) return d;
      if (d != level && other != NONE && s->ready[other] != NONE &&
          (except == NONE || !is_under(p, other, except)))
        return other;
    }
    if (d == level) break;
  }
  for (uint32_t i = 0; i < n; i++)
    if (s->ready[list[i]] != NONE && (except == NONE || !is_under(p, list[i], except)))
      return list[i];
  return NONE;
}

/* Counts the branches that are opened on the way from one domain to another, up to `base`. */
static void count_openings(Plan *p, uint32_t from, uint32_t to, uint32_t base) {
  for (; to != base && !is_under(p, from, to); to = p->domains[to].parent) {
    uint32_t other = p->domains[to].opposite;
    p->openings[to]++;
    if (other == NONE || !is_under(p, from, other)) p->tests[to]++;
  }
}

/* Orders the `tests` items of a loop's test and the `body_items` of its body. The second part of
 * the order, from middle[level], has the body's items that did not have to come early. */
static void sort_level(Sorter *s, uint32_t level, const uint32_t *list, uint32_t n, uint32_t tests,
                       uint32_t body_items, uint32_t *at_order) {
  Plan *p = s->p;
  uint32_t body = p->domains[level].kind == LOOM_BURST ? p->domains[level].body : NONE;
  uint32_t at = level, base = level;
  p->first[level] = *at_order;
  while (tests || body_items) {
    uint32_t d, item;
    if (!tests && base == level && body != NONE) {
      p->middle[level] = *at_order;
      at = base = body;
    }
    d = choose_domain(s, at, list, n, level, tests ? body : NONE);
    if (d == NONE && tests) d = choose_domain(s, at, list, n, level, NONE);
    if (d == NONE) {
      refuse(p, "the test of a loop depends on the end of the loop");
      return;
    }
    item = s->ready[d];
    s->ready[d] = s->next_ready[item];
    if (body != NONE && is_under(p, d, body)) {
      if (tests) p->is_early[level] = 1;
      body_items--;
    } else {
      tests--;
    }
    count_openings(p, at, d, base);
    at = d;
    p->order[(*at_order)++] = item;
    for (uint32_t e = s->head[item]; e; e = s->next[e - 1])
      if (--s->waits[s->to[e - 1]] == 0) make_ready(s, s->to[e - 1]);
  }
  if (base == level) p->middle[level] = *at_order;
  p->end[level] = *at_order;
}

static void sort_all(Sorter *s) {
  Plan *p = s->p;
  uint32_t at = 0, n = p->domain_count;
  uint32_t *tests = csim_alloc(p->m, n, sizeof *tests),
           *bodies = csim_alloc(p->m, n, sizeof *bodies);
  uint32_t *first = csim_alloc(p->m, n + 1, sizeof *first),
           *list = csim_alloc(p->m, n, sizeof *list);
  for (uint32_t i = 0; i < p->item_count; i++) {
    uint32_t level, body;
    if (!is_item(p, i)) continue;
    level = level_of(p, p->item_domain[i]);
    body = p->domains[level].kind == LOOM_BURST ? p->domains[level].body : NONE;
    if (body != NONE && is_under(p, p->item_domain[i], body))
      bodies[level]++;
    else
      tests[level]++;
  }
  for (uint32_t i = p->item_count; i-- > 0;)
    if (is_item(p, i) && s->waits[i] == 0) make_ready(s, i);
  /* the domains of each level, in a row */
  for (uint32_t d = 0; d < n; d++) first[level_of(p, d) + 1]++;
  for (uint32_t d = 0; d < n; d++) first[d + 1] += first[d];
  for (uint32_t d = 0; d < n; d++) list[first[level_of(p, d)]++] = d;
  for (uint32_t d = n; d > 0; d--) first[d] = first[d - 1];
  first[0] = 0;
  for (uint32_t d = 0; d < n && !p->why; d++)
    if (level_of(p, d) == d && (d == 0 || (p->domains[d].is_used && !p->domains[d].is_late)))
      sort_level(s, d, list + first[d], first[d + 1] - first[d], tests[d], bodies[d], &at);
}

static void sort_items(Plan *p) {
  Csim *m = p->m;
  Sorter s = {.p = p};
  p->item_count = p->result_count + 2 * p->domain_count + 2 * p->mux_count;
  p->item_domain = csim_alloc(m, p->item_count, sizeof *p->item_domain);
  p->order = csim_alloc(m, p->item_count, sizeof *p->order);
  p->first = csim_alloc(m, p->domain_count, sizeof *p->first);
  p->middle = csim_alloc(m, p->domain_count, sizeof *p->middle);
  p->end = csim_alloc(m, p->domain_count, sizeof *p->end);
  p->openings = csim_alloc(m, p->domain_count, sizeof *p->openings);
  p->tests = csim_alloc(m, p->domain_count, sizeof *p->tests);
  p->is_early = csim_alloc(m, p->domain_count, sizeof *p->is_early);
  s.head = csim_alloc(m, p->item_count, sizeof *s.head);
  s.waits = csim_alloc(m, p->item_count, sizeof *s.waits);
  s.ready = csim_alloc(m, p->domain_count, sizeof *s.ready);
  s.next_ready = csim_alloc(m, p->item_count, sizeof *s.next_ready);
  choose_splits(p);
  place_items(p);
  for (uint32_t i = 0; i < p->domain_count; i++) s.ready[i] = NONE;
  for (s.counting = 1;; s.counting = 0) {
    for (uint32_t i = 0; i < p->result_count; i++)
      if (is_item(p, i)) add_needs(&s, i);
    if (!s.counting) break;
    s.to = csim_alloc(m, s.edges, sizeof *s.to);
    s.next = csim_alloc(m, s.edges, sizeof *s.next);
    s.edges = 0;
  }
  sort_all(&s);
}

/* Which results' tokens are recorded: all; or, for each access, its address and its data. */
static void choose_observed(Plan *p) {
  Port port;
  for (uint32_t i = 0; i < p->result_count; i++) {
    uint32_t n = p->results[i].node;
    if (p->m->histories == CSIM_ALL_HISTORIES) p->is_observed[i] = 1;
    if (p->m->histories != CSIM_ACCESSES || p->kinds[n] != NODE_MEMORY) continue;
    if (!csim_port(p, n, i - p->nodes[n].first_result, &port)) continue;
    p->is_observed[port.address] = 1;
    p->is_observed[port.data == NONE ? i : port.data] = 1;
  }
}

int csim_plan_make(Plan *p, Csim *m) {
  *p = (Plan){.m = m};
  read_graph(p);
  if (!p->why) read_domains(p);
  if (!p->why) find_late(p);
  if (!p->why) choose_observed(p);
  if (!p->why) sort_items(p);
  return !p->why;
}
