/* binary_search: 120 keys in a table of 200, from the front; the first of equal
   entries counts. Some keys lie below, between and above all entries. */

#include "../case.h"

enum { N = 200, QUERIES = 120 };

int main(void)
{
    static int32_t table[N], keys[QUERIES], position[QUERIES];
    for (int i = 0; i < N; i++)
        table[i] = (i - i % 3 % 2) * 5 - 300;
    for (int q = 0; q < QUERIES; q++)
        keys[q] = q * 47 % 1100 - 320;

    case_begin("binary_search");
    arg_memref(I32, table, N);
    arg_memref(I32, keys, QUERIES);
    arg_memref(I32, position, QUERIES);

    for (int q = 0; q < QUERIES; q++) {
        int i = 0;
        while (i < N && table[i] != keys[q])
            i++;
        position[q] = i < N ? i : -1;
    }

    case_end();
    return 0;
}
