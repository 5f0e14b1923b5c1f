/* sobel: strength of edges in a picture of 28x28, black along the border. */

#include "../hand.h"

enum { N = 28 };

static int absolute(int x)
{
    return x < 0 ? -x : x;
}

static void sobel(uint8_t (*restrict image)[N], uint8_t (*restrict edges)[N])
{
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++) {
            if (y == 0 || y == N - 1 || x == 0 || x == N - 1) {
                edges[y][x] = 0;
                continue;
            }
            int nw = image[y - 1][x - 1], n = image[y - 1][x], ne = image[y - 1][x + 1];
            int w = image[y][x - 1], e = image[y][x + 1];
            int sw = image[y + 1][x - 1], s = image[y + 1][x], se = image[y + 1][x + 1];
            int gx = ne + 2 * e + se - (nw + 2 * w + sw);
            int gy = sw + 2 * s + se - (nw + 2 * n + ne);
            int strength = absolute(gx) + absolute(gy);
            edges[y][x] = (uint8_t)(strength < 255 ? strength : 255);
        }
}

void hand(const HandCall *call)
{
    sobel(call->memref[0], call->memref[1]);
}
