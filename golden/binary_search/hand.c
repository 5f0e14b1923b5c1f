/* binary_search: where in a sorted table each key stands first, or -1. */

#include "../hand.h"

static void search(int n, const int32_t *restrict table, int queries, const int32_t *restrict keys,
                   int32_t *restrict position)
{
    for (int q = 0; q < queries; q++) {
        int32_t key = keys[q];
        int low = 0, high = n;
        while (low < high) {
            int middle = (low + high) / 2;
            if (table[middle] < key)
                low = middle + 1;
            else
                high = middle;
        }
        position[q] = low < n && table[low] == key ? low : -1;
    }
}

void hand(const HandCall *call)
{
    search((int)call->extent[0], call->memref[0], (int)call->extent[1], call->memref[1],
           call->memref[2]);
}
