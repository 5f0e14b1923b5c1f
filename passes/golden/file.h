/* file.h -- golden traces: the token histories of a run as a text file, for regression tests.
 *
 *     loom golden trace 1
 *     index 32
 *
 *     observable
 *     load.0 f32 64 xxh3:0a1b...
 *     memory.0 f32 64 xxh3:2c3d...
 *     result.0 f32 1 xxh3:4e5f...
 *     store.2 f32 64 xxh3:6071...
 *
 *     edges
 *     i index 65 xxh3:8293...
 *     i.1 index 65 xxh3:8293...
 *
 * A line is a history: name, type, number of tokens, hash of their bytes (run/history.h defines
 * them). Lines are sorted by name in byte order; unprintable bytes of a name or type, backslashes,
 * and spaces in names are written as \xNN.
 *
 * *observable* is determined by the source program, whatever the graph looks like: no change of
 * lowering may alter it.
 *     load.N, store.N   the source access of that number: each execution's address (as an index),
 *                       then its value, of the given type. Unexecuted accesses have no line
 *     memory.N          the final elements of memref argument N, in row-major order
 *     result.N          result N of those that are not `none`
 * *edges* has each edge of the graph, by its name (dfg/dfg.h); it may be renewed when lowering
 * improves.
 *
 * `index W` is the width of index in the run, which addresses have.
 */
#ifndef LOOM_GOLDEN_FILE_H
#define LOOM_GOLDEN_FILE_H

#include "dfg/dfg.h"
#include "run/history.h"
#include "run/run.h"
#include "run/token.h"

typedef struct {
  const char *name, *type; /* as written in the file */
  u64 count;
  Hash128 hash;
  Loc loc; /* of a line that was read: in the file; else of the access or the edge's producer */
  u32 id;  /* of a line that was taken from a run: the number in its name, or the edge's id */
} GoldenLine;

typedef Vec(GoldenLine) GoldenLines;

/* Lines are sorted; names and types live as long as the context. Start with {0}. */
typedef struct {
  unsigned index_width;
  GoldenLines observable, edges;
} Golden;

/* Adds the observable section of a finished run of any engine. */
void golden_take(Context *ctx, const RunResult *result, Golden *golden);
/* Adds the edges section, from the histories of all results by id (TokenTrace.results). */
void golden_take_edges(Context *ctx, const Dfg *dfg, const History *results, Golden *golden);

/* Reads a file. False after diagnostics (COMP_FILE_READ, RT_GOLDEN_FORM). */
bool golden_read(Context *ctx, const char *path, Golden *golden);
bool golden_parse(Context *ctx, const Source *source, Golden *golden);
void golden_write(const Golden *golden, Buf *buf);
void golden_free(Golden *golden);

/* The next difference between two sorted lists, from *i of `a` and *j of `b`, which are advanced;
 * false at the end. *left or *right is NULL if only the other list has that name. */
bool golden_next_difference(const GoldenLines *a, size_t *i, const GoldenLines *b, size_t *j,
                            const GoldenLine **left, const GoldenLine **right);
/* Whether type, number of tokens and hash are equal; names are ignored. */
bool golden_same(const GoldenLine *a, const GoldenLine *b);
/* The line of that name, or NULL. Binary search. */
const GoldenLine *golden_find(const GoldenLines *lines, const char *name);

#endif
