/* net.h -- nets: labelled graphs, in which a dataflow graph and configured hardware are compared.
 *
 * A `Net` has nodes with a label each and a driver for each input of a node. The label hashes
 * everything in which two nodes must agree: kind, types and constants of an operation, the identity
 * of a port or of a memory's lane. Two nets are equal if there is an isomorphism: a one-to-one
 * pairing of nodes that preserves labels and inputs.
 *
 * The mapper also uses nets, to find which part of a graph a fabric's text configures already
 * (map/hints.c). That is a guess, which the checker does not rely on.
 */
#ifndef LOOM_CHECK_NET_H
#define LOOM_CHECK_NET_H

#include "config/configured.h"
#include "check/check.h"

typedef enum { NET_OP, NET_ARG, NET_OUTPUT, NET_LOAD, NET_STORE } NetKind;

typedef struct {
  u32 node, result; /* node MAP_NONE: none */
  u32 carrier;      /* graph: the edge; hardware: the sink that it arrives at, or MAP_NONE */
} NetInput;

typedef struct {
  u8 kind;       /* NetKind */
  bool commutes; /* its inputs may be permuted */
  bool is_cast;  /* hardware: a conversion by a wire; `of` is the sink at its end */
  u64 label;
  u32 of;          /* graph: node, argument, output, or Dfg.ports; hardware: Configured.ops,
                    * component, lane */
  u32 first_input; /* Net.inputs. load: address; store: address, data; output: its value */
  u32 ninputs;
  u32 nresults;  /* arg: 1; load: data, done; store: done */
  u32 first_use; /* Net.uses of all its results, in the order of the consumers */
  u32 nuses;
} NetNode;

typedef struct {
  u32 node, input; /* the consumer */
} NetUse;

typedef struct {
  bool is_hardware;
  const Dfg *dfg;
  const Configured *conf; /* hardware; else NULL */
  NetNode *nodes;
  u32 nnodes;
  NetInput *inputs;
  u32 ninputs;
  NetUse *uses;
  Arena *arena;
} Net;

/* The binding gives corresponding ports of both nets the same label. Without one (NULL) all ports
 * of a kind have the same. Hardware need not be sound: undriven inputs have no driver.
 *
 * False after reporting errors of the binding, and features of the graph that no hardware has
 * (CHECK_BINDING). */
bool net_of_graph(Context *ctx, const Dfg *dfg, const Adg *adg, const MapBinding *binding,
                  Net *net);
/* Where a consumer takes a value as another type, the conversion is an operation of the net, as in
 * configured_graph.
 *
 * An input that is discarded, or wired to an output, counts only if the binding assigns an argument
 * or a result there. */
void net_of_hardware(const Dfg *dfg, const Configured *conf, const MapBinding *binding, Net *net);
void net_free(Net *net);

/* Describes a node: "'sum'", "add in 'pe_0'", "load 0 of 'mem'", "input 'a'". */
void net_node_text(const Net *net, u32 node, Buf *out);
/* Describes what an operation computes: "arith.cmpi predicate 2 (i32, i32) -> (i1)". */
void net_what_text(const Net *net, u32 node, Buf *out);
Loc net_loc(const Net *net, u32 node);

/* Pairs the nodes and reports differences and unpaired nodes. `pairs` has room for each node of the
 * graph and receives its hardware node. True if the nets are equal. (match.c) */
bool nets_match(Context *ctx, const Net *graph, const Net *hardware, u32 *pairs);

/* Pairs similar nodes, those first whose neighbourhoods agree to the greatest depth, and from each
 * pair on their drivers. `pairs` receives MAP_NONE for nodes without a partner. It checks nothing
 * and reports nothing. */
void nets_guess(const Net *graph, const Net *hardware, u32 *pairs);

#endif
