/* hostile.c -- malformed input: nothing may crash, hang, leak or allocate too much memory.
 *
 *     hostile spec-tests/fuzz-corpus          N passed, N failed
 *
 * What is tried, each group in a process of its own with 1 GiB of address space and a minute
 * of a core:
 *
 *     truncated   every file of the corpus, cut off at every byte
 *     mutated     every file with bytes changed, runs deleted, repeated or moved, and with pieces
 *                 of the other files in the middle
 *     random      bytes at random, and tokens at random
 *     deep        every construct that nests, 300 and 100,000 deep, closed and left open
 *     hardware    every op of the fabric dialect in a region of every other, two deep
 *     laughs      aliases that double what they stand for, 60 times
 *     counts      every number that says how many there are, absurdly large
 *     long        names, lines, lists and functions of absurd length
 *     cases       the same ills for JSON cases
 *     configs     and for configurations: files of fields, images as JSON and as words
 *
 * What each text goes through is LLVMFuzzerTestOneInput of fuzz_parse.c: parse, verify, print in
 * both forms and parse that, and lower where it is small. Whether it is accepted is not asked
 * here; the chapters ask that. Everything random comes from a fixed seed.
 */
#include "run/case.h"
#include "subjects.h"
#include "text/text.h"
#include "verify/verify.h"

#include <dirent.h>
#include <signal.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void ask(const Buf *text) {
  LLVMFuzzerTestOneInput((const uint8_t *)(text->data ? text->data : ""), text->len);
}

static void ask_text(const char *text) {
  LLVMFuzzerTestOneInput((const uint8_t *)text, strlen(text));
}

static void ask_case(const char *text, size_t len) {
  Context *ctx = context_new();
  ctx->err = NULL;
  case_free(case_parse(ctx, source_from_memory(ctx, "case.json", text, len)));
  context_free(ctx);
}

/* ---- the corpus ------------------------------------------------------------------------------ */

typedef struct {
  char path[512];
  Buf text;
} File;

static Vec(File) corpus;

static int by_path(const void *a, const void *b) {
  return strcmp(((const File *)a)->path, ((const File *)b)->path);
}

static bool read_corpus(const char *folder) {
  DIR *dir = opendir(folder);
  for (struct dirent *entry; dir && (entry = readdir(dir));) {
    File f = {.text = {0}};
    if (!strstr(entry->d_name, ".mlir")) continue;
    snprintf(f.path, sizeof f.path, "%s/%s", folder, entry->d_name);
    if (read_buf(f.path, &f.text)) vec_push(&corpus, f);
  }
  if (dir) closedir(dir);
  if (corpus.len) qsort(corpus.at, corpus.len, sizeof(File), by_path);
  return corpus.len > 0;
}

/* ---- groups ---------------------------------------------------------------------------------- */

static void truncated(size_t file) {
  const Buf *text = &corpus.at[file].text;
  for (size_t len = 0; len <= text->len; len++)
    LLVMFuzzerTestOneInput((const uint8_t *)text->data, len);
}

static void put_piece(Buf *out, const Buf *from) {
  size_t start = any_below(from->len), len = any_below(40);
  if (len > from->len - start) len = from->len - start;
  buf_put(out, from->data + start, len);
}

static void mutated(size_t file) {
  static const char nasty[] = "{}()[]<>%@#!^:,=\"\\-+*/0123456789ax\n\0\x80\xff";
  const Buf *text = &corpus.at[file].text;
  random_state.state = file;
  for (unsigned i = 0; i < 400; i++) {
    size_t at = any_below(text->len), skip = any_below(3) ? 0 : any_below(60);
    Buf out = {0};
    if (skip > text->len - at) skip = text->len - at;
    buf_put(&out, text->data, at);
    switch (any_below(4)) {
    case 0: buf_char(&out, nasty[any_below(sizeof nasty - 1)]); break;
    case 1: put_piece(&out, text); break;
    case 2: put_piece(&out, &corpus.at[any_below(corpus.len)].text); break;
    default: buf_char(&out, (char)any_number()); break;
    }
    buf_put(&out, text->data + at + skip, text->len - at - skip);
    ask(&out);
    buf_free(&out);
  }
}

/* Words of the language, each up to a bar. */
static const char words[] =
    "module|func.func|@f|%0|%a|(|)|{|}|[|]|<|>|,|:|->|=|i32|index|f32|memref|4x|?x|"
    "arith.addi|scf.for|scf.if|scf.yield|return|loc(|#a|!t|^bb0|dense|\"x.y\"|tensor|"
    "affine_map|strided|handshake.func|handshake.load|handshake.memory|dataflow.stream|"
    "step_op|0x7F|-1|1.0e5|true|unit|attributes|to|step|iter_args|\n|\"|//|...|none|"
    "tuple|#map = |!u = |else|";

/* Any word: the one that some byte of all of them is in. */
static void put_word(Buf *out) {
  const char *at = words + any_below(sizeof words - 2);
  while (at > words && at[-1] != '|') at--;
  buf_put(out, at, strcspn(at, "|"));
}

