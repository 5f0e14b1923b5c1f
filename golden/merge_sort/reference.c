/* merge_sort: 150 keys in ascending order (by the C library's qsort; equal
   keys cannot be told apart) and ceil(log2 150) rounds. */

#include "../case.h"

#include <stdlib.h>

enum { N = 150 };

static int by_value(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

int main(void)
{
    static int32_t keys[N];
    uint32_t seed = 3;
    for (int i = 0; i < N; i++) {
        seed = seed * 1664525u + 1013904223u;
        keys[i] = (int32_t)(seed >> 8) % 200 * (i % 4 == 0 ? -1000000 : 1);
    }

    case_begin("merge_sort");
    arg_memref(I32, keys, N);

    qsort(keys, N, sizeof keys[0], by_value);
    int rounds = 0;
    while (1 << rounds < N)
        rounds++;

    result_int(I32, rounds);
    case_end();
    return 0;
}
