/* histogram: how often each of 256 levels occurs. */

#include "../hand.h"

static void histogram(int n, const uint8_t *restrict image, int32_t *restrict bins)
{
    for (int b = 0; b < 256; b++)
        bins[b] = 0;
    for (int i = 0; i < n; i++)
        bins[image[i]]++;
}

void hand(const HandCall *call)
{
    histogram((int)call->extent[0], call->memref[0], call->memref[1]);
}
