/* addresses.c -- a pointer as MLIR has it: a memory, and the index of an element of it.
 *
 *     %p = getelementptr i32, ptr %a, i64 %i       nothing by itself
 *     %x = load i32, ptr %p                        %$1 = arith.index_cast %i : i64 to index
 *                                                  %x = memref.load %a[%$1] : memref<?xi32>
 *
 * pointers.c says of what sum of terms an offset consists; here the sum is computed, in elements.
 * A pointer that is ambiguous, as it may point into one of several memories, has in `%$r.NAME` the
 * number of the root that is meant. Pointers are compared by these two numbers, and subtracted
 * where both are of one memory: where a memory lies is nothing that a program may depend on. */
#include "emit.h"

#include <stdint.h>
#include <string.h>

/* An integer as an index, read as signed; what widens it is looked through. */
bool index_of(Function *f, LLVMValueRef v, LLVMValueRef at, char out[OPERAND]) {
  const char *cast = "arith.index_cast";
  char from[OPERAND], type[TYPE_TEXT];
  if (LLVMIsASExtInst(v) || LLVMIsAZExtInst(v)) {
    if (LLVMIsAZExtInst(v)) cast = "arith.index_castui";
    v = LLVMGetOperand(v, 0);
  }
  if (!operand(f, v, from) || !value_type(f, v, type)) return false;
  put_op(f, at, out, "%s %s : %s to index", cast, from, type);
  return true;
}

/* Bytes of an element; of a memory that is not accessed, a byte. */
unsigned size_of(const Root *root) {
  return root->bytes ? root->bytes : 1;
}

/* The number of the element that a pointer points to. */
bool element_of(Function *f, LLVMValueRef pointer, LLVMValueRef at, char out[OPERAND]) {
  Pointer p;
  Roots roots;
  if (roots_of(pointer, &roots) && !roots.n) {
    int_constant(f, NOWHERE, "index", out);
    return true;
  }
  if (!follow(f, pointer, &p)) return false;
  unsigned size = size_of(root_of(f, p.root));
  bool any = p.base != NULL;
  if (any) snprintf(out, OPERAND, "%%%s", name_of(p.base));
  for (unsigned i = 0; i < p.nterms; i++) {
    char term[OPERAND], factor[OPERAND];
    peel(&p.terms[i], size); /* memories have elements of which every address is a number */
    if (!index_of(f, p.terms[i].value, at, term)) return false;
    long long times = p.terms[i].bytes / size;
    if (times != 1) {
      int_constant(f, times, "index", factor);
      put_op(f, at, term, "arith.muli %s, %s : index", term, factor);
    }
    if (any)
      put_op(f, at, out, "arith.addi %s, %s : index", out, term);
    else
      memcpy(out, term, OPERAND);
    any = true;
  }
  long long rest = p.constant / size;
  if (!any) {
    int_constant(f, rest, "index", out);
  } else if (rest) {
    char text[OPERAND];
    int_constant(f, rest, "index", text);
    put_op(f, at, out, "arith.addi %s, %s : index", out, text);
  }
  return true;
}

bool is_ambiguous(LLVMValueRef pointer) {
  Roots roots;
  return roots_of(pointer, &roots) && roots.n > 1;
}

/* Which memory a pointer points into: its root's number, an i32. */
bool root_number_of(Function *f, LLVMValueRef pointer, char out[OPERAND]) {
  Pointer p = {.root = NULL};
  Roots roots;
  bool is_nowhere = roots_of(pointer, &roots) && !roots.n;
  if (!is_nowhere && !follow(f, pointer, &p)) return false;
  if (p.is_ambiguous)
    snprintf(out, OPERAND, "%%$r.%s", name_of(p.base));
  else
    int_constant(f, p.root ? root_of(f, p.root) - f->roots : 0, "i32", out);
  return true;
}

/* `%a[%i] : memref<?xf32>` of the element that is `more` behind the one that a pointer points
 * to. */
bool place_of(Function *f, LLVMValueRef pointer, LLVMValueRef at, unsigned more,
              char out[2 * OPERAND]) {
  char index[OPERAND], type[64], number_of_it[OPERAND];
  Pointer p;
  if (!element_of(f, pointer, at, index) || !follow(f, pointer, &p)) return false;
  const Root *root = root_of(f, p.root);
  if (more) {
    int_constant(f, more, "index", number_of_it);
    put_op(f, at, index, "arith.addi %s, %s : index", index, number_of_it);
  }
  memref_text(root, type);
  snprintf(out, 2 * OPERAND, "%%%s[%s] : %s", name_of(p.root), index, type);
  return true;
}

/* ---- pointers as numbers ------------------------------------------------------------------------- */

