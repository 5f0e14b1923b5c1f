/* bubble_sort: 50 i16, ten of them twice, in ascending order, and in how many
   passes. */

#include "../case.h"

enum { N = 50 };

int main(void)
{
    static int16_t a[N];
    for (int i = 0; i < N; i++)
        a[i] = (int16_t)(i % 40 * (i % 40) * 7919 % 30011 - 15000);

    case_begin("bubble_sort");
    arg_memref(I16, a, N);

    int passes = 0;
    bool swapped = true;
    while (swapped) {
        swapped = false;
        for (int i = 0; i < N - 1 - passes; i++)
            if (a[i] > a[i + 1]) {
                int16_t t = a[i];
                a[i] = a[i + 1];
                a[i + 1] = t;
                swapped = true;
            }
        passes++;
    }

    result_int(INDEX, passes);
    case_end();
    return 0;
}
