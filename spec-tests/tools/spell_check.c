/* spell_check.c -- does the C text of every pure op compute what the interpreter computes?
 *
 *     spell-check gcc clang tcc          104 passed, 0 failed     (one a compiler and op)
 *     spell-check --keep DIR gcc         leaves the generated file in DIR
 *
 * One graph is made with every op that ops.def evaluates, on every width and format that matters.
 * Its nodes are spelled as one C file (loom.c/1, passes/host/c_text.c), which each of the compilers
 * named turns into a shared object, with all warnings as errors. Then both sides get the same
 * operands, limits and odd cases crossed with one another and random ones, and must agree in every
 * bit and every trap.
 */
#include "dfg/dfg.h"
#include "host/c_text.h"
#include "subjects.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdlib.h>
#include <unistd.h>

static const char *const integers[] = {"i1",  "i3",  "i8",  "i13", "i16",  "i24",
                                       "i32", "i33", "i47", "i64", "index"};
static const char *const floats[] = {"f16", "bf16", "f32", "f64"};
static const unsigned float_bits[] = {16, 16, 32, 64};

enum { EACH_RANDOM = 1500 };

/* ---- the graph ------------------------------------------------------------------------------- */

static void put_node(Buf *out, const char *op, const char *attrs, u32 n, const char *const *types,
                     u32 nresults, const char *result) {
  static const char names[] = "abc";
  buf_printf(out, "  \"%s\"(", op);
  for (u32 i = 0; i < n; i++) buf_printf(out, "%s%%%c_%s", i ? ", " : "", names[i], types[i]);
  buf_printf(out, ") {%s} : (", attrs);
  for (u32 i = 0; i < n; i++) buf_printf(out, "%s%s", i ? ", " : "", types[i]);
  buf_str(out, ") -> (");
  for (u32 i = 0; i < nresults; i++) buf_printf(out, "%s%s", i ? ", " : "", result);
  buf_str(out, ")\n");
}

static void put_same(Buf *out, const char *op, const char *attrs, u32 n, const char *type,
                     const char *result) {
  put_node(out, op, attrs, n, (const char *const[]){type, type, type}, 1, result);
}

static unsigned bits_of(const char *type) {
  for (u32 f = 0; f < COUNT_OF(floats); f++)
    if (strcmp(floats[f], type) == 0) return float_bits[f];
  return strcmp(type, "index") == 0 ? 32 : (unsigned)atoi(type + 1);
}

static bool is_wide_enough(OpTypes rule, const char *from, const char *to) {
  unsigned a = bits_of(from), b = bits_of(to);
  bool index = strcmp(from, "index") == 0 || strcmp(to, "index") == 0;
  switch (rule) {
  case TYPES_WIDEN_INT:
  case TYPES_WIDEN_FLOAT: return a < b && !index;
  case TYPES_NARROW_INT:
  case TYPES_NARROW_FLOAT: return a > b && !index;
  case TYPES_INDEX_CAST: return strcmp(from, to) != 0 && index;
  case TYPES_BITCAST: return a == b && !index;
  default: return !index;
  }
}

static void put_casts(Buf *out, OpTypes rule, const char *op) {
  bool from_float = rule == TYPES_WIDEN_FLOAT || rule == TYPES_NARROW_FLOAT ||
                    rule == TYPES_FLOAT_TO_INT || rule == TYPES_BITCAST;
  bool to_float = from_float ? rule != TYPES_FLOAT_TO_INT : rule == TYPES_INT_TO_FLOAT;
  const char *all[COUNT_OF(integers) + COUNT_OF(floats)];
  u32 n = 0, first_float = COUNT_OF(integers);
  for (u32 i = 0; i < COUNT_OF(integers); i++) all[n++] = integers[i];
  for (u32 i = 0; i < COUNT_OF(floats); i++) all[n++] = floats[i];
  for (u32 a = 0; a < n; a++)
    for (u32 b = 0; b < n; b++) {
      bool fits = rule == TYPES_BITCAST ||
                  ((a >= first_float) == from_float && (b >= first_float) == to_float);
      if (fits && is_wide_enough(rule, all[a], all[b])) put_same(out, op, "", 1, all[a], all[b]);
    }
}