/* May two pointers point into one memory? */
static bool share_memory(LLVMValueRef x, LLVMValueRef y) {
  Roots a, b;
  if (!roots_of(x, &a) || !roots_of(y, &b)) return false;
  for (unsigned i = 0; i < a.n; i++)
    for (unsigned k = 0; k < b.n; k++)
      if (a.at[i] == b.at[k]) return true;
  return false;
}

/* The address of something in a memory as a number: its bytes from the memory's start. What is done
 * with it must not depend on where that is: two of one memory are subtracted. */
bool convert_ptrtoint(Function *f, LLVMValueRef i) {
  char index[OPERAND], bytes[OPERAND], type[TYPE_TEXT];
  Pointer p;
  LLVMValueRef pointer = LLVMGetOperand(i, 0);
  if (!follow(f, pointer, &p)) return false;
  for (LLVMUseRef use = LLVMGetFirstUse(i); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use),
                 left = LLVMIsABinaryOperator(user) ? LLVMGetOperand(user, 0) : NULL;
    LLVMValueRef other = left == i ? LLVMGetOperand(user, 1) : left;
    if (!left || LLVMGetInstructionOpcode(user) != LLVMSub || !LLVMIsAPtrToIntInst(other))
      return refuse(f, user, "C_POINTER", "using an address as a number is not supported");
    if (!share_memory(pointer, LLVMGetOperand(other, 0)))
      return refuse(f, user, "C_TWO_MEMORIES", "cannot subtract pointers into different memories");
  }
  if (!element_of(f, pointer, i, index) || !value_type(f, i, type)) return false;
  int_constant(f, size_of(root_of(f, p.root)), type, bytes);
  put_op(f, i, index, "arith.index_cast %s : index to %s", index, type);
  return put_result(f, i, "arith.muli %s, %s : %s", index, bytes, type);
}

/* Pointers are numbers of elements, which may be negative: one before the first is where a loop
 * ends that goes down. */
const char *icmp_text(LLVMIntPredicate p, bool of_pointers) {
  static const char *const texts[] = {"eq",  "ne",  "ugt", "uge", "ult",
                                      "ule", "sgt", "sge", "slt", "sle"};
  bool is_unsigned = p >= LLVMIntUGT && p <= LLVMIntULE;
  return texts[p - LLVMIntEQ + (of_pointers && is_unsigned ? LLVMIntSGT - LLVMIntUGT : 0)];
}

/* Which is first, or whether they are the same: by the numbers of elements, and where the memory is
 * open by that, too. */
bool compare_pointers(Function *f, LLVMValueRef i) {
  char a[OPERAND], b[OPERAND], c[OPERAND];
  LLVMValueRef x = LLVMGetOperand(i, 0), y = LLVMGetOperand(i, 1);
  bool is_null = LLVMIsNull(x) || LLVMIsNull(y);
  LLVMIntPredicate order = LLVMGetICmpPredicate(i);
  const char *predicate = icmp_text(order, true);
  Roots roots;
  if (is_null && roots_of(LLVMIsNull(x) ? y : x, &roots) && !roots.has_null) {
    int_constant(f, order == LLVMIntNE, "i1", a); /* a memory is always there */
    return put_result(f, i, "arith.andi %s, %s : i1", a, a);
  }
  if (!element_of(f, x, i, a) || !element_of(f, y, i, b)) return false;
  if (!is_null && !share_memory(x, y))
    return refuse(f, i, "C_TWO_MEMORIES", "cannot compare pointers into different memories");
  bool is_equality = order == LLVMIntEQ || order == LLVMIntNE;
  if (!is_null && is_equality && (is_ambiguous(x) || is_ambiguous(y))) {
    char nowhere[OPERAND], same[OPERAND], one[OPERAND];
    int_constant(f, NOWHERE, "index", nowhere);
    put_op(f, i, same, "arith.cmpi eq, %s, %s : index", a, b);
    put_op(f, i, nowhere, "arith.cmpi eq, %s, %s : index", a, nowhere); /* NULL is in no memory */
    if (!root_number_of(f, x, a) || !root_number_of(f, y, b)) return false;
    put_op(f, i, c, "arith.cmpi eq, %s, %s : i32", a, b);
    put_op(f, i, c, "arith.ori %s, %s : i1", c, nowhere);
    put_op(f, i, same, "arith.andi %s, %s : i1", same, c);
    int_constant(f, order == LLVMIntNE, "i1", one);
    return put_result(f, i, "arith.xori %s, %s : i1", same, one);
  }
  return put_result(f, i, "arith.cmpi %s, %s, %s : index", predicate, a, b);
}
