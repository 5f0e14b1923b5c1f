/* cholesky: A = L L^T in place, column by column. */

#include "../hand.h"

static void cholesky(int n, float *A)
{
    for (int j = 0; j < n; j++) {
        float square = A[j * n + j];
        for (int k = 0; k < j; k++)
            square -= A[j * n + k] * A[j * n + k];
        float pivot = sqrtf(square);
        A[j * n + j] = pivot;
        for (int i = j + 1; i < n; i++) {
            float rest = A[i * n + j];
            for (int k = 0; k < j; k++)
                rest -= A[i * n + k] * A[j * n + k];
            A[i * n + j] = rest / pivot;
        }
    }
}

void hand(const HandCall *call)
{
    cholesky((int)call->extent[0], call->memref[0]);
}
