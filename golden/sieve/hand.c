/* sieve: Eratosthenes'; how many primes there are below n. */

#include "../hand.h"

static int sieve(int n, uint8_t *composite)
{
    int count = 0;
    for (int i = 0; i < n; i++)
        composite[i] = 0;
    composite[0] = composite[1] = 1;
    for (int p = 2; p < n; p++)
        if (!composite[p]) {
            for (int m = p * p; m < n; m += p)
                composite[m] = 1;
            count++;
        }
    return count;
}

void hand(const HandCall *call)
{
    call->result[0] = (uint32_t)sieve((int)call->extent[0], call->memref[0]);
}
