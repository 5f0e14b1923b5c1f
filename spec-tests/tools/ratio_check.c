/* ratio_check.c -- the maximum cycle ratio of a graph, compared with an enumeration of all cycles.
 *
 *     ratio-check [--seed S] [--count N]               N passed, 0 failed
 *
 * Draws small graphs with self loops and parallel arcs: some without a cycle, some with a token on
 * every arc, some with hardly any token, some with fewer than none on an arc, though on no cycle.
 * Every simple cycle is listed by backtracking. map/ratio.c has to name a cycle, arc by arc, whose
 * latency per token is the largest of all, compared as fractions; one without a token where there
 * is one that has latency; none where there is none; and a cycle without latency just where there
 * is one. Two vertices are in one part where each can be reached from the other.
 *
 * Graph k is drawn from seed S + k: a failure is drawn again by its seed and --count 1. */
#include "lib.h"
#include "map/ratio.h"

enum { MAX_VERTICES = 7, MAX_ARCS = 16, MOST_TOKENS = 3 };

typedef struct {
  u32 nvertices, narcs;
  RatioArc arcs[MAX_ARCS];
} Drawn;

typedef struct {
  u64 latency, tokens;
} Sums;

/* All simple cycles of a graph: each is found from the smallest of its vertices. */
typedef struct {
  const Drawn *drawn;
  bool on_path[MAX_VERTICES];
  u64 ncycles;
  Sums worst;     /* of the cycles with tokens, by latency per token */
  bool has_free;  /* a cycle without a token */
  bool has_stuck; /* one of them that has latency */
  bool has_wires; /* a cycle without latency */
} Listing;

/* How many of the graphs were of a kind: a run that has none of it says nothing about it. */
static struct { u64 acyclic, finite, without_token, wires, self_loop, fewer_than_none; } kinds;

/* ---- drawing --------------------------------------------------------------------------------- */

/* Potentials of vertices: their differences add up to nothing round a cycle. */
static void shift_tokens(Random *random, Drawn *d) {
  i64 potential[MAX_VERTICES];
  for (u32 v = 0; v < d->nvertices; v++) potential[v] = (i64)random_below(random, 4);
  for (u32 a = 0; a < d->narcs; a++)
    d->arcs[a].tokens += potential[d->arcs[a].to] - potential[d->arcs[a].from];
}

/* None for `without` of the numbers that are drawn. */
static i64 draw_tokens(Random *random, u64 without) {
  u64 number = random_below(random, MOST_TOKENS + without);
  return number < without ? 0 : (i64)(number - without) + 1;
}

static Drawn draw(u64 seed) {
  Random random = {seed};
  Drawn d = {.nvertices = 1 + (u32)random_below(&random, MAX_VERTICES)};
  bool acyclic = one_in(&random, 8);
  u64 latencies = one_in(&random, 4) ? 2 : 9,
      without = one_in(&random, 2) ? 0 : 1 + random_below(&random, 4);
  d.narcs = (u32)random_below(&random, 2 * (u64)d.nvertices + 3);
  for (u32 a = 0; a < d.narcs; a++) {
    u32 from = (u32)random_below(&random, d.nvertices),
        to = (u32)random_below(&random, d.nvertices);
    if (acyclic && from == to) to = from ? from - 1 : d.nvertices - 1;
    bool swaps = acyclic && from > to;
    d.arcs[a] = (RatioArc){.from = swaps ? to : from,
                           .to = swaps ? from : to,
                           .latency = (i64)random_below(&random, latencies),
                           .tokens = draw_tokens(&random, without),
                           .what = a};
  }
  if (acyclic && d.nvertices == 1) d.narcs = 0;
  if (one_in(&random, 2)) shift_tokens(&random, &d);
  return d;
}

static void print(const Drawn *d, u64 seed) {
  printf("seed %llu: %u vertices\n", (unsigned long long)seed, d->nvertices);
  for (u32 a = 0; a < d->narcs; a++)
    printf("  %u -> %u  latency %lld, tokens %lld\n", d->arcs[a].from, d->arcs[a].to,
           (long long)d->arcs[a].latency, (long long)d->arcs[a].tokens);
}

/* ---- all cycles ------------------------------------------------------------------------------ */

static bool is_worse(Sums a, Sums b) {
  return a.latency * b.tokens > b.latency * a.tokens;
}

static void list(Listing *l, Sums cycle) {
  l->ncycles++;
  l->has_wires |= !cycle.latency;
  l->has_free |= !cycle.tokens;
  l->has_stuck |= !cycle.tokens && cycle.latency;
  if (cycle.tokens && (!l->worst.tokens || is_worse(cycle, l->worst))) l->worst = cycle;
}

static void list_from(Listing *l, u32 root, u32 at, i64 latency, i64 tokens) {
  l->on_path[at] = true;
  for (u32 a = 0; a < l->drawn->narcs; a++) {
    const RatioArc *arc = &l->drawn->arcs[a];
    if (arc->from != at || arc->to < root) continue;
    i64 next_latency = latency + arc->latency, next_tokens = tokens + arc->tokens;
    if (arc->to == root) {
      list(l, (Sums){(u64)next_latency, (u64)next_tokens});
    } else if (!l->on_path[arc->to]) {
      list_from(l, root, arc->to, next_latency, next_tokens);
    }
  }
  l->on_path[at] = false;
}

static bool reaches(const Drawn *d, u32 from, u32 to) {
  bool seen[MAX_VERTICES] = {0};
  seen[from] = true;
  for (u32 round = 0; round < d->nvertices; round++)
    for (u32 a = 0; a < d->narcs; a++)
      if (seen[d->arcs[a].from]) seen[d->arcs[a].to] = true;
  return seen[to];
}

