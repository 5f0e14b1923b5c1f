/* trust.c -- checks owners and modes of a file and of all folders above it: see trust.h. */
#include "host/trust.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static bool others_write(const struct stat *info) {
  bool is_private = info->st_gid == (gid_t)info->st_uid;
  return info->st_mode & S_IWOTH || (info->st_mode & S_IWGRP && !is_private);
}

static bool is_trusted_owner(const struct stat *info) {
  struct stat binary;
  return info->st_uid == 0 || info->st_uid == geteuid() ||
         (stat("/proc/self/exe", &binary) == 0 && info->st_uid == binary.st_uid);
}

/* The owner of a folder above the running binary could have replaced the binary. */
static bool owns_above_binary(uid_t user) {
  char path[PATH_MAX];
  ssize_t len = readlink("/proc/self/exe", path, sizeof path - 1);
  bool good = false;
  for (path[len > 0 ? len : 0] = '\0'; !good && *path;) {
    struct stat info;
    char *slash = strrchr(path, '/');
    if (!slash) break;
    *slash = '\0';
    good = stat(*path ? path : "/", &info) == 0 && info.st_uid == user;
  }
  return good;
}

/* `depth`: 0 the file itself, 1 its folder, and so on. In a sticky folder others cannot rename a
 * file, but the folder's owner can, so the owner must be trusted all the same. */
static const char *problem_of(Arena *arena, const char *path, unsigned depth) {
  struct stat info;
  if (lstat(path, &info) != 0) return arena_printf(arena, "%s: %s", path, strerror(errno));
  bool is_folder = S_ISDIR(info.st_mode), is_sticky = is_folder && info.st_mode & S_ISVTX;
  const char *name = depth ? path : "it";
  if (S_ISLNK(info.st_mode)) return arena_printf(arena, "%s was just replaced by a link", name);
  if (!is_trusted_owner(&info) && (depth <= 1 || !owns_above_binary(info.st_uid)))
    return arena_printf(arena, "%s belongs to another user (%lu)", name,
                        (unsigned long)info.st_uid);
  if (!is_sticky && others_write(&info))
    return arena_printf(arena, "other users may write to %s (its mode is %03o)", name,
                        info.st_mode & 07777);
  return NULL;
}

/* Checks folders from / downwards: once those above a folder are trusted, nobody else can replace
 * it. Of several problems the one nearest to the file is reported. */
const char *trust_problem(Arena *arena, const char *path, const char **real) {
  char *resolved = realpath(path, NULL);
  const char *why = NULL;
  if (real) *real = resolved ? arena_printf(arena, "%s", resolved) : path;
  if (!resolved) return arena_printf(arena, "%s: %s", path, strerror(errno));
  unsigned depth = 0;
  for (const char *p = resolved; *p && resolved[1]; p++) depth += *p == '/';
  for (char *end = resolved; depth; depth--, end = strchr(end + 1, '/')) {
    *end = '\0';
    const char *problem = problem_of(arena, *resolved ? resolved : "/", depth);
    if (problem) why = problem;
    *end = '/';
  }
  const char *problem = problem_of(arena, resolved, 0);
  free(resolved);
  return problem ? problem : why;
}

bool trust_is_own(int fd) {
  struct stat info;
  return fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == geteuid() &&
         !others_write(&info);
}
