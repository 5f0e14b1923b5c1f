/* fft: a radix-2 transform of 128 points, in place. */

#include "../hand.h"

enum { N = 128 };

static void fft(float *restrict re, float *restrict im, const float *restrict cosine,
                const float *restrict sine)
{
    for (int i = 0; i < N; i++) {
        int j = (int)(mirrored((uint32_t)i) >> 25);
        if (i < j) {
            float t = re[i];
            re[i] = re[j];
            re[j] = t;
            t = im[i];
            im[i] = im[j];
            im[j] = t;
        }
    }
    for (int half = 1, stride = N / 2; half < N; half *= 2, stride /= 2)
        for (int base = 0; base < N; base += 2 * half)
            for (int k = 0; k < half; k++) {
                int top = base + k, bottom = top + half;
                float wr = cosine[k * stride], wi = sine[k * stride];
                float ar = re[top], ai = im[top], br = re[bottom], bi = im[bottom];
                float cr = br * wr - bi * wi, ci = br * wi + bi * wr;
                re[top] = ar + cr;
                im[top] = ai + ci;
                re[bottom] = ar - cr;
                im[bottom] = ai - ci;
            }
}

void hand(const HandCall *call)
{
    fft(call->memref[0], call->memref[1], call->memref[2], call->memref[3]);
}