static void random_text(size_t which) {
  random_state.state = which;
  for (unsigned i = 0; i < 2000; i++) {
    Buf out = {0};
    for (size_t n = any_below(60); n > 0; n--) {
      if (which == 0) {
        buf_char(&out, (char)any_number());
      } else {
        put_word(&out);
        buf_char(&out, ' ');
      }
    }
    ask(&out);
    buf_free(&out);
  }
}

/* A construct that nests: start, open * depth, middle, close * depth, end. */
typedef struct {
  const char *start, *open, *middle, *close, *end;
} Nesting;

static const Nesting nestings[] = {
    {"", "module {", "", "}", ""},
    {"", "\"x.y\"() ({", "", "}) : () -> ()", ""},
    {"func.func @f(%c: i1) {\n", "scf.if %c {\n", "", "}\n", "return }"},
    {"func.func @f(%c: i1) {\n", "scf.if %c {\n} else {", "", "}\n", "return }"},
    {"func.func @f(%a: index) {\n", "scf.for %i = %a to %a step %a {\n", "", "}\n", "return }"},
    {"func.func @f() {\n", "scf.execute_region {\n", "", "scf.yield }\n", "return }"},
    {"func.func @f(%a: index) {\n", "scf.index_switch %a default {\n", "", "scf.yield }\n",
     "return }"},
    {"func.func @f(%c: i1) {\n", "scf.while : () -> () { scf.condition(%c) } do {\n", "",
     "scf.yield }\n", "return }"},
    {"func.func private @f(", "tuple<", "i32", ">", ")"},
    {"func.func private @f(", "memref<4x", "i32", ">", ")"},
    {"func.func private @f(", "tensor<4x", "i32", ">", ")"},
    {"func.func private @f(", "vector<4x", "i32", ">", ")"},
    {"func.func private @f(", "complex<", "f32", ">", ")"},
    {"func.func private @f(", "(", "i32", ") -> ()", ")"},
    {"func.func private @f(", "() -> (", "i32", ")", ")"},
    {"func.func private @f(", "!dataflow.tagged<", "i32", ", i4>", ")"},
    {"func.func private @f(", "!x.y<", "", ">", ")"},
    {"func.func private @f(", "!x<\"", "", "\">", ")"},
    {"func.func private @f(memref<4xi32, ", "affine_map<(d0) -> (", "d0", ")>", ">)"},
    {"\"x.y\"() {a = ", "[", "1", "]", "} : () -> ()"},
    {"\"x.y\"() {a = ", "{a = ", "1", "}", "} : () -> ()"},
    {"\"x.y\"() {a = ", "#x.y<", "1", ">", "} : () -> ()"},
    {"\"x.y\"() {a = @f", "::@f", "", "", "} : () -> ()"},
    {"\"x.y\"() {a = dense<", "[", "1", "]", "> : tensor<4xi32>} : () -> ()"},
    {"\"x.y\"() {a = affine_map<(d0) -> (", "(", "d0", ")", ")>} : () -> ()"},
    {"\"x.y\"() {a = affine_map<(d0) -> (", "-", "d0", "", ")>} : () -> ()"},
    {"\"x.y\"() {a = affine_map<(d0) -> (d0", " + d0 * 3", "", "", ")>} : () -> ()"},
    {"\"x.y\"() {a = affine_map<(d0) -> (d0", " floordiv (d0 + 1", "", ")", ")>} : () -> ()"},
    {"\"x.y\"() {a = affine_set<(d0) : (d0", " + (d0", "", ")", " >= 0)>} : () -> ()"},
    {"\"x.y\"() {a = ", "loc(fused[", "\"f\":1:1", "])", "} : () -> ()"},
    {"\"x.y\"() : () -> () loc(", "fused[", "\"f\":1:1", "]", ")"},
    {"\"x.y\"() : () -> () loc(", "callsite(\"g\":2:2 at ", "\"f\":1:1", ")", ")"},
    {"\"x.y\"() : () -> () loc(", "\"n\"(", "\"f\":1:1", ")", ")"},
    {"\"x.y\"() : () -> () loc(fused<", "[", "1", "]", ">[\"f\":1:1])"},
    {"", "(", "", ")", ""},
    {"", "{", "", "}", ""},
    {"", "<", "", ">", ""},
    {"", "[", "", "]", ""},
    {"{-# ", "{a: ", "", "}", " #-}"},
    {"// ", "\\", "", "", ""},
    {"\"", "\\\"", "", "", "\"() : () -> ()"},
    {"", "^bb0:", "", "", ""},
};

static void deep(size_t which) {
  static const u32 depths[] = {300, 100000};
  const Nesting *n = &nestings[which];
  for (unsigned d = 0; d < 2; d++)
    for (unsigned closed = 0; closed < 2; closed++) {
      Buf out = {0};
      buf_str(&out, n->start);
      for (u32 i = 0; i < depths[d]; i++) buf_str(&out, n->open);
      buf_str(&out, n->middle);
      for (u32 i = 0; closed && i < depths[d]; i++) buf_str(&out, n->close);
      if (closed) buf_str(&out, n->end);
      ask(&out);
      buf_free(&out);
    }
}

/* ---- hardware in hardware ---------------------------------------------------------------------
 */

