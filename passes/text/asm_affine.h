/* asm_affine.h -- ops that are translated as they are read: affine and memref.atomic_rmw. */
#ifndef LOOM_TEXT_ASM_AFFINE_H
#define LOOM_TEXT_ASM_AFFINE_H

#include "text/asm.h"

/* The parser of such an op, which makes ops of scf, arith and memref; NULL if it is none. */
ParseFn *affine_parser(Span name);

#endif
