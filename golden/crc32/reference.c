/* crc32: of 1200 bytes, a bit at a time, without a table. */

#include "../case.h"

enum { N = 1200 };

int main(void)
{
    static int8_t message[N];
    for (int i = 0; i < N; i++)
        message[i] = (int8_t)(i * 31 + i / 7);

    case_begin("crc32");
    arg_memref(I8, message, N);

    uint32_t crc = 0xFFFFFFFF;
    for (int i = 0; i < N; i++) {
        crc ^= (uint8_t)message[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320 : 0);
    }

    result_int(I32, (int32_t)~crc);
    case_end();
    return 0;
}
