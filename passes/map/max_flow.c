/* max_flow.c -- maximum flow and minimum cut: Dinic's algorithm. See max_flow.h. */
#include "map/max_flow.h"

void flow_init(FlowNetwork *g, u32 nvertices) {
  size_t n = nvertices + (size_t)1;
  *g = (FlowNetwork){.nvertices = nvertices,
                     .first = mem_alloc(mem_size(n, sizeof(u32))),
                     .level = mem_alloc(mem_size(n, sizeof(u32))),
                     .next = mem_alloc(mem_size(n, sizeof(u32))),
                     .queue = mem_alloc(mem_size(n, sizeof(u32)))};
  for (u32 v = 0; v < nvertices; v++) g->first[v] = FLOW_NONE;
}

void flow_free(FlowNetwork *g) {
  vec_free(&g->arcs);
  mem_free(g->first);
  mem_free(g->level);
  mem_free(g->next);
  mem_free(g->queue);
}

u32 flow_add(FlowNetwork *g, u32 from, u32 to, u32 room) {
  u32 arc = (u32)g->arcs.len;
  vec_push(&g->arcs, ((FlowArc){to, room, g->first[from]}));
  g->first[from] = arc;
  vec_push(&g->arcs, ((FlowArc){from, 0, g->first[to]}));
  g->first[to] = arc + 1;
  return arc;
}

/* Sets levels, breadth first from the source along arcs with room. True where it reaches the
 * sink. */
static bool find_levels(FlowNetwork *g, u32 source, u32 sink) {
  u32 n = 0;
  for (u32 v = 0; v < g->nvertices; v++) g->level[v] = FLOW_NONE;
  g->level[source] = 0;
  g->queue[n++] = source;
  for (u32 i = 0; i < n; i++) {
    u32 v = g->queue[i];
    if (v == sink) return true;
    for (u32 a = g->first[v]; a != FLOW_NONE; a = g->arcs.at[a].next) {
      u32 to = g->arcs.at[a].to;
      if (!g->arcs.at[a].room || g->level[to] != FLOW_NONE) continue;
      g->level[to] = g->level[v] + 1;
      g->queue[n++] = to;
    }
  }
  return false;
}

/* Sends as much as the narrowest arc of a path has room for, but at most `most`. */
static u32 fill_path(FlowNetwork *g, const u32 *path, u32 length, u32 most) {
  for (u32 i = 0; i < length; i++)
    if (g->arcs.at[path[i]].room < most) most = g->arcs.at[path[i]].room;
  for (u32 i = 0; i < length; i++) {
    g->arcs.at[path[i]].room -= most;
    g->arcs.at[path[i] ^ 1].room += most;
  }
  return most;
}

/* A blocking flow: paths along rising levels, depth first, until there is none. */
static u32 fill_levels(FlowNetwork *g, u32 source, u32 sink, u32 most) {
  u32 *path = g->queue, length = 0, sent = 0, v = source;
  for (u32 i = 0; i < g->nvertices; i++) g->next[i] = g->first[i];
  while (sent < most) {
    if (v == sink) {
      sent += fill_path(g, path, length, most - sent);
      length = 0;
      v = source;
      continue;
    }
    u32 *a = &g->next[v];
    while (*a != FLOW_NONE &&
           !(g->arcs.at[*a].room && g->level[g->arcs.at[*a].to] == g->level[v] + 1))
      *a = g->arcs.at[*a].next;
    if (*a != FLOW_NONE) {
      path[length++] = *a;
      v = g->arcs.at[*a].to;
    } else if (length) {
      g->level[v] = FLOW_NONE; /* a dead end */
      v = g->arcs.at[path[--length] ^ 1].to;
    } else {
      break;
    }
  }
  return sent;
}

u32 flow_send(FlowNetwork *g, u32 source, u32 sink, u32 most) {
  u32 sent = 0;
  while (sent < most && find_levels(g, source, sink))
    sent += fill_levels(g, source, sink, most - sent);
  return sent;
}

void flow_take_back(FlowNetwork *g, u32 arc, u32 sink) {
  for (u32 a = arc;;) {
    g->arcs.at[a].room++;
    g->arcs.at[a ^ 1].room--;
    u32 v = g->arcs.at[a].to;
    if (v == sink) return;
    a = g->first[v];
    while (a & 1 || !flow_on(g, a)) a = g->arcs.at[a].next;
  }
}

void flow_search(FlowNetwork *g, u32 source) {
  find_levels(g, source, FLOW_NONE);
}
