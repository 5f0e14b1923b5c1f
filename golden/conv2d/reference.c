/* conv2d: a 22x18 image with a 3x3 kernel, only where the kernel fits. */

#include "../case.h"

enum { H = 22, W = 18 };

static const int weights[3][3] = {{-1, 2, -3}, {4, 30, -4}, {3, -2, 1}};

int main(void)
{
    static int16_t image[H][W];
    static int32_t out[H - 2][W - 2];
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            image[y][x] = (int16_t)(y * 2347 + x * 911);

    case_begin("conv2d");
    arg_memref(I16, image, H, W);
    arg_memref(I32, out, H - 2, W - 2);

    for (int y = 0; y < H - 2; y++)
        for (int x = 0; x < W - 2; x++) {
            out[y][x] = 0;
            for (int k = 0; k < 9; k++)
                out[y][x] += image[y + k / 3][x + k % 3] * weights[k / 3][k % 3];
        }

    case_end();
    return 0;
}
