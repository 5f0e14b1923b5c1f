/* run_length: runs of equal bytes, of 100 at most; how many there are. */

#include "../hand.h"

static int run_length(int n, const uint8_t *restrict data, uint8_t *restrict values,
                      uint16_t *restrict counts)
{
    uint8_t value = data[0];
    uint16_t count = 1;
    int out = 0;
    for (int i = 1; i < n; i++) {
        if (data[i] == value && count < 100) {
            count++;
        } else {
            values[out] = value;
            counts[out] = count;
            out++;
            value = data[i];
            count = 1;
        }
    }
    values[out] = value;
    counts[out] = count;
    return out + 1;
}

void hand(const HandCall *call)
{
    call->result[0] = (uint32_t)run_length((int)call->extent[0], call->memref[0], call->memref[1],
                                           call->memref[2]);
}
