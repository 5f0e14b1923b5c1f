/* configured_state.h -- what the parts of configured_new share: the tables while they grow, and who
 * takes tokens where. Private to configured*.c. */
#ifndef LOOM_CONFIG_CONFIGURED_STATE_H
#define LOOM_CONFIG_CONFIGURED_STATE_H

#include "config/configured.h"

typedef struct {
  u32 hop; /* where it got to */
  Code code;
  const char *why;
} ConfEnd;

/* A register of a temporal PE: its writer (a source) and its readers (Configured.operands). */
typedef struct {
  u32 component, number;
  u32 writer, reader;
} ConfRegister;

typedef struct {
  Context *ctx;
  const Image *image;
  const Adg *adg;
  Configured *conf;
  Vec(ConfSource) sources;
  Vec(ConfSink) sinks;
  Vec(ConfHop) hops;
  Vec(ConfUnit) units;
  Vec(ConfOp) ops;
  Vec(ConfOpResult) op_results;
  Vec(ConfValue) values;
  Vec(ConfMove) moves;
  Vec(u32) operands, results;
  Vec(ConfLane) lanes;
  Vec(ConfPack) packs;
  Vec(ConfPart) parts;
  Vec(ConfRegister) registers;
  Vec(ConfEnd) ends; /* routes that end where they should not */
  u32 *followed;     /* bits of the image that some token's route depended on */
  bool *routed;      /* by input component: some switch passes its tokens on */
  Map takers;        /* (port of a PE, tag) -> 1 + the operand (Configured.operands) */
  Map units_by_tag;  /* (component of a temporal PE, tag) -> 1 + unit */
  Map unit_of_fu;    /* Adg.fus that keep one state, of temporal PEs -> 1 + the unit that is it */
  Map slots;         /* (component, tag) -> slot of a temporal switch, entry of a map_tag */
  Map entered;       /* (port, tag) -> hop */
  Map lane_of;       /* (component, tag, is_store) -> lane */
  Map register_of;   /* (component, register) -> registers */
  Map passing;       /* FIFO in use -> hop */
  Map fan_takers; /* (output wired to several inputs, no switch's; tag) -> 1 + hop that takes it */
  u32 *drivers;   /* by port, of a plain spatial switch's output: the input that drives it, or
                     * ADG_NONE */
  u32 *pack_at;   /* likewise: the pack that it is, or ADG_NONE */
} ConfBuild;

static inline u64 conf_key(u32 a, u32 b) {
  return (u64)a << 32 | b;
}

static inline u64 conf_get(const ConfBuild *b, u32 component, Field field) {
  return image_get(b->image, component, field);
}

/* In Configured.operands while it grows: its tokens have not been met yet. */
#define CONF_WANTED (UINT32_MAX - 1)

/* Gives a diagnostic at a component; all but CFG_IDLE make the result unsound. */
void conf_diag(ConfBuild *b, Loc loc, Code code, const char *format, ...) PRINTF_LIKE(4, 5);
/* Lets b->conf see the tables as they are now, for messages. */
void conf_show(ConfBuild *b);
u32 conf_put_source(ConfBuild *b, ConfSourceKind kind, u32 of, u32 index);
u32 conf_put_sink(ConfBuild *b, ConfSinkKind kind, u32 of, u32 index, u32 source, u32 hop,
                  u32 width);

/* Decodes all PEs: units, ops, and who takes from their ports (configured_units.c). */
void conf_build_units(ConfBuild *b);
/* Follows all tokens (configured_flow.c). */
void conf_follow(ConfBuild *b);
/* CFG_COMBINATIONAL for what follows itself within a cycle (configured_loops.c). */
void conf_report_loops(ConfBuild *b);

#endif
