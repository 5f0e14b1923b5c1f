/* sieve: the numbers below 600, by trial division. */

#include "../case.h"

enum { N = 600 };

int main(void)
{
    static bool composite[N];
    for (int i = 0; i < N; i++)
        composite[i] = i % 4 == 1;

    case_begin("sieve");
    arg_memref(I1, composite, N);

    int primes = 0;
    for (int i = 0; i < N; i++) {
        composite[i] = i < 2;
        for (int d = 2; d * d <= i; d++)
            if (i % d == 0)
                composite[i] = true;
        primes += !composite[i];
    }

    result_int(I32, primes);
    case_end();
    return 0;
}
