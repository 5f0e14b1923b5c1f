/* zero_trips: loops of which most do not run. */

#include "../hand.h"

static void zero_trips(uint32_t *x, int none, int few, uint32_t result[3])
{
    uint32_t a = 0, b = 0, c = 1;
    for (int i = 0; i < 64; i++) {
        for (int j = i; j < none; j++)
            for (int k = none; k < j; k++) {
                a += x[k];
                x[k] = a;
            }
        for (int j = i; j < few; j++) {
            a += x[j];
            x[j] = a;
        }
        for (uint32_t k = (uint32_t)i; k > 1000; k--) {
            x[0] = 1;
            b++;
        }
        if (i % 2 != 0) {
            for (int j = 1; j < none; j++)
                c *= x[j];
        } else {
            for (int j = few; j < none; j++)
                x[j] = 0;
            for (int j = 0; j < i; j++)
                c ^= x[j];
        }
    }
    result[0] = a;
    result[1] = b;
    result[2] = c;
}

void hand(const HandCall *call)
{
    uint32_t result[3];
    zero_trips(call->memref[0], (int)call->scalar[0], (int)call->scalar[1], result);
    for (int i = 0; i < 3; i++)
        call->result[i] = result[i];
}
