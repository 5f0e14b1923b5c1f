/* pagerank: one step over 100 nodes and about 600 edges, stored by target. */

#include "../case.h"

enum { N = 100, MAX = N * 12 };

int main(void)
{
    static int32_t row_start[N + 1], source[MAX], out_degree[N];
    static float rank[N], next[N];
    int edges = 0;
    for (int v = 0; v < N; v++) {
        row_start[v] = edges;
        for (int k = 0; k < v * 7 % 13; k++) {
            int u = (v * 3 + k * k * 11) % N;
            if (u % 9 == 0)
                continue; /* these nodes link nowhere */
            source[edges++] = u;
            out_degree[u]++;
        }
        rank[v] = 1.0f / (float)(v + 2);
    }
    row_start[N] = edges;
    float damping = 0.85f;

    case_begin("pagerank");
    arg_memref(I32, row_start, N + 1);
    arg_memref(I32, source, edges);
    arg_memref(I32, out_degree, N);
    arg_memref(F32, rank, N);
    arg_float(F32, damping);

    float change = 0.0f;
    for (int v = 0; v < N; v++) {
        float inflow = 0.0f;
        for (int e = row_start[v]; e < row_start[v + 1]; e++)
            inflow += rank[source[e]] / (float)out_degree[source[e]];
        next[v] = (1.0f - damping) / (float)N + damping * inflow;
        change += fabsf(next[v] - rank[v]);
    }
    memcpy(rank, next, sizeof rank);

    result_float(F32, change);
    case_end();
    return 0;
}