#define BITS   "!fabric.bits<32>"
#define TAGGED "!fabric.tagged<!fabric.bits<32>, i2>"
#define PORTS  "function_type = (" BITS ") -> " BITS

enum { TOP = 1, IN_MODULE = 2, IN_PE = 4, IN_UNIT = 8 };

/* Of an op its attributes, its operand and result where it stands in a graph (NULL: nowhere), where
 * it may stand by the manual, and what its region is as a place. */
typedef struct {
  const char *name, *attrs, *operands, *types;
  unsigned stands, place;
} HardwareOp;

static const HardwareOp hardware[] = {
    {"fabric.module", PORTS ", sym_name = \"m\"", NULL, NULL, TOP, IN_MODULE},
    {"fabric.function_unit", PORTS ", interval = 1 : i64, latency = 0 : i64, sym_name = \"u\"",
     NULL, NULL, TOP | IN_MODULE | IN_PE, IN_UNIT},
    {"fabric.spatial_pe", PORTS ", sym_name = \"p\"", "%a", "(" BITS ") -> " BITS, TOP | IN_MODULE,
     IN_PE},
    {"fabric.temporal_pe",
     "function_type = (" TAGGED ") -> " TAGGED
     ", num_instruction = 4 : i64, num_register = 0 : i64, sym_name = \"tp\"",
     "%t", "(" TAGGED ") -> " TAGGED, TOP | IN_MODULE, IN_PE},
    {"fabric.spatial_sw", PORTS ", connectivity_table = [\"1\"], sym_name = \"s\"", "%a",
     "(" BITS ") -> " BITS, TOP | IN_MODULE, 0},
    {"fabric.temporal_sw",
     "function_type = (" TAGGED ") -> " TAGGED
     ", num_route_table = 1 : i64, connectivity_table = [\"1\"], sym_name = \"ts\"",
     "%t", "(" TAGGED ") -> " TAGGED, TOP | IN_MODULE, 0},
    {"fabric.memory",
     "function_type = (" BITS ") -> (" BITS ", none), ldCount = 1 : i64, stCount = 0 : i64, "
     "lsqDepth = 0 : i64, memrefType = memref<4xi32>, numRegion = 1 : i64, banks = 1 : i64, "
     "sym_name = \"mem\"",
     "%a", "(" BITS ") -> (" BITS ", none)", TOP | IN_MODULE, 0},
    {"fabric.extmemory",
     "function_type = (memref<?xi32>, " BITS ") -> (" BITS ", none), ldCount = 1 : i64, "
     "stCount = 0 : i64, lsqDepth = 0 : i64, memrefType = memref<?xi32>, numRegion = 1 : i64, "
     "sym_name = \"ext\"",
     "%m, %a", "(memref<?xi32>, " BITS ") -> (" BITS ", none)", TOP | IN_MODULE, 0},
    {"fabric.fifo", PORTS ", depth = 1 : i64, sym_name = \"f\"", "%a", "(" BITS ") -> " BITS,
     TOP | IN_MODULE, 0},
    {"fabric.instance", "module = @u", "%a", "(" BITS ") -> " BITS, IN_MODULE | IN_PE, 0},
    {"fabric.instance", "module = @m", "%a", "(" BITS ") -> " BITS, IN_MODULE | IN_PE, 0},
    {"fabric.instance", "module = @f", "%a", "(" BITS ") -> " BITS, IN_MODULE | IN_PE, 0},
    {"fabric.mux", "", "%a", "(" BITS ") -> " BITS, IN_UNIT, 0},
    {"fabric.add_tag", "tag = 0 : i64", "%a", "(" BITS ") -> " TAGGED, IN_MODULE, 0},
    {"fabric.map_tag", "table_size = 4 : i64", "%t", "(" TAGGED ") -> " TAGGED, IN_MODULE, 0},
    {"fabric.del_tag", "", "%t", "(" TAGGED ") -> " BITS, IN_MODULE, 0},
    {"fabric.yield", "", "%a", "(" BITS ") -> ()", IN_MODULE | IN_PE | IN_UNIT, 0},
    {"builtin.module", "", NULL, NULL, ~0u, TOP},
    {"func.func", "function_type = () -> (), sym_name = \"g\"", NULL, NULL, ~0u, 0},
    {"scf.if", "", NULL, NULL, ~0u, 0},
    {"x.y", "", NULL, NULL, ~0u, 0},
};

/* How it stands: as a definition without a region, or with one; in a graph, likewise; a region may
 * have no block, or one more than it should. */
enum { AS_DEFINITION = 1, WITH_REGION = 2, EMPTY = 4, TWO_BLOCKS = 8, FORMS = 16 };

