/* lcs: two strings over four letters; one row of the table at a time. */

#include "../case.h"

enum { N = 60 };

int main(void)
{
    static int8_t a[N], b[N];
    uint32_t seed = 41;
    for (int i = 0; i < N; i++) {
        seed = seed * 1664525u + 1013904223u;
        a[i] = "ACGT"[seed >> 30];
        b[i] = "ACGT"[seed >> 27 & 3];
    }

    case_begin("lcs");
    arg_memref(I8, a, N);
    arg_memref(I8, b, N);

    int row[N + 1] = {0};
    for (int i = 0; i < N; i++) {
        int diagonal = 0;
        for (int j = 1; j <= N; j++) {
            int up = row[j];
            if (a[i] == b[j - 1])
                row[j] = diagonal + 1;
            else if (row[j - 1] > up)
                row[j] = row[j - 1];
            diagonal = up;
        }
    }

    result_int(I32, row[N]);
    case_end();
    return 0;
}
