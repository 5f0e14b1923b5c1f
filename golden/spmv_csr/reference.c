/* spmv_csr: y = A * x for a 96x64 sparse matrix in compressed rows. Every fifth
   row is empty, others have up to 22 entries. */

#include "../case.h"

enum { ROWS = 96, COLS = 64, MAX = ROWS * 22 };

int main(void)
{
    static int32_t row_start[ROWS + 1], column[MAX];
    static float value[MAX], x[COLS], y[ROWS];
    int n = 0;
    for (int r = 0; r < ROWS; r++) {
        row_start[r] = n;
        int entries = r % 5 == 3 ? 0 : 1 + r * 13 % 22;
        for (int e = 0; e < entries; e++, n++) {
            column[n] = (r + e * 3) % COLS;
            value[n] = (float)((r * 31 + e * 17) % 41 - 20) / 7.0f;
        }
    }
    row_start[ROWS] = n;
    for (int c = 0; c < COLS; c++)
        x[c] = (float)(c % 9 - 4) * 0.3f;
    for (int r = 0; r < ROWS; r++)
        y[r] = -1.0f;

    case_begin("spmv_csr");
    arg_memref(I32, row_start, ROWS + 1);
    arg_memref(I32, column, n);
    arg_memref(F32, value, n);
    arg_memref(F32, x, COLS);
    arg_memref(F32, y, ROWS);

    for (int r = 0; r < ROWS; r++) {
        float sum = 0.0f;
        for (int k = row_start[r]; k < row_start[r + 1]; k++)
            sum += value[k] * x[column[k]];
        y[r] = sum;
    }

    case_end();
    return 0;
}
