/* convert.c -- a function of LLVM as a func.func, instruction by instruction.
 *
 *     define i32 @f(ptr %a, i32 %n) {        func.func @f(%a: memref<?xi32>, %n: i32) -> i32 {
 *     loop:                                  ^loop(%i: i32):
 *       %i = phi i32 [0, %entry], ...          %$1 = arith.index_cast %i : i32 to index
 *       %p = getelementptr i32, ptr %a, %i     %x = memref.load %a[%$1] : memref<?xi32>
 *       %x = load i32, ptr %p
 *
 * One instruction is one operation, but for getelementptr, which is nothing by itself: the access
 * computes the index (addresses.c). Phis are arguments of blocks. */
#include "emit.h"

#include <stdlib.h>
#include <string.h>

/* ---- instructions -------------------------------------------------------------------------------- */

static bool put_cast(Function *f, LLVMValueRef i, const char *op) {
  char a[OPERAND], from[TYPE_TEXT], to[TYPE_TEXT];
  LLVMValueRef x = LLVMGetOperand(i, 0);
  if (!operand(f, x, a) || !value_type(f, x, from) || !value_type(f, i, to)) return false;
  return put_result(f, i, "%s %s : %s to %s", op, a, from, to);
}

static const struct {
  LLVMOpcode opcode;
  const char *op;
} binaries[] = {{LLVMAdd, "arith.addi"},   {LLVMSub, "arith.subi"},   {LLVMMul, "arith.muli"},
                {LLVMUDiv, "arith.divui"}, {LLVMSDiv, "arith.divsi"}, {LLVMURem, "arith.remui"},
                {LLVMSRem, "arith.remsi"}, {LLVMShl, "arith.shli"},   {LLVMLShr, "arith.shrui"},
                {LLVMAShr, "arith.shrsi"}, {LLVMAnd, "arith.andi"},   {LLVMOr, "arith.ori"},
                {LLVMXor, "arith.xori"},   {LLVMFAdd, "arith.addf"},  {LLVMFSub, "arith.subf"},
                {LLVMFMul, "arith.mulf"},  {LLVMFDiv, "arith.divf"},  {LLVMFRem, "arith.remf"}},
  casts[] = {{LLVMTrunc, "arith.trunci"},  {LLVMZExt, "arith.extui"},
             {LLVMSExt, "arith.extsi"},    {LLVMFPToUI, "arith.fptoui"},
             {LLVMFPToSI, "arith.fptosi"}, {LLVMUIToFP, "arith.uitofp"},
             {LLVMSIToFP, "arith.sitofp"}, {LLVMFPTrunc, "arith.truncf"},
             {LLVMFPExt, "arith.extf"},    {LLVMBitCast, "arith.bitcast"}};

static const char *fcmp_text(LLVMRealPredicate p) {
  static const char *const texts[] = {"false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord",
                                      "uno",   "ueq", "ugt", "uge", "ult", "ule", "une", "true"};
  return texts[p];
}

static bool convert_select(Function *f, LLVMValueRef i) {
  char c[OPERAND], x[OPERAND], y[OPERAND], type[TYPE_TEXT];
  bool pointer = is_pointer(i);
  if (!operand(f, LLVMGetOperand(i, 0), c) || !value_type(f, i, type)) return false;
  bool good = pointer ? element_of(f, LLVMGetOperand(i, 1), i, x) &&
                            element_of(f, LLVMGetOperand(i, 2), i, y)
                      : operand(f, LLVMGetOperand(i, 1), x) && operand(f, LLVMGetOperand(i, 2), y);
  if (!good) return false;
  put_result(f, i, "arith.select %s, %s, %s : %s", c, x, y, type);
  if (!pointer || !is_ambiguous(i)) return true;
  if (!root_number_of(f, LLVMGetOperand(i, 1), x) || !root_number_of(f, LLVMGetOperand(i, 2), y))
    return false;
  fprintf(f->out, "  %%$r.%s = arith.select %s, %s, %s : i32", name_of(i), c, x, y);
  put_loc(f, i);
  return true;
}

static bool convert_compare(Function *f, LLVMValueRef i) {
  char a[OPERAND], b[OPERAND], type[TYPE_TEXT];
  LLVMValueRef x = LLVMGetOperand(i, 0);
  bool is_integer = LLVMGetInstructionOpcode(i) == LLVMICmp;
  if (is_pointer(x)) return compare_pointers(f, i);
  if (!operand(f, x, a) || !operand(f, LLVMGetOperand(i, 1), b) || !value_type(f, x, type))
    return false;
  return put_result(f, i, "arith.cmp%c %s, %s, %s : %s", is_integer ? 'i' : 'f',
                    is_integer ? icmp_text(LLVMGetICmpPredicate(i), false)
                               : fcmp_text(LLVMGetFCmpPredicate(i)),
                    a, b, type);
}

