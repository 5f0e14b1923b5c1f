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
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- places and names ------------------------------------------------------------------------- */

/* What LLVM made itself, a phi or a select, is where it is used first. */
static LLVMValueRef placed(LLVMValueRef v) {
  if (!LLVMIsAInstruction(v) || LLVMGetDebugLocLine(v)) return v;
  for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use))
    if (LLVMGetDebugLocLine(LLVMGetUser(use))) return LLVMGetUser(use);
  return v;
}

static unsigned line_of(Function *f, LLVMValueRef v, unsigned *column) {
  unsigned line = LLVMIsAInstruction(v) ? LLVMGetDebugLocLine(v) : 0;
  *column = line ? LLVMGetDebugLocColumn(v) : 0;
  return line ? line : LLVMGetDebugLocLine(f->llvm);
}

/* Its file: the one that was given, or a header. */
static const char *file_of(Function *f, LLVMValueRef v, int *length) {
  unsigned n = 0, line = LLVMIsAInstruction(v) ? LLVMGetDebugLocLine(v) : 0;
  const char *name = LLVMGetDebugLocFilename(line ? v : f->llvm, &n);
  *length = n ? (int)n : (int)strlen(f->file);
  return n ? name : f->file;
}

bool refuse(Function *f, LLVMValueRef at, const char *code, const char *format, ...) {
  at = placed(at);
  unsigned column, line = line_of(f, at, &column);
  va_list args;
  if (f->failed) return false;
  f->failed = true;
  int length;
  const char *file = file_of(f, at, &length);
  fprintf(stderr, "%.*s:%u:%u: error[%s]: ", length, file, line, column ? column : 1, code);
  va_start(args, format);
  vfprintf(stderr, format, args);
  va_end(args);
  fputc('\n', stderr);
  return false;
}

static void put_place(Function *f, LLVMValueRef at) {
  unsigned column, line = line_of(f, at, &column);
  int length;
  const char *file = file_of(f, at, &length);
  fprintf(f->out, " loc(\"");
  for (const char *c = file; c < file + length; c++)
    fprintf(f->out, strchr("\"\\", *c) || (unsigned char)*c < ' ' ? "\\%02X" : "%c",
            (unsigned char)*c);
  fprintf(f->out, "\":%u:%u)\n", line, column ? column : 1);
}

static bool is_name(const char *name, size_t length) {
  if (!length || length > 200 || (!isalpha((unsigned char)name[0]) && name[0] != '_')) return false;
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
  bool is_integer = LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMIntegerTypeKind;
  unsigned bits = is_integer ? LLVMGetIntTypeWidth(LLVMTypeOf(v)) : 0;
  if (bits > 64 && bits != 128)
    return refuse(f, v, "C_TYPE",
                  "bit-fields of %u bits that lie in one another's bytes; at most 64 may", bits);
  char *shown = LLVMPrintTypeToString(LLVMTypeOf(v));
  bool is_long_double = LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMX86_FP80TypeKind;
  refuse(f, v, "C_TYPE", "values of type %s", is_long_double ? "long double" : shown);
  LLVMDisposeMessage(shown);
  return false;
}

/* The memref of a root. One that is not accessed is of bytes. */
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

/* Where a name is among those that are known, or would be (FNV-1a, then the next). */
static char **find_known(char **known, unsigned room, const char *name) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (const char *c = name; *c; c++) hash = (hash ^ (unsigned char)*c) * 0x100000001b3u;
  unsigned i = (unsigned)(hash ^ hash >> 32) & (room - 1);
  while (known[i] && strcmp(known[i], name)) i = (i + 1) & (room - 1);
  return &known[i];
}

static void grow_known(Function *f) {
  unsigned room = f->room ? 2 * f->room : 64;
  char **known = calloc(room, sizeof *known);
  if (!known) abort();
  for (unsigned i = 0; i < f->room; i++)
    if (f->known[i]) *find_known(known, room, f->known[i]) = f->known[i];
  free(f->known);
  f->known = known;
  f->room = room;
}

/* A constant of the first block, made where it is not there yet. */
static void constant(Function *f, const char *name, const char *text) {
  if (2 * f->nknown >= f->room) grow_known(f);
  char **known = find_known(f->known, f->room, name);
  if (*known) return;
  if (!(*known = strdup(name))) abort();
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
  } else if (LLVMIsAExtractValueInst(v)) {
    snprintf(out, OPERAND, "%%$%c.%s", *LLVMGetIndices(v) ? 'o' : 'v',
             name_of(LLVMGetOperand(v, 0)));
  } else if (LLVMIsAInstruction(v) || LLVMIsAArgument(v)) {
    snprintf(out, OPERAND, "%%%s", name_of(v));
  } else {
    return refuse(f, v, "C_UNSUPPORTED", "a constant expression");
  }
  return true;
}

static void fresh(Function *f, char out[OPERAND]) {
  snprintf(out, OPERAND, "%%$%u", f->next++);
}

/* ---- addresses -------------------------------------------------------------------------------- */

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

/* Bytes of an element; of a memory that is not accessed, a byte. */
static unsigned size_of(const Root *root) {
  return root->bytes ? root->bytes : 1;
}

/* NULL as the number of an element: that of none. */
enum { NOWHERE = INT32_MIN };

/* The number of the element that a pointer points to. */
static bool element_of(Function *f, LLVMValueRef pointer, LLVMValueRef at, char out[OPERAND]) {
  Pointer p;
  Roots roots;
  if (roots_of(pointer, &roots) && !roots.n) {
    number(f, NOWHERE, "index", out);
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
      number(f, times, "index", factor);
      combine(f, "muli", term, factor, at, term);
    }
    if (any)
      combine(f, "addi", out, term, at, out);
    else
      memcpy(out, term, OPERAND);
    any = true;
  }
  long long rest = p.constant / size;
  if (!any) {
    number(f, rest, "index", out);
  } else if (rest) {
    char text[OPERAND];
    number(f, rest, "index", text);
    combine(f, "addi", out, text, at, out);
  }
  return true;
}

static bool is_open(LLVMValueRef pointer) {
  Roots roots;
  return roots_of(pointer, &roots) && roots.n > 1;
}

