/* pointers.c -- what each pointer points into, and how far from its start.
 *
 *     %p = getelementptr [8 x i32], ptr %a, i64 %i, i64 %j     root %a, 32 * %i + 4 * %j bytes
 *     %q = getelementptr i8, ptr %p, i64 12                     root %a, 32 * %i + 4 * %j + 12
 *     %r = phi ptr [ %a, %entry ], [ %next, %loop ]             root %a, counted from %r itself
 *
 * A phi of pointers into one memory becomes a number, an index argument of its block: what comes in
 * on each side is its offset in elements. One of pointers into several, as two buffers that are
 * swapped in each iteration, has a second argument, the number of the root that is meant
 * (Roots). */
#include "convert.h"

#include <stdlib.h>
#include <string.h>

Root *root_of(Function *f, LLVMValueRef value) {
  for (unsigned i = 0; i < f->nroots; i++)
    if (f->roots[i].value == value) return &f->roots[i];
  f->roots = realloc(f->roots, (f->nroots + 1) * sizeof *f->roots);
  if (!f->roots) abort();
  Root *root = &f->roots[f->nroots++];
  *root = (Root){.value = value, .extent = -1};
  return root;
}

static LLVMTargetDataRef layout(Function *f) {
  return LLVMGetModuleDataLayout(f->module);
}

LLVMValueRef add_steps(LLVMTargetDataRef data, LLVMValueRef gep, long long *constant, Step *step,
                       void *with) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
  unsigned n = (unsigned)LLVMGetNumOperands(gep);
  for (unsigned i = 1; i < n; i++) {
    LLVMValueRef index = LLVMGetOperand(gep, i);
    if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
      unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
      *constant += (long long)LLVMOffsetOfElement(data, type, field);
      type = LLVMStructGetTypeAtIndex(type, field);
      continue;
    }
    if (i > 1) type = LLVMGetElementType(type);
    long long bytes = (long long)LLVMABISizeOfType(data, type);
    if (LLVMIsAConstantInt(index))
      *constant += LLVMConstIntGetSExtValue(index) * bytes;
    else if (!step(with, index, bytes))
      return index;
  }
  return NULL;
}

static bool add_term(void *with, LLVMValueRef value, long long bytes) {
  Pointer *p = with;
  if (p->nterms == MAX_TERMS) return false;
  p->terms[p->nterms++] = (Term){value, bytes};
  return true;
}

const char *called_name(LLVMValueRef v) {
  LLVMValueRef callee = LLVMIsACallInst(v) ? LLVMGetCalledValue(v) : NULL;
  return callee && LLVMIsAFunction(callee) ? name_of(callee) : "";
}

/* The pointer that this one is some way behind of; NULL: it is where a way begins. */
static LLVMValueRef pointer_before(LLVMValueRef v) {
  bool is_gep = LLVMIsAGetElementPtrInst(v) ||
                (LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == LLVMGetElementPtr);
  bool is_thread_local = starts_with(called_name(v), "llvm.threadlocal.address.");
  return is_gep || LLVMIsAFreezeInst(v) || is_thread_local ? LLVMGetOperand(v, 0) : NULL;
}

LLVMValueRef allocated_bytes(LLVMValueRef v) {
  static const char *const names[] = {"malloc", "calloc", "_Znwm", "_Znam"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(called_name(v), names[i])) return LLVMGetOperand(v, LLVMGetNumArgOperands(v) - 1);
  return NULL;
}

/* Phis and selects on the way, each looked at once. */
typedef struct {
  LLVMValueRef seen[MAX_CHOICES];
  unsigned n;
} Seen;

static bool is_choice(LLVMValueRef v) {
  return LLVMIsAPHINode(v) || LLVMIsASelectInst(v);
}

static bool add_roots(LLVMValueRef v, Roots *roots, Seen *seen) {
  while (pointer_before(v)) v = pointer_before(v);
  if (LLVMIsAUndefValue(v)) return true; /* never used */
  if (LLVMIsAConstantPointerNull(v)) return roots->has_null = true;
  if (!is_choice(v)) {
    for (unsigned i = 0; i < roots->n; i++)
      if (roots->at[i] == v) return true;
    if (roots->n == MAX_ROOTS) return false;
    roots->at[roots->n++] = v;
    return LLVMIsAArgument(v) || LLVMIsAAllocaInst(v) || LLVMIsAGlobalVariable(v) ||
           allocated_bytes(v);
  }
  for (unsigned i = 0; i < seen->n; i++)
    if (seen->seen[i] == v) return true;
  if (seen->n == MAX_CHOICES) return false;
  seen->seen[seen->n++] = v;
  bool is_phi = LLVMIsAPHINode(v) != NULL, good = true;
  unsigned n = is_phi ? LLVMCountIncoming(v) : 2;
  for (unsigned i = 0; i < n && good; i++)
    good = add_roots(is_phi ? LLVMGetIncomingValue(v, i) : LLVMGetOperand(v, i + 1), roots, seen);
  return good;
}

