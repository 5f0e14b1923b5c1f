/* biquad: a recursive filter of second order, in place. */

#include "../hand.h"

static const float coefficients[5] = {0.2f, 0.4f, 0.2f, -0.75f, 0.5f};

static void biquad(int n, float *signal, float state[4])
{
    float b0 = coefficients[0], b1 = coefficients[1], b2 = coefficients[2];
    float a1 = coefficients[3], a2 = coefficients[4];
    float x1 = 0, x2 = 0, y1 = 0, y2 = 0;
    for (int i = 0; i < n; i++) {
        float x = signal[i];
        float y = b0 * x + b1 * x1 + b2 * x2 - a1 * y1 - a2 * y2;
        signal[i] = y;
        x2 = x1;
        x1 = x;
        y2 = y1;
        y1 = y;
    }
    state[0] = x1;
    state[1] = x2;
    state[2] = y1;
    state[3] = y2;
}

void hand(const HandCall *call)
{
    float state[4];
    biquad((int)call->extent[0], call->memref[0], state);
    for (int i = 0; i < 4; i++)
        call->result[i] = bits_of_float(state[i]);
}
