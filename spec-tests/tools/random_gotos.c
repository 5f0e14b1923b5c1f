/* random_gotos.c -- goto programs for the random program generator: blocks with random successors.
 *
 *     ^b3(%b3_0: i32, %b3_1: f32):            a few ops on what is known here, loads and stores
 *       ...
 *       cf.cond_br %empty, ^out(%v7 : i32), ^go3     so that every program ends: each block burns
 *     ^go3:                                          one unit of fuel, which is in a memory
 *       cf.switch %v9 : i32, [ default: ^b1, 0: ^b3(%v7, %v2 : i32, f32), 2: ^b0 ]
 *
 * Where a block leads is drawn first, without any rule, so loops with several entries, blocks that
 * nothing leads to, several returns and switches with equal targets are all common. What a block
 * may name are its own values and those of its dominators, found from the successors by the sets of
 * the textbook. Blocks stand in any order. Half of the programs are a function that @main calls,
 * in a loop or twice. */
#include "random_gen.h"

enum { MAX_BLOCKS = 14, MAX_TARGETS = 4, MAX_ARGS = 3, MAX_VALUES = 24, CELLS = 16 };

typedef struct {
  char name[NAME_SIZE];
  unsigned type; /* of goto_types */
} Known;

typedef struct {
  unsigned nargs, ntargets, nvalues;
  unsigned args[MAX_ARGS];
  unsigned targets[MAX_TARGETS];
  unsigned dominators; /* a set */
  bool returns;
  Known values[MAX_VALUES];
  Buf text;
} Goto;

/* Block 0 is the function's first. */
typedef struct {
  Gen *g;
  unsigned n, next;
  Goto blocks[MAX_BLOCKS];
} Gotos;

static const char *const goto_types[] = {"i32", "f32", "index"};
enum { I32, F32, INDEX, GOTO_TYPES };

static void draw_graph(Gotos *p) {
  Gen *g = p->g;
  p->n = 2 + below(g, MAX_BLOCKS - 1);
  for (unsigned b = 0; b < p->n; b++) {
    Goto *block = &p->blocks[b];
    block->nargs = b ? below(g, MAX_ARGS) : 0;
    for (unsigned i = 0; i < block->nargs; i++) block->args[i] = below(g, GOTO_TYPES);
    block->returns = b && chance(g, 12);
    block->ntargets = block->returns ? 0 : chance(g, 30) ? 1 : chance(g, 90) ? 2 : 3 + below(g, 2);
    bool forward = chance(g, 45) && b + 1 < p->n;
    for (unsigned i = 0; i < block->ntargets; i++)
      block->targets[i] = forward ? b + 1 + below(g, p->n - b - 1) : 1 + below(g, p->n - 1);
  }
}

static void find_dominators(Gotos *p) {
  unsigned all = (1u << p->n) - 1;
  for (unsigned b = 0; b < p->n; b++) p->blocks[b].dominators = b ? all : 1;
  for (bool changed = true; changed;) {
    unsigned meet[MAX_BLOCKS];
    changed = false;
    for (unsigned b = 0; b < p->n; b++) meet[b] = all;
    for (unsigned b = 0; b < p->n; b++)
      for (unsigned i = 0; i < p->blocks[b].ntargets; i++)
        meet[p->blocks[b].targets[i]] &= p->blocks[b].dominators;
    for (unsigned b = 1; b < p->n; b++) {
      unsigned now = meet[b] | 1u << b;
      changed |= now != p->blocks[b].dominators;
      p->blocks[b].dominators = now;
    }
  }
}

static Known *know(Goto *block, unsigned type, const char *name) {
  if (block->nvalues == MAX_VALUES) loom_bug("too many values in a block");
  Known *v = &block->values[block->nvalues++];
  v->type = type;
  snprintf(v->name, sizeof v->name, "%s", name);
  return v;
}

