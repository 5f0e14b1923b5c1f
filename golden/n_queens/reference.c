/* n_queens: how many ways there are on a 7x7 board, recursively. A step of the
   kernel is a queen placed or a row given up. */

#include "../case.h"

enum { N = 7 };

static int queen_in[N], solutions, steps;

static void place(int row)
{
    for (int column = 0; column < N; column++) {
        bool safe = true;
        for (int r = 0; r < row; r++) {
            int apart = column - queen_in[r];
            safe &= apart != 0 && apart != row - r && apart != r - row;
        }
        if (!safe)
            continue;
        steps++;
        queen_in[row] = column;
        if (row == N - 1)
            solutions++;
        else
            place(row + 1);
    }
    steps++;
}

int main(void)
{
    case_begin("n_queens");
    arg_int(I32, N);

    place(0);

    result_int(I32, solutions);
    result_int(I32, steps);
    case_end();
    return 0;
}
