/* conv2d: a 3x3 convolution of a picture of i16 into i32. */

#include "../hand.h"

static const int16_t weights[3][3] = {{-1, 2, -3}, {4, 30, -4}, {3, -2, 1}};

static void conv2d(int width, const int16_t *restrict image, int rows, int cols,
                   int32_t *restrict out)
{
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < cols; x++) {
            int32_t sum = 0;
            for (int dy = 0; dy < 3; dy++)
                for (int dx = 0; dx < 3; dx++)
                    sum += image[(y + dy) * width + x + dx] * weights[dy][dx];
            out[y * cols + x] = sum;
        }
}

void hand(const HandCall *call)
{
    const int64_t *e = call->extent;
    conv2d((int)e[1], call->memref[0], (int)e[2], (int)e[3], call->memref[1]);
}
