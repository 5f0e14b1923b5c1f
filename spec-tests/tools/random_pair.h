/* random_pair.h -- small fabrics with random connections, and graphs for them. */
#ifndef LOOM_RANDOM_PAIR_H
#define LOOM_RANDOM_PAIR_H

#include "base/base.h"
#include "lib.h"

/* Appends a fabric of a few PEs and switches, wired at random, with whatever can stand in a wire
 * (queues, tags put on and taken off, shared stretches), and a graph whose operations are among
 * those that its units can be: by counting it fits, by wires perhaps not. One seed gives one
 * pair. */
void random_pair(u64 seed, Buf *fabric, Buf *graph);

/* The same, but that each operation of the graph fires once, and no two touch one element of a
 * memory but to read it: so it has one outcome, and a case of arguments to see it. */
void random_pair_once(u64 seed, Buf *fabric, Buf *graph, Buf *json);

#endif
