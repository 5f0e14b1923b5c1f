/* plugin_files.c -- damaged plugin files: LOOM reports an error and does not crash.
 *
 *     plugin-files build/loom build/plugins/dot.so [RUNS]          N passed, N failed
 *
 * A good plugin is cut off at many lengths, and bytes of it are changed at random (the same ones in
 * every run). Each result goes to `loom backends --plugin`, which must end by itself, in time, with
 *
 *     0  the damage hit nothing that matters
 *     1  and a coded diagnostic: it could not be loaded, or what tried that did not survive it
 *     5  and RT_PLUGIN_CRASH: code that is no code was run, and LOOM can say whose it was
 *
 * and never by a signal. Of files that were cut off, status 5 is a failure too: loading them shows
 * it. A cut after the last part that is loaded leaves a working plugin.
 */
#include "lib.h"

#include <stdlib.h>
#include <string.h>

enum { SECONDS_A_RUN = 20, CUTS = 60, RUNS = 150 };

/* Asks LOOM about these bytes as a plugin. */
static void ask(const char *loom, const char *data, size_t len, const char *what, size_t which) {
  const char *path = path_in(temp_folder(), "p.so"), *said_path = path_in(temp_folder(), "said");
  bool was_cut = strcmp(what, "cut at") == 0;
  RunLimits limits = {.out = "/dev/null", .err = said_path, .seconds = SECONDS_A_RUN};
  write_file(path, data, len);
  int status = run_program((const char *[]){loom, "backends", "--plugin", path, NULL}, &limits);
  char *said = read_file(said_path, NULL);
  bool good = status == 0 || (status == 1 && strstr(said, "error[RT_PLUGIN_")) ||
              (status == 5 && !was_cut && strstr(said, "error[RT_PLUGIN_CRASH]"));
  check(good, "%s %zu: status %d\n%s", what, which, status, said);
  free(said);
}

int main(int argc, char **argv) {
  size_t len = 0;
  char *plugin = argc >= 3 ? read_file(argv[2], &len) : NULL;
  size_t runs = argc > 3 ? strtoul(argv[3], NULL, 10) : RUNS;
  if (!plugin || len < 1000) wrong_usage("plugin-files LOOM PLUGIN.so [RUNS]");
  for (size_t i = 0; i < CUTS; i++) {
    /* the first bytes one by one, then evenly */
    size_t cut = i < 20 ? i * 5 : len * (i - 20) / (CUTS - 20);
    ask(argv[1], plugin, cut, "cut at", cut);
  }
  Random random = {1};
  char *changed = malloc(len);
  for (size_t i = 0; changed && i < runs; i++) {
    memcpy(changed, plugin, len);
    /* most changes near the front, where headers and tables are; one byte, or many */
    for (u64 k = random_below(&random, 4) ? 1 : 16; k > 0; k--) {
      size_t reach = random_below(&random, 3) ? 4096 : len;
      changed[random_below(&random, reach < len ? reach : len)] = (char)random_next(&random);
    }
    ask(argv[1], changed, len, "change", i);
  }
  free(changed);
  free(plugin);
  return checks_end();
}
