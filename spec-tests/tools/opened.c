/* opened.c -- writes down which files a program opens or asks for, one path a line.
 *
 *     cc -shared -fPIC -o opened.so opened.c -ldl
 *     OPENED_LOG=/tmp/log LD_PRELOAD=./opened.so program
 *
 * Stands in front of the C library's functions for that; native_files.sh uses it to see that the
 * JIT looks up no header and no library.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void note(const char *path) {
  static int (*real)(const char *, int, ...);
  const char *log = getenv("OPENED_LOG");
  if (!log) return;
  if (!real) *(void **)&real = dlsym(RTLD_NEXT, "open");
  int fd = real(log, O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (fd < 0) return;
  dprintf(fd, "%s\n", path);
  close(fd);
}

#define OPENS(name)                                                                                \
  int name(const char *path, int flags, ...) {                                                     \
    static int (*real)(const char *, int, ...);                                                    \
    va_list args;                                                                                  \
    va_start(args, flags);                                                                         \
    int mode = va_arg(args, int);                                                                  \
    va_end(args);                                                                                  \
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, #name);                                          \
    note(path);                                                                                    \
    return real(path, flags, mode);                                                                \
  }
OPENS(open)
OPENS(open64)

#define OPENS_AT(name)                                                                             \
  int name(int folder, const char *path, int flags, ...) {                                         \
    static int (*real)(int, const char *, int, ...);                                               \
    va_list args;                                                                                  \
    va_start(args, flags);                                                                         \
    int mode = va_arg(args, int);                                                                  \
    va_end(args);                                                                                  \
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, #name);                                          \
    note(path);                                                                                    \
    return real(folder, path, flags, mode);                                                        \
  }
OPENS_AT(openat)
OPENS_AT(openat64)

#define OPENS_FILE(name)                                                                           \
  FILE *name(const char *path, const char *mode) {                                                 \
    static FILE *(*real)(const char *, const char *);                                              \
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, #name);                                          \
    note(path);                                                                                    \
    return real(path, mode);                                                                       \
  }
OPENS_FILE(fopen)
OPENS_FILE(fopen64)

int access(const char *path, int mode) {
  static int (*real)(const char *, int);
  if (!real) *(void **)&real = dlsym(RTLD_NEXT, "access");
  note(path);
  return real(path, mode);
}

void *dlopen(const char *path, int flags) {
  static void *(*real)(const char *, int);
  if (!real) *(void **)&real = dlsym(RTLD_NEXT, "dlopen");
  if (path) note(path);
  return real(path, flags);
}
