/* n_queens: solutions on a board of n, by masks of attacked columns; how many steps it took. */

#include "../hand.h"

static void n_queens(int n, int result[2])
{
    uint32_t free[9], columns[9], left[9], right[9];
    uint32_t board = (1u << n) - 1;
    int row = 0, alive = 1, solutions = 0, steps = 0;
    free[0] = board;
    columns[0] = left[0] = right[0] = 0;
    while (alive) {
        uint32_t squares = free[row];
        steps++;
        if (squares == 0) {
            if (row > 0)
                row--;
            else
                alive = 0;
            continue;
        }
        uint32_t queen = squares & (0 - squares), taken = columns[row] | queen;
        free[row] = squares ^ queen;
        if (taken == board) {
            solutions++;
        } else {
            uint32_t l = (left[row] | queen) << 1, r = (right[row] | queen) >> 1;
            row++;
            columns[row] = taken;
            left[row] = l;
            right[row] = r;
            free[row] = board & ~(taken | l | r);
        }
    }
    result[0] = solutions;
    result[1] = steps;
}

void hand(const HandCall *call)
{
    int result[2];
    n_queens((int)call->scalar[0], result);
    call->result[0] = (uint32_t)result[0];
    call->result[1] = (uint32_t)result[1];
}
