/* report.h -- a mapping for programs, for people and as a picture; and read back.
 *
 * The JSON (spec-tests/24-mapping.md lists its members) says everything in names, those of the
 * graph and those of the fabric, so that it can be read without either. None of these texts depends
 * on anything but the mapping: the same graph, fabric, seed and options give the same bytes.
 */
#ifndef LOOM_MAP_REPORT_H
#define LOOM_MAP_REPORT_H

#include "map/map.h"

/* Of the JSON: a reader takes what has the same. Members may be added without a new version. */
enum { MAP_FORMAT_VERSION = 1 };

/* Where all is, and the routes between. `graph_file` and `fabric_file` are what the two are called
 * beside it. */
void mapping_print_json(Context *ctx, const Mapping *mapping, const char *graph_file,
                        const char *fabric_file, Buf *out);
/* The same of one that is incomplete: no files, but what has no place, which edges no route. */
void mapping_print_closest(Context *ctx, const Mapping *mapping, const char *reported,
                           const char *graph_file, const char *fabric_file, Buf *out);
/* The numbers alone, as JSON: for tables over many runs. */
void mapping_print_numbers(const Mapping *mapping, Buf *out);
/* For people: a summary a screen long, then details. */
void mapping_print_text(Context *ctx, const Mapping *mapping, Buf *out);
/* The interval that a loop will have, for people: "every 7 cycles: the loop at dot.mlir:9:10; every
 * 4 cycles with the FIFOs of"; and how many of them a summary should show. */
void mapping_print_throughput(Context *ctx, const Mapping *mapping, const MapThroughput *throughput,
                              Buf *out);
u32 mapping_throughputs_shown(const Mapping *mapping);
/* What such a line ends in: the command that makes the preset with these FIFOs. False: there is
 * nothing that would help, or the fabric is no preset. */
bool mapping_print_advice(const Mapping *mapping, Buf *out);
/* All of them with the waits that set it (a part of the text). */
void mapping_print_throughputs(Context *ctx, const Mapping *mapping, Buf *out);
/* True where FIFOs that the fabric does not have would shorten the interval. */
bool mapping_may_be_faster(const MapThroughput *throughput);
/* The used part of the fabric as a graph for graphviz: what is where, which tokens go by which
 * channel. */
void mapping_print_dot(const Mapping *mapping, Buf *out);

/* Reads where nodes were from such a JSON: a pin for each node that is still there, on a PE that is
 * still there. What else the file says is not looked at: a mapping is made anew from it. False
 * after MAP_FILE, where it is no such file. The caller frees *pins with mem_free. */
bool mapping_read_places(Context *ctx, const Source *source, const Dfg *dfg, const Adg *adg,
                         MapPin **pins, u32 *npins);

#endif
