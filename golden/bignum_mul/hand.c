/* bignum_mul: the product of two numbers of 24 limbs of 32 bits. */

#include "../hand.h"

enum { LIMBS = 24 };

static void multiply(const uint32_t *restrict a, const uint32_t *restrict b,
                     uint32_t *restrict product)
{
    for (int i = 0; i < 2 * LIMBS; i++)
        product[i] = 0;
    for (int i = 0; i < LIMBS; i++) {
        uint32_t carry = 0;
        for (int j = 0; j < LIMBS; j++) {
            uint64_t sum = (uint64_t)a[i] * b[j] + product[i + j] + carry;
            product[i + j] = (uint32_t)sum;
            carry = (uint32_t)(sum >> 32);
        }
        product[i + LIMBS] = carry;
    }
}

void hand(const HandCall *call)
{
    multiply(call->memref[0], call->memref[1], call->memref[2]);
}
