/* turns.c -- estimates the interval of a loop whose nodes share channels, temporal PEs and operand
 * buffers, by simulating some iterations. See marked_graph.h.
 *
 *     a PE fires a, b and c in turn; x and y share a channel: an iteration every 3 cycles at best,
 *     but an operand that arrives a cycle late waits for the next turn, and delays what waits for it
 *
 * What sharing costs depends on when tokens meet, which no ratio of the graph expresses. So the
 * events of the marked graph are simulated (discrete-event simulation): an event happens in the
 * first cycle in which all its arcs allow it and it is granted each shared resource that it needs. A
 * resource is granted once a cycle, as in the hardware (58-machine.md): round robin by tag,
 * instruction or lane number; a channel behind another one considers only what that one granted; an
 * operand whose latch is full needs a place in the operand buffer of its PE. An event that is not
 * granted its resources tries again in the next cycle. The interval is the mean of the later half
 * of the iterations.
 *
 * Only one loop is simulated: tokens of other loops that use the same resources are left out.
 *
 * Cost: an event of an iteration looks at its arcs, a few; one that waits, at its channels each
 * cycle. */
#include "map/marked_graph.h"

#include "base/digraph.h"

enum { MOST_RANKS = 64 };

/* A queue of the events that are due in a cycle. */
typedef struct {
  u32 first, last; /* MAP_NONE: none */
} DueList;

/* The arbiter of a shared resource: the cycles + 1 of its last request and grant; the number that is
 * first in turn among the requests; the number that was granted; and the one whose turn is next. */
typedef struct {
  u32 requested, granted, first, winner, next;
} Arbiter;

typedef struct {
  const MarkedGraph *flow;
  const RatioGraph *graph;
  u32 iterations;    /* to simulate */
  Digraph in;        /* of events: backwards along the arcs */
  u32 *count, *when; /* how often it has happened; [event * iterations + iteration] */
  bool *is_due;
  u32 *next; /* in its list */
  DueList *due;
  u32 span;        /* lists: the cycle modulo this; a power of two, more than any arc's latency */
  u32 ndue, moved; /* how many are due; the cycle in which something happened last */
  u32 *waiting[3], nwaiting[3];      /* by Sharing: due events that wait for a grant */
  u32 *requests, nrequests;          /* the events being arbitrated, */
  bool *is_granted;                  /* which of them are granted, */
  u32 *passed;                       /* and how many channels have granted each */
  u32 *rank, last_rank;              /* by resource: channels are arbitrated in this order */
  Arbiter *arbiters;                 /* by resource (MarkedGraph.nturns) */
  u32 *rests;                        /* by unit of a temporal PE: busy until this cycle */
  u32 *first_of_pool, *next_of_pool; /* by PE, links whose operands share its buffer; by link */
} Turns;

/* ---- when events are due ------------------------------------------------------------------- */

static void put_due(Turns *t, u32 event, u32 cycle) {
  DueList *list = &t->due[cycle & (t->span - 1)];
  t->next[event] = MAP_NONE;
  if (list->first == MAP_NONE)
    list->first = event;
  else
    t->next[list->last] = event;
  list->last = event;
  t->is_due[event] = true;
  t->ndue++;
}

/* The next time of an event is due where all that it waits for has happened. */
static void try_event(Turns *t, u32 event, u32 now) {
  u32 k = t->count[event];
  i64 due = now;
  if (t->is_due[event] || k == t->iterations) return;
  if (k && t->when[(size_t)event * t->iterations + k - 1] >= due)
    due = (i64)t->when[(size_t)event * t->iterations + k - 1] + 1;
  for (u32 i = t->in.first[event]; i < t->in.first[event + 1]; i++) {
    const RatioArc *arc = &t->graph->arcs[t->in.edge[i]];
    i64 which = k - arc->tokens;
    if (which < 0 || which >= t->iterations) continue;
    if (which >= t->count[arc->from]) return;
    i64 then = t->when[(size_t)arc->from * t->iterations + (size_t)which] + arc->latency;
    if (then > due) due = then;
  }
  put_due(t, event, (u32)due);
}

