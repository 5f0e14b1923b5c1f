/* asm.c -- the table of asm.h, and bringing ops up to date that came in the generic form. */
#include "text/asm.h"

#include "ir/fabric.h"
#include "text/form.h"

#define FUNCTIONS(name) FUNCTIONS_OF(name)
#define FUNCTIONS_OF(name)                                                                         \
  { parse_##name, print_##name }

static const Asm table[OP_COUNT] = {
#define OP(id, name, text, shape, types, fire, traits, eval) [OP_##id] = FUNCTIONS(ASM_##text),
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

bool asm_is_inherent(Context *ctx, OpKind kind, const Str *attr) {
  if (kind == OP_FABRIC_FUNCTION_UNIT || fabric_is_component(kind))
    if (word_in("function_type inline_instantiation sym_name", attr->text)) return true;
  if (fabric_param(kind, attr->text) || word_in(fabric_runtime(kind), attr->text)) return true;
  return form_attr(form_of(ctx, kind), attr) != NULL;
}

/* ---- bringing the generic form up to date ---------------------------------------------------- */

/* `operand_segment_sizes` was the name until LLVM 16; where it is the list of some op, as bare
 * integers of i32. */
static void rename_segments(Parser *p, Op *op) {
  const Attr *old = op_attr(op, "operand_segment_sizes");
  if (!old || !form_attr(form_of(p->ctx, (OpKind)op->kind), p->words[WORD_SEGMENTS])) return;
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

void asm_normalise(Parser *p, Op *op) {
  if (op->nattrs) form_normalise(p, op, form_of(p->ctx, (OpKind)op->kind));
  rename_segments(p, op);
  switch ((OpKind)op->kind) {
  case OP_CF_BR:
  case OP_CF_COND_BR:
  case OP_CF_SWITCH: share_operands(p, op); break;
  case OP_SCF_PARALLEL: normalise_parallel(p, op); break;
  case OP_DATAFLOW_STREAM: normalise_stream(p, op); break;
  case OP_FABRIC_SPATIAL_PE:
  case OP_FABRIC_TEMPORAL_PE:
  case OP_FABRIC_SPATIAL_SW:
  case OP_FABRIC_TEMPORAL_SW:
  case OP_FABRIC_MEMORY:
  case OP_FABRIC_EXTMEMORY:
  case OP_FABRIC_FIFO: normalise_component(p, op); break;
  default: break;
  }
}
