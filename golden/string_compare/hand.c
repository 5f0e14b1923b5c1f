/* string_compare: which of two strings comes first, and where they part. */

#include "../hand.h"

static int string_compare(const uint8_t *restrict a, const uint8_t *restrict b, int *at)
{
    int i = 0;
    while (a[i] == b[i] && a[i] != 0)
        i++;
    *at = i;
    return a[i] < b[i] ? -1 : a[i] > b[i];
}

void hand(const HandCall *call)
{
    int at, order = string_compare(call->memref[0], call->memref[1], &at);
    call->result[0] = (uint32_t)order;
    call->result[1] = (uint32_t)at;
}
