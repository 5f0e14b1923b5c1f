/* hosted.c -- can the presets host the golden kernels? Counted, without the mapper.
 *
 *     hosted golden/(kernel folders)        the last line is: N passed, N failed
 *     hosted --list golden/(kernel folders) also which kernels each preset has no room for, and why
 *
 * Each kernel is lowered. Then, for every preset with a unit for everything (64 bits, --fu all):
 *
 *   - each node has a function unit of that one operation, with exactly its types; a join of many
 *     inputs has one for the joins of its tree
 *   - `temporal` has room: nodes and PEs (or instructions), memories outside and on the
 *     fabric, their lanes, sizes and widths, arguments and results. A temporal PE carries out a
 *     node an instruction: there are as many as the kernel needs of each
 *
 * And, kernels or not, every operation that a function unit may hold is there in every type that it
 * can be computed in: the list below, which knows nothing of how the library is made. */
#include "subjects.h"

#include "dfg/dfg.h"
#include "fabric/adg.h"
#include "lower/lower.h"
#include "text/text.h"

#include <stdlib.h>
#include <string.h>

static bool expect(bool good, const char *what, const char *of, const char *on) {
  return check(good, "%s: %s on %s", of, what, on);
}

/* ---- fabrics --------------------------------------------------------------------------------- */

typedef struct {
  const char *name;
  Hardware hardware;
  const Adg *adg;
  u32 *units; /* how many PEs, or instructions, can be an instance of a body, by body */
  u32 room;   /* for nodes: PEs, or instructions */
  u32 nouts, nins, outside, pads, lanes, elem_bits;
  u64 words;
} Board;

static Board board_of(Context *ctx, const char *preset) {
  Board b = {.name = preset, .lanes = UINT32_MAX, .words = UINT64_MAX, .elem_bits = UINT32_MAX};
  if (!hardware_named(ctx, preset, &b.hardware)) exit(1);
  b.adg = b.hardware.adg;
  b.units = NEW_ARRAY(ctx->arena, u32, b.adg->nbodies);
  memset(b.units, 0, b.adg->nbodies * sizeof *b.units);
  for (u32 i = 0; i < b.adg->nfus; i++) {
    const AdgPe *pe = &b.adg->pes[b.adg->fus[i].pe];
    b.units[b.adg->fus[i].body] += adg_is_shareable(b.adg, pe, i) ? pe->num_instruction : 1;
  }
  for (u32 i = 0; i < b.adg->npes; i++)
    b.room += b.adg->pes[i].is_temporal ? b.adg->pes[i].num_instruction : 1;
  for (u32 i = 0; i < b.adg->ncomponents; i++) {
    b.nins += b.adg->components[i].kind == ADG_INPUT;
    b.nouts += b.adg->components[i].kind == ADG_OUTPUT;
  }
  for (u32 i = 0; i < b.adg->nmemories; i++) {
    const AdgMemory *m = &b.adg->memories[i];
    u32 lanes = m->nloads < m->nstores ? m->nloads : m->nstores;
    if (lanes < b.lanes) b.lanes = lanes;
    if (m->elem_bits < b.elem_bits) b.elem_bits = m->elem_bits;
    b.outside += m->is_external;
    b.pads += !m->is_external;
    if (!m->is_external && m->elements < b.words) b.words = m->elements;
  }
  return b;
}

/* ---- an operation and its types -------------------------------------------------------------- */

enum { MAX_PORTS = 8 };

typedef struct {
  u32 kind, detail; /* detail: a stream's step */
  u32 noperands, nresults;
  const Type *types[MAX_PORTS]; /* interned: equal are the same */
} Need;

static bool same_need(const Need *a, const Need *b) {
  return a->kind == b->kind && a->detail == b->detail && a->noperands == b->noperands &&
         a->nresults == b->nresults &&
         memcmp(a->types, b->types, (a->noperands + a->nresults) * sizeof *a->types) == 0;
}

static Need need_of_node(const Dfg *dfg, u32 n) {
  const DfgNode *node = &dfg->nodes[n];
  Need need = {node->kind,
               node->kind == OP_DATAFLOW_STREAM ? node->step_op : 0,
               node->noperands,
               node->nresults,
               {0}};
  if (need.kind == OP_HANDSHAKE_JOIN) need.noperands = 4; /* of a tree; an input may go unused */
  for (u32 i = 0; i < need.noperands; i++)
    need.types[i] = dfg_edge_type(dfg, dfg_operand(dfg, n, i < node->noperands ? i : 0))->ir;
  for (u32 i = 0; i < need.nresults; i++)
    need.types[need.noperands + i] = dfg->types[dfg->results[node->first_result + i].type].ir;
  return need;
}

