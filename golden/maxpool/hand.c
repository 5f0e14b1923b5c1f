/* maxpool: maxima of 2x2 pixels, at least 0; NaN where there is one. */

#include "../hand.h"

enum { N = 40 };

/* The larger one, NaN if either is, and 0 above -0. */
static float maximum(float a, float b)
{
    if (a != a || b != b)
        return a + b;
    if (a == b)
        return float_of_bits(bits_of_float(a) & bits_of_float(b));
    return a > b ? a : b;
}

static void maxpool(float (*restrict image)[N], float (*restrict pooled)[N / 2])
{
    for (int y = 0; y < N; y += 2)
        for (int x = 0; x < N; x += 2) {
            float best = 0;
            for (int yy = y; yy < y + 2; yy++)
                for (int xx = x; xx < x + 2; xx++)
                    best = maximum(best, image[yy][xx]);
            pooled[y / 2][x / 2] = best;
        }
}

void hand(const HandCall *call)
{
    maxpool(call->memref[0], call->memref[1]);
}
