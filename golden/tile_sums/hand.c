/* tile_sums: sums of tiles of 5x6 of a picture of 20x30; its second column doubled; its sum. */

#include "../hand.h"

enum { ROWS = 20, COLS = 30 };

static uint32_t sum_of(const uint32_t *tile, int rows, int cols, int pitch)
{
    uint32_t sum = 0;
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < cols; x++)
            sum += tile[y * pitch + x];
    return sum;
}

static uint32_t tile_sums(uint32_t (*restrict image)[COLS], uint32_t (*restrict sums)[5])
{
    for (int ty = 0; ty < 4; ty++)
        for (int tx = 0; tx < 5; tx++)
            sums[ty][tx] = sum_of(&image[ty * 5][tx * 6], 5, 6, COLS);
    for (int y = 0; y < ROWS; y++)
        image[y][1] += image[y][1];
    return sum_of(image[0], ROWS, COLS, COLS);
}

void hand(const HandCall *call)
{
    call->result[0] = tile_sums(call->memref[0], call->memref[1]);
}
