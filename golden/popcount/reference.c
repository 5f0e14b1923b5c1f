/* popcount: the ones in 200 words, among them 0 and -1. */

#include "../case.h"

enum { N = 200 };

int main(void)
{
    static int32_t words[N];
    static int8_t counts[N];
    uint32_t seed = 19;
    for (int i = 0; i < N; i++) {
        seed = seed * 1664525u + 1013904223u;
        words[i] = i == 7 ? 0 : i == 8 ? -1 : (int32_t)(seed >> i % 32);
    }

    case_begin("popcount");
    arg_memref(I32, words, N);
    arg_memref(I8, counts, N);

    int total = 0;
    for (int i = 0; i < N; i++) {
        counts[i] = 0;
        for (int bit = 0; bit < 32; bit++)
            counts[i] = (int8_t)(counts[i] + ((uint32_t)words[i] >> bit & 1));
        total += counts[i];
    }

    result_int(I32, total);
    result_int(I32, total);
    case_end();
    return 0;
}
