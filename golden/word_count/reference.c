/* word_count: lines, words, characters and longest line of 900 bytes. */

#include "../case.h"

enum { N = 900 };

int main(void)
{
    static int8_t text[N];
    uint32_t seed = 13;
    for (int i = 0; i < N; i++) {
        seed = seed * 1664525u + 1013904223u;
        int die = (int)(seed >> 24);
        text[i] = (int8_t)(die < 8 ? 10 : die < 60 ? 32 : die < 64 ? 0 : die < 80 ? -40 : 'a' + die % 26);
    }
    text[N - 1] = 10;

    case_begin("word_count");
    arg_memref(I8, text, N);

    int lines = 0, words = 0, chars = 0, longest = 0, width = 0, before = ' ';
    for (int i = 0; i < N; i++) {
        int c = text[i];
        if (c == 0)
            continue;
        chars++;
        width++;
        words += (before == ' ' || before == '\n') && c != ' ' && c != '\n';
        if (c == '\n') {
            lines++;
            longest = width - 1 > longest ? width - 1 : longest;
            width = 0;
        }
        before = c;
    }

    result_int(I32, lines);
    result_int(I32, words);
    result_int(I32, chars);
    result_int(I32, longest);
    case_end();
    return 0;
}
