/* median: each sample becomes the middle one of itself and its neighbours. */

#include "../case.h"

enum { N = 1000 };

static int32_t middle(int32_t a, int32_t b, int32_t c)
{
    if (a <= b)
        return c <= a ? a : c >= b ? b : c;
    return middle(b, a, c);
}

int main(void)
{
    static int32_t in[N], out[N];
    uint32_t seed = 7;
    for (int i = 0; i < N; i++) {
        seed = seed * 1664525u + 1013904223u;
        in[i] = i + (int32_t)(seed >> 24) % 50 - (seed >> 30 == 0 ? 400 : 0);
    }

    case_begin("median");
    arg_memref(I32, in, N);
    arg_memref(I32, out, N);

    out[0] = in[0];
    out[N - 1] = in[N - 1];
    for (int i = 1; i < N - 1; i++)
        out[i] = middle(in[i - 1], in[i], in[i + 1]);

    case_end();
    return 0;
}