static void put_hardware(Buf *out, const HardwareOp *h, unsigned form, const char *inside) {
  bool in_graph = !(form & AS_DEFINITION) && h->operands;
  buf_printf(out, "\"%s\"(%s) <{%s%s}> ", h->name, in_graph ? h->operands : "", h->attrs,
             in_graph && h->stands == (TOP | IN_MODULE) ? ", inline_instantiation" : "");
  if (form & WITH_REGION && form & EMPTY) {
    buf_str(out, "({}) ");
  } else if (form & WITH_REGION) {
    buf_printf(out, "({\n^bb0(%%a: " BITS ", %%t: " TAGGED ", %%m: memref<?xi32>):\n%s", inside);
    if (form & TWO_BLOCKS) buf_str(out, "^bb1:\n");
    buf_str(out, "}) ");
  }
  buf_printf(out, ": %s\n", in_graph ? h->types : "() -> ()");
}

/* Hardware that stands where it may not is refused with an error, in whatever it stands. */
static void ask_hardware(const Buf *text, bool is_misplaced) {
  Context *ctx = context_new();
  ctx->err = NULL;
  Module *module = text_parse(ctx, source_from_memory(ctx, "nested", text->data, text->len));
  bool is_good = module && verify_module(module);
  if (is_good ? is_misplaced : ctx->errors == 0) {
    fprintf(stderr, "hostile: %s:\n%s", is_good ? "accepted" : "refused without a word",
            text->data);
    abort();
  }
  if (module) module_free(module);
  context_free(ctx);
}

static void nested_hardware(size_t which) {
  const HardwareOp *outer = &hardware[which];
  for (size_t k = 0; k < COUNT_OF(hardware); k++)
    for (size_t i = 0; i < COUNT_OF(hardware); i++)
      for (unsigned form = 0; form < FORMS; form++) {
        const HardwareOp *middle = &hardware[k], *inner = &hardware[i];
        Buf deep = {0}, inside = {0}, text = {0};
        put_hardware(&deep, inner, form, "");
        put_hardware(&inside, middle, (form >> 1 & AS_DEFINITION) | WITH_REGION, deep.data);
        put_hardware(&text, outer, AS_DEFINITION | WITH_REGION, inside.data);
        put_hardware(&text, &hardware[1], AS_DEFINITION, ""); /* @u, once more and broken */
        ask_hardware(&text, !(middle->stands & outer->place) || !(inner->stands & middle->place));
        buf_free(&text);
        buf_free(&inside);
        buf_free(&deep);
      }
}

/* Each alias says the one before twice: a few lines that stand for 2^60 things. */
static void laughs(size_t which) {
  static const char *const lines[][3] = {
      {"!t0 = i32\n", "!t%u = tuple<!t%u, !t%u>\n", "func.func private @f(!t60)\n"},
      {"!t0 = i32\n", "!t%u = (!t%u) -> !t%u\n", "func.func private @f(!t60)\n"},
      {"#a0 = 1\n", "#a%u = [#a%u, #a%u]\n", "\"x.y\"() {a = #a60} : () -> ()\n"},
      {"#a0 = 1\n", "#a%u = {a = #a%u, b = #a%u}\n", "\"x.y\"() {a = #a60} : () -> ()\n"},
      {"#l0 = loc(\"f\":1:1)\n", "#l%u = loc(fused[#l%u, #l%u])\n",
       "\"x.y\"() : () -> () loc(#l60)\n"},
      {"#l0 = loc(\"f\":1:1)\n", "#l%u = loc(callsite(#l%u at #l%u))\n",
       "\"x.y\"() : () -> () loc(#l60)\n"}};
  Buf out = {0};
  if (which >= COUNT_OF(lines)) return;
  buf_str(&out, lines[which][0]);
  for (unsigned i = 1; i <= 60; i++) {
    char line[128];
    const char *rest = lines[which][1];
    size_t len = 0;
    for (unsigned k = 0; *rest; rest++) { /* the three %u: this one, and twice the last */
      if (rest[0] == '%' && rest[1] == 'u') {
        len += (size_t)snprintf(line + len, sizeof line - len, "%u", k++ == 0 ? i : i - 1);
        rest++;
      } else {
        line[len++] = *rest;
      }
    }
    buf_put(&out, line, len);
  }
  buf_str(&out, lines[which][2]);
  ask(&out);
  buf_free(&out);
}

