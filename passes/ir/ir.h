/* ir.h -- the mutable SSA IR of the passes: types, attributes, operations, regions, use lists.
 *
 * It is MLIR's structure in C. A `Module` owns one top operation (builtin.module); an `Op` has
 * operands, results, attributes, successors and regions; a `Region` has blocks; a `Block` has
 * arguments and ops. Every operand is a `Use` on the list of the value it uses, so replacing all
 * uses of a value is linear in their number, and lowering mostly does that.
 *
 *     %s = arith.addi %a, %b : i32        Op{kind = OP_ARITH_ADDI}
 *                                           results[0]  : Value{name "s", type i32}
 *                                           operands[0] : Use of %a,  operands[1] : Use of %b
 *
 * Types and attributes are immutable and unique in their context: equal means the same pointer.
 * (The one exception are dense element lists, which may be large; they are never compared by
 * pointer.) Ops, values, blocks and regions live in their module's arena at stable addresses and
 * die with it; erasing an op unlinks it but frees nothing.
 *
 * The properties of a kind of op are its row of ops.def; `op_info(op->kind)` reads it. An op of a
 * dialect LOOM does not know has kind OP_UNREGISTERED and carries its own name.
 */
#ifndef LOOM_IR_IR_H
#define LOOM_IR_IR_H

#include "base/base.h"

#include <assert.h>

typedef struct Type Type;
typedef struct Attr Attr;
typedef struct Value Value;
typedef struct Use Use;
typedef struct Op Op;
typedef struct Block Block;
typedef struct Region Region;
typedef struct Module Module;
typedef struct AffineExpr AffineExpr;
typedef struct AffineMap AffineMap;

/* ---- types (types.c) ------------------------------------------------------------------------ */

typedef enum {
  TYPE_NONE,
  TYPE_INDEX,
  TYPE_INT,   /* i1..i64; wider ones are parsed and printed only */
  TYPE_FLOAT, /* see FloatKind */
  TYPE_FUNCTION,
  TYPE_TUPLE,
  TYPE_MEMREF,
  TYPE_UNRANKED_MEMREF,
  TYPE_TENSOR,
  TYPE_UNRANKED_TENSOR,
  TYPE_VECTOR,
  TYPE_COMPLEX,
  TYPE_TAGGED,        /* !dataflow.tagged<elem, iK>; K in `width` */
  TYPE_BITS,          /* !fabric.bits<N>; N in `width` */
  TYPE_FABRIC_TAGGED, /* !fabric.tagged<elem, iK>; K in `width` */
  TYPE_OPAQUE /* of an unknown dialect, or a builtin that is only parsed and printed: its text */
} TypeKind;

typedef enum { SIGNLESS, SIGNED, UNSIGNED } Signedness;
typedef enum { FLOAT_F16, FLOAT_BF16, FLOAT_F32, FLOAT_F64 } FloatKind;

/* A dimension, offset or stride not known at compile time (`?`). */
#define DYNAMIC INT64_MIN

struct Type {
  u8 kind;       /* TypeKind */
  u8 signedness; /* of TYPE_INT */
  u8 float_kind; /* of TYPE_FLOAT */
  u32 id;        /* order of creation in the context */
  u32 width;     /* bits of an int, float or TYPE_BITS; tag bits of tagged types; else 0 */
  u32 rank;      /* memref, tensor, vector */
  u32 ninputs;   /* function: the first ninputs of `elems`; the others are its results */
  u32 nelems;    /* function, tuple */
  const i64 *shape;
  const Type *const *elems;
  const Type *elem; /* memref, tensor, vector, complex, tagged types */
  /* memref: NULL (identity), ATTR_STRIDED or ATTR_AFFINE_MAP; tensor: encoding */
  const Attr *layout;
  const Attr *space; /* memref: NULL or the memory space */
  const Str *text;   /* opaque: its text; vector: a '0' or '1' (scalable) per dimension, or NULL */
};

const Type *type_none(Context *ctx);
const Type *type_index(Context *ctx);
const Type *type_int(Context *ctx, u32 width, Signedness sign);
const Type *type_i1(Context *ctx);
const Type *type_float(Context *ctx, FloatKind kind);
const Type *type_function(Context *ctx, const Type *const *inputs, u32 ninputs,
                          const Type *const *results, u32 nresults);
