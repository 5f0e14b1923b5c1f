/* jacobi2d: 6 sweeps of a five-point average on a 20x20 grid, border fixed. */

#include "../case.h"

enum { N = 20, STEPS = 6 };

int main(void)
{
    static float grid[N][N], next[N][N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            grid[i][j] = (float)((i * 7 + j * 13) % 50) / 5.0f;

    case_begin("jacobi2d");
    arg_memref(F32, grid, N, N);

    for (int t = 0; t < STEPS; t++) {
        memcpy(next, grid, sizeof next);
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                next[i][j] =
                    (grid[i][j] + grid[i][j - 1] + grid[i][j + 1] + grid[i + 1][j] + grid[i - 1][j]) * 0.2f;
        memcpy(grid, next, sizeof grid);
    }

    case_end();
    return 0;
}
