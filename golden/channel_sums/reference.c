/* channel_sums: four sums over 120 pixels; each value is then halved, and the
   halves are summed in memory order. */

#include "../case.h"

enum { ROWS = 6, COLS = 80, CHANNELS = 4 };

int main(void)
{
    static double image[ROWS][COLS], sums[CHANNELS];
    for (int y = 0; y < ROWS; y++)
        for (int x = 0; x < COLS; x++)
            image[y][x] = (double)((y * 31 + x * 7) % 100) / 7.0;

    case_begin("channel_sums");
    arg_memref(F64, image, ROWS, COLS);
    arg_memref(F64, sums, CHANNELS);

    double all = 0.0;
    for (int y = 0; y < ROWS; y++)
        for (int x = 0; x < COLS; x++) {
            sums[x % CHANNELS] += image[y][x];
            image[y][x] *= 0.5;
            all += image[y][x];
        }

    result_float(F64, all);
    case_end();
    return 0;
}