static const char *const counts[] = {
    "%r:4294967295 = \"x.y\"() : () -> (i32)",
    "%r:99999999999999999999 = \"x.y\"() : () -> (i32)",
    "\"x.y\"(%a#4294967295) : (i32) -> ()",
    "func.func private @f(memref<99999999999999999999xi32>)",
    "func.func private @f(memref<9223372036854775807x9223372036854775807xi8>)",
    "func.func private @f(memref<4294967296x4294967296x4294967296xf64>)",
    "func.func private @f(vector<99999999999xi32>, tensor<99999999999x99999999999xi32>)",
    "func.func private @f(i99999999999, i0, i16777216, i4294967297)",
    "func.func private @f(!dataflow.tagged<i32, i99999999999>)",
    "func.func private @f(memref<4xi32, strided<[99999999999999999999], offset: -5>>)",
    "func.func private @f(memref<4xi32, 99999999999999999999999>)",
    "memref.global @g : memref<1000000000000xi32> = dense<1>",
    "memref.global @g : memref<9223372036854775807xi8> = dense<0>\n"
    "func.func @f(%i: index) -> i8 { %m = memref.get_global @g : memref<9223372036854775807xi8>\n"
    "%x = memref.load %m[%i] : memref<9223372036854775807xi8>\n return %x : i8 }",
    "memref.global @g : memref<4xi32> = dense<\"0xFFFFFFFFFFFFFFFFFFFFFFFF\">",
    "memref.global @g : memref<1099511627776xi8> = dense<\"0x00\">",
    "memref.global @g : memref<3xi99999> = dense<[1, 2, 3]>",
    "\"x.y\"() {a = dense<1> : tensor<9223372036854775807x2xi64>} : () -> ()",
    "\"x.y\"() {a = dense_resource<x> : tensor<9223372036854775807xi64>} : () -> ()",
    "\"x.y\"() {a = 99999999999999999999999999999999999999 : i64} : () -> ()",
    "\"x.y\"() {a = 99999999999999999999999999999999999999 : i999} : () -> ()",
    "\"x.y\"() {a = 1.0e99999999999 : f64, b = 1.0e-99999999999 : f32} : () -> ()",
    "\"x.y\"() {a = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFF : f64} : () -> ()",
    "\"x.y\"() {a = affine_map<(d0) -> (d0 * 99999999999999999999)>} : () -> ()",
    "\"x.y\"() {a = affine_map<(d0) -> (9223372036854775807 * 9223372036854775807 + 1)>} : () -> "
    "()",
    "\"x.y\"() {a = affine_map<(d0) -> (-9223372036854775808 floordiv -1, 5 mod 0)>} : () -> ()",
    "\"x.y\"() : () -> () loc(\"f\":99999999999999999999:99999999999999999999)",
    "func.func @f(%a: i32) -> i32 { %r = arith.constant 340282366920938463463374607431768211456 : "
    "i32 return %r : i32 }",
    "func.func @f() { %c = arith.constant 0 : index\n %b = arith.constant 2147483647 : index\n"
    "scf.for %i = %c to %b step %b {\n}\n return }",
    "func.func @f() { %c = arith.constant 0 : index\n %m = memref.alloc() : "
    "memref<1000000000000xi64>\n"
    "%x = memref.load %m[%c] : memref<1000000000000xi64>\n return }",
    "func.func @f() { %m = memref.alloca() : memref<4294967296x4294967296xi64>\n return }",
    "func.func @f(%m: memref<8xi32>) { %v = memref.subview %m[99999999999] [99999999999] "
    "[99999999999] : "
    "memref<8xi32> to memref<99999999999xi32, strided<[99999999999], offset: 99999999999>>\n "
    "return }",
    "func.func @f(%m: memref<8xi32>) { %v = memref.reinterpret_cast %m to offset: [0], sizes: "
    "[9223372036854775807, 9223372036854775807], strides: [9223372036854775807, "
    "9223372036854775807] : "
    "memref<8xi32> to memref<9223372036854775807x9223372036854775807xi32, "
    "strided<[9223372036854775807, "
    "9223372036854775807]>>\n return }",
    "handshake.func @f(%a: i32, ...) -> i32 { %r:2 = handshake.fork [4294967295] %a : i32 "
    "handshake.return %r#0 : i32 }",
    "handshake.func @f(%a: i32, ...) -> i32 { %r = handshake.buffer [99999999999999] seq %a : i32 "
    "handshake.return %r : i32 }",
    "handshake.func @f(%a: i32, ...) -> i32 { %r = handshake.buffer [4294967296] fifo %a : i32 "
    "handshake.return %r : i32 }",
    "handshake.func @f(%a: index, ...) -> index { %r:2 = handshake.memory[ld = 4294967295, st = "
    "4294967295] (%a) "
    "{id = 0 : i32, lsq = false} : memref<8xi32>, (index) -> (i32, none) handshake.return %a : "
    "index }",
    "handshake.func @f(%a: index, ...) -> index { %r:2 = handshake.memory[ld = 1, st = 0] (%a) "
    "{id = 0 : i32, lsq = false} : memref<9223372036854775807xi32>, (index) -> (i32, none) "
    "handshake.return %a : index }",
    "handshake.func @f(%a: index, ...) -> index attributes {argNames = [], resNames = [\"a\", "
    "\"b\"]} { handshake.return %a : index }",
    "\"handshake.memory\"() {ldCount = 2147483647 : i32, stCount = -5 : i32} : () -> ()",
    "\"scf.index_switch\"(%a) <{cases = array<i64: 1, 2, 3>}> ({}) : (index) -> ()",
    "\"memref.subview\"(%a) <{operandSegmentSizes = array<i32: 2147483647, 2147483647, -1, 4>}> : "
    "(i32) -> ()",
    "\"memref.subview\"(%a) <{static_offsets = array<i64: 1>, static_sizes = array<i64>, "
    "static_strides = "
    "array<i64: -9223372036854775808>}> : (memref<8xi32>) -> memref<8xi32>",
    "\"arith.constant\"() : () -> i32",
    "\"arith.constant\"() <{value = \"x\"}> : () -> i32",
    "\"arith.cmpi\"() <{predicate = 99999 : i64}> : () -> i1",
    "\"func.func\"() ({}) : () -> ()",
    "\"func.func\"() <{function_type = i32, sym_name = 5}> ({^bb0:}) : () -> ()",
    "\"scf.for\"() ({}) : () -> ()",
    "\"scf.while\"() ({}, {}) : () -> ()",
    "\"scf.if\"() ({}, {}) : () -> (i32)",
    "\"dataflow.stream\"() : () -> ()",
    "\"handshake.func\"() ({}) : () -> ()",
    "\"builtin.module\"() ({^a: \"builtin.module\"() ({^b:}) : () -> ()}) : () -> ()",
};

