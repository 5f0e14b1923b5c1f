/* op.c -- operations, blocks, regions, and the use lists that hold them together.
 *
 * An op, its results, operands and regions are one allocation in the arena. Attributes, OpMore and
 * a longer operand list are allocated separately; the memory they replace stays in the arena until
 * the module is freed. A use list is intrusive and doubly linked (`link` is the address of the
 * pointer to this use), so unlinking takes constant time. It is ordered by insertion, newest first;
 * passes that need program order walk blocks. */
#include "ir/ir.h"

static void use_link(Use *use, Value *value) {
  use->value = value;
  if (!value) return;
  use->next = value->uses;
  if (use->next) use->next->link = &use->next;
  value->uses = use;
  use->link = &value->uses;
}

static void use_unlink(Use *use) {
  if (!use->value) return;
  *use->link = use->next;
  if (use->next) use->next->link = use->link;
  use->value = NULL;
  use->next = NULL;
  use->link = NULL;
}

Module *module_new(Context *ctx) {
  Arena *arena = arena_new();
  Module *m = NEW(arena, Module);
  m->ctx = ctx;
  m->arena = arena;
  m->top = op_new(m, OP_BUILTIN_MODULE, LOC_NONE, NULL, 0, NULL, 0, 1);
  block_new(m, &m->top->regions[0]);
  return m;
}

void module_free(Module *module) {
  if (module) arena_free(module->arena); /* the module is in it too */
}

/* ---- ops ------------------------------------------------------------------------------------- */

Op *op_new(Module *m, OpKind kind, Loc loc, Value *const *operands, u32 noperands,
           const Type *const *types, u32 nresults, u32 nregions) {
  size_t operands_at = sizeof(Op) + mem_size(nresults, sizeof(Value)),
         regions_at = operands_at + mem_size(noperands, sizeof(Use)),
         size = regions_at + mem_size(nregions, sizeof(Region));
  char *piece = arena_alloc(m->arena, size);
  Op *op = (Op *)(void *)piece;
  op->operands = (Use *)(void *)(piece + operands_at);
  if (nregions) op->regions = (Region *)(void *)(piece + regions_at);
  op->kind = (u16)kind;
  op->loc = loc;
  op->nresults = nresults;
  op->noperands = noperands;
  op->nregions = (u16)nregions;
  for (u32 i = 0; i < nresults; i++) {
    Value *result = &op->results[i];
    result->type = types[i];
    result->loc = loc;
    result->index = i & 0x7fffffff;
  }
  for (u32 i = 0; i < noperands; i++) {
    op->operands[i].owner = op;
    if (operands && operands[i]) use_link(&op->operands[i], operands[i]);
  }
  for (u32 i = 0; i < nregions; i++) op->regions[i].parent = op;
  return op;
}

static OpMore *op_more(Module *m, Op *op) {
  if (!op->more) op->more = NEW(m->arena, OpMore);
  return op->more;
}

void op_set_loc_attr(Module *m, Op *op, const Attr *loc) {
  if (loc || op->more) op_more(m, op)->loc_attr = loc;
}

const Attr *op_location(Context *ctx, const Op *op) {
  if (op_loc_attr(op)) return op_loc_attr(op);
  Place place = source_place(ctx, op->loc);
  if (!place.file) return attr_loc_unknown(ctx);
  return attr_loc_file(ctx, str_of(ctx, place.file), place.line, place.column);
}

void op_set_name(Module *m, Op *op, const Str *name) {
  op_more(m, op)->name = name;
}

void op_set_successors(Module *m, Op *op, const Successor *succs, u32 n) {
  op_more(m, op)->succs = arena_copy(m->arena, succs, mem_size(n, sizeof *succs));
  op->nsuccs = (u16)n;
}

void op_set_operand(Op *op, u32 i, Value *value) {
  use_unlink(&op->operands[i]);
  use_link(&op->operands[i], value);
}

void op_set_operands(Module *m, Op *op, Value *const *values, u32 n) {
  for (u32 i = 0; i < op->noperands; i++) use_unlink(&op->operands[i]);
  if (n > op->noperands) {
    op->operands = NEW_ARRAY(m->arena, Use, n);
    for (u32 i = 0; i < n; i++) op->operands[i].owner = op;
  }
  op->noperands = n;
  for (u32 i = 0; i < n; i++) use_link(&op->operands[i], values[i]);
}

const char *op_name(const Op *op) {
  return op->kind == OP_UNREGISTERED ? op->more->name->text : op_info((OpKind)op->kind)->name;
}

