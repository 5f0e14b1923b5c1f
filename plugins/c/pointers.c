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

/* The one root that a pointer can come from; NULL: none, or several. Phis are looked through, each
 * once. */
typedef struct {
  LLVMValueRef seen[64];
  unsigned n;
} Seen;

static LLVMValueRef only_root(LLVMValueRef v, Seen *seen) {
  while (LLVMIsAGetElementPtrInst(v) ||
         (LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == LLVMGetElementPtr) ||
         LLVMIsAFreezeInst(v))
    v = LLVMGetOperand(v, 0);
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
  LLVMValueRef v = pointer;
  *p = (Pointer){0};
  for (;;) {
    bool is_gep = LLVMIsAGetElementPtrInst(v) ||
                  (LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == LLVMGetElementPtr);
    if (is_gep && !add_steps(f, v, p)) return false;
    if (!is_gep && !LLVMIsAFreezeInst(v)) break;
    v = LLVMGetOperand(v, 0);
  }
  if (LLVMIsAPHINode(v) || LLVMIsASelectInst(v)) p->base = v;
  Seen seen = {.n = 0};
  p->root = only_root(v, &seen);
  bool circle = p->root && (LLVMIsAPHINode(p->root) || LLVMIsASelectInst(p->root));
  if (p->root && !circle) return true;
  if (LLVMIsALoadInst(v)) return refuse(f, v, "C_POINTER", "a pointer is kept in memory");
  if (LLVMIsACallInst(v)) return refuse(f, v, "C_POINTER", "a pointer comes from a call");
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

/* Memories that calls read and write. */
static bool find_moved(Function *f) {
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f->llvm); b; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
      LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
      size_t length;
      const char *name =
          callee && LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
      bool sets = !strncmp(name, "llvm.memset.", 12) || !strcmp(name, "memset");
      bool moves = !strncmp(name, "llvm.memcpy.", 12) || !strncmp(name, "llvm.memmove.", 13);
      Pointer p, q;
      if (!sets && !moves) continue;
      if (!follow(f, LLVMGetOperand(i, 0), &p) || (moves && !follow(f, LLVMGetOperand(i, 1), &q)))
        return false;
      root_of(f, p.root); /* both are there before one is pointed to */
      Root *from = moves ? root_of(f, q.root) : NULL, *to = root_of(f, p.root);
      type_moved(f, i, to, from, 0);
      if (from) type_moved(f, i, from, to, 1);
      to->written = true;
    }
  return true;
}

/* Memories that calls read a byte at a time. */
static bool add_string(Function *f, LLVMValueRef call) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  size_t length;
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
      if (LLVMIsACallInst(i) && !add_string(f, i)) return false;
      if (LLVMIsAStoreInst(i)) {
        if (LLVMGetVolatile(i)) return refuse(f, i, "C_VOLATILE", "volatile memory");
        LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(i, 0));
        if (!add_access(f, i, LLVMGetOperand(i, 1), type, true)) return false;
      }
    }
  if (!find_moved(f)) return false;
  for (unsigned i = 0; i < f->nroots; i++) measure(f, &f->roots[i]);
  return true;
}
