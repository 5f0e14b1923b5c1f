/* refine.c -- the last steps: a move is made, and its nets are routed again.
 *
 *     a . . b       a is brought to the PE beside b; the nets that end or start at a are taken up
 *     . . a b       and laid again by wires that nobody else uses: shorter, so it stays there
 *
 * Annealing only guesses what wires will cost. Once all is routed, what counts is known, and so is
 * what is free. Blocks are brought to places near to where they are or near to what they are wired
 * to, wherever the guess is not much worse; what makes the routes shorter is kept, all else undone.
 * Nothing ever gets worse here, and it ends when a round over all blocks brought nothing.
 *
 * Only clusters in spatial PEs, arguments and outputs move: these have no tags, which others would
 * have to be told of. A move that would give a cluster another unit is not made.
 *
 * Cost: a round tries blocks times some places, each a guess; few are routed, a handful of nets
 * each.
 */
#include "map/placer.h"
#include "map/router.h"

/* Places around one that are tried; how many steps of one sink a guess may be worse; rounds. */
enum { AROUND = 16, SLACK = 2 * 16 * 4, MAX_REFINEMENTS = 8 };

typedef struct {
  Search *s;
  Placer *placer;
  Router *router;
  u32 *first_net, *nets_of; /* by block */
  u32 *stamp, round;        /* by net: taken up in this trial */
  Arena *arena;
} Refine;

static u32 end_block(const Search *s, const Net *net, u32 end) {
  const NetEnd *e = end ? &s->sinks[net->first_sink + end - 1] : &net->source;
  return e->kind == END_DISCARD ? s->nblocks : e->block;
}

/* Which nets each block is an end of. One that is several ends of a net has it several times. */
static void find_nets(Refine *f) {
  const Search *s = f->s;
  u32 n = 0;
  f->first_net = NEW_ARRAY(f->arena, u32, s->nblocks + (size_t)2);
  f->nets_of = NEW_ARRAY(f->arena, u32, mem_size(2, s->nsinks + (size_t)s->nnets));
  f->stamp = NEW_ARRAY(f->arena, u32, s->nnets + (size_t)1);
  for (u32 pass = 0; pass < 2; pass++) {
    for (u32 i = s->nnets; i-- > 0;)
      for (u32 e = 0; e <= s->nets[i].nsinks; e++) {
        u32 *first = &f->first_net[end_block(s, &s->nets[i], e)];
        if (pass)
          f->nets_of[--*first] = i;
        else
          ++*first;
      }
    for (u32 t = 0; !pass && t <= s->nblocks + 1; t++) n += f->first_net[t], f->first_net[t] = n;
  }
}

static void rip_up(Refine *f, u32 block) {
  for (u32 i = f->first_net[block]; i < f->first_net[block + 1]; i++) {
    u32 net = f->nets_of[i];
    if (f->stamp[net] == f->round) continue;
    f->stamp[net] = f->round;
    route_rip_up_saved(f->router, net);
  }
}

static bool moves(const Search *s, u32 block) {
  if (s->place[block] == MAP_NONE || s->is_pinned[block]) return false;
  if (block >= s->first_memory) return block >= s->first_arg;
  return !pe_at(s->graph, s->place[block])->is_temporal;
}

/* A move has been made: is it one for the better? */
static bool judge(Refine *f, const Move *move) {
  Search *s = f->s;
  const Move *m = move;
  bool other_unit = m->a < s->first_memory && s->match_of[m->a] != m->a_fit.match;
  if (m->a < s->first_memory && m->b != MAP_NONE)
    other_unit = other_unit || s->match_of[m->b] != m->b_fit.match;
  if (other_unit || place_delta(f->placer, m) > SLACK) return false;
  f->round++;
  rip_up(f, m->a);
  if (m->b != MAP_NONE) rip_up(f, m->b);
  tags_places(s);
  return route_reroute(f->router);
}

static bool try_place(Refine *f, u32 block, u32 to) {
  Search *s = f->s;
  Move move = {.a = block, .b = MAP_NONE};
  bool is_made;
  if (block >= s->first_arg) {
    is_made = place_bring_port(f->placer, &move, to);
  } else {
    if (to == s->place[block] || pe_at(s->graph, to)->is_temporal) return false;
    u32 there = f->placer->first_in_pe[to];
    if (there != MAP_NONE && !moves(s, there)) return false;
    is_made = place_bring(f->placer, &move, to, there);
  }
  if (!is_made) return false;
  if (judge(f, &move)) return true;
  place_undo(f->placer, &move);
  if (f->router->saved.len) {
    tags_places(s);
    route_restore(f->router);
  }
  return false;
}

/* Places around where a block is, or around what it is wired to. */
static bool try_around(Refine *f, u32 block, u32 place) {
  const Placer *p = f->placer;
  u32 n = p->npes < AROUND ? p->npes : AROUND;
  bool any = false;
  for (u32 i = 0; i < n; i++)
    any = try_place(f, block, p->near[(size_t)place * p->npes + i]) || any;
  return any;
}

static bool try_block(Refine *f, u32 block) {
  const Search *s = f->s;
  const Placer *p = f->placer;
  bool any = false;
  if (block >= s->first_arg) {
    u32 n = block >= s->first_output ? s->graph->noutputs : s->graph->ninputs;
    for (u32 to = 0; to < n; to++) any = try_place(f, block, to) || any;
    return any;
  }
  any = try_around(f, block, s->place[block]);
  for (u32 i = p->first_link[block]; i < p->first_link[block + 1]; i++) {
    const Link *link = &p->links[p->links_of[i]];
    u32 other = link->from == block ? link->to : link->from;
    if (other < s->first_memory) any = try_around(f, block, s->place[other]) || any;
  }
  return any;
}

void route_refine(Router *router, Placer *placer) {
  Search *s = router->s;
  Refine f = {.s = s, .placer = placer, .router = router, .arena = arena_new()};
  find_nets(&f);
  for (u32 round = 0, any = 1; any && round < MAX_REFINEMENTS; round++) {
    any = 0;
    if (search_stopped(s, "refining", 0, 0)) break;
    for (u32 t = 0; t < s->nblocks; t++)
      if (moves(s, t) && try_block(&f, t)) any = 1;
    route_polish(router);
  }
  arena_free(f.arena);
}
