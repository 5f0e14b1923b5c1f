/* prefix_sum: of 1000 large numbers, from the back: each sum is the total less
   what follows. */

#include "../case.h"

enum { N = 1000 };

int main(void)
{
    static int32_t x[N];
    uint32_t seed = 43;
    for (int i = 0; i < N; i++) {
        seed = seed * 1664525u + 1013904223u;
        x[i] = (int32_t)seed;
    }

    case_begin("prefix_sum");
    arg_memref(I32, x, N);

    uint32_t total = 0;
    for (int i = 0; i < N; i++)
        total += (uint32_t)x[i];
    uint32_t sum = total;
    for (int i = N; i-- > 0;) {
        uint32_t element = (uint32_t)x[i];
        x[i] = (int32_t)sum;
        sum -= element;
    }

    result_int(I32, (int32_t)total);
    case_end();
    return 0;
}
