/* configured_state.h -- the state of configured_new while it runs: growing tables, and maps from
 * ports and tags to what takes their tokens. Private to configured*.c. */
#ifndef LOOM_CONFIG_CONFIGURED_STATE_H
#define LOOM_CONFIG_CONFIGURED_STATE_H

#include "config/configured.h"

/* A route that ends at a hop which does not take its tokens: an error, reported as `code`. */
typedef struct {
  u32 hop;
  Code code;
  const char *why;
} ConfEnd;

/* A register of a temporal PE: its writer (a source) and its readers (Configured.operands). */
typedef struct {
  u32 component, number;
  u32 writer, reader;
} ConfRegister;

/* The tables of both structures that grow while tokens are followed; those with their lengths in
 * Configured come first. */
#define CONF_COUNTED(T) T(sources) T(sinks) T(hops) T(units) T(ops) T(lanes) T(packs)
#define CONF_TABLES(T)                                                                             \
  CONF_COUNTED(T) T(op_results) T(values) T(moves) T(operands) T(results) T(parts) T(regions)

typedef struct {
  Context *ctx;
  const Image *image;
  const Adg *adg;
  Configured *conf;
  Arena *scratch;
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
  Vec(ConfRegion) regions;
  Vec(ConfRegister) registers;
  Vec(ConfEnd) ends;
  u32 *followed; /* a bit for each of the image: the first bit of a set field that a route used */
  bool *routed;  /* by input component: some switch passes its tokens on */
  Map takers;    /* (input port of a PE, tag) -> 1 + the operand (Configured.operands) */
  Map units_by_tag; /* (component of a temporal PE, tag) -> 1 + unit */
  Map unit_of_fu;   /* Adg.fus with state, of temporal PEs -> 1 + the first unit that uses it */
  Map slots;        /* (component, tag) -> slot of a temporal switch, entry of a map_tag */
  Map entered;      /* (port, tag) -> 1 + hop */
  Map lane_of;      /* (memory << 1 | is_store, tag) -> 1 + lane */
  Map register_of;  /* (component, register) -> 1 + index in `registers` */
  Map passing;      /* component of a FIFO -> 1 + hop */
  Map fan_takers;   /* (output that is no switch's, wired to several inputs; tag) -> 1 + hop that
                     * takes its tokens */
  u32 *drivers; /* by output port of an untagged spatial switch: the index of the only input that
                     * drives it, or ADG_NONE */
  u32 *pack_at; /* likewise: its pack, or ADG_NONE */
} ConfBuild;

static inline u64 conf_key(u32 a, u32 b) {
  return (u64)a << 32 | b;
}

static inline u64 conf_get(const ConfBuild *b, u32 component, Field field) {
  return image_get(b->image, component, field);
}

/* In Configured.operands while it grows: an operand whose tokens have not been found yet. */
#define CONF_WANTED (UINT32_MAX - 1)

/* Gives a diagnostic at a component; all but CFG_IDLE make the result unsound. */
void conf_diag(ConfBuild *b, Loc loc, Code code, const char *format, ...) PRINTF_LIKE(4, 5);
/* Points b->conf at the tables as they are now, for functions that read a Configured. */
void conf_show(ConfBuild *b);
u32 conf_put_source(ConfBuild *b, ConfSourceKind kind, u32 of, u32 index);
u32 conf_put_sink(ConfBuild *b, ConfSinkKind kind, u32 of, u32 index, u32 source, u32 hop,
                  u32 width);

/* Decodes all PEs: units, ops, and the operands that take from their ports (configured_units.c). */
void conf_build_units(ConfBuild *b);
/* Follows all tokens (configured_flow.c). */
void conf_follow(ConfBuild *b);
/* Reports combinational loops, CFG_COMBINATIONAL (configured_loops.c). */
void conf_report_loops(ConfBuild *b);

#endif
