/* reduce.c -- makes a failing program small.
 *
 *     reduce --seed 17              the random program of that seed
 *     reduce bad.mlir bad.json      any program with its case
 *
 * Prints how small it got, and writes it beside the others: /tmp/loom-fuzz/17.small.mlir and
 * .json (or bad.small.mlir). What is kept is the way it fails: the verdict of engines_agree and
 * the code of the first diagnostic. Something smaller that fails otherwise is not taken, so a
 * reduction never wanders off to another fault.
 *
 * The method is the plain one: a list of edits, each of which looks at one op and makes the module
 * simpler there or declines; try each on every op in order, take the result whenever it still
 * fails the same way, and go round until a whole round changed nothing. Every accepted edit makes
 * the module smaller by a measure (ops, operands, results, or the size of literals), so it ends.
 * Nothing is random: the same input gives the same output.
 *
 *     lines        runs of lines go, as text (also where the module cannot be printed)
 *     erase        an op goes; what used its results uses zeros
 *     forward      an op goes; what used its result uses an operand of the same type
 *     inline       an if, for, while, switch or execute_region becomes one of its regions, run once
 *     call         a call becomes its callee's body
 *     carry        a loop loses an argument, an if a result
 *     literal      a constant becomes 0, then 1, then half of itself
 *     signature    main loses a result or an argument nobody uses; another function goes
 *     case         a memory's contents or a scalar become zeros
 *
 * Each attempt runs in a process of its own, so faults and endless loops can be reduced as well.
 * Cost: some thousand attempts of a millisecond or two for a program of a few hundred lines.
 */
#include "engines_agree.h"
#include "random_program.h"
#include "subjects.h"

#include "text/text.h"
#include "verify/verify.h"

#include <jansson.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- asking, in a process of its own ------------------------------------------------------- */

typedef struct {
  Verdict verdict;
  char code[64];
} Failure;

static AgreeOptions ask_options;
static u64 attempts;

typedef struct {
  const Buf *text, *json;
  int answer; /* a pipe */
} Question;

static int answer(void *question) {
  const Question *q = question;
  AgreeReport report;
  Failure f;
  engines_agree(q->text, q->json, &ask_options, NULL, &report);
  f.verdict = report.verdict;
  memcpy(f.code, report.code, sizeof f.code);
  _exit(write(q->answer, &f, sizeof f) != sizeof f);
}

static Failure ask(const Buf *text, const Buf *json) {
  Failure f;
  int ends[2];
  attempts++;
  if (pipe(ends)) exit(EXIT_FAULT);
  int status = run_apart(answer, &(Question){text, json, ends[1]},
                         &(RunLimits){.err = "/dev/null", .seconds = 5});
  close(ends[1]);
  if (read(ends[0], &f, sizeof f) != sizeof f) f = (Failure){.verdict = CRASHED};
  close(ends[0]);
  if (status > 128) snprintf(f.code, sizeof f.code, "signal %d", status - 128);
  return f;
}

static bool same_failure(const Failure *a, const Failure *b) {
  return a->verdict == b->verdict && !strcmp(a->code, b->code);
}

/* ---- the program at hand ------------------------------------------------------------------- */

typedef struct {
  Buf text, json;
  Failure failure; /* to be kept */
} Program;

/* Takes over `text` and `json` (NULL: as it is) where they fail the same way. */
static bool accept(Program *p, Buf *text, Buf *json) {
  Failure f = ask(text, json ? json : &p->json);
  if (!same_failure(&f, &p->failure)) {
    buf_free(text);
    if (json) buf_free(json);
    return false;
  }
  buf_free(&p->text);
  p->text = *text;
  if (json) {
    buf_free(&p->json);
    p->json = *json;
  }
  return true;
}

/* ---- helpers on the IR --------------------------------------------------------------------- */

typedef Vec(Op *) Ops;

static void collect(Op *op, Ops *ops) {
  vec_push(ops, op);
  for (u32 r = 0; r < op->nregions; r++)
    for_each_block (block, &op->regions[r])
      for_each_op (inner, block) collect(inner, ops);
}

static Value *zero_before(Module *m, Op *where, const Type *type) {
  Builder b = {.m = m, .block = where->block, .before = where, .loc = where->loc};
  if (type->kind == TYPE_INT || type->kind == TYPE_INDEX) return build_int(&b, 0, type);
  if (type->kind != TYPE_FLOAT) return NULL;
  Value *v = build_1(&b, OP_ARITH_CONSTANT, type, NULL, 0);
  op_set_attr(m, value_op(v), "value", attr_float_bits(m->ctx, 0, type));
  return v;
}