/* ---- shared resources ---------------------------------------------------------------------- */

/* How often an event has happened before this cycle. */
static u32 count_before(const Turns *t, u32 event, u32 now) {
  u32 n = t->count[event];
  return n && t->when[(size_t)event * t->iterations + n - 1] == now ? n - 1 : n;
}

/* Tokens in an operand's latch and behind it at the start of the cycle. */
static u32 tokens_of(const Turns *t, u32 l, u32 now) {
  const MarkedLink *link = &t->flow->links[l];
  u32 came = count_before(t, 2 * t->flow->nunits + l, now), went = count_before(t, link->to, now);
  return came - (went - (went && link->next));
}

/* An operand whose latch is full takes a token while the buffer that it shares has room. */
static bool has_room(const Turns *t, u32 l, u32 now) {
  const MarkedLink *link = &t->flow->links[l];
  if (link->pool == MAP_NONE || !tokens_of(t, l, now)) return true;
  u32 pooled = 0;
  for (u32 k = t->first_of_pool[link->pool]; k != MAP_NONE; k = t->next_of_pool[k]) {
    u32 tokens = tokens_of(t, k, now);
    pooled += tokens > 1 ? tokens - 1 : 0;
  }
  return pooled < link->most_pooled;
}

/* Requests a resource, if it is not granted yet in this cycle: the first number behind the last
 * one granted wins. */
static void request(Turns *t, u32 turn, u32 number, u32 now) {
  Arbiter *at = &t->arbiters[turn];
  if (at->granted == now + 1) return;
  if (at->requested != now + 1 || number - at->next < at->first - at->next) at->first = number;
  at->requested = now + 1;
}

/* True where the number is granted the resource; all requests of the cycle have been made. */
static bool is_winner(Turns *t, u32 turn, u32 number, u32 now) {
  Arbiter *at = &t->arbiters[turn];
  if (at->granted != now + 1)
    at->granted = now + 1, at->winner = at->first, at->next = at->first + 1;
  return at->winner == number;
}

/* One unit of each temporal PE, and one lane of each group, fires. */
static void grant_units(Turns *t, u32 now) {
  const MarkedUnit *units = t->flow->units;
  for (u32 i = 0; i < t->nrequests; i++)
    request(t, units[t->requests[i]].turns, units[t->requests[i]].number, now);
  for (u32 i = 0; i < t->nrequests; i++) {
    const MarkedUnit *unit = &units[t->requests[i]];
    t->is_granted[i] = is_winner(t, unit->turns, unit->number, now);
    if (t->is_granted[i] && unit->unit != MAP_NONE) t->rests[unit->unit] = now + unit->interval;
  }
}

/* Links need all of their channels, which are arbitrated in order of rank. A link that one channel
 * grants and a later one does not has had its turn at the first. */
static void grant_links(Turns *t, u32 now) {
  const MarkedGraph *f = t->flow;
  for (u32 i = 0; i < t->nrequests; i++) t->is_granted[i] = true, t->passed[i] = 0;
  for (u32 rank = 0; rank <= t->last_rank; rank++)
    for (u32 pass = 0; pass < 2; pass++)
      for (u32 i = 0; i < t->nrequests; i++) {
        const MarkedLink *link = &f->links[t->requests[i] - 2 * f->nunits];
        const MarkedChannel *channel = &f->channels[link->first_channel + t->passed[i]];
        if (!t->is_granted[i] || t->passed[i] == link->nchannels || t->rank[channel->turns] != rank)
          continue;
        if (pass == 0)
          request(t, channel->turns, channel->tag, now);
        else
          t->is_granted[i] = is_winner(t, channel->turns, channel->tag, now), t->passed[i]++;
      }
}

