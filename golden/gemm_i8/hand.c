/* gemm_i8: C += A B of i8 into i32, in blocks of 8x8. */

#include "../hand.h"

enum { M = 24, K = 32, N = 16, BLOCK = 8 };

static void gemm(int8_t (*restrict A)[K], int8_t (*restrict B)[N], int32_t (*restrict C)[N])
{
    for (int i0 = 0; i0 < M; i0 += BLOCK)
        for (int j0 = 0; j0 < N; j0 += BLOCK)
            for (int k0 = 0; k0 < K; k0 += BLOCK)
                for (int i = i0; i < i0 + BLOCK; i++)
                    for (int j = j0; j < j0 + BLOCK; j++) {
                        int32_t sum = C[i][j];
                        for (int k = k0; k < k0 + BLOCK; k++)
                            sum += A[i][k] * B[k][j];
                        C[i][j] = sum;
                    }
}

void hand(const HandCall *call)
{
    gemm(call->memref[0], call->memref[1], call->memref[2]);
}
