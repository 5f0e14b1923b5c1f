/* run_length: 900 bytes in runs of 1 to 250; counts are limited to 100. */

#include "../case.h"

enum { N = 900, LIMIT = 100, MAX_RUNS = 320 };

int main(void)
{
    static int8_t data[N], values[MAX_RUNS];
    static int16_t counts[MAX_RUNS];
    for (int i = 0; i < N; i++)
        data[i] = (int8_t)(i < 300 ? i / 250 - 1 : i < 600 ? i / 7 % 3 : i * i / 3000);

    case_begin("run_length");
    arg_memref(I8, data, N);
    arg_memref(I8, values, MAX_RUNS);
    arg_memref(I16, counts, MAX_RUNS);

    int runs = 0;
    for (int i = 0; i < N; runs++) {
        int start = i;
        while (i < N && data[i] == data[start] && i - start < LIMIT)
            i++;
        values[runs] = data[start];
        counts[runs] = (int16_t)(i - start);
    }

    result_int(INDEX, runs);
    case_end();
    return 0;
}
