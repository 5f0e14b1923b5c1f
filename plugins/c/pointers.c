/* pointers.c -- what each pointer points into, and how far from its start.
 *
 *     %p = getelementptr [8 x i32], ptr %a, i64 %i, i64 %j     root %a, 32 * %i + 4 * %j bytes
 *     %q = getelementptr i8, ptr %p, i64 12                     root %a, 32 * %i + 4 * %j + 12
 *     %r = phi ptr [ %a, %entry ], [ %next, %loop ]             root %a, counted from %r itself
 *
 * A phi of pointers into one memory becomes a number, an index argument of its block: what comes in
 * on each side is its offset in elements. */
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

static bool add_term(Function *f, Pointer *p, LLVMValueRef value, long long bytes) {
  if (LLVMIsAConstantInt(value)) {
    p->constant += LLVMConstIntGetSExtValue(value) * bytes;
    return true;
  }
  if (p->nterms == MAX_TERMS)
    return refuse(f, value, "C_ADDRESS", "an address is a sum of too many terms");
  p->terms[p->nterms++] = (Term){value, bytes};
  return true;
}

/* The offset that a getelementptr adds. */
static bool add_steps(Function *f, LLVMValueRef gep, Pointer *p) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
  unsigned n = (unsigned)LLVMGetNumOperands(gep);
  for (unsigned i = 1; i < n; i++) {
    LLVMValueRef index = LLVMGetOperand(gep, i);
    if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
      unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
      p->constant += (long long)LLVMOffsetOfElement(layout(f), type, field);
      type = LLVMStructGetTypeAtIndex(type, field);
      continue;
    }
    if (i > 1) type = LLVMGetElementType(type);
    if (!add_term(f, p, index, (long long)LLVMABISizeOfType(layout(f), type))) return false;
  }
  return true;
}

/* The pointer that this one is some way behind of; NULL: it is where a way begins. */
static LLVMValueRef pointer_before(LLVMValueRef v) {
  bool is_gep = LLVMIsAGetElementPtrInst(v) ||
                (LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == LLVMGetElementPtr);
  LLVMValueRef callee = LLVMIsACallInst(v) ? LLVMGetCalledValue(v) : NULL;
  size_t length;
  bool is_thread_local =
      callee && LLVMIsAFunction(callee) &&
      !strncmp(LLVMGetValueName2(callee, &length), "llvm.threadlocal.address.", 25);
  return is_gep || LLVMIsAFreezeInst(v) || is_thread_local ? LLVMGetOperand(v, 0) : NULL;
}

/* The one root that a pointer can come from; NULL: none, or several. Phis are looked through, each
 * once. */
typedef struct {
  LLVMValueRef seen[64];
  unsigned n;
} Seen;

static LLVMValueRef only_root(LLVMValueRef v, Seen *seen) {
  while (pointer_before(v)) v = pointer_before(v);
  bool is_phi = LLVMIsAPHINode(v) != NULL, is_select = LLVMIsASelectInst(v) != NULL;
  if (!is_phi && !is_select) {
    bool has_memory = LLVMIsAArgument(v) || LLVMIsAAllocaInst(v) || LLVMIsAGlobalVariable(v);
    return has_memory ? v : NULL;
  }
  for (unsigned i = 0; i < seen->n; i++)
    if (seen->seen[i] == v) return v; /* a circle: says nothing */
  if (seen->n == 64) return NULL;
  seen->seen[seen->n++] = v;
  unsigned n = is_phi ? LLVMCountIncoming(v) : 2;
  LLVMValueRef root = v;
  for (unsigned i = 0; i < n; i++) {
    LLVMValueRef side = is_phi ? LLVMGetIncomingValue(v, i) : LLVMGetOperand(v, i + 1);
    LLVMValueRef found = only_root(side, seen);
    if (!found) return NULL;
    bool circle = LLVMIsAPHINode(found) || LLVMIsASelectInst(found);
    if (circle) continue;
    if (root != v && root != found) return NULL;
    root = found;
  }
  return root;
}

bool follow(Function *f, LLVMValueRef pointer, Pointer *p) {
  LLVMValueRef v = pointer, before;
  *p = (Pointer){0};
  for (; (before = pointer_before(v)); v = before)
    if (!LLVMIsAFreezeInst(v) && !LLVMIsACallInst(v) && !add_steps(f, v, p)) return false;
  if (LLVMIsAPHINode(v) || LLVMIsASelectInst(v)) p->base = v;
  Seen seen = {.n = 0};
  p->root = only_root(v, &seen);
  bool circle = p->root && (LLVMIsAPHINode(p->root) || LLVMIsASelectInst(p->root));
  if (p->root && !circle) return true;
  if (LLVMIsALoadInst(v)) return refuse(f, v, "C_POINTER", "a pointer is kept in memory");
  if (LLVMIsACallInst(v)) {
    size_t length;
    const char *name = LLVMGetValueName2(LLVMGetCalledValue(v), &length);
    return refuse(f, v, "C_POINTER", "a pointer comes from a call%s%s", *name ? " of " : "", name);
  }
  return refuse(f, v, "C_TWO_MEMORIES", "which memory this pointer points into depends on the run");
}

