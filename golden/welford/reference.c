/* welford: running mean and variance of 500 measurements. */

#include "../case.h"

enum { N = 500 };

int main(void)
{
    static double x[N];
    for (int i = 0; i < N; i++)
        x[i] = 1000.0 + (double)(i * 73 % 101) / 10.0;

    case_begin("welford");
    arg_memref(F64, x, N);

    double mean = 0.0, squares = 0.0;
    for (int i = 0; i < N; i++) {
        double before = mean;
        mean += (x[i] - before) / (i + 1);
        squares += (x[i] - before) * (x[i] - mean);
    }

    result_float(F64, mean);
    result_float(F64, squares / N);
    case_end();
    return 0;
}