static const char *fresh(Gotos *p, Goto *block, unsigned type) {
  char name[NAME_SIZE];
  snprintf(name, sizeof name, "%%v%u", p->next++);
  return know(block, type, name)->name;
}

/* A name that is only used at once. */
static void scratch(Gotos *p, char out[NAME_SIZE]) {
  snprintf(out, NAME_SIZE, "%%t%u", p->next++);
}

/* A value of the type that is known in block b. Of a block that nothing leads to, whose dominators
 * are all blocks, its own and those of the first. */
static const char *known(Gotos *p, unsigned b, unsigned type) {
  const char *found[MAX_BLOCKS * MAX_VALUES];
  unsigned n = 0, all = (1u << p->n) - 1;
  unsigned from = p->blocks[b].dominators == all ? 1u | 1u << b : p->blocks[b].dominators;
  for (unsigned d = 0; d < p->n; d++)
    for (unsigned i = 0; from >> d & 1 && i < p->blocks[d].nvalues; i++)
      if (p->blocks[d].values[i].type == type) found[n++] = p->blocks[d].values[i].name;
  return found[below(p->g, n)];
}

/* An index in [0, CELLS). */
static void put_index(Gotos *p, unsigned b, char out[NAME_SIZE]) {
  char masked[NAME_SIZE];
  Buf *text = &p->blocks[b].text;
  scratch(p, masked);
  scratch(p, out);
  buf_printf(text, "  %s = arith.andi %s, %%mask : i32\n", masked, known(p, b, I32));
  buf_printf(text, "  %s = arith.index_cast %s : i32 to index\n", out, masked);
}

static void put_statement(Gotos *p, unsigned b) {
  static const char *const ops[GOTO_TYPES][3] = {{"arith.addi", "arith.muli", "arith.xori"},
                                                 {"arith.addf", "arith.mulf", "arith.subf"},
                                                 {"arith.addi", "arith.minsi", "arith.subi"}};
  Goto *block = &p->blocks[b];
  Buf *text = &block->text;
  char index[NAME_SIZE];
  unsigned what = below(p->g, 10), type = below(p->g, GOTO_TYPES);
  if (what < 5) {
    const char *x = known(p, b, type), *y = known(p, b, type);
    buf_printf(text, "  %s = %s %s, %s : %s\n", fresh(p, block, type), ops[type][below(p->g, 3)], x,
               y, goto_types[type]);
  } else if (what == 5) { /* a block may have no access but in a region */
    buf_printf(text,
               "  scf.for %%r%u = %%c0 to %%c3 step %%c1 {\n"
               "    memref.store %s, %%a[%%r%u] : memref<%dxi32>\n  }\n",
               p->next, known(p, b, I32), p->next, CELLS);
    p->next++;
  } else if (what < 8) {
    put_index(p, b, index);
    buf_printf(text, "  %s = memref.load %%a[%s] : memref<%dxi32>\n", fresh(p, block, I32), index,
               CELLS);
  } else {
    put_index(p, b, index);
    buf_printf(text, "  memref.store %s, %%a[%s] : memref<%dxi32>\n", known(p, b, I32), index,
               CELLS);
  }
}

static void put_target(Gotos *p, unsigned b, unsigned to) {
  const Goto *block = &p->blocks[to];
  Buf *text = &p->blocks[b].text;
  buf_printf(text, "^b%u", to);
  for (unsigned i = 0; i < block->nargs; i++)
    buf_printf(text, "%s%s", i ? ", " : "(", known(p, b, block->args[i]));
  for (unsigned i = 0; i < block->nargs; i++)
    buf_printf(text, "%s%s", i ? ", " : " : ", goto_types[block->args[i]]);
  if (block->nargs) buf_char(text, ')');
}

