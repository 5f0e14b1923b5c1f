/* convert.c -- blocks, instructions and constants of LLVM as func, cf, arith, math and memref.
 *
 *     define i32 @f(ptr %a, i32 %n) {        func.func @f(%a: memref<?xi32>, %n: i32) -> i32 {
 *     loop:                                  ^loop(%i: i32):
 *       %i = phi i32 [0, %entry], ...          %$1 = arith.index_cast %i : i32 to index
 *       %p = getelementptr i32, ptr %a, %i     %x = memref.load %a[%$1] : memref<?xi32>
 *       %x = load i32, ptr %p
 *
 * One instruction is one operation, but for getelementptr, which is nothing by itself: the access
 * computes the index. Phis are arguments of blocks. Constants stand in the first block, each once.
 * Names are LLVM's, which are those of the C file; `$` begins those that are made here. */
#include "convert.h"

#include <ctype.h>
#include <llvm-c/DebugInfo.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- places and names ------------------------------------------------------------------------- */

static unsigned line_of(Function *f, LLVMValueRef v, unsigned *column) {
  unsigned line = LLVMIsAInstruction(v) ? LLVMGetDebugLocLine(v) : 0;
  *column = line ? LLVMGetDebugLocColumn(v) : 0;
  return line ? line : LLVMGetDebugLocLine(f->llvm);
}

bool refuse(Function *f, LLVMValueRef at, const char *format, ...) {
  unsigned column, line = line_of(f, at, &column);
  va_list args;
  if (f->failed) return false;
  f->failed = true;
  fprintf(stderr, "%s:%u:%u: error[C_UNSUPPORTED]: ", f->file, line, column ? column : 1);
  va_start(args, format);
  vfprintf(stderr, format, args);
  va_end(args);
  fputc('\n', stderr);
  return false;
}

static void put_place(Function *f, LLVMValueRef at) {
  unsigned column, line = line_of(f, at, &column);
  fprintf(f->out, " loc(\"%s\":%u:%u)\n", f->file, line, column ? column : 1);
}

static bool is_name(const char *name, size_t length) {
  if (!length || isdigit((unsigned char)name[0]) || name[0] == '$') return false;
  for (size_t i = 0; i < length; i++)
    if (!isalnum((unsigned char)name[i]) && !strchr("._-", name[i])) return false;
  return true;
}

/* LLVM keeps names different from one another. */
static void name_value(LLVMValueRef v, const char *otherwise) {
  size_t length;
  const char *name = LLVMGetValueName2(v, &length);
  if (!is_name(name, length)) LLVMSetValueName2(v, otherwise, strlen(otherwise));
}

static void name_all(LLVMValueRef function) {
  for (unsigned i = 0; i < LLVMCountParams(function); i++)
    name_value(LLVMGetParam(function, i), "arg");
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
    name_value(LLVMBasicBlockAsValue(b), "block");
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
      if (LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVoidTypeKind) name_value(i, "v");
  }
}

static const char *name_of(LLVMValueRef v) {
  size_t length;
  return LLVMGetValueName2(v, &length);
}

/* ---- types ------------------------------------------------------------------------------------ */

enum { TYPE_TEXT = 24 };

static bool type_text(LLVMTypeRef type, char out[TYPE_TEXT]) {
  const char *name = NULL;
  switch (LLVMGetTypeKind(type)) {
  case LLVMIntegerTypeKind:
    if (LLVMGetIntTypeWidth(type) > 64) return false;
    snprintf(out, TYPE_TEXT, "i%u", LLVMGetIntTypeWidth(type));
    return true;
  case LLVMHalfTypeKind: name = "f16"; break;
  case LLVMBFloatTypeKind: name = "bf16"; break;
  case LLVMFloatTypeKind: name = "f32"; break;
  case LLVMDoubleTypeKind: name = "f64"; break;
  default: return false;
  }
  snprintf(out, TYPE_TEXT, "%s", name);
  return true;
}

/* The type of a value that is no pointer; false after a refusal. */
static bool value_type(Function *f, LLVMValueRef v, char out[TYPE_TEXT]) {
  if (LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind) {
    snprintf(out, TYPE_TEXT, "index"); /* a phi or select of pointers: the number of an element */
    return true;
  }
  if (type_text(LLVMTypeOf(v), out)) return true;
  char *shown = LLVMPrintTypeToString(LLVMTypeOf(v));
  refuse(f, v, "values of type %s", shown);
  LLVMDisposeMessage(shown);
  return false;
}

/* The memref of a root. One that nobody accesses is of bytes. */
static void memref_text(const Root *root, char out[64]) {
  char elem[TYPE_TEXT] = "i8";
  if (root->type) type_text(root->type, elem);
  if (root->extent < 0)
    snprintf(out, 64, "memref<?x%s>", elem);
  else
    snprintf(out, 64, "memref<%lldx%s>", root->extent, elem);
}

