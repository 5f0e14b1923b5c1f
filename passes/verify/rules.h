/* rules.h -- shared by the files of verify/: the state of one run, and helpers to report.
 *
 * rules.def lists the ops that have a rule of their own, each a function `rule_OP(v, op)` in the
 * file of its dialect. When a rule runs, the op has the right numbers of operands, results, regions
 * and blocks, and its types have the op's shape (ops.def), so it may index freely; it checks
 * other types and attributes and the ends of its regions. Helpers return true if they have nothing
 * to report, and false after a report.
 */
#ifndef LOOM_VERIFY_RULES_H
#define LOOM_VERIFY_RULES_H

#include "text/text.h"
#include "verify/verify.h"

/* ---- state ----------------------------------------------------------------------------------- */

/* A block of a region that is being walked, or of one around it (ssa.c). */
typedef struct {
  Block *block;
  u32 scope;        /* which scope it belongs to */
  u32 enter, leave; /* its interval in the dominator tree; enter == 0: unreachable */
} Slot;

/* A region that is being walked. */
typedef struct {
  Region *region;
  Block *block;   /* where in it the walk is */
  Op *op, *next;  /* the current op and the one after it */
  u32 first_slot; /* its blocks' slots start here */
  u32 visible;    /* the outermost scope whose values may be used here */
  bool ordered;   /* values must be defined before they are used */
} RegionScope;

/* The symbols of one builtin.module that is being walked. */
typedef struct {
  Op *module;
  Map ops; /* Str of sym_name to Op */
} Symbols;

typedef struct {
  Context *ctx;
  Arena *scratch;                  /* for the texts of messages; freed at the end */
  Vec(RegionScope) scopes;         /* from the outermost region to the innermost */
  Vec(Slot) slots;                 /* the blocks of all of them */
  Vec(Symbols) symbols;            /* innermost last */
  Vec(u8) type_known;              /* by type id: checked already */
  const OpShape *shapes[OP_COUNT]; /* of kinds met so far, see shape_of */
  u32 errors_before;               /* ctx->errors before the current handshake.func */
  Vec(Op *) fabric_edges;          /* instances of fabric.modules */
  Vec(Op *) fabric_late;           /* ops whose runtime configuration is yet to be checked */
  Module *hints;                   /* the module, if its configuration is only hints; or NULL */
  Map fabric_bad;                  /* fabric ops that were found in error */
  u32 tag_steps;                   /* taken so far along known tags */
} Verifier;

typedef void RuleFn(Verifier *v, Op *op);

#define RULE(id) RuleFn rule_##id;
#include "verify/rules.def"

/* ---- order of definitions (ssa.c) ------------------------------------------------------------ */

/* Enters a region: numbers its blocks, and finds dominators if it has several. */
void ssa_enter(Verifier *v, Region *region);
/* Goes to the first or next block, numbering its ops; false after the last. */
bool ssa_next_block(Verifier *v);
void ssa_leave(Verifier *v);
/* Checks that every operand of the current op may be used there. */
void ssa_check_operands(Verifier *v, const Op *op);

/* ---- types (types.c) ------------------------------------------------------------------------- */

/* The column `shape` of ops.def for a kind, parsed. */
const OpShape *shape_of(Verifier *v, OpKind kind);
/* Reports a type that cannot exist (a tag of 20 bits, a memref of tensors), once a type. */
void check_type(Verifier *v, const Type *type, Loc loc);
/* Checks an op's types against ops.def: the columns `shape` and `types`. */
bool check_shape(Verifier *v, const Op *op);

/* The element type of a vector or tensor, or the type itself: arith and math are elementwise. */
const Type *elem_of(const Type *t);
/* True where both are scalars or both have the same shape (unknown extents fit any). */
bool same_shape(const Type *a, const Type *b);
/* True where `t` is i1 or i1s in the shape of `like`. */
bool is_i1_like(const Type *t, const Type *like);
bool is_signless_int(const Type *t);
bool is_int_or_index(const Type *t);
/* Also float types LOOM only carries, such as f128. */
bool is_any_float(const Type *t);
bool is_any_memref(const Type *t);        /* ranked or not */
const Type *type_of(const Op *op, u32 i); /* of operand i */
const Type *type_of_result(const Op *op, u32 i);

/* ---- functions (func.c) ---------------------------------------------------------------------- */

/* Checks loom.alias_group of an argument or a memory; NULL: it has none. */
void alias_group_ok(Verifier *v, const Op *op, const Attr *group);
/* Checks what func.func and handshake.func have in common; returns the type of the function, NULL
 * after a report that makes further checks useless. */
const Type *need_function(Verifier *v, const Op *op);
/* Checks the operands from `first` on and the results of a call. */
void check_call(Verifier *v, const Op *op, u32 first, const Type *type, const char *result);

/* ---- reporting (report.c) -------------------------------------------------------------------- */

