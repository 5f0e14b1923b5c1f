/* div_rem: seven quotients and remainders of 250 pairs. */

#include "../case.h"

enum { N = 250 };

int main(void)
{
    static int32_t a[N], b[N], out[N][7];
    uint32_t seed = 47;
    for (int i = 0; i < N; i++) {
        seed = seed * 1664525u + 1013904223u;
        a[i] = i % 4 == 0 ? (int32_t)(seed >> 27) - 16 : (int32_t)seed;
        seed = seed * 1664525u + 1013904223u;
        b[i] = i % 3 == 0 ? (int32_t)seed : (int32_t)(seed >> 28) - 8;
    }
    a[10] = INT32_MIN, b[10] = 1;
    a[11] = INT32_MIN, b[11] = INT32_MIN;
    a[12] = -1, b[12] = INT32_MAX;

    case_begin("div_rem");
    arg_memref(I32, a, N);
    arg_memref(I32, b, N);
    arg_memref(I32, out, N, 7);

    int divided = 0;
    for (int i = 0; i < N; i++) {
        if (b[i] == 0)
            continue;
        int32_t q = a[i] / b[i], r = a[i] % b[i];
        bool inexact = r != 0, negative = (a[i] < 0) != (b[i] < 0);
        uint32_t uq = (uint32_t)a[i] / (uint32_t)b[i], ur = (uint32_t)a[i] % (uint32_t)b[i];
        out[i][0] = q;
        out[i][1] = r;
        out[i][2] = (int32_t)uq;
        out[i][3] = (int32_t)ur;
        out[i][4] = q - (inexact && negative);
        out[i][5] = q + (inexact && !negative);
        out[i][6] = (int32_t)(uq + (ur != 0));
        divided++;
    }

    result_int(I32, divided);
    case_end();
    return 0;
}
