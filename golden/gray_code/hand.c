/* gray_code: numbers to Gray code and their parities; does decoding give them back? */

#include "../hand.h"

static uint16_t fold(uint16_t v)
{
    int shift = 8;
    for (int k = 0; k < 4; k++) {
        v ^= v >> shift;
        shift >>= 1;
    }
    return v;
}

static int gray_code(int n, const uint16_t *restrict numbers, uint16_t *restrict codes,
                     uint8_t *restrict parity)
{
    int all = 1;
    for (int i = 0; i < n; i++) {
        uint16_t x = numbers[i], code = x ^ x >> 1;
        codes[i] = code;
        all &= fold(code) == x;
        parity[i] = fold(x) & 1;
    }
    return all;
}

void hand(const HandCall *call)
{
    call->result[0] =
        (uint64_t)gray_code((int)call->extent[0], call->memref[0], call->memref[1], call->memref[2]);
}
