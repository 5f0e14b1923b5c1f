/* xorshift: random numbers below 1000 by rejection; the state they leave. */

#include "../hand.h"

static uint64_t xorshift(uint64_t s, int n, uint16_t *numbers)
{
    for (int i = 0; i < n; i++) {
        uint64_t candidate;
        do {
            s ^= s << 13;
            s ^= s >> 7;
            s ^= s << 17;
            candidate = s >> 54;
        } while (candidate >= 1000);
        numbers[i] = (uint16_t)candidate;
    }
    return s;
}

void hand(const HandCall *call)
{
    call->result[0] = xorshift(call->scalar[0], (int)call->extent[0], call->memref[0]);
}
