/* asm.c -- the table of asm.h, and what the generic form must know of each op besides. */
#include "text/asm.h"

#include "ir/fabric.h"

#define ASM_FORM_GENERIC(id)                                                                       \
  { NULL, NULL }
#define ASM_FORM_SAME(id)                                                                          \
  { parse_same, print_same }
#define ASM_FORM_CAST(id)                                                                          \
  { parse_cast, print_cast }
#define ASM_FORM_OWN(id)                                                                           \
  { parse_##id, print_##id }

static const Asm table[OP_COUNT] = {
#define OP(id, name, form, types, fire, traits, time, eval) [OP_##id] = ASM_##form(id),
#include "ir/ops.def"
#undef OP
};

const Asm *asm_of(OpKind kind) {
  return &table[kind];
}

const char *asm_default_dialect(OpKind kind) {
  switch (kind) {
  case OP_BUILTIN_MODULE: return "builtin";
  case OP_FUNC_FUNC: return "func";
  case OP_HANDSHAKE_FUNC: return "handshake";
  default: return "";
  }
}

static const char *const own_inherent[OP_COUNT] = {
    [OP_BUILTIN_MODULE] = "sym_name sym_visibility",
    [OP_FUNC_FUNC] = "arg_attrs function_type no_inline res_attrs sym_name sym_visibility",
    [OP_FUNC_CALL] = "arg_attrs callee no_inline res_attrs",
    [OP_FUNC_CALL_INDIRECT] = "arg_attrs res_attrs",
    [OP_FUNC_CONSTANT] = "value",
    [OP_SCF_FOR] = "unsignedCmp",
    [OP_SCF_EXECUTE_REGION] = "no_inline",
    [OP_SCF_INDEX_SWITCH] = "cases",
    [OP_SCF_PARALLEL] = "operandSegmentSizes",
    [OP_SCF_FORALL] = "mapping operandSegmentSizes staticLowerBound staticStep staticUpperBound",
    [OP_CF_COND_BR] = "branch_weights operandSegmentSizes",
    [OP_CF_SWITCH] = "case_operand_segments case_values operandSegmentSizes",
    [OP_CF_ASSERT] = "msg",
    [OP_UB_POISON] = "value",
    [OP_ARITH_CONSTANT] = "value",
    [OP_ARITH_CMPI] = "predicate",
    [OP_ARITH_CMPF] = "fastmath predicate",
    [OP_ARITH_TRUNCF] = "fastmath roundingmode",
    [OP_ARITH_EXTF] = "fastmath",
    [OP_MATH_FPOWI] = "fastmath",
    [OP_MATH_ISFINITE] = "fastmath",
    [OP_MATH_ISINF] = "fastmath",
    [OP_MATH_ISNAN] = "fastmath",
    [OP_MATH_ISNORMAL] = "fastmath",
    [OP_INDEX_CONSTANT] = "value",
    [OP_INDEX_BOOL_CONSTANT] = "value",
    [OP_INDEX_CMP] = "pred",
    [OP_MEMREF_ALLOC] = "alignment operandSegmentSizes",
    [OP_MEMREF_ALLOCA] = "alignment operandSegmentSizes",
    [OP_MEMREF_LOAD] = "alignment nontemporal",
    [OP_MEMREF_STORE] = "alignment nontemporal",
    [OP_MEMREF_SUBVIEW] = "operandSegmentSizes static_offsets static_sizes static_strides",
    [OP_MEMREF_REINTERPRET_CAST] = "operandSegmentSizes static_offsets static_sizes static_strides",
    [OP_MEMREF_COLLAPSE_SHAPE] = "reassociation",
    [OP_MEMREF_EXPAND_SHAPE] = "reassociation static_output_shape",
    [OP_MEMREF_TRANSPOSE] = "permutation",
    [OP_MEMREF_ASSUME_ALIGNMENT] = "alignment",
    [OP_MEMREF_GLOBAL] = "alignment constant initial_value sym_name sym_visibility type",
    [OP_MEMREF_GET_GLOBAL] = "name",
    [OP_DATAFLOW_STREAM] = "cont_cond step_op",
    [OP_HANDSHAKE_FUNC] =
        "argNames arg_attrs function_type resNames res_attrs sym_name sym_visibility",
    [OP_HANDSHAKE_CONSTANT] = "value",
    [OP_HANDSHAKE_MEMORY] = "id ldCount lsq memRefType stCount",
    [OP_HANDSHAKE_EXTMEMORY] = "id ldCount stCount",
    [OP_HANDSHAKE_BUFFER] = "bufferType initValues slots",
    [OP_HANDSHAKE_INSTANCE] = "module",
    [OP_FABRIC_MODULE] = "function_type sym_name viz_file",
    [OP_FABRIC_INSTANCE] = "module sym_name",
};

static bool has_overflow_flags(OpKind kind) {
  return kind == OP_ARITH_ADDI || kind == OP_ARITH_SUBI || kind == OP_ARITH_MULI ||
         kind == OP_ARITH_SHLI || kind == OP_ARITH_TRUNCI;
}

static bool has_exact(OpKind kind) {
  return kind == OP_ARITH_DIVSI || kind == OP_ARITH_DIVUI || kind == OP_ARITH_SHRSI ||
         kind == OP_ARITH_SHRUI;
}

static bool has_fastmath(OpKind kind) {
  const OpInfo *info = op_info(kind);
  return info->form == FORM_SAME && info->types == TYPES_FLOAT;
}

const char *asm_inherent(OpKind kind) {
  if (has_overflow_flags(kind)) return "overflowFlags";
  if (has_exact(kind)) return "isExact";
  if (has_fastmath(kind)) return "fastmath";
  return own_inherent[kind] ? own_inherent[kind] : "";
}

bool asm_is_inherent(OpKind kind, const char *attr) {
  if (kind == OP_FABRIC_FUNCTION_UNIT || fabric_is_component(kind))
    if (word_in("function_type inline_instantiation sym_name", attr)) return true;
  if (word_in(fabric_params(kind), attr) || word_in(fabric_runtime(kind), attr)) return true;
  return word_in(asm_inherent(kind), attr);
}

const char *asm_default(OpKind kind) {
  switch (kind) {
  case OP_ARITH_CMPF:
  case OP_MATH_FPOWI:
  case OP_MATH_ISFINITE:
  case OP_MATH_ISINF:
  case OP_MATH_ISNAN:
  case OP_MATH_ISNORMAL: return "fastmath = #arith.fastmath<none>";
  case OP_UB_POISON: return "value = #ub.poison";
  default: break;
  }
  if (has_overflow_flags(kind)) return "overflowFlags = #arith.overflow<none>";
  if (has_fastmath(kind)) return "fastmath = #arith.fastmath<none>";
  return NULL;
}

/* ---- bringing the generic form up to date ---------------------------------------------------- */

/* `value = #ub.poison` says what its absence says. */
static void settle_poison(Parser *p, Op *op) {
  const Attr *value = op_attr_str(op, p->words[WORD_VALUE]);
  if (value && value->kind == ATTR_OPAQUE && strcmp(value->str->text, "#ub.poison") == 0)
    op_set_attr_str(p->m, op, p->words[WORD_VALUE], NULL, false);
}

void asm_settle_attrs(Parser *p, Op *op) {
  if (op->kind == OP_UB_POISON)
    settle_poison(p, op);
  else if (asm_default((OpKind)op->kind) || op->kind == OP_ARITH_EXTF ||
           op->kind == OP_ARITH_TRUNCF || has_exact((OpKind)op->kind))
    settle_arith(p, op);
}

/* `operand_segment_sizes` was the name until LLVM 16; where it is the list of some op, as bare
 * integers of i32. */
static void rename_segments(Parser *p, Op *op) {
  const Attr *old = op_attr(op, "operand_segment_sizes");
  if (!old || !asm_is_inherent((OpKind)op->kind, "operandSegmentSizes")) return;
  op_set_attr(p->m, op, "operand_segment_sizes", NULL);
  op_set_attr_str(p->m, op, p->words[WORD_SEGMENTS], old, false);
}

/* The values a terminator in the generic form passes to its successors: the operand list is all
 * of them, and segment sizes say whose is which. */
static void share_operands(Parser *p, Op *op) {
  const Attr *sizes = op_attr(op, "operandSegmentSizes");
  const Attr *cases = op_attr(op, "case_operand_segments");
  Successor *succs = op_succs(op);
  if (op->kind == OP_CF_BR && op->nsuccs == 1) {
    succs[0].n = op->noperands;
    return;
  }
  u64 at = 1, total = 0;
  bool good = sizes && sizes->kind == ATTR_DENSE_ARRAY && sizes->n == 3 && op->nsuccs > 0;
  for (u32 i = 0; good && i < 3; i++) {
    good = sizes->shape[i] >= 0 && sizes->shape[i] <= UINT32_MAX;
    total += (u64)sizes->shape[i];
  }
  good = good && sizes->shape[0] == 1 && total == op->noperands;
  if (op->kind == OP_CF_COND_BR) good = good && op->nsuccs == 2;
  if (op->kind == OP_CF_SWITCH)
    good = good && cases && cases->kind == ATTR_DENSE_ARRAY && cases->n + 1 == op->nsuccs;
  for (u32 i = 0; good && i < op->nsuccs; i++) {
    i64 n = op->kind == OP_CF_COND_BR ? sizes->shape[i + 1]
            : i == 0                  ? sizes->shape[1]
                                      : cases->shape[i - 1];
    good = n >= 0 && at + (u64)n <= op->noperands;
    succs[i].first = (u32)at;
    succs[i].n = (u32)n;
    at += (u64)n;
  }
  if (!good || at != op->noperands)
    fail(p, op->loc, COMP_TEXT_COUNT,
         "%s: the sizes of the operand groups do not fit its operands "
         "and successors",
         op_name(op));
}

void asm_settle(Parser *p, Op *op) {
  if (op->nattrs) asm_settle_attrs(p, op);
  rename_segments(p, op);
  switch ((OpKind)op->kind) {
  case OP_CF_BR:
  case OP_CF_COND_BR:
  case OP_CF_SWITCH: share_operands(p, op); break;
  case OP_INDEX_CMP: settle_index_cmp(p, op); break;
  case OP_SCF_PARALLEL: settle_parallel(p, op); break;
  case OP_MEMREF_EXPAND_SHAPE: settle_expand_shape(p, op); break;
  case OP_DATAFLOW_STREAM: settle_stream(p, op); break;
  case OP_FABRIC_SPATIAL_PE:
  case OP_FABRIC_TEMPORAL_PE:
  case OP_FABRIC_SPATIAL_SW:
  case OP_FABRIC_TEMPORAL_SW:
  case OP_FABRIC_MEMORY:
  case OP_FABRIC_EXTMEMORY:
  case OP_FABRIC_FIFO: settle_component(p, op); break;
  default: break;
  }
}
