/* words.h -- names of attributes that the syntax of some op stands for, interned once a parse. */
#ifndef LOOM_WORDS_H
#define LOOM_WORDS_H

#define WORDS(X)                                                                                   \
  X(ALIGNMENT, "alignment")                                                                        \
  X(ARG_ATTRS, "arg_attrs")                                                                        \
  X(ARG_NAMES, "argNames")                                                                         \
  X(BUFFER_TYPE, "bufferType")                                                                     \
  X(CALLEE, "callee")                                                                              \
  X(CASES, "cases")                                                                                \
  X(CASE_OPERAND_SEGMENTS, "case_operand_segments")                                                \
  X(CASE_VALUES, "case_values")                                                                    \
  X(CONSTANT, "constant")                                                                          \
  X(CONT_COND, "cont_cond")                                                                        \
  X(CONTROL, "control")                                                                            \
  X(FASTMATH, "fastmath")                                                                          \
  X(FUNCTION_TYPE, "function_type")                                                                \
  X(FABRIC_INLINE, "inline_instantiation")                                                         \
  X(ID, "id")                                                                                      \
  X(INITIAL_VALUE, "initial_value")                                                                \
  X(IS_EXACT, "isExact")                                                                           \
  X(LD_COUNT, "ldCount")                                                                           \
  X(LSQ, "lsq")                                                                                    \
  X(MEMREF_TYPE, "memRefType")                                                                     \
  X(MODULE, "module")                                                                              \
  X(MSG, "msg")                                                                                    \
  X(NAME, "name")                                                                                  \
  X(NO_INLINE, "no_inline")                                                                        \
  X(OVERFLOW_FLAGS, "overflowFlags")                                                               \
  X(PERMUTATION, "permutation")                                                                    \
  X(PRED, "pred")                                                                                  \
  X(PREDICATE, "predicate")                                                                        \
  X(REASSOCIATION, "reassociation")                                                                \
  X(RES_ATTRS, "res_attrs")                                                                        \
  X(RES_NAMES, "resNames")                                                                         \
  X(ROUNDINGMODE, "roundingmode")                                                                  \
  X(SEGMENTS, "operandSegmentSizes")                                                               \
  X(SLOTS, "slots")                                                                                \
  X(ST_COUNT, "stCount")                                                                           \
  X(STATIC_LOWER, "staticLowerBound")                                                              \
  X(STATIC_OFFSETS, "static_offsets")                                                              \
  X(STATIC_OUTPUT_SHAPE, "static_output_shape")                                                    \
  X(STATIC_SIZES, "static_sizes")                                                                  \
  X(STATIC_STEP, "staticStep")                                                                     \
  X(STATIC_STRIDES, "static_strides")                                                              \
  X(STATIC_UPPER, "staticUpperBound")                                                              \
  X(STEP_OP, "step_op")                                                                            \
  X(SYM_NAME, "sym_name")                                                                          \
  X(SYM_VISIBILITY, "sym_visibility")                                                              \
  X(TYPE, "type")                                                                                  \
  X(UNSIGNED_CMP, "unsignedCmp")                                                                   \
  X(VALUE, "value")

typedef enum {
#define WORD_ENUM(id, text) WORD_##id,
  WORDS(WORD_ENUM)
#undef WORD_ENUM
      WORD_COUNT
} Word;

#endif
