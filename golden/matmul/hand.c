/* matmul: C += A B, 32x32. */

#include "../hand.h"

enum { N = 32 };

static void matmul(float (*restrict A)[N], float (*restrict B)[N], float (*restrict C)[N])
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < N; k++)
                C[i][j] += A[i][k] * B[k][j];
}

void hand(const HandCall *call)
{
    matmul(call->memref[0], call->memref[1], call->memref[2]);
}