/* Operation `n` of a function unit, where it is its only one, or one of those that a fabric.mux at
 * the end chooses among, all of the unit's operands for themselves. */
static bool need_of_body(const Adg *adg, const AdgBody *body, u32 n, Need *need) {
  const AdgNode *node = &adg->nodes[body->first_node + n], *last = node + body->nnodes - 1 - n;
  bool is_choice = last->kind == OP_FABRIC_MUX && last->noperands + 1 == body->nnodes;
  if (body->nnodes > 1 && (!is_choice || node == last)) return false;
  if (node->noperands + node->nresults > MAX_PORTS) return false;
  *need = (Need){node->kind,
                 node->kind == OP_DATAFLOW_STREAM ? node->step_op : 0,
                 node->noperands,
                 node->nresults,
                 {0}};
  for (u32 i = 0; i < node->noperands; i++) {
    u32 value = adg->operands[node->first_operand + i];
    if (value >= body->nargs) return false;
    need->types[i] = adg->values[body->first_value + value].ir;
  }
  for (u32 i = 0; i < node->nresults; i++)
    need->types[node->noperands + i] = adg->values[body->first_value + node->first_result + i].ir;
  return true;
}

/* How many function units of the fabric can be this operation alone. */
static u32 supply(const Board *board, const Need *need) {
  u32 units = 0;
  for (u32 b = 0; b < board->adg->nbodies; b++) {
    const AdgBody *body = &board->adg->bodies[b];
    bool has_it = false;
    for (u32 n = 0; n < body->nnodes; n++) {
      Need has;
      has_it |= need_of_body(board->adg, body, n, &has) && same_need(&has, need);
    }
    if (has_it) units += board->units[b];
  }
  return units;
}

/* ---- kernels --------------------------------------------------------------------------------- */

static bool is_mapped(const DfgNode *node) {
  return node->fire != FIRE_ARG && node->fire != FIRE_RETURN && node->kind != OP_HANDSHAKE_MEMORY &&
         node->kind != OP_HANDSHAKE_EXTMEMORY;
}

/* Joins of four that make one of n. */
static u32 units_of(const DfgNode *node) {
  return node->kind == OP_HANDSHAKE_JOIN && node->noperands > 1 ? (node->noperands + 1) / 3 : 1;
}

static void need_units(const Dfg *dfg, const Board *board, const char *kernel) {
  bool is_temporal = board->adg->pes[0].is_temporal;
  for (u32 n = 0; n < dfg->nnodes; n++) {
    if (!is_mapped(&dfg->nodes[n])) continue;
    Need need = need_of_node(dfg, n);
    u32 demand = 0, there = supply(board, &need);
    for (u32 other = 0; is_temporal && other < dfg->nnodes; other++) {
      if (!is_mapped(&dfg->nodes[other])) continue;
      Need another = need_of_node(dfg, other);
      if (same_need(&need, &another)) demand += units_of(&dfg->nodes[other]);
    }
    char what[128];
    snprintf(what, sizeof what, "%s (%s): %u unit(s), needs %u", dfg_text(dfg, dfg->nodes[n].name),
             dfg_text(dfg, dfg->nodes[n].op), there, demand ? demand : 1);
    expect(there >= (demand ? demand : 1), what, kernel, board->name);
  }
}

/* What there is no room for, or NULL. */
static const char *no_room(const Dfg *dfg, const Board *board) {
  u32 nodes = 0, ins = 0, outside = 0, pads = 0;
  for (u32 n = 0; n < dfg->nnodes; n++)
    if (is_mapped(&dfg->nodes[n])) nodes += units_of(&dfg->nodes[n]);
  for (u32 i = 0; i < dfg->nargs; i++) ins += dfg->args[i].role != DFG_ARG_MEMREF;
  if (nodes > board->room) return "nodes";
  if (ins > board->nins) return "arguments";
  if (dfg->noutputs > board->nouts) return "results";
  for (u32 i = 0; i < dfg->nmemories; i++) {
    const DfgMemory *m = &dfg->memories[i];
    /* one whose size is known to nobody goes outside */
    bool is_outside = m->arg != DFG_NONE || m->is_dynamic;
    if (m->nloads > board->lanes || m->nstores > board->lanes) return "lanes";
    if (dfg->types[m->elem].bits > board->elem_bits) return "width of elements";
    if (!is_outside && m->elements > board->words) return "words of a memory";
    outside += is_outside;
    pads += !is_outside;
  }
  if (outside > board->outside) return "memories outside";
  return pads > board->pads ? "memories on the fabric" : NULL;
}