/* ---- operands --------------------------------------------------------------------------------- */

enum { OPERAND = 256 };

/* A constant of the first block, made where it is not there yet. */
static void constant(Function *f, const char *name, const char *text) {
  for (unsigned i = 0; i < f->nknown; i++)
    if (!strcmp(f->known[i], name)) return;
  f->known = realloc(f->known, (f->nknown + 1) * sizeof *f->known);
  if (!f->known || !(f->known[f->nknown] = strdup(name))) abort();
  f->nknown++;
  fprintf(f->constants, "  %s = arith.constant %s\n", name, text);
}

static void number(Function *f, long long value, const char *type, char out[OPERAND]) {
  char text[64];
  snprintf(out, OPERAND, "%%$%s%llu_%s", value < 0 ? "m" : "c",
           value < 0 ? 0 - (unsigned long long)value : (unsigned long long)value, type);
  if (!strcmp(type, "i1"))
    snprintf(text, sizeof text, "%s", value ? "true" : "false");
  else
    snprintf(text, sizeof text, "%lld : %s", value, type);
  constant(f, out, text);
}

static void real_number(Function *f, LLVMValueRef v, const char *type, char out[OPERAND]) {
  LLVMTypeRef bits =
      LLVMIntTypeInContext(LLVMGetModuleContext(f->module),
                           (unsigned)strtoul(type + strcspn(type, "0123456789"), NULL, 10));
  unsigned long long value = LLVMConstIntGetZExtValue(LLVMConstBitCast(v, bits));
  char text[64];
  snprintf(out, OPERAND, "%%$x%llx_%s", value, type);
  snprintf(text, sizeof text, "0x%0*llX : %s", (int)LLVMGetIntTypeWidth(bits) / 4, value, type);
  constant(f, out, text);
}

/* How a value is named; a constant is made, and what LLVM does not define is zero. */
static bool operand(Function *f, LLVMValueRef v, char out[OPERAND]) {
  char type[TYPE_TEXT];
  if (!value_type(f, v, type)) return false;
  if (LLVMIsAConstantInt(v)) {
    number(f, LLVMConstIntGetSExtValue(v), type, out);
  } else if (LLVMIsAConstantFP(v)) {
    real_number(f, v, type, out);
  } else if (LLVMIsAUndefValue(v) || LLVMIsNull(v)) {
    if (type[0] == 'f' || type[0] == 'b')
      real_number(f, LLVMConstNull(LLVMTypeOf(v)), type, out);
    else
      number(f, 0, type, out);
  } else if (LLVMIsAInstruction(v) || LLVMIsAArgument(v)) {
    snprintf(out, OPERAND, "%%%s", name_of(v));
  } else {
    return refuse(f, v, "a constant expression");
  }
  return true;
}

static void fresh(Function *f, char out[OPERAND]) {
  snprintf(out, OPERAND, "%%$%u", f->next++);
}

/* ---- addresses -------------------------------------------------------------------------------- */