static void count(size_t which) {
  ask_text(counts[which]);
}

static void put_many(Buf *out, const char *text, u32 n) {
  for (u32 i = 0; i < n; i++) buf_str(out, text);
}

/* What is long: the middle, so many times. */
static const struct {
  const char *before, *middle;
  u32 times;
  const char *after;
} long_texts[] = {
    {"func.func @f(%", "abcdefgh", 1 << 17, ": i32) { return }"}, /* a name of a megabyte */
    {"", "? ", 1 << 18, ""},                                      /* a line of errors */
    {"", "func.func @f() { %a = foo.bar %b : }\n", 1 << 14, ""},  /* an error a line */
    {"func.func @f() {\n", "%a = foo.bar (\n", 1 << 15, "}"}, /* brackets that are never closed */
    {"func.func @f() {\n", "%a = arith.constant dense<1 : i32\n", 1 << 15, "}"},
    {"func.func @f() {\n", "%a = arith.constant #x.y<1 : i32\n", 1 << 15, "}"},
    {"", "{-#\n", 1 << 17, ""},
    {"", "{-##-}\n", 1 << 16, ""},
    {"func.func @f() { %r:50000 = \"x.y\"() : () -> (i32", ", i32", 49999, ")\n return }"},
    {"func.func @f(%a: i32) -> i32 {\n", "arith.addi %a, %a : i32\n", 1 << 15, "return %a : i32 }"},
    /* the same symbol again and again, called each time */
    {"", "func.func @f() { call @f() : () -> () return }\n", 1 << 13, ""},
    {"func.func private @f(memref<", "1x", 50000, "i32>)"},
    {"// ", "x", 1 << 18, ""},
    {"\"", "x", 1 << 18, ""}, /* a string that never ends */
};

enum { ARGUMENTS = COUNT_OF(long_texts), BLOCKS, CALLS, SUMS, ATTRIBUTES };

static void long_text(size_t which) {
  Buf out = {0};
  switch (which) {
  case ARGUMENTS: /* of one op */
    buf_str(&out, "func.func @f(%a: i32) { \"x.y\"(%a");
    put_many(&out, ", %a", 49999);
    buf_str(&out, ") : (i32");
    put_many(&out, ", i32", 49999);
    buf_str(&out, ") -> ()\n return }");
    break;
  case BLOCKS: /* each to the next but one */
    buf_str(&out, "func.func @f() {\n");
    for (u32 i = 0; i < 20000; i++) buf_printf(&out, "^b%u:\ncf.br ^b%u\n", i, i + 1);
    buf_str(&out, "^b20000:\nreturn }");
    break;
  case CALLS: /* that double the work of inlining, 40 times */
    buf_str(&out, "func.func private @f0(%m: memref<4xi32>, %i: index) { %x = memref.load %m[%i] : "
                  "memref<4xi32>\n return }\n");
    for (u32 i = 1; i < 40; i++)
      buf_printf(&out,
                 "func.func %s@f%u(%%m: memref<4xi32>, %%i: index) { func.call @f%u(%%m, %%i) : "
                 "(memref<4xi32>, index) -> ()\n func.call @f%u(%%m, %%i) : (memref<4xi32>, index) "
                 "-> ()\n return }\n",
                 i < 39 ? "private " : "", i, i - 1, i - 1);
    break;
  case SUMS: /* subscripts that double what they are made of, 40 times */
    buf_str(&out, "func.func @f(%m: memref<?xi32>, %a: index, %b: index, %x: i32) {\n%one = "
                  "arith.constant 1 : index\n"
                  "scf.for %i = %a to %b step %one {\n%s0 = arith.addi %i, %a : index\n");
    for (u32 i = 1; i < 40; i++)
      buf_printf(&out,
                 "%%s%u = arith.addi %%s%u, %%s%u {loom.subscripts = array<i64: -1, -1>} : index\n",
                 i, i - 1, i - 1);
    for (u32 i = 20; i < 40; i++)
      buf_printf(&out, "memref.store %%x, %%m[%%s%u] : memref<?xi32>\n", i);
    buf_str(&out, "}\nreturn }");
    break;
  case ATTRIBUTES: /* beyond counting */
    buf_str(&out, "\"x.y\"() {");
    for (u32 i = 0; i < 20000; i++) buf_printf(&out, "a%u = %u, ", i, i);
    buf_str(&out, "z} : () -> ()");
    break;
  default:
    buf_str(&out, long_texts[which].before);
    put_many(&out, long_texts[which].middle, long_texts[which].times);
    buf_str(&out, long_texts[which].after);
  }
  ask(&out);
  buf_free(&out);
}

