/* dominators.c -- immediate dominators by Lengauer and Tarjan's algorithm, with simple path
 * compression. See dominators.h. Inside, a node goes by its preorder number in a depth-first walk;
 * `semi`, `label`, `ancestor` and `bucket` are named as in the paper. */
#include "ir/dominators.h"

/* All arrays are indexed by preorder number. */
typedef struct {
  u32 n;       /* reachable nodes */
  u32 *node;   /* the node of the graph */
  u32 *parent; /* in the depth-first tree */
  u32 *semi, *label, *ancestor, *idom;
  u32 *bucket, *next_in_bucket; /* nodes whose semidominator this is */
  u32 *first_pred, *preds;      /* predecessors of i: preds[first_pred[i] .. first_pred[i + 1]) */
  u32 *path;                    /* a stack */
} DepthFirst;

/* Numbers the nodes. Both arrays are indexed by node: `number` is 1 + the preorder number, 0 if the
 * node is not reached; `next` counts the edges already followed. */
static void visit(DepthFirst *w, const u32 *first, const u32 *to, u32 *number, u32 *next) {
  u32 depth = 0;
  w->path[depth++] = w->n++;
  number[0] = 1;
  while (depth) {
    u32 at = w->path[depth - 1], from = w->node[at];
    if (first[from] + next[from] == first[from + 1]) {
      depth--;
      continue;
    }
    u32 found = to[first[from] + next[from]++];
    if (number[found]) continue;
    w->parent[w->n] = at;
    w->node[w->n] = found;
    w->path[depth++] = w->n++;
    number[found] = w->n;
  }
}

/* Reverses the edges by a counting sort. first_pred[i + 1] is where the predecessors of i are being
 * filled in; in the end it is where they end. */
static void find_predecessors(DepthFirst *w, Arena *arena, const u32 *first, const u32 *to,
                              const u32 *number) {
  w->first_pred = NEW_ARRAY(arena, u32, (size_t)w->n + 2);
  for (int filling = 0; filling < 2; filling++) {
    for (u32 i = 0; i < w->n; i++)
      for (u32 e = first[w->node[i]]; e < first[w->node[i] + 1]; e++) {
        u32 at = number[to[e]] - 1;
        if (filling)
          w->preds[w->first_pred[at + 1]++] = i;
        else
          w->first_pred[at + 2]++;
      }
    if (filling) break;
    for (u32 i = 2; i < w->n + 2; i++) w->first_pred[i] += w->first_pred[i - 1];
    w->preds = NEW_ARRAY(arena, u32, w->first_pred[w->n + 1] + (size_t)1);
  }
}

/* EVAL of the paper: the node of least semidominator on the path of linked ancestors above `x`,
 * which is compressed on the way. */
static u32 best_ancestor(DepthFirst *w, u32 x) {
  if (w->ancestor[x] == NO_NODE) return x;
  u32 depth = 0;
  for (u32 at = x; w->ancestor[w->ancestor[at]] != NO_NODE; at = w->ancestor[at])
    w->path[depth++] = at;
  while (depth) {
    u32 at = w->path[--depth], above = w->ancestor[at];
    if (w->semi[w->label[above]] < w->semi[w->label[at]]) w->label[at] = w->label[above];
    w->ancestor[at] = w->ancestor[above];
  }
  return w->label[x];
}

static void find_dominators(DepthFirst *w) {
  for (u32 i = 0; i < w->n; i++) {
    w->semi[i] = w->label[i] = i;
    w->ancestor[i] = w->bucket[i] = NO_NODE;
  }
  for (u32 i = w->n - 1; i > 0; i--) {
    for (u32 p = w->first_pred[i]; p < w->first_pred[i + 1]; p++) {
      u32 u = best_ancestor(w, w->preds[p]);
      if (w->semi[u] < w->semi[i]) w->semi[i] = w->semi[u];
    }
    w->next_in_bucket[i] = w->bucket[w->semi[i]];
    w->bucket[w->semi[i]] = i;
    w->ancestor[i] = w->parent[i];
    for (u32 x = w->bucket[w->parent[i]]; x != NO_NODE; x = w->next_in_bucket[x]) {
      u32 u = best_ancestor(w, x);
      w->idom[x] = w->semi[u] < w->semi[x] ? u : w->parent[i];
    }
    w->bucket[w->parent[i]] = NO_NODE;
  }
  for (u32 i = 1; i < w->n; i++)
    if (w->idom[i] != w->semi[i]) w->idom[i] = w->idom[w->idom[i]];
}

u32 dominators(Arena *scratch, u32 n, const u32 *first, const u32 *to, u32 *idom, u32 *order) {
  u32 *piece = NEW_ARRAY(scratch, u32, mem_size(n, 9)), *number = piece + 8 * (size_t)n;
  DepthFirst w = {.node = order, .parent = piece, .semi = piece + n};
  w.label = w.semi + n;
  w.ancestor = w.label + n;
  w.idom = w.ancestor + n;
  w.bucket = w.idom + n;
  w.next_in_bucket = w.bucket + n;
  w.path = w.next_in_bucket + n;
  order[0] = 0;
  visit(&w, first, to, number, w.semi);
  find_predecessors(&w, scratch, first, to, number);
  find_dominators(&w);
  for (u32 i = 0; i < n; i++) idom[i] = NO_NODE;
  for (u32 i = 0; i < w.n; i++) idom[w.node[i]] = w.node[w.idom[i]];
  return w.n;
}
