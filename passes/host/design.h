/* design.h -- the struct behind the opaque `loom_design` of backends. For host/ and native/.
 *
 * A design is a borrowed frozen graph, a machine or a fabric, with a proof and a case where there
 * are any, and a cache of answers that the extension tables have computed (strings, replays). Each
 * table is const data with the name below, defined in the file named beside it, and listed in
 * design.c with its id and the parts that a design must have for it.
 */
#ifndef LOOM_HOST_DESIGN_H
#define LOOM_HOST_DESIGN_H

#include "../plugins/loom_call.h"
#include "../plugins/loom_machine.h"
#include "../plugins/loom_replay.h"
#include "../plugins/loom_show.h"
#include "config/image.h"
#include "host/host.h"

typedef struct Replay Replay;               /* replay.c's own */
typedef struct MachineReplay MachineReplay; /* native/machine_replay.c's own */

struct loom_design {
  Context *ctx;
  const Dfg *dfg;                /* NULL: hardware whose image was not decoded */
  const ProofDomains *proved;    /* NULL: not provable */
  const Case *input;             /* NULL: no case; of a machine one for the graph `asked` */
  const struct Machine *machine; /* NULL: none; else the graph is decoded from it */
  const Image *image;            /* NULL: a graph or a machine; else a fabric, perhaps decoded */
  struct DesignFabric *fabric;   /* fabric_table.c's own */
  loom_design *asked; /* of a machine: the graph that was mapped; or NULL, as the next two */
  const struct MapBinding *binding; /* of its ports and memories */
  u32 *ports; /* by component that is an input or output of the fabric: its unit; LOOM_NONE */
  const struct Origins *origins; /* which edge of that graph each operand takes */
  MachineReplay *machine_replay; /* NULL: no case, or the design is a graph */
  const json_t *mapping;         /* NAME.map.json, or NULL */
  const Source *mapping_text;    /* its text */
  const Source *drawing;         /* of the fabric (viz_file), or NULL */
  struct DesignShow *show;       /* show_table.c's own */
  struct DesignOutcome *outcome; /* outcome.c's own; NULL: no run */
  RunOptions options;
  Arena *arena;                 /* of all strings handed out */
  const char **where;           /* by node, made when first asked */
  loom_type *types;             /* by type id */
  struct DesignLayout *layouts; /* by memory */
  struct DesignCall *call;      /* call_table.c's own; NULL: not declarable in C */
  /* loom.domains/1 is by result, the proof by value: values are the results and, between those of
   * arguments, the memref arguments. */
  u32 *result_of_value, *value_of_result;
  Replay *replay; /* of the last loom_histories.replay; NULL: none */
};

extern const loom_domains loom_domains_table;     /* design.c */
extern const loom_c loom_c_table;                 /* c_table.c */
extern const loom_call loom_call_table;           /* call_table.c */
extern const loom_histories loom_histories_table; /* replay.c */
extern const loom_machine loom_machine_table;     /* machine_table.c */
extern const loom_binding loom_binding_table;     /* binding_table.c */
extern const loom_cycles loom_cycles_table;       /* cycles_table.c */
extern const loom_fabric loom_fabric_table;       /* fabric_table.c */
extern const loom_image loom_image_table;         /* fabric_table.c */
extern const loom_replay loom_replay_table;       /* native/machine_replay.c */
extern const loom_source loom_source_table;       /* show_table.c, as the next four */
extern const loom_drawing loom_drawing_table;
extern const loom_routes loom_routes_table;
extern const loom_mapping loom_mapping_table;
extern const loom_initial loom_initial_table;
extern const loom_outcome loom_outcome_table; /* native/outcome.c */
/* By port of the ADG: the output that drives an input. */
const u32 *fabric_drivers(const loom_design *design);
void call_make(loom_design *design); /* call_table.c */
void replay_free(Replay *replay);    /* replay.c; NULL is allowed */
void show_free(loom_design *design);
void outcome_free(loom_design *design);
void machine_replay_free(MachineReplay *replay); /* native/machine_replay.c; NULL is allowed */
/* The channels of loom.replay/1; which one an input of the machine is, or is part of. */
u32 machine_replay_nchannels(const MachineReplay *replay);
u32 machine_replay_channel(const MachineReplay *replay, u32 input);
const char *machine_replay_name(const MachineReplay *replay, u32 channel);

/* The table of an extension; NULL where LOOM or this design has none. */
const void *design_extension(const loom_design *design, const char *id);
/* Why this design lacks it, as in "there is no case"; NULL where LOOM knows no such id. */
const char *design_lacks(const loom_design *design, const char *id);

/* Copies a public struct to a caller whose header has the first `size` bytes of it; zeroes the rest
 * where the caller's is larger. */
void design_fill(void *out, size_t size, const void *full, size_t full_size);
/* In a function with parameters `out` and `size`: FILL(loom_node full = {...}). */
#define FILL(...)                                                                                  \
  do {                                                                                             \
    const __VA_ARGS__;                                                                             \
    design_fill(out, size, &full, sizeof full);                                                    \
    return LOOM_OK;                                                                                \
  } while (0)

#endif
