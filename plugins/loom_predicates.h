/* loom_predicates.h -- the words of comparisons, by the numbers of their predicates in MLIR: "slt" is CMPI_WORDS[2]. */
#ifndef LOOM_PREDICATES_H
#define LOOM_PREDICATES_H

#define CMPI_WORDS "eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"
#define CMPF_WORDS                                                                                 \
  "false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule",     \
      "une", "uno", "true"

#endif
