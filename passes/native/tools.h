/* tools.h -- private to native/: programs of the system, and where what they make is kept.
 *
 * **What is run.** A program named without a path is looked for in the absolute folders of PATH
 * only, one with a relative path is refused, and it works in the folder it writes to: nothing is
 * ever executed from the folder LOOM was started in. The cache (~/.cache/loom, or
 * $XDG_CACHE_HOME/loom) is 0700 and must belong to the user, since code is loaded from it; so must
 * each file in it, which is asked of the descriptor that is then loaded. The folders above must not
 * be others' to write (trust.h).
 */
#ifndef LOOM_NATIVE_TOOLS_H
#define LOOM_NATIVE_TOOLS_H

#include "base/base.h"

/* An environment variable that is set, and not to nothing; or NULL. */
const char *tool_variable(const char *name);
/* The absolute path of a program, in the arena; or NULL. */
const char *tool_find(Arena *arena, const char *name);
/* Runs a program (absolute; `words` ends with NULL, the first is its name) in a folder (absolute);
 * what it says goes to the file "said" there, its temporary files, too. Its exit status, or -1. */
int tool_run(const char *program, char *const *words, const char *folder);
/* "said", or any other file, into a buffer; false where it cannot be read. */
bool tool_read(const char *path, Buf *into);
/* A plain file, no link and no pipe; else -1. The caller closes it. */
int tool_open(const char *path);
/* Likewise, and it belongs to the user, and nobody else may write it. */
int tool_open_own(const char *path);
/* All of an open file, from its start. */
bool tool_read_file(int fd, Buf *into);
/* A path by which the open file itself is loaded or run, whatever stands at `path` by then. Good as
 * long as the file is open. */
const char *tool_path_of(Arena *arena, int fd, const char *path);
/* True of a folder, no link, that is the user's and that nobody else may write; then nobody else
 * may read it either. */
bool tool_own_folder(const char *path);

/* The cache, made where it is not there; NULL: the user has none, or, after RT_CC_CACHE, it cannot
 * be used. */
const char *tool_cache(Context *ctx, Arena *arena);
/* A new folder in the cache, out of which goes what runs left that were killed over an hour ago;
 * or, where that is NULL, in a temporary place. NULL after RT_CC_CACHE.
 */
const char *tool_work_folder(Context *ctx, Arena *arena, const char *cache);
/* Removes a folder with all that is in it. */
void tool_remove(const char *path);
/* Removes what was used least recently of the cache's files and folders whose names begin and end
 * so, where there are more than `most`, or more than `bytes` in files: down to three quarters. */
void tool_trim_cache(const char *cache, const char *start, const char *end, size_t most, u64 bytes);

#endif
