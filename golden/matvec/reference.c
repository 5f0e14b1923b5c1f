/* matvec: y = alpha * A * x + y for a 30x45 matrix of f64. */

#include "../case.h"

enum { ROWS = 30, COLS = 45 };

int main(void)
{
    static double A[ROWS][COLS], x[COLS], y[ROWS];
    double alpha = -1.25;
    for (int i = 0; i < ROWS; i++) {
        y[i] = (double)i / 3.0;
        for (int j = 0; j < COLS; j++)
            A[i][j] = (double)((i * 17 + j * 5) % 29 - 14) / 4.0;
    }
    for (int j = 0; j < COLS; j++)
        x[j] = (double)(j % 7) * 0.1;

    case_begin("matvec");
    arg_memref(F64, A, ROWS, COLS);
    arg_memref(F64, x, COLS);
    arg_memref(F64, y, ROWS);
    arg_float(F64, alpha);

    for (int i = 0; i < ROWS; i++) {
        double sum = 0.0;
        for (int j = 0; j < COLS; j++)
            sum += A[i][j] * x[j];
        y[i] += alpha * sum;
    }

    case_end();
    return 0;
}
