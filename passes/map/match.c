/* match.c -- matches subgraphs of the graph with function units.
 *
 *     fabric.function_unit @mac(%a: i32, %b: i32, %c: i32) -> (i32) [...] {
 *       %m = arith.muli %a, %b : i32
 *       %s = arith.addi %m, %c : i32
 *       %r = fabric.mux %m, %s {...} : i32, i32 -> i32
 *       fabric.yield %r : i32
 *     }
 *
 * This unit is a multiplier (sel = 0: the adder is then not there, nor is %c) or a multiplier and
 * adder (sel = 1). What a unit is under one setting of its muxes is an *effective graph*: all that
 * a connected result depends on. There may be as many settings as products of the muxes' inputs, so
 * they are not enumerated. Instead the graph to be mapped leads: for a node v and a body that has
 * an operation of v's kind and types, v is matched with that operation and what feeds v with what
 * feeds the operation, and so on towards the unit's arguments. Where a mux stands in between, each
 * of its inputs is tried; where an operation is commutative, both orders; where it is a join, any
 * inputs of it that suffice. When no goal is left the result is a *match*: nodes, settings, and an
 * edge of the graph for each argument. Then the results that are used outside must leave: each
 * looks for a yield that it reaches through the muxes.
 *
 * What must agree: kind, types, the number of operands, and what is built (a stream's step_op).
 * What is configured need not: predicates, literals, cont_cond, the inputs of a join.
 *
 * When several nodes may become one. A unit takes its operands all at once and gives its results
 * all at once. That must not make anything wait for itself:
 *
 *   - Only what takes one token of every operand and gives one of every result is matched together:
 *     pure operations, constants, joins; and at the end of a match also cond_br and store, whose
 *     results are not used inside. Dataflow machines stand alone, but for a carry with a branch
 *     by the same decision. So tokens number k of all
 *     operands belong to one another, and an order in which everything of number k is done before
 *     k + 1 begins, which every graph of LOOM has, has a moment for the unit: after the last of its
 *     operands. One mux or load may be among them, which takes its operands in groups (match_groups.c).
 *   - What is laid together must be convex, and its results must get out: that is match_whole.c.
 *   - A match may have several ends (a sum and a difference of the same operands), if each takes an
 *     operand that another takes: so all take as many tokens. Then the paths from all are walked.
 *
 * The search backtracks. Bodies are small and operands nearly always tell at once what does not
 * fit; MATCH_STEPS bounds what an unkind body can cost. A match of one node never meets that bound
 * unless the body has more choices around that one operation than anybody would build. */
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

/* Lists of one key are in the order of bodies and nodes: what is pushed last comes first. */
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

/* Kind, types of results and what is built; operands are goals of their own. */
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

/* May its result be used inside a match; may it end a match of several? */
static bool may_feed(const DfgNode *node) {
  return node->fire == FIRE_PURE || node->fire == FIRE_CONSTANT || node->fire == FIRE_JOIN;
}
static bool may_end(const DfgNode *node) {
  return may_feed(node) || node->fire == FIRE_COND_BR || node->fire == FIRE_STORE ||
         node->fire == FIRE_LOAD || node->fire == FIRE_MUX;
}
/* One of these may be among others. */
static bool is_apart(const DfgNode *node) {
  return node->fire == FIRE_MUX || node->fire == FIRE_LOAD;
}
/* What is loaded comes straight. */
static bool comes_straight(const DfgNode *node, u32 operand) {
  return node->fire == FIRE_LOAD && operand == 1;
}
/* A carry may feed the branch that alone takes its value, by the same decision, and a branch such a
 * carry: together they are an end of a loop. */
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
static bool has_apart(const Matcher *m) {
  for (u32 i = 0; i < m->nbound; i++)
    if (is_apart(dfg_node(m->dfg, m->node_of[m->bound[i]]))) return true;
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

/* The inputs of a join beyond the first `i` operands of the node laid on it. What comes straight
 * from an argument is as good as another of the same type: only the first is tried. */
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

/* Lays DFG node `v` on body node `n` and goes on behind `goal`. */
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
               (may_feed(node) || (is_apart(node) && !has_apart(m)))) ||
              is_loop_end(m, v)) &&
             !is_bound(m, v)) {
    bind(m, n, v, goal);
  }
}

/* Another end beside those that are laid down: a node before the first end in Dfg.order, which
 * takes what comes by an argument in use, onto an operation that takes that argument. */
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

static void fill(u32 *at, u32 n) {
  for (u32 i = 0; i < n; i++) at[i] = MAP_NONE;
}

/* Makes `b` the body to be laid. */
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
  fill(m->sel, nmuxes);
  fill(m->args, body->nargs);
  fill(m->yields, body->nresults);
}

/* Tokens that must be brought to it. */
static u32 count_args(const Matcher *m, const MapMatch *match) {
  u32 n = 0;
  for (u32 i = 0; i < m->adg->bodies[match->body].nargs; i++)
    n += m->out_args.at[match->first_arg + i] != MAP_NONE;
  return n;
}

/* The quickest way first, of those the one to which least is brought, as one operand may be for two
 * operations; then the one that uses least of a unit, then in the order of bodies. */
static bool is_better(const Matcher *m, const MapMatch *a, const MapMatch *b) {
  const AdgBody *x = &m->adg->bodies[a->body], *y = &m->adg->bodies[b->body];
  if (x->latency != y->latency) return x->latency < y->latency;
  u32 brought = count_args(m, a), other = count_args(m, b);
  if (brought != other) return brought < other;
  return x->nnodes < y->nnodes;
}

static void add_way(Matcher *m, MapCluster *cluster, const MapMatch *match) {
  vec_push(&m->matches, *match);
  cluster->nmatches++;
  MapMatch *first = m->matches.at + cluster->first_match;
  for (u32 i = cluster->nmatches - 1; i > 0 && is_better(m, match, &first[i - 1]); i--) {
    first[i] = first[i - 1];
    first[i - 1] = *match;
  }
}

/* Puts the matches that end in one node together by what they cover: few nodes first. */
static void group(Matcher *m) {
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
        add_way(m, &cluster, &other->match);
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
  for (u32 at = (u32)head; at; at = m->entries.at[at - 1].next) {
    const Entry *entry = &m->entries.at[at - 1];
    take_body(m, entry->body);
    m->root = v;
    m->nends = 1;
    m->steps = 0;
    m->ngoals = 1; /* the root itself, as if it were met */
    m->goals[0] = (Goal){MAP_NONE, MAP_NONE, false};
    bind(m, entry->node, v, 0);
  }
  group(m);
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

/* A pool as it grew, in the arena. */
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
  m->out = out;
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
