/* spmv_csr: y = A x, A sparse, by rows. */

#include "../hand.h"

static void spmv(int rows, const int32_t *restrict row_start, const int32_t *restrict column,
                 const float *restrict value, const float *restrict x, float *restrict y)
{
    for (int row = 0; row < rows; row++) {
        float sum = 0;
        for (int k = row_start[row]; k < row_start[row + 1]; k++)
            sum += value[k] * x[column[k]];
        y[row] = sum;
    }
}

void hand(const HandCall *call)
{
    void *const *m = call->memref;
    spmv((int)call->extent[4], m[0], m[1], m[2], m[3], m[4]);
}
