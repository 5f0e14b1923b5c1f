/* branches.c -- what ends a block: branches, with what they pass to the phis of the next one.
 *
 *     br i1 %c, label %loop, label %end       cf.cond_br %c, ^loop(%i : i32), ^end
 *
 * The offset of a pointer that is passed is computed before the branch, as `%$p.PHI.BLOCK`. */
#include "emit.h"

/* The value that one block passes to a phi of another; that of a pointer put_offsets has computed. */
static bool put_passed(Function *f, LLVMBasicBlockRef from, LLVMValueRef phi) {
  char value[OPERAND];
  LLVMValueRef given = NULL;
  for (unsigned k = 0; k < LLVMCountIncoming(phi); k++)
    if (LLVMGetIncomingBlock(phi, k) == from) given = LLVMGetIncomingValue(phi, k);
  if (!is_pointer(phi)) {
    if (!operand(f, given, value)) return false;
    fputs(value, f->out);
    return true;
  }
  fprintf(f->out, "%%$p.%s.%s", name_of(phi), name_of(LLVMBasicBlockAsValue(from)));
  if (!is_ambiguous(phi)) return true;
  if (!root_number_of(f, given, value)) return false;
  fprintf(f->out, ", %s", value);
  return true;
}

static bool put_passed_type(Function *f, LLVMValueRef phi) {
  char type[TYPE_TEXT];
  if (!value_type(f, phi, type)) return false;
  fprintf(f->out, "%s%s", type, is_pointer(phi) && is_ambiguous(phi) ? ", i32" : "");
  return true;
}

static LLVMValueRef next_phi(LLVMValueRef i) {
  return i && LLVMIsAPHINode(i) ? i : NULL;
}

/* ^block(%a, %b : i32, f32): the values of the phis of a block that this one leads to. */
static bool put_successor(Function *f, LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
  LLVMValueRef first = next_phi(LLVMGetFirstInstruction(to));
  fprintf(f->out, "^%s", name_of(LLVMBasicBlockAsValue(to)));
  for (LLVMValueRef i = first; i; i = next_phi(LLVMGetNextInstruction(i))) {
    fputs(i == first ? "(" : ", ", f->out);
    if (!put_passed(f, from, i)) return false;
  }
  for (LLVMValueRef i = first; i; i = next_phi(LLVMGetNextInstruction(i))) {
    fputs(i == first ? " : " : ", ", f->out);
    if (!put_passed_type(f, i)) return false;
  }
  if (first) fputc(')', f->out);
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
  default: return refuse(f, end, "C_UNSUPPORTED", "this kind of branch is not supported");
  }
  put_loc(f, end);
  return true;
}
