/* gcd: of 150 pairs, some above 2^31, some zero, by the binary algorithm. */

#include "../case.h"

enum { N = 150 };

static uint32_t gcd(uint32_t a, uint32_t b)
{
    if (a == 0 || b == 0)
        return a | b;
    if (a % 2 == 0 && b % 2 == 0)
        return 2 * gcd(a / 2, b / 2);
    if (a % 2 == 0)
        return gcd(a / 2, b);
    if (b % 2 == 0)
        return gcd(a, b / 2);
    return a > b ? gcd((a - b) / 2, b) : gcd((b - a) / 2, a);
}

int main(void)
{
    static int32_t a[N], b[N], out[N];
    uint32_t seed = 29;
    for (int i = 0; i < N; i++) {
        seed = seed * 1664525u + 1013904223u;
        a[i] = (int32_t)(seed / 12 * 12);
        seed = seed * 1664525u + 1013904223u;
        b[i] = i % 10 == 0 ? 0 : (int32_t)(seed >> i % 16);
    }

    case_begin("gcd");
    arg_memref(I32, a, N);
    arg_memref(I32, b, N);
    arg_memref(I32, out, N);

    int coprime = 0;
    for (int i = 0; i < N; i++) {
        out[i] = (int32_t)gcd((uint32_t)a[i], (uint32_t)b[i]);
        coprime += out[i] == 1;
    }

    result_int(I32, coprime);
    case_end();
    return 0;
}
