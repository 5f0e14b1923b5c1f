/* file.c -- reading sources and writing results.
 *
 * Sources stay in memory as long as their context, because every location is an offset into them
 * (see Loc in base.h). Results are written under a temporary name in the same folder, closed, and
 * renamed: readers see the old file or the new one. Signals are blocked meanwhile, so Ctrl-C
 * leaves no temporary file behind. Nothing here allocates after the first byte is written. */
#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
  MAX_SOURCE = INT32_MAX - 16,
  MAX_DEVICE = 1 << 24, /* a device may be endless (/dev/zero); nobody types this much */
};

/* The start of each line; computed when a location in the file is first looked up. */
struct SourceLines {
  const u32 *starts; /* ascending, the first is 0 */
  u32 n;
};

static const Source *too_large(Context *ctx, const char *name, u64 len) {
  diag(ctx, LOC_NONE, COMP_FILE_TOO_LARGE,
       "%s has %llu bytes, but all files of one run together may have at most 2 GiB", name,
       (unsigned long long)len);
  return NULL;
}

static const Source *add_source(Context *ctx, const char *name, const char *text, size_t len) {
  if (len > MAX_SOURCE || ctx->next_loc > UINT32_MAX - (u32)len - 2)
    return too_large(ctx, name, len);
  Source source = {
      .name = arena_copy(ctx->arena, name, strlen(name) + 1),
      .text = text,
      .len = (u32)len,
      .base = ctx->next_loc,
      .lines = NEW(ctx->arena, struct SourceLines),
  };
  ctx->next_loc += source.len + 1; /* the end of the file is a place too */
  vec_push(&ctx->sources, source);
  return arena_copy(ctx->arena, &source, sizeof source);
}

const Source *source_from_memory(Context *ctx, const char *name, const char *text, size_t len) {
  char *copy = arena_alloc(ctx->arena, len + 1);
  if (len) memcpy(copy, text, len);
  return add_source(ctx, name, copy, len);
}

const Source *source_from_translation(Context *ctx, const char *name, const Buf *text) {
  const Source *source = source_from_memory(ctx, name, text->data, text->len);
  if (source) ((Source *)source)->is_translation = true;
  return source;
}

static const Source *cannot_read(Context *ctx, const char *path, const char *why) {
  diag(ctx, LOC_NONE, COMP_FILE_READ, "cannot read %s: %s", path, why);
  return NULL;
}

static const Source *endless(Context *ctx, const char *name) {
  diag(ctx, LOC_NONE, COMP_FILE_TOO_LARGE, "%s is a device with more than %d MiB", name,
       MAX_DEVICE >> 20);
  return NULL;
}

const char *file_read_problem(const char *path) {
  struct stat info;
  bool is_there = !stat(path, &info) && !access(path, R_OK);
  if (is_there && !S_ISDIR(info.st_mode)) return NULL;
  if (is_there) errno = EISDIR;
  return strerror(errno);
}

const Source *source_read(Context *ctx, const char *path) {
  bool standard_input = strcmp(path, "-") == 0;
  int fd = standard_input ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return cannot_read(ctx, path, strerror(errno));

  struct stat info;
  size_t expected = 1 << 16;
  bool known = fstat(fd, &info) == 0;
  bool regular = known && S_ISREG(info.st_mode) && info.st_size > 0;
  bool device = known && (S_ISCHR(info.st_mode) || S_ISBLK(info.st_mode));
  size_t most = device ? MAX_DEVICE : MAX_SOURCE;
  if (regular && !standard_input && info.st_size >= MAX_SOURCE) {
    close(fd);
    return too_large(ctx, path, (u64)info.st_size);
  }
  if (regular && info.st_size < MAX_SOURCE) expected = (size_t)info.st_size;
  Buf text = {0};
  ssize_t got = 0;
  bool exact = fd != STDIN_FILENO && expected != 1 << 16;
  char *whole = exact ? arena_alloc(ctx->arena, expected + 1) : NULL;
  size_t len = 0;
  if (exact) {
    while (len < expected && (got = read(fd, whole + len, expected - len)) > 0) len += (size_t)got;
  } else {
    char block[1 << 12];
    while (text.len <= most && (got = read(fd, block, sizeof block)) > 0)
      buf_put(&text, block, (size_t)got);
  }
  int error = errno;
  if (!standard_input) close(fd);
  const Source *source = NULL;
  const char *name = standard_input ? "<stdin>" : path;
  if (got < 0)
    cannot_read(ctx, path, strerror(error));
  else if (device && text.len > most)
    endless(ctx, name);
  else if (text.len > most)
    too_large(ctx, name, text.len); /* avoids the copy */
  else if (exact)
    source = add_source(ctx, path, whole, len);
  else
    source = source_from_memory(ctx, name, text.data, text.len);
  buf_free(&text);
  return source;
}

