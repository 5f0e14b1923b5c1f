/* calls.c -- calls: of mathematical functions, LLVM's intrinsics, and functions that end the
 * program.
 *
 *     %r = call float @llvm.sqrt.f32(float %x)      %r = math.sqrt %x : f32
 *     %r = call i32 @llvm.fshl.i32(...)             shifts and an or
 *     call void @abort()                            cf.assert false, "abort"
 *
 * Functions that are defined in the C file were inlined before. A call of one that is left is
 * refused: it is recursive, directly or through others, or variadic. */
#include "emit.h"

#include <stdint.h>
#include <string.h>

/* ---- functions that are one operation ------------------------------------------------------------ */

/* Functions of one, two and three arguments of one type: intrinsics without their type suffix, and
 * C functions for which LLVM 19 has no intrinsic, without the f of floats. rint and nearbyint are
 * taken in the default rounding mode. */
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

/* The op of a function, by its full name: "llvm.sqrt.f32", "cbrt", "cbrtf". NULL: none. */
static const char *function_op(const char *name) {
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    size_t n = strlen(functions[i].name);
    if (strncmp(name, functions[i].name, n)) continue;
    if (!strncmp(name, "llvm.", 5) ? name[n] == '.' : !name[n] || !strcmp(name + n, "f"))
      return functions[i].op;
  }
  return NULL;
}

/* Calls that are dropped: debug information, hints, and the release of memory. */
static bool is_ignored(const char *name) {
  return starts_with(name, "llvm.dbg.") || starts_with(name, "llvm.lifetime.") ||
         starts_with(name, "llvm.assume") || starts_with(name, "llvm.experimental.noalias") ||
         starts_with(name, "llvm.threadlocal.address") || starts_with(name, "llvm.stacksave") ||
         starts_with(name, "llvm.stackrestore") || !strcmp(name, "free") ||
         starts_with(name, "_Zdl") || starts_with(name, "_Zda");
}

/* ---- intrinsics that are several operations ------------------------------------------------------ */

/* llvm.fshl and fshr: shift the concatenation of two values by an amount modulo the width, and take
 * the high (fshl) or low word. An amount of 0 is a select: a shift by the whole width is undefined.
 */
static bool funnel_shift(Function *f, LLVMValueRef i, bool left) {
  char high[OPERAND], low[OPERAND], by[OPERAND], width[OPERAND], zero[OPERAND], type[TYPE_TEXT];
  char mod[OPERAND], rest[OPERAND], a[OPERAND], b[OPERAND], both[OPERAND], none[OPERAND];
  if (!operand(f, LLVMGetOperand(i, 0), high) || !operand(f, LLVMGetOperand(i, 1), low) ||
      !operand(f, LLVMGetOperand(i, 2), by) || !value_type(f, i, type))
    return false;
  int_constant(f, LLVMGetIntTypeWidth(LLVMTypeOf(i)), type, width);
  int_constant(f, 0, type, zero);
  new_name(f, mod), new_name(f, rest), new_name(f, a), new_name(f, b), new_name(f, both),
      new_name(f, none);
  fprintf(f->out, "  %s = arith.remui %s, %s : %s\n", mod, by, width, type);
  fprintf(f->out, "  %s = arith.subi %s, %s : %s\n", rest, width, mod, type);
  fprintf(f->out, "  %s = arith.shli %s, %s : %s\n", a, high, left ? mod : rest, type);
  fprintf(f->out, "  %s = arith.shrui %s, %s : %s\n", b, low, left ? rest : mod, type);
  fprintf(f->out, "  %s = arith.ori %s, %s : %s\n", both, a, b, type);
  fprintf(f->out, "  %s = arith.cmpi eq, %s, %s : %s\n", none, mod, zero, type);
  return put_result(f, i, "arith.select %s, %s, %s : %s", none, left ? high : low, both, type);
}

