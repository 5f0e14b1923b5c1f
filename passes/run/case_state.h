/* case_state.h -- private to cases: expected results, and how a place in a case is named.
 *
 * case.c reads the file; case_check.c compares a run with the expected results and writes cases.
 * Both identify values by their path, `expected.results[2]`, from which the place in the text is
 * found (base/json.h).
 */
#ifndef LOOM_RUN_CASE_STATE_H
#define LOOM_RUN_CASE_STATE_H

#include "base/json.h"
#include "run/case.h"

#include <jansson.h>

/* A number whose type is not known yet: results are typed by the function, not by the case. */
typedef struct {
  enum { NUMBER_INT, NUMBER_REAL, NUMBER_TEXT } kind;
  i64 integer;
  double real;      /* also of NUMBER_INT */
  const char *text; /* of NUMBER_TEXT */
  bool has_tag;     /* it is {"value": ..., "tag": ...} */
  i64 tag;
} Number;

typedef struct {
  Number *tokens;
  size_t n;
  bool is_list; /* written as a list */
} ExpectedResult;

typedef struct {
  u32 arg;
  Array *array; /* held */
} ExpectedMemory;

typedef struct CaseExpected {
  const Source *source;
  bool has_results;
  ExpectedResult *results;
  size_t nresults;
  ExpectedMemory *memories;
  size_t nmemories;
} Expected;

/* A file being read. With ctx and source alone it serves to report errors in it. */
typedef struct {
  Context *ctx;
  Arena *arena;
  const Source *source; /* .npy files are named relative to it */
  json_t *root;
  json_t *reals; /* NULL until a float is read */
  u32 errors;
} CaseReader;

/* Reports an error at a path; gives false. */
bool case_fail(CaseReader *r, const Path *path, Code code, const char *format, ...)
    PRINTF_LIKE(4, 5);
/* "[3, 4]" */
void case_shape_text(const i64 *shape, u32 rank, Buf *buf);
/* An integer as bits of its type; false after a diagnostic. */
bool case_integer(CaseReader *r, const Path *path, const Type *type, i64 value, u64 *bits);
/* The same for a float, which is rounded to its type; overflow to infinity is an error. */
bool case_float(CaseReader *r, const Path *path, const Type *type, double value, u64 *bits);

#endif