static void check_kernel(Context *ctx, const char *folder, const Board *boards, u32 n, bool list) {
  Kernel k;
  LowerOptions options = {0};
  bool good = kernel_read(ctx, folder, &k) && lower_module(k.subject.module, &options);
  const Module *module = k.subject.module;
  if (!good) expect(false, "cannot be lowered", folder, "any");
  for (Op *op = good ? module->top->regions[0].first->first : NULL; op; op = op->next) {
    if (op->kind != OP_HANDSHAKE_FUNC) continue;
    Dfg *dfg = dfg_freeze(ctx, op);
    for (u32 i = 0; dfg && i < n; i++) {
      const char *missing = no_room(dfg, &boards[i]);
      bool must_fit = boards[i].adg->pes[0].is_temporal;
      need_units(dfg, &boards[i], folder);
      if (must_fit) expect(!missing, missing ? missing : "", folder, boards[i].name);
      if (list && missing) printf("%s: no room for %s: %s\n", boards[i].name, folder, missing);
    }
    dfg_free(dfg);
  }
  kernel_free(&k);
}

/* ---- every operation in every type ----------------------------------------------------------- */

#define INTS   "i1 i8 i16 i32 i64"
#define INDEX  "index " INTS
#define FLOATS "f16 bf16 f32 f64"
#define VALUES INDEX " " FLOATS
#define TOKENS "none " VALUES

/* `T` stands for each of the types. */
static const struct {
  const char *ops, *signature, *types;
} every[] = {
    {"arith.addi arith.subi arith.muli arith.divsi arith.divui arith.ceildivsi arith.ceildivui "
     "arith.floordivsi arith.remsi arith.remui arith.andi arith.ori arith.xori arith.shli "
     "arith.shrsi arith.shrui arith.maxsi arith.maxui arith.minsi arith.minui math.ipowi",
     "T T -> T", INDEX},
    {"math.absi math.ctlz math.cttz math.ctpop", "T -> T", INDEX},
    {"llvm.intr.bitreverse", "T -> T", INTS},
    {"arith.addui_extended", "T T -> T i1", INDEX},
    {"arith.mulsi_extended arith.mului_extended", "T T -> T T", INDEX},
    {"arith.cmpi", "T T -> i1", INDEX},
    {"arith.addf arith.subf arith.mulf arith.divf arith.remf arith.maximumf arith.minimumf "
     "arith.maxnumf arith.minnumf math.atan2 math.copysign math.powf",
     "T T -> T", FLOATS},
    {"arith.negf math.absf math.acos math.acosh math.asin math.asinh math.atan math.atanh "
     "math.cbrt math.ceil math.cos math.cosh math.erf math.erfc math.exp math.exp2 math.expm1 "
     "math.floor math.log math.log10 math.log1p math.log2 math.round math.roundeven math.rsqrt "
     "math.sin math.sinh math.sqrt math.tan math.tanh math.trunc",
     "T -> T", FLOATS},
    {"math.fma", "T T T -> T", FLOATS},
    {"math.fpowi", "T i8 -> T", FLOATS},
    {"math.fpowi", "T i16 -> T", FLOATS},
    {"math.fpowi", "T i32 -> T", FLOATS},
    {"math.fpowi", "T i64 -> T", FLOATS},
    {"math.isfinite math.isinf math.isnan math.isnormal arith.cmpf", NULL, FLOATS},
    {"arith.select", "i1 T T -> T", VALUES},
    {"arith.extsi arith.extui", "i1 -> T", "i8 i16 i32 i64"},
    {"arith.extsi arith.extui", "i8 -> T", "i16 i32 i64"},
    {"arith.extsi arith.extui", "i16 -> T", "i32 i64"},
    {"arith.extsi arith.extui", "i32 -> T", "i64"},
    {"arith.trunci", "i64 -> T", "i1 i8 i16 i32"},
    {"arith.trunci", "i32 -> T", "i1 i8 i16"},
    {"arith.trunci", "i16 -> T", "i1 i8"},
    {"arith.trunci", "i8 -> T", "i1"},
    {"arith.extf", "T -> f64", "f16 bf16 f32"},
    {"arith.extf", "T -> f32", "f16 bf16"},
    {"arith.truncf", "f64 -> T", "f16 bf16 f32"},
    {"arith.truncf", "f32 -> T", "f16 bf16"},
    {"arith.sitofp arith.uitofp", "T -> f16", INTS},
    {"arith.sitofp arith.uitofp", "T -> bf16", INTS},
    {"arith.sitofp arith.uitofp", "T -> f32", INTS},
    {"arith.sitofp arith.uitofp", "T -> f64", INTS},
    {"arith.fptosi arith.fptoui", "f16 -> T", INTS},
    {"arith.fptosi arith.fptoui", "bf16 -> T", INTS},
    {"arith.fptosi arith.fptoui", "f32 -> T", INTS},
    {"arith.fptosi arith.fptoui", "f64 -> T", INTS},
    {"arith.index_cast arith.index_castui", "T -> index", INTS},
    {"arith.index_cast arith.index_castui", "index -> T", INTS},
    {"arith.bitcast", "f16 -> T", "i16 bf16"},
    {"arith.bitcast", "bf16 -> T", "i16 f16"},
    {"arith.bitcast", "i16 -> T", "f16 bf16"},
    {"arith.bitcast", "T -> f32", "i32"},
    {"arith.bitcast", "T -> f64", "i64"},
    {"arith.bitcast", "T -> i32", "f32"},
    {"arith.bitcast", "T -> i64", "f64"},
    {"handshake.constant", "none -> T", VALUES},
    {"handshake.cond_br", "i1 T -> T T", TOKENS},
    {"handshake.mux", "i1 T T -> T", TOKENS},
    {"handshake.join", "none none none none -> T", "none"},
    {"handshake.load", "index T none -> T index", VALUES},
    {"handshake.store", "index T none -> T index", VALUES},
    {"dataflow.stream", "index index index -> T i1", "index"},
    {"dataflow.gate", "T i1 -> T i1", TOKENS},
    {"dataflow.carry", "i1 T T -> T", TOKENS},
    {"dataflow.invariant", "i1 T -> T", TOKENS},
};

