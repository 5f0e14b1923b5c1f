/* report.h -- reports of a mapping: JSON for programs, text for people, a picture for Graphviz; and
 * the reader of the JSON.
 *
 * The JSON (spec-tests/24-mapping.md lists its members) uses the names of the graph and the fabric,
 * so that it can be read without either. These texts depend on the mapping alone: the same graph,
 * fabric, seed and options give the same bytes.
 */
#ifndef LOOM_MAP_REPORT_H
#define LOOM_MAP_REPORT_H

#include "map/map.h"

/* The version of the JSON: mapping_read_places refuses any other. New members alone are no new
 * version. */
enum { MAP_FORMAT_VERSION = 1 };

/* The whole mapping. `graph_file` and `fabric_file`: the names of the files of the two, for it to
 * refer to. */
void mapping_print_json(Context *ctx, const Mapping *mapping, const char *graph_file,
                        const char *fabric_file, Buf *out);
/* The same for an incomplete mapping (Mapping.is_incomplete): lists the nodes without a place and
 * the edges without a route. `reported`: the diagnostics that say why; may be NULL. */
void mapping_print_closest(Context *ctx, const Mapping *mapping, const char *reported,
                           const char *graph_file, const char *fabric_file, Buf *out);
/* Its numbers alone, as JSON: for tables over many runs. */
void mapping_print_numbers(const Mapping *mapping, Buf *out);
/* As text: a summary a screen long, then details. */
void mapping_print_text(Context *ctx, const Mapping *mapping, Buf *out);
/* The expected interval of a loop, as text: "every 7 cycles: the loop at dot.mlir:9:10; every 4
 * cycles with the FIFOs of"; and how many loops a summary should show. */
void mapping_print_throughput(Context *ctx, const Mapping *mapping, const MapThroughput *throughput,
                              Buf *out);
u32 mapping_throughputs_shown(const Mapping *mapping);
/* What would shorten the interval of a loop in temporal PEs (`which` counts up from 0): operand
 * buffers, more PEs, results that did not share a channel. False: there is no more. */
enum { THROUGHPUT_RELIEFS = 3 };
bool mapping_print_relief(const Mapping *mapping, const MapThroughput *throughput, u32 which,
                          Buf *out);
/* The depth of FIFOs before the inputs of PEs that a loop of the summary lacks on a preset, with
 * places and routes as they are; 0: no depth would do, or the fabric is not a preset. */
u32 mapping_fifo_depth(const Mapping *mapping);
/* The end of such a line: the command that generates the preset with the FIFOs that were tried and
 * found to help (Mapping.advised_fifo). False where there are none. */
bool mapping_print_advice(const Mapping *mapping, Buf *out);
/* The intervals of all loops, with the waits that set them (a part of the text). */
void mapping_print_throughputs(Context *ctx, const Mapping *mapping, Buf *out);
/* True where FIFOs that the fabric does not have would shorten the interval. */
bool mapping_may_be_faster(const MapThroughput *throughput);
/* The used part of the fabric as a graph for Graphviz: the nodes in each PE, the results on each
 * channel. */
void mapping_print_dot(const Mapping *mapping, Buf *out);

/* Reads the places of nodes from such a JSON: a pin for each cluster whose first node and whose PE
 * still exist. Nothing else in the file is used: the mapping is made anew from these. False after
 * MAP_FILE, where it is no such file. The caller frees *pins with mem_free. */
bool mapping_read_places(Context *ctx, const Source *source, const Dfg *dfg, const Adg *adg,
                         MapPin **pins, u32 *npins);

#endif
