/* tools.c -- programs of the system, and where what they make is kept. See tools.h. */
#include "host/tools.h"

#include "base/interrupt.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { HOUR = 3600 }; /* seconds */

static const char usual_path[] = "/usr/local/bin:/usr/bin:/bin"; /* where there is no PATH */

const char *tool_text(Arena *arena, const char *format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int len = vsnprintf(NULL, 0, format, args);
  char *text = arena_alloc(arena, (size_t)(len < 0 ? 0 : len) + 1);
  if (len > 0) vsnprintf(text, (size_t)len + 1, format, again);
  va_end(again);
  va_end(args);
  return text;
}

const char *tool_variable(const char *name) {
  const char *value = getenv(name);
  return value && *value ? value : NULL;
}

/* ---- programs -------------------------------------------------------------------------------- */

static bool is_program(const char *path) {
  struct stat about;
  return stat(path, &about) == 0 && S_ISREG(about.st_mode) && access(path, X_OK) == 0;
}

const char *tool_find(Arena *arena, const char *name) {
  if (strchr(name, '/')) return *name == '/' && is_program(name) ? name : NULL;
  const char *path = tool_variable("PATH");
  for (const char *at = path ? path : usual_path; *at;) {
    int len = (int)strcspn(at, ":");
    if (*at == '/') {
      const char *full = tool_text(arena, "%.*s/%s", len, at, name);
      if (is_program(full)) return full;
    }
    at += len;
    at += *at == ':';
  }
  return NULL;
}

int tool_run(const char *program, char *const *words, const char *folder) {
  fflush(NULL);
  pid_t child = interrupt_fork();
  if (child < 0) return -1;
  if (child == 0) {
    int said = -1, nothing = open("/dev/null", O_RDONLY);
    if (chdir(folder) == 0) said = open("said", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (said < 0 || dup2(nothing, 0) < 0 || dup2(said, 1) < 0 || dup2(said, 2) < 0) _exit(126);
    setenv("LC_ALL", "C", 1);
    setenv("TMPDIR", folder, 1);   /* what it leaves when it is ended goes with the folder */
    setenv("PATH", usual_path, 0); /* for the assembler and the linker */
    execv(program, words);
    _exit(127);
  }
  int status = 0;
  if (!interrupt_wait(child, &status)) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

bool tool_read(const char *path, Buf *into) {
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (fd < 0) return false;
  char block[1 << 16];
  ssize_t n;
  while ((n = read(fd, block, sizeof block)) > 0) buf_put(into, block, (size_t)n);
  close(fd);
  return n == 0;
}

/* ---- folders --------------------------------------------------------------------------------- */

/* A folder that belongs to us and that nobody else can write to, made where it is not there. */
static bool own_folder(const char *path) {
  struct stat about;
  if (mkdir(path, 0700) != 0 && errno != EEXIST) return false;
  return lstat(path, &about) == 0 && S_ISDIR(about.st_mode) && about.st_uid == geteuid() &&
         !(about.st_mode & (S_IWGRP | S_IWOTH)) && access(path, W_OK | X_OK) == 0;
}

const char *tool_cache(Context *ctx, Arena *arena) {
  const char *base = tool_variable("XDG_CACHE_HOME"), *home = tool_variable("HOME");
  if (base && *base != '/') base = NULL; /* the XDG specification says to ignore it */
  if (!base && home && *home == '/') base = tool_text(arena, "%s/.cache", home);
  if (!base) return NULL;
  mkdir(base, 0700); /* often there; where it cannot be made, neither can the next */
  const char *folder = tool_text(arena, "%s/loom", base);
  if (own_folder(folder)) return folder;
  diag_warning(ctx, LOC_NONE, RT_CC_CACHE,
               "compiled kernels cannot be kept in %s (it must be yours alone, and writable); "
               "this one is compiled in a temporary folder",
               folder);
  return NULL;
}

static void remove_at(int at, const char *name) {
  int fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  DIR *folder = fd >= 0 ? fdopendir(fd) : NULL;
  if (!folder && fd >= 0) close(fd);
  for (struct dirent *entry; folder && (entry = readdir(folder));)
    if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
        unlinkat(dirfd(folder), entry->d_name, 0) != 0)
      remove_at(dirfd(folder), entry->d_name);
  if (folder) closedir(folder);
  unlinkat(at, name, AT_REMOVEDIR);
}

/* Folders of runs that were killed: nothing was made in them for an hour. */
static void sweep(const char *cache) {
  DIR *folder = opendir(cache);
  time_t now = time(NULL);
  for (struct dirent *entry; folder && (entry = readdir(folder));) {
    struct stat about;
    if (strncmp(entry->d_name, "tmp.", 4) == 0 &&
        fstatat(dirfd(folder), entry->d_name, &about, AT_SYMLINK_NOFOLLOW) == 0 &&
        S_ISDIR(about.st_mode) && now - about.st_mtime > HOUR)
      remove_at(dirfd(folder), entry->d_name);
  }
  if (folder) closedir(folder);
}

const char *tool_work_folder(Context *ctx, Arena *arena, const char *cache) {
  if (cache) sweep(cache);
  const char *made = temporary_folder(arena, cache, cache ? "tmp" : "loom");
  if (!made)
    diag(ctx, LOC_NONE, RT_CC_CACHE, "no folder to compile in can be made in %s: %s",
         cache ? cache : temporary_root(), strerror(errno));
  return made;
}

void tool_remove(const char *path) {
  remove_at(AT_FDCWD, path);
}
