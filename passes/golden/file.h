/* file.h -- golden traces: what a run did, as a text file that later runs are held to.
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
 * A line is a history: name, type, number of tokens, hash of their bytes (history.h says which
 * bytes). Lines are sorted by name in byte order; a byte of a name or type that is not printable
 * is written \xNN, and so are a backslash, and a space in a name.
 *
 * *observable* is what the source program says, whatever the graph looks like: no change of
 * lowering may alter it.
 *     load.N, store.N   the source access of that number: each execution's address (as an index),
 *                       then its value, of the type given. One that was never executed has no line
 *     memory.N          the final elements of memref argument N, in row-major order
 *     result.N          result N of those that are not `none`
 * *edges* has each edge of the graph, under the names of dfg.h; it may be renewed when lowering
 * gets better.
 *
 * `index W` is the width of index the run had: addresses have so many bits.
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
  Loc loc; /* of a line that was read: in its file; else of the access or edge that it is about */
  u32 id;  /* of a line that was taken. load, store, memory, result: its number; an edge's id */
} GoldenLine;

typedef Vec(GoldenLine) GoldenLines;

/* Lines are sorted; names and types live as long as the context. Start with {0}. */
typedef struct {
  unsigned index_width;
  GoldenLines observable, edges;
} Golden;

/* The observable section of a run that finished, of any engine. */
void golden_take(Context *ctx, const RunResult *result, Golden *golden);
/* The edges section, from the histories of all results by id (TokenTrace.results). */
void golden_take_edges(Context *ctx, const Dfg *dfg, const History *results, Golden *golden);

/* Reads a file. False after diagnostics (COMP_FILE_READ, RT_GOLDEN_FORM). */
bool golden_read(Context *ctx, const char *path, Golden *golden);
bool golden_parse(Context *ctx, const Source *source, Golden *golden);
void golden_write(const Golden *golden, Buf *buf);
void golden_free(Golden *golden);

/* The next place from which two sorted lists differ, starting at *i of `a` and *j of `b`, which
 * move on; false at the end. *left or *right is NULL where only the other list has that name. */
bool golden_next_difference(const GoldenLines *a, size_t *i, const GoldenLines *b, size_t *j,
                            const GoldenLine **left, const GoldenLine **right);
/* Of a type, as many tokens, of one hash; whatever they are called. */
bool golden_same(const GoldenLine *a, const GoldenLine *b);
/* The line of a name, or NULL. */
const GoldenLine *golden_find(const GoldenLines *lines, const char *name);

#endif