bool roots_of(LLVMValueRef pointer, Roots *roots) {
  Seen seen = {.n = 0};
  *roots = (Roots){.n = 0};
  return add_roots(pointer, roots, &seen);
}

/* Where it does not come from a memory: what `origin`, the last of the roots that were found, is
 * then. */
static bool refuse_origin(Function *f, LLVMValueRef at, LLVMValueRef origin) {
  if (origin && LLVMIsALoadInst(origin))
    return refuse(f, origin, "C_POINTER",
                  "a pointer is stored in memory; store a number, and select by it: k ? b : a");
  if (origin && LLVMIsACallInst(origin)) {
    size_t length;
    const char *name = LLVMGetValueName2(LLVMGetCalledValue(origin), &length);
    return refuse(f, origin, "C_POINTER", "a pointer is the result of a call%s%s",
                  *name ? " of " : "", name);
  }
  if (origin)
    return refuse(f, at, "C_POINTER", "cannot use a pointer that is computed from a number");
  return refuse(f, at, "C_POINTER", "null or undefined pointer dereferenced");
}

/* The root that is meant while an access is written for each of several. */
static LLVMValueRef chosen_root(const Function *f, LLVMValueRef base) {
  for (unsigned i = 0; i < f->nchosen; i++)
    if (f->chosen[i].base == base) return f->chosen[i].root;
  return NULL;
}

bool follow(Function *f, LLVMValueRef pointer, Pointer *p) {
  LLVMValueRef v = pointer, before;
  Roots roots;
  *p = (Pointer){0};
  for (; (before = pointer_before(v)); v = before) {
    if (LLVMIsAFreezeInst(v) || LLVMIsACallInst(v)) continue;
    LLVMValueRef left = add_steps(layout(f), v, &p->constant, add_term, p);
    if (left) return refuse(f, left, "C_ADDRESS", "the address is a sum of too many terms");
  }
  bool known = roots_of(v, &roots);
  if (known && roots.n) {
    if (is_choice(v)) p->base = v;
    p->root = p->base ? chosen_root(f, p->base) : NULL;
    p->is_ambiguous = !p->root && roots.n > 1;
    if (!p->root) p->root = roots.at[0];
    return true;
  }
  if (roots.n == MAX_ROOTS)
    return refuse(f, v, "C_TWO_MEMORIES", "the pointer may point into more than %d memories",
                  MAX_ROOTS);
  return refuse_origin(f, v, known || !roots.n ? NULL : roots.at[roots.n - 1]);
}

/* The largest elements of which a value in memory is a whole number; whether it is one itself, of
 * its own type. */
static unsigned element_bytes(Function *f, LLVMTypeRef type, bool *is_one) {
  unsigned bytes = (unsigned)LLVMStoreSizeOfType(layout(f), type), elem = bytes & (0 - bytes);
  bool is_integer = LLVMGetTypeKind(type) == LLVMIntegerTypeKind;
  if (elem > 8) elem = 8;
  *is_one = elem == bytes && (!is_integer || LLVMGetIntTypeWidth(type) == 8 * bytes);
  return elem;
}

static bool add_access(Function *f, LLVMValueRef at, LLVMValueRef pointer, LLVMTypeRef type) {
  Pointer p;
  Roots roots;
  bool is_one;
  unsigned bytes = element_bytes(f, type, &is_one);
  if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
    return refuse(f, at, "C_POINTER",
                  "a pointer is stored in memory; store a number, and select by it: k ? b : a");
  if (!follow(f, pointer, &p)) return false;
  roots_of(pointer, &roots);
  for (unsigned i = 0; i < roots.n; i++) {
    Root *root = root_of(f, roots.at[i]);
    bool is_new = !root->bytes, is_mixed = !is_new && root->bytes != bytes;
    if (is_new || bytes < root->bytes) root->bytes = bytes;
    if (is_new && is_one)
      root->type = type;
    else if (is_new || is_mixed)
      root->type = LLVMIntTypeInContext(LLVMGetModuleContext(f->module), 8 * root->bytes);
  }
  return true;
}

