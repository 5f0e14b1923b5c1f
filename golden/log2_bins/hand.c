/* log2_bins: numbers counted by their magnitude; how often 2 divides them all together. */

#include "../hand.h"

static int log2_bins(int n, const int32_t *restrict x, int32_t *restrict bins)
{
    int twos = 0;
    for (int b = 0; b < 33; b++)
        bins[b] = 0;
    for (int i = 0; i < n; i++) {
        uint32_t bits = (uint32_t)x[i];
        bins[32 - leading_zeros(x[i] < 0 ? 0u - bits : bits)]++;
        twos += trailing_zeros(bits);
    }
    return twos;
}

void hand(const HandCall *call)
{
    call->result[0] =
        (uint32_t)log2_bins((int)call->extent[0], call->memref[0], call->memref[1]);
}
