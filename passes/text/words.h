/* words.h -- names of the attributes that the parser creates from syntax (`step` becomes
 * staticStep), interned once per parse. */
#ifndef LOOM_TEXT_WORDS_H
#define LOOM_TEXT_WORDS_H

#define WORDS(X)                                                                                   \
  X(ARG_ATTRS, "arg_attrs")                                                                        \
  X(CASES, "cases")                                                                                \
  X(CASE_OPERAND_SEGMENTS, "case_operand_segments")                                                \
  X(CASE_VALUES, "case_values")                                                                    \
  X(CONSTANT, "constant")                                                                          \
  X(CONT_COND, "cont_cond")                                                                        \
  X(FUNCTION_TYPE, "function_type")                                                                \
  X(FABRIC_INLINE, "inline_instantiation")                                                         \
  X(INITIAL_VALUE, "initial_value")                                                                \
  X(MODULE, "module")                                                                              \
  X(RES_ATTRS, "res_attrs")                                                                        \
  X(SEGMENTS, "operandSegmentSizes")                                                               \
  X(STATIC_LOWER, "staticLowerBound")                                                              \
  X(STATIC_STEP, "staticStep")                                                                     \
  X(STATIC_UPPER, "staticUpperBound")                                                              \
  X(STEP_OP, "step_op")                                                                            \
  X(SYM_NAME, "sym_name")                                                                          \
  X(SYM_VISIBILITY, "sym_visibility")                                                              \
  X(TYPE, "type")                                                                                  \
  X(UNSIGNED_CMP, "unsignedCmp")

typedef enum {
#define WORD_ENUM(id, text) WORD_##id,
  WORDS(WORD_ENUM)
#undef WORD_ENUM
      WORD_COUNT
} Word;

#endif
