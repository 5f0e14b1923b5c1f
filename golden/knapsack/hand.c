/* knapsack: the best value for every capacity, updated in place from above. */

#include "../hand.h"

static int32_t knapsack(int items, const int32_t *restrict weight, const int32_t *restrict value,
                        int sizes, int32_t *restrict best)
{
    for (int c = 0; c < sizes; c++)
        best[c] = 0;
    for (int i = 0; i < items; i++) {
        int w = weight[i];
        for (int c = sizes - 1; c >= w; c--) {
            int32_t with = best[c - w] + value[i];
            if (with > best[c])
                best[c] = with;
        }
    }
    return best[sizes - 1];
}

void hand(const HandCall *call)
{
    void *const *m = call->memref;
    call->result[0] =
        (uint32_t)knapsack((int)call->extent[0], m[0], m[1], (int)call->extent[2], m[2]);
}
