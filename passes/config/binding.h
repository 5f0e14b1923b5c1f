/* binding.h -- which ports and memories of an image belong to which argument, result and memory of
 * a graph.
 *
 * An image says what the hardware does, not what its ports mean. The binding says which port of the
 * fabric is which argument and result of the graph, and where each memory is. ADG, image and
 * binding are all that the checker and the machine get; the mapper's own state never reaches them.
 */
#ifndef LOOM_CONFIG_BINDING_H
#define LOOM_CONFIG_BINDING_H

#include "dfg/dfg.h"
#include "config/image.h"

/* "no such thing" in every table of this folder; equal to DFG_NONE and ADG_NONE. */
#define MAP_NONE UINT32_MAX

/* Where a memory is: one region of one memory of the fabric. Load port i of the DFG memory uses tag
 * lanes[first_lane + nstores + i], store port i lanes[first_lane + i]: the order of Dfg.ports. All
 * are from start to end - 1. Where the fabric's memory has no tags, start is 0, end 1, lanes 0. */
typedef struct {
  u32 memory; /* Adg.memories */
  u32 region;
  u32 start, end;
  u32 offset; /* addr_offset in bytes; 0 of an extmemory, where the host sets it */
} MapMemory;

/* What the outside must know about an image to feed it: which port of the fabric is which argument
 * and result, where each memory is. With Adg and image this is all the checker and the machine get.
 * All arrays are as long as the DFG's table of that name. */
typedef struct MapBinding {
  u32 *args;    /* per Dfg.args: the component (ADG_INPUT), or MAP_NONE: a memref, or a value that
                 * nobody uses, which then is not sent */
  u32 *outputs; /* per Dfg.outputs: the component (ADG_OUTPUT) */
  MapMemory *memories; /* MAP_NONE where the graph has no port of it; per Dfg.memories */
  u32 *lanes;          /* per Dfg.ports: the tag its load or store uses at the memory */
  u32 *input_tags;     /* per component: Image.input_tags; known once all is routed */
} MapBinding;

/* As JSON, whose names are those of the graph and of the fabric:
 *
 *     {"args": {"a": "in_0", "b": {"input": "in_1", "tag": 3}}, "results": {"sum": "out0"},
 *      "memories": {"mem": {"memory": "mem_0", "region": 0, "start": 0, "end": 2, "offset": 0,
 *                           "stores": [], "loads": [0, 1]}}}
 *
 * What is not in it goes by name: an argument or result to the port of the fabric of that name, an
 * argument's memory to the extmemory that has a memref of that name, a memory of the graph to the
 * one of the fabric called so; region 0, or N where ".rN" stands behind that name; its tags and
 * offset (in bytes) as they are in the image, lanes from its first tag up, in the order of the
 * graph. An argument without a use may be at none: null, or that the input of its name is
 * another's. `source` may be NULL: all by name. An object that
 * has a member "binding" is read from there, so a whole NAME.map.json will do. NULL after
 * diagnostics (CHECK_BINDING). The caller frees. */
MapBinding *binding_read(Context *ctx, const Dfg *dfg, const Image *image, const Source *source);
/* The object above, in one line a member, each but the first line indented by `indent`. */
void binding_print(const Dfg *dfg, const Adg *adg, const MapBinding *binding, u32 indent, Buf *out);
void binding_free(MapBinding *binding); /* NULL is allowed */

#endif