const Attr *op_attr_str(const Op *op, const Str *name) {
  for (u32 i = 0; i < op->nattrs; i++)
    if (op->attrs[i].name == name) return op->attrs[i].value;
  return NULL;
}

const Attr *op_attr(const Op *op, const char *name) {
  for (u32 i = 0; i < op->nattrs; i++)
    if (strcmp(op->attrs[i].name->text, name) == 0) return op->attrs[i].value;
  return NULL;
}

static void remove_attr(Op *op, u32 at) {
  op->nattrs--;
  for (u32 i = at; i < op->nattrs; i++) op->attrs[i] = op->attrs[i + 1];
}

void op_set_attr_str(Module *m, Op *op, const Str *name, const Attr *value, bool property) {
  u32 at = 0;
  int order = 1;
  while (at < op->nattrs && (order = strcmp(op->attrs[at].name->text, name->text)) < 0) at++;
  bool exists = at < op->nattrs && order == 0;
  if (!value) {
    if (exists) remove_attr(op, at);
    return;
  }
  if (!exists) {
    /* Grow by one: most ops have one or two attributes. */
    if (op->nattrs == UINT16_MAX) loom_bug("an op with more than %d attributes", UINT16_MAX);
    NamedAttr *attrs = NEW_ARRAY(m->arena, NamedAttr, op->nattrs + (size_t)1);
    for (u32 i = 0; i < op->nattrs; i++) attrs[i + (i >= at)] = op->attrs[i];
    op->attrs = attrs;
    op->nattrs++;
  }
  op->attrs[at] = (NamedAttr){.name = name, .value = value, .property = property};
}

void op_set_attr(Module *m, Op *op, const char *name, const Attr *value) {
  op_set_attr_str(m, op, str_of(m->ctx, name), value, false);
}

void op_init_attrs(Module *m, Op *op, const NamedAttr *attrs, u32 n) {
  if (n) op->attrs = arena_copy(m->arena, attrs, mem_size(n, sizeof *attrs));
  op->nattrs = (u16)n;
}

i64 op_attr_int(const Op *op, const char *name, i64 otherwise) {
  const Attr *attr = op_attr(op, name);
  return attr && (attr->kind == ATTR_INT || attr->kind == ATTR_BOOL) ? attr->i : otherwise;
}

const char *op_attr_text(const Op *op, const char *name) {
  const Attr *attr = op_attr(op, name);
  return attr && (attr->kind == ATTR_STRING || attr->kind == ATTR_SYMBOL) ? attr->str->text : NULL;
}

const Type *op_function_type(const Op *op) {
  const Attr *type = op_attr(op, "function_type");
  return type && type->kind == ATTR_TYPE && type->type->kind == TYPE_FUNCTION ? type->type : NULL;
}

const Attr *op_arg_attr(const Op *function, u32 arg, const char *name) {
  const Attr *dicts = op_attr(function, "arg_attrs");
  const Attr *dict =
      dicts && dicts->kind == ATTR_ARRAY && arg < dicts->n ? dicts->elems[arg] : NULL;
  for (u32 i = 0; dict && dict->kind == ATTR_DICT && i < dict->n; i++)
    if (strcmp(dict->entries[i].name->text, name) == 0) return dict->entries[i].value;
  return NULL;
}

/* ---- linking --------------------------------------------------------------------------------- */

static void link_between(Block *block, Op *before, Op *op, Op *after) {
  if (op->block) loom_bug("'%s' is linked into a block twice", op_name(op));
  op->block = block;
  op->prev = before;
  op->next = after;
  if (before)
    before->next = op;
  else
    block->first = op;
  if (after)
    after->prev = op;
  else
    block->last = op;
}

void op_append(Block *block, Op *op) {
  link_between(block, block->last, op, NULL);
}
void op_prepend(Block *block, Op *op) {
  link_between(block, NULL, op, block->first);
}
void op_insert_before(Op *where, Op *op) {
  link_between(where->block, where->prev, op, where);
}

void op_unlink(Op *op) {
  if (!op->block) return;
  if (op->prev)
    op->prev->next = op->next;
  else
    op->block->first = op->next;
  if (op->next)
    op->next->prev = op->prev;
  else
    op->block->last = op->prev;
  op->prev = op->next = NULL;
  op->block = NULL;
}

/* Unlinks the uses by `op` and by everything inside it. An isolated op uses only values of its own,
 * which are erased with it, so its regions need no walk. */
static void drop_uses(Op *op) {
  for (u32 i = 0; i < op->noperands; i++) use_unlink(&op->operands[i]);
  if (op_has_trait(op, TRAIT_ISOLATED)) return;
  for (u32 r = 0; r < op->nregions; r++)
    for_each_block (block, &op->regions[r])
      for_each_op (inner, block) drop_uses(inner);
}

