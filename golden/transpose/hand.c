/* transpose: a square matrix in place. */

#include "../hand.h"

static void transpose(int n, int64_t *A)
{
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            int64_t upper = A[i * n + j];
            A[i * n + j] = A[j * n + i];
            A[j * n + i] = upper;
        }
}

void hand(const HandCall *call)
{
    transpose((int)call->extent[0], call->memref[0]);
}
