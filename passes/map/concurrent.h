/* concurrent.h -- which loops of a graph may go on at the same time (private to map/).
 *
 *     for i { ... }            the second begins with what the first ends with: never both
 *     for j from i's result
 *
 *     for i { for j { } }      the inner one begins anew in each iteration of the outer one, which
 *                              goes on when it is done: what the outer one fires beside is little
 *
 *     for i { ... }            neither waits for the other: both, and where they share a temporal PE
 *     for j { ... }            each is the slower for it
 *
 * A loop waits for another where what it begins with (the operands of its streams, the first values
 * of its carries and invariants) comes from there on some way that is not into a next iteration. */
#ifndef LOOM_MAP_CONCURRENT_H
#define LOOM_MAP_CONCURRENT_H

#include "map/rates.h"

/* With loop i: loops[first[i]] to loops[first[i + 1] - 1], rising, itself among them. */
typedef struct {
  u32 *first, *loops;
} ConcurrentLoops;

/* In the arena. Nodes times loops / 64, some rounds. */
ConcurrentLoops concurrent_find(const Dfg *dfg, const Rates *rates, Arena *arena);
/* Each loop by itself. */
ConcurrentLoops concurrent_none(u32 nloops, Arena *arena);
/* Of two different loops; linear in how many go on with `a`. */
bool concurrent_are(const ConcurrentLoops *all, u32 a, u32 b);

#endif
