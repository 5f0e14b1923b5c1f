/* pagerank: one step over a graph of 100 nodes; how far the ranks moved. */

#include "../hand.h"

enum { N = 100 };

static float pagerank(const int32_t *restrict row_start, const int32_t *restrict source,
                      const int32_t *restrict out_degree, float *restrict rank, float damping)
{
    float share[N];
    for (int v = 0; v < N; v++)
        share[v] = out_degree[v] > 0 ? rank[v] / (float)out_degree[v] : 0.0f;
    float base = (1.0f - damping) / 100.0f, change = 0;
    for (int v = 0; v < N; v++) {
        float inflow = 0;
        for (int e = row_start[v]; e < row_start[v + 1]; e++)
            inflow += share[source[e]];
        float fresh = base + damping * inflow;
        change += fabsf(fresh - rank[v]);
        rank[v] = fresh;
    }
    return change;
}

void hand(const HandCall *call)
{
    void *const *m = call->memref;
    float damping = float_of_bits((uint32_t)call->scalar[0]);
    call->result[0] = bits_of_float(pagerank(m[0], m[1], m[2], m[3], damping));
}
