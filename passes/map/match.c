/* match.c -- matches subgraphs of the graph with function units.
 *
 *     fabric.function_unit @mac(%a: i32, %b: i32, %c: i32) -> (i32) [...] {
 *       %m = arith.muli %a, %b : i32
 *       %s = arith.addi %m, %c : i32
 *       %r = fabric.mux %m, %s {...} : i32, i32 -> i32
 *       fabric.yield %r : i32
 *     }
 *
 * This unit is a multiplier (sel = 0: then the adder and %c are not part of it) or a multiplier and
 * adder (sel = 1). One setting of the muxes makes a unit an *effective graph*: everything that a
 * connected result depends on. The number of settings is the product of the muxes' inputs, so they
 * are not enumerated. Instead this is subgraph isomorphism by backtracking (as Ullmann, 1976,
 * without his refinement), led by the graph to be mapped: a node v is matched with an operation of
 * its kind and types, then what feeds v with what feeds the operation, and so on towards the unit's
 * arguments. Each of these pairs is a *goal*. Where a mux is in between, each of its inputs is
 * tried; of a commutative operation both orders; of a join any inputs that suffice. When no goal is
 * left the result is a *match*: nodes, settings, and an edge of the graph for each argument. Then
 * each result that is used outside needs a yield that it reaches through the muxes.
 *
 * Must agree: kind, types, the number of operands, and what the hardware fixes (a stream's
 * step_op). May differ, since it is configured: predicates, literals, cont_cond, the inputs of a
 * join.
 *
 * When several nodes may share a unit. A unit takes its operands all at once and gives its results
 * all at once. That must not cause a deadlock:
 *
 *   - Only nodes that take one token of every operand and give one of every result are matched
 *     together: pure operations, constants, joins; and at the end of a match also cond_br and
 *     store, whose results are not used inside. Dataflow state machines are matched alone, but for
 *     a carry with a branch on the same condition. So the k-th tokens of all operands belong
 *     together; and as every graph of LOOM can run so that all k-th firings come before the k+1-st
 *     ones, the unit can fire after the last of its operands. One mux or load may be in a match,
 *     which takes its operands in groups (match_groups.c).
 *   - The nodes of a match must be convex, and its results must leave the unit: match_whole.c.
 *   - A match may have several ends (a sum and a difference of the same operands) if each takes an
 *     operand that another takes, so that all take as many tokens. Then convexity is checked from
 *     each.
 *
 * Cost: exponential in the choices of a body at worst, but bodies are small and a wrong operand is
 * nearly always found at once; MATCH_STEPS bounds the steps for a body and a node. A match of a
 * single node reaches that bound only in a body with thousands of choices around one operation. */
#include "map/match_state.h"

enum { MAX_ENDS = 4 };

/* ---- the index ------------------------------------------------------------------------------- */

static u64 key_start(u32 kind, u32 nresults) {
  u32 head[2] = {kind, nresults};
  return hash_bytes(head, sizeof head, 0);
}
static u64 key_type(u64 key, const Type *type) {
  return hash_bytes(&type->id, sizeof type->id, key);
}

static const Type *value_type(const Matcher *m, const AdgBody *body, u32 value) {
  return m->adg->values[body->first_value + value].ir;
}

static u64 key_of_body_node(const Matcher *m, const AdgBody *body, const AdgNode *node) {
  u64 key = key_start(node->kind, node->nresults);
  for (u32 r = 0; r < node->nresults; r++)
    key = key_type(key, value_type(m, body, node->first_result + r));
  return key;
}

static u64 key_of_node(const Matcher *m, const DfgNode *node) {
  u64 key = key_start(node->kind, node->nresults);
  for (u32 r = 0; r < node->nresults; r++)
    key = key_type(key, m->dfg->types[m->dfg->results[node->first_result + r].type].ir);
  return key;
}

/* Entries of one key are in the order of bodies and nodes, so they are prepended in reverse. */
static void build_index(Matcher *m) {
  for (u32 b = m->adg->nbodies; b-- > 0;) {
    const AdgBody *body = &m->adg->bodies[b];
    for (u32 n = body->nnodes; n-- > 0;) {
      const AdgNode *node = body_node(m, body, n);
      if (node->kind == OP_FABRIC_MUX) continue;
      u64 *slot = map_slot(&m->index, key_of_body_node(m, body, node));
      Entry entry = {.body = b, .node = n, .next = (u32)*slot};
      vec_push(&m->entries, entry);
      *slot = m->entries.len;
    }
  }
}