/* What LLVM does not define is zero here (operand), so a value is what it is. */
static bool convert_freeze(Function *f, LLVMValueRef i) {
  char yes[OPERAND], value[OPERAND], type[TYPE_TEXT];
  if (is_pointer(i)) return true;
  if (!operand(f, LLVMGetOperand(i, 0), value) || !value_type(f, i, type)) return false;
  int_constant(f, 1, "i1", yes);
  return put_result(f, i, "arith.select %s, %s, %s : %s", yes, value, value, type);
}

static bool convert_instruction(Function *f, LLVMBasicBlockRef block, LLVMValueRef i) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
  if (LLVMIsATerminatorInst(i)) return convert_end(f, block, i);
  for (size_t k = 0; k < sizeof binaries / sizeof *binaries; k++)
    if (binaries[k].opcode == opcode)
      return put_binary(f, i, binaries[k].op, LLVMGetOperand(i, 0), LLVMGetOperand(i, 1));
  for (size_t k = 0; k < sizeof casts / sizeof *casts; k++)
    if (casts[k].opcode == opcode) return put_cast(f, i, casts[k].op);
  switch (opcode) {
  case LLVMPHI:
  case LLVMGetElementPtr: return true;
  case LLVMExtractValue:
    return LLVMIsACallInst(LLVMGetOperand(i, 0))
               ? true
               : refuse(f, i, "C_TYPE", "part of a struct that is not in memory is not supported");
  case LLVMPtrToInt: return convert_ptrtoint(f, i);
  case LLVMFNeg: return put_unary(f, i, "arith.negf", LLVMGetOperand(i, 0));
  case LLVMLoad: return convert_load(f, i);
  case LLVMStore: return convert_store(f, i);
  case LLVMSelect: return convert_select(f, i);
  case LLVMCall: return convert_call(f, i);
  case LLVMAlloca: return convert_alloca(f, i);
  case LLVMFreeze: return convert_freeze(f, i);
  case LLVMICmp:
  case LLVMFCmp: return convert_compare(f, i);
  default: break;
  }
  if (LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMVectorTypeKind || opcode == LLVMExtractElement)
    return refuse(f, i, "C_TYPE", "vectors are not supported");
  if (opcode == LLVMAtomicRMW || opcode == LLVMAtomicCmpXchg || opcode == LLVMFence)
    return refuse(f, i, "C_UNSUPPORTED", "atomic accesses are not supported");
  char *shown = LLVMPrintValueToString(i);
  refuse(f, i, "C_UNSUPPORTED", "unsupported LLVM instruction%s", shown);
  LLVMDisposeMessage(shown);
  return false;
}

static bool convert_block(Function *f, LLVMBasicBlockRef block) {
  bool first = block == LLVMGetEntryBasicBlock(f->llvm);
  if (!first) {
    bool any = false;
    fprintf(f->out, "^%s", name_of(LLVMBasicBlockAsValue(block)));
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i && LLVMIsAPHINode(i);
         i = LLVMGetNextInstruction(i)) {
      char type[TYPE_TEXT];
      if (!value_type(f, i, type)) return false;
      fprintf(f->out, "%s%%%s: %s", any ? ", " : "(", name_of(i), type);
      if (is_pointer(i) && is_ambiguous(i)) fprintf(f->out, ", %%$r.%s: i32", name_of(i));
      any = true;
    }
    fprintf(f->out, any ? "):\n" : ":\n");
  }
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
    if (!convert_instruction(f, block, i)) return false;
  return true;
}

/* ---- signatures ---------------------------------------------------------------------------------- */

static bool is_restrict(LLVMValueRef function, unsigned i) {
  static const char name[] = "noalias";
  unsigned kind = LLVMGetEnumAttributeKindForName(name, sizeof name - 1);
  return LLVMGetEnumAttributeAtIndex(function, i + 1, kind) != NULL;
}

static bool put_signature(Function *f, FILE *out) {
  char type[TYPE_TEXT], memref[64];
  fputs("func.func ", out);
  put_symbol(name_of(f->llvm), out);
  fputc('(', out);
  for (unsigned i = 0; i < LLVMCountParams(f->llvm); i++) {
    LLVMValueRef arg = LLVMGetParam(f->llvm, i);
    if (is_pointer(arg)) {
      memref_text(root_of(f, arg), memref);
      fprintf(out, "%s%%%s: %s%s", i ? ", " : "", name_of(arg), memref,
              f->may_alias && !is_restrict(f->llvm, i) ? " {loom.alias_group = 0 : i32}" : "");
      continue;
    }
    if (!value_type(f, arg, type)) return false;
    fprintf(out, "%s%%%s: %s", i ? ", " : "", name_of(arg), type);
  }
  fprintf(out, ")");
  LLVMTypeRef result = LLVMGetReturnType(LLVMGlobalGetValueType(f->llvm));
  if (LLVMGetTypeKind(result) != LLVMVoidTypeKind) {
    if (!type_text(result, type))
      return refuse(f, f->llvm, "C_TYPE", "a result of this type is not supported");
    fprintf(out, " -> %s", type);
  }
  put_declared(f->llvm, out);
  fprintf(out, " {\n");
  return true;
}

