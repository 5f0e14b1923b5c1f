/* matvec: y = alpha A x + y. */

#include "../hand.h"

static void matvec(int rows, int cols, const double *restrict A, const double *restrict x,
                   double *restrict y, double alpha)
{
    for (int i = 0; i < rows; i++) {
        double sum = 0;
        for (int j = 0; j < cols; j++)
            sum += A[i * cols + j] * x[j];
        y[i] += alpha * sum;
    }
}

void hand(const HandCall *call)
{
    const int64_t *e = call->extent;
    void *const *m = call->memref;
    matvec((int)e[0], (int)e[1], m[0], m[1], m[2], double_of_bits(call->scalar[0]));
}
