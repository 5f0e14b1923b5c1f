/* adler32: two sums of bytes modulo 65521. */

#include "../hand.h"

static uint32_t adler32(const uint8_t *message, int length)
{
    uint32_t a = 1, b = 0;
    for (int i = 0; i < length; i++) {
        a = (a + message[i]) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

void hand(const HandCall *call)
{
    call->result[0] = adler32(call->memref[0], (int)call->scalar[0]);
}
