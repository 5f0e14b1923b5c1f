/* median: of three neighbours, the ends kept. */

#include "../hand.h"

static void median(int n, const int32_t *restrict in, int32_t *restrict out)
{
    out[0] = in[0];
    out[n - 1] = in[n - 1];
    for (int i = 1; i < n - 1; i++) {
        int32_t a = in[i - 1], b = in[i], c = in[i + 1];
        int32_t low = a > b ? b : a, high = a > b ? a : b;
        int32_t cut = high < c ? high : c;
        out[i] = low > cut ? low : cut;
    }
}

void hand(const HandCall *call)
{
    median((int)call->extent[0], call->memref[0], call->memref[1]);
}
