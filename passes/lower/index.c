/* index.c -- ops of the index dialect become those of arith on index.
 *
 *     %s = index.add %a, %b                    %s = arith.addi %a, %b : index
 *     %c = index.cmp slt(%s, %b)        =>     %c = arith.cmpi slt, %s, %b : index
 *     %i = index.casts %s : index to i32       %i = arith.index_cast %s : index to i32
 *
 * The two mean the same, and hardware has units only for arith; so no later stage handles the index
 * dialect. Its constants stay. A lookup in the table below for each op. */
#include "lower/stages.h"

#include <string.h>

static const struct {
  u16 from, to;
} same[] = {
    {OP_INDEX_ADD, OP_ARITH_ADDI},
    {OP_INDEX_SUB, OP_ARITH_SUBI},
    {OP_INDEX_MUL, OP_ARITH_MULI},
    {OP_INDEX_DIVS, OP_ARITH_DIVSI},
    {OP_INDEX_DIVU, OP_ARITH_DIVUI},
    {OP_INDEX_CEILDIVS, OP_ARITH_CEILDIVSI},
    {OP_INDEX_CEILDIVU, OP_ARITH_CEILDIVUI},
    {OP_INDEX_FLOORDIVS, OP_ARITH_FLOORDIVSI},
    {OP_INDEX_REMS, OP_ARITH_REMSI},
    {OP_INDEX_REMU, OP_ARITH_REMUI},
    {OP_INDEX_MAXS, OP_ARITH_MAXSI},
    {OP_INDEX_MAXU, OP_ARITH_MAXUI},
    {OP_INDEX_MINS, OP_ARITH_MINSI},
    {OP_INDEX_MINU, OP_ARITH_MINUI},
    {OP_INDEX_SHL, OP_ARITH_SHLI},
    {OP_INDEX_SHRS, OP_ARITH_SHRSI},
    {OP_INDEX_SHRU, OP_ARITH_SHRUI},
    {OP_INDEX_AND, OP_ARITH_ANDI},
    {OP_INDEX_OR, OP_ARITH_ORI},
    {OP_INDEX_XOR, OP_ARITH_XORI},
    {OP_INDEX_CASTS, OP_ARITH_INDEX_CAST},
    {OP_INDEX_CASTU, OP_ARITH_INDEX_CASTUI},
};

/* arith.cmpi's predicate for #index<cmp_predicate slt>. */
static CmpiPredicate predicate_of(const Op *op) {
  const Attr *attr = op_attr(op, "pred");
  if (attr && attr->kind == ATTR_INT) return (CmpiPredicate)attr->i;
  const char *word = attr && attr->str ? strrchr(attr->str->text, ' ') : NULL;
  for (u32 i = 0; word && i < INT_PREDICATES; i++) {
    size_t len = strlen(int_predicate_names[i]);
    if (strncmp(word + 1, int_predicate_names[i], len) == 0 && strcmp(word + 1 + len, ">") == 0)
      return (CmpiPredicate)i;
  }
  return CMPI_EQ;
}

static void compare_as_arith(Module *m, Op *op) {
  Builder b = builder_before(m, op);
  Value *result = build_compare(&b, predicate_of(op), op_operand(op, 0), op_operand(op, 1));
  result->name = op_result(op, 0)->name;
  value_def(result)->loc = op->loc;
  value_replace_uses(op_result(op, 0), result);
  op_erase(op);
}

void index_as_arith(Module *m, Op *op) {
  if (op->kind == OP_INDEX_CMP) {
    compare_as_arith(m, op);
    return;
  }
  for (size_t i = 0; i < COUNT_OF(same); i++)
    if (op->kind == same[i].from) {
      op->kind = same[i].to;
      return;
    }
}
