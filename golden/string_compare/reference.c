/* string_compare: two texts that part at character 640, where the first has a
   byte above 127 (greater than any ASCII letter when taken as unsigned). */

#include "../case.h"

enum { SIZE = 700, PARTING = 640 };

int main(void)
{
    static char a[SIZE], b[SIZE];
    for (int i = 0; i < SIZE - 1; i++)
        a[i] = b[i] = (char)(97 + i * i % 26);
    a[PARTING] = (char)0xE9;

    case_begin("string_compare");
    arg_memref(I8, a, SIZE);
    arg_memref(I8, b, SIZE);

    int order = strcmp(a, b), position = 0;
    while (a[position] == b[position] && a[position])
        position++;

    result_int(I32, (order > 0) - (order < 0));
    result_int(INDEX, position);
    case_end();
    return 0;
}
