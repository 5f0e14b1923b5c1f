/* div_rem: seven kinds of quotient and remainder of each pair with a divisor that is not 0. */

#include "../hand.h"

static int div_rem(int n, const int32_t *restrict a, const int32_t *restrict b,
                   int32_t (*restrict out)[7])
{
    int count = 0;
    for (int i = 0; i < n; i++) {
        int32_t x = a[i], y = b[i];
        if (y == 0)
            continue;
        int32_t quotient = x / y, rest = x % y;
        uint32_t ux = (uint32_t)x, uy = (uint32_t)y;
        out[i][0] = quotient;
        out[i][1] = rest;
        out[i][2] = (int32_t)(ux / uy);
        out[i][3] = (int32_t)(ux % uy);
        out[i][4] = rest != 0 && (rest < 0) != (y < 0) ? quotient - 1 : quotient;
        out[i][5] = rest != 0 && (rest < 0) == (y < 0) ? quotient + 1 : quotient;
        out[i][6] = (int32_t)(ux / uy + (ux % uy != 0));
        count++;
    }
    return count;
}

void hand(const HandCall *call)
{
    call->result[0] =
        (uint32_t)div_rem((int)call->extent[0], call->memref[0], call->memref[1], call->memref[2]);
}
