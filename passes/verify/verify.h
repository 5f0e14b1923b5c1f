/* verify.h -- the rules a module must obey before anything is done with it.
 *
 * The parser checks syntax; verify_module checks everything else, and every later stage relies on
 * it: ops have the operands and types that they need, values are defined before they are used,
 * blocks end in the right terminators, symbols exist.
 * `loom opt --pass` and `loom lower` run it on their output, too.
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
/* The same for hardware that a graph is to be mapped onto. Configuration in the text is a hint to
 * the mapper: if it breaks a rule, that is a warning (MAP_HINT), and it is removed. */
bool verify_with_hints(Module *module);

#endif