/* The text of a type; "operand 2 (%x)". They live at least until the op's rule returns. */
const char *type_text(Verifier *v, const Type *type);
const char *operand_text(Verifier *v, const Op *op, u32 i);

/* Reports "OP: operand i must be WANT, but got TYPE" unless `ok`. */
bool operand_ok(Verifier *v, const Op *op, u32 i, bool ok, Code code, const char *want);
bool result_ok(Verifier *v, const Op *op, u32 i, bool ok, Code code, const char *want);
/* The same where it must have exactly one type, for the reason `why` ("like the first operand"). */
bool operand_is(Verifier *v, const Op *op, u32 i, const Type *want, Code code, const char *why);
bool result_is(Verifier *v, const Op *op, u32 i, const Type *want, Code code, const char *why);

/* A list of types, which are those of values or plain: one of the pointers is set. */
typedef struct {
  u32 n;
  const Use *uses;          /* of operands */
  const Value *values;      /* of results */
  Value *const *args;       /* of block arguments */
  const Type *const *types; /* plain */
} TypeList;

TypeList operand_types(const Op *op, u32 first, u32 n);
TypeList result_types(const Op *op);
TypeList arg_types(const Block *block, u32 first);
TypeList function_inputs(const Type *function);
TypeList function_results(const Type *function);
TypeList type_list(const Type *const *types, u32 n);
TypeList list_part(TypeList list, u32 first, u32 n);
const Type *list_at(TypeList list, u32 i);
/* How many of the numbers are DYNAMIC. */
u32 dynamic_count(const i64 *numbers, u32 n);
/* Region i takes no arguments, and the op of kind `end` at its end has the op's results as
 * operands. */
void yields_results(Verifier *v, const Op *op, u32 region, OpKind end, const char *noun);
/* Compares two lists: "1 yielded value for 2 loop results", "yielded value 2 is f32, but loop
 * result 2 is i32". */
bool lists_agree(Verifier *v, Loc loc, Code code, TypeList given, const char *given_noun,
                 TypeList taken, const char *taken_noun);

/* An attribute of a kind, or NULL after a report. */
const Attr *need_attr(Verifier *v, const Op *op, const char *name, AttrKind kind, const char *want);

/* An array of `n` attributes of a kind; NULL where there is none, or after a report. */
const Attr *list_attr(Verifier *v, const Op *op, const char *name, AttrKind kind, u32 n,
                      const char *noun);

/* The same as need_attr, of array<i32: ...> or array<i64: ...>. */
const Attr *need_array(Verifier *v, const Op *op, const char *name, u32 bits);

/* Checks that a name in an attribute (which may be NULL) has no zero byte and is UTF-8. */
void text_ok(Verifier *v, const Op *op, const Attr *name);
/* Reads the sizes of operand groups (operandSegmentSizes) into sizes[0..n); false after a report.
 */
bool need_segments(Verifier *v, const Op *op, u32 n, u32 *sizes);
/* The op that ends the only block of a region, which must be of that kind; NULL after a report. */
Op *need_end(Verifier *v, const Op *op, u32 region, OpKind kind);
/* The op directly around must be one of the kinds, which OP_UNREGISTERED ends. */
bool need_parent(Verifier *v, const Op *op, const OpKind *kinds);
/* The block must take no arguments. */
bool need_no_args(Verifier *v, const Op *op, u32 region);

/* Checks the initial value of a memory of that type: absent, uninitialized, or dense in the same
 * shape (memref.c). */
void check_initial_value(Verifier *v, const Op *op, const Attr *init, const Type *type);

/* ---- symbols (verify.c) ---------------------------------------------------------------------- */

/* The op that a symbol attribute refers to, seen from the current op; NULL if there is none. */
Op *find_symbol(Verifier *v, const Attr *symbol);

/* ---- hardware (fabric.c) --------------------------------------------------------------------- */

/* Before the walk: resolves instances. After it: checks that need the whole file. */
void fabric_begin(Verifier *v, Op *top);
void fabric_end(Verifier *v);

/* ---- memories of dataflow graphs (memory.c) -------------------------------------------------- */

/* The ports of a handshake.memory or extmemory: which operands and results belong to which. */
typedef struct {
  const Type *memref;
  u32 loads, stores;
  u32 first;     /* operand of the first port: 1 for extmemory */
  u32 addresses; /* how many a port has */
} Ports;

/* Computes them; false, silently, if the op's counts and types do not fit. */
bool ports_of(const Op *memory, Ports *ports);

/* Checks how the accesses of a handshake.func are wired to its memories, and what orders them. To
 * be called when everything in the function is well-formed. */
void check_memory_wiring(Verifier *v, Op *func);

/* Checks that an op of a dataflow graph stands in a handshake.func, a function unit, or an op that
 * LOOM does not know (handshake.c). */
bool in_graph(Verifier *v, const Op *op);

#endif
