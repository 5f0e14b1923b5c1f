/* insertion_sort: sorts in place. */

#include "../hand.h"

static void insertion_sort(int n, int32_t *a)
{
    for (int i = 1; i < n; i++) {
        int32_t key = a[i];
        int j = i;
        while (j > 0 && a[j - 1] > key) {
            a[j] = a[j - 1];
            j--;
        }
        a[j] = key;
    }
}

void hand(const HandCall *call)
{
    insertion_sort((int)call->extent[0], call->memref[0]);
}
