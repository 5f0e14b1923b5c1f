/* earliest.c -- a lower bound on the cycles of a recorded run. See earliest.h.
 *
 * A step is a word: a node that fires, an edge from which it takes a token, or a result to which it
 * gives one. Nodes with parts that fire independently (memories, loads, the return) fire when the
 * tokens of the part have come; other nodes no sooner than at their last firing. The tokens of one
 * result come the unit's interval apart. */
#include "map/earliest.h"
#include "map/cycles.h"
#include "map/least_route.h"
#include "map/stages.h"

enum { STEP_FIRE, STEP_TAKE, STEP_GIVE, STEP_KINDS = 4, MOST_STEPS = 1 << 24 };

/* ---- recording a run ------------------------------------------------------------------------- */

static bool record(void *user, u32 index, u32 kind) {
  EarliestRun *run = user;
  run->is_partial |= run->steps.len >= MOST_STEPS || index >= UINT32_MAX / STEP_KINDS;
  if (!run->is_partial) vec_push(&run->steps, index * STEP_KINDS + kind);
  return !run->is_partial;
}

static bool on_firing(void *user, u64 time, u32 node) {
  (void)time;
  return record(user, node, STEP_FIRE);
}

static bool on_take(void *user, u64 time, u32 edge) {
  (void)time;
  return record(user, edge, STEP_TAKE);
}

static bool on_token(void *user, u64 time, u32 result, const u64 *scalars, size_t n) {
  EarliestRun *run = user;
  (void)time, (void)scalars, (void)n;
  run->tokens[result]++;
  return record(user, result, STEP_GIVE);
}

TokenObserver earliest_observer(EarliestRun *run) {
  run->tokens = mem_alloc(mem_size((size_t)run->dfg->nresults + 1, sizeof *run->tokens));
  return (TokenObserver){.user = run, .firing = on_firing, .take = on_take, .token = on_token};
}

void earliest_free(EarliestRun *run) {
  vec_free(&run->steps);
  mem_free(run->tokens);
  *run = (EarliestRun){0};
}

/* ---- replaying it on a fabric ---------------------------------------------------------------- */

typedef struct {
  const EarliestRun *run;
  const Dfg *legal; /* legalised for the fabric */
  const Adg *adg;
  const MapCover *cover; /* of `legal` */
  /* All of these are by number in the graph of the run. */
  const u32 *node; /* by node: the same node of `legal`, or DFG_NONE */
  u32 *source;     /* by edge: the result whose tokens it waits for; DFG_NONE: none */
  u32 *delay;      /* by edge: cycles from the firing that gives a token until it can be taken */
  u32 *interval;   /* by result: cycles from one token to the next */
  u32 *head;       /* by edge: tokens taken */
  u64 **times, *count; /* by result: when its tokens were given, and how many were */
  u64 *fired;          /* by node: the time of its last firing */
  u64 *free_at;        /* by result: when it may give the next token */
  u64 end;             /* when the return has taken its last token so far */
} Earliest;

static u32 cluster_of(const Earliest *e, u32 node) {
  return e->node[node] == DFG_NONE ? MAP_NONE : e->cover->cluster_of[e->node[node]];
}

/* The result of the run that a result of `legal` was; DFG_NONE: there is none, or it gave a
 * different number of tokens than `original`. */
static u32 result_in_run(const Earliest *e, u32 legal_result, u32 original) {
  const Dfg *dfg = e->run->dfg;
  const DfgNode *legal_node = dfg_node(e->legal, e->legal->results[legal_result].node);
  u32 v = dfg_find_node(dfg, dfg_text(e->legal, legal_node->name));
  if (v == DFG_NONE || dfg->nodes[v].nresults != legal_node->nresults) return DFG_NONE;
  u32 result = dfg->nodes[v].first_result + legal_result - legal_node->first_result;
  return e->run->tokens[result] == e->run->tokens[original] ? result : DFG_NONE;
}

/* Finds the result that an edge of the run waits for on the fabric, which mapping_legalise may have
 * changed: a literal's token comes with the operand beside it, an element straight from its memory,
 * and nodes that only pass tokens on are gone. A join that has become a tree waits for the same
 * tokens, without a bound for their routes. */
