/* tools.h -- private to native/: runs programs of the system, and caches the files that they make.
 *
 * **Programs run.** A program named without a path is looked for in the absolute folders of PATH
 * only, one with a relative path is refused, and its working directory is the folder it writes to:
 * nothing is ever executed from the folder LOOM was started in.
 *
 * **Files loaded.** The cache (~/.cache/loom, or $XDG_CACHE_HOME/loom) has mode 0700 and must
 * belong to the user; so must each file in it, which is checked on the descriptor that is then
 * loaded. Nobody else may be able to write the folders above (trust.h).
 */
#ifndef LOOM_NATIVE_TOOLS_H
#define LOOM_NATIVE_TOOLS_H

#include "base/base.h"

/* The value of an environment variable; NULL: not set, or empty. */
const char *tool_variable(const char *name);
/* The absolute path of a program, in the arena; or NULL. */
const char *tool_find(Arena *arena, const char *name);
/* Runs a program (absolute path; `argv` as of execv) in a folder (absolute path) and waits for it.
 * Its output and errors go to the file "said" there, its temporary files to the folder. Returns its
 * exit status; -1: it was not started, or was ended by a signal. */
int tool_run(const char *program, char *const *argv, const char *folder);
/* What a program that was run in the folder said, in the arena; "" where it cannot be read. */
const char *tool_said(Arena *arena, const char *folder);
/* Appends a file to a buffer; false where it cannot be read. */
bool tool_read(const char *path, Buf *into);
/* Opens a regular file for reading, but no link or pipe; -1 with errno. The caller closes it. */
int tool_open(const char *path);
/* The same, but -1 also unless the file belongs to the user and nobody else may write it. */
int tool_open_own(const char *path);
/* Appends all of an open file, from its start. */
bool tool_read_file(int fd, Buf *into);
/* A path to the open file itself, for loading or running it, whatever is at `path` by then. Valid
 * as long as the file is open. */
const char *tool_path_of(Arena *arena, int fd, const char *path);
/* True where `path` is a folder, not a link, that belongs to the user and that nobody else may
 * write. Takes others' permission to read it away. */
bool tool_own_folder(const char *path);

/* The path of the cache, which is made where it does not exist, in the arena. NULL: there is no
 * HOME; or, after the warning RT_CC_CACHE, it cannot be used. */
const char *tool_cache(Context *ctx, Arena *arena);
/* The path of a new folder to work in, for the caller to tool_remove: in the cache, from which it
 * removes those of runs killed over an hour ago; or, where `cache` is NULL, in temporary_root().
 * NULL after the error RT_CC_CACHE. */
const char *tool_work_folder(Context *ctx, Arena *arena, const char *cache);
/* Removes a folder with all that is in it. */
void tool_remove(const char *path);
/* Of the cache's files and folders whose names begin with `start` and end with `end`: where there
 * are more than `most`, or more than `bytes` in files, removes the least recently used ones, down
 * to three quarters of both. */
void tool_trim_cache(const char *cache, const char *start, const char *end, size_t most, u64 bytes);

#endif
