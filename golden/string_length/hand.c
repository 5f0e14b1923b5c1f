/* string_length: of a string that ends with 0. */

#include "../hand.h"

static int string_length(const uint8_t *text)
{
    int i = 0;
    while (text[i] != 0)
        i++;
    return i;
}

void hand(const HandCall *call)
{
    call->result[0] = (uint32_t)string_length(call->memref[0]);
}
