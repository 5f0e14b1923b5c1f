/* argmax: of 800 elements, each value many times, some of them NaN. */

#include "../case.h"

enum { N = 800 };

int main(void)
{
    static float x[N];
    for (int i = 0; i < N; i++)
        x[i] = i % 61 == 0 ? NAN : (float)((i * 83 + 17) % 211 - 100) / 9.0f;

    case_begin("argmax");
    arg_memref(F32, x, N);

    int max_at = -1, min_at = -1, odd = 0;
    for (int i = 0; i < N; i++) {
        if (isnan(x[i])) {
            odd++;
            continue;
        }
        if (max_at < 0 || x[i] > x[max_at])
            max_at = i;
        if (min_at < 0 || x[i] < x[min_at])
            min_at = i;
    }

    result_float(F32, x[max_at]);
    result_int(INDEX, max_at);
    result_float(F32, x[min_at]);
    result_int(INDEX, min_at);
    result_int(I32, odd);
    case_end();
    return 0;
}
