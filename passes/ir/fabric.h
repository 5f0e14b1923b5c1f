/* fabric.h -- queries about ops of the fabric dialect.
 *
 * The same op is a definition or an inline component, told apart by its having an operand list:
 *
 *     fabric.fifo @f [depth = 4] : (!fabric.bits<8>) -> !fabric.bits<8>               a definition
 *     %b = fabric.fifo @g [depth = 4] (%a) : (!fabric.bits<8>) -> !fabric.bits<8>     a component
 *
 * In the IR the second has the unit attribute `inline_instantiation`. Both have `function_type`,
 * the types of their ports; an inline component's operands may have other widths than its ports
 * (the connection adapts them), its results may not.
 *
 * Attributes are hardware parameters (written in [...]), runtime configuration (in {...}), or
 * neither (names and types). The lists here say which is which.
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
/* PEs, switches, FIFOs and memories: what may be defined, instantiated, or put inline. */
static inline bool fabric_is_component(OpKind kind) {
  return kind >= OP_FABRIC_SPATIAL_PE && kind <= OP_FABRIC_FIFO;
}
/* Where names of definitions are looked up: builtin.module, fabric.module and PEs. */
static inline bool fabric_is_scope(OpKind kind) {
  return kind == OP_BUILTIN_MODULE || kind == OP_FABRIC_MODULE || fabric_is_pe(kind);
}
/* A component that stands in its module as part of the graph. */
bool fabric_is_inline(const Op *op);
/* An op in a module that stands for components: an instance, an inline component, a tag op. */
static inline bool fabric_is_part(const Op *op) {
  return op->kind == OP_FABRIC_INSTANCE || fabric_is_tag((OpKind)op->kind) || fabric_is_inline(op);
}
/* An op that gives its name to something that can be instantiated. */
bool fabric_is_definition(const Op *op);

/* sym_name, or NULL. */
const Str *fabric_name(const Op *op);
/* The types of its ports: function_type, or NULL where that is missing or none. */
const Type *fabric_type(const Op *op);
/* The symbol an instance refers to, or NULL. */
const Attr *fabric_target(const Op *instance);
/* True where a boolean or unit attribute is there and not false. */
bool fabric_flag(const Op *op, const char *name);

/* Finds what every fabric.instance inside `top` refers to, by the lexical scopes around it, and
 * notes it in the instance's `target` (NULL: nothing visible has that name). `duplicate`, where it
 * is not NULL, is called for definitions with a name that their scope has already. Linear. */
typedef void FabricDuplicateFn(void *user, const Op *first, const Op *again);
void fabric_resolve(Op *top, FabricDuplicateFn *duplicate, void *user);
/* What fabric_resolve found. */
static inline Op *fabric_definition(const Op *instance) {
  return instance->nregions ? NULL : instance->target;
}
/* The module that an op is an instance of, or NULL. */
static inline Op *fabric_inner_module(const Op *op) {
  Op *def = op->kind == OP_FABRIC_INSTANCE ? fabric_definition(op) : NULL;
  return def && def->kind == OP_FABRIC_MODULE ? def : NULL;
}

/* The lanes of a switch's ports, all inputs' counted one after the other, and all outputs': those
 * of input i are in_at[i] up to, but not including, in_at[i + 1]. A port of a switch that is not
 * decomposable has one. */
enum { FABRIC_SWITCH_PORTS = 32 };
typedef struct {
  u32 ninputs, noutputs;
  u32 in_at[FABRIC_SWITCH_PORTS + 1], out_at[FABRIC_SWITCH_PORTS + 1];
} FabricLanes;

/* Those of a switch with 1 to 32 inputs and outputs. */
void fabric_lanes(const Context *ctx, const Op *sw, FabricLanes *lanes);
/* True where the rows of a table are lanes of outputs and its columns lanes of inputs. */
bool fabric_has_lane_rows(const FabricLanes *lanes, u32 rows, u32 columns);
/* The port that a lane is of: the last that begins at or before it. */
u32 fabric_lane_port(const u32 *at, u32 nports, u32 lane);
/* Is lane `il` of input `in` of a verified switch wired to lane `ol` of its output `out`? Without a
 * connectivity_table everything is. */