static void put_own(Buf *out, OpKind kind, const char *op) {
  static const char *const names[] = {"eq",  "ne",  "slt", "sle", "sgt",
                                      "sge", "ult", "ule", "ugt", "uge"};
  char attrs[64];
  switch (kind) {
  case OP_ARITH_CMPI:
  case OP_INDEX_CMP:
    for (u32 p = 0; p < COUNT_OF(names); p++) {
      snprintf(attrs, sizeof attrs, "pred = #index<cmp_predicate %s>", names[p]);
      if (kind == OP_INDEX_CMP) put_same(out, op, attrs, 2, "index", "i1");
      snprintf(attrs, sizeof attrs, "predicate = %u : i64", p);
      for (u32 i = 0; kind == OP_ARITH_CMPI && i < COUNT_OF(integers); i++)
        put_same(out, op, attrs, 2, integers[i], "i1");
    }
    break;
  case OP_ARITH_CMPF:
    for (u32 p = 0; p < 16; p++)
      for (u32 f = 0; f < COUNT_OF(floats); f++) {
        snprintf(attrs, sizeof attrs, "predicate = %u : i64", p);
        put_same(out, op, attrs, 2, floats[f], "i1");
      }
    break;
  case OP_ARITH_SELECT:
    for (u32 i = 0; i < COUNT_OF(integers); i++)
      put_node(out, op, "", 3, (const char *const[]){"i1", integers[i], integers[i]}, 1,
               integers[i]);
    for (u32 f = 0; f < COUNT_OF(floats); f++)
      put_node(out, op, "", 3, (const char *const[]){"i1", floats[f], floats[f]}, 1, floats[f]);
    break;
  case OP_ARITH_ADDUI_EXTENDED:
  case OP_ARITH_MULSI_EXTENDED:
  case OP_ARITH_MULUI_EXTENDED:
    for (u32 i = 0; i < COUNT_OF(integers); i++) {
      const char *const type = integers[i];
      if (kind != OP_ARITH_ADDUI_EXTENDED)
        put_node(out, op, "", 2, (const char *const[]){type, type}, 2, type);
      else
        buf_printf(out, "  \"%s\"(%%a_%s, %%b_%s) : (%s, %s) -> (%s, i1)\n", op, type, type, type,
                   type, type);
    }
    break;
  case OP_MATH_FPOWI:
    for (u32 f = 0; f < COUNT_OF(floats); f++) {
      put_node(out, op, "", 2, (const char *const[]){floats[f], "i32"}, 1, floats[f]);
      put_node(out, op, "", 2, (const char *const[]){floats[f], "i64"}, 1, floats[f]);
      put_node(out, op, "", 2, (const char *const[]){floats[f], "i8"}, 1, floats[f]);
    }
    break;
  case OP_LLVM_BITREVERSE:
    for (u32 i = 0; i < COUNT_OF(integers) - 1; i++)
      put_same(out, op, "", 1, integers[i], integers[i]);
    break;
  case OP_MATH_ISFINITE:
  case OP_MATH_ISINF:
  case OP_MATH_ISNAN:
  case OP_MATH_ISNORMAL:
    for (u32 f = 0; f < COUNT_OF(floats); f++) put_same(out, op, "", 1, floats[f], "i1");
    break;
  default: printf("FAIL %s: spell-check has no operands for it\n0 passed, 1 failed\n", op); exit(1);
  }
}

static void put_uniform(Buf *out, const char *op, u32 n, bool integer) {
  for (u32 i = 0; integer && i < COUNT_OF(integers); i++)
    put_same(out, op, "", n, integers[i], integers[i]);
  for (u32 f = 0; !integer && f < COUNT_OF(floats); f++)
    put_same(out, op, "", n, floats[f], floats[f]);
}