/* The rank of a channel is above those of all channels before it on any link. */
static void rank_channels(Turns *t, Arena *arena) {
  const MarkedGraph *f = t->flow;
  t->rank = NEW_ARRAY(arena, u32, f->nturns + (size_t)1);
  for (bool is_changed = true; is_changed && t->last_rank < MOST_RANKS;) {
    is_changed = false;
    for (u32 l = 0; l < f->nlinks; l++)
      for (u32 k = 1; k < f->links[l].nchannels; k++) {
        const MarkedChannel *c = &f->channels[f->links[l].first_channel + k];
        u32 least = t->rank[c[-1].turns] + 1;
        if (t->rank[c->turns] >= least) continue;
        t->rank[c->turns] = least;
        if (least > t->last_rank) t->last_rank = least;
        is_changed = true;
      }
  }
}

/* ---- all iterations ------------------------------------------------------------------------ */

static void happen(Turns *t, u32 event, u32 now) {
  t->moved = now;
  t->is_due[event] = false;
  t->when[(size_t)event * t->iterations + t->count[event]++] = now;
  try_event(t, event, now);
  for (u32 a = t->graph->first[event]; a < t->graph->first[event + 1]; a++)
    try_event(t, t->graph->arcs[a].to, now);
}

static bool has_arcs(const Turns *t, u32 event) {
  return t->in.first[event] < t->in.first[event + 1] ||
         t->graph->first[event] < t->graph->first[event + 1];
}

/* Events are R of units, H of units, and h of links, in this order. */
typedef enum { FREE, BY_LINK, BY_UNIT } Sharing;

static Sharing sharing_of(const Turns *t, u32 event) {
  const MarkedGraph *f = t->flow;
  if (event < f->nunits) return f->units[event].turns == MAP_NONE ? FREE : BY_UNIT;
  if (event < 2 * f->nunits) return FREE;
  const MarkedLink *link = &f->links[event - 2 * f->nunits];
  return link->nchannels || link->pool != MAP_NONE ? BY_LINK : FREE;
}

static bool may_request(const Turns *t, u32 event, u32 now) {
  u32 n = t->flow->nunits;
  if (event >= n) return has_room(t, event - 2 * n, now);
  u32 unit = t->flow->units[event].unit;
  return unit == MAP_NONE || t->rests[unit] <= now;
}

/* Lets the due events happen that need no shared resource, and those that become due by them in this
 * cycle; puts the others on the waiting lists. */
static void sort_due(Turns *t, u32 now) {
  DueList *list = &t->due[now & (t->span - 1)];
  while (list->first != MAP_NONE) {
    u32 event = list->first;
    list->first = t->next[event];
    t->ndue--;
    Sharing how = sharing_of(t, event);
    if (how == FREE)
      happen(t, event, now);
    else if (!may_request(t, event, now))
      put_due(t, event, now + 1);
    else
      t->waiting[how][t->nwaiting[how]++] = event;
  }
}

static void arbitrate(Turns *t, Sharing how, u32 now) {
  t->requests = t->waiting[how];
  t->nrequests = t->nwaiting[how];
  t->nwaiting[how] = 0;
  (how == BY_LINK ? grant_links : grant_units)(t, now);
  for (u32 i = 0; i < t->nrequests; i++)
    if (!t->is_granted[i]) put_due(t, t->requests[i], now + 1);
  for (u32 i = 0; i < t->nrequests; i++)
    if (t->is_granted[i]) happen(t, t->requests[i], now);
}

static void run(Turns *t) {
  for (u32 v = 0; v < t->graph->nvertices; v++)
    if (has_arcs(t, v)) try_event(t, v, 0);
  for (u32 now = 0; t->ndue && now - t->moved < t->span; now++) {
    sort_due(t, now);
    while (t->nwaiting[BY_LINK] || t->nwaiting[BY_UNIT]) {
      arbitrate(t, t->nwaiting[BY_LINK] ? BY_LINK : BY_UNIT, now);
      sort_due(t, now);
    }
  }
}

