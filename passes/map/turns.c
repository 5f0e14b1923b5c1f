/* turns.c -- the interval of a loop that shares what it runs on. See marked_graph.h.
 *
 *     pe fires a, b, c by turns; x and y share a channel: every 3 cycles if all goes well, but an
 *     operand that comes a cycle late waits for the next turn, and what waits for it longer
 *
 * What turns cost depends on when things meet, and no ratio of the graph says that. So iterations
 * are run, by the arcs of the marked graph, as early as they can (a discrete-event simulation): an
 * event whose arcs are all due happens in the same cycle, unless something that it needs has been
 * given away in it: a temporal PE, or a group of lanes of a memory, to another unit; a channel to
 * another net. Then it tries again in the next cycle, before what becomes due then: whoever came
 * first is served first, where the hardware takes turns by number, which in the long run is as
 * fair. The interval is that of the later half.
 *
 * Cost: an event of an iteration takes as long as it has arcs, a few. */
#include "map/marked_graph.h"

enum { ITERATIONS = 96, MOST_RANKS = 64 };

/* Events that are due in a cycle, in the order in which they came to be. */
typedef struct {
  u32 first, last; /* MAP_NONE: none */
} DueList;

/* Cycles + 1 in which it was asked for, and given; the first that asks, who has it, and who would be
 * the next. */
typedef struct {
  u32 asked, given, first, holder, next;
} Turn;

typedef struct {
  const MarkedGraph *flow;
  const RatioGraph *graph;
  u32 *first_in, *in; /* by event, arcs that end in it */
  u32 *count, *when;  /* how often it has happened; [event * ITERATIONS + iteration] */
  bool *is_due;
  u32 *next; /* in its list */
  DueList *due;
  u32 span;        /* lists: the cycle modulo this; a power of two, more than any arc's latency */
  u32 ndue, moved; /* how many are due; the cycle in which something happened last */
  u32 *waiting[3], nwaiting[3]; /* by Asks: events that are due, and wait for a turn */
  u32 *asking, nasking;         /* those of one kind, */
  bool *is_given;               /* and who gets one */
  u32 *passed;                  /* how many channels let it through */
  u32 *rank, last_rank;         /* of channels, by what is shared: in this order they are given */
  Turn *turns;                  /* by what is shared */
  u32 *rests;                   /* by unit of a temporal PE: till this cycle */
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
  if (t->is_due[event] || k == ITERATIONS) return;
  if (k && t->when[(size_t)event * ITERATIONS + k - 1] >= due)
    due = (i64)t->when[(size_t)event * ITERATIONS + k - 1] + 1;
  for (u32 i = t->first_in[event]; i < t->first_in[event + 1]; i++) {
    const RatioArc *arc = &t->graph->arcs[t->in[i]];
    i64 which = k - arc->tokens;
    if (which < 0 || which >= ITERATIONS) continue;
    if (which >= t->count[arc->from]) return;
    i64 then = t->when[(size_t)arc->from * ITERATIONS + (size_t)which] + arc->latency;
    if (then > due) due = then;
  }
  put_due(t, event, (u32)due);
}

/* ---- what is shared ------------------------------------------------------------------------ */