static bool zero_uses(Module *m, Value *v, Op *where) {
  if (!v->uses) return true;
  Value *zero = zero_before(m, where, v->type);
  if (zero) value_replace_uses(v, zero);
  return zero != NULL;
}

static bool is_region_op(const Op *op) {
  return op->kind == OP_SCF_FOR || op->kind == OP_SCF_IF || op->kind == OP_SCF_WHILE ||
         op->kind == OP_SCF_EXECUTE_REGION || op->kind == OP_SCF_INDEX_SWITCH;
}

/* Moves the ops of a region's only block before `op`, and the values it ends with (operands of
 * the terminator from `skip` on) into the place of op's results. `op` goes. */
static bool splice(Op *op, Region *region, u32 skip, Value *const *args, u32 nargs) {
  Block *block = region->first;
  if (!block || block->next || block->nargs != nargs) return false;
  Op *end = block_terminator(block);
  if (!end || end->noperands != op->nresults + skip) return false;
  for (u32 i = 0; i < nargs; i++) {
    if (args[i]->type != block->args[i]->type) return false;
  }
  for (u32 i = 0; i < nargs; i++) value_replace_uses(block->args[i], args[i]);
  for_each_op_safe (inner, block) {
    if (inner == end) break;
    op_unlink(inner);
    op_insert_before(op, inner);
  }
  for (u32 i = 0; i < op->nresults; i++)
    value_replace_uses(op_result(op, i), op_operand(end, i + skip));
  op_erase(op);
  return true;
}

static void remove_block_arg(Block *block, u32 i) {
  for (u32 k = i; k + 1 < block->nargs; k++) {
    block->args[k] = block->args[k + 1];
    block->args[k]->index = k;
  }
  block->nargs--;
}

static void remove_operand(Module *m, Op *op, u32 i) {
  Vec(Value *) left = {0};
  for (u32 k = 0; k < op->noperands; k++)
    if (k != i) vec_push(&left, op_operand(op, k));
  op_set_operands(m, op, left.at, (u32)left.len);
  vec_free(&left);
}

/* The same op without its result i, which nobody uses any more. */
static Op *without_result(Module *m, Op *op, u32 i) {
  Vec(Value *) operands = {0};
  Vec(const Type *) types = {0};
  for (u32 k = 0; k < op->noperands; k++) vec_push(&operands, op_operand(op, k));
  for (u32 k = 0; k < op->nresults; k++)
    if (k != i) vec_push(&types, op_result(op, k)->type);
  Op *fresh = op_new(m, op->kind, op->loc, operands.at, op->noperands, types.at, (u32)types.len,
                     op->nregions);
  for (u32 k = 0; k < op->nattrs; k++)
    op_set_attr_str(m, fresh, op->attrs[k].name, op->attrs[k].value, op->attrs[k].property);
  for (u32 r = 0; r < op->nregions; r++) {
    fresh->regions[r].first = op->regions[r].first;
    fresh->regions[r].last = op->regions[r].last;
    for_each_block (block, &fresh->regions[r]) block->region = &fresh->regions[r];
    op->regions[r].first = op->regions[r].last = NULL;
  }
  op_insert_before(op, fresh);
  for (u32 k = 0, to = 0; k < op->nresults; k++)
    if (k != i) value_replace_uses(op_result(op, k), op_result(fresh, to++));
  op_erase(op);
  vec_free(&operands);
  vec_free(&types);
  return fresh;
}

/* ---- edits ----------------------------------------------------------------------------------
 * Each gets an op and a number that tells its variants apart (0, 1, ... up to the table's
 * count); true where it changed the module. */

static bool erase(Module *m, Op *op, unsigned variant) {
  (void)variant;
  if (op == m->top || op_has_trait(op, TRAIT_TERMINATOR) || op->kind == OP_FUNC_FUNC) return false;
  if (op->kind == OP_ARITH_CONSTANT && op_result(op, 0)->uses) return false;
  for (u32 i = 0; i < op->nresults; i++)
    if (!zero_uses(m, op_result(op, i), op)) return false;
  op_erase(op);
  return true;
}

static bool forward(Module *m, Op *op, unsigned variant) {
  (void)m;
  if (op->nresults != 1 || op->nregions || !op_result(op, 0)->uses) return false;
  if (variant >= op->noperands || op_operand(op, variant)->type != op_result(op, 0)->type)
    return false;
  value_replace_uses(op_result(op, 0), op_operand(op, variant));
  op_erase(op);
  return true;
}

