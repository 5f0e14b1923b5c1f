/* rogue.c -- a plugin that does what none should, when it is loaded or asked to emit.
 *
 * `--how` says what emit does: see there. When it is loaded it does what the environment says in ROGUE,
 * and adds a byte to the file that is named in ROGUE_LOG. */
#define _GNU_SOURCE
#include "loom_plugin.h"

#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

__attribute__((constructor)) static void when_loaded(void) {
  const char *what = getenv("ROGUE"), *log = getenv("ROGUE_LOG");
  int again = 0;
  if (log) {
    struct stat info;
    int fd = open(log, O_WRONLY | O_CREAT | O_APPEND, 0600);
    again = fstat(fd, &info) == 0 && info.st_size > 0;
    if (write(fd, "x", 1) != 1) abort();
    close(fd);
  }
  if (!what) return;
  if (strcmp(what, "chdir") == 0 && chdir("/") != 0) abort();
  if (strncmp(what, "again-", 6) == 0) { /* well-behaved the first time */
    if (!again) return;
    what += 6;
  }
  if (strcmp(what, "exit") == 0) exit(0);
  if (strcmp(what, "_exit") == 0) _exit(0);
  if (strcmp(what, "crash") == 0) raise(SIGSEGV);
  if (strcmp(what, "hang") == 0)
    for (;;) pause();
}

static const char *how(const loom_host *host) {
  return host->option(host, "how");
}

static int create(const loom_host *host, void **state) {
  *state = (void *)host;
  return LOOM_OK;
}

static int emit(void *state, const loom_design *design) {
  const loom_host *host = state;
  const char *what = how(host);
  (void)design;
  host->write(host, "good.txt", "good 1.5\n", 9);
  if (strcmp(what, "chdir") == 0 && chdir("/") != 0) return LOOM_ERROR;
  if (strcmp(what, "_exit") == 0) _exit(0);
  if (strcmp(what, "exit") == 0) exit(0);
  if (strcmp(what, "kill") == 0) raise(SIGKILL);
  if (strcmp(what, "no") == 0) return LOOM_ERROR;
  if (strcmp(what, "umask") == 0) umask(0);
  if (strcmp(what, "endless") == 0) host->write(host, "endless.txt", "x", SIZE_MAX);
  if (strcmp(what, "lie") == 0) host->write(host, "lie.txt", what, (size_t)1 << 40);
  if (strcmp(what, "greedy") == 0) host->alloc(host, SIZE_MAX);
  if (strcmp(what, "loud") == 0) { /* a warning while a file of two megabytes is open */
    static char text[1 << 21];
    memset(text, 'a', sizeof text);
    host->write(host, "large.txt", text, sizeof text);
    host->diag(host, LOOM_WARNING, "ROGUE_LOUD", LOOM_NONE, "this is no part of a file");
    host->write(host, "large.txt", text, sizeof text);
  }
  return LOOM_OK;
}

static void destroy(void *state) {
  if (strcmp(how(state), "late") == 0) _exit(0);
}

__attribute__((destructor)) static void when_left(void) {
  if (getenv("ROGUE") && strcmp(getenv("ROGUE"), "leave") == 0) _exit(0);
  if (getenv("ROGUE") && strcmp(getenv("ROGUE"), "leave-crash") == 0) raise(SIGSEGV);
}

static const loom_option option = LOOM_OPTION(LOOM_TEXT, "how", "", 0, "what it does");
static const loom_option *const options[] = {&option};
static const loom_backend rogue = {
    .size = sizeof rogue,
    .id = "rogue",
    .version = "1",
    .summary = "does what none should",
    .options = options,
    .option_count = LOOM_COUNT(options),
    .create = create,
    .emit = emit,
    .destroy = destroy,
};
static const loom_backend *const backends[] = {&rogue};
LOOM_PLUGIN_ENTRY = LOOM_PLUGIN(backends);
