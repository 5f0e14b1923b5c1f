/* isqrt: integer square roots by Newton's steps from above. */

#include "../hand.h"

static void isqrt(int n, const int64_t *restrict x, int64_t *restrict root)
{
    for (int i = 0; i < n; i++) {
        uint64_t v = (uint64_t)x[i], guess = 0;
        if (x[i] > 0) {
            uint64_t better = v;
            do {
                guess = better;
                better = (guess + v / guess) / 2;
            } while (better < guess);
        }
        root[i] = (int64_t)guess;
    }
}

void hand(const HandCall *call)
{
    isqrt((int)call->extent[0], call->memref[0], call->memref[1]);
}
