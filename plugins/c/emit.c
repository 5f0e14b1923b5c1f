/* emit.c -- what every piece of MLIR is made of: places, names, types, operands, and constants.
 *
 *     %x = arith.addi %i, %$c4_i32 : i32 loc("f.c":3:9)
 *
 * Names are LLVM's, which are those of the C file; `$` begins those that are made here. A constant
 * is named after its value and type, and stands in the first block, once. */
#include "emit.h"

#include <ctype.h>
#include <llvm-c/DebugInfo.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- places -------------------------------------------------------------------------------------- */

/* What LLVM made itself, a phi or a select, is where it is used first. */
static LLVMValueRef instruction_with_loc(LLVMValueRef v) {
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
  at = instruction_with_loc(at);
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

static void put_quoted(const char *text, int length, FILE *out) {
  fputc('"', out);
  for (const char *c = text; c < text + length; c++)
    fprintf(out, strchr("\"\\", *c) || (unsigned char)*c < ' ' ? "\\%02X" : "%c",
            (unsigned char)*c);
  fputc('"', out);
}

void put_loc(Function *f, LLVMValueRef at) {
  unsigned column, line = line_of(f, at, &column);
  int length;
  const char *file = file_of(f, at, &length);
  fprintf(f->out, " loc(");
  put_quoted(file, length, f->out);
  fprintf(f->out, ":%u:%u)\n", line, column ? column : 1);
}

/* ---- names --------------------------------------------------------------------------------------- */

static bool is_name(const char *name, size_t length) {
  if (!length || length > MAX_NAME || (!isalpha((unsigned char)name[0]) && name[0] != '_'))
    return false;
  for (size_t i = 0; i < length; i++)
    if (!isalnum((unsigned char)name[i]) && !strchr("._-", name[i])) return false;
  return true;
}

/* The name of a function stays as it is: C allows letters of all alphabets in it, an asm label what
 * you will. */
void put_symbol(const char *name, FILE *out) {
  fputc('@', out);
  if (isalpha((unsigned char)*name) || *name == '_') {
    const char *c = name;
    while (isalnum((unsigned char)*c) || (*c && strchr("._$-", *c))) c++;
    if (!*c) {
      fputs(name, out);
      return;
    }
  }
  put_quoted(name, (int)strlen(name), out);
}

/* LLVM keeps names different from one another. */
void name_value(LLVMValueRef v, const char *otherwise) {
  size_t length;
  const char *name = LLVMGetValueName2(v, &length);
  if (!is_name(name, length)) LLVMSetValueName2(v, otherwise, strlen(otherwise));
}

void name_all(LLVMValueRef function) {
  for (unsigned i = 0; i < LLVMCountParams(function); i++)
    name_value(LLVMGetParam(function, i), "arg");
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
    name_value(LLVMBasicBlockAsValue(b), "block");
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
      if (LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVoidTypeKind) name_value(i, "v");
  }
}

const char *name_of(LLVMValueRef v) {
  size_t length;
  return LLVMGetValueName2(v, &length);
}

bool starts_with(const char *name, const char *with) {
  return !strncmp(name, with, strlen(with));
}

void new_name(Function *f, char out[OPERAND]) {
  snprintf(out, OPERAND, "%%$%u", f->next++);
}

/* ---- types --------------------------------------------------------------------------------------- */

bool type_text(LLVMTypeRef type, char out[TYPE_TEXT]) {
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
bool value_type(Function *f, LLVMValueRef v, char out[TYPE_TEXT]) {
  if (is_pointer(v)) {
    snprintf(out, TYPE_TEXT, "index"); /* a phi or select of pointers: the number of an element */
    return true;
  }
  if (type_text(LLVMTypeOf(v), out)) return true;
  bool is_integer = LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMIntegerTypeKind;
  unsigned bits = is_integer ? LLVMGetIntTypeWidth(LLVMTypeOf(v)) : 0;
  if (bits > 64 && bits != 128)
    return refuse(f, v, "C_TYPE", "adjacent bit-fields share %u bits; the limit is 64", bits);
  char *shown = LLVMPrintTypeToString(LLVMTypeOf(v));
  bool is_long_double = LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMX86_FP80TypeKind;
  refuse(f, v, "C_TYPE", "values of type %s are not supported",
         is_long_double ? "long double" : shown);
  LLVMDisposeMessage(shown);
  return false;
}

/* The memref of a root. One that is not accessed is of bytes. */
void memref_text(const Root *root, char out[64]) {
  char elem[TYPE_TEXT] = "i8";
  if (root->type) type_text(root->type, elem);
  if (root->extent < 0)
    snprintf(out, 64, "memref<?x%s>", elem);
  else
    snprintf(out, 64, "memref<%lldx%s>", root->extent, elem);
}

/* ---- operands ------------------------------------------------------------------------------------ */

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

void int_constant(Function *f, long long value, const char *type, char out[OPERAND]) {
  char text[64];
  snprintf(out, OPERAND, "%%$%s%llu_%s", value < 0 ? "m" : "c",
           value < 0 ? 0 - (unsigned long long)value : (unsigned long long)value, type);
  if (!strcmp(type, "i1"))
    snprintf(text, sizeof text, "%s", value ? "true" : "false");
  else
    snprintf(text, sizeof text, "%lld : %s", value, type);
  constant(f, out, text);
}

void float_constant(Function *f, LLVMValueRef v, const char *type, char out[OPERAND]) {
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
bool operand(Function *f, LLVMValueRef v, char out[OPERAND]) {
  char type[TYPE_TEXT];
  if (!value_type(f, v, type)) return false;
  if (LLVMIsAConstantInt(v)) {
    int_constant(f, LLVMConstIntGetSExtValue(v), type, out);
  } else if (LLVMIsAConstantFP(v)) {
    float_constant(f, v, type, out);
  } else if (LLVMIsAUndefValue(v) || LLVMIsNull(v)) {
    if (type[0] == 'f' || type[0] == 'b')
      float_constant(f, LLVMConstNull(LLVMTypeOf(v)), type, out);
    else
      int_constant(f, 0, type, out);
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

/* ---- operations ---------------------------------------------------------------------------------- */

static void put_line(Function *f, LLVMValueRef at, const char *name, const char *format,
                     va_list args) {
  fprintf(f->out, "  %s = ", name);
  vfprintf(f->out, format, args);
  put_loc(f, at);
}

void put_op(Function *f, LLVMValueRef at, char made[OPERAND], const char *format, ...) {
  char name[OPERAND];
  va_list args;
  new_name(f, name);
  va_start(args, format);
  put_line(f, at, name, format, args); /* may name what `made` was */
  va_end(args);
  memcpy(made, name, OPERAND);
}

bool put_result(Function *f, LLVMValueRef i, const char *format, ...) {
  char name[OPERAND];
  va_list args;
  snprintf(name, sizeof name, "%%%s", name_of(i));
  va_start(args, format);
  put_line(f, i, name, format, args);
  va_end(args);
  return true;
}

bool put_unary(Function *f, LLVMValueRef i, const char *op, LLVMValueRef x) {
  char a[OPERAND], type[TYPE_TEXT];
  if (!operand(f, x, a) || !value_type(f, i, type)) return false;
  return put_result(f, i, "%s %s : %s", op, a, type);
}

bool put_binary(Function *f, LLVMValueRef i, const char *op, LLVMValueRef x, LLVMValueRef y) {
  char a[OPERAND], b[OPERAND], type[TYPE_TEXT];
  if (!operand(f, x, a) || !operand(f, y, b) || !value_type(f, x, type)) return false;
  return put_result(f, i, "%s %s, %s : %s", op, a, b, type);
}
