/* transpose: a 36x36 matrix of i64, in place. The expected contents come from
   an out-of-place copy. */

#include "../case.h"

enum { N = 36 };

int main(void)
{
    static int64_t A[N][N], copy[N][N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            A[i][j] = (i - 18) * INT64_C(1000000007) + j;

    case_begin("transpose");
    arg_memref(I64, A, N, N);

    memcpy(copy, A, sizeof A);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            A[i][j] = copy[j][i];

    case_end();
    return 0;
}
