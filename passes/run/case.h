/* case.h -- cases: the arguments of a run and its expected results, as JSON.
 *
 *     {"function": "saxpy",
 *      "args": [{"scalar": {"type": "f32", "value": 2.5}},
 *               {"memref": {"shape": [4], "type": "f32", "data": [1, 2, 3, 4]}},
 *               {"stream": {"type": "i1", "data": [1, 1, 0]}}],
 *      "expected": {"results": [7], "memrefs": [{"arg": 1, "data": [2.5, 5, 7.5, 10]}]}}
 *
 * A number is an integer in its type's signed or unsigned range, true or false, or a float in
 * decimal; a string is read as value_read (value.h) does: "nan", "inf", "-inf", "0x7fc00000"
 * (bits). A tagged value is {"value": 5, "tag": 3}. Elements of memrefs are in row-major order; a
 * memref without "data" is all zeros. Streams are for graphs whose arguments take several tokens.
 * An expected result may be a list of several tokens. Instead of a list, "data" may be {"npy":
 * "FILE"}: an array in a .npy file (npy.h), named relative to the case's file; a memref then needs
 * no "shape". Errors are reported at their line with their path, args[1].memref.data[3].
 */
#ifndef LOOM_RUN_CASE_H
#define LOOM_RUN_CASE_H

#include "run/run.h"

typedef enum { CASE_SCALAR, CASE_MEMREF, CASE_STREAM } CaseArgKind;

typedef struct {
  CaseArgKind kind;
  const Type *type; /* of the scalar, of an element, of a token */
  u32 rank;         /* memref */
  const i64 *shape; /* memref: `rank` extents */
  const u64 *data;  /* scalar, stream: the tokens, of value_words (value.h) words each */
  Array *array;     /* memref: the elements in row-major order; held */
  size_t n;         /* tokens (scalar: 1), or elements */
  Loc loc;          /* in the case file; LOC_NONE: there is none */
} CaseArg;

typedef struct Case Case;

struct Case {
  const Str *function; /* NULL: not named */
  Loc function_loc;    /* where it is named */
  CaseArg *args;
  u32 nargs;
  bool has_expected;
  Loc loc;
  struct CaseExpected *expected; /* case_state.h; NULL: none */
  Arena *arena;                  /* of everything but the arrays */
};

/* Reads a case file. NULL after diagnostics (RT_CASE_...). The caller frees the case. */
Case *case_read(Context *ctx, const char *path);
Case *case_parse(Context *ctx, const Source *source);
void case_free(Case *c); /* NULL is allowed */
/* Hashes the elements of its arrays, expected ones too, starting from `hash`: the contents of .npy
 * files are not in the text of the case. */
u64 case_hash(const Case *c, u64 hash);

/* Makes a case with room for `nargs` arguments, which the caller sets; the caller frees the case.
 * */
Case *case_new(const Str *function, u32 nargs);
/* Makes room for at least `nargs` arguments and keeps those there are. */
void case_make_room(Case *c, u32 nargs);
/* Sets argument `i` to that of another case: copies its tokens, shares its elements. */
void case_copy_arg(const Context *ctx, Case *c, u32 i, const CaseArg *arg);
/* Sets argument `i`, of this name and type, to the array in a .npy file (npy.h): the contents of a
 * memref; for a scalar type the value (an array of rank 0) or the tokens of a stream (of rank 1).
 * False after diagnostics (RT_NPY_..., COMP_FILE_READ). */
bool case_give_npy(Context *ctx, Case *c, u32 i, const char *name, const Type *type,
                   const char *path);

/* Argument i in a message: "args[0]", its path in the file, or, of a case that was not read from a
 * file, "argument 1 of 2". Lives as long as the context. */
const char *case_argument(Context *ctx, const Case *c, u32 i);
/* True where the case has exactly `n` arguments and they fit `types`: kinds, scalar and element
 * types, ranks and static extents. Else diagnostics (RT_CASE_ARGS) at the argument, at the case,
 * or, of a case that was not read from a file, at the function (`where`). A scalar type takes a
 * scalar or a stream; arguments of type none have no entry and are not in `types`. An argument of
 * several dimensions for memref<?xT> is changed to one dimension. */
bool case_fits(Context *ctx, const Case *c, Loc where, const Type *const *types, u32 n);

/* Compares a run with the expected results and memories: bit for bit, but floats within `ulp` units
 * in the last place, and any NaN equals any other. Differences are diagnostics (RT_CASE_MISMATCH),
 * the first of a list at the expected value. True where all agree, or nothing is expected. */
bool case_compare(Context *ctx, const Case *c, const RunResult *result, u64 ulp);

/* The memory of a memref argument for an engine, in the type's layout; to write to it, see
 * array_own. And that memory after the run as the result of argument `i`, in row-major order. */
static inline Array *case_memory(const CaseArg *arg, const ElementLayout *layout) {
  return array_laid_out(arg->array, layout);
}
RunMemory case_result(u32 i, const CaseArg *arg, Array *memory, const ElementLayout *layout);

/* Appends the run's results and memories as JSON, in the form of "expected" (`loom run --out`). */
void case_write_expected(const Context *ctx, const RunResult *result, Buf *buf);

/* Writes them as .npy files to a folder, which is made where it is missing: NAME.npy for each
 * memory, by the name of its argument (`names`, by argument), resultN.npy for each result. All
 * files or none. Returns an exit status: EXIT_GOOD, EXIT_BAD_INPUT after RT_NPY_TYPE (such as a
 * tuple), EXIT_FAULT after a diagnostic of the file system. */
int case_write_npy(Context *ctx, const RunResult *result, const char *const *names,
                   const char *dir);

#endif
