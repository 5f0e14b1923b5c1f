/* median2d: of a 14x16 image; the median of nine is the pixel with at most four
   below it and at most four above it. */

#include "../case.h"

enum { H = 14, W = 16 };

int main(void)
{
    static int16_t image[H][W], out[H - 2][W - 2];
    uint32_t seed = 53;
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            seed = seed * 1664525u + 1013904223u;
            image[y][x] = (int16_t)(seed >> 29 == 0 ? -30000 : 100 * y - 90 * x + (int)(seed >> 26));
        }

    case_begin("median2d");
    arg_memref(I16, image, H, W);
    arg_memref(I16, out, H - 2, W - 2);

    for (int y = 0; y < H - 2; y++)
        for (int x = 0; x < W - 2; x++)
            for (int k = 0; k < 9; k++) {
                int below = 0, above = 0, v = image[y + k / 3][x + k % 3];
                for (int m = 0; m < 9; m++) {
                    below += image[y + m / 3][x + m % 3] < v;
                    above += image[y + m / 3][x + m % 3] > v;
                }
                if (below <= 4 && above <= 4)
                    out[y][x] = (int16_t)v;
            }

    case_end();
    return 0;
}
