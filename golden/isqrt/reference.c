/* isqrt: of 80 numbers up to 2^62, bit by bit. */

#include "../case.h"

enum { N = 80 };

int main(void)
{
    static int64_t x[N], root[N];
    uint64_t seed = 59;
    for (int i = 0; i < N; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        x[i] = i % 9 == 4 ? 0 : (int64_t)(seed >> (2 + i % 60));
        root[i] = -1;
    }

    case_begin("isqrt");
    arg_memref(I64, x, N);
    arg_memref(I64, root, N);

    for (int i = 0; i < N; i++) {
        int64_t r = 0;
        for (int bit = 30; bit >= 0; bit--) {
            int64_t trial = r + (INT64_C(1) << bit);
            if (trial * trial <= x[i])
                r = trial;
        }
        root[i] = r;
    }

    case_end();
    return 0;
}
