/* union_find: 200 nodes and 280 edges, with path halving. The first edges make
   one long chain of parents, the others shorten it at random places; the parents
   left behind are part of the expected result. */

#include "../case.h"

enum { NODES = 200, EDGES = 280, CHAIN = 150 };

static int32_t parent[NODES];

static int32_t find(int32_t v)
{
    while (parent[v] != v) {
        parent[v] = parent[parent[v]];
        v = parent[v];
    }
    return v;
}

int main(void)
{
    static int32_t from[EDGES], to[EDGES];
    uint32_t seed = 77;
    for (int e = 0; e < EDGES; e++) {
        seed = seed * 1664525u + 1013904223u;
        from[e] = e < CHAIN ? CHAIN - 1 - e : (int32_t)((seed >> 24) % NODES);
        to[e] = e < CHAIN ? CHAIN - e : (int32_t)((seed >> 12 & 0xFFF) % NODES);
    }

    case_begin("union_find");
    arg_memref(I32, from, EDGES);
    arg_memref(I32, to, EDGES);
    arg_memref(I32, parent, NODES);

    int components = NODES;
    for (int v = 0; v < NODES; v++)
        parent[v] = v;
    for (int e = 0; e < EDGES; e++) {
        int32_t u = find(from[e]), v = find(to[e]);
        if (u == v)
            continue;
        parent[u > v ? u : v] = u < v ? u : v;
        components--;
    }

    result_int(I32, components);
    case_end();
    return 0;
}
