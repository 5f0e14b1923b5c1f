/* blur: (1 2 1)/4 along rows, then along columns, of a 24x24 image of halves.

   A half operation is done in float and rounded once more to 11 bits. For sums
   and products that equals rounding the exact result: float has 24 bits, twice
   11 plus two. */

#include "../case.h"

enum { N = 24 };

/* To the nearest half, ties to even; zero and values from 2^-14 to 65504. */
static uint16_t to_f16(float f)
{
    uint32_t u = bits_of_float(f), sign = u >> 16 & 0x8000, magnitude = u & 0x7FFFFFFF;
    if (magnitude == 0)
        return (uint16_t)sign;
    magnitude -= (127 - 15) << 23;                     /* the other exponent bias */
    magnitude += 0xFFF + (magnitude >> 13 & 1);        /* 13 bits go: round them */
    return (uint16_t)(sign | magnitude >> 13);
}

static uint16_t add(uint16_t a, uint16_t b)
{
    return to_f16(f16_value(a) + f16_value(b));
}

static uint16_t times(uint16_t a, float b)
{
    return to_f16(f16_value(a) * b);
}

static uint16_t smooth(uint16_t a, uint16_t b, uint16_t c)
{
    return add(times(add(a, c), 0.25f), times(b, 0.5f));
}

int main(void)
{
    static uint16_t image[N][N], rows[N][N];
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++)
            image[y][x] = to_f16((float)((y * 37 + x * 101) % 257) * 0.37f - 20.0f);

    case_begin("blur");
    arg_memref(F16, image, N, N);

    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++)
            rows[y][x] = smooth(image[y][x ? x - 1 : 0], image[y][x], image[y][x < N - 1 ? x + 1 : x]);
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++)
            image[y][x] = smooth(rows[y ? y - 1 : 0][x], rows[y][x], rows[y < N - 1 ? y + 1 : y][x]);

    case_end();
    return 0;
}
