/* predicates.h -- the words of comparisons, by MLIR's numbers. The texts of LOOM and pages of designs have them. */
#ifndef LOOM_PREDICATES_H
#define LOOM_PREDICATES_H

#define CMPI_WORDS "eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"
#define CMPF_WORDS                                                                                 \
  "false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule",     \
      "une", "uno", "true"

#endif
