/* random_fabric.h -- random fabrics, and random valid configurations of them. */
#ifndef LOOM_RANDOM_FABRIC_H
#define LOOM_RANDOM_FABRIC_H

#include "config/image.h"
#include "lib.h"

/* A Fabric text: `parts` components of all kinds in modules in modules, each wired to ports of the
 * module it is in; definitions with instances, inline components, hints here and there. */
void random_fabric(Random *r, u32 parts, Buf *out);

/* Makes the image one that image_check accepts: every component does something random or nothing.
 * What is allowed is written down here again, from the chapter on configuration. */
void random_configuration(Random *r, Image *image);

#endif