static void find_source(Earliest *e, const u32 *latency, u32 edge, LeastRoutes *routes, u32 most) {
  const Dfg *dfg = e->run->dfg, *legal = e->legal;
  u32 to = e->node[dfg->edges[edge].to];
  e->source[edge] = DFG_NONE;
  if (to == DFG_NONE) return;
  if (legal->nodes[to].noperands != dfg->nodes[dfg->edges[edge].to].noperands) {
    if (legal->nodes[to].fire == FIRE_JOIN) e->source[edge] = dfg->edges[edge].result;
    return;
  }
  u32 legal_edge = dfg_operand(legal, to, dfg->edges[edge].operand);
  u32 result = legal->edges[legal_edge].result;
  u32 from = legal->results[result].node;
  u32 from_cluster = e->cover->cluster_of[from], to_cluster = e->cover->cluster_of[to];
  const DfgNode *source = dfg_node(legal, from);
  e->source[edge] = result_in_run(e, result, dfg->edges[edge].result);
  if (dfg_is_memory(source))
    e->delay[edge] = cycles_is_done(legal, source, result)
                         ? 1
                         : mapping_best_memory_time(legal, e->adg, source->memory).latency;
  else if (from_cluster != MAP_NONE && (from_cluster != to_cluster || from == to))
    e->delay[edge] = latency[from_cluster];
  u32 route = least_route(routes, most, legal, e->cover, legal_edge);
  if (route != NO_ROUTE) e->delay[edge] += route;
}

static bool has_parts(const DfgNode *node) {
  return dfg_is_memory(node) || node->fire == FIRE_LOAD || node->fire == FIRE_RETURN;
}

/* Replays a step. *node is the node that fires, *time when it does by the tokens taken so far. */
static void replay(Earliest *e, u32 word, u32 *node, u64 *time) {
  const Dfg *dfg = e->run->dfg;
  u32 index = word / STEP_KINDS;
  if (word % STEP_KINDS == STEP_FIRE) {
    *node = index;
    *time = e->fired[index];
  } else if (word % STEP_KINDS == STEP_TAKE) {
    u32 source = e->source[index], nth = e->head[index]++;
    bool is_known = source != DFG_NONE && nth < e->count[source];
    u64 arrival = is_known ? e->times[source][nth] + e->delay[index] : 0;
    if (arrival > *time) *time = arrival;
    if (dfg->edges[index].to == dfg->return_node && arrival > e->end) e->end = arrival;
    if (!has_parts(dfg_node(dfg, *node))) e->fired[*node] = *time;
  } else {
    u64 given = *time > e->free_at[index] ? *time : e->free_at[index];
    e->free_at[index] = given + e->interval[index];
    e->times[index][e->count[index]++] = given;
  }
}

static void find_delays(Earliest *e, Arena *arena, LeastRoutes *routes, u32 most) {
  const Dfg *dfg = e->run->dfg;
  u32 nclusters = e->cover->nclusters, *node = NEW_ARRAY(arena, u32, dfg->nnodes + (size_t)1),
      *latency = NEW_ARRAY(arena, u32, nclusters + (size_t)1);
  for (u32 k = 0; k < nclusters; k++)
    latency[k] = mapping_least_of_units(e->adg, e->cover, k, true, true);
  for (u32 n = 0; n < dfg->nnodes; n++)
    node[n] = dfg_find_node(e->legal, dfg_text(dfg, dfg->nodes[n].name));
  node[dfg->return_node] = e->legal->return_node;
  e->node = node;
  e->delay = NEW_ARRAY(arena, u32, dfg->nedges + (size_t)1);
  e->interval = NEW_ARRAY(arena, u32, dfg->nresults + (size_t)1);
  e->source = NEW_ARRAY(arena, u32, dfg->nedges + (size_t)1);
  for (u32 k = 0; k < dfg->nedges; k++) find_source(e, latency, k, routes, most);
  for (u32 r = 0; r < dfg->nresults; r++) {
    u32 cluster = cluster_of(e, dfg->results[r].node);
    if (cluster != MAP_NONE)
      e->interval[r] = mapping_least_of_units(e->adg, e->cover, cluster, false, true);
  }
}

u64 earliest_end(const EarliestRun *run, const Dfg *legal, const Adg *adg, const MapCover *cover,
                 LeastRoutes *routes, u32 most) {
  const Dfg *dfg = run->dfg;
  Earliest e = {.run = run, .legal = legal, .adg = adg, .cover = cover};
  if (!run->steps.len || run->is_partial || !dfg->is_determinate) return 0;
  Arena *arena = arena_new();
  find_delays(&e, arena, routes, most);
  e.head = NEW_ARRAY(arena, u32, dfg->nedges + (size_t)1);
  e.times = NEW_ARRAY(arena, u64 *, dfg->nresults + (size_t)1);
  e.count = NEW_ARRAY(arena, u64, dfg->nresults + (size_t)1);
  e.fired = NEW_ARRAY(arena, u64, dfg->nnodes + (size_t)1);
  e.free_at = NEW_ARRAY(arena, u64, dfg->nresults + (size_t)1);
  for (u32 r = 0; r < dfg->nresults; r++)
    e.times[r] = NEW_ARRAY(arena, u64, run->tokens[r] + (size_t)1);
  u32 node = dfg->return_node; /* tokens that buffers start with come before anything fires */
  u64 time = 0;
  for (size_t i = 0; i < run->steps.len; i++) replay(&e, run->steps.at[i], &node, &time);
  arena_free(arena);
  return e.end + 1;
}
