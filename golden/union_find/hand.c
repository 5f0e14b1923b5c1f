/* union_find: connected components of a graph; how many there are. */

#include "../hand.h"

static int32_t find(int32_t *parent, int32_t v)
{
    int32_t p;
    while ((p = parent[v]) != v) {
        parent[v] = parent[p];
        v = parent[v];
    }
    return p;
}

static int union_find(int edges, const int32_t *restrict from, const int32_t *restrict to,
                      int nodes, int32_t *restrict parent)
{
    int count = nodes;
    for (int v = 0; v < nodes; v++)
        parent[v] = v;
    for (int e = 0; e < edges; e++) {
        int32_t u = find(parent, from[e]), v = find(parent, to[e]);
        if (u != v) {
            parent[u > v ? u : v] = u < v ? u : v;
            count--;
        }
    }
    return count;
}

void hand(const HandCall *call)
{
    void *const *m = call->memref;
    const int64_t *e = call->extent;
    call->result[0] = (uint32_t)union_find((int)e[0], m[0], m[1], (int)e[2], m[2]);
}
