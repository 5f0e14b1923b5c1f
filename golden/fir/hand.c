/* fir: a filter of m taps over i16, summed in i64 and scaled down by 2^12. */

#include "../hand.h"

static void fir(const int16_t *restrict x, int m, const int16_t *restrict taps, int n,
                int32_t *restrict y)
{
    for (int i = 0; i < n; i++) {
        int64_t sum = 0;
        for (int k = 0; k < m; k++)
            sum += (int64_t)x[i + m - 1 - k] * taps[k];
        y[i] = (int32_t)(sum >> 12);
    }
}

void hand(const HandCall *call)
{
    void *const *m = call->memref;
    fir(m[0], (int)call->extent[1], m[1], (int)call->extent[2], m[2]);
}
