/* trust.h -- can another user have changed a file that code is loaded from?
 *
 * Code that is loaded runs with the rights of the user, so nobody else may be able to change it:
 *
 *     the file         belongs to the user, to root, or to the owner of the running binary (whose
 *                      code runs already), and nobody else may write it
 *     its folder       likewise, though a sticky one (/tmp) may be everybody's
 *     those above it   likewise, up to /; they may also belong to the owner of a folder above the
 *                      running binary, who could have replaced the binary
 *
 * A group may write if it is the owner's private one: if its id is that of the owner. Links are
 * followed first, and their target is checked. Load the file by the path without links that is
 * returned: another user can redirect a link at any time, but no part of a path that was checked.
 */
#ifndef LOOM_HOST_TRUST_H
#define LOOM_HOST_TRUST_H

#include "base/base.h"

/* Checks a file or folder. NULL: it may be trusted; else why not, in the arena: "other users may
 * write to it", or one of the folders above, by its name. *real (`real` may be NULL) is its path
 * without links, in the arena, or `path` where it does not exist. */
const char *trust_problem(Arena *arena, const char *path, const char **real);
/* Checks an open file, whatever folder it is in: true where it is a regular file that belongs to
 * the user and that nobody else may write. */
bool trust_is_own(int fd);

#endif
