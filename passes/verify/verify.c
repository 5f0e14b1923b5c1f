/* verify.c -- checks a module and reports every rule that it breaks.
 *
 *     func.func @f(%a: i32, %b: i32) -> f32 {
 *       %s = arith.addi %a, %b : i32
 *       return %s : i32
 *     -> kernel.mlir:3:3: error[COMP_RETURN_TYPE]: returned value 1 is i32, but function
 *        result 1 is f32
 *
 * Requires a module as the parser builds it: no operand is NULL, but ops may have any number of
 * operands, results, regions and blocks. Ensures, where it returns true, what later stages rely on:
 *   1. order: each operand is defined where its user can see it (ssa.c);
 *   2. structure: regions have their blocks, blocks end in a terminator that their op takes, and
 *      there is none elsewhere; branches stay in their region and pass what the block takes;
 *   3. symbols: none twice in a module, and those used exist;
 *   4. each op's own rule: counts and types (ops.def, types.c), the rest in the file of the
 *      dialect; for a handshake.func also how its memories are wired (memory.c).
 *
 * Of ops of dialects that LOOM does not know it checks 1, the types of results, and that successors
 * are in the same region.
 *
 * One walk in the order of the text visits every op once, after the ops before it and before its
 * regions. The walk keeps its own stack, so depth costs nothing. An op's rule looks only at the
 * op, its operands' types and the ends of its own blocks; where something it needs is broken,
 * that has its own report, and the rule keeps silent rather than repeat it. Time is linear in the
 * module, times log n for a region of n blocks; memory is a byte a type and a few words a nested
 * region.
 *
 * Rejected: checking while parsing. It would save a walk, but the output of lowering and of the
 * simplifier would go unchecked, or rules would be written twice.
 */
#include "ir/fabric.h"
#include "verify/rules.h"

/* ---- the tables ------------------------------------------------------------------------------ */

static RuleFn *const rules[OP_COUNT] = {
#define RULE(id) [OP_##id] = rule_##id,
#include "verify/rules.def"
};

static const OpKind *const parents[OP_COUNT] = {
#define PARENTS(id, ...) [OP_##id] = (const OpKind[]){__VA_ARGS__, OP_UNREGISTERED},
#include "verify/rules.def"
};

/* The blocks of each region: exactly one, none or one, one or more, any number. */
typedef enum { BLOCK, MAYBE_BLOCK, BLOCKS, MAYBE_BLOCKS } Body;

enum { AT_LEAST_1 = -1, ANY = -2 };
static const struct {
  int regions;
  Body body;
} bodies[OP_COUNT] = {
    [OP_BUILTIN_MODULE] = {1, BLOCK},
    [OP_FUNC_FUNC] = {1, MAYBE_BLOCKS},
    [OP_SCF_FOR] = {1, BLOCK},
    [OP_SCF_WHILE] = {2, BLOCK},
    [OP_SCF_IF] = {2, MAYBE_BLOCK},
    [OP_SCF_EXECUTE_REGION] = {1, BLOCKS},
    [OP_SCF_INDEX_SWITCH] = {AT_LEAST_1, BLOCK},
    [OP_SCF_PARALLEL] = {1, BLOCK},
    [OP_SCF_FORALL] = {1, BLOCK},
    [OP_SCF_FORALL_IN_PARALLEL] = {1, BLOCK},
    [OP_SCF_REDUCE] = {ANY, BLOCK},
    [OP_MEMREF_ALLOCA_SCOPE] = {1, BLOCK},
    [OP_HANDSHAKE_FUNC] = {1, MAYBE_BLOCK},
    [OP_FABRIC_MODULE] = {1, BLOCK},
    [OP_FABRIC_FUNCTION_UNIT] = {1, BLOCK},
    [OP_FABRIC_SPATIAL_PE] = {1, BLOCK},
    [OP_FABRIC_TEMPORAL_PE] = {1, BLOCK},
};

/* ---- counts and structure -------------------------------------------------------------------- */