/* ---- one node on one operation --------------------------------------------------------------- */

static const Type *edge_type(const Matcher *m, u32 edge) {
  return dfg_edge_type(m->dfg, edge)->ir;
}

/* Compares kind, types of results and step_op; operands are goals of their own. */
static bool node_fits(const Matcher *m, const AdgNode *hw, const DfgNode *node) {
  if (hw->kind != node->kind || hw->nresults != node->nresults) return false;
  if (hw->kind == OP_HANDSHAKE_JOIN ? hw->noperands < node->noperands
                                    : hw->noperands != node->noperands)
    return false;
  if (hw->kind == OP_DATAFLOW_STREAM && hw->step_op != node->step_op) return false;
  for (u32 r = 0; r < node->nresults; r++)
    if (value_type(m, m->body, hw->first_result + r) !=
        m->dfg->types[m->dfg->results[node->first_result + r].type].ir)
      return false;
  return true;
}

/* True where its result may be used inside a match; true where it may end a match of several. */
static bool may_feed(const DfgNode *node) {
  return node->fire == FIRE_PURE || node->fire == FIRE_CONSTANT || node->fire == FIRE_JOIN;
}
static bool may_end(const DfgNode *node) {
  return may_feed(node) || node->fire == FIRE_COND_BR || node->fire == FIRE_STORE ||
         node->fire == FIRE_LOAD || node->fire == FIRE_MUX;
}
/* True of nodes that take their operands in groups: a match of several may have one. */
static bool takes_groups(const DfgNode *node) {
  return node->fire == FIRE_MUX || node->fire == FIRE_LOAD;
}
/* The element that a load receives must come directly from an argument. */
static bool comes_straight(const DfgNode *node, u32 operand) {
  return node->fire == FIRE_LOAD && operand == 1;
}
/* True where `v` and the root are a carry and a branch on the same condition, one feeding the other
 * and the branch alone taking the carry's value: the end of a loop. */
static bool is_loop_end(const Matcher *m, u32 v) {
  const Dfg *dfg = m->dfg;
  const DfgNode *node = dfg_node(dfg, v), *root = dfg_node(dfg, m->root);
  if (m->nbound != 1) return false;
  if (node->fire == FIRE_COND_BR) return dfg_carry_behind(dfg, node) == m->root;
  return node->fire == FIRE_CARRY && root->fire == FIRE_COND_BR &&
         dfg->results[node->first_result].nedges == 1 &&
         dfg->edges[dfg_operand(dfg, v, 0)].result ==
             dfg->edges[dfg_operand(dfg, m->root, 0)].result;
}
static bool has_grouped(const Matcher *m) {
  for (u32 i = 0; i < m->nbound; i++)
    if (takes_groups(dfg_node(m->dfg, m->node_of[m->bound[i]]))) return true;
  return false;
}

/* ---- the search ------------------------------------------------------------------------------ */

static void solve(Matcher *m, u32 goal);
static void find_ends(Matcher *m);

static void try_goal(Matcher *m, u32 goal, Goal with) {
  Goal old = m->goals[goal];
  m->goals[goal] = with;
  solve(m, goal);
  m->goals[goal] = old;
}

/* Chooses inputs of a join for the operands of its node from the i-th on. Inputs that are arguments
 * of one type are interchangeable: only the first free one is tried. */
static void solve_join(Matcher *m, u32 n, u32 i, u32 goal) {
  const AdgNode *hw = body_node(m, m->body, n);
  const DfgNode *node = dfg_node(m->dfg, m->node_of[n]);
  const u32 *values = m->adg->operands + hw->first_operand;
  if (i == node->noperands) {
    for (u32 j = 0; j < hw->noperands; j++) /* only arguments may be left out */
      if (!(m->joined[n] >> j & 1) && values[j] >= m->body->nargs) return;
    solve(m, goal + 1);
    return;
  }
  const Type *type = edge_type(m, dfg_operand(m->dfg, m->node_of[n], i));
  bool had_arg = false;
  for (u32 j = 0; j < hw->noperands && j < 64 && m->ngoals < MAX_GOALS; j++) {
    bool is_arg = values[j] < m->body->nargs;
    if (m->joined[n] >> j & 1 || value_type(m, m->body, values[j]) != type) continue;
    if (is_arg && had_arg) continue;
    had_arg |= is_arg;
    m->joined[n] |= (u64)1 << j;
    m->goals[m->ngoals++] = (Goal){values[j], dfg_operand(m->dfg, m->node_of[n], i), false};
    solve_join(m, n, i + 1, goal);
    m->ngoals--;
    m->joined[n] &= ~((u64)1 << j);
  }
}

