/* earliest.c -- when a run ends at the earliest. See earliest.h.
 *
 * A step is a word: a node that fires, an edge that a token is taken from, a result that gets one.
 * Nodes with parts that fire alone (memories, loads, the return) fire when the part can; all others
 * one firing after the other. What a unit gives on one result comes `interval` cycles apart. */
#include "map/earliest.h"
#include "map/cycles.h"
#include "map/least_route.h"
#include "map/stages.h"

enum { STEP_FIRE, STEP_TAKE, STEP_GIVE, STEP_KINDS = 4, MOST_STEPS = 1 << 24 };

/* ---- a run, written down ---------------------------------------------------------------------- */

static bool note(void *user, u32 what, u32 kind) {
  EarliestRun *run = user;
  run->is_partial |= run->steps.len >= MOST_STEPS || what >= UINT32_MAX / STEP_KINDS;
  if (!run->is_partial) vec_push(&run->steps, what * STEP_KINDS + kind);
  return !run->is_partial;
}

static bool on_firing(void *user, u64 time, u32 node) {
  (void)time;
  return note(user, node, STEP_FIRE);
}

static bool on_take(void *user, u64 time, u32 edge) {
  (void)time;
  return note(user, edge, STEP_TAKE);
}

static bool on_token(void *user, u64 time, u32 result, const u64 *scalars, size_t n) {
  EarliestRun *run = user;
  (void)time, (void)scalars, (void)n;
  run->tokens[result]++;
  return note(user, result, STEP_GIVE);
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

/* ---- on a fabric ------------------------------------------------------------------------------ */

typedef struct {
  const EarliestRun *run;
  const Dfg *now; /* as the fabric has it */
  const Adg *adg;
  const MapCover *cover;
  const u32 *node;           /* by node of the run: it now, or DFG_NONE */
  u32 *source;               /* by edge: the result whose tokens it waits for; DFG_NONE: nothing */
  u32 *delay;                /* by edge: from the firing that gives a token until it can be taken */
  u32 *interval;             /* by result: between two tokens */
  u32 *head;                 /* by edge: tokens taken */
  u64 **times, *count;       /* by result: when its tokens are given */
  u64 *fired, *free_at, end; /* by node: its last firing; by result: when it may give the next */
} Earliest;

static u32 cluster_of(const Earliest *e, u32 node) {
  return e->node[node] == DFG_NONE ? MAP_NONE : e->cover->cluster_of[e->node[node]];
}

/* The result of the run that a result of now is, which gives as many tokens as `instead`. */
static u32 result_then(const Earliest *e, u32 now, u32 instead) {
  const Dfg *dfg = e->run->dfg;
  u32 from = e->now->results[now].node,
      then = dfg_find_node(dfg, dfg_text(e->now, e->now->nodes[from].name));
  if (then == DFG_NONE || dfg->nodes[then].nresults != e->now->nodes[from].nresults)
    return DFG_NONE;
  u32 result = dfg->nodes[then].first_result + now - e->now->nodes[from].first_result;
  return e->run->tokens[result] == e->run->tokens[instead] ? result : DFG_NONE;
}

/* What an edge of the run waits for now: mapping_legalise lets a literal come with the operand
 * beside it, which that operand says already, and an element straight from its memory; what only
 * hands on has gone. A join that became a tree waits for the same tokens, of whose routes nothing
 * is said. */
static void find_source(Earliest *e, const u32 *latency, u32 edge, LeastRoutes *routes, u32 most) {
  const Dfg *dfg = e->run->dfg, *now = e->now;
  u32 to = e->node[dfg->edges[edge].to];
  e->source[edge] = DFG_NONE;
  if (to == DFG_NONE) return;
  if (now->nodes[to].noperands != dfg->nodes[dfg->edges[edge].to].noperands) {
    if (now->nodes[to].fire == FIRE_JOIN) e->source[edge] = dfg->edges[edge].result;
    return;
  }
  u32 edge_now = dfg_operand(now, to, dfg->edges[edge].operand);
  u32 result = now->edges[edge_now].result;
  u32 from = now->results[result].node, one = e->cover->cluster_of[from],
      other = e->cover->cluster_of[to];
  const DfgNode *source = dfg_node(now, from);
  e->source[edge] = result_then(e, result, dfg->edges[edge].result);
  if (dfg_is_memory(source))
    e->delay[edge] = cycles_is_done(now, source, result)
                         ? 1
                         : mapping_best_memory_time(now, e->adg, source->memory).latency;
  else if (one != MAP_NONE && (one != other || from == to))
    e->delay[edge] = latency[one];
  u32 route = least_route(routes, most, now, e->cover, edge_now);
  if (route != NO_ROUTE) e->delay[edge] += route;
}

static bool has_parts(const DfgNode *node) {
  return dfg_is_memory(node) || node->fire == FIRE_LOAD || node->fire == FIRE_RETURN;
}

static void step(Earliest *e, u32 word, u32 *node, u64 *now) {
  const Dfg *dfg = e->run->dfg;
  u32 what = word / STEP_KINDS;
  if (word % STEP_KINDS == STEP_FIRE) {
    *node = what;
    *now = e->fired[what];
  } else if (word % STEP_KINDS == STEP_TAKE) {
    u32 source = e->source[what], nth = e->head[what]++;
    u64 at =
        source != DFG_NONE && nth < e->count[source] ? e->times[source][nth] + e->delay[what] : 0;
    if (at > *now) *now = at;
    if (dfg->edges[what].to == dfg->return_node && at > e->end) e->end = at;
    if (!has_parts(dfg_node(dfg, *node))) e->fired[*node] = *now;
  } else {
    u64 at = *now > e->free_at[what] ? *now : e->free_at[what];
    e->free_at[what] = at + e->interval[what];
    e->times[what][e->count[what]++] = at;
  }
}

static void find_delays(Earliest *e, Arena *arena, LeastRoutes *routes, u32 most) {
  const Dfg *dfg = e->run->dfg;
  u32 nclusters = e->cover->nclusters, *node = NEW_ARRAY(arena, u32, dfg->nnodes + (size_t)1),
      *latency = NEW_ARRAY(arena, u32, nclusters + (size_t)1);
  for (u32 k = 0; k < nclusters; k++)
    latency[k] = mapping_least_of_units(e->adg, e->cover, k, true);
  for (u32 n = 0; n < dfg->nnodes; n++)
    node[n] = dfg_find_node(e->now, dfg_text(dfg, dfg->nodes[n].name));
  node[dfg->return_node] = e->now->return_node;
  e->node = node;
  e->delay = NEW_ARRAY(arena, u32, dfg->nedges + (size_t)1);
  e->interval = NEW_ARRAY(arena, u32, dfg->nresults + (size_t)1);
  e->source = NEW_ARRAY(arena, u32, dfg->nedges + (size_t)1);
  for (u32 k = 0; k < dfg->nedges; k++) find_source(e, latency, k, routes, most);
  for (u32 r = 0; r < dfg->nresults; r++) {
    u32 cluster = cluster_of(e, dfg->results[r].node);
    if (cluster != MAP_NONE)
      e->interval[r] = mapping_least_of_units(e->adg, e->cover, cluster, false);
  }
}

u64 earliest_end(const EarliestRun *run, const Dfg *now, const Adg *adg, const MapCover *cover,
                 LeastRoutes *routes, u32 most) {
  const Dfg *dfg = run->dfg;
  Earliest e = {.run = run, .now = now, .adg = adg, .cover = cover};
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
  u64 at = 0;
  for (size_t i = 0; i < run->steps.len; i++) step(&e, run->steps.at[i], &node, &at);
  arena_free(arena);
  return e.end + 1;
}
