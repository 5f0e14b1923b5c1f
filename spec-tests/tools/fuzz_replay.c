/* fuzz_replay.c -- what a fuzzer found, once more: `fuzz-replay FILE...`, through fuzz_parse.c. */
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
