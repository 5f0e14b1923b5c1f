/* mandelbrot: after how many steps each point of a grid escapes. */

#include "../hand.h"

static void mandelbrot(int rows, int cols, int16_t *escape, int limit)
{
    for (int row = 0; row < rows; row++) {
        double cy = -1.2 + row * 0.125;
        for (int col = 0; col < cols; col++) {
            double cx = -2.1 + col * 0.125, x = 0, y = 0, xx = 0, yy = 0;
            int k = 0;
            while (xx + yy <= 4.0 && k < limit) {
                y = 2.0 * (x * y) + cy;
                x = xx - yy + cx;
                xx = x * x;
                yy = y * y;
                k++;
            }
            escape[row * cols + col] = (int16_t)k;
        }
    }
}

void hand(const HandCall *call)
{
    const int64_t *e = call->extent;
    mandelbrot((int)e[0], (int)e[1], call->memref[0], (int16_t)call->scalar[0]);
}
