/* edit_distance: Levenshtein's, by two rows that take turns. */

#include "../hand.h"

static int edit_distance(int n, const uint8_t *restrict a, int m, const uint8_t *restrict b)
{
    int32_t rows[2][64];
    for (int j = 0; j <= m; j++)
        rows[0][j] = j;
    for (int i = 0; i < n; i++) {
        const int32_t *above = rows[i & 1];
        int32_t *here = rows[~i & 1];
        int32_t left = here[0] = i + 1;
        for (int j = 0; j < m; j++) {
            int32_t replace = above[j] + (a[i] != b[j]);
            int32_t remove = above[j + 1] + 1, insert = left + 1;
            int32_t best = remove < insert ? remove : insert;
            left = here[j + 1] = best < replace ? best : replace;
        }
    }
    return rows[n & 1][m];
}

void hand(const HandCall *call)
{
    const int64_t *e = call->extent;
    call->result[0] =
        (uint32_t)edit_distance((int)e[0], call->memref[0], (int)e[1], call->memref[1]);
}
