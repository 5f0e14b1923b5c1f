/* median2d: of 3x3 pixels, by sorting the lower five of them. */

#include "../hand.h"

enum { ROWS = 12, COLS = 14 };

static void median2d(int16_t (*restrict image)[COLS + 2], int16_t (*restrict out)[COLS])
{
    int16_t pixels[9];
    for (int y = 0; y < ROWS; y++)
        for (int x = 0; x < COLS; x++) {
            for (int k = 0; k < 9; k++)
                pixels[k] = image[y + k / 3][x + k % 3];
            for (int i = 0; i < 5; i++)
                for (int j = i + 1; j < 9; j++) {
                    int16_t a = pixels[i], b = pixels[j];
                    if (b < a) {
                        pixels[i] = b;
                        pixels[j] = a;
                    }
                }
            out[y][x] = pixels[4];
        }
}

void hand(const HandCall *call)
{
    median2d(call->memref[0], call->memref[1]);
}