const Type *type_tuple(Context *ctx, const Type *const *elems, u32 n);
/* layout and space may be NULL; an identity layout is replaced by NULL. */
const Type *type_memref(Context *ctx, const i64 *shape, u32 rank, const Type *elem,
                        const Attr *layout, const Attr *space);
const Type *type_unranked_memref(Context *ctx, const Type *elem, const Attr *space);
const Type *type_tensor(Context *ctx, const i64 *shape, u32 rank, const Type *elem,
                        const Attr *encoding);
const Type *type_unranked_tensor(Context *ctx, const Type *elem);
const Type *type_vector(Context *ctx, const i64 *shape, u32 rank, const Type *elem,
                        const Str *scalable);
const Type *type_complex(Context *ctx, const Type *elem);
const Type *type_tagged(Context *ctx, const Type *value, u32 tag_width);
const Type *type_fabric_bits(Context *ctx, u32 width);
const Type *type_fabric_tagged(Context *ctx, const Type *value, u32 tag_width);
const Type *type_opaque(Context *ctx, const Str *text);

static inline bool type_is_int(const Type *t) {
  return t->kind == TYPE_INT;
}
static inline bool type_is_float(const Type *t) {
  return t->kind == TYPE_FLOAT;
}
static inline bool type_is_i1(const Type *t) {
  return t->kind == TYPE_INT && t->width == 1 && t->signedness == SIGNLESS;
}
static inline bool type_is_memref(const Type *t) {
  return t->kind == TYPE_MEMREF;
}
/* memref<?xT> without a layout: the type of a C pointer. */
static inline bool type_is_flat(const Type *t) {
  return type_is_memref(t) && t->rank == 1 && t->shape[0] == DYNAMIC && !t->layout;
}
/* int (signless, 1..64 bits), index or float: types of tokens and memory elements. */
static inline bool type_is_scalar(const Type *t) {
  if (t->kind == TYPE_INT) return t->signedness == SIGNLESS && t->width >= 1 && t->width <= 64;
  return t->kind == TYPE_INDEX || t->kind == TYPE_FLOAT;
}
/* Bits of a scalar, of !fabric.bits, or of a tagged type with its tag; index has the context's
 * width; other types have 0. */
u32 type_bits(const Context *ctx, const Type *t);
/* Elements of a memref of static shape; -1 if it is dynamic or the product overflows. */
i64 type_static_elements(const Type *t);

/* ---- attributes (attrs.c) -------------------------------------------------------------------- */

typedef enum {
  ATTR_UNIT,
  ATTR_BOOL,        /* i: 0 or 1; type i1 */
  ATTR_INT,         /* i: sign-extended from its type's width; type: int or index */
  ATTR_FLOAT,       /* i: the bits in the type's own format */
  ATTR_STRING,      /* str */
  ATTR_TYPE,        /* type */
  ATTR_ARRAY,       /* elems */
  ATTR_DICT,        /* entries, sorted by name */
  ATTR_SYMBOL,      /* str: the root; elems: nested references, as ATTR_SYMBOLs */
  ATTR_AFFINE_MAP,  /* map */
  ATTR_AFFINE_SET,  /* str: the text as read */
  ATTR_STRIDED,     /* ints[0] is the offset, ints[1..] the strides */
  ATTR_DENSE,       /* type: the shaped type; data: elements (see below) */
  ATTR_DENSE_ARRAY, /* array<i32: 1, 2>: type: element type; ints: the values (floats: bits) */
  ATTR_LOC,         /* a location; see LocKind */
  ATTR_OPAQUE       /* of an unknown dialect, or only parsed and printed; str: its text */
} AttrKind;

typedef enum { LOC_UNKNOWN, LOC_FILE, LOC_NAME, LOC_CALLSITE, LOC_FUSED, LOC_OPAQUE } LocKind;

typedef struct {
  const Str *name;
  const Attr *value;
  bool property; /* written in <{...}> rather than {...}; matters for unregistered ops only */
} NamedAttr;

struct Attr {
  u8 kind;     /* AttrKind */
  u8 loc_kind; /* of ATTR_LOC */
  bool splat;  /* ATTR_DENSE: all elements equal the one stored */
  u32 id;      /* as Type.id */
  u32 n;       /* number of elems, entries, ints or data elements */
  const Type *type;
  i64 i; /* also: line << 32 | column of LOC_FILE */
  const Str *str;
  union {
    const Attr *const *elems;
    const NamedAttr *entries;
    const i64 *ints; /* ATTR_STRIDED, ATTR_DENSE_ARRAY */
    const u64 *data; /* ATTR_DENSE: n elements, each its bits zero-extended to 64; 1 for a splat */
    const AffineMap *map;
  };
};

