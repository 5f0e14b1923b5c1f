/* flood.c -- writes much, in turns, to two files, and then ends as it is told: what was written
 * must be whole, or gone without a trace.
 *
 *     --lines=N     lines of 64 bytes for each file
 *     --end=...     ok: succeeds; error: fails; kill: the process is killed
 */
#define _POSIX_C_SOURCE 200809L
#include "loom_plugin.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int create(const loom_host *host, void **state) {
  *state = (void *)(uintptr_t)host;
  return LOOM_OK;
}

static int emit(void *state, const loom_design *design) {
  const loom_host *host = state;
  const char *end = host->option(host, "end");
  long i, lines = atol(host->option(host, "lines"));
  (void)design;
  for (i = 0; i < lines; i++) {
    char line[80];
    snprintf(line, sizeof line, "%063ld\n", i);
    if (host->write(host, "even/a.txt", line, 64) || host->write(host, "b.txt", line, 64))
      return LOOM_ERROR;
  }
  if (strcmp(end, "kill") == 0) kill(getpid(), SIGKILL);
  return strcmp(end, "error") == 0 ? LOOM_ERROR : LOOM_OK;
}

static void destroy(void *state) {
  (void)state;
}

static const loom_option lines = LOOM_OPTION(LOOM_INT, "lines", "100", NULL, "for each file");
static const loom_option end = LOOM_OPTION(LOOM_CHOICE, "end", "ok", "ok|error|kill", "how to end");
static const loom_option *const options[] = {&lines, &end};
static const loom_backend flood = {
    .size = sizeof flood,
    .id = "flood",
    .version = "1.0",
    .summary = "large files",
    .options = options,
    .option_count = LOOM_COUNT(options),
    .create = create,
    .emit = emit,
    .destroy = destroy,
};
static const loom_backend *const backends[] = {&flood};
LOOM_PLUGIN_ENTRY = LOOM_PLUGIN(backends);
