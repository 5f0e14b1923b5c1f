/* half_precision: f32 rounded to f16 and to bf16; how many were exact. */

#include "../hand.h"

static void round_all(int n, const float *restrict x, uint16_t *restrict half,
                      uint16_t *restrict brain, int exact[2])
{
    int halves = 0, brains = 0;
    for (int i = 0; i < n; i++) {
        float v = x[i];
        half[i] = f16_of(v);
        brain[i] = bf16_of(v);
        halves += f16_value(half[i]) == v;
        brains += bf16_value(brain[i]) == v;
    }
    exact[0] = halves;
    exact[1] = brains;
}

void hand(const HandCall *call)
{
    int exact[2];
    round_all((int)call->extent[0], call->memref[0], call->memref[1], call->memref[2], exact);
    call->result[0] = (uint32_t)exact[0];
    call->result[1] = (uint32_t)exact[1];
}