/* Constant factors of the value go into the bytes until the bytes are whole elements. */
static bool peel(Term *term, unsigned bytes) {
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

/* An integer as an index, read as signed; what widens it is looked through. */
static bool index_of(Function *f, LLVMValueRef v, LLVMValueRef at, char out[OPERAND]) {
  const char *cast = "arith.index_cast";
  char from[OPERAND], type[TYPE_TEXT];
  if (LLVMIsASExtInst(v) || LLVMIsAZExtInst(v)) {
    if (LLVMIsAZExtInst(v)) cast = "arith.index_castui";
    v = LLVMGetOperand(v, 0);
  }
  if (!operand(f, v, from) || !value_type(f, v, type)) return false;
  fresh(f, out);
  fprintf(f->out, "  %s = %s %s : %s to index", out, cast, from, type);
  put_place(f, at);
  return true;
}

static void combine(Function *f, const char *op, const char *x, const char *y, LLVMValueRef at,
                    char out[OPERAND]) {
  char made[OPERAND];
  fresh(f, made);
  fprintf(f->out, "  %s = arith.%s %s, %s : index", made, op, x, y);
  put_place(f, at);
  memcpy(out, made, OPERAND);
}

/* The number of the element that a pointer points to. */
static bool element_of(Function *f, LLVMValueRef pointer, LLVMValueRef at, char out[OPERAND]) {
  Pointer p;
  if (!follow(f, pointer, &p)) return false;
  Root *root = root_of(f, p.root);
  if (!root->bytes) {
    number(f, 0, "index", out);
    return true;
  }
  if (p.constant % root->bytes)
    return refuse(f, at, "an address that is no whole number of elements of %u bytes", root->bytes);
  bool any = p.base != NULL;
  if (any) snprintf(out, OPERAND, "%%%s", name_of(p.base));
  for (unsigned i = 0; i < p.nterms; i++) {
    char term[OPERAND], factor[OPERAND];
    if (!peel(&p.terms[i], root->bytes))
      return refuse(f, at, "an address that is no whole number of elements of %u bytes",
                    root->bytes);
    if (!index_of(f, p.terms[i].value, at, term)) return false;
    long long times = p.terms[i].bytes / root->bytes;
    if (times != 1) {
      number(f, times, "index", factor);
      combine(f, "muli", term, factor, at, term);
    }
    if (any)
      combine(f, "addi", out, term, at, out);
    else
      memcpy(out, term, OPERAND);
    any = true;
  }
  long long rest = p.constant / root->bytes;
  if (!any) {
    number(f, rest, "index", out);
  } else if (rest) {
    char text[OPERAND];
    number(f, rest, "index", text);
    combine(f, "addi", out, text, at, out);
  }
  return true;
}

/* `%a[%i] : memref<?xf32>` of a pointer. */
static bool place_of(Function *f, LLVMValueRef pointer, LLVMValueRef at, char out[2 * OPERAND]) {
  char index[OPERAND], type[64];
  Pointer p;
  if (!element_of(f, pointer, at, index) || !follow(f, pointer, &p)) return false;
  const Root *root = root_of(f, p.root);
  memref_text(root, type);
  snprintf(out, 2 * OPERAND, "%%%s[%s] : %s", name_of(p.root), index, type);
  return true;
}

/* ---- instructions ----------------------------------------------------------------------------- */

static bool unary(Function *f, LLVMValueRef i, const char *op, LLVMValueRef x) {
  char a[OPERAND], type[TYPE_TEXT];
  if (!operand(f, x, a) || !value_type(f, i, type)) return false;
  fprintf(f->out, "  %%%s = %s %s : %s", name_of(i), op, a, type);
  put_place(f, i);
  return true;
}

static bool binary(Function *f, LLVMValueRef i, const char *op, LLVMValueRef x, LLVMValueRef y) {
  char a[OPERAND], b[OPERAND], type[TYPE_TEXT];
  if (!operand(f, x, a) || !operand(f, y, b) || !value_type(f, x, type)) return false;
  fprintf(f->out, "  %%%s = %s %s, %s : %s", name_of(i), op, a, b, type);
  put_place(f, i);
  return true;
}

static bool cast(Function *f, LLVMValueRef i, const char *op) {
  char a[OPERAND], from[TYPE_TEXT], to[TYPE_TEXT];
  LLVMValueRef x = LLVMGetOperand(i, 0);
  if (!operand(f, x, a) || !value_type(f, x, from) || !value_type(f, i, to)) return false;
  fprintf(f->out, "  %%%s = %s %s : %s to %s", name_of(i), op, a, from, to);
  put_place(f, i);
  return true;
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

/* Functions of one, two and three arguments of one type, by the name that LLVM has for them, or C. */
static const struct {
  const char *name, *op;
} functions[] = {{"llvm.fabs", "math.absf"},
                 {"llvm.sqrt", "math.sqrt"},
                 {"llvm.floor", "math.floor"},
                 {"llvm.ceil", "math.ceil"},
                 {"llvm.trunc", "math.trunc"},
                 {"llvm.round", "math.round"},
                 {"llvm.rint", "math.roundeven"},
                 {"llvm.nearbyint", "math.roundeven"},
                 {"llvm.roundeven", "math.roundeven"},
                 {"llvm.sin", "math.sin"},
                 {"llvm.cos", "math.cos"},
                 {"llvm.exp2", "math.exp2"},
                 {"llvm.exp", "math.exp"},
                 {"llvm.log2", "math.log2"},
                 {"llvm.log10", "math.log10"},
                 {"llvm.log", "math.log"},
                 {"llvm.pow", "math.powf"},
                 {"llvm.copysign", "math.copysign"},
                 {"llvm.fma", "math.fma"},
                 {"llvm.minnum", "arith.minnumf"},
                 {"llvm.maxnum", "arith.maxnumf"},
                 {"llvm.minimum", "arith.minimumf"},
                 {"llvm.maximum", "arith.maximumf"},
                 {"llvm.smin", "arith.minsi"},
                 {"llvm.smax", "arith.maxsi"},
                 {"llvm.umin", "arith.minui"},
                 {"llvm.umax", "arith.maxui"},
                 {"llvm.ctpop", "math.ctpop"},
                 {"sin", "math.sin"},
                 {"cos", "math.cos"},
                 {"tan", "math.tan"},
                 {"exp", "math.exp"},
                 {"exp2", "math.exp2"},
                 {"expm1", "math.expm1"},
                 {"log", "math.log"},
                 {"log2", "math.log2"},
                 {"log10", "math.log10"},
                 {"log1p", "math.log1p"},
                 {"pow", "math.powf"},
                 {"atan", "math.atan"},
                 {"atan2", "math.atan2"},
                 {"tanh", "math.tanh"},
                 {"erf", "math.erf"},
                 {"sqrt", "math.sqrt"},
                 {"cbrt", "math.cbrt"},
                 {"sinh", "math.sinh"},
                 {"cosh", "math.cosh"},
                 {"asin", "math.asin"},
                 {"acos", "math.acos"},
                 {"fabs", "math.absf"},
                 {"floor", "math.floor"},
                 {"ceil", "math.ceil"},
                 {"fmin", "arith.minnumf"},
                 {"fmax", "arith.maxnumf"},
                 {"round", "math.round"},
                 {"trunc", "math.trunc"},
                 {"rint", "math.roundeven"},
                 {"fma", "math.fma"}};

/* An intrinsic ends with its type, a C function of floats with an f. */
static const char *function_op(const char *name) {
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    size_t n = strlen(functions[i].name);
    if (strncmp(name, functions[i].name, n)) continue;
    if (!strncmp(name, "llvm.", 5) ? name[n] == '.' : !name[n] || !strcmp(name + n, "f"))
      return functions[i].op;
  }
  return NULL;
}

static bool starts(const char *name, const char *with) {
  return !strncmp(name, with, strlen(with));
}

/* What costs nothing and says nothing to us. */
static bool is_hint(const char *name) {
  return starts(name, "llvm.dbg.") || starts(name, "llvm.lifetime.") ||
         starts(name, "llvm.assume") || starts(name, "llvm.experimental.noalias") ||
         starts(name, "llvm.stacksave") || starts(name, "llvm.stackrestore");
}

static void compare_select(Function *f, LLVMValueRef i, const char *condition, const char *yes,
                           const char *no, const char *type) {
  fprintf(f->out, "  %%%s = arith.select %s, %s, %s : %s", name_of(i), condition, yes, no, type);
  put_place(f, i);
}

/* llvm.fshl and fshr: the two values side by side, shifted, by the amount modulo the width. */
static bool funnel_shift(Function *f, LLVMValueRef i, bool left) {
  char high[OPERAND], low[OPERAND], by[OPERAND], width[OPERAND], zero[OPERAND], type[TYPE_TEXT];
  char mod[OPERAND], rest[OPERAND], a[OPERAND], b[OPERAND], both[OPERAND], none[OPERAND];
  if (!operand(f, LLVMGetOperand(i, 0), high) || !operand(f, LLVMGetOperand(i, 1), low) ||
      !operand(f, LLVMGetOperand(i, 2), by) || !value_type(f, i, type))
    return false;
  number(f, LLVMGetIntTypeWidth(LLVMTypeOf(i)), type, width);
  number(f, 0, type, zero);
  fresh(f, mod), fresh(f, rest), fresh(f, a), fresh(f, b), fresh(f, both), fresh(f, none);
  fprintf(f->out, "  %s = arith.remui %s, %s : %s\n", mod, by, width, type);
  fprintf(f->out, "  %s = arith.subi %s, %s : %s\n", rest, width, mod, type);
  fprintf(f->out, "  %s = arith.shli %s, %s : %s\n", a, high, left ? mod : rest, type);
  fprintf(f->out, "  %s = arith.shrui %s, %s : %s\n", b, low, left ? rest : mod, type);
  fprintf(f->out, "  %s = arith.ori %s, %s : %s\n", both, a, b, type);
  fprintf(f->out, "  %s = arith.cmpi eq, %s, %s : %s\n", none, mod, zero, type);
  compare_select(f, i, none, left ? high : low, both, type);
  return true;
}

/* llvm.memset, memcpy and memmove of whole elements: a loop. */
static bool move_memory(Function *f, LLVMValueRef i, bool sets) {
  char count[OPERAND], bytes[OPERAND], to[OPERAND], from[OPERAND], value[OPERAND];
  char to_type[64], from_type[64], elem[TYPE_TEXT];
  Pointer p, q;
  if (!follow(f, LLVMGetOperand(i, 0), &p)) return false;
  Root *target = root_of(f, p.root), *source = NULL;
  if (!target->bytes) return true; /* nobody looks */
  memref_text(target, to_type);
  type_text(target->type, elem);
  if (sets) {
    LLVMValueRef byte = LLVMGetOperand(i, 1);
    if (!LLVMIsAConstantInt(byte) || LLVMConstIntGetZExtValue(byte))
      return refuse(f, i, "memset to anything but zero");
    if (!operand(f, LLVMConstNull(target->type), value)) return false;
  } else {
    if (!follow(f, LLVMGetOperand(i, 1), &q)) return false;
    source = root_of(f, q.root);
    if (source->bytes != target->bytes) return refuse(f, i, "a copy between elements of two sizes");
    memref_text(source, from_type);
  }
  LLVMValueRef length = LLVMGetOperand(i, 2);
  if (LLVMIsAConstantInt(length)) {
    unsigned long long n = LLVMConstIntGetZExtValue(length);
    if (n % target->bytes) return refuse(f, i, "part of an element is set or copied");
    number(f, (long long)(n / target->bytes), "index", count);
  } else {
    char size[OPERAND];
    if (!index_of(f, length, i, bytes)) return false;
    number(f, target->bytes, "index", size);
    combine(f, "divui", bytes, size, i, count);
  }
  if (!element_of(f, LLVMGetOperand(i, 0), i, to)) return false;
  if (!sets && !element_of(f, LLVMGetOperand(i, 1), i, from)) return false;
  unsigned k = f->next++;
  char zero[OPERAND], one[OPERAND];
  number(f, 0, "index", zero);
  number(f, 1, "index", one);
  fprintf(f->out, "  scf.for %%$i%u = %s to %s step %s {\n", k, zero, count, one);
  fprintf(f->out, "    %%$t%u = arith.addi %s, %%$i%u : index\n", k, to, k);
  if (!sets) {
    char other[TYPE_TEXT];
    type_text(source->type, other);
    fprintf(f->out, "    %%$f%u = arith.addi %s, %%$i%u : index\n", k, from, k);
    fprintf(f->out, "    %%$x%u = memref.load %%%s[%%$f%u] : %s\n", k, name_of(q.root), k,
            from_type);
    snprintf(value, sizeof value, "%%$x%u", k);
    if (strcmp(other, elem)) {
      fprintf(f->out, "    %%$y%u = arith.bitcast %%$x%u : %s to %s\n", k, k, other, elem);
      snprintf(value, sizeof value, "%%$y%u", k);
    }
  }
  fprintf(f->out, "    memref.store %s, %%%s[%%$t%u] : %s\n  }\n", value, name_of(p.root), k,
          to_type);
  return true;
}

static bool convert_call(Function *f, LLVMValueRef i) {
  LLVMValueRef callee = LLVMGetCalledValue(i);
  const char *name = LLVMIsAFunction(callee) ? name_of(callee) : NULL;
  if (!name) return refuse(f, i, "a call through a pointer");
  if (is_hint(name)) return true;
  const char *op = function_op(name);
  unsigned n = LLVMGetNumArgOperands(i);
  if (op && n == 1) return unary(f, i, op, LLVMGetOperand(i, 0));
  if (op && n == 2) return binary(f, i, op, LLVMGetOperand(i, 0), LLVMGetOperand(i, 1));
  if (op && n == 3) {
    char a[OPERAND], b[OPERAND], c[OPERAND], type[TYPE_TEXT];
    if (!operand(f, LLVMGetOperand(i, 0), a) || !operand(f, LLVMGetOperand(i, 1), b) ||
        !operand(f, LLVMGetOperand(i, 2), c) || !value_type(f, i, type))
      return false;
    fprintf(f->out, "  %%%s = %s %s, %s, %s : %s", name_of(i), op, a, b, c, type);
    put_place(f, i);
    return true;
  }
  /* their second argument says whether a special case is undefined: here it never is */
  if (starts(name, "llvm.abs.")) return unary(f, i, "math.absi", LLVMGetOperand(i, 0));
  if (starts(name, "llvm.ctlz.")) return unary(f, i, "math.ctlz", LLVMGetOperand(i, 0));
  if (starts(name, "llvm.cttz.")) return unary(f, i, "math.cttz", LLVMGetOperand(i, 0));
  if (starts(name, "llvm.fshl.")) return funnel_shift(f, i, true);
  if (starts(name, "llvm.fshr.")) return funnel_shift(f, i, false);
  if (starts(name, "llvm.memset.")) return move_memory(f, i, true);
  if (starts(name, "llvm.memcpy.")) return move_memory(f, i, false);
  if (callee == f->llvm) return refuse(f, i, "%s calls itself", name);
  return refuse(f, i, "a call of %s, whose body is not here", name);
}

static bool convert_load(Function *f, LLVMValueRef i) {
  char place[2 * OPERAND], type[TYPE_TEXT], elem[TYPE_TEXT];
  Pointer p;
  if (!place_of(f, LLVMGetOperand(i, 0), i, place) || !value_type(f, i, type) ||
      !follow(f, LLVMGetOperand(i, 0), &p))
    return false;
  type_text(root_of(f, p.root)->type, elem);
  if (!strcmp(type, elem)) {
    fprintf(f->out, "  %%%s = memref.load %s", name_of(i), place);
    put_place(f, i);
    return true;
  }
  char as_is[OPERAND];
  fresh(f, as_is);
  fprintf(f->out, "  %s = memref.load %s", as_is, place);
  put_place(f, i);
  fprintf(f->out, "  %%%s = arith.bitcast %s : %s to %s\n", name_of(i), as_is, elem, type);
  return true;
}

static bool convert_store(Function *f, LLVMValueRef i) {
  char place[2 * OPERAND], value[OPERAND], type[TYPE_TEXT], elem[TYPE_TEXT];
  Pointer p;
  if (!operand(f, LLVMGetOperand(i, 0), value) || !value_type(f, LLVMGetOperand(i, 0), type) ||
      !place_of(f, LLVMGetOperand(i, 1), i, place) || !follow(f, LLVMGetOperand(i, 1), &p))
    return false;
  type_text(root_of(f, p.root)->type, elem);
  if (strcmp(type, elem)) {
    char as_elem[OPERAND];
    fresh(f, as_elem);
    fprintf(f->out, "  %s = arith.bitcast %s : %s to %s\n", as_elem, value, type, elem);
    memcpy(value, as_elem, OPERAND);
  }
  fprintf(f->out, "  memref.store %s, %s", value, place);
  put_place(f, i);
  return true;
}

static const char *icmp_text(LLVMIntPredicate p) {
  static const char *const texts[] = {"eq",  "ne",  "ugt", "uge", "ult",
                                      "ule", "sgt", "sge", "slt", "sle"};
  return texts[p - LLVMIntEQ];
}

static const char *fcmp_text(LLVMRealPredicate p) {
  static const char *const texts[] = {"false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord",
                                      "uno",   "ueq", "ugt", "uge", "ult", "ule", "une", "true"};
  return texts[p];
}

static bool convert_select(Function *f, LLVMValueRef i) {
  char c[OPERAND], x[OPERAND], y[OPERAND], type[TYPE_TEXT];
  bool is_pointer = LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMPointerTypeKind;
  if (!operand(f, LLVMGetOperand(i, 0), c) || !value_type(f, i, type)) return false;
  bool good =
      is_pointer
          ? element_of(f, LLVMGetOperand(i, 1), i, x) && element_of(f, LLVMGetOperand(i, 2), i, y)
          : operand(f, LLVMGetOperand(i, 1), x) && operand(f, LLVMGetOperand(i, 2), y);
  if (!good) return false;
  compare_select(f, i, c, x, y, type);
  return true;
}

/* ^block(%a, %b : i32, f32): the values of the phis of a block that this one leads to. Offsets of
 * pointers were computed by put_offsets. */
static bool put_target(Function *f, LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
  char values[8192] = "", types[2048] = "";
  for (LLVMValueRef i = LLVMGetFirstInstruction(to); i && LLVMIsAPHINode(i);
       i = LLVMGetNextInstruction(i)) {
    char value[OPERAND], type[TYPE_TEXT];
    LLVMValueRef given = NULL;
    for (unsigned k = 0; k < LLVMCountIncoming(i); k++)
      if (LLVMGetIncomingBlock(i, k) == from) given = LLVMGetIncomingValue(i, k);
    if (!value_type(f, i, type)) return false;
    bool is_pointer = LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMPointerTypeKind;
    if (is_pointer)
      snprintf(value, sizeof value, "%%$p.%s.%s", name_of(i), name_of(LLVMBasicBlockAsValue(from)));
    else if (!operand(f, given, value))
      return false;
    size_t n = strlen(values), m = strlen(types);
    if (n + strlen(value) + 4 > sizeof values || m + sizeof type > sizeof types)
      return refuse(f, i, "too many values go from block to block");
    snprintf(values + n, sizeof values - n, "%s%s", n ? ", " : "", value);
    snprintf(types + m, sizeof types - m, "%s%s", m ? ", " : "", type);
  }
  fprintf(f->out, "^%s", name_of(LLVMBasicBlockAsValue(to)));
  if (*values) fprintf(f->out, "(%s : %s)", values, types);
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
      if (LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMPointerTypeKind) continue;
      char offset[OPERAND], zero[OPERAND];
      for (unsigned k = 0; k < LLVMCountIncoming(i); k++) {
        if (LLVMGetIncomingBlock(i, k) != from) continue;
        if (!element_of(f, LLVMGetIncomingValue(i, k), end, offset)) return false;
        number(f, 0, "index", zero);
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
  if (!put_target(f, block, LLVMGetSwitchDefaultDest(end))) return false;
  for (unsigned k = 1; k < LLVMGetNumSuccessors(end); k++) {
    fprintf(f->out, ", %lld: ", LLVMConstIntGetSExtValue(LLVMGetOperand(end, 2 * k)));
    if (!put_target(f, block, LLVMGetSuccessor(end, k))) return false;
  }
  fprintf(f->out, " ]");
  put_place(f, end);
  return true;
}

static bool convert_end(Function *f, LLVMBasicBlockRef block, LLVMValueRef end) {
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
      if (!put_target(f, block, LLVMGetSuccessor(end, 0))) return false;
      fprintf(f->out, ", ");
      if (!put_target(f, block, LLVMGetSuccessor(end, 1))) return false;
    } else {
      fprintf(f->out, "  cf.br ");
      if (!put_target(f, block, LLVMGetSuccessor(end, 0))) return false;
    }
    break;
  case LLVMSwitch: return convert_switch(f, block, end);
  case LLVMUnreachable: fprintf(f->out, "  ub.unreachable"); break;
  default: return refuse(f, end, "a branch of this kind");
  }
  put_place(f, end);
  return true;
}

