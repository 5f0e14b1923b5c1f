/* show.h -- an ADG for people (a summary, a picture) and for scripts (JSON). */
#ifndef LOOM_FABRIC_SHOW_H
#define LOOM_FABRIC_SHOW_H

#include "base/json.h"
#include "fabric/adg.h"

/* A summary in a few lines; `configured`: by component, its bits of configuration. All printers end
 * with a newline. */
void adg_print_summary(const Adg *adg, const u64 *configured, Buf *out);
/* The centre and size of each component in a picture, in points of graphviz; y grows upwards. By
 * component; the caller frees. The same on every machine. */
typedef struct {
  i64 x, y, wide, high;
} AdgBox;
AdgBox *adg_picture(const Adg *adg);
/* A graph for graphviz: components are nodes, channels are edges. Positions are given (picture.c),
 * so graphviz only draws. */
void adg_print_dot(const Adg *adg, Buf *out);
/* All components and channels, in the order of ids, without the graphs of bodies. */
void adg_print_json(const Adg *adg, Buf *out);

/* `, "depth": 4, "bypassable": true`: the hardware parameters of a component (params.c). */
void adg_print_params(const Adg *adg, u32 component, Json *json);

/* The longest chain of combinational components between two registers, under any configuration
 * (longest.c); in the arena. */
typedef struct {
  u32 length, *components; /* in the order in which a token passes them */
  u32 loop_at;             /* a component on a combinational loop, or ADG_NONE */
} AdgChain;
AdgChain adg_longest_chain(const Adg *adg, Arena *arena);

/* The area of a component, in gates of a NAND of two inputs. */
u64 adg_area(const Adg *adg, u32 component);
/* The area of the whole fabric. */
u64 adg_whole_area(const Adg *adg);
/* The area of one function unit. */
u64 adg_body_area(const Adg *adg, const AdgBody *body);

#endif
