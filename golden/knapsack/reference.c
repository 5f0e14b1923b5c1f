/* knapsack: 24 items, capacities 0 to 120, with the whole table kept; every
   eighth item is too heavy. */

#include "../case.h"

enum { ITEMS = 24, CAPACITY = 120 };

int main(void)
{
    static int32_t weight[ITEMS], value[ITEMS], best[CAPACITY + 1];
    for (int i = 0; i < ITEMS; i++) {
        weight[i] = i % 8 == 5 ? 130 + i : 5 + i * 17 % 40;
        value[i] = 10 + i * 29 % 61;
    }
    for (int c = 0; c <= CAPACITY; c++)
        best[c] = -7;

    case_begin("knapsack");
    arg_memref(I32, weight, ITEMS);
    arg_memref(I32, value, ITEMS);
    arg_memref(I32, best, CAPACITY + 1);

    static int32_t table[ITEMS + 1][CAPACITY + 1];
    for (int i = 0; i < ITEMS; i++)
        for (int c = 0; c <= CAPACITY; c++) {
            int32_t without = table[i][c];
            int32_t with = c < weight[i] ? 0 : table[i][c - weight[i]] + value[i];
            table[i + 1][c] = with > without ? with : without;
        }
    memcpy(best, table[ITEMS], sizeof best);

    result_int(I32, best[CAPACITY]);
    case_end();
    return 0;
}
