/* trust.h -- who else could have written a file that code is loaded from?
 *
 * Code that is loaded runs with the rights of the user, so nobody else may be able to change it:
 *
 *     the file         belongs to the user, to root, or to whom the running binary belongs to (who
 *                      has had his code run already), and nobody else may write it
 *     its folder       likewise, though a sticky one (/tmp) may be everybody's
 *     those above it   likewise, up to /; they may also belong to the owner of a folder above the
 *                      running binary, who could have exchanged that
 *
 * A group may write where it is the owner's own: where it has his number. Links are followed first,
 * and it is what they lead to that is asked about. That is to be loaded, by the path without links
 * that is given back: somebody else can turn a link elsewhere at any time, but nothing of a path of
 * which all this is true.
 */
#ifndef LOOM_HOST_TRUST_H
#define LOOM_HOST_TRUST_H

#include "base/base.h"

/* Of a file, or a folder. NULL: it may be trusted; else why not, in the arena: "others may write
 * it", or one of the folders, by its name. `real` (or NULL): its path without links, in the arena,
 * or `path` where there is none. */
const char *trust_problem(Arena *arena, const char *path, const char **real);
/* The same of an open file alone, whatever folder it is in: true where it is a plain file that
 * belongs to the user and that nobody else may write. */
bool trust_is_own(int fd);

#endif
