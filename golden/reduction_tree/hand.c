/* reduction_tree: a sum by pairs in place, and a sum of every few of what that left. */

#include "../hand.h"

enum { N = 512 };

static float reduction_tree(float *x, int stride, float *total)
{
    for (int width = N / 2; width > 0; width /= 2)
        for (int i = 0; i < width; i++)
            x[i] += x[i + width];
    float sum = 0;
    for (int i = stride; i < N; i += stride)
        sum += x[i];
    *total = x[0];
    return sum;
}

void hand(const HandCall *call)
{
    float total, sum = reduction_tree(call->memref[0], (int)call->scalar[0], &total);
    call->result[0] = bits_of_float(total);
    call->result[1] = bits_of_float(sum);
}
