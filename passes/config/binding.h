/* binding.h -- which ports and memories of an image belong to which argument, result and memory of
 * a graph; and its form in JSON.
 *
 * An image defines what the hardware does, not what its ports mean to the host. The binding maps
 * each argument and result of the graph to a port of the fabric, and each memory to a region. ADG,
 * image and binding are all that the checker and the machine get; the mapper's own state never
 * reaches them.
 */
#ifndef LOOM_CONFIG_BINDING_H
#define LOOM_CONFIG_BINDING_H

#include "dfg/dfg.h"
#include "config/image.h"

/* "None" in the tables of mappings and bindings; equal to DFG_NONE and ADG_NONE. */
#define MAP_NONE UINT32_MAX

/* Where a memory is: one region of one memory of the fabric. Store port i of the DFG memory uses
 * tag lanes[first_port + i], load port i lanes[first_port + nstores + i], in the order of
 * Dfg.ports. All of them are from start to end - 1. Where the fabric's memory has no tags, a lane
 * is the index of its port. */
typedef struct {
  u32 memory; /* Adg.memories */
  u32 region;
  u32 start, end;
  u32 offset; /* addr_offset in bytes; 0 of an extmemory, where the host sets it */
} MapMemory;

typedef struct MapBinding {
  Arena *arena;
  u32 *args;    /* by Dfg.args: the component (ADG_INPUT), or MAP_NONE: a memref, or a value without
                 * a use, which is not sent */
  u32 *outputs; /* by Dfg.outputs: the component (ADG_OUTPUT) */
  MapMemory *memories; /* by Dfg.memories; `memory` is MAP_NONE of a mapping that was not found */
  u32 *lanes;          /* by Dfg.ports: the tag its load or store uses at the memory */
  u32 *input_tags;     /* by component: Image.input_tags; known after routing */
} MapBinding;

/* As JSON, whose names are those of the graph and of the fabric:
 *
 *     {"args": {"a": "in_0", "b": {"input": "in_1", "tag": 3}}, "results": {"sum": "out0"},
 *      "memories": {"mem": {"memory": "mem_0", "region": 0, "start": 0, "end": 2, "offset": 0,
 *                           "stores": [], "loads": [0, 1]}}}
 *
 * What it leaves out is bound by name: an argument or result to the port of that name, a memory of
 * the graph to the fabric's memory of that name, and the memory of an argument also to the
 * extmemory whose memref has that name. The region is 0, or N where the name ends in ".rN"; its
 * tags and its offset in bytes are those of the image, and its lanes count up from the first tag,
 * in the order of the graph. An argument without a use need not have a port: where it is null, or
 * where another argument has the port of its name, it has none. With `source` NULL all is bound by
 * name. An object with a member "binding" is read from there, so a whole NAME.map.json will do.
 * NULL after diagnostics (CHECK_BINDING). The caller frees. */
MapBinding *binding_read(Context *ctx, const Dfg *dfg, const Image *image, const Source *source);
/* Prints the object above, a line a member, each line but the first indented as in a mapping. */
void binding_print(const Dfg *dfg, const Adg *adg, const MapBinding *binding, Buf *out);
void binding_free(MapBinding *binding); /* NULL is allowed */

#endif