/* Which memory a pointer points into: its root's number, an i32. */
static bool memory_of(Function *f, LLVMValueRef pointer, char out[OPERAND]) {
  Pointer p = {.root = NULL};
  Roots roots;
  bool is_nowhere = roots_of(pointer, &roots) && !roots.n;
  if (!is_nowhere && !follow(f, pointer, &p)) return false;
  if (p.is_open)
    snprintf(out, OPERAND, "%%$r.%s", name_of(p.base));
  else
    number(f, p.root ? root_of(f, p.root) - f->roots : 0, "i32", out);
  return true;
}

/* `%a[%i] : memref<?xf32>` of the element that is `more` behind the one that a pointer points to. */
static bool place_of(Function *f, LLVMValueRef pointer, LLVMValueRef at, unsigned more,
                     char out[2 * OPERAND]) {
  char index[OPERAND], type[64], number_of_it[OPERAND];
  Pointer p;
  if (!element_of(f, pointer, at, index) || !follow(f, pointer, &p)) return false;
  const Root *root = root_of(f, p.root);
  if (more) {
    number(f, more, "index", number_of_it);
    combine(f, "addi", index, number_of_it, at, index);
  }
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

/* Functions of one, two and three arguments of one type, by the name that LLVM has for them, or C where it has none. */
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
                 {"llvm.tan", "math.tan"},
                 {"llvm.asin", "math.asin"},
                 {"llvm.acos", "math.acos"},
                 {"llvm.atan", "math.atan"},
                 {"llvm.sinh", "math.sinh"},
                 {"llvm.cosh", "math.cosh"},
                 {"llvm.tanh", "math.tanh"},
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
                 {"llvm.smin", "arith.minsi"},
                 {"llvm.smax", "arith.maxsi"},
                 {"llvm.umin", "arith.minui"},
                 {"llvm.umax", "arith.maxui"},
                 {"llvm.ctpop", "math.ctpop"},
                 {"expm1", "math.expm1"},
                 {"log1p", "math.log1p"},
                 {"cbrt", "math.cbrt"},
                 {"erf", "math.erf"},
                 {"erfc", "math.erfc"},
                 {"atan2", "math.atan2"},
                 {"acosh", "math.acosh"},
                 {"asinh", "math.asinh"},
                 {"atanh", "math.atanh"}};

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
         starts(name, "llvm.threadlocal.address") || starts(name, "llvm.stacksave") ||
         starts(name, "llvm.stackrestore") || !strcmp(name, "free") || starts(name, "_Zdl") ||
         starts(name, "_Zda");
}

static void compare_select(Function *f, LLVMValueRef i, const char *condition, const char *yes,
                           const char *no, const char *type) {
  fprintf(f->out, "  %%%s = arith.select %s, %s, %s : %s", name_of(i), condition, yes, no, type);
  put_place(f, i);
}

