/* zero_trips: what is left when the loops that never run are crossed out. */

#include "../case.h"

enum { N = 64, NONE = 0, FEW = 9 };

int main(void)
{
    static int32_t x[N];
    for (int i = 0; i < N; i++)
        x[i] = i * 7 % 30 - 3;

    case_begin("zero_trips");
    arg_memref(I32, x, N);
    arg_int(INDEX, NONE);
    arg_int(INDEX, FEW);

    uint32_t a = 0, c = 1;
    for (int i = 0; i < N; i++) {
        for (int j = i; j < FEW; j++) {
            a += (uint32_t)x[j];
            x[j] = (int32_t)a;
        }
        for (int j = 0; i % 2 == 0 && j < i; j++)
            c ^= (uint32_t)x[j];
    }

    result_int(I32, (int32_t)a);
    result_int(INDEX, 0);
    result_int(I32, (int32_t)c);
    case_end();
    return 0;
}
