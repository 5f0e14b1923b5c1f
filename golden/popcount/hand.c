/* popcount: ones in words, at once and one by one; both totals. */

#include "../hand.h"

static void popcount(int n, const uint32_t *restrict words, uint8_t *restrict counts, int totals[2])
{
    int total = 0, total_loop = 0;
    for (int i = 0; i < n; i++) {
        int count = 0;
        for (uint32_t rest = words[i]; rest != 0; rest &= rest - 1)
            count++;
        counts[i] = (uint8_t)count;
        total += ones(words[i]);
        total_loop += count;
    }
    totals[0] = total;
    totals[1] = total_loop;
}

void hand(const HandCall *call)
{
    int totals[2];
    popcount((int)call->extent[0], call->memref[0], call->memref[1], totals);
    call->result[0] = (uint32_t)totals[0];
    call->result[1] = (uint32_t)totals[1];
}