/* Binds DFG node `v` to body node `n` and solves the goals after `goal`. */
static void bind(Matcher *m, u32 n, u32 v, u32 goal) {
  const AdgNode *hw = body_node(m, m->body, n);
  const DfgNode *node = dfg_node(m->dfg, v);
  if (m->nbound == MATCH_MAX_NODES || !node_fits(m, hw, node)) return;
  m->bound[m->nbound++] = n;
  m->node_of[n] = v;
  if (hw->kind == OP_HANDSHAKE_JOIN) {
    solve_join(m, n, 0, goal);
  } else if (m->ngoals + node->noperands <= MAX_GOALS) {
    bool swaps = (op_info((OpKind)hw->kind)->traits & TRAIT_COMMUTATIVE) && hw->noperands == 2;
    for (u32 order = 0; order < (swaps ? 2 : 1); order++) {
      u32 before = m->ngoals;
      for (u32 i = 0; i < node->noperands; i++)
        m->goals[m->ngoals++] =
            (Goal){m->adg->operands[hw->first_operand + i],
                   dfg_operand(m->dfg, v, order ? 1 - i : i), comes_straight(node, i)};
      solve(m, goal + 1);
      m->ngoals = before;
    }
  }
  m->node_of[n] = MAP_NONE;
  m->nbound--;
}

static void solve_mux(Matcher *m, u32 n, u32 output, u32 goal) {
  const AdgNode *hw = body_node(m, m->body, n);
  u32 *sel = &m->sel[m->mux_number[n]], old = *sel;
  u32 ninputs = hw->noperands, noutputs = hw->nresults;
  u32 edge = m->goals[goal].edge;
  for (u32 s = 0; s < (ninputs > noutputs ? ninputs : noutputs); s++) {
    if ((old != MAP_NONE && old != s) || (noutputs > 1 && output != s)) continue;
    *sel = s;
    u32 input = ninputs > 1 ? s : 0;
    try_goal(m, goal,
             (Goal){m->adg->operands[hw->first_operand + input], edge, m->goals[goal].is_straight});
  }
  *sel = old;
}

static void solve(Matcher *m, u32 goal) {
  if (++m->steps > MATCH_STEPS) return;
  if (goal == m->ngoals) {
    match_finish(m);
    find_ends(m);
    return;
  }
  u32 value = m->goals[goal].value, edge = m->goals[goal].edge;
  const Dfg *dfg = m->dfg;
  if (value_type(m, m->body, value) != edge_type(m, edge)) return;
  if (value < m->body->nargs) {
    u32 *arg = &m->args[value], old = *arg;
    if (old != MAP_NONE && dfg->edges[old].result != dfg->edges[edge].result) return;
    if (old == MAP_NONE) *arg = edge;
    solve(m, goal + 1);
    *arg = old;
    return;
  }
  u32 n = m->producer[value];
  const AdgNode *hw = body_node(m, m->body, n);
  if (m->goals[goal].is_straight && hw->kind != OP_FABRIC_MUX) return;
  if (hw->kind == OP_FABRIC_MUX) {
    solve_mux(m, n, value - hw->first_result, goal);
    return;
  }
  u32 v = dfg_from(dfg, edge);
  const DfgNode *node = dfg_node(dfg, v);
  if (dfg->edges[edge].result - node->first_result != value - hw->first_result) return;
  if (m->node_of[n] == v) {
    solve(m, goal + 1);
  } else if (m->node_of[n] == MAP_NONE &&
             ((may_end(dfg_node(dfg, m->root)) &&
               (may_feed(node) || (takes_groups(node) && !has_grouped(m)))) ||
              is_loop_end(m, v)) &&
             !is_bound(m, v)) {
    bind(m, n, v, goal);
  }
}

/* Adds an end to a match: a node before the root in Dfg.order that consumes the result at an
 * argument in use, bound to an operation that takes that argument. */
