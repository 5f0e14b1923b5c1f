/* lcs: how long the longest common subsequence of two strings of 60 is. */

#include "../hand.h"

enum { N = 60 };

static int lcs(const uint8_t *restrict a, const uint8_t *restrict b)
{
    uint16_t table[N + 1][N + 1];
    for (int k = 0; k <= N; k++)
        table[0][k] = table[k][0] = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            if (a[i] == b[j]) {
                table[i + 1][j + 1] = table[i][j] + 1;
            } else {
                uint16_t up = table[i][j + 1], left = table[i + 1][j];
                table[i + 1][j + 1] = up > left ? up : left;
            }
        }
    return table[N][N];
}

void hand(const HandCall *call)
{
    call->result[0] = (uint32_t)lcs(call->memref[0], call->memref[1]);
}