static void list_pools(Turns *t, Arena *arena) {
  const MarkedGraph *f = t->flow;
  t->first_of_pool = NEW_ARRAY(arena, u32, f->mapping->adg->npes + (size_t)1);
  t->next_of_pool = NEW_ARRAY(arena, u32, f->nlinks + (size_t)1);
  for (u32 pe = 0; pe < f->mapping->adg->npes; pe++) t->first_of_pool[pe] = MAP_NONE;
  for (u32 l = 0; l < f->nlinks; l++) {
    if (f->links[l].pool == MAP_NONE) continue;
    t->next_of_pool[l] = t->first_of_pool[f->links[l].pool];
    t->first_of_pool[f->links[l].pool] = l;
  }
}

static u32 span_of(const RatioGraph *g) {
  u32 span = 4;
  for (u32 a = 0; a < g->narcs; a++)
    while (g->arcs[a].latency + 2 > span) span *= 2;
  return span;
}

static LoopInterval by_turns(const MarkedGraph *f, u32 iterations) {
  const RatioGraph *g = f->graph;
  Arena *arena = arena_new();
  Turns t = {.flow = f,
             .graph = g,
             .iterations = iterations,
             .count = NEW_ARRAY(arena, u32, g->nvertices + (size_t)1),
             .when = NEW_ARRAY(arena, u32, mem_size(g->nvertices + (size_t)1, iterations)),
             .is_due = NEW_ARRAY(arena, bool, g->nvertices + (size_t)1),
             .next = NEW_ARRAY(arena, u32, g->nvertices + (size_t)1),
             .span = span_of(g),
             .arbiters = NEW_ARRAY(arena, Arbiter, f->nturns + (size_t)1),
             .waiting = {NULL, NEW_ARRAY(arena, u32, f->nlinks + (size_t)1),
                         NEW_ARRAY(arena, u32, f->nunits + (size_t)1)},
             .passed = NEW_ARRAY(arena, u32, f->nlinks + f->nunits + (size_t)1),
             .is_granted = NEW_ARRAY(arena, bool, f->nlinks + f->nunits + (size_t)1),
             .rests = NEW_ARRAY(arena, u32, f->mapping->adg->nfus + (size_t)1)};
  t.due = NEW_ARRAY(arena, DueList, t.span);
  for (u32 i = 0; i < t.span; i++) t.due[i].first = MAP_NONE;
  DigraphEdges arcs = {0};
  for (u32 a = 0; a < g->narcs; a++) digraph_edge(&arcs, g->arcs[a].to, g->arcs[a].from);
  t.in = digraph_new(arena, g->nvertices, &arcs);
  vec_free(&arcs);
  list_pools(&t, arena);
  rank_channels(&t, arena);
  run(&t);
  LoopInterval r = {0, iterations - iterations / 2};
  for (u32 v = 0; v < g->nvertices; v++) {
    const u32 *when = &t.when[(size_t)v * iterations];
    if (!has_arcs(&t, v)) continue;
    if (t.count[v] < iterations) r.iterations = 0; /* a deadlock */
    u32 cycles = when[iterations - 1] - when[iterations / 2 - 1];
    if (r.iterations && cycles > r.cycles) r.cycles = cycles;
  }
  arena_free(arena);
  u32 common = (u32)gcd(r.cycles, r.iterations);
  return r.iterations ? (LoopInterval){r.cycles / common, r.iterations / common} : r;
}

LoopInterval marked_graph_with_turns(const MarkedGraph *f, LoopInterval r, u32 iterations) {
  if (f->most_shared < 2 || !r.iterations) return r;
  LoopInterval turns = by_turns(f, iterations);
  return turns.iterations && interval_is_less(r, turns) ? turns : r;
}

LoopInterval marked_graph_expected(const MarkedGraph *f, u32 iterations) {
  LoopInterval r = marked_graph_with_turns(f, marked_graph_interval(f, NULL, NULL), iterations);
  return f->most_shared < 2 || !r.iterations ? r : marked_graph_limited(f, r);
}
