/* fuzz_replay.c -- runs fuzz_parse.c on files that a fuzzer found: `fuzz-replay FILE...`. */
#include "lib.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    size_t len;
    char *text = read_file(argv[i], &len);
    check(text, "%s cannot be read", argv[i]);
    if (text) LLVMFuzzerTestOneInput((const uint8_t *)text, len);
    free(text);
  }
  return checks_end();
}
