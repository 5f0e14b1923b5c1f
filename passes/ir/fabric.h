/* fabric.h -- queries about ops of the fabric dialect.
 *
 * An op is either a definition or an inline component; only the latter has an operand list:
 *
 *     fabric.fifo @f [depth = 4] : (!fabric.bits<8>) -> !fabric.bits<8>               a definition
 *     %b = fabric.fifo @g [depth = 4] (%a) : (!fabric.bits<8>) -> !fabric.bits<8>     a component
 *
 * In the IR the second has the unit attribute `inline_instantiation`. Both have `function_type`,
 * the types of their ports; an inline component's operands may have other widths than its ports
 * (the connection adapts them), its results may not.
 *
 * Attributes are hardware parameters (written in [...]), runtime configuration (in {...}), or
 * neither (names and types). fabric_params and fabric_runtime list the former two, from fabric.def.
 */
#ifndef LOOM_IR_FABRIC_H
#define LOOM_IR_FABRIC_H

#include "ir/ir.h"

static inline bool fabric_is_op(const Op *op) {
  return op->kind >= OP_FABRIC_MODULE && op->kind <= OP_FABRIC_DEL_TAG;
}
static inline bool fabric_is_pe(OpKind kind) {
  return kind == OP_FABRIC_SPATIAL_PE || kind == OP_FABRIC_TEMPORAL_PE;
}
static inline bool fabric_is_switch(OpKind kind) {
  return kind == OP_FABRIC_SPATIAL_SW || kind == OP_FABRIC_TEMPORAL_SW;
}
static inline bool fabric_is_tag(OpKind kind) {
  return kind >= OP_FABRIC_ADD_TAG && kind <= OP_FABRIC_DEL_TAG;
}
/* PEs, switches, FIFOs and memories: the ops that may be definitions or inline components. */
static inline bool fabric_is_component(OpKind kind) {
  return kind >= OP_FABRIC_SPATIAL_PE && kind <= OP_FABRIC_FIFO;
}
/* The ops whose regions are scopes of definitions: builtin.module, fabric.module and PEs. */
static inline bool fabric_is_scope(OpKind kind) {
  return kind == OP_BUILTIN_MODULE || kind == OP_FABRIC_MODULE || fabric_is_pe(kind);
}
/* A component that is part of the netlist of its module. */
bool fabric_is_inline(const Op *op);
/* An op of a module's netlist: an instance, an inline component, or a tag op. */
static inline bool fabric_is_part(const Op *op) {
  return op->kind == OP_FABRIC_INSTANCE || fabric_is_tag((OpKind)op->kind) || fabric_is_inline(op);
}
/* An op that can be instantiated by its name. */
bool fabric_is_definition(const Op *op);

/* sym_name, or NULL. */
const Str *fabric_name(const Op *op);
/* The symbol an instance refers to, or NULL. */
const Attr *fabric_target(const Op *instance);
/* True if a boolean or unit attribute is present and not false. */
bool fabric_flag(const Op *op, const char *name);

/* Resolves every fabric.instance inside `top` by the lexical scopes around it, and stores the
 * definition in the instance's `target` (NULL: no visible definition has that name). `duplicate`,
 * if not NULL, is called for each definition whose name its scope has already. Linear. */
typedef void FabricDuplicateFn(void *user, const Op *first, const Op *again);
void fabric_resolve(Op *top, FabricDuplicateFn *duplicate, void *user);
/* The definition that fabric_resolve found. */
static inline Op *fabric_definition(const Op *instance) {
  return instance->nregions ? NULL : instance->target;
}
/* The module that an op is an instance of, or NULL. */
static inline Op *fabric_inner_module(const Op *op) {
  Op *def = op->kind == OP_FABRIC_INSTANCE ? fabric_definition(op) : NULL;
  return def && def->kind == OP_FABRIC_MODULE ? def : NULL;
}

/* The lanes of a switch, numbered across all inputs and across all outputs: input i has the lanes
 * in_at[i] up to, but not including, in_at[i + 1]. A port of a switch that is not decomposable has
 * one. */
enum { FABRIC_SWITCH_PORTS = 32 };
typedef struct {
  u32 ninputs, noutputs;
  u32 in_at[FABRIC_SWITCH_PORTS + 1], out_at[FABRIC_SWITCH_PORTS + 1];
} FabricLanes;

/* Computes them for a switch with 1 to 32 inputs and outputs. */
void fabric_lanes(const Context *ctx, const Op *sw, FabricLanes *lanes);
/* True if a table has a row for each lane of an output and a column for each lane of an input, and
 * not for each port. */
bool fabric_has_lane_rows(const FabricLanes *lanes, u32 rows, u32 columns);
/* The port of a lane: the last that begins at or before it. */
u32 fabric_lane_port(const u32 *at, u32 nports, u32 lane);
/* Whether lane `il` of input `in` of a verified switch is wired to lane `ol` of its output `out`.
 * Without a connectivity_table everything is connected. */