static const char *const cases[] = {
    "{\"function\": \"f\", \"args\": [{\"memref\": {\"shape\": [2, 2], \"type\": \"i32\", "
    "\"data\": [1, -2, 3, "
    "4]}}, {\"scalar\": {\"type\": \"f32\", \"value\": -1.5e3}}, {\"stream\": {\"type\": \"i1\", "
    "\"data\": [0, 1]}}, "
    "{\"scalar\": {\"type\": \"f64\", \"value\": \"nan\"}}], \"expected\": {\"results\": [7, "
    "\"-inf\", [1, 2]], "
    "\"memrefs\": [{\"arg\": 0, \"data\": [1, 2, 3, 4]}]}}",
    "{\"args\": [{\"memref\": {\"shape\": [9223372036854775807, 2], \"type\": \"i32\"}}]}",
    "{\"args\": [{\"memref\": {\"shape\": [1000000000000], \"type\": \"f64\"}}]}",
    "{\"args\": [{\"memref\": {\"shape\": [-1, 4294967296, 4294967296], \"type\": \"f64\", "
    "\"data\": []}}]}",
    "{\"args\": [{\"scalar\": {\"type\": \"i32\", \"value\": 1e99999}}]}",
    "{\"args\": [{\"scalar\": {\"type\": \"i32\", \"value\": 99999999999999999999}}]}",
    "{\"args\": [{\"scalar\": {\"type\": \"memref<memref<\", \"value\": 1}}]}",
    "{\"args\": {\"scalar\": 5}}",
    "{\"args\": [[[[]]], null, true, \"x\"]}",
    "[]",
    "null",
    "5",
    "",
    "{\"args\": [{\"memref\": {\"shape\": [4], \"type\": \"i32\", \"data\": {\"npy\": "
    "\"/dev/zero\"}}}]}",
    "{\"args\": [{\"memref\": {\"shape\": [4], \"type\": \"i32\", \"data\": {\"npy\": \"/\"}}}]}",
    "{\"expected\": {\"results\": 5, \"memrefs\": [{\"arg\": -1}, {\"arg\": 99999999999}, 7]}, "
    "\"args\": []}",
};

/* A text of JSON with a few of its characters exchanged. */
static Buf exchanged(const char *text, size_t full) {
  Buf out = {0};
  buf_put(&out, text, full);
  for (size_t n = 1 + any_below(3); n > 0; n--)
    out.data[any_below(full)] = "{}[]\":,0-9e.\\ \xff"[any_below(15)];
  return out;
}

static void hostile_case(size_t which) {
  const char *text = cases[which];
  size_t full = strlen(text);
  for (size_t len = 0; len <= full; len++) ask_case(text, len);
  random_state.state = which;
  for (unsigned i = 0; i < 500 && full; i++) {
    Buf out = exchanged(text, full);
    ask_case(out.data, out.len);
    buf_free(&out);
  }
  static const char *const nests[] = {"[", "{\"a\":", "{\"args\": [", "\"\\u0000"};
  for (size_t k = 0; which == 0 && k < COUNT_OF(nests); k++) {
    Buf out = {0};
    put_many(&out, nests[k], 100000);
    ask_case(out.data, out.len);
    buf_free(&out);
  }
}

/* ---- configurations -------------------------------------------------------------------------- */

static const char config_fabric[] =
    "fabric.module @top(%a: !fabric.bits<8>, %b: !fabric.bits<8>, %c: "
    "!fabric.tagged<!fabric.bits<8>, i2>) -> (!fabric.bits<8>, !fabric.bits<64>, "
    "!fabric.tagged<!fabric.bits<8>, i2>) {\n"
    "%s = fabric.spatial_sw @sw [connectivity_table = [\"11\"]] (%a, %f) : (!fabric.bits<8>, "
    "!fabric.bits<8>) -> (!fabric.bits<8>)\n"
    "%f = fabric.fifo @f [depth = 2, bypassable] (%b) : (!fabric.bits<8>) -> (!fabric.bits<8>)\n"
    "%t = fabric.temporal_sw @t [num_route_table = 2, connectivity_table = [\"1\"]] (%c) : "
    "(!fabric.tagged<!fabric.bits<8>, i2>) -> (!fabric.tagged<!fabric.bits<8>, i2>)\n"
    "%p = fabric.spatial_pe @p inputs(%s) : (!fabric.bits<8>) -> (!fabric.bits<64>) {\n"
    "fabric.function_unit @k(%x: none) -> (i64) [latency = 0, interval = 1] {\n"
    "%k = handshake.constant %x {value = 5 : i64} : i64\n fabric.yield %k : i64\n }\n"
    "fabric.function_unit @c(%x: i8, %y: i8) -> (i1) [latency = 0, interval = 1] {\n"
    "%k = arith.cmpi eq, %x, %y : i8\n fabric.yield %k : i1\n }\n fabric.yield\n }\n"
    "%z = fabric.fifo [depth = 1] (%s) : (!fabric.bits<8>) -> (!fabric.bits<8>)\n"
    "fabric.yield %z, %p, %t : !fabric.bits<8>, !fabric.bits<64>, "
    "!fabric.tagged<!fabric.bits<8>, i2>\n}\n";

