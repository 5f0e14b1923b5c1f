/* digraph.c -- directed graphs. See digraph.h. */
#include "base/digraph.h"

/* Sorts the edges by `from`, by counting. */
Digraph digraph_new(Arena *arena, u32 n, const DigraphEdges *edges) {
  Digraph g = {.n = n,
               .first = NEW_ARRAY(arena, u32, n + (size_t)1),
               .to = NEW_ARRAY(arena, u32, edges->len),
               .edge = NEW_ARRAY(arena, u32, edges->len)};
  for (size_t e = 0; e < edges->len; e++) g.first[edges->at[e] >> 32]++;
  for (u32 v = 0; v < n; v++) g.first[v + 1] += g.first[v];
  for (size_t e = edges->len; e-- > 0;) {
    u32 at = --g.first[edges->at[e] >> 32];
    g.to[at] = (u32)edges->at[e];
    g.edge[at] = (u32)e;
  }
  return g;
}

u32 digraph_order(const Digraph *g, Arena *scratch, u32 *order) {
  u32 *waits = NEW_ARRAY(scratch, u32, g->n), n = 0;
  for (u32 e = 0; e < g->first[g->n]; e++) waits[g->to[e]]++;
  for (u32 v = 0; v < g->n; v++)
    if (!waits[v]) order[n++] = v;
  for (u32 k = 0; k < n; k++)
    for (u32 e = g->first[order[k]]; e < g->first[order[k] + 1]; e++)
      if (!--waits[g->to[e]]) order[n++] = g->to[e];
  return n;
}

u32 digraph_components(const Digraph *g, Arena *scratch, u32 *component, u32 *postorder) {
  u32 nstack = 0, npath = 0, clock = 0, ncomponents = 0, ndone = 0;
  u32 *low = NEW_ARRAY(scratch, u32, g->n), *number = NEW_ARRAY(scratch, u32, g->n);
  u32 *stack = NEW_ARRAY(scratch, u32, g->n), *path = NEW_ARRAY(scratch, u32, g->n);
  u32 *next = NEW_ARRAY(scratch, u32, g->n);
  for (u32 v = 0; v < g->n; v++) component[v] = UINT32_MAX; /* not known yet */
  for (u32 root = 0; root < g->n; root++) {
    if (!number[root]) path[npath++] = root;
    while (npath) {
      u32 v = path[npath - 1];
      if (!number[v]) {
        number[v] = low[v] = ++clock;
        stack[nstack++] = v;
        next[v] = g->first[v];
      }
      if (next[v] < g->first[v + 1]) {
        u32 w = g->to[next[v]++];
        if (!number[w])
          path[npath++] = w;
        else if (component[w] == UINT32_MAX && number[w] < low[v])
          low[v] = number[w];
        continue;
      }
      npath--;
      postorder[ndone++] = v;
      if (npath && low[v] < low[path[npath - 1]]) low[path[npath - 1]] = low[v];
      if (low[v] != number[v]) continue;
      u32 w;
      do component[w = stack[--nstack]] = ncomponents;
      while (w != v);
      ncomponents++;
    }
  }
  return ncomponents;
}