bool peel(Term *term, unsigned bytes) {
  while (term->bytes % bytes) {
    LLVMValueRef v = term->value;
    if (LLVMIsASExtInst(v) || LLVMIsAZExtInst(v)) v = LLVMGetOperand(v, 0);
    LLVMValueRef factor =
        LLVMIsAInstruction(v) ? LLVMGetOperand(v, LLVMGetNumOperands(v) - 1) : NULL;
    if (!factor || !LLVMIsAConstantInt(factor)) return false;
    long long number = LLVMConstIntGetSExtValue(factor);
    if (LLVMGetInstructionOpcode(v) == LLVMMul && LLVMGetNSW(v))
      term->bytes *= number;
    else if (LLVMGetInstructionOpcode(v) == LLVMShl && LLVMGetNSW(v) && number < 32)
      term->bytes <<= number;
    else
      return false;
    term->value = LLVMGetOperand(v, 0);
  }
  return true;
}

/* Is an offset a number of elements of so many bytes? */
static bool is_whole(const Pointer *p, unsigned bytes) {
  bool whole = p->constant % bytes == 0;
  for (unsigned i = 0; i < p->nterms && whole; i++) {
    Term term = p->terms[i];
    whole = peel(&term, bytes);
  }
  return whole;
}

/* Is a number of bytes, however it is computed, one of whole elements, whose size is a power of
 * two? Overflow does not matter. */
static bool is_multiple(LLVMValueRef v, unsigned bytes) {
  if (LLVMIsAConstantInt(v)) return LLVMConstIntGetZExtValue(v) % bytes == 0;
  if (LLVMIsASExtInst(v) || LLVMIsAZExtInst(v)) return is_multiple(LLVMGetOperand(v, 0), bytes);
  if (!LLVMIsABinaryOperator(v)) return false;
  LLVMValueRef x = LLVMGetOperand(v, 0), y = LLVMGetOperand(v, 1);
  switch (LLVMGetInstructionOpcode(v)) {
  case LLVMMul: return is_multiple(x, bytes) || is_multiple(y, bytes);
  case LLVMAdd:
  case LLVMSub: return is_multiple(x, bytes) && is_multiple(y, bytes);
  case LLVMShl:
    return is_multiple(x, bytes) || (LLVMIsAConstantInt(y) && LLVMConstIntGetZExtValue(y) < 32 &&
                                     1ull << LLVMConstIntGetZExtValue(y) >= bytes);
  default: return false;
  }
}

/* Elements of at most so many bytes. */
static bool shrink(Function *f, Root *root, unsigned bytes) {
  if (root->bytes <= bytes) return false;
  root->bytes = bytes;
  root->type = LLVMIntTypeInContext(LLVMGetModuleContext(f->module), 8 * bytes);
  return true;
}

/* Every pointer that is used points to the beginning of an element, and memories that one may point
 * into have elements of one size. True where one became smaller. */
static bool fit_addresses(Function *f, LLVMValueRef i) {
  bool changed = false;
  if (LLVMIsAGetElementPtrInst(i)) return false;
  for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(i); k++) {
    LLVMValueRef pointer = LLVMGetOperand(i, k);
    Roots roots;
    Pointer p;
    if (!is_pointer(pointer)) continue;
    if (!roots_of(pointer, &roots) || !roots.n) continue;
    if (!follow(f, pointer, &p)) return false;
    unsigned size = 8;
    for (unsigned r = 0; r < roots.n; r++) {
      const Root *root = root_of(f, roots.at[r]);
      if (root->bytes && root->bytes < size) size = root->bytes;
    }
    while (size > 1 && !is_whole(&p, size)) size /= 2;
    for (unsigned r = 0; r < roots.n; r++) changed |= shrink(f, root_of(f, roots.at[r]), size);
  }
  return changed;
}

/* How many elements a local or global has. */
static void measure(Function *f, Root *root) {
  LLVMTypeRef type = NULL;
  if (LLVMIsAAllocaInst(root->value)) {
    LLVMValueRef count = LLVMGetOperand(root->value, 0);
    type = LLVMGetAllocatedType(root->value);
    if (root->bytes && LLVMIsAConstantInt(count))
      root->extent = (long long)(LLVMABISizeOfType(layout(f), type) *
                                 LLVMConstIntGetZExtValue(count) / root->bytes);
  } else if (LLVMIsAGlobalVariable(root->value)) {
    type = LLVMGlobalGetValueType(root->value);
    if (root->bytes) root->extent = (long long)(LLVMABISizeOfType(layout(f), type) / root->bytes);
  }
}

