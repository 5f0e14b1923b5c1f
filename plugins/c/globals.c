/* globals.c -- global variables and tables, as memref.global.
 *
 *     @table = constant [2 x i16] [i16 1, i16 2]      memref.global "private" constant @table : memref<2xi16> = dense<[1, 2]>
 *
 * The first value is taken apart into bytes and put together again as the elements that the
 * accesses ask for. Functions that see a global with different elements have one each. */
#include "emit.h"

#include <stdlib.h>
#include <string.h>

static bool has_local(LLVMValueRef function, const char *name) {
  for (unsigned i = 0; i < LLVMCountParams(function); i++)
    if (!strcmp(name_of(LLVMGetParam(function, i)), name)) return true;
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
      if (!strcmp(name_of(i), name)) return true;
  return false;
}

/* A name that no local of the function has: C lets a local hide a global that an inlined function
 * uses. */
void name_global(LLVMValueRef function, LLVMValueRef global) {
  char name[256];
  name_value(global, "table");
  while (has_local(function, name_of(global))) {
    int length = snprintf(name, sizeof name, "%s.g", name_of(global));
    LLVMSetValueName2(global, name, (size_t)length);
  }
}

void globals_free(Globals *globals) {
  for (unsigned i = 0; i < globals->n; i++) free(globals->at[i].symbol);
  free(globals->at);
}

static bool has_symbol(const Globals *all, const char *symbol) {
  for (unsigned i = 0; i < all->n; i++)
    if (!strcmp(all->at[i].symbol, symbol)) return true;
  return false;
}

static Global *global_of(Function *f, const Root *root) {
  Globals *all = f->globals;
  char memref[64], symbol[320];
  memref_text(root, memref);
  for (unsigned i = 0; i < all->n; i++)
    if (all->at[i].value == root->value && !strcmp(all->at[i].memref, memref)) return &all->at[i];
  snprintf(symbol, sizeof symbol, "%s", name_of(root->value));
  for (unsigned k = 1; has_symbol(all, symbol); k++)
    snprintf(symbol, sizeof symbol, "%s.%u", name_of(root->value), k);
  all->at = realloc(all->at, (all->n + 1) * sizeof *all->at);
  if (!all->at) abort();
  Global *made = &all->at[all->n++];
  *made = (Global){.value = root->value, .symbol = strdup(symbol)};
  memcpy(made->memref, memref, sizeof memref);
  if (!made->symbol) abort();
  return made;
}

/* Globals are named in the first block, under their own names. */
void name_globals(Function *f) {
  for (unsigned i = 0; i < f->nroots; i++) {
    const Root *root = &f->roots[i];
    if (!LLVMIsAGlobalVariable(root->value) || !root->bytes) continue;
    const Global *global = global_of(f, root);
    fprintf(f->constants, "  %%%s = memref.get_global @%s : %s", name_of(root->value),
            global->symbol, global->memref);
    FILE *body = f->out;
    f->out = f->constants;
    put_loc(f, f->llvm);
    f->out = body;
  }
}

/* A constant as it lies in memory, lowest byte first; what it leaves open is zero. */
static bool put_bytes(Function *f, LLVMValueRef v, unsigned char *to) {
  LLVMTargetDataRef data = LLVMGetModuleDataLayout(f->module);
  LLVMTypeRef type = LLVMTypeOf(v);
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  char text[TYPE_TEXT];
  if (LLVMIsNull(v) || LLVMIsAUndefValue(v)) return true;
  if (kind == LLVMArrayTypeKind || kind == LLVMStructTypeKind) {
    bool is_array = kind == LLVMArrayTypeKind;
    unsigned n = is_array ? (unsigned)LLVMGetArrayLength2(type) : LLVMCountStructElementTypes(type);
    unsigned long long size = is_array ? LLVMABISizeOfType(data, LLVMGetElementType(type)) : 0;
    for (unsigned i = 0; i < n; i++) {
      LLVMValueRef element = LLVMGetAggregateElement(v, i);
      unsigned long long offset = is_array ? i * size : LLVMOffsetOfElement(data, type, i);
      if (!element || !put_bytes(f, element, to + offset)) return false;
    }
    return true;
  }
  bool is_number = type_text(type, text) && (LLVMIsAConstantInt(v) || LLVMIsAConstantFP(v));
  if (!is_number) return refuse(f, f->llvm, "C_TABLE", "a constant table may contain only numbers");
  unsigned bytes = (unsigned)LLVMStoreSizeOfType(data, type);
  LLVMTypeRef bits = LLVMIntTypeInContext(LLVMGetModuleContext(f->module), 8 * bytes);
  unsigned long long number =
      LLVMConstIntGetZExtValue(LLVMIsAConstantInt(v) ? v : LLVMConstBitCast(v, bits));
  for (unsigned i = 0; i < bytes; i++) to[i] = (unsigned char)(number >> 8 * i);
  return true;
}

/* The elements of a table, of the type that the accesses have. */
static bool put_elements(Function *f, LLVMValueRef initial, const Root *root) {
  char elem[TYPE_TEXT];
  unsigned char *bytes = calloc((size_t)root->extent + 1, root->bytes);
  if (!bytes) abort();
  bool good = put_bytes(f, initial, bytes);
  type_text(root->type, elem);
  for (long long i = 0; i < root->extent && good; i++) {
    unsigned long long bits = 0;
    for (unsigned k = root->bytes; k-- > 0;) bits = bits << 8 | bytes[i * root->bytes + k];
    if (i) fprintf(f->out, ", ");
    if (elem[0] == 'i')
      fprintf(f->out, "%lld",
              (long long)(bits << (64 - 8 * root->bytes)) >> (64 - 8 * root->bytes));
    else
      fprintf(f->out, "0x%0*llX", (int)root->bytes * 2, bits);
  }
  free(bytes);
  return good;
}

bool put_globals(Function *f, FILE *out) {
  FILE *body = f->out;
  f->out = out;
  for (unsigned i = 0; i < f->nroots && !f->failed; i++) {
    Root *root = &f->roots[i];
    if (!LLVMIsAGlobalVariable(root->value) || !root->bytes) continue;
    Global *global = global_of(f, root);
    if (global->is_written) continue;
    global->is_written = true;
    LLVMValueRef initial = LLVMGetInitializer(root->value);
    if (!initial)
      return refuse(f, f->llvm, "C_TABLE", "%s is defined in another file", name_of(root->value));
    fprintf(out, "memref.global \"private\" %s@%s : %s = dense<",
            LLVMIsGlobalConstant(root->value) ? "constant " : "", global->symbol, global->memref);
    if (LLVMIsNull(initial)) {
      char elem[TYPE_TEXT];
      type_text(root->type, elem);
      fprintf(out, elem[0] == 'i' ? "0" : "0.0");
    } else {
      fprintf(out, "[");
      if (!put_elements(f, initial, root)) return false;
      fprintf(out, "]");
    }
    fprintf(out, ">\n");
  }
  f->out = body;
  return true;
}
