/* show.h -- an ADG for people (a summary, a picture) and for scripts (JSON). */
#ifndef LOOM_FABRIC_SHOW_H
#define LOOM_FABRIC_SHOW_H

#include "base/json.h"
#include "fabric/adg.h"

/* What there is, a few lines; `configured`: by component, the bits that configure it. Ends with a
 * newline; so do the others. */
void adg_print_summary(const Adg *adg, const u64 *configured, Buf *out);
/* Where components stand in a picture and how large they are, in points of graphviz: the middle, y
 * goes up. By component; the caller frees. The same on every machine. */
typedef struct {
  i64 x, y, wide, high;
} AdgBox;
AdgBox *adg_picture(const Adg *adg);
/* A graph for graphviz: components are nodes, channels are edges. All have their places
 * (picture.c): graphviz only draws. */
void adg_print_dot(const Adg *adg, Buf *out);
/* All tables but the bodies' inside: an object whose arrays are in the order of ids. */
void adg_print_json(const Adg *adg, Buf *out);

/* `, "depth": 4, "bypassable": true`: the hardware parameters of a component (params.c). */
void adg_print_params(const Adg *adg, u32 component, Json *json);

/* The longest chain of combinational components between two registers that the wires allow, whatever
 * is configured (longest.c); in the arena. */
typedef struct {
  u32 length, *components; /* in the order in which a token passes them */
  u32 loop_at;             /* a component on a loop of wires; ADG_NONE: there is none */
} AdgChain;
AdgChain adg_longest_chain(const Adg *adg, Arena *arena);

/* How large a component is: in gates, those of a NAND of two inputs. */
u64 adg_area(const Adg *adg, u32 component);
/* Of all there is. */
u64 adg_whole_area(const Adg *adg);
/* Of one function unit. */
u64 adg_body_area(const Adg *adg, const AdgBody *body);

#endif
