/* cordic: cosine and sine of angles in fixed point, by rotations that are shifts and adds. */

#include "../hand.h"

static const int32_t arc_tangent[16] = {210828714, 124459457, 65760959, 33381290, 16755422, 8385879,
                                        4193963,   2097109,   1048571,  524287,   262144,   131072,
                                        65536,     32768,     16384,    8192};

static void cordic(int n, const int32_t *restrict angle, int32_t *restrict cosine,
                   int32_t *restrict sine)
{
    for (int i = 0; i < n; i++) {
        int32_t x = 163008219, y = 0, z = angle[i];
        for (int k = 0; k < 16; k++) {
            int32_t dx = x >> k, dy = y >> k;
            if (z >= 0) {
                x -= dy;
                y += dx;
                z -= arc_tangent[k];
            } else {
                x += dy;
                y -= dx;
                z += arc_tangent[k];
            }
        }
        cosine[i] = x;
        sine[i] = y;
    }
}

void hand(const HandCall *call)
{
    cordic((int)call->extent[0], call->memref[0], call->memref[1], call->memref[2]);
}