/* Elements of a memory that is only accessed by memcpy or memset: as the other side's, or as large
 * as the call says they are aligned. */
static void type_moved(Function *f, LLVMValueRef call, Root *root, const Root *other,
                       unsigned argument) {
  if (root->bytes) return;
  if (other && other->bytes) {
    root->bytes = other->bytes;
    root->type = other->type;
    return;
  }
  unsigned kind = LLVMGetEnumAttributeKindForName("align", 5);
  LLVMAttributeRef align = LLVMGetCallSiteEnumAttribute(call, argument + 1, kind);
  unsigned long long bytes = align ? LLVMGetEnumAttributeValue(align) : 1;
  root->bytes = bytes > 8 ? 8 : (unsigned)bytes;
  root->type = LLVMIntTypeInContext(LLVMGetModuleContext(f->module), 8 * root->bytes);
}

/* The memories that memset, memcpy or memmove write and read: elements of all are of one size, and
 * what is moved is whole elements. *changed where something became smaller. */
static bool fit_move(Function *f, LLVMValueRef i, bool *changed) {
  const char *name = called_name(i);
  bool sets = starts_with(name, "llvm.memset.") || !strcmp(name, "memset");
  bool moves = starts_with(name, "llvm.memcpy.") || starts_with(name, "llvm.memmove.");
  unsigned nsides = moves ? 2 : 1, size = 8; /* what is written, what is read */
  Pointer p[2];
  Roots roots[2];
  if (!sets && !moves) return true;
  if (starts_with(name, "llvm.") && !LLVMIsNull(LLVMGetOperand(i, 3)))
    return refuse(f, i, "C_VOLATILE", "volatile memory is not supported");
  for (unsigned s = 0; s < nsides; s++) {
    if (!follow(f, LLVMGetOperand(i, s), &p[s])) return false;
    roots_of(LLVMGetOperand(i, s), &roots[s]);
    for (unsigned k = 0; k < roots[s].n; k++)
      root_of(f, roots[s].at[k]); /* all are there before one is pointed to */
  }
  for (unsigned s = 0; s < nsides; s++)
    for (unsigned k = 0; k < roots[s].n; k++) {
      Root *root = root_of(f, roots[s].at[k]);
      type_moved(f, i, root, moves ? root_of(f, p[!s].root) : NULL, s);
      if (root->bytes < size) size = root->bytes;
    }
  LLVMValueRef bytes = LLVMGetOperand(i, 2);
  while (size > 1 &&
         !(is_multiple(bytes, size) && is_whole(&p[0], size) && (!moves || is_whole(&p[1], size))))
    size /= 2;
  for (unsigned s = 0; s < nsides; s++)
    for (unsigned k = 0; k < roots[s].n; k++)
      *changed |= shrink(f, root_of(f, roots[s].at[k]), size);
  return true;
}

static bool check_call(Function *f, LLVMValueRef call) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  return LLVMIsAFunction(callee) || LLVMIsAInlineAsm(callee) ||
         refuse(f, call, "C_CALL", "calls through pointers are not supported");
}

bool find_roots(Function *f) {
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f->llvm); b; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
      bool loads = LLVMIsALoadInst(i), stores = LLVMIsAStoreInst(i);
      if (LLVMIsACallInst(i) && !check_call(f, i)) return false;
      if (!loads && !stores) continue;
      if (LLVMGetVolatile(i)) return refuse(f, i, "C_VOLATILE", "volatile memory is not supported");
      if (LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic)
        return refuse(f, i, "C_UNSUPPORTED", "atomic accesses are not supported");
      LLVMTypeRef type = LLVMTypeOf(loads ? i : LLVMGetOperand(i, 0));
      if (!add_access(f, i, LLVMGetOperand(i, stores), type)) return false;
    }
  for (bool changed = true; changed;) {
    changed = false;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f->llvm); b; b = LLVMGetNextBasicBlock(b))
      for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
        changed |= fit_addresses(f, i);
        if (f->failed || !fit_move(f, i, &changed)) return false;
      }
  }
  for (unsigned i = 0; i < f->nroots; i++) measure(f, &f->roots[i]);
  return true;
}