bool fabric_switch_connects(const Op *sw, const FabricLanes *lanes, u32 in, u32 il, u32 out,
                            u32 ol);
/* The same for ports: whether any of their lanes are connected. */
bool fabric_switch_joins(const Op *sw, const FabricLanes *lanes, u32 in, u32 out);

/* Renames each definition whose name needs quotes to an unused name of letters, digits, `_`, `$`
 * and `.`, and updates its instances. For a module that verify_module accepted. Linear. */
void fabric_canonicalise(Module *module);

/* Greatest latency of a memory, in cycles. */
enum { FABRIC_MAX_LATENCY = 1024 };
/* Greatest latency of a function unit in hardware, in cycles. */
enum { FABRIC_MAX_UNIT_LATENCY = 4095 };
/* Most load or store ports of a memory. */
enum { FABRIC_MAX_CHANNELS = 16 };
/* Most banks of a memory on the fabric. */
enum { FABRIC_MAX_BANKS = 16 };

/* A hardware parameter: a row of fabric.def. */
enum { PARAM_OTHER, PARAM_NUMBER, PARAM_FLAG, PARAM_CHOICE };
typedef struct {
  u16 kind; /* OpKind */
  u8 form;  /* PARAM_OTHER, ... */
  bool is_required;
  const char *name;
  i64 low, high, default_value;
  Code code;
  const char *const *words; /* of a choice, ended by NULL */
} FabricParam;

/* The words of choices, ended by NULL: TEMPORAL_SW_buffer_words and the like. */
#define PARAM_CHOICE(kind, name, type, field, json, ...)                                           \
  extern const char *const kind##_##name##_words[];
#include "ir/fabric.def"

/* Their numbers: PARAM_EXTMEMORY_latency and the like. */
typedef enum {
#define PARAM(kind, name, ...)       PARAM_##kind##_##name,
#define PARAM_ALONE(kind, name, ...) PARAM_##kind##_##name,
#include "ir/fabric.def"
  FABRIC_PARAM_COUNT
} FabricParamId;

/* Indexed by FabricParamId; a sentinel with kind OP_COUNT follows. */
extern const FabricParam fabric_param_rows[FABRIC_PARAM_COUNT + 1];

/* The first parameter of an op; the following rows of the same kind are its others, in the order in
 * which they are printed. */
const FabricParam *fabric_params(OpKind kind);
#define for_each_param(param, op_kind)                                                             \
  for (const FabricParam *param = fabric_params(op_kind); param->kind == (op_kind); param++)
/* The parameter of that name, or NULL. */
const FabricParam *fabric_param(OpKind kind, const char *name);
/* Its value for an op that the verifier accepted: 0 or 1 for a flag, the index of its word for a
 * choice (-1: an unknown word). */
i64 fabric_param_value(const Op *op, const FabricParam *param);

/* The names of the attributes that configure an op at run time, separated by spaces, in the order
 * in which they are printed. */
const char *fabric_runtime(OpKind kind);

/* Reads the numbers of a table with items of `width` numbers: `array<i64: ...>`, or an array of
 * numbers and of arrays of `width` numbers. False unless it has exactly `want` numbers and nothing
 * else. */
bool fabric_numbers(const Attr *table, u32 width, u32 want, i64 *numbers);
/* Reads entry `i` of the table of a map_tag: `[valid, source tag, result tag]`, or a number, which
 * is the result tag of source tag i. False if it is anything else. */
bool fabric_map_entry(const Attr *table, u32 i, i64 entry[3]);

/* decomposable_bits of a switch that has no lanes. */
enum { FABRIC_WHOLE_PORTS = -1 };
/* Bounds of numeric parameters: LOWEST_EXTMEMORY_latency and the like. */
enum {
#define PARAM(kind, name, form, low, high, ...)                                                    \
  LOWEST_##kind##_##name = low, HIGHEST_##kind##_##name = high,
#include "ir/fabric.def"
};
enum { FABRIC_MAX_TAG = 16 };
/* Regions of memories: the numbers that describe one; log2 of the largest element in bytes; the
 * bound of lanes of an untagged memory. */
enum { FABRIC_REGION_NUMBERS = 5, FABRIC_MAX_SIZE_LOG2 = 15, FABRIC_UNTAGGED_LANES = 1 << 16 };

/* The type of a port in hardware. */
typedef struct {
  bool is_tagged;
  u32 width;     /* of the value */
  u32 tag_width; /* at most FABRIC_MAX_TAG; 0 if untagged */
} FabricPort;

/* False if a port cannot have this type: a memref, a vector, ... */
bool fabric_port(const Context *ctx, const Type *type, FabricPort *port);
/* A type of software (i32, f32, index, none) instead of !fabric.bits. */
bool fabric_is_native(const Type *type);
/* Whether a port of type `a` can drive one of type `b`: both tagged or both untagged, of any
 * widths. */
bool fabric_connects(const Type *a, const Type *b);

#endif