static bool wrong_count(Verifier *v, const Op *op, Code code, bool at_least, u32 want, u32 found,
                        const char *noun) {
  diag(v->ctx, op->loc, code, "%s: expected %s%u %s%s, but got %u", op_name(op),
       at_least ? "at least " : "", want, noun, plural(want), found);
  return false;
}

static inline bool count_ok(Verifier *v, const Op *op, Code code, bool at_least, u32 want,
                            u32 found, const char *noun) {
  return (at_least ? found >= want : found == want) ||
         wrong_count(v, op, code, at_least, want, found, noun);
}

static bool regions_ok(Verifier *v, const Op *op) {
  int want = bodies[op->kind].regions;
  bool at_least = want < 0;
  return count_ok(v, op, COMP_REGION_BLOCKS, at_least, at_least ? (u32)(2 + want) : (u32)want,
                  op->nregions, "region");
}

/* Checks the number of blocks in a region, and that each ends in a terminator. */
static bool check_region(Verifier *v, const Op *op, u32 i, Body body) {
  const Region *region = &op->regions[i];
  bool several = region->first && region->first->next;
  if ((!region->first && (body == BLOCK || body == BLOCKS)) ||
      (several && (body == BLOCK || body == MAYBE_BLOCK))) {
    diag(v->ctx, op->loc, COMP_REGION_BLOCKS, "%s: region %u must have %s block, but got %s",
         op_name(op), i + 1,
         body == BLOCK         ? "exactly one"
         : body == MAYBE_BLOCK ? "at most one"
                               : "at least one",
         several ? "several" : "none");
    return false;
  }
  if (op_has_trait(op, TRAIT_NO_TERMINATOR)) return true;
  for_each_block (block, region) {
    const Op *last = block->last;
    if (last && (last->kind == OP_UNREGISTERED || op_has_trait(last, TRAIT_TERMINATOR))) continue;
    Loc loc = last ? last->loc : block->loc ? block->loc : op->loc;
    diag(v->ctx, loc, COMP_BLOCK_TERMINATOR, "this block of %s %s", op_name(op),
         last ? "does not end in a terminator" : "is empty: it needs a terminator");
  }
  return true;
}

static void check_successors(Verifier *v, const Op *op) {
  if (op->kind != OP_UNREGISTERED && !op_has_trait(op, TRAIT_TERMINATOR)) {
    count_ok(v, op, COMP_OP_ARITY, false, 0, op->nsuccs, "successor");
    return;
  }
  for (u32 i = 0; i < op->nsuccs; i++) {
    const Successor *succ = &op_succs(op)[i];
    const Block *to = succ->block;
    if (to->region != op->block->region)
      diag(v->ctx, op->loc, COMP_SUCCESSOR_ARGS, "%s: successor %u is in another region",
           op_name(op), i + 1);
    else if (to == region_entry(to->region))
      diag(v->ctx, op->loc, COMP_BLOCK_ENTRY, "%s: successor %u is the region's entry block",
           op_name(op), i + 1);
    else if (op->kind != OP_UNREGISTERED) /* there, it is unknown what is passed */
      lists_agree(v, op->loc, COMP_SUCCESSOR_ARGS, operand_types(op, succ->first, succ->n),
                  "passed value", arg_types(to, 0), "block argument");
  }
}

/* ---- one op ---------------------------------------------------------------------------------- */

/* Names become C strings and file names, which end at a zero byte, and JSON, which is UTF-8. */
void text_ok(Verifier *v, const Op *op, const Attr *name) {
  if (!name || name->kind != ATTR_STRING) return;
  if (strlen(name->str->text) != name->str->len)
    diag(v->ctx, op->loc, COMP_OP_ATTR, "%s: its name contains a NUL byte after '%s'", op_name(op),
         name->str->text);
  else if (!text_is_utf8(name->str->text, name->str->len))
    diag(v->ctx, op->loc, COMP_OP_ATTR, "%s: the name '%s' is not UTF-8", op_name(op),
         name->str->text);
}

