/* bubble_sort: sorts in place; how many passes it took. */

#include "../hand.h"

static int bubble_sort(int n, int16_t *a)
{
    int passes = 0, swapped;
    do {
        swapped = 0;
        for (int i = 0; i < n - 1; i++) {
            int16_t x = a[i], y = a[i + 1];
            if (x > y) {
                a[i] = y;
                a[i + 1] = x;
                swapped = 1;
            }
        }
        n--;
        passes++;
    } while (swapped);
    return passes;
}

void hand(const HandCall *call)
{
    call->result[0] = (uint32_t)bubble_sort((int)call->extent[0], call->memref[0]);
}
