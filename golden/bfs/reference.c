/* bfs: hops from node 7 in a directed graph of 128 nodes and some 640 edges;
   no edge leads to every sixteenth node.
   The distances are found by relaxing all edges until nothing changes. */

#include "../case.h"

enum { N = 128, MAX = N * 8, SOURCE = 7 };

int main(void)
{
    static int32_t row_start[N + 1], neighbour[MAX], hops[N];
    int edges = 0;
    uint32_t seed = 11;
    for (int v = 0; v < N; v++) {
        row_start[v] = edges;
        for (int k = v % 7; k < 8; k++) {
            seed = seed * 1664525u + 1013904223u;
            int to = (v + 1 + (int)(seed >> 20) % 30) % N;
            neighbour[edges++] = to % 16 == 5 ? to + 1 : to;
        }
    }
    row_start[N] = edges;
    memset(hops, 0, sizeof hops);

    case_begin("bfs");
    arg_memref(I32, row_start, N + 1);
    arg_memref(I32, neighbour, edges);
    arg_memref(I32, hops, N);
    arg_int(INDEX, SOURCE);

    for (int v = 0; v < N; v++)
        hops[v] = -1;
    hops[SOURCE] = 0;
    int reached = 1;
    for (bool changed = true; changed;) {
        changed = false;
        for (int v = 0; v < N; v++)
            for (int e = row_start[v]; hops[v] >= 0 && e < row_start[v + 1]; e++) {
                int32_t *to = &hops[neighbour[e]];
                if (*to < 0)
                    reached++;
                if (*to < 0 || *to > hops[v] + 1) {
                    *to = hops[v] + 1;
                    changed = true;
                }
            }
    }

    result_int(INDEX, reached);
    case_end();
    return 0;
}
