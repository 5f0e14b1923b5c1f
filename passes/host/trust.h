/* trust.h -- private to passes/host: may code be loaded from there?
 *
 * Code that is loaded runs with the rights of the user, so nobody else may be able to change it:
 *
 *     the file         belongs to the user, to root, or to whom the running binary belongs to (who
 *                      has had his code run already), and nobody else may write it
 *     its folder       likewise, though a sticky one (/tmp) may be everybody's
 *     those above it   nobody else may write them, or they are sticky
 *
 * A group may write where it is the owner's own: where it has his number. Links are followed first,
 * and it is what they lead to that is asked about, and loaded.
 */
#ifndef LOOM_HOST_TRUST_H
#define LOOM_HOST_TRUST_H

#include "base/base.h"

/* Of a file, or a folder. NULL: it may be trusted; else why not, in the arena: "others may write it",
 * or one of the folders, by its name. */
const char *trust_problem(Arena *arena, const char *path);
/* The same of an open file alone, whatever folder it is in: true where it is a plain file that
 * belongs to the user and that nobody else may write. */
bool trust_is_own(int fd);

#endif
