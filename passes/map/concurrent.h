/* concurrent.h -- which loops of a graph may run at the same time (private to map/).
 *
 *     for i { ... }            the second starts with a result of the first: never both
 *     for j from i's result
 *
 *     for i { for j { } }      the inner one starts anew in each iteration of the outer one, which
 *                              waits for it: few nodes of the outer one fire meanwhile
 *
 *     for i { ... }            neither waits for the other: both run, and where they share a
 *     for j { ... }            temporal PE, each slows the other down
 *
 * A loop waits for another where its first values (the operands of its streams, the initial values
 * of its carries and invariants) depend on a node of the other, by a path that does not enter a
 * next iteration. */
#ifndef LOOM_MAP_CONCURRENT_H
#define LOOM_MAP_CONCURRENT_H

#include "base/digraph.h"
#include "map/rates.h"

/* A graph of loops: each leads to those that run with it, in ascending order, itself among them. In
 * the arena. Cost: nodes times loops / 64, in a few rounds, and pairs of loops. */
Digraph concurrent_find(const Dfg *dfg, const Rates *rates, Arena *arena);
/* Each loop by itself. */
Digraph concurrent_none(u32 nloops, Arena *arena);
/* True of two different loops that are; linear in the loops that run with `a`. */
bool concurrent_are(const Digraph *concurrent, u32 a, u32 b);

#endif
