/* bellman_ford: from node 0 over 240 edges between 60 nodes, some of them with
   negative weights but without a negative cycle. */

#include "../case.h"

enum { N = 60, EDGES = 240 };

int main(void)
{
    static int16_t from[EDGES], to[EDGES];
    static int64_t weight[EDGES], dist[N];
    uint32_t seed = 9;
    for (int e = 0; e < EDGES; e++) {
        seed = seed * 1664525u + 1013904223u;
        int u = (int)(seed >> 24) % N, v = (int)(seed >> 12 & 0xFFF) % N;
        if (e >= EDGES - N) { /* a ring, listed against its direction */
            u = EDGES - 1 - e;
            v = (u + 1) % N;
        }
        /* cost + height(u) - height(v) with cost >= 0: cycles sum to >= 0 */
        int cost = e * 13 % 50 + 20;
        from[e] = (int16_t)u;
        to[e] = (int16_t)v;
        weight[e] = (cost + u * 31 % 37 - v * 31 % 37) * INT64_C(10000000000);
    }
    for (int v = 0; v < N; v++)
        dist[v] = v == 0 ? 0 : INT64_C(1) << 60;

    case_begin("bellman_ford");
    arg_memref(I16, from, EDGES);
    arg_memref(I16, to, EDGES);
    arg_memref(I64, weight, EDGES);
    arg_memref(I64, dist, N);

    int rounds = 0;
    bool changed = true;
    while (changed && rounds < N) {
        changed = false;
        for (int e = 0; e < EDGES; e++)
            if (dist[from[e]] + weight[e] < dist[to[e]]) {
                dist[to[e]] = dist[from[e]] + weight[e];
                changed = true;
            }
        rounds++;
    }

    result_int(I32, rounds);
    result_int(I1, !changed);
    case_end();
    return 0;
}