void op_erase(Op *op) {
  drop_uses(op);
  for (u32 i = 0; i < op->nresults; i++)
    if (op->results[i].uses) loom_bug("'%s' is erased while its result is used", op_name(op));
  op_unlink(op);
}

Op *op_enclosing(Op *op, OpKind kind) {
  while (op && op->kind != kind) op = op_parent(op);
  return op;
}

bool op_is_inside(const Op *op, const Op *ancestor) {
  while (op && op != ancestor) op = op_parent(op);
  return op != NULL;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

void region_append(Region *region, Block *block) {
  block->region = region;
  block->prev = region->last;
  if (region->last)
    region->last->next = block;
  else
    region->first = block;
  region->last = block;
}

Block *block_new(Module *m, Region *region) {
  Block *block = NEW(m->arena, Block);
  region_append(region, block);
  return block;
}

void block_unlink(Block *block) {
  if (block->prev)
    block->prev->next = block->next;
  else
    block->region->first = block->next;
  if (block->next)
    block->next->prev = block->prev;
  else
    block->region->last = block->prev;
  block->prev = block->next = NULL;
  block->region = NULL;
}

void block_move(Block *block, Region *to) {
  block_unlink(block);
  region_append(to, block);
}

Value *block_add_arg(Module *m, Block *block, const Type *type, const Str *name, Loc loc) {
  if (block->nargs == block->cap_args) {
    u32 cap = block->cap_args ? block->cap_args * 2 : 2;
    Value **args = NEW_ARRAY(m->arena, Value *, cap);
    for (u32 i = 0; i < block->nargs; i++) args[i] = block->args[i];
    block->args = args;
    block->cap_args = cap;
  }
  BlockArg *made = NEW(m->arena, BlockArg);
  Value *arg = &made->value;
  made->block = block;
  arg->type = type;
  arg->name = name;
  arg->loc = loc;
  arg->index = block->nargs & 0x7fffffff;
  arg->is_arg = 1;
  block->args[block->nargs++] = arg;
  return arg;
}

void value_replace_uses(Value *old, Value *by) {
  if (old == by) return;
  while (old->uses) {
    Use *use = old->uses;
    use_unlink(use);
    use_link(use, by);
  }
}

/* ---- copying --------------------------------------------------------------------------------- */

Value *value_mapped(const Map *map, Value *value) {
  u64 found;
  return value && map_get(map, PTR_KEY(value), &found) ? (Value *)(uintptr_t)found : value;
}

static void copy_op(Module *m, const Op *op, Op *copy, Map *map);

/* An op with the counts and result types of `op` and without operands; maps its results. */
static Op *blank_copy(Module *m, const Op *op, Map *map) {
  const Type *few[8], **types = FEW_OR_ALLOC(few, op->nresults);
  for (u32 i = 0; i < op->nresults; i++) types[i] = op->results[i].type;
  Op *copy =
      op_new(m, (OpKind)op->kind, op->loc, NULL, op->noperands, types, op->nresults, op->nregions);
  few_free(few, types);
  for (u32 i = 0; i < op->nresults; i++)
    map_put(map, PTR_KEY(&op->results[i]), PTR_KEY(&copy->results[i]));
  return copy;
}

static void clone_region(Module *m, const Region *from, Region *to, Map *map) {
  for_each_block (block, from) {
    Block *copy = block_new(m, to);
    copy->name = block->name;
    copy->loc = block->loc;
    map_put(map, PTR_KEY(block), PTR_KEY(copy));
    for (u32 i = 0; i < block->nargs; i++) {
      Value *arg = block->args[i];
      map_put(map, PTR_KEY(arg), PTR_KEY(block_add_arg(m, copy, arg->type, arg->name, arg->loc)));
    }
  }
  /* Map all results first: in a graph region or a CFG a use may precede its definition. */
  for_each_block (block, from) {
    u64 to_block = 0;
    map_get(map, PTR_KEY(block), &to_block);
    for_each_op (op, block) op_append((Block *)(uintptr_t)to_block, blank_copy(m, op, map));
  }
  for_each_block (block, from) {
    u64 to_block = 0;
    map_get(map, PTR_KEY(block), &to_block);
    Op *copy = ((Block *)(uintptr_t)to_block)->first;
    for (Op *op = block->first; op; op = op->next, copy = copy->next) copy_op(m, op, copy, map);
  }
}

/* Fills a blank_copy of `op`. */
static void copy_op(Module *m, const Op *op, Op *copy, Map *map) {
  op_set_loc_attr(m, copy, op_loc_attr(op));
  if (op->kind == OP_UNREGISTERED) op_set_name(m, copy, op->more->name);
  op_init_attrs(m, copy, op->attrs, op->nattrs);
  for (u32 i = 0; i < op->noperands; i++)
    op_set_operand(copy, i, value_mapped(map, op_operand(op, i)));
  for (u32 i = 0; i < op->nresults; i++) copy->results[i].name = op->results[i].name;
  if (op->nsuccs) {
    op_set_successors(m, copy, op_succs(op), op->nsuccs);
    for (u32 i = 0; i < op->nsuccs; i++) {
      u64 found;
      if (map_get(map, PTR_KEY(op_succs(op)[i].block), &found))
        op_succs(copy)[i].block = (Block *)(uintptr_t)found;
    }
  }
  for (u32 r = 0; r < op->nregions; r++) clone_region(m, &op->regions[r], &copy->regions[r], map);
}

Op *op_clone(Module *m, const Op *op, Map *map) {
  Op *copy = blank_copy(m, op, map);
  copy_op(m, op, copy, map);
  return copy;
}

/* Knuth's multiplicative hashing (by 2^64 over the golden ratio), high bits folded into low. */
static u64 mix(u64 hash, u64 more) {
  hash = (hash ^ more) * 0x9E3779B97F4A7C15u;
  return hash ^ hash >> 29;
}

u64 op_hash(const Op *op) {
  u64 hash = op->kind;
  for (u32 i = 0; i < op->noperands; i++) hash = mix(hash, PTR_KEY(op_operand(op, i)));
  for (u32 i = 0; i < op->nattrs; i++) hash = mix(hash, op->attrs[i].value->id);
  return op->nresults ? mix(hash, op->results[0].type->id) : hash;
}

bool op_is_same(const Op *a, const Op *b) {
  if (a->kind != b->kind || a->noperands != b->noperands || a->nattrs != b->nattrs ||
      a->nresults != b->nresults)
    return false;
  for (u32 i = 0; i < a->noperands; i++)
    if (op_operand(a, i) != op_operand(b, i)) return false;
  for (u32 i = 0; i < a->nattrs; i++)
    if (a->attrs[i].name != b->attrs[i].name || a->attrs[i].value != b->attrs[i].value)
      return false;
  for (u32 i = 0; i < a->nresults; i++)
    if (a->results[i].type != b->results[i].type) return false;
  return true;
}

Op *symbol_find(const Op *table, const Str *name) {
  for (u32 r = 0; r < table->nregions; r++)
    for_each_block (block, &table->regions[r])
      for_each_op (op, block) {
        const Attr *symbol = op_has_trait(op, TRAIT_SYMBOL) ? op_attr(op, "sym_name") : NULL;
        if (symbol && symbol->str == name) return op;
      }
  return NULL;
}

/* ---- building -------------------------------------------------------------------------------- */

Op *build_op(Builder *b, OpKind kind, Value *const *operands, u32 noperands,
             const Type *const *types, u32 nresults, u32 nregions) {
  Op *op = op_new(b->m, kind, b->loc, operands, noperands, types, nresults, nregions);
  op_set_loc_attr(b->m, op, b->loc_attr);
  if (b->before)
    op_insert_before(b->before, op);
  else
    op_append(b->block, op);
  return op;
}

Value *build_1(Builder *b, OpKind kind, const Type *type, Value *const *operands, u32 noperands) {
  return op_result(build_op(b, kind, operands, noperands, &type, 1, 0), 0);
}

Value *build_int(Builder *b, i64 value, const Type *type) {
  Op *op = build_op(b, OP_ARITH_CONSTANT, NULL, 0, &type, 1, 0);
  op_set_attr(b->m, op, "value",
              type_is_i1(type) ? attr_bool(b->m->ctx, value & 1)
                               : attr_int(b->m->ctx, value, type));
  return op_result(op, 0);
}

void set_predicate(Module *m, Op *compare, CmpiPredicate predicate) {
  const Type *i64_type = type_int(m->ctx, 64, SIGNLESS);
  op_set_attr(m, compare, "predicate", attr_int(m->ctx, predicate, i64_type));
}

Value *build_compare(Builder *b, CmpiPredicate predicate, Value *x, Value *y) {
  Value *result = build_1(b, OP_ARITH_CMPI, type_i1(b->m->ctx), (Value *[]){x, y}, 2);
  set_predicate(b->m, value_def(result), predicate);
  return result;
}

const char *arg_shown_name(Context *ctx, const Value *arg) {
  return (arg->name ? arg->name : str_printf(ctx, "arg%u", (unsigned)arg->index))->text;
}
