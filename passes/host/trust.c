/* trust.c -- see trust.h. */
#include "host/trust.h"

#include "host/tools.h"

#include <errno.h>
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

/* `depth`: 0 the thing itself, 1 its folder, and so on. */
static const char *problem_of(Arena *arena, const char *path, unsigned depth) {
  struct stat about;
  if (stat(path, &about) != 0) return tool_text(arena, "%s: %s", path, strerror(errno));
  bool is_folder = S_ISDIR(about.st_mode), is_sticky = is_folder && about.st_mode & S_ISVTX;
  const char *it = depth ? path : "it";
  if (depth <= 1 && !owner_is_good(&about))
    return tool_text(arena, "%s belongs to another user (%lu)", it, (unsigned long)about.st_uid);
  if (!is_sticky && others_write(&about))
    return tool_text(arena, "others may write %s (its mode is %03o)", it, about.st_mode & 07777);
  return NULL;
}

const char *trust_problem(Arena *arena, const char *path) {
  char *real = realpath(path, NULL);
  const char *why = NULL;
  if (!real) return tool_text(arena, "%s: %s", path, strerror(errno));
  for (unsigned depth = 0; !why; depth++) {
    why = problem_of(arena, *real ? real : "/", depth);
    char *slash = strrchr(real, '/');
    if (!slash) break;
    *slash = '\0';
  }
  free(real);
  return why;
}

bool trust_is_own(int fd) {
  struct stat about;
  return fstat(fd, &about) == 0 && S_ISREG(about.st_mode) && about.st_uid == geteuid() &&
         !others_write(&about);
}
