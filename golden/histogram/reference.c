/* histogram: how often each of the 256 grey levels occurs. The bins start out
   dirty, so that a lost clearing loop shows; every third pixel repeats the one
   before it. */

#include "../case.h"

enum { PIXELS = 2048, BINS = 256 };

int main(void)
{
    static int8_t image[PIXELS];
    static int32_t bins[BINS];
    uint32_t seed = 1;
    for (int i = 0; i < PIXELS; i++) {
        seed = seed * 1664525u + 1013904223u;
        image[i] = i % 3 == 2 ? image[i - 1] : (int8_t)(seed >> 24);
    }
    for (int b = 0; b < BINS; b++)
        bins[b] = 1000 + b;

    case_begin("histogram");
    arg_memref(I8, image, PIXELS);
    arg_memref(I32, bins, BINS);

    memset(bins, 0, sizeof bins);
    for (int i = 0; i < PIXELS; i++)
        bins[(uint8_t)image[i]]++;

    case_end();
    return 0;
}
