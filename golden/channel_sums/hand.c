/* channel_sums: sums of four interleaved channels, each value halved on the way; their sum. */

#include "../hand.h"

enum { PIXELS = 120, CHANNELS = 4 };

static double channel_sums(double (*restrict pixels)[CHANNELS], double *restrict sums)
{
    for (int c = 0; c < CHANNELS; c++) {
        double sum = 0;
        for (int p = 0; p < PIXELS; p++) {
            double v = pixels[p][c];
            pixels[p][c] = v * 0.5;
            sum += v;
        }
        sums[c] = sum;
    }
    const double *flat = pixels[0];
    double all = 0;
    for (int i = 0; i < PIXELS * CHANNELS; i++)
        all += flat[i];
    return all;
}

void hand(const HandCall *call)
{
    call->result[0] = bits_of_double(channel_sums(call->memref[0], call->memref[1]));
}
