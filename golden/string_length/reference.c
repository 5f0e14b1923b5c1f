/* string_length: of a text of 777 characters in a larger array. */

#include "../case.h"

enum { SIZE = 800, LENGTH = 777 };

int main(void)
{
    static char text[SIZE];
    for (int i = 0; i < SIZE; i++)
        text[i] = (char)(i == LENGTH ? 0 : 32 + i * 11 % 91);

    case_begin("string_length");
    arg_memref(I8, text, SIZE);

    result_int(INDEX, (int64_t)strlen(text));
    case_end();
    return 0;
}
