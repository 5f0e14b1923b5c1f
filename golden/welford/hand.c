/* welford: mean and variance in one pass. */

#include "../hand.h"

static double welford(int n, const double *x, double *variance)
{
    double mean = 0, squares = 0;
    for (int i = 0; i < n; i++) {
        double off = x[i] - mean;
        mean += off / (i + 1);
        squares += off * (x[i] - mean);
    }
    *variance = squares / n;
    return mean;
}

void hand(const HandCall *call)
{
    double variance, mean = welford((int)call->extent[0], call->memref[0], &variance);
    call->result[0] = bits_of_double(mean);
    call->result[1] = bits_of_double(variance);
}
