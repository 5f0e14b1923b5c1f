/* bellman_ford: shortest paths over a list of edges, in rounds until nothing changes. */

#include "../hand.h"

static int bellman_ford(int edges, const int16_t *restrict from, const int16_t *restrict to,
                        const int64_t *restrict weight, int64_t *restrict dist, int *settled)
{
    int changed = 1, round = 0;
    while (changed && round < 60) {
        changed = 0;
        for (int e = 0; e < edges; e++) {
            int u = from[e], v = to[e];
            int64_t sum = dist[u] + weight[e];
            if (sum < dist[v]) {
                dist[v] = sum;
                changed = 1;
            }
        }
        round++;
    }
    *settled = !changed;
    return round;
}

void hand(const HandCall *call)
{
    int settled;
    void *const *m = call->memref;
    int rounds = bellman_ford((int)call->extent[0], m[0], m[1], m[2], m[3], &settled);
    call->result[0] = (uint32_t)rounds;
    call->result[1] = (uint64_t)settled;
}
