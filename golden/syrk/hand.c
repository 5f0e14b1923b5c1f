/* syrk: the lower triangle of alpha A A^T + beta C. */

#include "../hand.h"

enum { N = 28, K = 20 };

static void syrk(float (*restrict A)[K], float (*restrict C)[N], float alpha, float beta)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= i; j++) {
            float sum = beta * C[i][j];
            for (int k = 0; k < K; k++)
                sum += alpha * A[i][k] * A[j][k];
            C[i][j] = sum;
        }
}

void hand(const HandCall *call)
{
    syrk(call->memref[0], call->memref[1], float_of_bits((uint32_t)call->scalar[0]),
         float_of_bits((uint32_t)call->scalar[1]));
}
