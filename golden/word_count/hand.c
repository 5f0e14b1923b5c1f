/* word_count: lines, words and characters of a text, and its longest line. */

#include "../hand.h"

static void word_count(int n, const uint8_t *text, int counts[4])
{
    int lines = 0, words = 0, chars = 0, longest = 0, width = 0, in_word = 0;
    for (int i = 0; i < n; i++) {
        switch (text[i]) {
        case '\n':
            lines++;
            chars++;
            if (width > longest)
                longest = width;
            width = 0;
            in_word = 0;
            break;
        case ' ':
            chars++;
            width++;
            in_word = 0;
            break;
        case 0: break;
        default:
            chars++;
            width++;
            words += !in_word;
            in_word = 1;
        }
    }
    counts[0] = lines;
    counts[1] = words;
    counts[2] = chars;
    counts[3] = longest;
}

void hand(const HandCall *call)
{
    int counts[4];
    word_count((int)call->extent[0], call->memref[0], counts);
    for (int i = 0; i < 4; i++)
        call->result[i] = (uint32_t)counts[i];
}
