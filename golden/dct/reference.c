/* dct: M * X * M^T for eight blocks of 8x8 pixels. M is what the cosine formula
   gives when each entry is rounded to f32. */

#include "../case.h"

enum { BLOCKS = 8 };

int main(void)
{
    static float blocks[BLOCKS][8][8], m[8][8];
    for (int u = 0; u < 8; u++)
        for (int x = 0; x < 8; x++)
            m[u][x] = (float)(sqrt(u ? 0.25 : 0.125) * cos((2 * x + 1) * u * 3.14159265358979323846 / 16));
    for (int b = 0; b < BLOCKS; b++)
        for (int y = 0; y < 8; y++)
            for (int x = 0; x < 8; x++)
                blocks[b][y][x] = (float)((y * 23 + x * (b + 5) + b * 50) % 256 - 128);

    case_begin("dct");
    arg_memref(F32, blocks, BLOCKS, 8, 8);

    for (int b = 0; b < BLOCKS; b++) {
        float half_done[8][8] = {{0}}, done[8][8] = {{0}};
        for (int u = 0; u < 8; u++)
            for (int x = 0; x < 8; x++)
                for (int y = 0; y < 8; y++)
                    half_done[u][x] += m[u][y] * blocks[b][y][x];
        for (int u = 0; u < 8; u++)
            for (int v = 0; v < 8; v++)
                for (int x = 0; x < 8; x++)
                    done[u][v] += half_done[u][x] * m[v][x];
        memcpy(blocks[b], done, sizeof done);
    }

    case_end();
    return 0;
}