static void find_lines(const Context *ctx, const Source *source) {
  Vec(u32) starts = {0};
  const char *end = source->text + source->len;
  vec_push(&starts, 0);
  for (const char *p = source->text; (p = memchr(p, '\n', (size_t)(end - p)));)
    vec_push(&starts, (u32)(++p - source->text));
  source->lines->n = (u32)starts.len;
  source->lines->starts = arena_copy(ctx->arena, starts.at, starts.len * sizeof *starts.at);
  vec_free(&starts);
}

Loc source_at(const Context *ctx, const char *name, u32 line, u32 column) {
  for (size_t i = 0; i < ctx->sources.len; i++) {
    const Source *source = &ctx->sources.at[i];
    if (source->is_translation || strcmp(source->name, name) != 0) continue;
    if (!source->lines->n) find_lines(ctx, source);
    if (!line || line > source->lines->n) return LOC_NONE;
    u32 first = source->lines->starts[line - 1];
    u32 end = line < source->lines->n ? source->lines->starts[line] - 1 : source->len;
    u32 at = first + (column ? column - 1 : 0);
    return source->base + (at < end ? at : end);
  }
  return LOC_NONE;
}

Place source_place(const Context *ctx, Loc loc) {
  for (size_t i = 0; loc && i < ctx->sources.len; i++) {
    const Source *source = &ctx->sources.at[i];
    if (loc < source->base || loc > source->base + source->len) continue;
    const struct SourceLines *lines = source->lines;
    if (!lines->n) find_lines(ctx, source);
    u32 at = loc - source->base, low = 0, high = lines->n;
    while (high - low > 1) { /* the line is among [low, high) */
      u32 middle = low + (high - low) / 2;
      if (lines->starts[middle] <= at)
        low = middle;
      else
        high = middle;
    }
    return (Place){.file = source->name, .line = low + 1, .column = at - lines->starts[low] + 1};
  }
  return (Place){0};
}

Loc source_nth(const Source *source, int n) {
  u32 at = n > 0 ? (u32)n - 1 : 0;
  return source->base + (at < source->len ? at : source->len);
}

bool file_was_read(const Context *ctx, const char *path) {
  struct stat file, source;
  if (stat(path, &file) != 0) return false;
  for (size_t i = 0; i < ctx->sources.len; i++)
    if (!ctx->sources.at[i].is_translation && stat(ctx->sources.at[i].name, &source) == 0 &&
        source.st_dev == file.st_dev && source.st_ino == file.st_ino)
      return true;
  return false;
}

/* ---- writing --------------------------------------------------------------------------------- */

bool file_append(int fd, const void *data, size_t len) {
  for (const char *at = data; len;) {
    ssize_t put = write(fd, at, len);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    at += put;
    len -= (size_t)put;
  }
  return true;
}

static bool cannot_write(Context *ctx, const char *path, const char *why) {
  diag(ctx, LOC_NONE, COMP_FILE_WRITE, "cannot write %s: %s", path, why);
  return false;
}

/* ---- before anything is opened --------------------------------------------------------------- */

/* A newly opened file gets the lowest free descriptor: if standard error was closed, messages would
 * be written into that file. Fill a closed descriptor with /dev/null, opened in the opposite
 * direction, so that using it fails as before. */
static void fill_standard(void) {
  static const int opposite[] = {O_WRONLY, O_RDONLY, O_RDONLY};
  for (int fd = 0; fd < 3; fd++)
    if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", opposite[fd]) != fd) _exit(EXIT_FAULT);
}

