/* xorshift: 800 numbers below 1000. */

#include "../case.h"

enum { N = 800 };

int main(void)
{
    static int16_t numbers[N];
    uint64_t s = 0x9E3779B97F4A7C15;

    case_begin("xorshift");
    arg_int(I64, (int64_t)s);
    arg_memref(I16, numbers, N);

    for (int i = 0; i < N;) {
        s ^= s << 13;
        s ^= s >> 7;
        s ^= s << 17;
        if (s >> 54 < 1000)
            numbers[i++] = (int16_t)(s >> 54);
    }

    result_int(I64, (int64_t)s);
    case_end();
    return 0;
}
