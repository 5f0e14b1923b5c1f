/* tile_sums: twenty tiles of 5x6 in a 20x30 image, column 1, and all of it. */

#include "../case.h"

enum { H = 20, W = 30 };

int main(void)
{
    static int32_t image[H * W], sums[4][5];
    for (int i = 0; i < H * W; i++)
        image[i] = i * 97 % 1009 - 500;

    case_begin("tile_sums");
    arg_memref(I32, image, H * W);
    arg_memref(I32, sums, 4, 5);

    int total = 0;
    for (int i = 0; i < H * W; i++) {
        int y = i / W, x = i % W;
        sums[y / 5][x / 6] += image[i];
        if (x == 1)
            image[i] *= 2;
        total += image[i];
    }

    result_int(I32, total);
    case_end();
    return 0;
}