/* An op that defines a symbol stands directly in a module, and has a known visibility. */
static void check_symbol(Verifier *v, const Op *op) {
  static const OpKind tables[] = {OP_BUILTIN_MODULE, OP_UNREGISTERED};
  const Attr *visibility = op_attr(op, "sym_visibility");
  const char *text = visibility && visibility->kind == ATTR_STRING ? visibility->str->text : "";
  if (visibility && strcmp(text, "public") && strcmp(text, "private") && strcmp(text, "nested"))
    diag(v->ctx, op->loc, COMP_OP_ATTR, "%s: 'sym_visibility' must be public, private or nested",
         op_name(op));
  const Op *parent = op_parent(op);
  if (parent && parent->kind != OP_UNREGISTERED) need_parent(v, op, tables);
}

/* Runs an op's rule and releases the scratch memory it took. */
static void apply_rule(Verifier *v, Op *op) {
  ArenaMark mark = arena_mark(v->scratch);
  const OpKind *in = parents[op->kind];
  if ((!in || need_parent(v, op, in)) && rules[op->kind]) rules[op->kind](v, op);
  arena_release(v->scratch, mark);
}

/* Configuration may refer to later ops, so it is checked at the end (fabric_end), and only if the
 * op is well-formed. */
static void check_hardware(Verifier *v, Op *op) {
  u32 errors = v->ctx->errors;
  apply_rule(v, op);
  if (v->ctx->errors != errors)
    map_put(&v->fabric_bad, PTR_KEY(op), 1);
  else if (op->nattrs && op->kind >= OP_FABRIC_INSTANCE)
    vec_push(&v->fabric_late, op);
}

static void check_op(Verifier *v, Op *op) {
  for (u32 i = 0; i < op->nresults; i++)
    check_type(v, op->results[i].type, op->results[i].loc ? op->results[i].loc : op->loc);
  if (op->nsuccs) check_successors(v, op);
  if (op->kind == OP_UNREGISTERED) return;
  const OpShape *shape = shape_of(v, (OpKind)op->kind);
  bool good = count_ok(v, op, COMP_OP_ARITY, shape->operand_list, shape->least_operands,
                       op->noperands, "operand") &&
              count_ok(v, op, COMP_OP_ARITY, shape->result_list, shape->least_results, op->nresults,
                       "result") &&
              regions_ok(v, op);
  for (u32 i = 0; good && i < op->nregions; i++)
    good = check_region(v, op, i, bodies[op->kind].body);
  unsigned traits = op_info((OpKind)op->kind)->traits;
  /* scf.parallel counts its scf.reduce itself: before LLVM 18 they did not end the block. */
  if ((traits & TRAIT_TERMINATOR) && op->next && op->kind != OP_SCF_REDUCE)
    diag(v->ctx, op->loc, COMP_BLOCK_TERMINATOR, "%s must be the last op of its block",
         op_name(op));
  if ((traits & TRAIT_SYMBOL) || fabric_is_op(op)) text_ok(v, op, op_attr(op, "sym_name"));
  if ((traits & TRAIT_SYMBOL) && op->kind != OP_BUILTIN_MODULE) check_symbol(v, op);
  if (good && op->kind > OP_HANDSHAKE_FUNC && op->kind <= OP_HANDSHAKE_INSTANCE)
    good = in_graph(v, op);
  if (!good || !check_shape(v, op)) return;
  if (fabric_is_op(op))
    check_hardware(v, op);
  else if (rules[op->kind] || parents[op->kind])
    apply_rule(v, op);
}

/* ---- symbols --------------------------------------------------------------------------------- */