void files_init(void) {
  fill_standard();
  signal(SIGXFSZ, SIG_IGN); /* exceeding `ulimit -f` is an error, like a full disk */
}

int file_nameless(const char *dir) {
  char folder[4096];
  size_t len = strlen(dir);
  if (len == 0 || len >= sizeof folder) return -1;
  memcpy(folder, dir, len + 1);
  for (;;) {
    int fd = open(folder, O_RDWR | O_TMPFILE | O_CLOEXEC, 0666);
    char *slash = strrchr(folder, '/');
    if (fd >= 0 || errno != ENOENT || strcmp(folder, ".") == 0 || slash == folder) return fd;
    if (slash)
      *slash = '\0';
    else
      memcpy(folder, ".", 2);
  }
}

/* Gives the open file `fd`, which will replace `path`, the permissions of the old file and, if
 * possible, its owner. False with errno set if the old file is not writable. */
static bool inherit_permissions(int fd, const char *path) {
  struct stat old, own;
  if (lstat(path, &old) != 0 || !S_ISREG(old.st_mode) || fstat(fd, &own) != 0) return true;
  if (faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) != 0) return false;
  bool is_ours = old.st_uid == own.st_uid && old.st_gid == own.st_gid;
  if (!is_ours && fchown(fd, old.st_uid, old.st_gid) != 0) errno = 0; /* then we own it */
  return fchmod(fd, old.st_mode & 0777) == 0;
}

enum { TEMPORARY_TAIL = 48 }; /* two numbers, .tmp and the NUL, with room to spare */

/* A buffer for a temporary name in the same folder. */
static char *temporary_room(const char *path) {
  return mem_alloc(strlen(path) + TEMPORARY_TAIL);
}

/* The name to try at the given attempt: a file left behind by a killed process with the same id may
 * have the first. */
static void temporary_name(char *name, const char *path, unsigned attempt) {
  size_t size = strlen(path) + TEMPORARY_TAIL;
  if (attempt)
    snprintf(name, size, "%s.%ld.%u.tmp", path, (long)getpid(), attempt);
  else
    snprintf(name, size, "%s.%ld.tmp", path, (long)getpid());
}

enum { MAX_ATTEMPTS = 100 };

static int open_temporary(char *name, const char *path) {
  int fd = -1;
  for (unsigned i = 0; i < MAX_ATTEMPTS; i++) {
    temporary_name(name, path, i);
    fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0 || errno != EEXIST) break;
  }
  return fd;
}

