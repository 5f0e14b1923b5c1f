/* game_of_life: three generations on a torus; how many cells live at the end. */

#include "../hand.h"

enum { ROWS = 20, COLS = 24 };

static int generations(uint8_t (*cells)[COLS])
{
    uint8_t next[ROWS][COLS];
    int alive = 0;
    for (int t = 0; t < 3; t++) {
        for (int y = 0; y < ROWS; y++)
            for (int x = 0; x < COLS; x++) {
                int neighbours = 0;
                for (int dy = 0; dy < 3; dy++)
                    for (int dx = 0; dx < 3; dx++) {
                        if (dy == 1 && dx == 1)
                            continue;
                        neighbours += cells[(y + dy + ROWS - 1) % ROWS][(x + dx + COLS - 1) % COLS];
                    }
                next[y][x] = (cells[y][x] && neighbours == 2) || neighbours == 3;
            }
        alive = 0;
        for (int y = 0; y < ROWS; y++)
            for (int x = 0; x < COLS; x++) {
                cells[y][x] = next[y][x];
                alive += next[y][x];
            }
    }
    return alive;
}

void hand(const HandCall *call)
{
    call->result[0] = (uint32_t)generations(call->memref[0]);
}