/* A line `%made = OP`, made of a format. */
static void put_op(Function *f, LLVMValueRef at, char made[OPERAND], const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static void put_op(Function *f, LLVMValueRef at, char made[OPERAND], const char *format, ...) {
  char name[OPERAND];
  va_list args;
  fresh(f, name);
  fprintf(f->out, "  %s = ", name);
  va_start(args, format);
  vfprintf(f->out, format, args); /* may name what `made` was */
  va_end(args);
  put_place(f, at);
  memcpy(made, name, OPERAND);
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

/* An element all of whose bytes are the low one of an integer. */
static bool spread_byte(Function *f, LLVMValueRef i, LLVMValueRef byte, const Root *target,
                        char value[OPERAND]) {
  char from[TYPE_TEXT], bits[TYPE_TEXT], elem[TYPE_TEXT], factor[OPERAND], low[OPERAND];
  if (!operand(f, byte, value) || !value_type(f, byte, from)) return false;
  snprintf(bits, sizeof bits, "i%u", 8 * target->bytes);
  type_text(target->type, elem);
  if (strcmp(from, "i8")) put_op(f, i, value, "arith.trunci %s : %s to i8", value, from);
  if (target->bytes > 1) {
    number(f, (long long)(0x0101010101010101ull >> (64 - 8 * target->bytes)), bits, factor);
    put_op(f, i, low, "arith.extui %s : i8 to %s", value, bits);
    put_op(f, i, value, "arith.muli %s, %s : %s", low, factor, bits);
  }
  if (strcmp(bits, elem)) put_op(f, i, value, "arith.bitcast %s : %s to %s", value, bits, elem);
  return true;
}

/* Bytes as a number of elements, an index. */
static bool count_elements(Function *f, LLVMValueRef i, LLVMValueRef length, unsigned bytes,
                           char count[OPERAND]) {
  char all[OPERAND], size[OPERAND];
  if (!LLVMIsAConstantInt(length)) {
    if (!index_of(f, length, i, all)) return false;
    number(f, bytes, "index", size);
    combine(f, "divui", all, size, i, count);
    return true;
  }
  number(f, (long long)(LLVMConstIntGetZExtValue(length) / bytes), "index", count);
  return true;
}

/* memset, memcpy and memmove of whole elements: a loop; within one memory from the end where that is
 * behind the beginning. */
static bool move_memory(Function *f, LLVMValueRef i, bool sets) {
  char count[OPERAND], to[OPERAND], from[OPERAND], value[OPERAND], zero[OPERAND], one[OPERAND];
  char to_type[64], from_type[64], elem[TYPE_TEXT], other[TYPE_TEXT], last[OPERAND],
      behind[OPERAND];
  Pointer p, q;
  if (!follow(f, LLVMGetOperand(i, 0), &p)) return false;
  Root *target = root_of(f, p.root), *source = NULL;
  if (!target->bytes) return true; /* never used */
  memref_text(target, to_type);
  type_text(target->type, elem);
  if (!count_elements(f, i, LLVMGetOperand(i, 2), target->bytes, count) ||
      !element_of(f, LLVMGetOperand(i, 0), i, to))
    return false;
  if (sets) {
    if (!spread_byte(f, i, LLVMGetOperand(i, 1), target, value)) return false;
  } else {
    if (!follow(f, LLVMGetOperand(i, 1), &q)) return false;
    source = root_of(f, q.root);
    memref_text(source, from_type);
    type_text(source->type, other);
    if (!element_of(f, LLVMGetOperand(i, 1), i, from)) return false;
  }
  number(f, 0, "index", zero);
  number(f, 1, "index", one);
  bool turns = !sets && p.root == q.root;
  if (turns) {
    combine(f, "subi", count, one, i, last);
    put_op(f, i, behind, "arith.cmpi sgt, %s, %s : index", to, from);
  }
  unsigned k = f->next++;
  fprintf(f->out, "  scf.for %%$i%u = %s to %s step %s {\n", k, zero, count, one);
  if (turns) {
    fprintf(f->out, "    %%$r%u = arith.subi %s, %%$i%u : index\n", k, last, k);
    fprintf(f->out, "    %%$j%u = arith.select %s, %%$r%u, %%$i%u : index\n", k, behind, k, k);
  }
  char at = turns ? 'j' : 'i';
  fprintf(f->out, "    %%$t%u = arith.addi %s, %%$%c%u : index\n", k, to, at, k);
  if (!sets) {
    fprintf(f->out, "    %%$f%u = arith.addi %s, %%$%c%u : index\n", k, from, at, k);
    fprintf(f->out, "    %%$x%u = memref.load %%%s[%%$f%u] : %s\n", k, name_of(q.root), k,
            from_type);
    snprintf(value, sizeof value, "%%$x%u", k);
    if (strcmp(other, elem)) {
      fprintf(f->out, "    %%$y%u = arith.bitcast %%$x%u : %s to %s\n", k, k, other, elem);
      snprintf(value, sizeof value, "%%$y%u", k);
    }
  }
  fprintf(f->out, "    memref.store %s, %%%s[%%$t%u]", value, name_of(p.root), k);
  fprintf(f->out, " : %s\n  }", to_type);
  put_place(f, i);
  return true;
}

static bool set_memory(Function *f, LLVMValueRef i) {
  return move_memory(f, i, true);
}

static bool copy_memory(Function *f, LLVMValueRef i) {
  return move_memory(f, i, false);
}

typedef bool Access(Function *f, LLVMValueRef i);
static bool in_memory(Function *f, LLVMValueRef i, Access *write);

/* An access through a pointer into one of several memories, from the k-th on: an scf.if for each but the last. */
static bool choose_memory(Function *f, LLVMValueRef i, Access *write, LLVMValueRef base,
                          const Roots *roots, unsigned k) {
  char mine[OPERAND], name[OPERAND], inner[OPERAND + 8], meant[OPERAND], is_it[OPERAND];
  char type[TYPE_TEXT];
  bool has_result = LLVMIsALoadInst(i) != NULL; /* that of memset is where it writes */
  f->chosen[f->nchosen++] = (Chosen){base, roots->at[k]};
  if (k + 1 == roots->n) {
    bool good = in_memory(f, i, write);
    f->nchosen--;
    return good;
  }
  snprintf(mine, sizeof mine, "%%$r.%s", name_of(base));
  number(f, root_of(f, roots->at[k]) - f->roots, "i32", meant);
  put_op(f, i, is_it, "arith.cmpi eq, %s, %s : i32", mine, meant);
  if (has_result && !value_type(f, i, type)) return false;
  snprintf(name, sizeof name, "%s", has_result ? name_of(i) : "");
  snprintf(inner, sizeof inner, "%s.%u", name, k);
  if (has_result) {
    fprintf(f->out, "  %%%s = scf.if %s -> (%s) {\n", name, is_it, type);
    LLVMSetValueName2(i, inner, strlen(inner));
  } else {
    fprintf(f->out, "  scf.if %s {\n", is_it);
  }
  bool good = in_memory(f, i, write);
  f->nchosen--;
  if (has_result) {
    fprintf(f->out, "  scf.yield %%%s : %s\n", name_of(i), type);
    snprintf(inner, sizeof inner, "%s.%u", name, k + 1);
    LLVMSetValueName2(i, inner, strlen(inner));
  }
  fprintf(f->out, "  } else {\n");
  good = good && choose_memory(f, i, write, base, roots, k + 1);
  if (has_result) {
    fprintf(f->out, "  scf.yield %%%s : %s\n", name_of(i), type);
    LLVMSetValueName2(i, name, strlen(name));
  }
  fprintf(f->out, "  }");
  put_place(f, i);
  return good;
}

/* A load, a store, memset, memcpy: for each memory that its pointers may point into. */
static bool in_memory(Function *f, LLVMValueRef i, Access *write) {
  unsigned n = LLVMIsACallInst(i) ? LLVMGetNumArgOperands(i) : (unsigned)LLVMGetNumOperands(i);
  for (unsigned k = 0; k < n; k++) {
    LLVMValueRef pointer = LLVMGetOperand(i, k);
    Pointer p;
    Roots roots;
    if (LLVMGetTypeKind(LLVMTypeOf(pointer)) != LLVMPointerTypeKind) continue;
    if (!follow(f, pointer, &p)) return false;
    if (!p.is_open) continue;
    roots_of(p.base, &roots);
    return choose_memory(f, i, write, p.base, &roots, 0);
  }
  return write(f, i);
}

/* llvm.bswap: the bytes the other way round. */
static bool swap_bytes(Function *f, LLVMValueRef i) {
  char x[OPERAND], all[OPERAND], one[OPERAND], by[OPERAND], mask[OPERAND], zero[OPERAND],
      type[TYPE_TEXT];
  if (!operand(f, LLVMGetOperand(i, 0), x) || !value_type(f, i, type)) return false;
  unsigned bytes = LLVMGetIntTypeWidth(LLVMTypeOf(i)) / 8;
  number(f, 255, type, mask);
  number(f, 0, type, zero);
  memcpy(all, zero, OPERAND);
  for (unsigned k = 0; k < bytes; k++) {
    number(f, 8 * k, type, by);
    put_op(f, i, one, "arith.shrui %s, %s : %s", x, by, type);
    put_op(f, i, one, "arith.andi %s, %s : %s", one, mask, type);
    number(f, 8 * (bytes - 1 - k), type, by);
    put_op(f, i, one, "arith.shli %s, %s : %s", one, by, type);
    put_op(f, i, all, "arith.ori %s, %s : %s", all, one, type);
  }
  fprintf(f->out, "  %%%s = arith.ori %s, %s : %s", name_of(i), all, zero, type);
  put_place(f, i);
  return true;
}

/* llvm.sadd.with.overflow and its like: two results, %$v.NAME, the value, and %$o.NAME, whether it
 * overflows; llvm.sadd.sat: the bound then. `name` is "sadd.with.overflow.i32". */
static bool checked(Function *f, LLVMValueRef i, const char *name) {
  char a[OPERAND], b[OPERAND], value[OPERAND], over[OPERAND], x[OPERAND], y[OPERAND], zero[OPERAND];
  char type[TYPE_TEXT], bound[OPERAND], least[OPERAND], most[OPERAND];
  bool is_signed = name[0] == 's', is_sat = strstr(name, ".sat.") != NULL;
  LLVMValueRef left = LLVMGetOperand(i, 0);
  if (!operand(f, left, a) || !operand(f, LLVMGetOperand(i, 1), b) || !value_type(f, left, type))
    return false;
  unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(left));
  number(f, 0, type, zero);
  if (!strncmp(name + 1, "mul", 3)) {
    char high[OPERAND], sign[OPERAND];
    unsigned k = f->next++;
    fprintf(f->out, "  %%$l%u, %%$h%u = arith.mul%ci_extended %s, %s : %s", k, k,
            is_signed ? 's' : 'u', a, b, type);
    put_place(f, i);
    snprintf(value, sizeof value, "%%$l%u", k);
    snprintf(high, sizeof high, "%%$h%u", k);
    number(f, width - 1, type, x);
    memcpy(sign, zero, OPERAND);
    if (is_signed) put_op(f, i, sign, "arith.shrsi %s, %s : %s", value, x, type);
    put_op(f, i, over, "arith.cmpi ne, %s, %s : %s", high, sign, type);
  } else {
    bool adds = !strncmp(name + 1, "add", 3);
    put_op(f, i, value, "arith.%s %s, %s : %s", adds ? "addi" : "subi", a, b, type);
    if (is_signed) { /* the sign of the result is that of neither side it could have */
      put_op(f, i, x, "arith.xori %s, %s : %s", a, adds ? value : b, type);
      put_op(f, i, y, "arith.xori %s, %s : %s", adds ? b : a, value, type);
      put_op(f, i, x, "arith.andi %s, %s : %s", x, y, type);
      put_op(f, i, over, "arith.cmpi slt, %s, %s : %s", x, zero, type);
    } else {
      put_op(f, i, over, "arith.cmpi ult, %s, %s : %s", adds ? value : a, adds ? a : b, type);
    }
  }
  if (!is_sat) {
    fprintf(f->out, "  %%$v.%s = arith.addi %s, %s : %s\n", name_of(i), value, zero, type);
    number(f, 0, "i1", zero);
    fprintf(f->out, "  %%$o.%s = arith.ori %s, %s : i1\n", name_of(i), over, zero);
    return true;
  }
  if (is_signed) {
    number(f, width == 64 ? INT64_MIN : -(1ll << (width - 1)), type, least);
    number(f, width == 64 ? INT64_MAX : (1ll << (width - 1)) - 1, type, most);
    put_op(f, i, x, "arith.cmpi slt, %s, %s : %s", a, zero, type);
    put_op(f, i, bound, "arith.select %s, %s, %s : %s", x, least, most, type);
  } else {
    number(f, name[1] == 'a' ? -1 : 0, type, bound);
  }
  compare_select(f, i, over, bound, value, type);
  return true;
}

/* llvm.is.fpclass: the classes that isnan, isinf, isfinite and isnormal ask for, by LLVM's bits. */
static bool float_class(Function *f, LLVMValueRef i) {
  enum { IS_NAN = 3, IS_INFINITE = 516, IS_FINITE = 504, IS_NORMAL = 264 };
  char x[OPERAND], y[OPERAND], z[OPERAND], limit[OPERAND], type[TYPE_TEXT];
  LLVMValueRef value = LLVMGetOperand(i, 0);
  LLVMTypeRef real = LLVMTypeOf(value);
  long long mask = LLVMConstIntGetSExtValue(LLVMGetOperand(i, 1));
  if (!operand(f, value, x) || !value_type(f, value, type)) return false;
  real_number(f, LLVMConstRealOfString(real, "inf"), type, limit);
  put_op(f, i, y, "math.absf %s : %s", x, type);
  if (mask == IS_NORMAL) {
    put_op(f, i, y, "arith.cmpf olt, %s, %s : %s", y, limit, type);
    const char *least =
        !strcmp(type, "f32") ? "1.17549435082228750797e-38" : "2.2250738585072014e-308";
    real_number(f, LLVMConstRealOfString(real, least), type, limit);
    put_op(f, i, z, "math.absf %s : %s", x, type);
    put_op(f, i, z, "arith.cmpf oge, %s, %s : %s", z, limit, type);
    fprintf(f->out, "  %%%s = arith.andi %s, %s : i1", name_of(i), y, z);
  } else if (mask == IS_NAN) {
    fprintf(f->out, "  %%%s = arith.cmpf uno, %s, %s : %s", name_of(i), x, x, type);
  } else if (mask == IS_INFINITE || mask == IS_FINITE) {
    fprintf(f->out, "  %%%s = arith.cmpf %s, %s, %s : %s", name_of(i),
            mask == IS_FINITE ? "olt" : "oeq", y, limit, type);
  } else {
    return refuse(f, i, "C_CALL", "a test for these classes of floats");
  }
  put_place(f, i);
  return true;
}

/* May two pointers point into one memory? */
static bool share_memory(LLVMValueRef x, LLVMValueRef y) {
  Roots a, b;
  if (!roots_of(x, &a) || !roots_of(y, &b)) return false;
  for (unsigned i = 0; i < a.n; i++)
    for (unsigned k = 0; k < b.n; k++)
      if (a.at[i] == b.at[k]) return true;
  return false;
}

/* The address of something in a memory as a number: its bytes from the memory's start. What is done with it must not
 * depend on where that is: two of one memory are subtracted. */
static bool address(Function *f, LLVMValueRef i) {
  char index[OPERAND], bytes[OPERAND], type[TYPE_TEXT];
  Pointer p;
  LLVMValueRef pointer = LLVMGetOperand(i, 0);
  if (!follow(f, pointer, &p)) return false;
  for (LLVMUseRef use = LLVMGetFirstUse(i); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use),
                 left = LLVMIsABinaryOperator(user) ? LLVMGetOperand(user, 0) : NULL;
    LLVMValueRef other = left == i ? LLVMGetOperand(user, 1) : left;
    if (!left || LLVMGetInstructionOpcode(user) != LLVMSub || !LLVMIsAPtrToIntInst(other))
      return refuse(f, user, "C_POINTER", "an address is used as a number");
    if (!share_memory(pointer, LLVMGetOperand(other, 0)))
      return refuse(f, user, "C_TWO_MEMORIES", "pointers into two memories are subtracted");
  }
  if (!element_of(f, pointer, i, index) || !value_type(f, i, type)) return false;
  number(f, size_of(root_of(f, p.root)), type, bytes);
  put_op(f, i, index, "arith.index_cast %s : index to %s", index, type);
  fprintf(f->out, "  %%%s = arith.muli %s, %s : %s", name_of(i), index, bytes, type);
  put_place(f, i);
  return true;
}

