/* timed_table.c -- the numbers of `loom sim --timed`, worked out from the table of `--cycles`.
 *
 *     loom sim FABRIC --case CASE --cycles | timed-table
 *
 * Knows nothing of LOOM but what the manual says: a row of the table is a cycle, a column a
 * channel, and how a channel's tokens and their cycles become one number. Prints what `--timed -`
 * would.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_CHANNELS = 4096, MAX_BYTES = 1 << 18 };

typedef struct {
  char name[160];
  uint64_t count, hash;
} Channel;

static Channel channels[MAX_CHANNELS];
static size_t nchannels;
static char line[MAX_BYTES];

static int by_name(const void *a, const void *b) {
  return strcmp(((const Channel *)a)->name, ((const Channel *)b)->name);
}

static void read_names(char *at) {
  for (char *name = strtok(at, " \n"); name && nchannels < MAX_CHANNELS;
       name = strtok(NULL, " \n")) {
    Channel *c = &channels[nchannels++];
    snprintf(c->name, sizeof c->name, "%s", name);
    c->hash = 0xcbf29ce484222325;
  }
}

static void read_cycle(char *at) {
  uint64_t cycle = strtoull(strtok(at, " \n"), NULL, 10);
  for (size_t i = 0; i < nchannels; i++) {
    const char *cell = strtok(NULL, " \n");
    if (!cell || strcmp(cell, ".") == 0) continue;
    Channel *c = &channels[i];
    c->count++;
    c->hash = (c->hash ^ cycle) * 0x100000001b3;
    c->hash = (c->hash ^ strtoull(cell, NULL, 10)) * 0x100000001b3;
    c->hash ^= c->hash >> 29;
  }
}

int main(void) {
  if (!fgets(line, sizeof line, stdin) || strncmp(line, "cycle", 5) != 0) return 1;
  read_names(line + 5);
  uint64_t cycles = 0;
  while (fgets(line, sizeof line, stdin) && !strstr(line, " cycle")) {
    read_cycle(line);
    cycles++;
  }
  qsort(channels, nchannels, sizeof *channels, by_name);
  printf("cycles %" PRIu64 "\n", cycles);
  for (size_t i = 0; i < nchannels; i++)
    printf("%s %" PRIu64 " %016" PRIx64 "\n", channels[i].name, channels[i].count,
           channels[i].hash);
  return 0;
}