/* True if the attribute is a string without NUL bytes, which may be read as a C string. */
bool attr_is_text(const Attr *attr);

const Attr *attr_unit(Context *ctx);
const Attr *attr_bool(Context *ctx, bool value);
const Attr *attr_int(Context *ctx, i64 value, const Type *type); /* wraps to the type's width */
const Attr *attr_float_bits(Context *ctx, u64 bits, const Type *type);
const Attr *attr_string(Context *ctx, const Str *text);
const Attr *attr_typed_string(Context *ctx, const Str *text, const Type *type);
const Attr *attr_type(Context *ctx, const Type *type);
const Attr *attr_array(Context *ctx, const Attr *const *elems, u32 n);
const Attr *attr_dict(Context *ctx, const NamedAttr *entries, u32 n); /* sorts a copy */
const Attr *attr_symbol(Context *ctx, const Str *name, const Attr *const *nested, u32 n);
const Attr *attr_affine_map(Context *ctx, const AffineMap *map);
const Attr *attr_affine_set(Context *ctx, const Str *text);
const Attr *attr_strided(Context *ctx, i64 offset, const i64 *strides, u32 n);
const Attr *attr_dense(Context *ctx, const Type *type, const u64 *data, u32 n, bool splat);
const Attr *attr_dense_array(Context *ctx, const Type *elem, const i64 *values, u32 n);
const Attr *attr_loc_unknown(Context *ctx);
const Attr *attr_loc_file(Context *ctx, const Str *file, u32 line, u32 column);
const Attr *attr_loc_name(Context *ctx, const Str *name, const Attr *child); /* child may be NULL */
const Attr *attr_loc_callsite(Context *ctx, const Attr *callee, const Attr *caller);
/* metadata may be NULL */
const Attr *attr_loc_fused(Context *ctx, const Attr *const *locs, u32 n, const Attr *metadata);
const Attr *attr_loc_opaque(Context *ctx, const Str *text);               /* of an unknown form */
const Attr *attr_opaque(Context *ctx, const Str *text, const Type *type); /* type may be NULL */

/* ---- affine maps (affine.c) ------------------------------------------------------------------ */

typedef enum {
  AFFINE_DIM,
  AFFINE_SYMBOL,
  AFFINE_CONST,
  AFFINE_ADD,
  AFFINE_MUL,
  AFFINE_MOD,
  AFFINE_FLOORDIV,
  AFFINE_CEILDIV
} AffineKind;

struct AffineExpr {
  u8 kind;
  bool symbolic; /* contains no dim */
  u64 divisor;   /* divides it for all values of dims and symbols; 0 only for the constant 0 */
  u64 hash;      /* of the whole expression */
  i64 value;     /* constant, or the position of a dim or symbol */
  const AffineExpr *lhs, *rhs;
};

struct AffineMap {
  u32 ndims, nsyms, nresults;
  const AffineExpr *const *results;
};

/* Built in the context's arena, constants folded and put on the right as MLIR prints them. */
const AffineExpr *affine_leaf(Context *ctx, AffineKind kind, i64 value);
const AffineExpr *affine_binary(Context *ctx, AffineKind kind, const AffineExpr *lhs,
                                const AffineExpr *rhs);
bool affine_equal(const AffineExpr *a, const AffineExpr *b);
bool affine_map_is_identity(const AffineMap *map);

/* Sums and products of extents, strides and offsets: DYNAMIC if an operand is, or on overflow. */
i64 known_plus(i64 a, i64 b);
i64 known_times(i64 a, i64 b);
/* The strides of a memref (rank of them) and its offset, in elements, DYNAMIC if its type does not
 * specify them; false if its layout is not a sum of dimensions times numbers. */
bool type_strides(const Type *memref, i64 *strides, i64 *offset);

/* ---- ops.def --------------------------------------------------------------------------------- */

typedef enum {
  OP_UNREGISTERED,
#define OP(id, name, text, shape, types, fire, traits, eval) OP_##id,
#include "ir/ops.def"
#undef OP
  OP_COUNT
} OpKind;

