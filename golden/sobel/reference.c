/* sobel: |gx| + |gy| of a 28x28 grey image, clamped to 255, border black. */

#include "../case.h"

#include <stdlib.h>

enum { N = 28 };

static const int weight[3] = {1, 2, 1};

int main(void)
{
    static uint8_t image[N][N], edges[N][N];
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++) {
            int disc = (y - 13) * (y - 13) + (x - 11) * (x - 11) < 70;
            image[y][x] = (uint8_t)(disc ? 200 + x : 3 * y + (x * x) % 19);
            edges[y][x] = 7;
        }

    case_begin("sobel");
    arg_memref(I8, image, N, N);
    arg_memref(I8, edges, N, N);

    memset(edges, 0, sizeof edges);
    for (int y = 1; y < N - 1; y++)
        for (int x = 1; x < N - 1; x++) {
            int gx = 0, gy = 0;
            for (int d = -1; d <= 1; d++) {
                gx += weight[d + 1] * (image[y + d][x + 1] - image[y + d][x - 1]);
                gy += weight[d + 1] * (image[y + 1][x + d] - image[y - 1][x + d]);
            }
            int strength = abs(gx) + abs(gy);
            edges[y][x] = (uint8_t)(strength > 255 ? 255 : strength);
        }

    case_end();
    return 0;
}
