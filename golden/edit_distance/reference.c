/* edit_distance: of strings of 55 and 47 letters, over the whole table. */

#include "../case.h"

enum { N = 55, M = 47 };

static int least(int a, int b)
{
    return a < b ? a : b;
}

int main(void)
{
    static int8_t a[N], b[M];
    for (int i = 0; i < N; i++)
        a[i] = (int8_t)('a' + i * i % 7);
    for (int j = 0; j < M; j++)
        b[j] = (int8_t)(j % 5 == 4 ? 'z' : 'a' + (j + 3) * (j + 3) % 7);

    case_begin("edit_distance");
    arg_memref(I8, a, N);
    arg_memref(I8, b, M);

    static int d[N + 1][M + 1];
    for (int i = 0; i <= N; i++)
        for (int j = 0; j <= M; j++)
            d[i][j] = i == 0   ? j
                      : j == 0 ? i
                               : least(d[i - 1][j - 1] + (a[i - 1] != b[j - 1]),
                                       1 + least(d[i - 1][j], d[i][j - 1]));

    result_int(I32, d[N][M]);
    case_end();
    return 0;
}
