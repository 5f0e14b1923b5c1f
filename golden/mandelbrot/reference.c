/* mandelbrot: escape times on a 20x24 grid, at most 60. */

#include "../case.h"

enum { ROWS = 20, COLS = 24, LIMIT = 60 };

int main(void)
{
    static int16_t escape[ROWS][COLS];

    case_begin("mandelbrot");
    arg_memref(I16, escape, ROWS, COLS);
    arg_int(I16, LIMIT);

    for (int row = 0; row < ROWS; row++)
        for (int col = 0; col < COLS; col++) {
            double cx = -2.1 + col * 0.125, cy = -1.2 + row * 0.125, x = 0, y = 0;
            int16_t k = 0;
            for (; k < LIMIT && x * x + y * y <= 4.0; k++) {
                double next = x * x - y * y + cx;
                y = 2.0 * (x * y) + cy;
                x = next;
            }
            escape[row][col] = k;
        }

    case_end();
    return 0;
}