/* Gives a nameless file a temporary name. */
static bool link_temporary(char *name, const char *path, int nameless) {
  char self[40];
  snprintf(self, sizeof self, "/proc/self/fd/%d", nameless);
  for (unsigned i = 0; i < MAX_ATTEMPTS; i++) {
    temporary_name(name, path, i);
    if (linkat(AT_FDCWD, self, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0) return true;
    if (errno != EEXIST) break;
  }
  return false;
}

static bool copy_all(int from, int to) {
  char block[1 << 12];
  ssize_t got = -1;
  if (lseek(from, 0, SEEK_SET) == 0)
    while ((got = read(from, block, sizeof block)) > 0)
      if (!file_append(to, block, (size_t)got)) return false;
  return got == 0;
}

static bool write_text(int fd, const FileText *file) {
  return file_append(fd, file->data, file->len) && file_append(fd, file->tail, file->more);
}

/* Writes a file under a temporary name, which it stores in `name`. On failure, false with errno
 * set, and no such file is left. */
static bool write_temporary(char *name, const FileText *file) {
  if (file->fd >= 0 && !write_text(file->fd, file)) return false;
  if (file->fd >= 0 && !inherit_permissions(file->fd, file->path)) return false;
  if (file->fd >= 0 && link_temporary(name, file->path, file->fd)) return true;
  int fd = open_temporary(name, file->path);
  if (fd < 0) return false;
  bool good = inherit_permissions(fd, file->path) &&
              (file->fd >= 0 ? copy_all(file->fd, fd) : write_text(fd, file));
  int error = errno;
  if (close(fd) != 0 && good) {
    good = false;
    error = errno;
  }
  if (!good) unlink(name);
  errno = error;
  return good;
}

/* The index of the file that could not be written, with errno set; n: all were written. */
static size_t write_and_rename(const FileText *files, char **names, size_t n) {
  struct stat info;
  size_t written = 0, renamed = 0, failed = n;
  int error = 0;
  for (size_t i = 0; i < n && failed == n; i++) {
    errno = EISDIR;
    if ((stat(files[i].path, &info) == 0 && S_ISDIR(info.st_mode)) ||
        !write_temporary(names[i], &files[i])) {
      failed = i;
      error = errno;
    } else {
      written++;
    }
  }
  for (; failed == n && renamed < n; renamed++) {
    if (rename(names[renamed], files[renamed].path) == 0) continue;
    failed = renamed;
    error = errno;
    break;
  }
  for (size_t i = renamed; i < written && failed < n; i++) unlink(names[i]);
  errno = error;
  return failed;
}

bool files_write(Context *ctx, const FileText *files, size_t n) {
  char **names = mem_alloc(mem_size(n, sizeof *names));
  for (size_t i = 0; i < n; i++) names[i] = temporary_room(files[i].path);
  sigset_t held, before;
  sigfillset(&held);
  sigprocmask(SIG_BLOCK, &held, &before);
  size_t failed = write_and_rename(files, names, n);
  int error = errno;
  sigprocmask(SIG_SETMASK, &before, NULL);
  for (size_t i = 0; i < n; i++) mem_free(names[i]);
  mem_free(names);
  return failed == n || cannot_write(ctx, files[failed].path, strerror(error));
}

const char *file_behind(Context *ctx, const char *path) {
  struct stat link, info; /* where the kernel protects links (/tmp), only stat notices */
  if (lstat(path, &link) != 0 || !S_ISLNK(link.st_mode) || stat(path, &info) != 0) return path;
  char *real = realpath(path, NULL);
  if (real) path = str_of(ctx, real)->text;
  free(real);
  return path;
}

bool file_write(Context *ctx, const char *path, const void *data, size_t len) {
  if (strcmp(path, "-") == 0) {
    fflush(stdout);
    return file_append(STDOUT_FILENO, data, len) ||
           cannot_write(ctx, "standard output", strerror(errno));
  }
  path = file_behind(ctx, path);
  /* A device or a pipe cannot be replaced by renaming: write through. */
  struct stat info;
  if (stat(path, &info) == 0 && !S_ISREG(info.st_mode)) {
    int fd = S_ISDIR(info.st_mode) ? (errno = EISDIR, -1) : open(path, O_WRONLY | O_CLOEXEC);
    bool good = fd >= 0 && file_append(fd, data, len);
    int error = errno;
    if (fd >= 0) close(fd);
    return good || cannot_write(ctx, path, strerror(error));
  }
  return files_write(ctx, &(FileText){.path = path, .fd = -1, .data = data, .len = len}, 1);
}

/* Makes a folder if there is none; `follows`: a link to a folder is accepted. */
static bool make_one(Context *ctx, const char *path, bool follows) {
  struct stat info;
  if (mkdir(path, 0777) == 0) return true;
  if (errno != EEXIST) return cannot_write(ctx, path, strerror(errno));
  if (!follows && lstat(path, &info) == 0 && S_ISLNK(info.st_mode))
    return cannot_write(ctx, path, "it is a symbolic link, not a folder");
  if (stat(path, &info) == 0 && S_ISDIR(info.st_mode)) return true;
  return cannot_write(ctx, path, strerror(ENOTDIR));
}

bool file_make_dir(Context *ctx, const char *path) {
  return file_make_dir_in(ctx, path, path);
}

bool file_make_dir_in(Context *ctx, const char *top, const char *path) {
  Buf part = {0};
  size_t named = strlen(top);
  bool good = true;
  for (const char *p = path; good; p++) {
    if ((*p == '/' || *p == '\0') && part.len) good = make_one(ctx, part.data, part.len <= named);
    if (*p == '\0') break;
    buf_char(&part, *p);
  }
  buf_free(&part);
  return good;
}
