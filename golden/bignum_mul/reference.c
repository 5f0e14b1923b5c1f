/* bignum_mul: 768 by 768 bits, with a 64-bit accumulator per limb. */

#include "../case.h"

enum { LIMBS = 24 };

int main(void)
{
    static int32_t a[LIMBS], b[LIMBS], product[2 * LIMBS];
    uint32_t seed = 37;
    for (int i = 0; i < LIMBS; i++) {
        seed = seed * 1664525u + 1013904223u;
        a[i] = i % 6 == 0 ? -1 : (int32_t)seed;
        b[i] = i % 4 == 1 ? -1 : (int32_t)(seed ^ seed >> 15);
        product[i] = 5;
    }

    case_begin("bignum_mul");
    arg_memref(I32, a, LIMBS);
    arg_memref(I32, b, LIMBS);
    arg_memref(I32, product, 2 * LIMBS);

    memset(product, 0, sizeof product);
    for (int i = 0; i < LIMBS; i++) {
        uint64_t carry = 0;
        for (int j = 0; j < LIMBS; j++) {
            carry += (uint64_t)(uint32_t)a[i] * (uint32_t)b[j] + (uint32_t)product[i + j];
            product[i + j] = (int32_t)carry;
            carry >>= 32;
        }
        product[i + LIMBS] = (int32_t)carry;
    }

    case_end();
    return 0;
}
