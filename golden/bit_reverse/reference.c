/* bit_reverse: of 512 words, their halves and bytes, and of their numbers. */

#include "../case.h"

enum { N = 512 };

static uint32_t mirrored(uint32_t v, int width)
{
    uint32_t m = 0;
    for (int bit = 0; bit < width; bit++)
        m |= (v >> bit & 1) << (width - 1 - bit);
    return m;
}

int main(void)
{
    static int32_t words[N], packed[N];
    uint32_t seed = 23;
    for (int i = 0; i < N; i++) {
        seed = seed * 1664525u + 1013904223u;
        words[i] = (int32_t)(i % 5 ? seed : seed >> 20);
    }

    case_begin("bit_reverse");
    arg_memref(I32, words, N);
    arg_memref(I32, packed, N);

    for (int i = 0; i < N; i++) {
        uint32_t word = (uint32_t)words[i];
        int8_t byte = (int8_t)mirrored(word & 0xFF, 8);
        packed[mirrored((uint32_t)i, 9)] = (int32_t)((uint32_t)byte << 8 | mirrored(word >> 16, 16));
        words[i] = (int32_t)mirrored(word, 32);
    }

    case_end();
    return 0;
}
