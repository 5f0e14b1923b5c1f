/* asm_affine.h -- ops that are read as others: the affine dialect and memref.atomic_rmw. */
#ifndef LOOM_TEXT_ASM_AFFINE_H
#define LOOM_TEXT_ASM_AFFINE_H

#include "text/asm.h"

/* Reads what follows the name, as ops of scf, arith and memref; NULL: there is no such op. */
ParseFn *affine_parser(Span name);

#endif
