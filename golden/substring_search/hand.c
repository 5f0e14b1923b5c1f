/* substring_search: how often a pattern occurs in a text, and where first. */

#include "../hand.h"

static int substring_search(int n, const uint8_t *restrict text, int m,
                            const uint8_t *restrict pattern, int *first)
{
    int count = 0;
    *first = -1;
    for (int s = 0; s + m <= n; s++) {
        int k = 0;
        while (k < m && text[s + k] == pattern[k])
            k++;
        if (k == m) {
            if (count == 0)
                *first = s;
            count++;
        }
    }
    return count;
}

void hand(const HandCall *call)
{
    const int64_t *e = call->extent;
    int first;
    int count = substring_search((int)e[0], call->memref[0], (int)e[1], call->memref[1], &first);
    call->result[0] = (uint32_t)count;
    call->result[1] = (uint32_t)first;
}