/* What the types of an op must satisfy besides its shape (verify/). */
typedef enum {
  TYPES_SHAPE,      /* nothing, or what the op's function in verify/ checks */
  TYPES_INT,        /* operands: integer or index */
  TYPES_FLOAT,      /* operands: float */
  TYPES_WIDEN_INT,  /* iN to iM, N < M */
  TYPES_NARROW_INT, /* iN to iM, N > M */
  TYPES_WIDEN_FLOAT,
  TYPES_NARROW_FLOAT,
  TYPES_FLOAT_TO_INT,
  TYPES_INT_TO_FLOAT,
  TYPES_INDEX_CAST, /* index to iN or iN to index */
  TYPES_BITCAST     /* same number of bits */
} OpTypes;

/* How the op fires in a dataflow graph. */
typedef enum {
  FIRE_NOT, /* not allowed in a dataflow graph */
  FIRE_PURE,
  FIRE_CONSTANT,
  FIRE_COND_BR,
  FIRE_MUX,
  FIRE_JOIN,
  FIRE_LOAD,
  FIRE_STORE,
  FIRE_MEMORY,
  FIRE_EXTMEMORY,
  FIRE_STREAM,
  FIRE_GATE,
  FIRE_CARRY,
  FIRE_INVARIANT,
  FIRE_FORK,
  FIRE_LAZY_FORK,
  FIRE_BUFFER,
  FIRE_BR,
  FIRE_MERGE,
  FIRE_CONTROL_MERGE,
  FIRE_SOURCE,
  FIRE_SINK,
  FIRE_SYNC,
  FIRE_PACK,
  FIRE_UNPACK,
  FIRE_NEVER,
  FIRE_INSTANCE,
  FIRE_RETURN,
  FIRE_ARG /* a function's argument, which is a node of a Dfg (dfg/) but no op */
} FireClass;

enum {
  TRAIT_PURE = 1,           /* no effect but its results: may be folded, merged, deleted */
  TRAIT_TERMINATOR = 2,     /* ends its block */
  TRAIT_COMMUTATIVE = 4,    /* its two operands may swap */
  TRAIT_SYMBOL = 8,         /* defines the symbol in sym_name */
  TRAIT_ISOLATED = 16,      /* its regions use no value from outside */
  TRAIT_GRAPH = 32,         /* graph regions: a use may precede its definition */
  TRAIT_NO_TERMINATOR = 64, /* blocks of its regions need no terminator */
  TRAIT_MAY_TRAP = 128      /* pure but for a possible trap: must not be speculated */
};

typedef struct {
  const char *name;
  const char *text; /* the format, or names of inherent attributes */
  const char *shape;
  bool own; /* parsed and printed by functions of text/asm_*.c, not by `text` */
  u8 types, fire;
  u16 traits;
} OpInfo;

/* An item of an op's shape: the type of an operand or result, in the notation of ops.def. */
typedef enum {
  SLOT_TYPE,    /* T: variable `var` */
  SLOT_ELEM,    /* T.elem */
  SLOT_PARTS,   /* T.parts */
  SLOT_INPUTS,  /* T.inputs */
  SLOT_RESULTS, /* T.results */
  SLOT_I1_LIKE, /* i1.T */
  SLOT_OWN,     /* ? */
  SLOT_I1,
  SLOT_INDEX,
  SLOT_NONE
} SlotKind;

typedef struct {
  u8 kind, var; /* var: 0 is 'A' */
  bool loose;   /* ~ */
  char many;    /* '*', '+', or 0: exactly one */
} OpSlot;

enum { MAX_SLOTS = 6, MAX_TYPE_VARS = 26 };
typedef struct {
  u8 noperands, nresults;           /* slots, those of operands first */
  u8 least_operands, least_results; /* the minimum numbers of values */
  bool operand_list, result_list;   /* whether there may be more */
  OpSlot slots[MAX_SLOTS];
} OpShape;

OpShape op_shape(OpKind kind);
/* True if all operands and the one result have the same type: "T T -> T", or index throughout. */
bool op_is_uniform(OpKind kind);

extern const OpInfo op_infos[OP_COUNT];
static inline const OpInfo *op_info(OpKind kind) {
  return &op_infos[kind];
}
/* The op of arith that does the same as one of the index dialect (index.cmp and constants apart,
 * whose attributes differ); other kinds are returned as they are. */
OpKind op_as_arith(OpKind kind);
/* True if ops.def has the dialect of the name (up to the first dot). */
bool op_dialect_is_known(const char *name);

