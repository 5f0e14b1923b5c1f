/* verify.h -- the rules a module must obey before anything is done with it.
 *
 * The parser accepts whatever has the shape of MLIR; verify_module says whether it means
 * something. Every later stage may then rely on it: operands are there and of the types the op
 * takes, values are defined before they are used, blocks end as they should, symbols exist.
 * `loom opt --pass` and `loom lower` run it on what they print, too.
 */
#ifndef LOOM_VERIFY_VERIFY_H
#define LOOM_VERIFY_VERIFY_H

#include "ir/ir.h"

/* Checks the whole module and reports everything it finds, each with its place, what was expected
 * and what was found (codes: spec-tests/91-codes-rules.md). False where there was an error;
 * warnings do not count. Changes nothing but the scratch numbers `Op.index` and `Block.index`.
 * Rules: the manual's chapters 17 and 18 for dataflow and memory; MLIR's and CIRCT's own for the
 * rest. */
bool verify_module(Module *module);
/* The same for hardware that a graph is to be mapped onto, to whom configuration in the text is a
 * hint: what breaks a rule there is a warning (MAP_HINT), and taken out of the text. */
bool verify_with_hints(Module *module);

#endif
