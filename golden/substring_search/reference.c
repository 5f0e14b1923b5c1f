/* substring_search: "abaab" in 600 letters a and b; occurrences may overlap. */

#include "../case.h"

enum { N = 600, M = 5 };

int main(void)
{
    static int8_t text[N], pattern[M + 1] = "abaab";
    uint32_t seed = 21;
    for (int i = 0; i < N; i++) {
        seed = seed * 1664525u + 1013904223u;
        text[i] = seed >> 24 < 150 ? 'a' : 'b';
    }

    case_begin("substring_search");
    arg_memref(I8, text, N);
    arg_memref(I8, pattern, M);

    int count = 0, first = -1;
    for (int s = 0; s + M <= N; s++)
        if (memcmp(text + s, pattern, M) == 0) {
            if (count++ == 0)
                first = s;
        }

    result_int(I32, count);
    result_int(I32, first);
    case_end();
    return 0;
}