static void find_ends(Matcher *m) {
  const Dfg *dfg = m->dfg;
  if (m->nends == MAX_ENDS || !may_feed(dfg_node(dfg, m->root))) return;
  for (u32 n = 0; n < m->body->nnodes; n++) {
    const AdgNode *hw = body_node(m, m->body, n);
    if (hw->kind == OP_FABRIC_MUX || m->node_of[n] != MAP_NONE) continue;
    u32 edge = MAP_NONE;
    for (u32 i = 0; i < hw->noperands && edge == MAP_NONE; i++) {
      u32 value = m->adg->operands[hw->first_operand + i];
      if (value < m->body->nargs) edge = m->args[value];
    }
    if (edge == MAP_NONE) continue;
    const DfgResult *r = &dfg->results[dfg->edges[edge].result];
    for (u32 e = r->first_edge; e < r->first_edge + r->nedges && m->steps < MATCH_STEPS; e++) {
      u32 v = dfg->edges[e].to;
      if (!may_feed(dfg_node(dfg, v)) || is_bound(m, v) || m->position[v] > m->position[m->root])
        continue;
      m->nends++;
      bind(m, n, v, m->ngoals - 1);
      m->nends--;
    }
  }
}

/* ---- all matches ----------------------------------------------------------------------------- */

static void fill_with_none(u32 *at, u32 n) {
  for (u32 i = 0; i < n; i++) at[i] = MAP_NONE;
}

/* Makes `b` the body that nodes are bound to. */
static void take_body(Matcher *m, u32 b) {
  const AdgBody *body = &m->adg->bodies[b];
  m->body = body;
  m->body_id = b;
  for (u32 v = 0; v < body->nargs; v++) m->producer[v] = MAP_NONE;
  u32 nmuxes = 0;
  for (u32 n = 0; n < body->nnodes; n++) {
    const AdgNode *hw = body_node(m, body, n);
    for (u32 r = 0; r < hw->nresults; r++) m->producer[hw->first_result + r] = n;
    m->mux_number[n] = hw->kind == OP_FABRIC_MUX ? nmuxes++ : MAP_NONE;
    m->node_of[n] = MAP_NONE;
    m->joined[n] = 0;
  }
  fill_with_none(m->sel, nmuxes);
  fill_with_none(m->args, body->nargs);
  fill_with_none(m->yields, body->nresults);
}

/* How many operands must be routed to it. */
static u32 count_args(const Matcher *m, const MapMatch *match) {
  u32 used = 0;
  for (u32 i = 0; i < m->adg->bodies[match->body].nargs; i++)
    used += m->out_args.at[match->first_arg + i] != MAP_NONE;
  return used;
}

/* Matches of a cluster are ordered by latency, then by operands to be routed (an argument may serve
 * two operations), then by operations of the unit, then by bodies. */
static bool is_better(const Matcher *m, const MapMatch *a, const MapMatch *b) {
  const AdgBody *x = &m->adg->bodies[a->body], *y = &m->adg->bodies[b->body];
  if (x->latency != y->latency) return x->latency < y->latency;
  u32 args = count_args(m, a), other_args = count_args(m, b);
  if (args != other_args) return args < other_args;
  return x->nnodes < y->nnodes;
}

static void add_match(Matcher *m, MapCluster *cluster, const MapMatch *match) {
  vec_push(&m->matches, *match);
  cluster->nmatches++;
  MapMatch *first = m->matches.at + cluster->first_match;
  for (u32 i = cluster->nmatches - 1; i > 0 && is_better(m, match, &first[i - 1]); i--) {
    first[i] = first[i - 1];
    first[i - 1] = *match;
  }
}

/* Makes a cluster of each set of matches that cover the same nodes: few nodes first. */
static void group_by_nodes(Matcher *m) {
  for (u32 size = 1; size <= MATCH_MAX_NODES; size++) {
    for (size_t f = 0; f < m->found.len; f++) {
      FoundMatch *first = &m->found.at[f];
      if (first->nnodes != size) continue;
      const u32 *nodes = m->nodes.at + first->first_node;
      MapCluster cluster = {
          .first_node = (u32)m->out_nodes.len, .nnodes = size, .first_match = (u32)m->matches.len};
      for (u32 i = 0; i < size; i++) vec_push(&m->out_nodes, nodes[i]);
      for (size_t g = f; g < m->found.len; g++) {
        FoundMatch *other = &m->found.at[g];
        if (other->nnodes != size ||
            memcmp(m->nodes.at + other->first_node, nodes, size * sizeof(u32)))
          continue;
        add_match(m, &cluster, &other->match);
        other->nnodes = 0; /* done */
      }
      vec_push(&m->clusters, cluster);
    }
  }
}

