/* merge_sort: bottom up; how many rounds it took. */

#include "../hand.h"

enum { MOST = 256 }; /* keys that there is room for */

static int merge_sort(int n, int32_t *keys)
{
    int32_t buffer[MOST];
    int rounds = 0;
    for (int run = 1; run < n; run *= 2) {
        for (int low = 0; low < n; low += 2 * run) {
            int middle = low + run < n ? low + run : n;
            int high = low + 2 * run < n ? low + 2 * run : n;
            int i = low, j = middle;
            for (int k = low; k < high; k++) {
                if (i < middle && (j >= high || keys[i] <= keys[j]))
                    buffer[k] = keys[i++];
                else
                    buffer[k] = keys[j++];
            }
        }
        for (int k = 0; k < n; k++)
            keys[k] = buffer[k];
        rounds++;
    }
    return rounds;
}

void hand(const HandCall *call)
{
    call->result[0] = (uint32_t)merge_sort((int)call->extent[0], call->memref[0]);
}
