/* fft: 128 complex f32, written recursively with decimation in time, which does
   the same roundings as the loops of the kernel. */

#include "../case.h"

enum { N = 128 };

static float cosine[N / 2], sine[N / 2];

/* Transforms n values, taken from x at every stride-th place, into y. */
static void transform(int n, const float *xr, const float *xi, int stride, float *yr, float *yi)
{
    if (n == 1) {
        *yr = *xr;
        *yi = *xi;
        return;
    }
    int h = n / 2;
    transform(h, xr, xi, 2 * stride, yr, yi);
    transform(h, xr + stride, xi + stride, 2 * stride, yr + h, yi + h);
    for (int k = 0; k < h; k++) {
        float wr = cosine[k * stride], wi = sine[k * stride];
        float cr = yr[k + h] * wr - yi[k + h] * wi, ci = yr[k + h] * wi + yi[k + h] * wr;
        float ar = yr[k], ai = yi[k];
        yr[k] = ar + cr;
        yi[k] = ai + ci;
        yr[k + h] = ar - cr;
        yi[k + h] = ai - ci;
    }
}

int main(void)
{
    static float re[N], im[N], out_re[N], out_im[N];
    for (int i = 0; i < N; i++) {
        re[i] = (float)(i % 16 - 8) + (i == 3 ? 40.0f : 0.0f);
        im[i] = (float)(i * i % 31) / 8.0f;
    }
    for (int k = 0; k < N / 2; k++) {
        double angle = -2.0 * 3.14159265358979323846 * k / N;
        cosine[k] = (float)cos(angle);
        sine[k] = (float)sin(angle);
    }

    case_begin("fft");
    arg_memref(F32, re, N);
    arg_memref(F32, im, N);
    arg_memref(F32, cosine, N / 2);
    arg_memref(F32, sine, N / 2);

    transform(N, re, im, 1, out_re, out_im);
    memcpy(re, out_re, sizeof re);
    memcpy(im, out_im, sizeof im);

    case_end();
    return 0;
}
