/* tables.c -- tables of pointers: what is loaded from one becomes a choice among what stands there.
 *
 *     int *buf[2] = {a, b};   ...   p = buf[i];            p = i == 1 ? b : i == 0 ? a : NULL;
 *     static const short *const tab[] = {t0, t1, t2};      likewise
 *
 * No memory of a graph holds pointers, but a pointer may be one of several (pointers.c). So a table
 * is taken apart where all that it ever holds is known: a constant, or a local array whose elements
 * are each stored once, or all copied from a constant, before anything is loaded. Numbers that
 * stand beside pointers in a constant are chosen likewise. A pointer beyond the table is NULL,
 * which is in no memory: the access is reported, as one beyond an array is; a number there is 0.
 * Any other table stays, and is refused as a pointer in memory. */
#include "convert.h"

#include <llvm-c/DebugInfo.h>

enum { MAX_ENTRIES = 8 };

typedef struct {
  LLVMTargetDataRef layout;
  LLVMValueRef base;  /* a local or global */
  LLVMValueRef index; /* NULL: the place is `constant` bytes from the base */
  long long constant, stride;
} Slot;

static LLVMValueRef base_of(LLVMValueRef v) {
  while (LLVMIsAGetElementPtrInst(v) ||
         (LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == LLVMGetElementPtr))
    v = LLVMGetOperand(v, 0);
  return v;
}

static bool add_index(void *with, LLVMValueRef index, long long bytes) {
  Slot *s = with;
  if (s->index) return false;
  s->index = index;
  s->stride = bytes;
  return bytes > 0;
}

/* Where an address is, if that is one index away from its base at most. */
static bool read_slot(LLVMTargetDataRef layout, LLVMValueRef address, Slot *s) {
  *s = (Slot){.layout = layout, .base = base_of(address)};
  for (LLVMValueRef v = address; v != s->base; v = LLVMGetOperand(v, 0))
    if (add_steps(layout, v, &s->constant, add_index, s)) return false;
  return true;
}

/* What of a type stands so many bytes behind the beginning of a constant; NULL: nothing does. */
static LLVMValueRef constant_at(LLVMTargetDataRef layout, LLVMValueRef c, LLVMTypeRef wanted,
                                unsigned long long at) {
  LLVMTypeRef type = LLVMTypeOf(c);
  while (type != wanted) {
    unsigned k = 0;
    if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
      if (at >= LLVMABISizeOfType(layout, type)) return NULL;
      k = LLVMElementAtOffset(layout, type, at);
      at -= LLVMOffsetOfElement(layout, type, k);
    } else if (LLVMGetTypeKind(type) == LLVMArrayTypeKind) {
      unsigned long long bytes = LLVMABISizeOfType(layout, LLVMGetElementType(type));
      if (!bytes || at / bytes >= LLVMGetArrayLength2(type)) return NULL;
      k = (unsigned)(at / bytes);
      at %= bytes;
    } else {
      return NULL;
    }
    c = LLVMGetAggregateElement(c, k);
    if (!c) return NULL;
    type = LLVMTypeOf(c);
  }
  return at ? NULL : c;
}

static bool has_pointers(LLVMTypeRef type) {
  bool has = LLVMGetTypeKind(type) == LLVMPointerTypeKind;
  if (LLVMGetTypeKind(type) == LLVMArrayTypeKind) return has_pointers(LLVMGetElementType(type));
  if (LLVMGetTypeKind(type) == LLVMStructTypeKind)
    for (unsigned k = 0; k < LLVMCountStructElementTypes(type); k++)
      has |= has_pointers(LLVMStructGetTypeAtIndex(type, k));
  return has;
}

static bool is_constant_table(LLVMValueRef v) {
  return LLVMIsAGlobalVariable(v) && LLVMIsGlobalConstant(v) && LLVMGetInitializer(v) &&
         has_pointers(LLVMGlobalGetValueType(v));
}

/* ---- tables in locals -------------------------------------------------------------------------- */

/* The one pointer that is stored at a place; NULL: none, or several. */
static LLVMValueRef stored_at(LLVMTargetDataRef layout, LLVMValueRef v, LLVMValueRef base,
                              long long at) {
  LLVMValueRef found = NULL;
  for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use), below = NULL;
    Slot s;
    if (LLVMIsAGetElementPtrInst(user)) below = stored_at(layout, user, base, at);
    if (LLVMIsAStoreInst(user) && read_slot(layout, LLVMGetOperand(user, 1), &s) &&
        s.constant == at)
      below = LLVMGetOperand(user, 0);
    if (below && found) return NULL;
    if (below) found = below;
  }
  return found;
}