static void put_fuel(Gotos *p, unsigned b) {
  char old[NAME_SIZE], left[NAME_SIZE], empty[NAME_SIZE];
  Buf *text = &p->blocks[b].text;
  scratch(p, old);
  scratch(p, left);
  scratch(p, empty);
  buf_printf(text, "  %s = memref.load %%fuel[%%c0] : memref<1xi32>\n", old);
  buf_printf(text, "  %s = arith.subi %s, %%one : i32\n", left, old);
  buf_printf(text, "  memref.store %s, %%fuel[%%c0] : memref<1xi32>\n", left);
  buf_printf(text, "  %s = arith.cmpi sle, %s, %%zero : i32\n", empty, left);
  buf_printf(text, "  cf.cond_br %s, ^out(%s : i32), ^go%u\n^go%u:\n", empty, known(p, b, I32), b,
             b);
}

static void put_end(Gotos *p, unsigned b) {
  static const char *const predicates[] = {"slt", "eq", "ne", "ugt", "sle"};
  Goto *block = &p->blocks[b];
  Buf *text = &block->text;
  char flag[NAME_SIZE];
  if (block->returns) {
    buf_printf(text, "  return %s : i32\n", known(p, b, I32));
    return;
  }
  put_fuel(p, b);
  scratch(p, flag);
  if (block->ntargets == 1) {
    buf_str(text, "  cf.br ");
    put_target(p, b, block->targets[0]);
  } else if (block->ntargets == 2) {
    const char *x = known(p, b, I32);
    buf_printf(text, "  %s = arith.cmpi %s, %s, %s : i32\n", flag, predicates[below(p->g, 5)], x,
               known(p, b, I32));
    buf_printf(text, "  cf.cond_br %s, ", flag);
    put_target(p, b, block->targets[0]);
    buf_str(text, ", ");
    put_target(p, b, block->targets[1]);
  } else {
    buf_printf(text, "  %s = arith.andi %s, %%mask : i32\n", flag, known(p, b, I32));
    buf_printf(text, "  cf.switch %s : i32, [ default: ", flag);
    for (unsigned i = 0; i < block->ntargets; i++) {
      if (i) buf_printf(text, ", %u: ", 2 * i);
      put_target(p, b, block->targets[i]);
    }
    buf_str(text, " ]");
  }
  buf_char(text, '\n');
}

/* Dominators come first: their values are what others name. */
static void put_blocks(Gotos *p) {
  unsigned done = 0, all = (1u << p->n) - 1;
  while (done != all)
    for (unsigned b = 0; b < p->n; b++) {
      unsigned above = p->blocks[b].dominators & ~(1u << b);
      bool alone = p->blocks[b].dominators == all;
      if (done >> b & 1 || (!alone && (above & ~done))) continue;
      done |= 1u << b;
      for (unsigned i = 0; i < p->blocks[b].nargs; i++) {
        char name[NAME_SIZE];
        snprintf(name, sizeof name, "%%b%u_%u", b, i);
        know(&p->blocks[b], p->blocks[b].args[i], name);
      }
      for (unsigned n = below(p->g, 4); n > 0; n--) put_statement(p, b);
      put_end(p, b);
    }
}

static void print_block(Gotos *p, unsigned b) {
  const Goto *block = &p->blocks[b];
  Buf *out = p->g->out;
  if (b) buf_printf(out, "^b%u", b);
  for (unsigned i = 0; i < block->nargs; i++)
    buf_printf(out, "%s%%b%u_%u: %s", i ? ", " : "(", b, i, goto_types[block->args[i]]);
  if (b) buf_str(out, block->nargs ? "):\n" : ":\n");
  buf_put(out, block->text.data, block->text.len);
}

