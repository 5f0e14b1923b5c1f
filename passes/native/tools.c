/* tools.c -- finds and runs programs of the system (a C compiler, a Verilog simulator), makes the
 * folders they work in, and trims the cache by least recent use. tools.h states what is trusted. */
#include "native/tools.h"

#include "base/interrupt.h"
#include "host/trust.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { STALE_AFTER = 3600 }; /* seconds; far longer than any compilation takes */

static const char default_path[] = "/usr/local/bin:/usr/bin:/bin"; /* where there is no PATH */

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
  for (const char *at = path ? path : default_path; *at;) {
    int len = (int)strcspn(at, ":");
    if (*at == '/') {
      const char *full = arena_printf(arena, "%.*s/%s", len, at, name);
      if (is_program(full)) return full;
    }
    at += len;
    at += *at == ':';
  }
  return NULL;
}

int tool_run(const char *program, char *const *argv, const char *folder) {
  fflush(NULL);
  pid_t child = interrupt_fork();
  if (child < 0) return -1;
  if (child == 0) {
    int output = -1, input = open("/dev/null", O_RDONLY);
    if (chdir(folder) == 0) output = open("said", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (output < 0 || dup2(input, 0) < 0 || dup2(output, 1) < 0 || dup2(output, 2) < 0) _exit(126);
    setenv("LC_ALL", "C", 1);
    setenv("TMPDIR", folder, 1);     /* files it leaves behind are removed with the folder */
    setenv("PATH", default_path, 0); /* for the assembler and the linker */
    execv(program, argv);
    _exit(127);
  }
  int status = 0;
  if (!interrupt_wait(child, &status)) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

const char *tool_said(Arena *arena, const char *folder) {
  Buf output = {0};
  tool_read(arena_printf(arena, "%s/said", folder), &output);
  const char *said = arena_copy(arena, output.data ? output.data : "", output.len + 1);
  buf_free(&output);
  return said;
}

bool tool_read(const char *path, Buf *into) {
  int fd = tool_open(path);
  bool good = fd >= 0 && tool_read_file(fd, into);
  if (fd >= 0) close(fd);
  return good;
}

int tool_open(const char *path) {
  struct stat about;
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK); /* a pipe would wait */
  if (fd < 0 || (fstat(fd, &about) == 0 && S_ISREG(about.st_mode))) return fd;
  close(fd);
  errno = EINVAL;
  return -1;
}

int tool_open_own(const char *path) {
  int fd = tool_open(path);
  if (fd < 0 || trust_is_own(fd)) return fd;
  close(fd);
  return -1;
}

bool tool_read_file(int fd, Buf *into) {
  char block[1 << 12];
  ssize_t n;
  off_t at = 0;
  for (; (n = pread(fd, block, sizeof block, at)) > 0; at += n) buf_put(into, block, (size_t)n);
  return n == 0;
}

const char *tool_path_of(Arena *arena, int fd, const char *path) {
  const char *by_descriptor = arena_printf(arena, "/proc/self/fd/%d", fd);
  return access(by_descriptor, F_OK) == 0 ? by_descriptor : path;
}

/* ---- folders --------------------------------------------------------------------------------- */

bool tool_own_folder(const char *path) {
  struct stat about;
  int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  bool good = fd >= 0 && fstat(fd, &about) == 0 && about.st_uid == geteuid() &&
              !(about.st_mode & (S_IWGRP | S_IWOTH)) &&
              (!(about.st_mode & 077) || fchmod(fd, 0700) == 0);
  if (fd >= 0) close(fd);
  return good;
}

/* Why nothing may be made in a folder, or NULL: root (sudo) must make no folder in another user's,
 * who could not write it later. */
static const char *why_not_ours(Arena *arena, const char *folder) {
  struct stat about;
  if (stat(folder, &about) != 0) return strerror(errno);
  if (about.st_uid == geteuid() || about.st_mode & S_IWOTH) return NULL; /* as /tmp */
  return arena_printf(arena, "%s belongs to another user (%lu)", folder,
                      (unsigned long)about.st_uid);
}

/* Makes a folder that does not exist, if the one above it is ours. Why it cannot, or NULL. */
static const char *make_folder(Arena *arena, const char *path) {
  struct stat about;
  if (lstat(path, &about) == 0) return NULL;
  if (errno != ENOENT) return strerror(errno);
  const char *slash = strrchr(path, '/');
  const char *above = arena_printf(arena, "%.*s", (int)(slash == path ? 1 : slash - path), path);
  const char *why = why_not_ours(arena, above);
  return why || mkdir(path, 0700) == 0 || errno == EEXIST ? why : strerror(errno);
}

/* Makes the cache `path` in `base`, where they do not exist, and checks that nobody else can write
 * it or a folder above. Why it cannot be used, or NULL; *real: its path without links. */
static const char *own_cache(Arena *arena, const char *base, const char *path, const char **real) {
  const char *why = make_folder(arena, base);
  if (!why) why = make_folder(arena, path);
  if (why) return why;
  if (!tool_own_folder(path)) return "it must be private to you";
  why = trust_problem(arena, path, real);
  return why || access(path, W_OK | X_OK) == 0 ? why : strerror(errno);
}

const char *tool_cache(Context *ctx, Arena *arena) {
  const char *base = tool_variable("XDG_CACHE_HOME"), *home = tool_variable("HOME");
  if (base && *base != '/') base = NULL; /* the XDG specification says to ignore it */
  if (!base && home && *home == '/') base = arena_printf(arena, "%s/.cache", home);
  if (!base) return NULL;
  size_t len = strlen(base);
  while (len > 1 && base[len - 1] == '/') len--;
  base = arena_printf(arena, "%.*s", (int)len, base);
  const char *folder = arena_printf(arena, "%s/loom", base), *real = folder;
  const char *why = own_cache(arena, base, folder, &real);
  if (!why) return real;
  diag_warning(
      ctx, LOC_NONE, RT_CC_CACHE,
      "cannot cache compiled kernels in %s (%s); this one is compiled in a temporary folder",
      folder, why);
  return NULL;
}

/* Removes a folder, and all in it, by descriptors: no link in it is followed. */
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

/* Removes the work folders of runs that were killed: those not changed for an hour. */
static void remove_stale(const char *cache) {
  DIR *folder = opendir(cache);
  time_t now = time(NULL);
  for (struct dirent *entry; folder && (entry = readdir(folder));) {
    struct stat about;
    if (strncmp(entry->d_name, "tmp.", 4) == 0 &&
        fstatat(dirfd(folder), entry->d_name, &about, AT_SYMLINK_NOFOLLOW) == 0 &&
        S_ISDIR(about.st_mode) && now - about.st_mtime > STALE_AFTER)
      remove_at(dirfd(folder), entry->d_name);
  }
  if (folder) closedir(folder);
}

const char *tool_work_folder(Context *ctx, Arena *arena, const char *cache) {
  const char *in = cache;
  const char *why = cache ? NULL : trust_problem(arena, temporary_root(), &in);
  if (why) {
    diag(ctx, LOC_NONE, RT_CC_CACHE, "cannot compile in %s: %s", temporary_root(), why);
    diag_hint(ctx, "set TMPDIR to another folder");
    return NULL;
  }
  if (cache) remove_stale(cache);
  const char *made = temporary_folder(arena, in, cache ? "tmp" : "loom");
  if (!made)
    diag(ctx, LOC_NONE, RT_CC_CACHE, "cannot create a folder to compile in %s: %s",
         cache ? cache : temporary_root(), strerror(errno));
  return made;
}

void tool_remove(const char *path) {
  remove_at(AT_FDCWD, path);
}

/* ---- trimming the cache (LRU) ---------------------------------------------------------------- */

typedef struct {
  time_t used;   /* modification time, which each use sets */
  u64 bytes;     /* of a file; 0 of a folder */
  char name[64]; /* longer names are not LOOM's, and are left alone */
} CacheEntry;
typedef Vec(CacheEntry) CacheEntries;

static int compare_entries(const void *a, const void *b) {
  const CacheEntry *x = a, *y = b;
  if (x->used != y->used) return x->used < y->used ? -1 : 1;
  return strcmp(x->name, y->name);
}

static bool matches(const char *name, const char *start, const char *end) {
  size_t len = strlen(name), nstart = strlen(start), nend = strlen(end);
  return len > nstart + nend && strncmp(name, start, nstart) == 0 &&
         strcmp(name + len - nend, end) == 0;
}

static CacheEntries entries_of(DIR *folder, const char *start, const char *end) {
  CacheEntries all = {0};
  for (struct dirent *entry; (entry = readdir(folder));) {
    struct stat about;
    CacheEntry one = {0};
    size_t len = strlen(entry->d_name);
    if (len >= sizeof one.name || !matches(entry->d_name, start, end) ||
        fstatat(dirfd(folder), entry->d_name, &about, AT_SYMLINK_NOFOLLOW) != 0)
      continue;
    one.used = about.st_mtime;
    one.bytes = S_ISREG(about.st_mode) ? (u64)about.st_size : 0;
    memcpy(one.name, entry->d_name, len + 1);
    vec_push(&all, one);
  }
  return all;
}

void tool_trim_cache(const char *cache, const char *start, const char *end, size_t most,
                     u64 bytes) {
  DIR *folder = opendir(cache);
  if (!folder) return;
  CacheEntries all = entries_of(folder, start, end);
  size_t left = all.len;
  u64 held = 0;
  for (size_t i = 0; i < all.len; i++) held += all.at[i].bytes;
  if (left > most || held > bytes) {
    qsort(all.at, all.len, sizeof *all.at, compare_entries);
    for (size_t i = 0; left > most / 4 * 3 || held > bytes / 4 * 3; i++, left--) {
      if (unlinkat(dirfd(folder), all.at[i].name, 0) != 0) remove_at(dirfd(folder), all.at[i].name);
      held -= all.at[i].bytes;
    }
  }
  vec_free(&all);
  closedir(folder);
}