static bool is_call_of(LLVMValueRef i, const char *prefix) {
  return starts_with(called_name(i), prefix);
}

/* The constant that a local is a copy of, all of it; NULL: of none. */
static LLVMValueRef copied_from(LLVMTargetDataRef layout, LLVMValueRef base) {
  LLVMValueRef from = NULL;
  unsigned long long bytes = LLVMABISizeOfType(layout, LLVMGetAllocatedType(base));
  for (LLVMUseRef use = LLVMGetFirstUse(base); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef i = LLVMGetUser(use);
    if (!is_call_of(i, "llvm.memcpy.")) continue;
    LLVMValueRef size = LLVMGetOperand(i, 2);
    if (from || LLVMGetOperand(i, 0) != base || !is_constant_table(LLVMGetOperand(i, 1)) ||
        !LLVMIsAConstantInt(size) || LLVMConstIntGetZExtValue(size) != bytes)
      return NULL;
    from = LLVMGetOperand(i, 1);
  }
  return from;
}

/* A use that leaves a table as it is, or one of the stores that fill it, at a known place, before
 * the first load. */
static bool is_harmless(LLVMTargetDataRef layout, LLVMValueRef user, LLVMValueRef v,
                        LLVMValueRef base) {
  Slot s;
  bool is_here = LLVMGetInstructionParent(user) == LLVMGetInstructionParent(base);
  if (LLVMIsAStoreInst(user))
    return is_here && LLVMGetOperand(user, 0) != v && !LLVMGetVolatile(user) &&
           is_pointer(LLVMGetOperand(user, 0)) && read_slot(layout, LLVMGetOperand(user, 1), &s) &&
           !s.index;
  if (is_call_of(user, "llvm.memcpy.")) return is_here && copied_from(layout, base) != NULL;
  return LLVMIsALoadInst(user) || is_call_of(user, "llvm.lifetime.");
}

static bool is_only_filled(LLVMTargetDataRef layout, LLVMValueRef v, LLVMValueRef base) {
  for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    bool good = LLVMIsAGetElementPtrInst(user) ? is_only_filled(layout, user, base)
                                               : is_harmless(layout, user, v, base);
    if (!good) return false;
  }
  return true;
}

static bool is_stored_to(LLVMValueRef base) {
  for (LLVMValueRef i = base; i; i = LLVMGetNextInstruction(i))
    if (LLVMIsAStoreInst(i) && base_of(LLVMGetOperand(i, 1)) == base) return true;
  return false;
}

/* In the block of the local itself, where it is filled: no load stands before a store. */
static bool is_filled_first(LLVMValueRef base) {
  bool is_loaded = false;
  for (LLVMValueRef i = base; i; i = LLVMGetNextInstruction(i)) {
    if (LLVMIsALoadInst(i) && base_of(LLVMGetOperand(i, 0)) == base) is_loaded = true;
    bool fills = (LLVMIsAStoreInst(i) && base_of(LLVMGetOperand(i, 1)) == base) ||
                 (is_call_of(i, "llvm.memcpy.") && LLVMGetOperand(i, 0) == base);
    if (fills && is_loaded) return false;
  }
  return true;
}

/* ---- the choice -------------------------------------------------------------------------------- */

/* Can the table that a place is in be taken apart? Where it is a copy, the place is in the original
 * then. */
static bool find_table(Slot *s) {
  if (LLVMIsAGlobalVariable(s->base)) return is_constant_table(s->base);
  if (!LLVMIsAAllocaInst(s->base) || !LLVMIsAConstantInt(LLVMGetOperand(s->base, 0))) return false;
  LLVMBasicBlockRef block = LLVMGetInstructionParent(s->base);
  if (block != LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(block))) return false;
  if (!is_only_filled(s->layout, s->base, s->base) || !is_filled_first(s->base)) return false;
  LLVMValueRef original = copied_from(s->layout, s->base);
  if (original && is_stored_to(s->base)) return false;
  if (original) s->base = original;
  return true;
}