static void print_body(Gotos *p, const char *name) {
  Buf *out = p->g->out;
  buf_printf(out,
             "func.func @%s(%%a: memref<%dxi32>, %%x: i32, %%y: i32) -> i32 {\n"
             "  %%c0 = arith.constant 0 : index\n"
             "  %%c1 = arith.constant 1 : index\n"
             "  %%c3 = arith.constant 3 : index\n"
             "  %%zero = arith.constant 0 : i32\n"
             "  %%one = arith.constant 1 : i32\n"
             "  %%mask = arith.constant %d : i32\n"
             "  %%f = arith.sitofp %%x : i32 to f32\n"
             "  %%j = arith.index_cast %%y : i32 to index\n"
             "  %%full = arith.constant %u : i32\n"
             "  %%fuel = memref.alloca() : memref<1xi32>\n"
             "  memref.store %%full, %%fuel[%%c0] : memref<1xi32>\n",
             name, CELLS, CELLS - 1, 4 + below(p->g, 40));
  print_block(p, 0);
  unsigned order[MAX_BLOCKS];
  for (unsigned b = 1; b < p->n; b++) order[b] = b;
  for (unsigned b = p->n - 1; b > 1 && chance(p->g, 90); b--) {
    unsigned other = 1 + below(p->g, b), swap = order[b];
    order[b] = order[other];
    order[other] = swap;
  }
  for (unsigned b = 1; b < p->n; b++) print_block(p, order[b]);
  buf_str(out, "^out(%end: i32):\n  return %end : i32\n}\n");
}

static void print_caller(Buf *out, bool loops) {
  buf_printf(out, "func.func @main(%%a: memref<%dxi32>, %%x: i32, %%y: i32) -> i32 {\n", CELLS);
  const char *call = "func.call @part(%a, %v, %y) : (memref<16xi32>, i32, i32) -> i32\n";
  if (loops)
    buf_printf(out,
               "  %%c0 = arith.constant 0 : index\n  %%c1 = arith.constant 1 : index\n"
               "  %%c3 = arith.constant 3 : index\n"
               "  %%r = scf.for %%i = %%c0 to %%c3 step %%c1 iter_args(%%v = %%x) -> (i32) {\n"
               "    %%w = %s    scf.yield %%w : i32\n  }\n",
               call);
  else
    buf_printf(out,
               "  %%c2 = arith.constant 2 : index\n"
               "  %%w = memref.load %%a[%%c2] : memref<16xi32>\n"
               "  %%v = arith.addi %%w, %%x : i32\n  %%u = %s"
               "  memref.store %%u, %%a[%%c2] : memref<16xi32>\n"
               "  %%r = func.call @part(%%a, %%u, %%w) : (memref<16xi32>, i32, i32) -> i32\n",
               call);
  buf_str(out, "  return %r : i32\n}\n");
}

void random_gotos(Gen *g, RandomProgram *program) {
  Gotos p = {.g = g};
  bool called = chance(g, 50), loops = chance(g, 50), first = chance(g, 50);
  g->out = &program->text;
  draw_graph(&p);
  find_dominators(&p);
  static const struct {
    const char *name;
    unsigned type;
  } start[] = {{"%x", I32}, {"%y", I32}, {"%one", I32}, {"%f", F32}, {"%j", INDEX}};
  for (size_t i = 0; i < COUNT_OF(start); i++) know(&p.blocks[0], start[i].type, start[i].name);
  put_blocks(&p);
  if (called && first) print_caller(g->out, loops);
  print_body(&p, called ? "part" : "main");
  if (called && !first) print_caller(g->out, loops);
  buf_printf(&program->json,
             "{\"function\": \"main\", \"args\": [{\"memref\": {\"type\": \"i32\", ");
  buf_printf(&program->json, "\"shape\": [%d], \"data\": [", CELLS);
  for (unsigned i = 0; i < CELLS; i++)
    buf_printf(&program->json, "%s%d", i ? ", " : "", (int)between(g, -5, 20));
  buf_str(&program->json, "]}}");
  for (unsigned i = 0; i < 2; i++)
    buf_printf(&program->json, ", {\"scalar\": {\"type\": \"i32\", \"value\": %d}}",
               (int)between(g, -3, 30));
  buf_str(&program->json, "]}\n");
  for (unsigned b = 0; b < p.n; b++) buf_free(&p.blocks[b].text);
}
