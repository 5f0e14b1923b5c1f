/* asm.c -- the table of parsers and printers (asm.h), and upgrading ops in the generic form: names
 * and encodings of attributes that MLIR has changed, and which operands a branch passes to which
 * successor, which only the custom form shows. */
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

/* ---- upgrading generic-form ops -------------------------------------------------------------- */

/* Until LLVM 16 the name was `operand_segment_sizes`. */
static void rename_segments(Parser *p, Op *op) {
  const Attr *old = op_attr(op, "operand_segment_sizes");
  if (!old || !form_attr(form_of(p->ctx, (OpKind)op->kind), p->words[WORD_SEGMENTS])) return;
  op_set_attr(p->m, op, "operand_segment_sizes", NULL);
  op_set_attr_str(p->m, op, p->words[WORD_SEGMENTS], old, false);
}

/* How many operands a cf.cond_br or cf.switch passes to its successor `i`. */
static i64 passed_to(const Op *op, const Attr *sizes, const Attr *cases, u32 i) {
  if (op->kind == OP_CF_COND_BR) return sizes->ints[i + 1];
  return i == 0 ? sizes->ints[1] : cases->ints[i - 1];
}

/* The groups are: the value branched on, the operands of the first successor, those of all
 * others. */
static bool sizes_fit(const Op *op, const Attr *sizes, const Attr *cases) {
  if (!sizes || sizes->kind != ATTR_DENSE_ARRAY || sizes->n != 3 || sizes->ints[0] != 1)
    return false;
  bool is_switch = op->kind == OP_CF_SWITCH && cases && cases->kind == ATTR_DENSE_ARRAY &&
                   cases->n + 1 == op->nsuccs;
  if (!is_switch && !(op->kind == OP_CF_COND_BR && op->nsuccs == 2)) return false;
  u64 total = 1;
  for (u32 i = 0; i < op->nsuccs; i++) {
    i64 n = passed_to(op, sizes, cases, i);
    if (n < 0 || n > op->noperands) return false;
    total += (u64)n;
  }
  return total == op->noperands && sizes->ints[2] == (i64)op->noperands - 1 - sizes->ints[1];
}

/* Assigns the operands of a branch in the generic form to its successors, by the segment sizes. */
static void assign_successor_operands(Parser *p, Op *op) {
  const Attr *sizes = op_attr(op, "operandSegmentSizes");
  const Attr *cases = op_attr(op, "case_operand_segments");
  Successor *succs = op_succs(op);
  if (op->kind == OP_CF_BR && op->nsuccs == 1) {
    succs[0].n = op->noperands;
    return;
  }
  if (!sizes_fit(op, sizes, cases) || sizes->type != p->i32 ||
      (op->kind == OP_CF_SWITCH && cases->type != p->i32)) {
    fail(p, op->loc, COMP_TEXT_COUNT,
         "%s: the sizes of the operand groups do not fit its operands "
         "and successors",
         op_name(op));
    return;
  }
  u32 at = 1;
  for (u32 i = 0; i < op->nsuccs; at += succs[i++].n)
    succs[i] = (Successor){succs[i].block, at, (u32)passed_to(op, sizes, cases, i)};
}

void asm_normalise(Parser *p, Op *op) {
  if (op->nattrs) form_normalise(p, op, form_of(p->ctx, (OpKind)op->kind));
  rename_segments(p, op);
  switch ((OpKind)op->kind) {
  case OP_CF_BR:
  case OP_CF_COND_BR:
  case OP_CF_SWITCH: assign_successor_operands(p, op); break;
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
