/* image_add: the sum of two pictures of i8, saturated. */

#include "../hand.h"

static void image_add(int rows, int cols, const int8_t *restrict a, const int8_t *restrict b,
                      int8_t *restrict sum)
{
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < cols; x++) {
            int at = y * cols + x;
            int exact = a[at] + b[at];
            sum[at] = (int8_t)(exact < -128 ? -128 : exact > 127 ? 127 : exact);
        }
}

void hand(const HandCall *call)
{
    const int64_t *e = call->extent;
    image_add((int)e[0], (int)e[1], call->memref[0], call->memref[1], call->memref[2]);
}
