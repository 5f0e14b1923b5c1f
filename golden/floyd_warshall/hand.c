/* floyd_warshall: all shortest paths among 24 nodes, in place. */

#include "../hand.h"

enum { N = 24 };

static void floyd_warshall(int32_t (*dist)[N])
{
    for (int k = 0; k < N; k++)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                int32_t via_k = dist[i][k] + dist[k][j];
                if (via_k < dist[i][j])
                    dist[i][j] = via_k;
            }
}

void hand(const HandCall *call)
{
    floyd_warshall(call->memref[0]);
}