static void put_graph(Buf *out) {
  buf_str(out, "handshake.func @every(");
  for (u32 k = 0; k < 3; k++) {
    for (u32 i = 0; i < COUNT_OF(integers); i++)
      buf_printf(out, "%%%c_%s: %s, ", (char)('a' + k), integers[i], integers[i]);
    for (u32 f = 0; f < COUNT_OF(floats); f++)
      buf_printf(out, "%%%c_%s: %s, ", (char)('a' + k), floats[f], floats[f]);
  }
  buf_str(out, "%start: none, ...) -> none {\n");
  for (u32 kind = 0; kind < OP_COUNT; kind++) {
    const OpInfo *info = op_info((OpKind)kind);
    if (info->fire != FIRE_PURE) continue;
    OpTypes rule = (OpTypes)info->types;
    u32 n = op_shape((OpKind)kind).noperands;
    if (rule > TYPES_FLOAT)
      put_casts(out, rule, info->name);
    else if (!op_is_uniform((OpKind)kind))
      put_own(out, (OpKind)kind, info->name);
    else if (rule == TYPES_SHAPE)
      put_same(out, info->name, "", n, "index", "index");
    else
      put_uniform(out, info->name, n, rule == TYPES_INT);
  }
  buf_str(out, "  handshake.return %start : none\n}\n");
}

/* ---- the C file ------------------------------------------------------------------------------ */

static const DfgType *type_of_operand(const Dfg *dfg, u32 node, u32 i) {
  return dfg_edge_type(dfg, dfg_operand(dfg, node, i));
}

static void put_function(const Dfg *dfg, u32 node, Buf *out) {
  static const char *const names[] = {"x", "y", "z"};
  const DfgNode *n = dfg_node(dfg, node);
  buf_printf(out, "static void node%u(const uint64_t *in, uint64_t *out) { /* %s */\n", node,
             dfg_text(dfg, n->op));
  for (u32 i = 0; i < n->noperands; i++) {
    const DfgType *type = type_of_operand(dfg, node, i);
    char bits[16];
    snprintf(bits, sizeof bits, "in[%u]", i);
    buf_printf(out, "  const %s %s = ", c_text_type(type), names[i]);
    c_text_from_bits(type, bits, out);
    buf_str(out, ";\n");
  }
  for (u32 i = 0; i < n->noperands; i++) buf_printf(out, "  (void)%s;\n", names[i]);
  for (u32 r = 0; r < n->nresults; r++) {
    const DfgType *type = &dfg->types[dfg->results[n->first_result + r].type];
    buf_printf(out, "  const %s r%u = ", c_text_type(type), r);
    c_text_expression(dfg, node, r, names, out);
    char name[16];
    Buf value = {0};
    snprintf(name, sizeof name, "r%u", r);
    if (c_text_is_loose_nan(dfg, node))
      c_text_canonical(type, name, &value);
    else
      buf_str(&value, name);
    buf_printf(out, ";\n  out[%u] = ", r);
    c_text_to_bits(type, value.data, out);
    buf_str(out, ";\n");
    buf_free(&value);
  }
  buf_str(out, "}\n");
}

static void put_file(const Dfg *dfg, Buf *out) {
  Buf body = {0};
  for (u32 n = 0; n < dfg->nnodes; n++)
    if (dfg->nodes[n].eval != DFG_NONE) put_function(dfg, n, &body);
  buf_str(out, "#include <stdint.h>\n"
               "#if defined(__clang__)\n#pragma STDC FP_CONTRACT OFF\n#endif\n"
               "void (*spell_trap)(uint32_t, uint32_t);\n"
               "#define loom_trap(code, node, a, b) spell_trap(code, node)\n");
  c_text_prelude(body.data, out);
  buf_put(out, body.data, body.len);
  buf_str(out, "typedef void (*Check)(const uint64_t *, uint64_t *);\n"
               "const Check spell_checks[] = {\n");
  for (u32 n = 0; n < dfg->nnodes; n++)
    buf_printf(out, dfg->nodes[n].eval != DFG_NONE ? "  node%u,\n" : "  0,\n", n);
  buf_str(out, "};\n");
  buf_free(&body);
}

/* ---- running --------------------------------------------------------------------------------- */

enum { MAX_EDGES = 64 };

