/* blur: (1 2 1)/4 along rows and then along columns, in f16, the border clamped. */

#include "../hand.h"

enum { N = 24 };

static uint16_t smooth(uint16_t a, uint16_t b, uint16_t c)
{
    float sides = f16_value(f16_of(f16_value(a) + f16_value(c)));
    float quarters = f16_value(f16_of(sides * 0.25f));
    float halves = f16_value(f16_of(f16_value(b) * 0.5f));
    return f16_of(quarters + halves);
}

static void blur(uint16_t (*image)[N])
{
    uint16_t rows[N][N];
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++) {
            int left = x > 0 ? x - 1 : 0, right = x < N - 1 ? x + 1 : N - 1;
            rows[y][x] = smooth(image[y][left], image[y][x], image[y][right]);
        }
    for (int y = 0; y < N; y++) {
        int up = y > 0 ? y - 1 : 0, down = y < N - 1 ? y + 1 : N - 1;
        for (int x = 0; x < N; x++)
            image[y][x] = smooth(rows[up][x], rows[y][x], rows[down][x]);
    }
}

void hand(const HandCall *call)
{
    blur(call->memref[0]);
}
