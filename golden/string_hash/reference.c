/* string_hash: FNV-1a of 64 names of 0 to 16 letters, and the xor of them all. */

#include "../case.h"

enum { ROWS = 64, WIDTH = 16 };

int main(void)
{
    static int8_t names[ROWS][WIDTH];
    static int64_t hashes[ROWS];
    for (int r = 0; r < ROWS; r++)
        for (int k = 0; k < r * 5 % (WIDTH + 1); k++)
            names[r][k] = (int8_t)((r * 7 + k * 19) % 200 - 100 != 0 ? (r * 7 + k * 19) % 200 - 100 : 'z');

    case_begin("string_hash");
    arg_memref(I8, names, ROWS, WIDTH);
    arg_memref(I64, hashes, ROWS);

    uint64_t all = 0;
    for (int r = 0; r < ROWS; r++) {
        uint64_t hash = 0xCBF29CE484222325;
        for (int k = 0; k < WIDTH && names[r][k]; k++) {
            hash ^= (uint8_t)names[r][k];
            hash *= 0x100000001B3;
        }
        hashes[r] = (int64_t)hash;
        all ^= hash;
    }

    result_int(I64, (int64_t)all);
    case_end();
    return 0;
}
