/* bit_reverse: words mirrored, and halves and bytes of them mirrored into a permuted array. */

#include "../hand.h"

static void bit_reverse(uint32_t *restrict words, uint32_t *restrict packed)
{
    for (uint32_t i = 0; i < 512; i++) {
        uint32_t word = words[i];
        words[i] = mirrored(word);
        uint32_t half = mirrored(word >> 16) >> 16;
        int8_t byte = (int8_t)(mirrored(word & 255) >> 24);
        packed[mirrored(i) >> 23] = (uint32_t)byte << 8 | half;
    }
}

void hand(const HandCall *call)
{
    bit_reverse(call->memref[0], call->memref[1]);
}
