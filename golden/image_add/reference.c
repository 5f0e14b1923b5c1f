/* image_add: the saturating sum of two 24x30 images of signed bytes. */

#include "../case.h"

enum { H = 24, W = 30 };

int main(void)
{
    static int8_t a[H][W], b[H][W], sum[H][W];
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            a[y][x] = (int8_t)((y * 67 + x * 5) % 256 - 128);
            b[y][x] = (int8_t)((y * 3 + x * 41) % 256 - 128);
        }

    case_begin("image_add");
    arg_memref(I8, a, H, W);
    arg_memref(I8, b, H, W);
    arg_memref(I8, sum, H, W);

    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            int s = a[y][x] + b[y][x];
            sum[y][x] = (int8_t)(s < -128 ? -128 : s > 127 ? 127 : s);
        }

    case_end();
    return 0;
}