static void open_symbols(Verifier *v, Op *module) {
  Symbols symbols = {.module = module};
  for_each_block (block, &module->regions[0]) {
    for_each_op (op, block) {
      const Attr *name = op_attr(op, "sym_name");
      if (!name || name->kind != ATTR_STRING) continue;
      if (fabric_is_op(op) && !fabric_is_definition(op)) continue;
      u64 other;
      if (map_get(&symbols.ops, PTR_KEY(name->str), &other)) {
        if (fabric_is_op(op) && fabric_is_op((const Op *)(uintptr_t)other)) continue; /* reported */
        diag(v->ctx, op->loc, COMP_SYMBOL_REDEFINED, "@%s is defined twice in this module",
             name->str->text);
        diag_note(v->ctx, ((const Op *)(uintptr_t)other)->loc, "the first definition is here");
      } else {
        map_put(&symbols.ops, PTR_KEY(name->str), PTR_KEY(op));
      }
    }
  }
  vec_push(&v->symbols, symbols);
}

static void close_symbols(Verifier *v) {
  map_free(&vec_last(&v->symbols).ops);
  v->symbols.len--;
}

Op *find_symbol(Verifier *v, const Attr *symbol) {
  u64 found;
  if (!v->symbols.len) return NULL;
  if (!map_get(&vec_last(&v->symbols).ops, PTR_KEY(symbol->str), &found)) return NULL;
  Op *op = (Op *)(uintptr_t)found;
  for (u32 i = 0; op && i < symbol->n; i++)
    op = op->kind == OP_BUILTIN_MODULE ? symbol_find(op, symbol->elems[i]->str) : NULL;
  return op;
}

/* ---- the walk -------------------------------------------------------------------------------- */

static bool has_symbols(const Op *op) {
  return op->kind == OP_BUILTIN_MODULE && op->nregions == 1;
}

static void open_region(Verifier *v, Op *op, u32 i) {
  if (i == 0 && has_symbols(op)) open_symbols(v, op);
  ssa_enter(v, &op->regions[i]);
}

/* Leaves the innermost region for the next one of its op, if there is one. */
static void close_region(Verifier *v) {
  Region *region = vec_last(&v->scopes).region;
  Op *op = region->parent;
  u32 next = (u32)(region - op->regions) + 1;
  ssa_leave(v);
  /* The wiring of memories is only checked if everything else in the function is in order. */
  if (op->kind == OP_HANDSHAKE_FUNC && v->errors_before == v->ctx->errors)
    check_memory_wiring(v, op);
  if (next < op->nregions)
    open_region(v, op, next);
  else if (has_symbols(op))
    close_symbols(v);
}

static void walk(Verifier *v, Op *top) {
  check_op(v, top);
  if (top->nregions) open_region(v, top, 0);
  while (v->scopes.len) {
    RegionScope *scope = &vec_last(&v->scopes);
    Op *op = scope->next;
    if (!op) {
      if (!ssa_next_block(v)) {
        close_region(v);
        continue;
      }
      const Block *block = vec_last(&v->scopes).block;
      for (u32 i = 0; i < block->nargs; i++)
        check_type(v, block->args[i]->type, block->args[i]->loc);
      continue;
    }
    scope->op = op;
    scope->next = op->next;
    if (op->kind == OP_HANDSHAKE_FUNC) v->errors_before = v->ctx->errors;
    ssa_check_operands(v, op);
    check_op(v, op);
    if (op->nregions) open_region(v, op, 0);
  }
}

static bool verify(Module *module, bool has_hints) {
  Verifier v = {.ctx = module->ctx, .scratch = arena_new(), .hints = has_hints ? module : NULL};
  u32 errors = module->ctx->errors;
  fabric_begin(&v, module->top);
  walk(&v, module->top);
  fabric_end(&v);
  vec_free(&v.fabric_edges);
  vec_free(&v.fabric_late);
  map_free(&v.fabric_bad);
  vec_free(&v.scopes);
  vec_free(&v.slots);
  vec_free(&v.symbols);
  vec_free(&v.type_known);
  arena_free(v.scratch);
  return module->ctx->errors == errors;
}

bool verify_module(Module *module) {
  return verify(module, false);
}

bool verify_with_hints(Module *module) {
  return verify(module, true);
}
