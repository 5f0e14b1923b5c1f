/* floyd_warshall: distances between all pairs of 24 nodes; a missing edge, or
   no way at all, is a million. Found by relaxing through any middle node until
   nothing changes, which needs no particular order. */

#include "../case.h"

enum { N = 24, FAR = 1000000 };

int main(void)
{
    static int32_t dist[N][N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            int h = (i * 37 + j * 101) % 61;
            dist[i][j] = i == j ? 0 : h < 8 && j != 5 ? 10 + h * 7 : FAR;
        }

    case_begin("floyd_warshall");
    arg_memref(I32, dist, N, N);

    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                for (int k = 0; k < N; k++)
                    if (dist[i][k] + dist[k][j] < dist[i][j]) {
                        dist[i][j] = dist[i][k] + dist[k][j];
                        changed = true;
                    }
    }

    case_end();
    return 0;
}
