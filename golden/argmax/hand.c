/* argmax: the largest and smallest numbers, where they are, and how many are none. */

#include "../hand.h"

typedef struct {
    float max, min;
    int max_at, min_at, odd;
} Extremes;

static Extremes argmax(int n, const float *x)
{
    Extremes e = {-INFINITY, INFINITY, 0, 0, 0};
    for (int i = 0; i < n; i++) {
        float v = x[i];
        if (v > e.max) {
            e.max = v;
            e.max_at = i;
        }
        if (v < e.min) {
            e.min = v;
            e.min_at = i;
        }
        if (v != v)
            e.odd++;
    }
    return e;
}

void hand(const HandCall *call)
{
    Extremes e = argmax((int)call->extent[0], call->memref[0]);
    call->result[0] = bits_of_float(e.max);
    call->result[1] = (uint32_t)e.max_at;
    call->result[2] = bits_of_float(e.min);
    call->result[3] = (uint32_t)e.min_at;
    call->result[4] = (uint32_t)e.odd;
}