static u32 edges_of(const DfgType *type, u64 *edges) {
  static const u64 f16[] = {0x0000, 0x8000, 0x0001, 0x8001, 0x03ff, 0x0400, 0x3c00, 0xbc00,
                            0x3800, 0x3e00, 0x4100, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00,
                            0x7c01, 0xfe55, 0x3c01, 0x4900, 0xc900, 0x5640, 0x77ff, 0x7800};
  static const u64 bf16[] = {0x0000, 0x8000, 0x0001, 0x8001, 0x007f, 0x0080, 0x3f80, 0xbf80,
                             0x3f00, 0x3fc0, 0x4020, 0x7f7f, 0xff7f, 0x7f80, 0xff80, 0x7fc0,
                             0x7f81, 0xffd5, 0x3f81, 0x4120, 0xc120, 0x4f00, 0x5f00, 0xdf00};
  static const u64 f32[] = {0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x00800000,
                            0x3f800000, 0xbf800000, 0x3f000000, 0x3fc00000, 0x40200000, 0x7f7fffff,
                            0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, 0xffc00055,
                            0x3f800001, 0x4b800000, 0x4f000000, 0xcf000000, 0x5f000000, 0x477fe000,
                            0x477ff000, 0x38800000, 0x33000000, 0x33000001, 0x5f800000, 0x41200000};
  static const u64 f64[] = {
      0x0000000000000000, 0x8000000000000000, 0x0000000000000001, 0x8000000000000001,
      0x000fffffffffffff, 0x0010000000000000, 0x3ff0000000000000, 0xbff0000000000000,
      0x3fe0000000000000, 0x3ff8000000000000, 0x4004000000000000, 0x7fefffffffffffff,
      0xffefffffffffffff, 0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000,
      0x7ff0000000000001, 0xfff8000000000055, 0x3ff0000000000001, 0x4340000000000000,
      0x41dfffffffc00000, 0x41e0000000000000, 0xc1e0000000200000, 0x43e0000000000000,
      0xc3e0000000000000, 0x43f0000000000000, 0x47efffffe0000000, 0x47effffff0000000,
      0x40effc0000000000, 0x40effe0000000000, 0x3690000000000000, 0x3690000000000001,
      0x3e60000000000000, 0x3e60000000000001, 0x3ff0000010000000, 0x3ff0000030000000};
  u64 mask = eval_mask(type->bits), top = (mask >> 1) + 1;
  u64 ints[] = {0,          1,        2,   3,         5,        7,
                mask,       mask - 1, top, top - 1,   top + 1,  mask / 3,
                type->bits, 8,        31,  32,        63,       top | 1,
                mask - 2,   mask - 6, 100, mask - 99, top >> 1, 0x5555555555555555};
  const u64 *from = ints;
  u32 n = COUNT_OF(ints);
  if (type->kind == TYPE_FLOAT) switch ((FloatKind)type->float_kind) {
    case FLOAT_F16: from = f16, n = COUNT_OF(f16); break;
    case FLOAT_BF16: from = bf16, n = COUNT_OF(bf16); break;
    case FLOAT_F32: from = f32, n = COUNT_OF(f32); break;
    case FLOAT_F64: from = f64, n = COUNT_OF(f64); break;
    }
  for (u32 i = 0; i < n; i++) edges[i] = from[i] & mask;
  return n;
}

/* Any bits, or, as often, a number of middling size. */
static u64 random_value(const DfgType *type) {
  u64 bits = any_number(), pick = any_number();
  if (type->kind == TYPE_FLOAT && pick & 1) {
    double value = (double)(i64)(bits >> (pick >> 8 & 63)) / (double)((u64)1 << (pick >> 16 & 31));
    return eval_float_bits((FloatKind)type->float_kind, pick & 2 ? value : -value);
  }
  if (pick & 1) bits >>= pick >> 8 & 63;
  return (pick & 2 ? bits : 0 - bits) & eval_mask(type->bits);
}

static jmp_buf trapped;
static EvalStatus trap_code;
static void on_trap(u32 code, u32 node) {
  (void)node;
  trap_code = code == 1 ? EVAL_DIV_ZERO : EVAL_OVERFLOW;
  longjmp(trapped, 1);
}

typedef void (*Check)(const u64 *, u64 *);

static bool agrees(const Dfg *dfg, u32 node, Check check, const u64 *in) {
  const DfgNode *n = dfg_node(dfg, node);
  u64 want[EVAL_MAX_RESULTS] = {0}, got[EVAL_MAX_RESULTS] = {0};
  EvalStatus status = eval_run(&dfg->evals[n->eval], in, want);
  volatile EvalStatus native = EVAL_OK;
  if (setjmp(trapped) == 0)
    check(in, got);
  else
    native = trap_code;
  if (status == EVAL_POISON) status = EVAL_OK;
  if (status == native && (status != EVAL_OK || memcmp(want, got, n->nresults * sizeof *got) == 0))
    return true;
  printf("FAIL %s", dfg_text(dfg, n->op));
  for (u32 i = 0; i < n->noperands; i++)
    printf(" %s 0x%llx", dfg_text(dfg, type_of_operand(dfg, node, i)->text),
           (unsigned long long)in[i]);
  for (u32 r = 0; r < n->nresults; r++)
    printf(" -> %s 0x%llx, must be 0x%llx",
           dfg_text(dfg, dfg->types[dfg->results[n->first_result + r].type].text),
           (unsigned long long)got[r], (unsigned long long)want[r]);
  printf(" (status %d, must be %d)\n", (int)native, (int)status);
  return false;
}

