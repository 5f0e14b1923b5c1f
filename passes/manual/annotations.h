/* annotations.h -- the annotations in the comments of an in.mlir; private to manual/. Their syntax
 * is in annotations.c. */
#ifndef LOOM_MANUAL_ANNOTATIONS_H
#define LOOM_MANUAL_ANNOTATIONS_H

#include "manual/manual.h"

/* `// error[CODE]: part`: a diagnostic that must be reported on `line`. */
typedef struct {
  u32 line;       /* of in.mlir; one past the last: at its end, or without a location */
  u32 written_on; /* the line of the annotation */
  bool warning, met;
  const char *code, *part;
} Expectation;

typedef enum { DIRECTIVE_RUN, DIRECTIVE_INPUT, DIRECTIVE_STREAM } DirectiveKind;

/* `// run: ...` and its like, with its continuation lines joined. */
typedef struct {
  DirectiveKind kind;
  u32 line;
  const char *text;
} Directive;

typedef struct {
  u32 line;
  const char *message;
} Mistake;

typedef struct {
  Vec(Expectation) expected;
  Vec(Directive) directives;
  Vec(Mistake) mistakes; /* annotations that cannot be read */
  bool lowers, balanced, strict;
  u32 index_width; /* 0: not given */
  u32 nlines;
} Annotations;

/* Strings live in `arena`. annotations_free frees the lists. */
void annotations_read(Arena *arena, const char *text, size_t len, Annotations *notes);
void annotations_free(Annotations *notes);

#endif
