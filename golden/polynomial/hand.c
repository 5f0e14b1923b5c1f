/* polynomial: by Horner's rule with fused steps, and rounded down. */

#include "../hand.h"

static const double coefficients[8] = {1.0, -0.5, 0.33, -0.25, 0.2, -0.17, 0.14, -0.125};

static void polynomial(int n, const double *restrict x, double *restrict y, double *restrict whole)
{
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int k = 7; k >= 0; k--)
            sum = fma(sum, x[i], coefficients[k]);
        y[i] = sum;
        whole[i] = floor(sum);
    }
}

void hand(const HandCall *call)
{
    polynomial((int)call->extent[0], call->memref[0], call->memref[1], call->memref[2]);
}