static bool add_access(Function *f, LLVMValueRef at, LLVMValueRef pointer, LLVMTypeRef type,
                       bool writes) {
  Pointer p;
  if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
    return refuse(f, at, "C_POINTER", "a pointer is kept in memory");
  if (!follow(f, pointer, &p)) return false;
  Root *root = root_of(f, p.root);
  unsigned bytes = (unsigned)LLVMStoreSizeOfType(layout(f), type);
  root->written |= writes;
  bool is_new = !root->bytes, is_mixed = !is_new && root->bytes != bytes;
  if (bytes & (bytes - 1)) return refuse(f, at, "C_TYPE", "a value of %u bytes in memory", bytes);
  if (is_new || bytes < root->bytes) root->bytes = bytes;
  if (is_new)
    root->type = type;
  else if (is_mixed)
    root->type = LLVMIntTypeInContext(LLVMGetModuleContext(f->module), 8 * root->bytes);
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

/* Elements of at most so many bytes. */
static bool shrink(Function *f, Root *root, unsigned bytes) {
  if (root->bytes <= bytes) return false;
  root->bytes = bytes;
  root->type = LLVMIntTypeInContext(LLVMGetModuleContext(f->module), 8 * bytes);
  return true;
}

/* Every pointer that is used points to the beginning of an element. */
static void fit_addresses(Function *f, LLVMValueRef i) {
  if (LLVMIsAGetElementPtrInst(i)) return;
  for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(i); k++) {
    LLVMValueRef pointer = LLVMGetOperand(i, k);
    Seen seen = {.n = 0};
    Pointer p;
    if (LLVMGetTypeKind(LLVMTypeOf(pointer)) != LLVMPointerTypeKind) continue;
    LLVMValueRef value = only_root(pointer, &seen);
    if (!value || LLVMIsAPHINode(value) || LLVMIsASelectInst(value)) continue;
    if (!follow(f, pointer, &p)) return;
    Root *root = root_of(f, p.root);
    while (root->bytes > 1 && !is_whole(&p, root->bytes)) shrink(f, root, root->bytes / 2);
  }
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

/* Elements of a memory that nobody loads or stores, but memcpy or memset: as the other side's, or as large as
 * the call says they are aligned. */
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

/* The memories that memset, memcpy or memmove write and read: elements of both are of one size, and what is moved is whole
 * elements. *changed where something became smaller. */
static bool fit_move(Function *f, LLVMValueRef i, bool *changed) {
  LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
  size_t length;
  const char *name = callee && LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
  bool sets = !strncmp(name, "llvm.memset.", 12) || !strcmp(name, "memset");
  bool moves = !strncmp(name, "llvm.memcpy.", 12) || !strncmp(name, "llvm.memmove.", 13);
  Pointer p, q;
  if (!sets && !moves) return true;
  if (!follow(f, LLVMGetOperand(i, 0), &p) || (moves && !follow(f, LLVMGetOperand(i, 1), &q)))
    return false;
  root_of(f, p.root); /* both are there before one is pointed to */
  Root *from = moves ? root_of(f, q.root) : NULL, *to = root_of(f, p.root);
  type_moved(f, i, to, from, 0);
  if (from) type_moved(f, i, from, to, 1);
  to->written = true;
  Pointer bytes = {.nterms = 1, .terms = {{LLVMGetOperand(i, 2), 1}}};
  if (LLVMIsAConstantInt(bytes.terms[0].value))
    bytes = (Pointer){.constant = LLVMConstIntGetSExtValue(bytes.terms[0].value)};
  unsigned size = from && from->bytes < to->bytes ? from->bytes : to->bytes;
  while (size > 1 &&
         !(is_whole(&bytes, size) && is_whole(&p, size) && (!from || is_whole(&q, size))))
    size /= 2;
  *changed |= shrink(f, to, size);
  if (from) *changed |= shrink(f, from, size);
  return true;
}

/* Memories that calls read a byte at a time. */
static bool add_call(Function *f, LLVMValueRef call) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  size_t length;
  if (!LLVMIsAFunction(callee) && !LLVMIsAInlineAsm(callee))
    return refuse(f, call, "C_CALL", "a call through a pointer");
  if (!LLVMIsAFunction(callee) || strcmp(LLVMGetValueName2(callee, &length), "strlen")) return true;
  LLVMTypeRef byte = LLVMInt8TypeInContext(LLVMGetModuleContext(f->module));
  return add_access(f, call, LLVMGetOperand(call, 0), byte, false);
}

bool find_roots(Function *f) {
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f->llvm); b; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
      if (LLVMIsALoadInst(i)) {
        if (LLVMGetVolatile(i)) return refuse(f, i, "C_VOLATILE", "volatile memory");
        if (!add_access(f, i, LLVMGetOperand(i, 0), LLVMTypeOf(i), false)) return false;
      }
      if (LLVMIsACallInst(i) && !add_call(f, i)) return false;
      if (LLVMIsAStoreInst(i)) {
        if (LLVMGetVolatile(i)) return refuse(f, i, "C_VOLATILE", "volatile memory");
        LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(i, 0));
        if (!add_access(f, i, LLVMGetOperand(i, 1), type, true)) return false;
      }
    }
  for (bool changed = true; changed;) {
    changed = false;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f->llvm); b; b = LLVMGetNextBasicBlock(b))
      for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
        fit_addresses(f, i);
        if (f->failed || !fit_move(f, i, &changed)) return false;
      }
  }
  for (unsigned i = 0; i < f->nroots; i++) measure(f, &f->roots[i]);
  return true;
}