static bool convert_instruction(Function *f, LLVMBasicBlockRef block, LLVMValueRef i) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
  char a[OPERAND], b[OPERAND], type[TYPE_TEXT];
  if (LLVMIsATerminatorInst(i)) return convert_end(f, block, i);
  for (size_t k = 0; k < sizeof binaries / sizeof *binaries; k++)
    if (binaries[k].opcode == opcode)
      return binary(f, i, binaries[k].op, LLVMGetOperand(i, 0), LLVMGetOperand(i, 1));
  for (size_t k = 0; k < sizeof casts / sizeof *casts; k++)
    if (casts[k].opcode == opcode) return cast(f, i, casts[k].op);
  switch (opcode) {
  case LLVMPHI:
  case LLVMGetElementPtr: return true;
  case LLVMFNeg: return unary(f, i, "arith.negf", LLVMGetOperand(i, 0));
  case LLVMLoad: return convert_load(f, i);
  case LLVMStore: return convert_store(f, i);
  case LLVMSelect: return convert_select(f, i);
  case LLVMCall: return convert_call(f, i);
  case LLVMAlloca: {
    const Root *root = root_of(f, i);
    char memref[64];
    if (!root->bytes) return true; /* nobody looks */
    memref_text(root, memref);
    fprintf(f->out, "  %%%s = memref.alloca() : %s", name_of(i), memref);
    put_place(f, i);
    return true;
  }
  case LLVMFreeze: {
    if (LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMPointerTypeKind) return true;
    if (!operand(f, LLVMGetOperand(i, 0), a) || !value_type(f, i, type)) return false;
    char yes[OPERAND];
    number(f, 1, "i1", yes);
    compare_select(f, i, yes, a, a, type);
    return true;
  }
  case LLVMICmp:
  case LLVMFCmp: {
    LLVMValueRef x = LLVMGetOperand(i, 0);
    if (LLVMGetTypeKind(LLVMTypeOf(x)) == LLVMPointerTypeKind) {
      Pointer p, q;
      if (!follow(f, x, &p) || !follow(f, LLVMGetOperand(i, 1), &q)) return false;
      if (p.root != q.root) return refuse(f, i, "pointers into two memories are compared");
      if (!element_of(f, x, i, a) || !element_of(f, LLVMGetOperand(i, 1), i, b)) return false;
      snprintf(type, sizeof type, "index");
    } else if (!operand(f, x, a) || !operand(f, LLVMGetOperand(i, 1), b) ||
               !value_type(f, x, type)) {
      return false;
    }
    if (opcode == LLVMICmp)
      fprintf(f->out, "  %%%s = arith.cmpi %s, %s, %s : %s", name_of(i),
              icmp_text(LLVMGetICmpPredicate(i)), a, b, type);
    else
      fprintf(f->out, "  %%%s = arith.cmpf %s, %s, %s : %s", name_of(i),
              fcmp_text(LLVMGetFCmpPredicate(i)), a, b, type);
    put_place(f, i);
    return true;
  }
  default: break;
  }
  char *shown = LLVMPrintValueToString(i);
  refuse(f, i, "there is no operation for%s", shown);
  LLVMDisposeMessage(shown);
  return false;
}