static bool inline_region(Module *m, Op *op, unsigned variant) {
  Vec(Value *) args = {0};
  bool good = false;
  (void)m;
  if (op->kind == OP_SCF_FOR && variant == 0) {
    vec_push(&args, op_operand(op, 0));
    for (u32 i = 3; i < op->noperands; i++) vec_push(&args, op_operand(op, i));
    good = splice(op, &op->regions[0], 0, args.at, (u32)args.len);
  } else if (op->kind == OP_SCF_WHILE && variant == 0) {
    for (u32 i = 0; i < op->noperands; i++) vec_push(&args, op_operand(op, i));
    good = splice(op, &op->regions[0], 1, args.at, (u32)args.len);
  } else if (is_region_op(op) && op->kind != OP_SCF_FOR && op->kind != OP_SCF_WHILE) {
    good = variant < op->nregions && splice(op, &op->regions[variant], 0, NULL, 0);
  }
  vec_free(&args);
  return good;
}

static bool inline_call(Module *m, Op *op, unsigned variant) {
  (void)variant;
  const char *name = op->kind == OP_FUNC_CALL ? op_attr_text(op, "callee") : NULL;
  Op *callee = name ? symbol_find(m->top, str_of(m->ctx, name)) : NULL;
  if (!callee || callee->kind != OP_FUNC_FUNC || !region_entry(&callee->regions[0])) return false;
  Map map = {0};
  Vec(Value *) args = {0};
  Op *copy = op_clone(m, callee, &map);
  for (u32 i = 0; i < op->noperands; i++) vec_push(&args, op_operand(op, i));
  bool good = splice(op, &copy->regions[0], 0, args.at, (u32)args.len);
  vec_free(&args);
  map_free(&map);
  return good;
}

static bool shrink_for(Module *m, Op *op, unsigned i) {
  if (i >= op->nresults) return false;
  Block *body = region_entry(&op->regions[0]);
  Value *init = op_operand(op, 3 + i);
  value_replace_uses(body->args[1 + i], init);
  value_replace_uses(op_result(op, i), init);
  remove_operand(m, block_terminator(body), i);
  remove_block_arg(body, 1 + i);
  remove_operand(m, op, 3 + i);
  without_result(m, op, i);
  return true;
}

/* Variants below 8 drop what is carried in, the others what is carried out. */
static bool shrink_while(Module *m, Op *op, unsigned variant) {
  Block *before = region_entry(&op->regions[0]), *after = region_entry(&op->regions[1]);
  if (variant < 8) {
    if (variant >= op->noperands) return false;
    value_replace_uses(before->args[variant], op_operand(op, variant));
    remove_operand(m, block_terminator(after), variant);
    remove_block_arg(before, variant);
    remove_operand(m, op, variant);
    return true;
  }
  u32 i = variant - 8;
  if (i >= op->nresults || !zero_uses(m, op_result(op, i), op)) return false;
  if (!zero_uses(m, after->args[i], op)) return false;
  remove_operand(m, block_terminator(before), 1 + i);
  remove_block_arg(after, i);
  without_result(m, op, i);
  return true;
}

static bool carry(Module *m, Op *op, unsigned variant) {
  if (op->kind == OP_SCF_FOR) return shrink_for(m, op, variant);
  if (op->kind == OP_SCF_WHILE) return shrink_while(m, op, variant);
  if (!is_region_op(op) || variant >= op->nresults) return false;
  if (!zero_uses(m, op_result(op, variant), op)) return false;
  for (u32 r = 0; r < op->nregions; r++)
    for_each_block (block, &op->regions[r]) remove_operand(m, block_terminator(block), variant);
  without_result(m, op, variant);
  return true;
}

static bool literal(Module *m, Op *op, unsigned variant) {
  const Attr *value = op->kind == OP_ARITH_CONSTANT ? op_attr(op, "value") : NULL;
  if (!value) return false;
  if (value->kind == ATTR_FLOAT && variant == 0 && value->i) {
    op_set_attr(m, op, "value", attr_float_bits(m->ctx, 0, value->type));
    return true;
  }
  if (value->kind != ATTR_INT) return false;
  i64 now = value->i, then = variant == 0 ? 0 : variant == 1 ? 1 : now / 2;
  bool smaller = now < 0 || then < now;
  if (!smaller || now == 0) return false;
  op_set_attr(m, op, "value", attr_int(m->ctx, then, value->type));
  return true;
}