/* ---- what map/ratio.c says ------------------------------------------------------------------- */

/* Do the arcs go round, through no vertex twice? Their sums. */
static bool goes_round(const RatioGraph *g, const u32 *arcs, u32 n, Sums *sums) {
  bool seen[MAX_VERTICES] = {0};
  *sums = (Sums){0};
  for (u32 i = 0; i < n; i++) {
    if (arcs[i] >= g->narcs) return false;
    const RatioArc *arc = &g->arcs[arcs[i]], *next = &g->arcs[arcs[(i + 1) % n]];
    if (seen[arc->from] || arc->to != next->from) return false;
    seen[arc->from] = true;
    sums->latency += (u64)arc->latency;
    sums->tokens += (u64)arc->tokens;
  }
  return n > 0;
}

static bool check_worst(const RatioGraph *g, const Listing *l, u64 seed) {
  u32 out[MAX_VERTICES], latency, tokens, n = ratio_worst(g, out, &latency, &tokens);
  Sums found;
  if (!l->ncycles || !n)
    return check(!l->ncycles && !n, "seed %llu: %u arcs of %llu cycles", (unsigned long long)seed,
                 n, (unsigned long long)l->ncycles);
  bool good = goes_round(g, out, n, &found) && found.latency == latency && found.tokens == tokens &&
              (tokens ? !l->has_stuck && !is_worse(l->worst, found) : l->has_free);
  return check(good, "seed %llu: %u / %u in %u arcs, but the worst is %llu / %llu",
               (unsigned long long)seed, latency, tokens, n, (unsigned long long)l->worst.latency,
               (unsigned long long)l->worst.tokens);
}

static bool check_wires(const RatioGraph *g, const Listing *l, u64 seed) {
  u32 out[MAX_VERTICES], n = ratio_of_wires(g, out);
  Sums found;
  bool good = n ? goes_round(g, out, n, &found) && !found.latency : !l->has_wires;
  return check(good, "seed %llu: a cycle without latency: %u arcs", (unsigned long long)seed, n);
}

/* The arcs of a vertex are those that were given, in their order; parts are those that can be reached. */
static bool check_graph(const RatioGraph *g, const Drawn *d, u64 seed) {
  bool good =
      g->nvertices == d->nvertices && g->narcs == d->narcs && g->first[g->nvertices] == d->narcs;
  for (u32 v = 0, a = 0; v < d->nvertices; v++, a = g->first[v])
    for (u32 i = 0; good && i < d->narcs; i++) {
      if (d->arcs[i].from != v) continue;
      good = a < g->first[v + 1] && g->arcs[a].what == i && g->arcs[a].to == d->arcs[i].to;
      a++;
    }
  for (u32 v = 0; good && v < d->nvertices; v++)
    for (u32 w = 0; good && w < d->nvertices; w++)
      good = (g->part[v] == g->part[w]) == (reaches(d, v, w) && reaches(d, w, v));
  return check(good, "seed %llu: arcs or parts", (unsigned long long)seed);
}

static void count_kind(const Drawn *d, const Listing *l) {
  bool self_loop = false, fewer_than_none = false;
  for (u32 a = 0; a < d->narcs; a++) {
    self_loop |= d->arcs[a].from == d->arcs[a].to;
    fewer_than_none |= d->arcs[a].tokens < 0;
  }
  kinds.acyclic += !l->ncycles;
  kinds.finite += l->ncycles > 1 && !l->has_free;
  kinds.without_token += l->ncycles > 1 && l->has_stuck;
  kinds.wires += l->has_wires;
  kinds.self_loop += self_loop;
  kinds.fewer_than_none += l->ncycles && fewer_than_none;
}

int main(int argc, char **argv) {
  u64 seed = 1, n = 20000, ncycles = 0;
  tool_options(argc, argv, TOOL_OPTIONS(TOOL_NUMBER("--seed", seed), TOOL_NUMBER("--count", n)),
               "ratio-check [--seed S] [--count N]");
  printf("seed %llu, %llu graphs\n", (unsigned long long)seed, (unsigned long long)n);
  for (u64 k = 0; k < n; k++) {
    Drawn drawn = draw(seed + k);
    Listing all = {.drawn = &drawn};
    for (u32 root = 0; root < drawn.nvertices; root++) list_from(&all, root, root, 0, 0);
    RatioGraph *g = ratio_new(drawn.nvertices, drawn.arcs, drawn.narcs);
    bool good = check_graph(g, &drawn, seed + k);
    good = check_worst(g, &all, seed + k) && good;
    good = check_wires(g, &all, seed + k) && good;
    if (!good && failed < 4) print(&drawn, seed + k);
    ratio_free(g);
    count_kind(&drawn, &all);
    ncycles += all.ncycles;
  }
  printf("%llu cycles; without a cycle %llu, finite %llu, without a token %llu, wires %llu, self "
         "loops %llu, "
         "fewer tokens than none %llu\n",
         (unsigned long long)ncycles, (unsigned long long)kinds.acyclic,
         (unsigned long long)kinds.finite, (unsigned long long)kinds.without_token,
         (unsigned long long)kinds.wires, (unsigned long long)kinds.self_loop,
         (unsigned long long)kinds.fewer_than_none);
  if (n >= 1000) {
    u64 least = n / 20;
    check(kinds.acyclic > least && kinds.finite > least && kinds.without_token > least &&
              kinds.wires > least && kinds.self_loop > least && kinds.fewer_than_none > least,
          "a kind of graph was hardly drawn");
  }
  return checks_end();
}
