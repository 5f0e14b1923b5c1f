/* net.h -- a graph in the form in which it can be compared with another, and labels of its nodes.
 *
 * The graph that was asked for and the graph that the hardware is are brought into one form, a
 * `Net`: nodes with a label each, and for each input of a node its driver. Labels say all that
 * two nodes must agree in to be the same: of an operation its kind, types and constants, of a port
 * which port it is, of a memory's lane which lane. Two nets are the same where a one-to-one pairing
 * of nodes keeps labels and inputs.
 *
 * The mapper finds with it, too, what a fabric's text configures already (map/hints.c). That is a
 * guess, which the checker does not rely on.
 */
#ifndef LOOM_CHECK_NET_H
#define LOOM_CHECK_NET_H

#include "config/configured.h"
#include "check/check.h"

typedef enum { NET_OP, NET_ARG, NET_OUTPUT, NET_LOAD, NET_STORE } NetKind;

typedef struct {
  u32 node, result; /* node MAP_NONE: none */
  u32 carrier;      /* graph: the edge; hardware: the sink that brings it, or MAP_NONE */
} NetInput;

typedef struct {
  u8 kind;       /* NetKind */
  bool commutes; /* its inputs may change places */
  bool is_cast;  /* hardware: what a value becomes on a wire, `of` is the sink at whose end */
  u64 label;
  u32 of;          /* graph: node, argument, output, or Dfg.ports; hardware: Configured.ops,
                    * component, lane */
  u32 first_input; /* Net.inputs. load: address; store: address, data; output: what leaves */
  u32 ninputs;
  u32 nresults;  /* arg: 1; load: data, done; store: done */
  u32 first_use; /* Net.uses of all its results, in the order of the takers */
  u32 nuses;
} NetNode;

typedef struct {
  u32 node, input; /* the taker */
} NetUse;

typedef struct {
  bool is_hardware;
  const Dfg *dfg;
  const Configured *conf; /* of the hardware, else NULL */
  NetNode *nodes;
  u32 nnodes;
  NetInput *inputs;
  u32 ninputs;
  NetUse *uses;
} Net;

/* Without a binding (NULL) ports have no names, and all of a kind have one label. Hardware need not
 * be sound: what is not driven has no input.
 *
 * Both nets have the same labels for the same ports, as the binding says. Errors of the binding and
 * what no hardware has (CHECK_BINDING) are reported; then false. */
bool net_of_graph(Context *ctx, const Dfg *dfg, const Adg *adg, const MapBinding *binding,
                  Net *net);
/* Where a value is taken as another type, it is an operation that it becomes that, as in
 * configured_graph.
 *
 * An input that is discarded, or wired to an output, counts only where the binding says that tokens
 * come in, or a result leaves, there. */
void net_of_hardware(const Dfg *dfg, const Configured *conf, const MapBinding *binding, Net *net);
void net_free(Net *net);

/* "'sum'"; "add in 'pe_0'"; "load 0 of 'mem'"; "input 'a'". */
void net_node_text(const Net *net, u32 node, Buf *out);
/* "arith.cmpi slt : (i32, i32) -> i1": what it computes, of an operation. */
void net_what_text(const Net *net, u32 node, Buf *out);
Loc net_loc(const Net *net, u32 node);

/* Pairs the nodes and reports what cannot be paired; `pairs` has a place for each node of the
 * graph. True where all of both nets are paired and agree. (match.c) */
bool nets_match(Context *ctx, const Net *graph, const Net *hardware, u32 *pairs);

/* Pairs of nodes that are alike, those first whose surroundings are alike the furthest, and from
 * each on to what feeds it. Likewise into `pairs`; what has no partner stays MAP_NONE. Nothing is
 * compared that was paired. */
void nets_guess(const Net *graph, const Net *hardware, u32 *pairs);

#endif