/* What C hands over by value and LLVM has in several registers. A struct of up to eight bytes is
 * one integer, a larger one a memory. */
static bool check_signature(Function *f) {
  LLVMTypeRef type = LLVMGlobalGetValueType(f->llvm), result = LLVMGetReturnType(type);
  LLVMTypeKind kind = LLVMGetTypeKind(result);
  unsigned bits = kind == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(result) : 0;
  if (LLVMIsFunctionVarArg(type))
    return refuse(f, f->llvm, "C_TYPE", "variadic functions are not supported");
  if (kind == LLVMPointerTypeKind)
    return refuse(f, f->llvm, "C_POINTER", "%s returns a pointer; return an index, or nothing",
                  name_of(f->llvm));
  if (kind == LLVMStructTypeKind || kind == LLVMVectorTypeKind || (bits < 64 && bits & (bits - 1)))
    return refuse(f, f->llvm, "C_TYPE",
                  "the result of %s is not a single number; write it through a pointer",
                  name_of(f->llvm));
  for (unsigned i = 0; i < LLVMCountParams(f->llvm); i++)
    if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetParam(f->llvm, i))) == LLVMVectorTypeKind)
      return refuse(f, f->llvm, "C_TYPE",
                    "%s takes a struct of floats or a vector by value; pass a pointer",
                    name_of(f->llvm));
  return true;
}

/* ---- functions ----------------------------------------------------------------------------------- */

typedef struct {
  LLVMBasicBlockRef block;
  bool ends;
} End;

static int by_address(const void *a, const void *b) {
  LLVMBasicBlockRef x = ((const End *)a)->block, y = ((const End *)b)->block;
  return (x > y) - (x < y);
}

static bool *reaches_end_at(End *blocks, unsigned n, LLVMBasicBlockRef block) {
  End *found = bsearch(&(End){block, false}, blocks, n, sizeof *blocks, by_address);
  return &found->ends;
}

/* From each block there must be a way to an end of the function. Found from the last block to the
 * first, as often as that tells something new. */
static bool check_ends(Function *f) {
  unsigned n = 0;
  End *blocks = calloc(LLVMCountBasicBlocks(f->llvm), sizeof *blocks);
  LLVMBasicBlockRef b;
  bool changed = true;
  if (!blocks) abort();
  for (b = LLVMGetFirstBasicBlock(f->llvm); b; b = LLVMGetNextBasicBlock(b)) blocks[n++].block = b;
  qsort(blocks, n, sizeof *blocks, by_address);
  while (changed) {
    changed = false;
    for (b = LLVMGetLastBasicBlock(f->llvm); b; b = LLVMGetPreviousBasicBlock(b)) {
      LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
      unsigned nnext = LLVMGetNumSuccessors(end);
      bool ends = !nnext, *known = reaches_end_at(blocks, n, b);
      for (unsigned s = 0; s < nnext; s++)
        ends |= *reaches_end_at(blocks, n, LLVMGetSuccessor(end, s));
      if (ends && !*known) changed = *known = true;
    }
  }
  for (b = LLVMGetFirstBasicBlock(f->llvm); b && *reaches_end_at(blocks, n, b);)
    b = LLVMGetNextBasicBlock(b);
  free(blocks);
  return !b ||
         refuse(f, LLVMGetBasicBlockTerminator(b), "C_ENDLESS", "infinite loops are not supported");
}

bool convert_function(LLVMModuleRef module, LLVMValueRef function, const char *file, bool may_alias,
                      Globals *globals, FILE *out) {
  Function f = {
      .module = module, .llvm = function, .file = file, .globals = globals, .may_alias = may_alias};
  char *body = NULL, *constants = NULL;
  size_t body_size, constants_size;
  FILE *into_body = f.out = open_memstream(&body, &body_size);
  f.constants = open_memstream(&constants, &constants_size);
  if (!f.out || !f.constants) abort();
  name_all(function);
  bool good = check_signature(&f) && check_ends(&f) && find_roots(&f);
  for (unsigned i = 0; i < f.nroots && good; i++)
    if (LLVMIsAGlobalVariable(f.roots[i].value)) name_global(function, f.roots[i].value);
  if (good) name_globals(&f);
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b && good;
       b = LLVMGetNextBasicBlock(b))
    good = convert_block(&f, b);
  good = good && put_globals(&f, out) && put_signature(&f, out);
  fclose(into_body);
  fclose(f.constants);
  if (good) {
    fprintf(out, "%s%s}", constants, body);
    f.out = out;
    put_loc(&f, function);
  }
  for (unsigned i = 0; i < f.room; i++) free(f.known[i]);
  free(f.known);
  free(f.roots);
  free(body);
  free(constants);
  return good;
}