/* llvm.bswap: reverses the bytes. */
static bool swap_bytes(Function *f, LLVMValueRef i) {
  char x[OPERAND], all[OPERAND], one[OPERAND], by[OPERAND], mask[OPERAND], zero[OPERAND],
      type[TYPE_TEXT];
  if (!operand(f, LLVMGetOperand(i, 0), x) || !value_type(f, i, type)) return false;
  unsigned bytes = LLVMGetIntTypeWidth(LLVMTypeOf(i)) / 8;
  int_constant(f, 255, type, mask);
  int_constant(f, 0, type, zero);
  memcpy(all, zero, OPERAND);
  for (unsigned k = 0; k < bytes; k++) {
    int_constant(f, 8 * k, type, by);
    put_op(f, i, one, "arith.shrui %s, %s : %s", x, by, type);
    put_op(f, i, one, "arith.andi %s, %s : %s", one, mask, type);
    int_constant(f, 8 * (bytes - 1 - k), type, by);
    put_op(f, i, one, "arith.shli %s, %s : %s", one, by, type);
    put_op(f, i, all, "arith.ori %s, %s : %s", all, one, type);
  }
  return put_result(f, i, "arith.ori %s, %s : %s", all, zero, type);
}

/* llvm.{s,u}{add,sub,mul}.with.overflow: two results, %$v.NAME, the wrapped value, and %$o.NAME,
 * whether it overflowed. llvm.{s,u}{add,sub}.sat: the wrapped value, or on overflow the least or
 * greatest of the type. `name` is "sadd.with.overflow.i32". Signed sums overflow where both
 * operands have the other sign than the result (Hacker's Delight, overflow detection); products
 * where the high half is not the extension of the low one. */
static bool checked_arithmetic(Function *f, LLVMValueRef i, const char *name) {
  char a[OPERAND], b[OPERAND], value[OPERAND], over[OPERAND], x[OPERAND], y[OPERAND], zero[OPERAND];
  char type[TYPE_TEXT], bound[OPERAND], least[OPERAND], most[OPERAND];
  bool is_signed = name[0] == 's', is_sat = strstr(name, ".sat.") != NULL;
  LLVMValueRef left = LLVMGetOperand(i, 0);
  if (!operand(f, left, a) || !operand(f, LLVMGetOperand(i, 1), b) || !value_type(f, left, type))
    return false;
  unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(left));
  int_constant(f, 0, type, zero);
  if (!strncmp(name + 1, "mul", 3)) {
    char high[OPERAND], sign[OPERAND];
    unsigned k = f->next++;
    fprintf(f->out, "  %%$l%u, %%$h%u = arith.mul%ci_extended %s, %s : %s", k, k,
            is_signed ? 's' : 'u', a, b, type);
    put_loc(f, i);
    snprintf(value, sizeof value, "%%$l%u", k);
    snprintf(high, sizeof high, "%%$h%u", k);
    int_constant(f, width - 1, type, x);
    memcpy(sign, zero, OPERAND);
    if (is_signed) put_op(f, i, sign, "arith.shrsi %s, %s : %s", value, x, type);
    put_op(f, i, over, "arith.cmpi ne, %s, %s : %s", high, sign, type);
  } else {
    bool adds = !strncmp(name + 1, "add", 3);
    put_op(f, i, value, "arith.%s %s, %s : %s", adds ? "addi" : "subi", a, b, type);
    if (is_signed) { /* sum: (a ^ v) & (b ^ v) < 0; difference: (a ^ b) & (a ^ v) < 0 */
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
    int_constant(f, 0, "i1", zero);
    fprintf(f->out, "  %%$o.%s = arith.ori %s, %s : i1\n", name_of(i), over, zero);
    return true;
  }
  if (is_signed) {
    int_constant(f, width == 64 ? INT64_MIN : -(1ll << (width - 1)), type, least);
    int_constant(f, width == 64 ? INT64_MAX : (1ll << (width - 1)) - 1, type, most);
    put_op(f, i, x, "arith.cmpi slt, %s, %s : %s", a, zero, type);
    put_op(f, i, bound, "arith.select %s, %s, %s : %s", x, least, most, type);
  } else {
    int_constant(f, name[1] == 'a' ? -1 : 0, type, bound);
  }
  return put_result(f, i, "arith.select %s, %s, %s : %s", over, bound, value, type);
}