/* Hints for diagnostics (advice.c): how to convert an op of another dialect to one that LOOM knows;
 * what to use instead of a type that tokens cannot have. NULL: no hint. */
const char *dialect_advice(const char *name);
const char *type_advice(const Type *type);

/* ---- operations ------------------------------------------------------------------------------ */

struct Use {
  Value *value;
  Op *owner;
  Use *next, **link; /* the value's list of uses; *link == this */
};

/* Has no pointer to its definition, which follows from its address: results lie in their op, an
 * argument in a BlockArg (value_op, value_block). */
struct Value {
  Loc loc;
  u32 index : 31; /* position among the results or arguments */
  u32 is_arg : 1;
  const Type *type;
  Use *uses;
  const Str *name; /* without %; NULL: numbered when printed */
};

typedef struct {
  Block *block;
  u32 first, n; /* the op's operands that are passed to the block's arguments */
} Successor;

/* The fields of Op that few ops use, allocated when one is set. */
typedef struct {
  const Str *name;      /* OP_UNREGISTERED: its full name */
  const Attr *loc_attr; /* an explicit loc(...), or NULL */
  Successor *succs;
} OpMore;

/* Kept small: a hundred thousand ops do not fit a cache, so the time of a walk is that of reading
 * memory. */
struct Op {
  Op *prev, *next;
  Block *block; /* NULL: not in a block */
  Use *operands;
  NamedAttr *attrs; /* sorted by name */
  union {
    Region *regions; /* NULL: none */
    Op *target;      /* fabric.instance, which has no regions: see fabric_resolve */
  };
  OpMore *more; /* NULL: all of its fields are NULL */
  Loc loc;      /* in the source, or that of the op it was derived from */
  u16 kind;     /* OpKind */
  u16 nregions, nsuccs, nattrs;
  u32 nresults, noperands;
  u32 index; /* scratch: a pass's own numbering */
  Value results[];
};

struct Block {
  Block *prev, *next;
  Region *region;
  Op *first, *last;
  Value **args;
  u32 nargs, cap_args;
  const Str *name; /* without ^; NULL: bbN when printed */
  Loc loc;
  u32 index; /* scratch */
};

struct Region {
  Op *parent;
  Block *first, *last;
};

struct Module {
  Context *ctx;
  Arena *arena;
  Op *top;             /* a builtin.module */
  const Str *metadata; /* the text of a file-level {-# ... #-}, or NULL */
};

Module *module_new(Context *ctx);
void module_free(Module *module);

/* Returns `op`, and prefetches what lies AHEAD bytes after it. The ops of a block mostly lie in the
 * arena in their order, but a walk along `next` stalls on a cache miss at each of them, in a large
 * function for nearly all its time. A wrong guess only costs a useless prefetch. */
static inline Op *op_prefetch_next(Op *op) {
#if defined(__GNUC__)
  enum { AHEAD = 2560, LINE = 64, LINES = 5 };
  for (unsigned i = 0; i < LINES; i++)
    __builtin_prefetch((const void *)((uintptr_t)op + AHEAD + i * LINE));
#endif
  return op;
}

/* The same for a walk along `prev`. */
static inline Op *op_prefetch_prev(Op *op) {
#if defined(__GNUC__)
  enum { BEHIND = 2560, LINE = 64, LINES = 5 };
  for (unsigned i = 0; i < LINES; i++)
    __builtin_prefetch((const void *)((uintptr_t)op - BEHIND + i * LINE));
#endif
  return op;
}

/* The op PREFETCH_OPS after `op`, or before it, in its block, or NULL: a walk that reads the
 * operands of each op calls op_fetch_operands for it. */
enum { PREFETCH_OPS = 5 };
static inline const Op *op_some_later(const Op *op) {
  for (unsigned i = 0; op && i < PREFETCH_OPS; i++) op = op->next;
  return op;
}
static inline const Op *op_some_earlier(const Op *op) {
  for (unsigned i = 0; op && i < PREFETCH_OPS; i++) op = op->prev;
  return op;
}
static inline void op_fetch_operands(const Op *op) {
  enum { MOST = 4 }; /* most ops have fewer */
  for (u32 i = 0; i < op->noperands && i < MOST; i++) mem_fetch(op->operands[i].value);
}

