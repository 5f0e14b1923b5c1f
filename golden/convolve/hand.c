/* convolve: the full convolution of two sequences. */

#include "../hand.h"

static void convolve(int n, const uint64_t *restrict x, int m, const uint64_t *restrict h,
                     int length, uint64_t *restrict y)
{
    for (int i = 0; i < length; i++) {
        int begin = i + 1 - m > 0 ? i + 1 - m : 0, end = i + 1 < n ? i + 1 : n;
        uint64_t sum = 0;
        for (int k = begin; k < end; k++)
            sum += x[k] * h[i - k];
        y[i] = sum;
    }
}

void hand(const HandCall *call)
{
    const int64_t *e = call->extent;
    void *const *m = call->memref;
    convolve((int)e[0], m[0], (int)e[1], m[1], (int)e[2], m[2]);
}