/* Not llvm.sshl.sat, smul.fix.sat, fptosi.sat and the like. */
static bool is_checked_arithmetic(const char *name) {
  if (!starts_with(name, "llvm.s") && !starts_with(name, "llvm.u")) return false;
  const char *op = name + 6;
  bool adds = starts_with(op, "add.") || starts_with(op, "sub.");
  return (adds && starts_with(op + 4, "sat.")) ||
         ((adds || starts_with(op, "mul.")) && starts_with(op + 4, "with.overflow."));
}

/* llvm.is.fpclass: the sets of classes that isnan, isinf, isfinite and isnormal test; other sets
 * are refused. */
static bool float_class(Function *f, LLVMValueRef i) {
  /* LLVM's FPClassTest: bits 0, 1 NaN; 2, 9 infinite; 3, 8 normal; 4, 7 subnormal; 5, 6 zero */
  enum { IS_NAN = 3, IS_INFINITE = 516, IS_FINITE = 504, IS_NORMAL = 264 };
  char x[OPERAND], y[OPERAND], z[OPERAND], limit[OPERAND], type[TYPE_TEXT];
  LLVMValueRef value = LLVMGetOperand(i, 0);
  LLVMTypeRef real = LLVMTypeOf(value);
  long long mask = LLVMConstIntGetSExtValue(LLVMGetOperand(i, 1));
  if (!operand(f, value, x) || !value_type(f, value, type)) return false;
  float_constant(f, LLVMConstRealOfString(real, "inf"), type, limit);
  put_op(f, i, y, "math.absf %s : %s", x, type);
  if (mask == IS_NORMAL) {
    put_op(f, i, y, "arith.cmpf olt, %s, %s : %s", y, limit, type);
    /* the least normal number: 2^-14, 2^-1022, or 2^-126 of both f32 and bf16 */
    const char *least = !strcmp(type, "f16")   ? "6.103515625e-05"
                        : !strcmp(type, "f64") ? "2.2250738585072014e-308"
                                               : "1.17549435082228750797e-38";
    float_constant(f, LLVMConstRealOfString(real, least), type, limit);
    put_op(f, i, z, "math.absf %s : %s", x, type);
    put_op(f, i, z, "arith.cmpf oge, %s, %s : %s", z, limit, type);
    return put_result(f, i, "arith.andi %s, %s : i1", y, z);
  }
  if (mask == IS_NAN) return put_result(f, i, "arith.cmpf uno, %s, %s : %s", x, x, type);
  if (mask == IS_INFINITE || mask == IS_FINITE)
    return put_result(f, i, "arith.cmpf %s, %s, %s : %s", mask == IS_FINITE ? "olt" : "oeq", y,
                      limit, type);
  return refuse(f, i, "C_CALL", "a test for these classes of floats is not supported");
}

/* lround, lrint and their ll forms: rounds by `op`, then converts to an integer. */
static bool round_to_integer(Function *f, LLVMValueRef i, const char *op) {
  char x[OPERAND], type[TYPE_TEXT], to[TYPE_TEXT];
  LLVMValueRef value = LLVMGetOperand(i, 0);
  if (!operand(f, value, x) || !value_type(f, value, type) || !value_type(f, i, to)) return false;
  put_op(f, i, x, "%s %s : %s", op, x, type);
  return put_result(f, i, "arith.fptosi %s : %s to %s", x, type, to);
}

/* ---- calls --------------------------------------------------------------------------------------- */

/* Calls that end the program: a cf.assert that always fails. */
static bool ends_program(const char *name) {
  static const char *const names[] = {"abort", "__assert_fail", "exit", "_exit", "llvm.trap"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(name, names[i])) return true;
  return false;
}

static bool calls(LLVMValueRef caller, LLVMValueRef callee) {
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(caller); b; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
      if (LLVMIsACallInst(i) && LLVMGetCalledValue(i) == callee) return true;
  return false;
}