/* Of an event, without what has happened in this cycle. */
static u32 count_before(const Turns *t, u32 event, u32 now) {
  u32 n = t->count[event];
  return n && t->when[(size_t)event * ITERATIONS + n - 1] == now ? n - 1 : n;
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

/* Asks for a turn: of those that ask in a cycle the first behind the last that had one gets it, if
 * nobody else had one in this cycle before. */
static void ask(Turns *t, u32 turn, u32 number, u32 now) {
  Turn *at = &t->turns[turn];
  if (at->given == now + 1) return;
  if (at->asked != now + 1 || number - at->next < at->first - at->next) at->first = number;
  at->asked = now + 1;
}

static bool gets(Turns *t, u32 turn, u32 number, u32 now) {
  Turn *at = &t->turns[turn];
  if (at->given != now + 1) at->given = now + 1, at->holder = at->first, at->next = at->first + 1;
  return at->holder == number;
}

/* Units that could fire: the first of each PE, or group of lanes, does. */
static void give_units(Turns *t, u32 now) {
  const MarkedUnit *units = t->flow->units;
  for (u32 i = 0; i < t->nasking; i++)
    ask(t, units[t->asking[i]].turns, units[t->asking[i]].number, now);
  for (u32 i = 0; i < t->nasking; i++) {
    const MarkedUnit *unit = &units[t->asking[i]];
    t->is_given[i] = gets(t, unit->turns, unit->number, now);
    if (t->is_given[i] && unit->unit != MAP_NONE) t->rests[unit->unit] = now + unit->interval;
  }
}

/* Links whose tokens could go: channel by channel, those behind others later. What a channel lets
 * through and one behind it does not has had its turn. */
static void give_links(Turns *t, u32 now) {
  const MarkedGraph *f = t->flow;
  for (u32 i = 0; i < t->nasking; i++) t->is_given[i] = true, t->passed[i] = 0;
  for (u32 rank = 0; rank <= t->last_rank; rank++)
    for (u32 pass = 0; pass < 2; pass++)
      for (u32 i = 0; i < t->nasking; i++) {
        const MarkedLink *link = &f->links[t->asking[i] - 2 * f->nunits];
        const MarkedChannel *channel = &f->channels[link->first_channel + t->passed[i]];
        if (!t->is_given[i] || t->passed[i] == link->nchannels || t->rank[channel->turns] != rank)
          continue;
        if (pass == 0)
          ask(t, channel->turns, channel->tag, now);
        else
          t->is_given[i] = gets(t, channel->turns, channel->tag, now), t->passed[i]++;
      }
}

/* Of a channel that others are before on some link: one more than theirs. */
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
  t->when[(size_t)event * ITERATIONS + t->count[event]++] = now;
  try_event(t, event, now);
  for (u32 a = t->graph->first[event]; a < t->graph->first[event + 1]; a++)
    try_event(t, t->graph->arcs[a].to, now);
}

static bool has_arcs(const Turns *t, u32 event) {
  return t->first_in[event] < t->first_in[event + 1] ||
         t->graph->first[event] < t->graph->first[event + 1];
}

/* Events are R of units, H of units, and h of links, in this order. */
typedef enum { FREE, BY_LINK, BY_UNIT } Asks;

static Asks asks(const Turns *t, u32 event) {
  const MarkedGraph *f = t->flow;
  if (event < f->nunits) return f->units[event].turns == MAP_NONE ? FREE : BY_UNIT;
  if (event < 2 * f->nunits) return FREE;
  const MarkedLink *link = &f->links[event - 2 * f->nunits];
  return link->nchannels || link->pool != MAP_NONE ? BY_LINK : FREE;
}

static bool may_ask(const Turns *t, u32 event, u32 now) {
  u32 n = t->flow->nunits;
  if (event >= n) return has_room(t, event - 2 * n, now);
  u32 unit = t->flow->units[event].unit;
  return unit == MAP_NONE || t->rests[unit] <= now;
}

/* All that is due and needs no turn happens, and what is due for it in the same cycle; what needs one
 * is put with those that wait for links, and for units. */
static void sort_due(Turns *t, u32 now) {
  DueList *list = &t->due[now & (t->span - 1)];
  while (list->first != MAP_NONE) {
    u32 event = list->first;
    list->first = t->next[event];
    t->ndue--;
    Asks how = asks(t, event);
    if (how == FREE)
      happen(t, event, now);
    else if (!may_ask(t, event, now))
      put_due(t, event, now + 1);
    else
      t->waiting[how][t->nwaiting[how]++] = event;
  }
}

