/* triangular_solve: L x = b, b replaced by x. */

#include "../hand.h"

enum { N = 40 };

static void solve(double (*restrict L)[N], double *restrict b)
{
    for (int i = 0; i < N; i++) {
        double sum = b[i];
        for (int j = 0; j < i; j++)
            sum -= L[i][j] * b[j];
        b[i] = sum / L[i][i];
    }
}

void hand(const HandCall *call)
{
    solve(call->memref[0], call->memref[1]);
}
