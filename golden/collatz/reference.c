/* collatz: the starts from 1 to 179. */

#include "../case.h"

enum { LIMIT = 180 };

static int64_t highest = 1;

static int steps_from(int64_t n)
{
    if (n > highest)
        highest = n;
    return n == 1 ? 0 : 1 + steps_from(n % 2 ? 3 * n + 1 : n / 2);
}

int main(void)
{
    case_begin("collatz");
    arg_int(INDEX, LIMIT);

    int holder = 1, longest = 0;
    for (int start = 1; start < LIMIT; start++) {
        int steps = steps_from(start);
        if (steps > longest) {
            longest = steps;
            holder = start;
        }
    }

    result_int(INDEX, holder);
    result_int(I32, longest);
    result_int(I64, highest);
    case_end();
    return 0;
}