static void match_node(Matcher *m, u32 v) {
  u64 head = 0;
  vec_clear(&m->found);
  vec_clear(&m->nodes);
  map_get(&m->index, key_of_node(m, dfg_node(m->dfg, v)), &head);
  for (u32 entry_number = (u32)head; entry_number;
       entry_number = m->entries.at[entry_number - 1].next) {
    const Entry *entry = &m->entries.at[entry_number - 1];
    take_body(m, entry->body);
    m->root = v;
    m->nends = 1;
    m->steps = 0;
    m->ngoals = 1; /* stands for the root, which is bound already */
    m->goals[0] = (Goal){MAP_NONE, MAP_NONE, false};
    bind(m, entry->node, v, 0);
  }
  group_by_nodes(m);
}

/* Room for the largest body. */
static void make_room(Matcher *m, Arena *arena) {
  u32 values = 1, nodes = 1, results = 1;
  for (u32 b = 0; b < m->adg->nbodies; b++) {
    const AdgBody *body = &m->adg->bodies[b];
    if (body->nvalues > values) values = body->nvalues;
    if (body->nnodes > nodes) nodes = body->nnodes;
    if (body->nresults > results) results = body->nresults;
  }
  m->producer = NEW_ARRAY(arena, u32, values);
  m->dead_end = NEW_ARRAY(arena, u32, values);
  m->args = NEW_ARRAY(arena, u32, values);
  m->mux_number = NEW_ARRAY(arena, u32, nodes);
  m->node_of = NEW_ARRAY(arena, u32, nodes);
  m->sel = NEW_ARRAY(arena, u32, nodes);
  m->discards = NEW_ARRAY(arena, bool, nodes);
  m->behind_load = NEW_ARRAY(arena, bool, nodes);
  m->joined = NEW_ARRAY(arena, u64, nodes);
  m->yields = NEW_ARRAY(arena, u32, results);
}

/* Moves a pool into the arena. */
#define KEEP(arena, to, vec)                                                                       \
  ((to) = (vec).len ? arena_copy((arena), (vec).at, (vec).len * sizeof *(vec).at) : NULL,          \
   vec_free(&(vec)))

MapCandidates *candidates_find(const Dfg *dfg, const Adg *adg) {
  Arena *arena = arena_new();
  MapCandidates *out = NEW(arena, MapCandidates);
  Arena *scratch = arena_new();
  Matcher *m = NEW(scratch, Matcher);
  m->dfg = dfg;
  m->adg = adg;
  m->position = NEW_ARRAY(scratch, u32, dfg->nnodes);
  for (u32 i = 0; i < dfg->nnodes; i++) m->position[dfg->order[i]] = i;
  make_room(m, scratch);
  build_index(m);
  out->all.arena = arena;
  out->first_of = NEW_ARRAY(arena, u32, dfg->nnodes + 1);
  for (u32 v = 0; v < dfg->nnodes; v++) {
    out->first_of[v] = (u32)m->clusters.len;
    if (match_wants_unit(dfg_node(dfg, v))) match_node(m, v);
  }
  out->first_of[dfg->nnodes] = (u32)m->clusters.len;
  out->all.nclusters = (u32)m->clusters.len;
  out->all.nmatches = (u32)m->matches.len;
  KEEP(arena, out->all.clusters, m->clusters);
  KEEP(arena, out->all.matches, m->matches);
  KEEP(arena, out->all.choices, m->choices);
  KEEP(arena, out->all.nodes, m->out_nodes);
  KEEP(arena, out->all.body_nodes, m->body_nodes);
  KEEP(arena, out->all.args, m->out_args);
  KEEP(arena, out->all.results, m->results);
  vec_free(&m->found);
  vec_free(&m->nodes);
  vec_free(&m->mark);
  vec_free(&m->stack);
  vec_free(&m->entries);
  map_free(&m->index);
  arena_free(scratch);
  return out;
}

void candidates_free(MapCandidates *candidates) {
  if (candidates) arena_free(candidates->all.arena);
}