/* Calls that only end the program, where it must not come to. */
static bool ends(const char *name) {
  static const char *const names[] = {"abort", "__assert_fail", "exit", "_exit", "llvm.trap"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(name, names[i])) return true;
  return false;
}

/* lround, lrint: a float, rounded, as an integer. */
static bool round_to_integer(Function *f, LLVMValueRef i, const char *op) {
  char x[OPERAND], type[TYPE_TEXT], to[TYPE_TEXT];
  LLVMValueRef value = LLVMGetOperand(i, 0);
  if (!operand(f, value, x) || !value_type(f, value, type) || !value_type(f, i, to)) return false;
  put_op(f, i, x, "%s %s : %s", op, x, type);
  fprintf(f->out, "  %%%s = arith.fptosi %s : %s to %s", name_of(i), x, type, to);
  put_place(f, i);
  return true;
}

static bool calls(LLVMValueRef caller, LLVMValueRef callee) {
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(caller); b; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
      if (LLVMIsACallInst(i) && LLVMGetCalledValue(i) == callee) return true;
  return false;
}

/* An empty piece of assembly that gives nothing: what keeps a compiler from moving code over it. */
static bool is_barrier(LLVMValueRef call, LLVMValueRef callee) {
  size_t length;
  LLVMGetInlineAsmAsmString(callee, &length);
  return !length && LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVoidTypeKind;
}

