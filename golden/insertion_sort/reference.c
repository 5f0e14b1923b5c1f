/* insertion_sort: 72 numbers in ascending order. The expected array is built by
   rank: an element goes behind all that are smaller or equal and earlier. */

#include "../case.h"

enum { N = 72 };

int main(void)
{
    static int32_t a[N], sorted[N];
    uint32_t seed = 42;
    for (int i = 0; i < N; i++) {
        seed = seed * 1664525u + 1013904223u;
        a[i] = (int32_t)(seed >> 20) % 1000 - 2 * i;
    }

    case_begin("insertion_sort");
    arg_memref(I32, a, N);

    for (int i = 0; i < N; i++) {
        int rank = 0;
        for (int j = 0; j < N; j++)
            rank += a[j] < a[i] || (a[j] == a[i] && j < i);
        sorted[rank] = a[i];
    }
    memcpy(a, sorted, sizeof a);

    case_end();
    return 0;
}