/* Empty inline assembly without a result, a compiler barrier: it is dropped. */
static bool is_barrier(LLVMValueRef call, LLVMValueRef callee) {
  size_t length;
  LLVMGetInlineAsmAsmString(callee, &length);
  return !length && LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVoidTypeKind;
}

bool convert_call(Function *f, LLVMValueRef i) {
  LLVMValueRef callee = LLVMGetCalledValue(i);
  const char *name = LLVMIsAFunction(callee) ? name_of(callee) : NULL;
  if (LLVMIsAInlineAsm(callee) && is_barrier(i, callee)) return true;
  if (LLVMIsAInlineAsm(callee))
    return refuse(f, i, "C_UNSUPPORTED", "inline assembly is not supported");
  if (is_ignored(name)) return true;
  if (allocated_bytes(i)) return convert_allocation(f, i);
  const char *op = function_op(name);
  unsigned n = LLVMGetNumArgOperands(i);
  if (op && n == 1) return put_unary(f, i, op, LLVMGetOperand(i, 0));
  if (op && n == 2) return put_binary(f, i, op, LLVMGetOperand(i, 0), LLVMGetOperand(i, 1));
  if (op && n == 3) {
    char a[OPERAND], b[OPERAND], c[OPERAND], type[TYPE_TEXT];
    if (!operand(f, LLVMGetOperand(i, 0), a) || !operand(f, LLVMGetOperand(i, 1), b) ||
        !operand(f, LLVMGetOperand(i, 2), c) || !value_type(f, i, type))
      return false;
    return put_result(f, i, "%s %s, %s, %s : %s", op, a, b, c, type);
  }
  /* their second argument makes a special case poison; here it is always defined, which is allowed
   */
  if (starts_with(name, "llvm.abs.")) return put_unary(f, i, "math.absi", LLVMGetOperand(i, 0));
  if (starts_with(name, "llvm.ctlz.")) return put_unary(f, i, "math.ctlz", LLVMGetOperand(i, 0));
  if (starts_with(name, "llvm.cttz.")) return put_unary(f, i, "math.cttz", LLVMGetOperand(i, 0));
  if (starts_with(name, "llvm.fshl.")) return funnel_shift(f, i, true);
  if (starts_with(name, "llvm.fshr.")) return funnel_shift(f, i, false);
  if (starts_with(name, "llvm.lround.") || starts_with(name, "llvm.llround."))
    return round_to_integer(f, i, "math.round");
  if (starts_with(name, "llvm.lrint.") || starts_with(name, "llvm.llrint."))
    return round_to_integer(f, i, "math.roundeven");
  if (starts_with(name, "llvm.bswap.")) return swap_bytes(f, i);
  if (is_checked_arithmetic(name)) return checked_arithmetic(f, i, name + 5);
  if (starts_with(name, "llvm.memset.") || !strcmp(name, "memset")) return convert_memset(f, i);
  if (starts_with(name, "llvm.memcpy.") || starts_with(name, "llvm.memmove."))
    return convert_memcpy(f, i);
  if (starts_with(name, "llvm.is.fpclass.")) return float_class(f, i);
  if (ends_program(name)) {
    char no[OPERAND];
    int_constant(f, 0, "i1", no);
    fprintf(f->out, "  cf.assert %s, \"%s\"", no, name);
    put_loc(f, i);
    return true;
  }
  if (LLVMIsFunctionVarArg(LLVMGlobalGetValueType(callee)) && !LLVMIsDeclaration(callee))
    return refuse(f, i, "C_CALL", "cannot call %s: variadic functions are not supported", name);
  if (callee == f->llvm || calls(callee, callee))
    return refuse(f, i, "C_RECURSION", "%s calls itself, but recursion is not supported", name);
  if (!LLVMIsDeclaration(callee))
    return refuse(f, i, "C_RECURSION",
                  "%s calls itself through another function, but recursion is not supported", name);
  return refuse(f, i, "C_CALL", "cannot call %s: its body is not in this file", name);
}