/* Can a block come to itself again? */
static bool is_in_loop(LLVMValueRef function, LLVMBasicBlockRef block) {
  unsigned n = 0, done = 0;
  LLVMBasicBlockRef *seen = calloc(LLVMCountBasicBlocks(function) + 1, sizeof *seen);
  bool found = false;
  if (!seen) abort();
  for (LLVMBasicBlockRef from = block; from && !found; from = done < n ? seen[done++] : NULL) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
    for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++) {
      LLVMBasicBlockRef to = LLVMGetSuccessor(end, s);
      bool is_known = false;
      for (unsigned k = 0; k < n; k++) is_known |= seen[k] == to;
      if (!is_known) seen[n++] = to;
      found |= to == block;
    }
  }
  free(seen);
  return found;
}

/* malloc, calloc, new: a local array of variable length. In a loop each would be another one, and all of them may be
 * there at once. */
static bool allocate(Function *f, LLVMValueRef i) {
  char count[OPERAND], factor[OPERAND], memref[64], zero[OPERAND], one[OPERAND], value[OPERAND];
  char elem[TYPE_TEXT];
  const Root *root = root_of(f, i);
  bool is_zeroed = LLVMGetNumArgOperands(i) == 2;
  if (is_in_loop(f->llvm, LLVMGetInstructionParent(i)))
    return refuse(f, i, "C_POINTER", "memory is asked for in a loop; ask for it once, before");
  if (!root->bytes) return true; /* never used */
  if (!index_of(f, allocated_bytes(i), i, count)) return false;
  if (is_zeroed) {
    if (!index_of(f, LLVMGetOperand(i, 0), i, factor)) return false;
    combine(f, "muli", count, factor, i, count);
  }
  number(f, root->bytes, "index", factor);
  if (root->bytes > 1) combine(f, "divui", count, factor, i, count);
  memref_text(root, memref);
  fprintf(f->out, "  %%%s = memref.alloca(%s) : %s", name_of(i), count, memref);
  put_place(f, i);
  if (!is_zeroed) return true;
  number(f, 0, "index", zero);
  number(f, 1, "index", one);
  type_text(root->type, elem);
  if (elem[0] == 'i')
    number(f, 0, elem, value);
  else
    real_number(f, LLVMConstNull(root->type), elem, value);
  unsigned k = f->next++;
  fprintf(f->out, "  scf.for %%$i%u = %s to %s step %s {\n", k, zero, count, one);
  fprintf(f->out, "    memref.store %s, %%%s[%%$i%u] : %s\n  }", value, name_of(i), k, memref);
  put_place(f, i);
  return true;
}

