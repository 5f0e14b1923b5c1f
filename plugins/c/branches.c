/* branches.c -- what ends a block: branches, with what they pass to the phis of the next one.
 *
 *     br i1 %c, label %loop, label %end       cf.cond_br %c, ^loop(%i : i32), ^end
 *
 * The offset of a pointer that is passed is computed before the branch, as `%$p.PHI.BLOCK`. */
#include "emit.h"

#include <string.h>

/* What a branch passes: values, and their types. */
typedef struct {
  char values[8192], types[2048];
} Passed;

static bool add_passed(Function *f, LLVMValueRef phi, Passed *passed, const char *value,
                       const char *type) {
  size_t n = strlen(passed->values), m = strlen(passed->types);
  if (n + strlen(value) + 4 > sizeof passed->values || m + TYPE_TEXT > sizeof passed->types)
    return refuse(f, phi, "C_UNSUPPORTED", "too many values go from block to block");
  snprintf(passed->values + n, sizeof passed->values - n, "%s%s", n ? ", " : "", value);
  snprintf(passed->types + m, sizeof passed->types - m, "%s%s", m ? ", " : "", type);
  return true;
}

/* ^block(%a, %b : i32, f32): the values of the phis of a block that this one leads to. Offsets of
 * pointers were computed by put_offsets. */
static bool put_successor(Function *f, LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
  Passed passed = {"", ""};
  for (LLVMValueRef i = LLVMGetFirstInstruction(to); i && LLVMIsAPHINode(i);
       i = LLVMGetNextInstruction(i)) {
    char value[OPERAND], type[TYPE_TEXT];
    LLVMValueRef given = NULL;
    for (unsigned k = 0; k < LLVMCountIncoming(i); k++)
      if (LLVMGetIncomingBlock(i, k) == from) given = LLVMGetIncomingValue(i, k);
    if (!value_type(f, i, type)) return false;
    bool pointer = is_pointer(i);
    if (pointer)
      snprintf(value, sizeof value, "%%$p.%s.%s", name_of(i), name_of(LLVMBasicBlockAsValue(from)));
    else if (!operand(f, given, value))
      return false;
    if (!add_passed(f, i, &passed, value, type)) return false;
    if (pointer && is_ambiguous(i) &&
        (!root_number_of(f, given, value) || !add_passed(f, i, &passed, value, "i32")))
      return false;
  }
  fprintf(f->out, "^%s", name_of(LLVMBasicBlockAsValue(to)));
  if (*passed.values) fprintf(f->out, "(%s : %s)", passed.values, passed.types);
  return true;
}

/* The offsets of pointers that a branch passes, before it. */
static bool put_offsets(Function *f, LLVMBasicBlockRef from) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
  for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++) {
    LLVMBasicBlockRef to = LLVMGetSuccessor(end, s);
    bool seen = false;
    for (unsigned t = 0; t < s; t++) seen |= LLVMGetSuccessor(end, t) == to;
    for (LLVMValueRef i = LLVMGetFirstInstruction(to); !seen && i && LLVMIsAPHINode(i);
         i = LLVMGetNextInstruction(i)) {
      if (!is_pointer(i)) continue;
      char offset[OPERAND], zero[OPERAND];
      for (unsigned k = 0; k < LLVMCountIncoming(i); k++) {
        if (LLVMGetIncomingBlock(i, k) != from) continue;
        if (!element_of(f, LLVMGetIncomingValue(i, k), end, offset)) return false;
        int_constant(f, 0, "index", zero);
        fprintf(f->out, "  %%$p.%s.%s = arith.addi %s, %s : index\n", name_of(i),
                name_of(LLVMBasicBlockAsValue(from)), offset, zero);
        break;
      }
    }
  }
  return true;
}

static bool convert_switch(Function *f, LLVMBasicBlockRef block, LLVMValueRef end) {
  char flag[OPERAND], type[TYPE_TEXT];
  if (!operand(f, LLVMGetOperand(end, 0), flag) || !value_type(f, LLVMGetOperand(end, 0), type))
    return false;
  fprintf(f->out, "  cf.switch %s : %s, [ default: ", flag, type);
  if (!put_successor(f, block, LLVMGetSwitchDefaultDest(end))) return false;
  for (unsigned k = 1; k < LLVMGetNumSuccessors(end); k++) {
    fprintf(f->out, ", %lld: ", LLVMConstIntGetSExtValue(LLVMGetOperand(end, 2 * k)));
    if (!put_successor(f, block, LLVMGetSuccessor(end, k))) return false;
  }
  fprintf(f->out, " ]");
  put_loc(f, end);
  return true;
}

bool convert_end(Function *f, LLVMBasicBlockRef block, LLVMValueRef end) {
  char value[OPERAND], type[TYPE_TEXT];
  if (!put_offsets(f, block)) return false;
  switch (LLVMGetInstructionOpcode(end)) {
  case LLVMRet:
    if (!LLVMGetNumOperands(end)) {
      fprintf(f->out, "  return");
    } else {
      if (!operand(f, LLVMGetOperand(end, 0), value) ||
          !value_type(f, LLVMGetOperand(end, 0), type))
        return false;
      fprintf(f->out, "  return %s : %s", value, type);
    }
    break;
  case LLVMBr:
    if (LLVMIsConditional(end)) {
      if (!operand(f, LLVMGetCondition(end), value)) return false;
      fprintf(f->out, "  cf.cond_br %s, ", value);
      if (!put_successor(f, block, LLVMGetSuccessor(end, 0))) return false;
      fprintf(f->out, ", ");
      if (!put_successor(f, block, LLVMGetSuccessor(end, 1))) return false;
    } else {
      fprintf(f->out, "  cf.br ");
      if (!put_successor(f, block, LLVMGetSuccessor(end, 0))) return false;
    }
    break;
  case LLVMSwitch: return convert_switch(f, block, end);
  case LLVMUnreachable: fprintf(f->out, "  ub.unreachable"); break;
  default: return refuse(f, end, "C_UNSUPPORTED", "a branch of this kind");
  }
  put_loc(f, end);
  return true;
}
