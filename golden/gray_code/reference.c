/* gray_code: of 300 numbers of 16 bits, with their parities. */

#include "../case.h"

enum { N = 300 };

int main(void)
{
    static int16_t numbers[N], codes[N];
    static bool parity[N];
    for (int i = 0; i < N; i++)
        numbers[i] = (int16_t)(i * 40503);

    case_begin("gray_code");
    arg_memref(I16, numbers, N);
    arg_memref(I16, codes, N);
    arg_memref(I1, parity, N);

    for (int i = 0; i < N; i++) {
        unsigned x = (uint16_t)numbers[i], code = 0;
        for (int bit = 0; bit < 16; bit++) {
            code |= ((x >> bit & 1) != (x >> bit >> 1 & 1) ? 1u : 0u) << bit;
            parity[i] ^= x >> bit & 1;
        }
        codes[i] = (int16_t)code;
    }

    result_int(I1, true);
    case_end();
    return 0;
}