static const char *const configs[] = {
    "{\"version\": 1, \"module\": \"top\", \"components\": {\"sw\": {\"out0.in1\": 1}, \"f\": "
    "{\"bypassed\": true}, \"t\": {\"slot1.valid\": 1, \"slot1.tag\": 3, \"slot1.out0.in0\": 1}, "
    "\"p\": {\"enable\": 1, \"mux1.disconnect\": 1, \"k.0.literal\": "
    "\"0xffffffffffffffff\"}}}",
    "{\"version\": 1, \"module\": \"top\", \"words\": [2, 1, 240, 33, 0, 0], \"slices\": "
    "[{\"component\": \"sw\", \"kind\": \"spatial_sw\", \"word\": 0, \"words\": 1, \"bits\": 4}]}",
    "{\"words\": [4294967296, -1, 1e99, 9223372036854775807]}",
    "{\"components\": {\"p\": {\"k.0.literal\": 99999999999999999999}}}",
    "{\"components\": {\"p\": [], \"sw\": null, \"\": {\"\": \"\"}, \"f\": {\"bypassed\": "
    "\"0x\"}}}",
    "{\"components\": {\"p\": {\"opcode\": 1, \"k.0.literal\": 1}}}",
    "[]",
    "null",
    "",
};

/* As fields, as an image in JSON, and as words. */
static void ask_config(Context *ctx, const Layout *layout, const char *text, size_t len) {
  const char *const names[] = {"x.fields", "x.json", "x.bin"};
  for (size_t i = 0; i < COUNT_OF(names); i++) {
    const Source *source = source_from_memory(ctx, names[i], text, len);
    image_free(i ? image_parse(ctx, layout, source) : config_of_fields(ctx, layout, source));
  }
}

static void hostile_config(size_t which) {
  Context *ctx = context_new();
  ctx->err = NULL;
  Buf fabric = {0};
  Hardware h;
  buf_str(&fabric, config_fabric);
  if (!hardware_of_text(ctx, &fabric, &h)) abort();
  const Layout *layout = h.layout;
  const char *text = configs[which];
  size_t full = strlen(text);
  for (size_t len = 0; len <= full; len++) ask_config(ctx, layout, text, len);
  random_state.state = which;
  for (unsigned i = 0; i < 500 && full; i++) {
    Buf out = exchanged(text, full);
    ask_config(ctx, layout, out.data, out.len);
    buf_free(&out);
  }
  for (unsigned i = 0; which == 0 && i < 2000; i++) { /* words at random, few bits set */
    char words[64];
    size_t len = (size_t)layout->nwords * 4;
    for (size_t k = 0; k < len; k++)
      words[k] = (char)(any_number() & any_number() & any_number() & any_number());
    ask_config(ctx, layout, words, len);
  }
  hardware_free(&h);
  buf_free(&fabric);
  context_free(ctx);
}

/* ---- running them ---------------------------------------------------------------------------- */

typedef struct {
  const char *name;
  void (*run)(size_t which);
  size_t n;
} Group;

typedef struct {
  const Group *group;
  size_t which;
} Attempt;

static int run(void *attempt) {
  const Attempt *a = attempt;
  a->group->run(a->which);
  return EXIT_GOOD;
}

/* It must come back on its own, in time, with memory to spare. */
static void survives(const Group *group, size_t which) {
  RunLimits limits = {.seconds = 60};
#if !defined(__SANITIZE_ADDRESS__)
  limits.memory = 1u << 30;
#endif
  int status = run_apart(run, &(Attempt){group, which}, &limits);
  check(status == EXIT_GOOD, "%s %zu: status %d%s", group->name, which, status,
        status == EXIT_FAULT      ? " (it wanted too much memory)"
        : status == 128 + SIGXCPU ? " (it hung)"
                                  : "");
}

int main(int argc, char **argv) {
  if (argc < 2 || !read_corpus(argv[1])) wrong_usage("hostile CORPUS-FOLDER [GROUP WHICH]");
  const Group groups[] = {{"truncated", truncated, corpus.len},
                          {"mutated", mutated, corpus.len},
                          {"random", random_text, 2},
                          {"deep", deep, COUNT_OF(nestings)},
                          {"hardware", nested_hardware, COUNT_OF(hardware)},
                          {"laughs", laughs, 6},
                          {"count", count, COUNT_OF(counts)},
                          {"long", long_text, ATTRIBUTES + 1},
                          {"case", hostile_case, COUNT_OF(cases)},
                          {"config", hostile_config, COUNT_OF(configs)}};
  for (size_t g = 0; g < COUNT_OF(groups); g++) {
    if (argc == 4 && !strcmp(argv[2], groups[g].name)) groups[g].run(strtoull(argv[3], NULL, 10));
    for (size_t i = 0; argc < 4 && i < groups[g].n; i++) survives(&groups[g], i);
  }
  for (size_t i = 0; i < corpus.len; i++) buf_free(&corpus.at[i].text);
  vec_free(&corpus);
  return argc == 4 ? EXIT_GOOD : checks_end();
}
