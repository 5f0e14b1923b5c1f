/* game_of_life: three generations on a 20x24 torus; the result is the number
   of living cells at the end. */

#include "../case.h"

enum { ROWS = 20, COLS = 24, GENERATIONS = 3 };

int main(void)
{
    static bool cells[ROWS][COLS], next[ROWS][COLS];
    uint32_t seed = 5;
    for (int y = 0; y < ROWS; y++)
        for (int x = 0; x < COLS; x++) {
            seed = seed * 1664525u + 1013904223u;
            cells[y][x] = seed >> 30 == 0;
        }

    case_begin("game_of_life");
    arg_memref(I1, cells, ROWS, COLS);

    int alive = 0;
    for (int t = 0; t < GENERATIONS; t++) {
        alive = 0;
        for (int y = 0; y < ROWS; y++)
            for (int x = 0; x < COLS; x++) {
                int around = -cells[y][x];
                for (int k = 0; k < 9; k++)
                    around += cells[(y + k / 3 + ROWS - 1) % ROWS][(x + k % 3 + COLS - 1) % COLS];
                next[y][x] = around == 3 || (around == 2 && cells[y][x]);
                alive += next[y][x];
            }
        memcpy(cells, next, sizeof cells);
    }

    result_int(I32, alive);
    case_end();
    return 0;
}