static void set_signature(Module *m, Op *func) {
  Block *entry = region_entry(&func->regions[0]);
  Op *end = block_terminator(entry);
  Vec(const Type *) in = {0}, out = {0};
  for (u32 i = 0; i < entry->nargs; i++) vec_push(&in, entry->args[i]->type);
  for (u32 i = 0; i < end->noperands; i++) vec_push(&out, op_operand(end, i)->type);
  const Type *type = type_function(m->ctx, in.at, (u32)in.len, out.at, (u32)out.len);
  op_set_attr(m, func, "function_type", attr_type(m->ctx, type));
  vec_free(&in);
  vec_free(&out);
}

static bool is_main(const Op *op) {
  const char *name = op->kind == OP_FUNC_FUNC ? op_attr_text(op, "sym_name") : NULL;
  return name && !strcmp(name, "main");
}

static bool results_of_main(Module *m, Op *op, unsigned variant) {
  if (op->kind == OP_FUNC_FUNC && !is_main(op) && variant == 0) {
    op_erase(op);
    return true;
  }
  if (!is_main(op)) return false;
  Op *end = block_terminator(region_entry(&op->regions[0]));
  if (variant >= end->noperands) return false;
  remove_operand(m, end, variant);
  set_signature(m, op);
  return true;
}

typedef struct {
  const char *name;
  bool (*edit)(Module *, Op *, unsigned variant);
  unsigned variants;
} Edit;

static const Edit edits[] = {{"erase", erase, 1},      {"inline", inline_region, 5},
                             {"call", inline_call, 1}, {"carry", carry, 12},
                             {"forward", forward, 3},  {"signature", results_of_main, 4},
                             {"literal", literal, 3}};

/* ---- one round ------------------------------------------------------------------------------ */

static Module *parsed(Context *ctx, const Buf *text) {
  ctx->err = NULL;
  return text_parse(ctx, source_from_memory(ctx, "small.mlir", text->data, text->len));
}

/* Makes one edit at the op of that number; 0: no such op, 1: declined, 2: made, text in *out. */
static int edited(const Program *p, const Edit *edit, size_t at, unsigned variant, Buf *out) {
  Context *ctx = context_new();
  Module *m = parsed(ctx, &p->text);
  Ops ops = {0};
  int outcome = 0;
  if (m) collect(m->top, &ops);
  if (at < ops.len) {
    outcome = edit->edit(m, ops.at[at], variant) ? 2 : 1;
    if (outcome == 2 && !verify_module(m)) outcome = 1; /* such as a use outside its region */
    if (outcome == 2) text_print(m, (PrintOptions){0}, out);
  }
  vec_free(&ops);
  if (m) module_free(m);
  context_free(ctx);
  return outcome;
}

static bool try_edit(Program *p, const Edit *edit) {
  bool changed = false;
  for (size_t at = 0;; at++) {
    for (unsigned variant = 0; variant < edit->variants; variant++) {
      Buf text = {0};
      int outcome = edited(p, edit, at, variant, &text);
      if (outcome == 0) return changed;
      if (outcome == 2 && accept(p, &text, NULL)) {
        changed = true;
        variant--; /* another op or operand stands there now */
      }
    }
  }
}

static bool try_lines(Program *p) {
  bool changed = false;
  for (size_t run = 64; run > 0; run /= 2) {
    size_t from = 0;
    while (from < p->text.len) {
      size_t to = from;
      for (size_t n = 0; n < run && to < p->text.len; n++) {
        const char *end = memchr(p->text.data + to, '\n', p->text.len - to);
        to = end ? (size_t)(end - p->text.data) + 1 : p->text.len;
      }
      Buf text = {0};
      buf_put(&text, p->text.data, from);
      buf_put(&text, p->text.data + to, p->text.len - to);
      if (text.len && accept(p, &text, NULL)) {
        changed = true;
        continue;
      }
      if (!text.len) buf_free(&text);
      const char *end = memchr(p->text.data + from, '\n', p->text.len - from);
      from = end ? (size_t)(end - p->text.data) + 1 : p->text.len;
    }
  }
  return changed;
}

/* ---- the case -------------------------------------------------------------------------------- */

