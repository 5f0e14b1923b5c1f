/* case.h -- cases: the arguments of a run and what is expected of it, as JSON.
 *
 *     {"function": "saxpy",
 *      "args": [{"scalar": {"type": "f32", "value": 2.5}},
 *               {"memref": {"shape": [4], "type": "f32", "data": [1, 2, 3, 4]}},
 *               {"stream": {"type": "i1", "data": [1, 1, 0]}}],
 *      "expected": {"results": [7], "memrefs": [{"arg": 1, "data": [2.5, 5, 7.5, 10]}]}}
 *
 * A number is an integer in its type's signed or unsigned range, or a float in decimal; "nan",
 * "inf" and "-inf" are the others. A tagged value is {"value": 5, "tag": 3}. Memory elements stand
 * in row-major order. A memref without "data" is all zeros. Streams are for graphs whose arguments
 * take several tokens. An expected result may be a list: that many tokens. Everything wrong is
 * reported at its line with its path, such as args[1].memref.data[3]. Instead of a list, "data" may
 * be {"npy": "FILE"}: an array in a .npy file (npy.h), named relative to the case's file; a memref
 * then needs no "shape".
 */
#ifndef LOOM_SIM_CASE_H
#define LOOM_SIM_CASE_H

#include "sim/run.h"

typedef enum { CASE_SCALAR, CASE_MEMREF, CASE_STREAM } CaseArgKind;

typedef struct {
  CaseArgKind kind;
  const Type *type; /* of the scalar, an element, a token */
  u32 rank;         /* memref */
  const i64 *shape; /* memref */
  const u64 *data;  /* 1 scalar, the tokens; each as many words as value_words (value.h) says */
  Array *array;     /* memref: the elements in row-major order; held */
  size_t n;         /* of data, tokens; or of the elements */
  Loc loc;          /* where it stands */
} CaseArg;

typedef struct Case Case;

struct Case {
  const Str *function; /* NULL: not named */
  Loc function_loc;    /* where that stands */
  CaseArg *args;
  u32 nargs;
  bool has_expected;
  Loc loc;
  struct CaseExpected *expected; /* case.c's own */
  Arena *arena;
};

/* Reads a case file. NULL after diagnostics (RT_CASE_...). The caller frees the case. */
Case *case_read(Context *ctx, const char *path);
Case *case_parse(Context *ctx, const Source *source);
void case_free(Case *c); /* NULL is allowed */
/* The elements of its arrays, folded into `hash`: those of .npy files are not in its text. */
u64 case_hash(const Case *c, u64 hash);

/* Cases made otherwise: with room for `nargs` arguments, which are to be given. */
Case *case_new(const Str *function, u32 nargs);
void case_make_room(Case *c, u32 nargs); /* for more of them */
/* Argument `i` is that of another case; its tokens are copied, its elements shared. */
void case_copy_arg(const Context *ctx, Case *c, u32 i, const CaseArg *arg);
/* Argument `i`, of this name and type, is the array in a .npy file (npy.h): a memref's contents;
 * for a scalar type an array without dimensions is the value, one with a dimension the tokens of a
 * stream. False after diagnostics (RT_NPY_..., COMP_FILE_READ). */
bool case_give_npy(Context *ctx, Case *c, u32 i, const char *name, const Type *type,
                   const char *path);

/* True where the case's arguments fit the first `n` of `types` (and there are exactly n): kinds,
 * scalar and element types, ranks and static extents. Else diagnostics (RT_CASE_ARGS) at the case's
 * place, or at the function's (`where`) when it is empty-handed. A scalar type takes a scalar or a
 * stream; `none` needs no entry and must not be counted in `n`. Data of several dimensions for
 * memref<?xT> lose their shape. */
bool case_fits(Context *ctx, const Case *c, Loc where, const Type *const *types, u32 n);

/* Compares a run with the case's expectation, bit for bit, floats of `ulp` > 0 within that many
 * units in the last place. Differences are diagnostics (RT_CASE_MISMATCH) at the expected value.
 * True where all is as expected (or nothing is expected). */
bool case_compare(Context *ctx, const Case *c, const RunResult *result, u64 ulp);

/* A memref argument as the memory that an engine works on (for writing: array_own), and that memory
 * as the result of its run. */
static inline Array *case_memory(const CaseArg *arg, const ElementLayout *layout) {
  return array_laid_out(arg->array, layout);
}
RunMemory case_result(u32 i, const CaseArg *arg, Array *memory, const ElementLayout *layout);

/* The run's results and memories in the shape of "expected" (`loom run --out`). */
void case_write_expected(const Context *ctx, const RunResult *result, Buf *buf);

/* The same as .npy files in a folder, which is made: NAME.npy for each memory, by the name of its
 * argument (`names`, by argument), resultN.npy for each result. All of them or none. An exit
 * status: EXIT_BAD_INPUT after RT_NPY_TYPE (a tuple has no such file), EXIT_FAULT. */
int case_write_npy(Context *ctx, const RunResult *result, const char *const *names,
                   const char *dir);

#endif
