/* polynomial: degree 7, at 150 points, each step rounded once. */

#include "../case.h"

enum { N = 150, TERMS = 8 };

static const double coefficient[TERMS] = {1.0, -0.5, 0.33, -0.25, 0.2, -0.17, 0.14, -0.125};

static double horner(double x, int k)
{
    return k == TERMS ? 0.0 : fma(horner(x, k + 1), x, coefficient[k]);
}

int main(void)
{
    static double x[N], y[N], whole[N];
    for (int i = 0; i < N; i++)
        x[i] = (double)(i - 75) / 40.0;

    case_begin("polynomial");
    arg_memref(F64, x, N);
    arg_memref(F64, y, N);
    arg_memref(F64, whole, N);

    for (int i = 0; i < N; i++) {
        y[i] = horner(x[i], 0);
        whole[i] = floor(y[i]);
    }

    case_end();
    return 0;
}
