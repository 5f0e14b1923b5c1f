/* cordic: 90 angles from -pi/2 to pi/2. Shifts of negative numbers round down;
   here they are divisions. The result is also held against cos and sin. */

#include "../case.h"

#include <stdlib.h>

enum { N = 90, STEPS = 16 };

static const double ONE = 268435456.0; /* 2^28 */

static int32_t shifted(int32_t v, int k)
{
    int32_t d = (int32_t)(1u << k);
    return v >= 0 ? v / d : -((-v + d - 1) / d);
}

int main(void)
{
    static int32_t angle[N], cosine[N], sine[N], arc_tangent[STEPS];
    for (int i = 0; i < N; i++)
        angle[i] = (i - N / 2) * 9370000;
    double gain = 1.0;
    for (int k = 0; k < STEPS; k++) {
        arc_tangent[k] = (int32_t)lrint(atan(ldexp(1.0, -k)) * ONE);
        gain *= sqrt(1.0 + ldexp(1.0, -2 * k));
    }

    case_begin("cordic");
    arg_memref(I32, angle, N);
    arg_memref(I32, cosine, N);
    arg_memref(I32, sine, N);

    for (int i = 0; i < N; i++) {
        int32_t x = (int32_t)lrint(ONE / gain), y = 0, z = angle[i];
        for (int k = 0; k < STEPS; k++) {
            int32_t sign = z >= 0 ? 1 : -1, dx = shifted(x, k), dy = shifted(y, k);
            x -= sign * dy;
            y += sign * dx;
            z -= sign * arc_tangent[k];
        }
        if (fabs(x / ONE - cos(angle[i] / ONE)) > 1e-4 || fabs(y / ONE - sin(angle[i] / ONE)) > 1e-4)
            abort();
        cosine[i] = x;
        sine[i] = y;
    }

    case_end();
    return 0;
}