static bool check_node(const Dfg *dfg, u32 node, Check check) {
  const DfgNode *n = dfg_node(dfg, node);
  u64 edges[EVAL_MAX_OPERANDS][MAX_EDGES], in[EVAL_MAX_OPERANDS] = {0};
  u32 nedges[EVAL_MAX_OPERANDS] = {1, 1, 1}, total = 1;
  for (u32 i = 0; i < n->noperands; i++) {
    nedges[i] = edges_of(type_of_operand(dfg, node, i), edges[i]);
    total *= nedges[i];
  }
  for (u32 at = 0; at < total; at++) {
    u32 rest = at;
    for (u32 i = 0; i < n->noperands; i++) in[i] = edges[i][rest % nedges[i]], rest /= nedges[i];
    if (!agrees(dfg, node, check, in)) return false;
  }
  for (u32 k = 0; k < EACH_RANDOM; k++) {
    for (u32 i = 0; i < n->noperands; i++)
      in[i] = any_number() % 4 ? random_value(type_of_operand(dfg, node, i))
                               : edges[i][any_number() % nedges[i]];
    if (!agrees(dfg, node, check, in)) return false;
  }
  return true;
}

/* ---- compiling ------------------------------------------------------------------------------- */

static bool compile(const char *compiler, const char *dir) {
  const char *source = path_in(dir, "spelled.c"), *object = path_in(dir, "spelled.so");
  const char *const tcc[] = {compiler, "-std=c99", "-Wall", "-Werror", "-fPIC", "-shared",
                             "-o",     object,     source,  "-lm",     NULL};
  const char *const other[] = {
      compiler, "-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O2", "-ffp-contract=off",
      "-fPIC",  "-shared",  "-o",    object,    source,       "-lm",     NULL};
  return run_program(strstr(compiler, "tcc") ? tcc : other, NULL) == 0;
}

static void check_compiler(const Dfg *dfg, const char *compiler, const char *dir) {
  const char *path = path_in(dir, "spelled.so");
  if (!compile(compiler, dir)) {
    check(false, "%s does not compile what was spelled", compiler);
    return;
  }
  void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!object) {
    check(false, "%s", dlerror());
    return;
  }
  const Check *checks = dlsym(object, "spell_checks");
  *(void (**)(u32, u32))dlsym(object, "spell_trap") = on_trap;
  random_state.state = 1;
  for (u32 n = 0; n < dfg->nnodes; n++)
    if (dfg->nodes[n].eval != DFG_NONE)
      check(check_node(dfg, n, checks[n]), "%s, by %s", dfg_text(dfg, dfg->nodes[n].op), compiler);
  dlclose(object);
  unlink(path);
}

int main(int argc, char **argv) {
  const char *dir = NULL;
  int n = tool_options(argc, argv, TOOL_OPTIONS(TOOL_TEXT("--keep", dir)),
                       "spell-check [--keep DIR] CC...");
  Context *ctx = context_new();
  Buf text = {0}, file = {0};
  if (!dir) dir = temp_folder();
  put_graph(&text);
  Module *m = module_read(ctx, "every.mlir", text.data, text.len);
  Dfg *dfg = m ? dfg_freeze(ctx, symbol_find(m->top, str_of(ctx, "every"))) : NULL;
  if (check(dfg, "the graph of every op is refused")) {
    passed--;
    put_file(dfg, &file);
    write_file(path_in(dir, "spelled.c"), file.data, file.len);
    for (int i = 1; i < n; i++) check_compiler(dfg, argv[i], dir);
  }
  dfg_free(dfg);
  module_free(m);
  buf_free(&text), buf_free(&file);
  context_free(ctx);
  return checks_end();
}