static void give_turns(Turns *t, Asks how, u32 now) {
  t->asking = t->waiting[how];
  t->nasking = t->nwaiting[how];
  t->nwaiting[how] = 0;
  (how == BY_LINK ? give_links : give_units)(t, now);
  for (u32 i = 0; i < t->nasking; i++)
    if (!t->is_given[i]) put_due(t, t->asking[i], now + 1);
  for (u32 i = 0; i < t->nasking; i++)
    if (t->is_given[i]) happen(t, t->asking[i], now);
}

static void run(Turns *t) {
  for (u32 v = 0; v < t->graph->nvertices; v++)
    if (has_arcs(t, v)) try_event(t, v, 0);
  for (u32 now = 0; t->ndue && now - t->moved < t->span; now++) {
    sort_due(t, now);
    while (t->nwaiting[BY_LINK] || t->nwaiting[BY_UNIT]) {
      give_turns(t, t->nwaiting[BY_LINK] ? BY_LINK : BY_UNIT, now);
      sort_due(t, now);
    }
  }
}

static void index_arcs(Turns *t, Arena *arena) {
  const RatioGraph *g = t->graph;
  t->first_in = NEW_ARRAY(arena, u32, g->nvertices + (size_t)2);
  t->in = NEW_ARRAY(arena, u32, g->narcs + (size_t)1);
  for (u32 a = 0; a < g->narcs; a++) t->first_in[g->arcs[a].to + 1]++;
  for (u32 v = 0; v < g->nvertices; v++) t->first_in[v + 1] += t->first_in[v];
  u32 *at = NEW_ARRAY(arena, u32, g->nvertices + (size_t)1);
  memcpy(at, t->first_in, g->nvertices * sizeof *at);
  for (u32 a = 0; a < g->narcs; a++) t->in[at[g->arcs[a].to]++] = a;
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

LoopInterval marked_graph_by_turns(const MarkedGraph *f) {
  const RatioGraph *g = f->graph;
  Arena *arena = arena_new();
  Turns t = {.flow = f,
             .graph = g,
             .count = NEW_ARRAY(arena, u32, g->nvertices + (size_t)1),
             .when = NEW_ARRAY(arena, u32, mem_size(g->nvertices + (size_t)1, ITERATIONS)),
             .is_due = NEW_ARRAY(arena, bool, g->nvertices + (size_t)1),
             .next = NEW_ARRAY(arena, u32, g->nvertices + (size_t)1),
             .span = span_of(g),
             .turns = NEW_ARRAY(arena, Turn, f->nturns + (size_t)1),
             .waiting = {NULL, NEW_ARRAY(arena, u32, f->nlinks + (size_t)1),
                         NEW_ARRAY(arena, u32, f->nunits + (size_t)1)},
             .passed = NEW_ARRAY(arena, u32, f->nlinks + f->nunits + (size_t)1),
             .is_given = NEW_ARRAY(arena, bool, f->nlinks + f->nunits + (size_t)1),
             .rests = NEW_ARRAY(arena, u32, f->mapping->adg->nfus + (size_t)1)};
  t.due = NEW_ARRAY(arena, DueList, t.span);
  for (u32 i = 0; i < t.span; i++) t.due[i].first = MAP_NONE;
  index_arcs(&t, arena);
  list_pools(&t, arena);
  rank_channels(&t, arena);
  run(&t);
  LoopInterval r = {0, ITERATIONS - ITERATIONS / 2};
  for (u32 v = 0; v < g->nvertices; v++) {
    const u32 *when = &t.when[(size_t)v * ITERATIONS];
    if (!has_arcs(&t, v)) continue;
    if (t.count[v] < ITERATIONS) r.iterations = 0; /* a deadlock */
    u32 cycles = when[ITERATIONS - 1] - when[ITERATIONS / 2 - 1];
    if (r.iterations && cycles > r.cycles) r.cycles = cycles;
  }
  arena_free(arena);
  u32 common = (u32)gcd(r.cycles, r.iterations);
  return r.iterations ? (LoopInterval){r.cycles / common, r.iterations / common} : r;
}