static long long table_bytes(const Slot *s) {
  bool is_local = LLVMIsAAllocaInst(s->base);
  LLVMTypeRef type = is_local ? LLVMGetAllocatedType(s->base) : LLVMGlobalGetValueType(s->base);
  unsigned long long n = is_local ? LLVMConstIntGetZExtValue(LLVMGetOperand(s->base, 0)) : 1;
  return (long long)(LLVMABISizeOfType(s->layout, type) * n);
}

static LLVMValueRef entry_at(const Slot *s, LLVMTypeRef type, long long at) {
  LLVMValueRef entry =
      LLVMIsAGlobalVariable(s->base)
          ? constant_at(s->layout, LLVMGetInitializer(s->base), type, (unsigned long long)at)
          : stored_at(s->layout, s->base, s->base, at);
  return entry && LLVMTypeOf(entry) == type && !LLVMIsAFunction(entry) &&
                 !LLVMIsABlockAddress(entry)
             ? entry
             : NULL;
}

/* What a load gives, written before it; NULL: it stays. */
static LLVMValueRef choice_of(LLVMBuilderRef builder, LLVMValueRef load, const Slot *s) {
  LLVMValueRef entries[MAX_ENTRIES];
  LLVMTypeRef type = LLVMTypeOf(load);
  if (!s->index) return s->constant < 0 ? NULL : entry_at(s, type, s->constant);
  long long most = table_bytes(s) - (long long)LLVMABISizeOfType(s->layout, type);
  long long first =
      s->constant > 0 ? -(s->constant / s->stride) : (-s->constant + s->stride - 1) / s->stride;
  if (most < s->constant + first * s->stride) return NULL;
  long long n = (most - s->constant) / s->stride - first + 1;
  if (n > MAX_ENTRIES) return NULL;
  for (long long k = 0; k < n; k++)
    if (!(entries[k] = entry_at(s, type, s->constant + (first + k) * s->stride))) return NULL;
  LLVMPositionBuilderBefore(builder, load);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(load));
  LLVMValueRef chosen = LLVMConstNull(type);
  for (long long k = 0; k < n; k++) {
    LLVMValueRef at = LLVMConstInt(LLVMTypeOf(s->index), (unsigned long long)(first + k), 1);
    LLVMValueRef is_it = LLVMBuildICmp(builder, LLVMIntEQ, s->index, at, "");
    chosen = LLVMBuildSelect(builder, is_it, entries[k], chosen, "");
  }
  return chosen;
}

static bool choose(LLVMBuilderRef builder, LLVMTargetDataRef layout, LLVMValueRef load) {
  Slot s;
  if (LLVMGetVolatile(load) || !read_slot(layout, LLVMGetOperand(load, 0), &s)) return false;
  LLVMValueRef chosen = find_table(&s) ? choice_of(builder, load, &s) : NULL;
  if (!chosen) return false;
  LLVMReplaceAllUsesWith(load, chosen);
  LLVMInstructionEraseFromParent(load);
  return true;
}

static bool is_loaded(LLVMValueRef v) {
  for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsALoadInst(user) || (LLVMIsAGetElementPtrInst(user) && is_loaded(user))) return true;
  }
  return false;
}

static void erase_uses(LLVMValueRef v) {
  for (LLVMUseRef use; (use = LLVMGetFirstUse(v));) {
    LLVMValueRef user = LLVMGetUser(use);
    erase_uses(user);
    LLVMInstructionEraseFromParent(user);
  }
}

/* Nobody has to fill a local table that nothing is loaded from any more. */
static void drop_tables(LLVMTargetDataRef layout, LLVMBasicBlockRef entry) {
  for (LLVMValueRef i = entry ? LLVMGetFirstInstruction(entry) : NULL; i;
       i = LLVMGetNextInstruction(i))
    if (LLVMIsAAllocaInst(i) && has_pointers(LLVMGetAllocatedType(i)) &&
        is_only_filled(layout, i, i) && !is_loaded(i))
      erase_uses(i);
}

bool choose_from_tables(LLVMModuleRef module) {
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(module);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  bool any = false;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
      for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
        next = LLVMGetNextInstruction(i);
        if (LLVMIsALoadInst(i)) any |= choose(builder, layout, i);
      }
    if (any) drop_tables(layout, LLVMGetFirstBasicBlock(f));
  }
  LLVMDisposeBuilder(builder);
  return any;
}
