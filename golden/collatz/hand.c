/* collatz: the longest chain below a limit: its start, its length, and the highest number met. */

#include "../hand.h"

typedef struct {
    int holder, longest;
    uint64_t highest;
} Record;

static Record collatz(int limit)
{
    Record r = {1, 0, 1};
    for (int start = 1; start < limit; start++) {
        uint64_t n = (uint64_t)start;
        int steps = 0;
        while (n != 1) {
            n = n & 1 ? 3 * n + 1 : n / 2;
            steps++;
            if (n > r.highest)
                r.highest = n;
        }
        if (steps > r.longest) {
            r.holder = start;
            r.longest = steps;
        }
    }
    return r;
}

void hand(const HandCall *call)
{
    Record r = collatz((int)call->scalar[0]);
    call->result[0] = (uint32_t)r.holder;
    call->result[1] = (uint32_t)r.longest;
    call->result[2] = r.highest;
}