bool fabric_switch_connects(const Op *sw, const FabricLanes *lanes, u32 in, u32 il, u32 out,
                            u32 ol);
/* The same for ports: some of their lanes are. */
bool fabric_switch_joins(const Op *sw, const FabricLanes *lanes, u32 in, u32 out);

/* Gives each definition whose name could only be written in quotes another, of letters, digits,
 * `_`, `$` and `.`, that nothing of the file has, and says so in its instances. To be called with a
 * module that verify_module accepted. Linear. */
void fabric_canonicalise(Module *module);

/* Cycles that a memory may take to answer, at most. */
enum { FABRIC_MAX_LATENCY = 1024 };
/* ... and a function unit, as hardware. */
enum { FABRIC_MAX_UNIT_LATENCY = 4095 };
/* ... and ports that it can have of a family. */
enum { FABRIC_MAX_CHANNELS = 16 };
/* ... and banks of one on the fabric. */
enum { FABRIC_MAX_BANKS = 16 };

/* A hardware parameter, as fabric.def says it. */
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

/* By FabricParamId; behind them one of no op. */
extern const FabricParam fabric_param_rows[FABRIC_PARAM_COUNT + 1];

/* The first of an op; those behind it are its, too, as long as they have its kind. They are in the
 * order in which they are printed. */
const FabricParam *fabric_params(OpKind kind);
#define for_each_param(param, op_kind)                                                             \
  for (const FabricParam *param = fabric_params(op_kind); param->kind == (op_kind); param++)
/* The one of that name, or NULL. */
const FabricParam *fabric_param(OpKind kind, const char *name);
/* What it is for an op that the verifier accepted: of a flag 0 or 1, of a choice which word; -1: a
 * word that it does not know. */
i64 fabric_param_value(const Op *op, const FabricParam *param);

/* The names of the attributes that configure an op at run time, spaces between, in the order in
 * which they are printed. */
const char *fabric_runtime(OpKind kind);

/* The numbers of a table, `width` to an item: flat, `array<i64: ...>`, in arrays of their own, or
 * some of each. False where anything else is there, or not `want` numbers. */
bool fabric_numbers(const Attr *table, u32 width, u32 want, i64 *numbers);
/* Entry `i` of the table of a map_tag: `[valid, source tag, result tag]`; or, of a flat one, the
 * result tag, and the source tag is i. False where anything else is there. */
bool fabric_map_entry(const Attr *table, u32 i, i64 entry[3]);

/* decomposable_bits of a switch that has no lanes. */
enum { FABRIC_WHOLE_PORTS = -1 };
/* What a number may be: LOWEST_EXTMEMORY_latency. */
enum {
#define PARAM(kind, name, form, low, high, ...)                                                    \
  LOWEST_##kind##_##name = low, HIGHEST_##kind##_##name = high,
#include "ir/fabric.def"
};
enum { FABRIC_MAX_TAG = 16 };
/* Regions of memories: numbers of one; elements of 2^15 bytes at most; lanes where nothing is
 * tagged. */
enum { FABRIC_REGION_NUMBERS = 5, FABRIC_MAX_SIZE_LOG2 = 15, FABRIC_UNTAGGED_LANES = 1 << 16 };

/* A port as hardware sees it. */
typedef struct {
  bool is_tagged;
  u32 width;     /* of the value */
  u32 tag_width; /* at most FABRIC_MAX_TAG; 0 where it is not tagged */
} FabricPort;

/* False where values of this type cannot pass a port: a memref, a vector, ... */
bool fabric_port(const Context *ctx, const Type *type, FabricPort *port);
/* A native type (i32, f32, index, none) where hardware has bits. */
bool fabric_is_native(const Type *type);
/* Can a port of one type drive one of the other? Same kind of tag, any widths. */
bool fabric_connects(const Type *a, const Type *b);

#endif