#define for_each_op(op, blk) for (Op *op = (blk)->first; op; op = op_prefetch_next(op->next))
/* allows erasing or moving `op` in the body */
#define for_each_op_safe(op, blk)                                                                  \
  for (Op *op = (blk)->first, *op##_next = op ? op->next : NULL; op;                               \
       op = op##_next, op##_next = op ? op_prefetch_next(op->next) : NULL)
#define for_each_block(b, rgn) for (Block *b = (rgn)->first; b; b = b->next)
#define for_each_use(u, v)     for (Use *u = (v)->uses; u; u = u->next)

/* A new op outside any block, with `noperands` operand slots (values may hold NULLs, or be NULL
 * for all empty), `nresults` results of the given types, and empty regions. */
Op *op_new(Module *m, OpKind kind, Loc loc, Value *const *operands, u32 noperands,
           const Type *const *types, u32 nresults, u32 nregions);
/* Sets the successor list to a copy of `succs`, n <= UINT16_MAX. */
void op_set_successors(Module *m, Op *op, const Successor *succs, u32 n);
static inline Successor *op_succs(const Op *op) { /* nsuccs of them */
  return op->more ? op->more->succs : NULL;
}
/* The explicit loc(...), or NULL. */
static inline const Attr *op_loc_attr(const Op *op) {
  return op->more ? op->more->loc_attr : NULL;
}
void op_set_loc_attr(Module *m, Op *op, const Attr *loc);
/* The explicit loc(...), or else the op's place in the text. */
const Attr *op_location(Context *ctx, const Op *op);
/* The full name of an OP_UNREGISTERED. */
void op_set_name(Module *m, Op *op, const Str *name);
/* Sets operand i; NULL clears it. */
void op_set_operand(Op *op, u32 i, Value *value);
/* Replaces the whole operand list, by one of any length. */
void op_set_operands(Module *m, Op *op, Value *const *values, u32 n);
static inline Value *op_operand(const Op *op, u32 i) {
  return op->operands[i].value;
}
static inline Value *op_result(const Op *op, u32 i) {
  return (Value *)&op->results[i]; /* a const Op does not make its results const */
}

const char *op_name(const Op *op);                   /* full name, also of unregistered ops */
const Attr *op_attr(const Op *op, const char *name); /* NULL: absent */
const Attr *op_attr_str(const Op *op, const Str *name);
void op_set_attr(Module *m, Op *op, const char *name, const Attr *value); /* NULL removes */
void op_set_attr_str(Module *m, Op *op, const Str *name, const Attr *value, bool property);
/* Sets the attributes of an op that has none to a copy of these: sorted by name, n <= UINT16_MAX.
 */
void op_init_attrs(Module *m, Op *op, const NamedAttr *attrs, u32 n);
/* The attribute's integer if it is ATTR_INT or ATTR_BOOL, else `otherwise`. */
i64 op_attr_int(const Op *op, const char *name, i64 otherwise);
/* The attribute of that name of a function's argument (arg_attrs), or NULL. */
const Attr *op_arg_attr(const Op *function, u32 arg, const char *name);
/* The function type in its `function_type`, else NULL. */
const Type *op_function_type(const Op *op);
/* Its text if it is ATTR_STRING or ATTR_SYMBOL, else NULL. */
const char *op_attr_text(const Op *op, const char *name);

/* Linking: at the end or start of a block, or before another op. */
void op_append(Block *block, Op *op);
void op_prepend(Block *block, Op *op);
void op_insert_before(Op *where, Op *op);
void op_unlink(Op *op); /* out of its block; keeps operands */
/* Unlinks the op, and the uses by it and by everything inside it. Its results must have no uses
 * left (else loom_bug). */
void op_erase(Op *op);
/* The op whose region `op` is in, or NULL. */
static inline Op *op_parent(const Op *op) {
  return op->block && op->block->region ? op->block->region->parent : NULL;
}
/* The nearest enclosing op of a kind, itself included; NULL if there is none. */
Op *op_enclosing(Op *op, OpKind kind);
/* True if `op` is `ancestor` or inside one of its regions. */
bool op_is_inside(const Op *op, const Op *ancestor);
static inline bool op_has_trait(const Op *op, unsigned trait) {
  return (op_info((OpKind)op->kind)->traits & trait) != 0;
}

/* Appends a block that is in no region. */
void region_append(Region *region, Block *block);
Block *block_new(Module *m, Region *region); /* appended */
void block_unlink(Block *block);             /* out of its region; keeps its ops */
void block_move(Block *block, Region *to);   /* to the end of another region */
Value *block_add_arg(Module *m, Block *block, const Type *type, const Str *name, Loc loc);
static inline Block *region_entry(const Region *r) {
  return r->first;
}
static inline Op *block_terminator(const Block *b) {
  assert(b); /* a verified op that needs a block has one */
  return b->last;
}

/* Makes all uses of `old` uses of `by`, which reverses their order in the list. */
void value_replace_uses(Value *old, Value *by);
static inline bool value_has_one_use(const Value *v) {
  return v->uses && !v->uses->next;
}
/* The op that defines a value, which must not be an argument; value_def returns NULL for one. */
static inline Op *value_op(const Value *v) {
  return (Op *)(uintptr_t)((const char *)(v - v->index) - offsetof(Op, results));
}
static inline Op *value_def(const Value *v) {
  return v->is_arg ? NULL : value_op(v);
}
/* How a block argument is allocated. */
typedef struct {
  Block *block;
  Value value;
} BlockArg;
/* The block it is defined in (as argument or result). */
static inline Block *value_block(const Value *v) {
  return v->is_arg ? ((const BlockArg *)(const void *)((const char *)v - offsetof(BlockArg, value)))
                         ->block
                   : value_op(v)->block;
}
/* The printed name of an argument of an entry block, without the '%': its name, or argN. Lives as
 * long as the context. */
const char *arg_shown_name(Context *ctx, const Value *arg);
static inline u32 use_index(const Use *u) {
  return (u32)(u - u->owner->operands);
}

/* A deep copy of an op, in no block. `map` (PTR_KEY of old to new) replaces operands and
 * successors; those that are not in it stay. Results, block arguments and blocks inside are added
 * to it. The `target` set by fabric_resolve is not copied. */
Op *op_clone(Module *m, const Op *op, Map *map);
/* The replacement of a value in `map`, else the value itself. NULL for NULL. */
Value *value_mapped(const Map *map, Value *value);

/* True of ops with equal kind, operands, attributes and result types, as for CSE; regions and
 * successors are not compared. Such ops have the same op_hash. It depends on addresses: only for
 * lookup, never for an order. */
bool op_is_same(const Op *a, const Op *b);
u64 op_hash(const Op *op);

/* The op with sym_name == name directly inside `table` (a builtin.module), or NULL. Linear. */
Op *symbol_find(const Op *table, const Str *name);

/* ---- building -------------------------------------------------------------------------------- */

/* The insertion point of new ops: before `before`, or at the end of `block` if that is NULL. They
 * get `loc` and `loc_attr`. */
typedef struct {
  Module *m;
  Block *block;
  Op *before;
  Loc loc;
  const Attr *loc_attr;
} Builder;

Op *build_op(Builder *b, OpKind kind, Value *const *operands, u32 noperands,
             const Type *const *types, u32 nresults, u32 nregions);
/* One result; returns it. */
Value *build_1(Builder *b, OpKind kind, const Type *type, Value *const *operands, u32 noperands);
/* An op of two operands and a result of the first one's type; returns the result. */
static inline Value *build_2(Builder *b, OpKind kind, Value *x, Value *y) {
  return build_1(b, kind, x->type, (Value *[]){x, y}, 2);
}
/* arith.select: x where the condition is true, else y. */
static inline Value *build_select(Builder *b, Value *condition, Value *x, Value *y) {
  return build_1(b, OP_ARITH_SELECT, x->type, (Value *[]){condition, x, y}, 3);
}
/* arith.constant of an int or index type. */
Value *build_int(Builder *b, i64 value, const Type *type);

/* The predicates of arith.cmpi by MLIR's numbers; int_predicate_names (eval.h) has their names. */
typedef enum {
  CMPI_EQ,
  CMPI_NE,
  CMPI_SLT,
  CMPI_SLE,
  CMPI_SGT,
  CMPI_SGE,
  CMPI_ULT,
  CMPI_ULE,
  CMPI_UGT,
  CMPI_UGE,
  INT_PREDICATES
} CmpiPredicate;

Value *build_compare(Builder *b, CmpiPredicate predicate, Value *x, Value *y);
/* Sets the predicate of an arith.cmpi. */
void set_predicate(Module *m, Op *compare, CmpiPredicate predicate);

#endif
