/* effective_state.h -- what the parts of effective_new share: the tables while they grow, and who
 * takes tokens where. Private to effective*.c. */
#ifndef LOOM_EFFECTIVE_STATE_H
#define LOOM_EFFECTIVE_STATE_H

#include "config/effective.h"

typedef struct {
  u32 hop; /* where it got to */
  Code code;
  const char *why;
} EffEnd;

/* A register of a temporal PE: who writes it (a source) and who reads it (Effective.operands). */
typedef struct {
  u32 component, number;
  u32 writer, reader;
} EffRegister;

typedef struct {
  Context *ctx;
  const Image *image;
  const Adg *adg;
  Effective *eff;
  Vec(EffSource) sources;
  Vec(EffSink) sinks;
  Vec(EffHop) hops;
  Vec(EffUnit) units;
  Vec(EffOp) ops;
  Vec(EffOpResult) op_results;
  Vec(EffValue) values;
  Vec(EffMove) moves;
  Vec(u32) operands, results;
  Vec(EffLane) lanes;
  Vec(EffPack) packs;
  Vec(EffPart) parts;
  Vec(EffRegister) registers;
  Vec(EffEnd) ends; /* ways that end where they should not */
  u32 *followed;    /* bits of the image that some token's way depended on */
  bool *routed;     /* by input component: some switch passes its tokens on */
  Map takers;       /* (port of a PE, tag) -> 1 + the operand (Effective.operands) */
  Map units_by_tag; /* (component of a temporal PE, tag) -> 1 + unit */
  Map unit_of_fu;   /* Adg.fus, of temporal PEs -> 1 + the first unit that is it */
  Map slots;        /* (component, tag) -> slot of a temporal switch, entry of a map_tag */
  Map entered;      /* (port, tag) -> hop */
  Map lane_of;      /* (component, tag, is_store) -> lane */
  Map register_of;  /* (component, register) -> registers */
  Map passing;      /* FIFO in use -> hop */
  Map fan_takers; /* (output wired to several inputs, no switch's; tag) -> 1 + hop that takes it */
  u32 *drivers;   /* by port, of a plain spatial switch's output: the input that drives it, or
                     * ADG_NONE */
  u32 *pack_at;   /* likewise: the pack that it is, or ADG_NONE */
} EffBuild;

static inline u64 eff_key(u32 a, u32 b) {
  return (u64)a << 32 | b;
}

static inline u64 eff_get(const EffBuild *b, u32 component, Field field) {
  return image_get(b->image, component, field);
}

/* In Effective.operands while it grows: its tokens have not been met yet. */
#define EFF_WANTED (UINT32_MAX - 1)

/* Gives a diagnostic at a component; all but CFG_IDLE make the result unsound. */
void eff_diag(EffBuild *b, Loc loc, Code code, const char *format, ...) PRINTF_LIKE(4, 5);
/* Lets b->eff see the tables as they are now, for messages. */
void eff_show(EffBuild *b);
u32 eff_put_source(EffBuild *b, EffSourceKind kind, u32 of, u32 index);
u32 eff_put_sink(EffBuild *b, EffSinkKind kind, u32 of, u32 index, u32 source, u32 hop, u32 width);

/* Decodes all PEs: units, ops, and who takes from their ports (effective_units.c). */
void eff_build_units(EffBuild *b);
/* Follows all tokens (effective_flow.c). */
void eff_follow(EffBuild *b);
/* CFG_COMBINATIONAL for what follows itself within a cycle (effective_loops.c). */
void eff_report_loops(EffBuild *b);

#endif
