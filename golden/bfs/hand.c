/* bfs: hops from a source node, by a queue; how many nodes were reached. */

#include "../hand.h"

static int bfs(int n, const int32_t *restrict row_start, const int32_t *restrict neighbour,
               int32_t *restrict hops, int source)
{
    int32_t queue[128];
    int head = 0, tail = 0;
    for (int i = 0; i < n; i++)
        hops[i] = -1;
    hops[source] = 0;
    queue[tail++] = source;
    while (head < tail) {
        int node = queue[head++];
        int32_t farther = hops[node] + 1;
        int end = row_start[node + 1];
        for (int e = row_start[node]; e < end; e++) {
            int to = neighbour[e];
            if (hops[to] == -1) {
                hops[to] = farther;
                queue[tail++] = to;
            }
        }
    }
    return tail;
}

void hand(const HandCall *call)
{
    void *const *m = call->memref;
    call->result[0] = (uint32_t)bfs((int)call->extent[2], m[0], m[1], m[2], (int)call->scalar[0]);
}
