/* swap.c -- what somebody else may do between a look at a file and its use.
 *
 *     cc -shared -fPIC -o swap.so swap.c -ldl
 *     SWAP_FROM=other SWAP_TO=link.so LD_PRELOAD=./swap.so program
 *
 * Stands in front of dlopen and renames the one to the other first. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

void *dlopen(const char *path, int flags) {
  static void *(*real)(const char *, int);
  const char *from = getenv("SWAP_FROM"), *to = getenv("SWAP_TO");
  if (!real) *(void **)&real = dlsym(RTLD_NEXT, "dlopen");
  if (path && from && to) rename(from, to);
  return real(path, flags);
}
