/* adler32: of the first 1100 of 1200 bytes, reduced once at the end. */

#include "../case.h"

enum { SIZE = 1200, LENGTH = 1100 };

int main(void)
{
    static int8_t message[SIZE];
    for (int i = 0; i < SIZE; i++)
        message[i] = (int8_t)(255 - i * i % 97);

    case_begin("adler32");
    arg_memref(I8, message, SIZE);
    arg_int(I32, LENGTH);

    uint64_t a = 1, b = 0;
    for (int i = 0; i < LENGTH; i++) {
        a += (uint8_t)message[i];
        b += a;
    }

    result_int(I32, (int32_t)(uint32_t)(b % 65521 << 16 | a % 65521));
    case_end();
    return 0;
}
