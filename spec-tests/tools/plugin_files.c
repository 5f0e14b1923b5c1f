/* plugin_files.c -- plugins that are damaged files: LOOM says so and lives.
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
#include "base/base.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SECONDS_A_RUN = 20, CUTS = 60, RUNS = 150, MOST_SAID = 1 << 14 };

static char folder[64], path[96], said_path[96];

static u64 next_random(u64 *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

static bool write_plugin(const char *data, size_t len) {
  int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0777);
  bool good = fd >= 0 && write(fd, data, len) == (ssize_t)len;
  if (fd >= 0) close(fd);
  return good;
}

/* The exit status of `loom backends --plugin PATH`, or -signal. */
static int run(const char *loom, char *said) {
  pid_t child = fork();
  if (child == 0) {
    int err = open(said_path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    int null = open("/dev/null", O_WRONLY);
    if (err < 0 || null < 0 || dup2(null, 1) < 0 || dup2(err, 2) < 0) _exit(99);
    /* its own time, which a busy machine does not change; asleep it may not be for ever either */
    setrlimit(RLIMIT_CPU, &(struct rlimit){SECONDS_A_RUN, SECONDS_A_RUN});
    alarm(10 * SECONDS_A_RUN);
    execl(loom, loom, "backends", "--plugin", path, (char *)NULL);
    _exit(99);
  }
  int status = -1;
  if (child < 0 || waitpid(child, &status, 0) < 0) return -1;
  int fd = open(said_path, O_RDONLY);
  ssize_t got = fd >= 0 ? read(fd, said, MOST_SAID - 1) : 0;
  if (fd >= 0) close(fd);
  said[got > 0 ? got : 0] = '\0';
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/* True where LOOM took the file as it should. */
static bool check(const char *loom, const char *what, u64 which, bool was_cut) {
  char said[MOST_SAID];
  int status = run(loom, said);
  bool good = status == 0 || (status == 1 && strstr(said, "error[RT_PLUGIN_")) ||
              (status == 5 && !was_cut && strstr(said, "error[RT_PLUGIN_CRASH]"));
  if (!good) printf("FAIL %s %llu: status %d\n%s\n", what, (unsigned long long)which, status, said);
  return good;
}

static char *read_file(const char *name, size_t *len) {
  int fd = open(name, O_RDONLY);
  struct stat info;
  if (fd < 0 || fstat(fd, &info) != 0) return NULL;
  *len = (size_t)info.st_size;
  char *data = malloc(*len);
  if (data && read(fd, data, *len) != (ssize_t)*len) *len = 0;
  close(fd);
  return data;
}

int main(int argc, char **argv) {
  size_t len = 0, passed = 0, failed = 0;
  char *plugin = argc >= 3 ? read_file(argv[2], &len) : NULL;
  size_t runs = argc > 3 ? strtoul(argv[3], NULL, 10) : RUNS;
  strcpy(folder, "/tmp/plugin-files-XXXXXX");
  if (!plugin || len < 1000 || !mkdtemp(folder)) {
    fputs("usage: plugin-files LOOM PLUGIN.so [RUNS]\n", stderr);
    return EXIT_BAD_CALL;
  }
  snprintf(path, sizeof path, "%s/p.so", folder);
  snprintf(said_path, sizeof said_path, "%s/said", folder);
  for (size_t i = 0; i < CUTS; i++) {
    /* the first bytes one by one, then evenly */
    size_t cut = i < 20 ? i * 5 : len * (i - 20) / (CUTS - 20);
    bool good = write_plugin(plugin, cut) && check(argv[1], "cut at", cut, true);
    good ? passed++ : failed++;
  }
  u64 state = 88172645463325252u;
  char *changed = malloc(len);
  for (size_t i = 0; changed && i < runs; i++) {
    memcpy(changed, plugin, len);
    /* most changes near the front, where headers and tables are; one byte, or many */
    for (u64 k = next_random(&state) % 4 ? 1 : 16; k > 0; k--) {
      size_t reach = next_random(&state) % 3 ? 4096 : len;
      changed[next_random(&state) % (reach < len ? reach : len)] = (char)next_random(&state);
    }
    bool good = write_plugin(changed, len) && check(argv[1], "change", i, false);
    good ? passed++ : failed++;
  }
  free(changed);
  free(plugin);
  unlink(path);
  unlink(said_path);
  rmdir(folder);
  printf("%zu passed, %zu failed\n", passed, failed);
  return failed ? EXIT_BAD_INPUT : EXIT_GOOD;
}
