/* trust.c -- see trust.h. */
#include "host/trust.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static bool others_write(const struct stat *about) {
  bool is_private = about->st_gid == (gid_t)about->st_uid;
  return about->st_mode & S_IWOTH || (about->st_mode & S_IWGRP && !is_private);
}

static bool owner_is_good(const struct stat *about) {
  struct stat binary;
  return about->st_uid == 0 || about->st_uid == geteuid() ||
         (stat("/proc/self/exe", &binary) == 0 && about->st_uid == binary.st_uid);
}

/* Who owns a folder above the running binary could have exchanged that. */
static bool owns_above_binary(uid_t user) {
  char path[PATH_MAX];
  ssize_t len = readlink("/proc/self/exe", path, sizeof path - 1);
  bool good = false;
  for (path[len > 0 ? len : 0] = '\0'; !good && *path;) {
    struct stat about;
    char *slash = strrchr(path, '/');
    if (!slash) break;
    *slash = '\0';
    good = stat(*path ? path : "/", &about) == 0 && about.st_uid == user;
  }
  return good;
}

/* `depth`: 0 the thing itself, 1 its folder, and so on. That a folder is sticky says nothing about
 * its owner: he may rename what is in it. */
static const char *problem_of(Arena *arena, const char *path, unsigned depth) {
  struct stat about;
  if (lstat(path, &about) != 0) return arena_printf(arena, "%s: %s", path, strerror(errno));
  bool is_folder = S_ISDIR(about.st_mode), is_sticky = is_folder && about.st_mode & S_ISVTX;
  const char *it = depth ? path : "it";
  if (S_ISLNK(about.st_mode)) return arena_printf(arena, "%s was made a link just now", it);
  if (!owner_is_good(&about) && (depth <= 1 || !owns_above_binary(about.st_uid)))
    return arena_printf(arena, "%s belongs to another user (%lu)", it, (unsigned long)about.st_uid);
  if (!is_sticky && others_write(&about))
    return arena_printf(arena, "others may write %s (its mode is %03o)", it, about.st_mode & 07777);
  return NULL;
}

/* From / downwards: when a folder is looked at, nobody else can exchange it any more. Of several
 * problems the one nearest to the file is reported. */
const char *trust_problem(Arena *arena, const char *path, const char **real) {
  char *all = realpath(path, NULL);
  const char *why = NULL;
  if (real) *real = all ? arena_printf(arena, "%s", all) : path;
  if (!all) return arena_printf(arena, "%s: %s", path, strerror(errno));
  unsigned depth = 0;
  for (const char *p = all; *p && all[1]; p++) depth += *p == '/';
  for (char *end = all; depth; depth--, end = strchr(end + 1, '/')) {
    *end = '\0';
    const char *problem = problem_of(arena, *all ? all : "/", depth);
    if (problem) why = problem;
    *end = '/';
  }
  const char *problem = problem_of(arena, all, 0);
  free(all);
  return problem ? problem : why;
}

bool trust_is_own(int fd) {
  struct stat about;
  return fstat(fd, &about) == 0 && S_ISREG(about.st_mode) && about.st_uid == geteuid() &&
         !others_write(&about);
}
