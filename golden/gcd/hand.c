/* gcd: Euclid's, of each pair; how many pairs have none but 1. */

#include "../hand.h"

static int gcds(int n, const uint32_t *restrict a, const uint32_t *restrict b,
                uint32_t *restrict out)
{
    int coprime = 0;
    for (int i = 0; i < n; i++) {
        uint32_t x = a[i], y = b[i];
        while (y != 0) {
            uint32_t rest = x % y;
            x = y;
            y = rest;
        }
        out[i] = x;
        coprime += x == 1;
    }
    return coprime;
}

void hand(const HandCall *call)
{
    call->result[0] =
        (uint32_t)gcds((int)call->extent[0], call->memref[0], call->memref[1], call->memref[2]);
}