/* ---- functions -------------------------------------------------------------------------------- */

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
      any = true;
    }
    fprintf(f->out, any ? "):\n" : ":\n");
  }
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
    if (!convert_instruction(f, block, i)) return false;
  return true;
}

/* Globals are named in the first block, under their own names. */
static void name_globals(Function *f) {
  for (unsigned i = 0; i < f->nroots; i++) {
    const Root *root = &f->roots[i];
    char memref[64];
    if (!LLVMIsAGlobalVariable(root->value) || !root->bytes) continue;
    memref_text(root, memref);
    fprintf(f->constants, "  %%%s = memref.get_global @%s : %s\n", name_of(root->value),
            name_of(root->value), memref);
  }
}

static bool is_restrict(LLVMValueRef function, unsigned i) {
  static const char name[] = "noalias";
  unsigned kind = LLVMGetEnumAttributeKindForName(name, sizeof name - 1);
  return LLVMGetEnumAttributeAtIndex(function, i + 1, kind) != NULL;
}

static bool put_signature(Function *f, FILE *out) {
  char type[TYPE_TEXT], memref[64];
  fprintf(out, "func.func @%s(", name_of(f->llvm));
  for (unsigned i = 0; i < LLVMCountParams(f->llvm); i++) {
    LLVMValueRef arg = LLVMGetParam(f->llvm, i);
    if (LLVMGetTypeKind(LLVMTypeOf(arg)) == LLVMPointerTypeKind) {
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
    if (LLVMGetTypeKind(result) == LLVMPointerTypeKind)
      return refuse(f, f->llvm, "a function that returns a pointer");
    if (!type_text(result, type)) return refuse(f, f->llvm, "a result of this type");
    fprintf(out, " -> %s", type);
  }
  fprintf(out, " {\n");
  return true;
}

/* The elements of a constant, in order. */
static bool put_elements(Function *f, LLVMValueRef v, unsigned bytes, bool *any) {
  LLVMTypeRef type = LLVMTypeOf(v);
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  char text[TYPE_TEXT];
  if (kind == LLVMArrayTypeKind || kind == LLVMStructTypeKind) {
    unsigned n = kind == LLVMArrayTypeKind ? (unsigned)LLVMGetArrayLength2(type)
                                           : LLVMCountStructElementTypes(type);
    for (unsigned i = 0; i < n; i++) {
      LLVMValueRef element = LLVMGetAggregateElement(v, i);
      if (!element || !put_elements(f, element, bytes, any)) return false;
    }
    return true;
  }
  if (!type_text(type, text) ||
      LLVMABISizeOfType(LLVMGetModuleDataLayout(f->module), type) != bytes)
    return refuse(f, v, "a table whose elements are of several types");
  if (*any) fprintf(f->out, ", ");
  *any = true;
  if (LLVMIsAConstantInt(v)) {
    fprintf(f->out, "%lld", LLVMConstIntGetSExtValue(v));
  } else if (LLVMIsAConstantFP(v)) {
    LLVMTypeRef bits = LLVMIntTypeInContext(LLVMGetModuleContext(f->module), 8 * bytes);
    fprintf(f->out, "0x%0*llX", (int)bytes * 2,
            LLVMConstIntGetZExtValue(LLVMConstBitCast(v, bits)));
  } else {
    fprintf(f->out, text[0] == 'i' ? "0" : "0.0");
  }
  return true;
}

static bool put_globals(Function *f, FILE *out) {
  FILE *body = f->out;
  f->out = out;
  for (unsigned i = 0; i < f->nroots && !f->failed; i++) {
    Root *root = &f->roots[i];
    char memref[64];
    bool any = false;
    if (!LLVMIsAGlobalVariable(root->value) || !root->bytes) continue;
    LLVMValueRef initial = LLVMGetInitializer(root->value);
    if (!initial) return refuse(f, f->llvm, "%s is defined in another file", name_of(root->value));
    memref_text(root, memref);
    fprintf(out, "memref.global \"private\" %s@%s : %s = dense<",
            LLVMIsGlobalConstant(root->value) ? "constant " : "", name_of(root->value), memref);
    if (LLVMIsNull(initial)) {
      char elem[TYPE_TEXT];
      type_text(root->type, elem);
      fprintf(out, elem[0] == 'i' ? "0" : "0.0");
    } else {
      fprintf(out, "[");
      if (!put_elements(f, initial, root->bytes, &any)) return false;
      fprintf(out, "]");
    }
    fprintf(out, ">\n");
  }
  f->out = body;
  return true;
}

bool convert_function(LLVMModuleRef module, LLVMValueRef function, const char *file, bool may_alias,
                      FILE *out) {
  Function f = {.module = module, .llvm = function, .file = file, .may_alias = may_alias};
  char *body = NULL, *constants = NULL;
  size_t body_size, constants_size;
  f.out = open_memstream(&body, &body_size);
  f.constants = open_memstream(&constants, &constants_size);
  if (!f.out || !f.constants) abort();
  name_all(function);
  bool good = find_roots(&f);
  for (unsigned i = 0; i < f.nroots && good; i++)
    if (LLVMIsAGlobalVariable(f.roots[i].value)) name_value(f.roots[i].value, "table");
  if (good) name_globals(&f);
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b && good;
       b = LLVMGetNextBasicBlock(b))
    good = convert_block(&f, b);
  good = good && put_globals(&f, out) && put_signature(&f, out);
  fclose(f.out);
  fclose(f.constants);
  if (good) {
    fprintf(out, "%s%s}", constants, body);
    f.out = out;
    put_place(&f, function);
  }
  for (unsigned i = 0; i < f.nknown; i++) free(f.known[i]);
  free(f.known);
  free(f.roots);
  free(body);
  free(constants);
  return good;
}