static bool convert_call(Function *f, LLVMValueRef i) {
  LLVMValueRef callee = LLVMGetCalledValue(i);
  const char *name = LLVMIsAFunction(callee) ? name_of(callee) : NULL;
  if (LLVMIsAInlineAsm(callee) && is_barrier(i, callee)) return true;
  if (LLVMIsAInlineAsm(callee)) return refuse(f, i, "C_UNSUPPORTED", "inline assembly");
  if (is_hint(name)) return true;
  if (allocated_bytes(i)) return allocate(f, i);
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
  if (starts(name, "llvm.lround.") || starts(name, "llvm.llround."))
    return round_to_integer(f, i, "math.round");
  if (starts(name, "llvm.lrint.") || starts(name, "llvm.llrint."))
    return round_to_integer(f, i, "math.roundeven");
  if (starts(name, "llvm.bswap.")) return swap_bytes(f, i);
  if (strstr(name, ".with.overflow.") || strstr(name, ".sat.")) return checked(f, i, name + 5);
  if (starts(name, "llvm.memset.") || !strcmp(name, "memset")) return in_memory(f, i, set_memory);
  if (starts(name, "llvm.memcpy.") || starts(name, "llvm.memmove."))
    return in_memory(f, i, copy_memory);
  if (starts(name, "llvm.is.fpclass.")) return float_class(f, i);
  if (ends(name)) {
    char no[OPERAND];
    number(f, 0, "i1", no);
    fprintf(f->out, "  cf.assert %s, \"%s\"", no, name);
    put_place(f, i);
    return true;
  }
  if (LLVMIsFunctionVarArg(LLVMGlobalGetValueType(callee)) && !LLVMIsDeclaration(callee))
    return refuse(f, i, "C_CALL", "a call of %s, which takes any number of arguments", name);
  if (callee == f->llvm || calls(callee, callee))
    return refuse(f, i, "C_RECURSION", "%s calls itself", name);
  if (!LLVMIsDeclaration(callee))
    return refuse(f, i, "C_RECURSION", "%s and a function that it calls call each other", name);
  return refuse(f, i, "C_CALL", "a call of %s, whose body is not here", name);
}

/* How many elements of the memory behind a pointer a value of this type takes; its bits as an integer type. */
static unsigned parts_of(Function *f, LLVMValueRef pointer, LLVMTypeRef type,
                         char bits[TYPE_TEXT]) {
  Pointer p;
  if (!follow(f, pointer, &p)) return 0;
  unsigned bytes = (unsigned)LLVMStoreSizeOfType(LLVMGetModuleDataLayout(f->module), type);
  snprintf(bits, TYPE_TEXT, "i%u", 8 * bytes);
  return bytes / root_of(f, p.root)->bytes;
}

/* What turns a value's bits in memory into its type, or back: integers of 7 bits lie in one byte, of 33 in five. */
static const char *as_op(LLVMTypeRef type, const char *text, const char *bits, bool loads) {
  bool is_integer = LLVMGetTypeKind(type) == LLVMIntegerTypeKind;
  bool is_cut = is_integer && bits[0] == 'i' && strcmp(text, bits);
  return !is_cut ? "arith.bitcast" : loads ? "arith.trunci" : "arith.extui";
}

/* The value of an instruction is that of another one, or its bits as another type. */
static void put_same(Function *f, LLVMValueRef i, const char *value, const char *from,
                     const char *to) {
  fprintf(f->out, "  %%%s = %s %s : %s to %s", name_of(i), as_op(LLVMTypeOf(i), to, from, true),
          value, from, to);
  put_place(f, i);
}

/* A value that is larger than an element: the lowest bits come first. */
static bool load_parts(Function *f, LLVMValueRef i, unsigned n, const char *elem,
                       const char *bits) {
  char place[2 * OPERAND], all[OPERAND] = "", one[OPERAND], by[OPERAND], type[TYPE_TEXT];
  if (!value_type(f, i, type)) return false;
  for (unsigned k = 0; k < n; k++) {
    if (!place_of(f, LLVMGetOperand(i, 0), i, k, place)) return false;
    put_op(f, i, one, "memref.load %s", place);
    put_op(f, i, one, "arith.extui %s : %s to %s", one, elem, bits);
    if (k) {
      number(f, (long long)k * atoi(elem + 1), bits, by);
      put_op(f, i, one, "arith.shli %s, %s : %s", one, by, bits);
      put_op(f, i, all, "arith.ori %s, %s : %s", all, one, bits);
    } else {
      memcpy(all, one, OPERAND);
    }
  }
  put_same(f, i, all, bits, type);
  return true;
}

static bool store_parts(Function *f, LLVMValueRef i, unsigned n, const char *elem,
                        const char *bits) {
  char place[2 * OPERAND], value[OPERAND], one[OPERAND], by[OPERAND], type[TYPE_TEXT];
  LLVMValueRef stored = LLVMGetOperand(i, 0);
  if (!operand(f, stored, value) || !value_type(f, stored, type)) return false;
  if (strcmp(type, bits))
    put_op(f, i, value, "%s %s : %s to %s", as_op(LLVMTypeOf(stored), type, bits, false), value,
           type, bits);
  for (unsigned k = 0; k < n; k++) {
    memcpy(one, value, OPERAND);
    number(f, (long long)k * atoi(elem + 1), bits, by);
    if (k) put_op(f, i, one, "arith.shrui %s, %s : %s", one, by, bits);
    put_op(f, i, one, "arith.trunci %s : %s to %s", one, bits, elem);
    if (!place_of(f, LLVMGetOperand(i, 1), i, k, place)) return false;
    fprintf(f->out, "  memref.store %s, %s", one, place);
    put_place(f, i);
  }
  return true;
}

static bool convert_load(Function *f, LLVMValueRef i) {
  char place[2 * OPERAND], type[TYPE_TEXT], elem[TYPE_TEXT], bits[TYPE_TEXT], as_is[OPERAND];
  Pointer p;
  if (!value_type(f, i, type) || !follow(f, LLVMGetOperand(i, 0), &p)) return false;
  type_text(root_of(f, p.root)->type, elem);
  unsigned n = parts_of(f, LLVMGetOperand(i, 0), LLVMTypeOf(i), bits);
  if (n > 1) return load_parts(f, i, n, elem, bits);
  if (!place_of(f, LLVMGetOperand(i, 0), i, 0, place)) return false;
  if (!strcmp(type, elem)) {
    fprintf(f->out, "  %%%s = memref.load %s", name_of(i), place);
    put_place(f, i);
    return true;
  }
  put_op(f, i, as_is, "memref.load %s", place);
  put_same(f, i, as_is, elem, type);
  return true;
}