/* The next of words with spaces between, or NULL. */
static const char *next_word(const char **at, char *word, size_t size) {
  size_t len = 0;
  *at += strspn(*at, " ");
  len = strcspn(*at, " ");
  if (!len || len >= size) return NULL;
  memcpy(word, *at, len);
  word[len] = 0;
  *at += len;
  return word;
}

static const Type *type_named(Context *ctx, const char *word) {
  if (strcmp(word, "none") == 0) return type_none(ctx);
  if (strcmp(word, "index") == 0) return type_index(ctx);
  return text_parse_type(ctx, word);
}

static OpKind kind_named(const char *name) {
  u32 kind = OP_COUNT;
  while (--kind && strcmp(op_info((OpKind)kind)->name, name) != 0) continue;
  return (OpKind)kind;
}

/* What is in no hardware but a model for simulators: temporal PEs do without. */
static const char simulated[] =
    " math.acos math.acosh math.asin math.asinh math.atan math.atanh math.cbrt math.cos math.cosh "
    "math.erf math.erfc math.exp math.exp2 math.expm1 math.log math.log10 math.log1p math.log2 "
    "math.sin math.sinh math.tan math.tanh math.atan2 math.powf math.fpowi ";

static bool does_without(const Board *board, const char *op) {
  char word[80];
  snprintf(word, sizeof word, " %s ", op);
  return board->adg->pes[0].is_temporal && strstr(simulated, word);
}

static void check_every(Context *ctx, const Board *board) {
  for (size_t row = 0; row < sizeof every / sizeof *every; row++) {
    const char *ops = every[row].ops;
    char op[64], type[16], word[16];
    while (next_word(&ops, op, sizeof op)) {
      const char *all = every[row].types, *signature = every[row].signature;
      if (does_without(board, op)) continue;
      if (!signature) signature = strcmp(op, "arith.cmpf") ? "T -> i1" : "T T -> i1";
      while (next_word(&all, type, sizeof type)) {
        Need need = {.kind = kind_named(op)};
        u32 n = 0;
        const char *at = signature;
        while (next_word(&at, word, sizeof word)) {
          if (strcmp(word, "->") == 0)
            need.noperands = n;
          else
            need.types[n++] = type_named(ctx, strcmp(word, "T") ? word : type);
        }
        need.nresults = n - need.noperands;
        for (u32 step = 0; step < (need.kind == OP_DATAFLOW_STREAM ? 6u : 1u); step++) {
          need.detail = step;
          expect(supply(board, &need) >= board->adg->npes, op, type, board->name);
        }
      }
    }
  }
}

int main(int argc, char **argv) {
  static const char *const presets[] = {"full", "temporal"};
  enum { NBOARDS = sizeof presets / sizeof *presets };
  Context *ctx = context_new();
  Board boards[NBOARDS];
  bool list = false;
  int n =
      tool_options(argc, argv, TOOL_OPTIONS(TOOL_FLAG("--list", list)), "hosted [--list] DIR...");
  for (u32 i = 0; i < NBOARDS; i++) boards[i] = board_of(ctx, presets[i]);
  for (u32 i = 0; i < NBOARDS; i++) check_every(ctx, &boards[i]);
  for (int i = 1; i < n; i++) check_kernel(ctx, argv[i], boards, NBOARDS, list);
  for (u32 i = 0; i < NBOARDS; i++) {
    hardware_free(&boards[i].hardware);
  }
  context_free(ctx);
  return checks_end();
}
