/* annotations.h -- what the comments of an in.mlir promise; see annotations.c. Private to manual/.
 */
#ifndef LOOM_MANUAL_ANNOTATIONS_H
#define LOOM_MANUAL_ANNOTATIONS_H

#include "manual/manual.h"

/* `// error[CODE]: part`: a diagnostic that must be seen on `line`. */
typedef struct {
  u32 line;   /* of in.mlir; one past the last stands for its end, and for no place at all */
  u32 stands; /* the line it is written on */
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
  u32 index_width; /* 0: not said */
  u32 nlines;
} Annotations;

/* Strings live in `arena`. annotations_free frees the lists. */
void annotations_read(Arena *arena, const char *text, size_t len, Annotations *notes);
void annotations_free(Annotations *notes);

#endif