static bool convert_store(Function *f, LLVMValueRef i) {
  char place[2 * OPERAND], value[OPERAND], type[TYPE_TEXT], elem[TYPE_TEXT], bits[TYPE_TEXT];
  LLVMValueRef stored = LLVMGetOperand(i, 0), pointer = LLVMGetOperand(i, 1);
  Pointer p;
  if (!operand(f, stored, value) || !value_type(f, stored, type) || !follow(f, pointer, &p))
    return false;
  type_text(root_of(f, p.root)->type, elem);
  unsigned n = parts_of(f, pointer, LLVMTypeOf(stored), bits);
  if (n > 1) return store_parts(f, i, n, elem, bits);
  if (!place_of(f, pointer, i, 0, place)) return false;
  if (strcmp(type, elem))
    put_op(f, i, value, "%s %s : %s to %s", as_op(LLVMTypeOf(stored), type, elem, false), value,
           type, elem);
  fprintf(f->out, "  memref.store %s, %s", value, place);
  put_place(f, i);
  return true;
}

/* Pointers are numbers of elements, which may be negative: one before the first is where a loop ends that goes down. */
static const char *icmp_text(LLVMIntPredicate p, bool is_pointer) {
  static const char *const texts[] = {"eq",  "ne",  "ugt", "uge", "ult",
                                      "ule", "sgt", "sge", "slt", "sle"};
  bool is_unsigned = p >= LLVMIntUGT && p <= LLVMIntULE;
  return texts[p - LLVMIntEQ + (is_pointer && is_unsigned ? LLVMIntSGT - LLVMIntUGT : 0)];
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
  if (!is_pointer || !is_open(i)) return true;
  if (!memory_of(f, LLVMGetOperand(i, 1), x) || !memory_of(f, LLVMGetOperand(i, 2), y))
    return false;
  fprintf(f->out, "  %%$r.%s = arith.select %s, %s, %s : i32", name_of(i), c, x, y);
  put_place(f, i);
  return true;
}

/* What a branch passes: values, and their types. */
typedef struct {
  char values[8192], types[2048];
} Passed;

static bool pass(Function *f, LLVMValueRef phi, Passed *passed, const char *value,
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
static bool put_target(Function *f, LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
  Passed passed = {"", ""};
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
    if (!pass(f, i, &passed, value, type)) return false;
    if (is_pointer && is_open(i) &&
        (!memory_of(f, given, value) || !pass(f, i, &passed, value, "i32")))
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
  default: return refuse(f, end, "C_UNSUPPORTED", "a branch of this kind");
  }
  put_place(f, end);
  return true;
}

/* The elements of a local array of variable length. */
static bool put_extent(Function *f, LLVMValueRef i, const Root *root, char count[OPERAND]) {
  char factor[OPERAND];
  unsigned long long bytes =
      LLVMABISizeOfType(LLVMGetModuleDataLayout(f->module), LLVMGetAllocatedType(i));
  if (!index_of(f, LLVMGetOperand(i, 0), i, count)) return false;
  if (bytes == root->bytes) return true;
  bool is_less = bytes < root->bytes; /* __builtin_alloca counts bytes */
  number(f, (long long)(is_less ? root->bytes / bytes : bytes / root->bytes), "index", factor);
  combine(f, is_less ? "divui" : "muli", count, factor, i, count);
  return true;
}

/* Which is first, or whether they are the same: by the numbers of elements, and where the memory is open by that, too. */
static bool compare_pointers(Function *f, LLVMValueRef i) {
  char a[OPERAND], b[OPERAND], c[OPERAND];
  LLVMValueRef x = LLVMGetOperand(i, 0), y = LLVMGetOperand(i, 1);
  bool is_null = LLVMIsNull(x) || LLVMIsNull(y);
  LLVMIntPredicate order = LLVMGetICmpPredicate(i);
  const char *predicate = icmp_text(order, true);
  Roots roots;
  if (is_null && roots_of(LLVMIsNull(x) ? y : x, &roots) && !roots.has_null) {
    number(f, order == LLVMIntNE, "i1", a); /* a memory is always there */
    fprintf(f->out, "  %%%s = arith.andi %s, %s : i1", name_of(i), a, a);
    put_place(f, i);
    return true;
  }
  if (!element_of(f, x, i, a) || !element_of(f, y, i, b)) return false;
  if (!is_null && !share_memory(x, y))
    return refuse(f, i, "C_TWO_MEMORIES", "pointers into two memories are compared");
  bool is_equality = order == LLVMIntEQ || order == LLVMIntNE;
  if (!is_null && is_equality && (is_open(x) || is_open(y))) {
    char nowhere[OPERAND], same[OPERAND], one[OPERAND];
    number(f, NOWHERE, "index", nowhere);
    put_op(f, i, same, "arith.cmpi eq, %s, %s : index", a, b);
    put_op(f, i, nowhere, "arith.cmpi eq, %s, %s : index", a, nowhere); /* NULL is in no memory */
    if (!memory_of(f, x, a) || !memory_of(f, y, b)) return false;
    put_op(f, i, c, "arith.cmpi eq, %s, %s : i32", a, b);
    put_op(f, i, c, "arith.ori %s, %s : i1", c, nowhere);
    put_op(f, i, same, "arith.andi %s, %s : i1", same, c);
    number(f, order == LLVMIntNE, "i1", one);
    fprintf(f->out, "  %%%s = arith.xori %s, %s : i1", name_of(i), same, one);
  } else {
    fprintf(f->out, "  %%%s = arith.cmpi %s, %s, %s : index", name_of(i), predicate, a, b);
  }
  put_place(f, i);
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
  case LLVMExtractValue:
    return LLVMIsACallInst(LLVMGetOperand(i, 0))
               ? true
               : refuse(f, i, "C_TYPE", "part of a struct that is no memory");
  case LLVMPtrToInt: return address(f, i);
  case LLVMFNeg: return unary(f, i, "arith.negf", LLVMGetOperand(i, 0));
  case LLVMLoad: return in_memory(f, i, convert_load);
  case LLVMStore: return in_memory(f, i, convert_store);
  case LLVMSelect: return convert_select(f, i);
  case LLVMCall: return convert_call(f, i);
  case LLVMAlloca: {
    const Root *root = root_of(f, i);
    char memref[64];
    if (!root->bytes) return true; /* never used */
    memref_text(root, memref);
    if (root->extent < 0 && !put_extent(f, i, root, a)) return false;
    fprintf(f->out, "  %%%s = memref.alloca(%s) : %s", name_of(i), root->extent < 0 ? a : "",
            memref);
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
    if (LLVMGetTypeKind(LLVMTypeOf(x)) == LLVMPointerTypeKind) return compare_pointers(f, i);
    if (!operand(f, x, a) || !operand(f, LLVMGetOperand(i, 1), b) || !value_type(f, x, type))
      return false;
    fprintf(f->out, "  %%%s = arith.cmp%c %s, %s, %s : %s", name_of(i),
            opcode == LLVMICmp ? 'i' : 'f',
            opcode == LLVMICmp ? icmp_text(LLVMGetICmpPredicate(i), false)
                               : fcmp_text(LLVMGetFCmpPredicate(i)),
            a, b, type);
    put_place(f, i);
    return true;
  }
  default: break;
  }
  if (LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMVectorTypeKind || opcode == LLVMExtractElement)
    return refuse(f, i, "C_TYPE", "a vector");
  if (opcode == LLVMAtomicRMW || opcode == LLVMAtomicCmpXchg || opcode == LLVMFence)
    return refuse(f, i, "C_UNSUPPORTED", "an atomic access");
  char *shown = LLVMPrintValueToString(i);
  refuse(f, i, "C_UNSUPPORTED", "there is no operation for%s", shown);
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
      if (LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMPointerTypeKind && is_open(i))
        fprintf(f->out, ", %%$r.%s: i32", name_of(i));
      any = true;
    }
    fprintf(f->out, any ? "):\n" : ":\n");
  }
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
    if (!convert_instruction(f, block, i)) return false;
  return true;
}