/* The text without argument i of @main; false where that is used or not there. */
static bool without_argument(const Program *p, u32 i, Buf *out) {
  Context *ctx = context_new();
  Module *m = parsed(ctx, &p->text);
  Op *func = m ? symbol_find(m->top, str_of(ctx, "main")) : NULL;
  Block *entry = func && func->kind == OP_FUNC_FUNC ? region_entry(&func->regions[0]) : NULL;
  bool good = entry && i < entry->nargs && !entry->args[i]->uses;
  if (good) {
    remove_block_arg(entry, i);
    set_signature(m, func);
    text_print(m, (PrintOptions){0}, out);
  }
  if (m) module_free(m);
  context_free(ctx);
  return good;
}

static void dump(json_t *json, Buf *out) {
  char *text = json_dumps(json, JSON_REAL_PRECISION(17));
  buf_str(out, text);
  buf_char(out, '\n');
  free(text);
}

/* Zeros for argument i of the case; false where it has them already. */
static bool zero_argument(json_t *arg) {
  json_t *memref = json_object_get(arg, "memref"), *scalar = json_object_get(arg, "scalar");
  json_t *value = json_object_get(scalar, "value");
  if (memref) return json_object_del(memref, "data") == 0;
  if (!value || (json_is_number(value) && json_number_value(value) == 0)) return false;
  return json_object_set_new(scalar, "value", json_integer(0)) == 0;
}

static bool try_case(Program *p) {
  bool changed = false;
  for (size_t i = 0;; i++) {
    json_t *json = json_loadb(p->json.data, p->json.len, 0, NULL);
    json_t *args = json_object_get(json, "args");
    bool more = i < json_array_size(args);
    Buf text = {0}, shorter = {0};
    if (more && without_argument(p, (u32)i, &text)) {
      json_array_remove(args, i);
      dump(json, &shorter);
      if (accept(p, &text, &shorter)) {
        changed = true;
        i--;
      }
    } else if (more && zero_argument(json_array_get(args, i))) {
      buf_put(&text, p->text.data, p->text.len);
      dump(json, &shorter);
      changed |= accept(p, &text, &shorter);
    }
    json_decref(json);
    if (!more) return changed;
  }
}

/* ---- the command ----------------------------------------------------------------------------- */

static void reduce(Program *p) {
  bool changed = true;
  for (unsigned round = 1; changed; round++) {
    changed = try_lines(p);
    for (size_t i = 0; i < COUNT_OF(edits); i++) changed |= try_edit(p, &edits[i]);
    changed |= try_case(p);
    fprintf(stderr, "round %u: %zu bytes, %llu attempts\n", round, p->text.len,
            (unsigned long long)attempts);
  }
}

static void write_small(const char *base, const char *extension, const Buf *buf) {
  char path[600];
  snprintf(path, sizeof path, "%s.small.%s", base, extension);
  write_file(path, buf->data, buf->len);
  printf("%s\n", path);
}

int main(int argc, char **argv) {
  Program p = {0};
  RandomProgram program = {0};
  char base[512];
  ask_options = (AgreeOptions){.schedule = 1, .jit = true, .max_steps = 200000};
  if (argc >= 3 && !strcmp(argv[1], "--seed")) {
    RandomOptions options = {.seed = strtoull(argv[2], NULL, 10)};
    if (argc == 4 && !strcmp(argv[3], "--portable")) options.portable = true;
    if (argc == 4 && !strcmp(argv[3], "--edges")) options.edges = true;
    if (argc == 4 && !strcmp(argv[3], "--gotos")) options.gotos = true;
    random_program(&program, &options);
    ask_options = agree_options(options.seed);
    ask_options.max_steps = 200000;
    mkdir("/tmp/loom-fuzz", 0777);
    snprintf(base, sizeof base, "/tmp/loom-fuzz/%s", argv[2]);
  } else if (argc == 3 && read_buf(argv[1], &program.text) && read_buf(argv[2], &program.json)) {
    size_t len = strlen(argv[1]);
    if (len > 5 && !strcmp(argv[1] + len - 5, ".mlir")) len -= 5;
    snprintf(base, sizeof base, "%.*s", (int)len, argv[1]);
  } else {
    wrong_usage("reduce --seed N [--edges|--gotos|--portable] | reduce PROGRAM.mlir CASE.json");
  }
  p.text = program.text;
  p.json = program.json;
  p.failure = ask(&p.text, &p.json);
  printf("%s %s\n", verdict_text(p.failure.verdict), p.failure.code);
  if (p.failure.verdict != AGREE) {
    reduce(&p);
    write_small(base, "mlir", &p.text);
    write_small(base, "json", &p.json);
  }
  buf_free(&program.mlir);
  buf_free(&p.text);
  buf_free(&p.json);
  return EXIT_GOOD;
}