static bool has_local(LLVMValueRef function, const char *name) {
  for (unsigned i = 0; i < LLVMCountParams(function); i++)
    if (!strcmp(name_of(LLVMGetParam(function, i)), name)) return true;
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
      if (!strcmp(name_of(i), name)) return true;
  return false;
}

/* A name that no local of the function has: C lets a local hide a global that an inlined function uses. */
static void name_global(LLVMValueRef function, LLVMValueRef global) {
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
static void name_globals(Function *f) {
  for (unsigned i = 0; i < f->nroots; i++) {
    const Root *root = &f->roots[i];
    if (!LLVMIsAGlobalVariable(root->value) || !root->bytes) continue;
    const Global *global = global_of(f, root);
    fprintf(f->constants, "  %%%s = memref.get_global @%s : %s", name_of(root->value),
            global->symbol, global->memref);
    FILE *body = f->out;
    f->out = f->constants;
    put_place(f, f->llvm);
    f->out = body;
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
    if (!type_text(result, type)) return refuse(f, f->llvm, "C_TYPE", "a result of this type");
    fprintf(out, " -> %s", type);
  }
  put_declared(f->llvm, out);
  fprintf(out, " {\n");
  return true;
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
  if (!is_number)
    return refuse(f, f->llvm, "C_TABLE", "a table with something else than numbers in it");
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

static bool put_globals(Function *f, FILE *out) {
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

/* What C hands over by value and LLVM has in several registers. A struct of up to eight bytes is one integer, a larger
 * one a memory. */
static bool check_signature(Function *f) {
  LLVMTypeRef type = LLVMGlobalGetValueType(f->llvm), result = LLVMGetReturnType(type);
  LLVMTypeKind kind = LLVMGetTypeKind(result);
  unsigned bits = kind == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(result) : 0;
  if (LLVMIsFunctionVarArg(type))
    return refuse(f, f->llvm, "C_TYPE", "a function with any number of arguments");
  if (kind == LLVMPointerTypeKind)
    return refuse(f, f->llvm, "C_POINTER", "%s returns a pointer; let it return an index, or nothing",
                  name_of(f->llvm));
  if (kind == LLVMStructTypeKind || kind == LLVMVectorTypeKind || (bits < 64 && bits & (bits - 1)))
    return refuse(f, f->llvm, "C_TYPE",
                  "what %s returns is no single number; let it write through a pointer",
                  name_of(f->llvm));
  for (unsigned i = 0; i < LLVMCountParams(f->llvm); i++)
    if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetParam(f->llvm, i))) == LLVMVectorTypeKind)
      return refuse(f, f->llvm, "C_TYPE",
                    "%s is handed a struct of floats or a vector by value; hand it a pointer",
                    name_of(f->llvm));
  return true;
}

typedef struct {
  LLVMBasicBlockRef block;
  bool ends;
} End;

static int by_address(const void *a, const void *b) {
  LLVMBasicBlockRef x = ((const End *)a)->block, y = ((const End *)b)->block;
  return (x > y) - (x < y);
}

static bool *ends_at(End *blocks, unsigned n, LLVMBasicBlockRef block) {
  End *found = bsearch(&(End){block, false}, blocks, n, sizeof *blocks, by_address);
  return &found->ends;
}

/* From each block there must be a way to an end of the function. Found from the last block to the first, as often as
 * that tells something new. */
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
      bool ends = !nnext, *known = ends_at(blocks, n, b);
      for (unsigned s = 0; s < nnext; s++) ends |= *ends_at(blocks, n, LLVMGetSuccessor(end, s));
      if (ends && !*known) changed = *known = true;
    }
  }
  for (b = LLVMGetFirstBasicBlock(f->llvm); b && *ends_at(blocks, n, b);)
    b = LLVMGetNextBasicBlock(b);
  free(blocks);
  return !b || refuse(f, LLVMGetBasicBlockTerminator(b), "C_ENDLESS", "a loop without an end");
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
    put_place(&f, function);
  }
  for (unsigned i = 0; i < f.room; i++) free(f.known[i]);
  free(f.known);
  free(f.roots);
  free(body);
  free(constants);
  return good;
}
