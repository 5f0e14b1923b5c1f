/* parse_op.c -- statements: results, the op's name, its custom or generic form, its regions.
 *
 *     %a:2, %b = "some.op"(%x)[^bb1] <{p = 1}> ({ ... }) {k = 2} : (i32) -> (i32, i32, f32) loc(..)
 *     %c = arith.addi %x, %y : i32
 *
 * An op is read onto the parser's stacks, made when all of it but its regions is known,
 * and only then are its results' names bound. In the generic form regions come before the types,
 * so they are read into regions of their own and moved.
 *
 * After an error the rest of the statement is skipped: to the end of the line on which all
 * brackets that the statement opened are closed again. Names it would have defined are poisoned,
 * so that one mistake is one message.
 *
 * Cost is linear; an error scans the rest of its statement again, and only the first errors may
 * scan to the end of the file (may_search). */
#include "text/asm_affine.h"

enum { KIND_SLOTS = 1024 };

/* ---- which op -------------------------------------------------------------------------------- */

/* Cheap, and good enough for the few hundred names there are: at least 4 characters are needed. */
static u32 kind_slot(const char *name, size_t len) {
  u32 first, last;
  memcpy(&first, name + len / 2 - 2, sizeof first);
  memcpy(&last, name + len - sizeof last, sizeof last);
  u32 hash = (first * 0x9e3779b1u ^ last * 0x85ebca6bu) + (u32)len * 0xc2b2ae35u;
  return (hash ^ hash >> 15) % KIND_SLOTS;
}

static void index_kinds(Parser *p) {
  p->kinds = mem_alloc(KIND_SLOTS * sizeof *p->kinds);
  for (u32 kind = 1; kind < OP_COUNT; kind++) {
    const char *name = op_info((OpKind)kind)->name;
    size_t len = strlen(name);
    u32 at = kind_slot(name, len);
    while (p->kinds[at].len) at = (at + 1) % KIND_SLOTS;
    p->kinds[at] = (KindName){(u16)kind, (u16)len};
  }
}

static OpKind kind_of(Parser *p, Span name) {
  if (!p->kinds) index_kinds(p);
  if (name.len < 4 || name.len > 64) return OP_UNREGISTERED;
  for (u32 at = kind_slot(name.at, name.len); p->kinds[at].len; at = (at + 1) % KIND_SLOTS) {
    OpKind kind = (OpKind)p->kinds[at].kind;
    if (p->kinds[at].len == name.len && same_text(op_info(kind)->name, name.at, name.len))
      return kind;
  }
  return OP_UNREGISTERED;
}

/* `call` inside func.func is func.call, and so on. */
static OpKind kind_without_prefix(Parser *p, Span name) {
  char full[128];
  const char *dialect = asm_default_dialect(p->parent);
  int len = snprintf(full, sizeof full, "%s.%.*s", dialect, (int)name.len, name.at);
  if (name.len > 64 || len >= (int)sizeof full) return OP_UNREGISTERED;
  return kind_of(p, (Span){full, (u32)len});
}

/* True for an op that MLIR 22 has in the dialects known here and LOOM does not. */
static bool is_only_in_mlir(const char *name) {
  static const char *const names[] = {
      "arith.scaling_extf",
      "arith.scaling_truncf",
      "math.clampf",
      "math.sincos",
      "memref.atomic_yield",
      "memref.distinct_objects",
      "memref.dma_start",
      "memref.dma_wait",
      "memref.extract_aligned_pointer_as_index",
      "memref.generic_atomic_rmw",
      "memref.prefetch",
      "memref.realloc",
      "memref.reshape",
  };
  for (size_t i = 0; i < COUNT_OF(names); i++)
    if (strcmp(names[i], name) == 0) return true;
  return false;
}

static void unknown_op(Parser *p, Span name) {
  const char *full = intern(p, name)->text;
  Loc loc = loc_at(p, name.at);
  if (is_only_in_mlir(full)) {
    fail(p, loc, COMP_TEXT_CUSTOM_FORM, "'%s' is an MLIR operation that LOOM does not support",
         full);
    diag_hint(p->ctx, "in its generic form (mlir-opt --mlir-print-op-generic) it is kept, but "
                      "neither run nor lowered");
    return;
  }
  if (strchr(full, '.') && !op_dialect_is_known(full)) {
    fail(p, loc, COMP_TEXT_CUSTOM_FORM, "the dialect of '%s' is unknown", full);
    const char *advice = dialect_advice(full);
    diag_hint(p->ctx, "%s",
              advice ? advice
                     : "ops of other dialects are kept in their generic form (mlir-opt "
                       "--mlir-print-op-generic), but neither run nor lowered");
    return;
  }
  fail(p, loc, COMP_TEXT_UNKNOWN_OP, "unknown operation '%s'", full);
  if (p->ctx->muted) return;
  const char *names[OP_COUNT];
  for (u32 kind = 1; kind < OP_COUNT; kind++) {
    const char *known = op_info((OpKind)kind)->name;
    names[kind - 1] = strchr(full, '.') ? known : strchr(known, '.') + 1;
  }
  const char *near = nearest_name(full, names, OP_COUNT - 1);
  if (near) {
    u32 kind = 1;
    while (names[kind - 1] != near) kind++;
    diag_hint(p->ctx, "did you mean %s?", op_info((OpKind)kind)->name);
  } else if (strchr(full, '.')) {
    diag_hint(
        p->ctx,
        "an unknown op can be read in its generic form only: mlir-opt --mlir-print-op-generic");
  }
}

/* ---- making the op --------------------------------------------------------------------------- */

Op *finish(Parser *p, Draft *d, Range types, u32 nregions) {
  u32 nattrs = (u32)p->attrs.len - d->attrs, nsuccs = (u32)p->succs.len - d->succs;
  if (p->failed) return NULL;
  sort_attrs(p, d->attrs, d->loc);
  if (nregions > UINT16_MAX || nsuccs > UINT16_MAX || nattrs > UINT16_MAX)
    fail(p, d->loc, COMP_TEXT_COUNT, "more than %d regions, successors or attributes", UINT16_MAX);
  if (p->failed) return NULL;
  Op *op = op_new(p->m, d->kind, d->loc, p->values.at + d->values, (u32)p->values.len - d->values,
                  p->types.at + types.first, types.n, nregions);
  if (d->kind == OP_UNREGISTERED) op_set_name(p->m, op, d->name);
  if (nattrs) {
    op->attrs = arena_copy(p->m->arena, p->attrs.at + d->attrs, nattrs * sizeof *op->attrs);
    op->nattrs = (u16)nattrs;
  }
  if (nsuccs) op_set_successors(p->m, op, p->succs.at + d->succs, nsuccs);
  op_append(p->block, op);
  return op;
}

Op *finish_none(Parser *p, Draft *d) {
  return finish(p, d, (Range){0, 0}, 0);
}

void take_region_body(Region *region, Region *from) {
  region->first = from->first;
  region->last = from->last;
  for_each_block (block, region) block->region = region;
  from->first = from->last = NULL;
}

void ensure_terminator(Parser *p, Region *region, OpKind kind) {
  if (p->failed) return;
  if (!region->first) block_new(p->m, region);
  Block *block = region->last;
  if (block->last && op_has_trait(block->last, TRAIT_TERMINATOR)) return;
  if (block->last && block->last->kind == OP_UNREGISTERED && block->last->nsuccs) return;
  op_append(block, op_new(p->m, kind, loc_at(p, p->last_end - 1), NULL, 0, NULL, 0, 0));
}

/* ---- blocks ---------------------------------------------------------------------------------- */

/* The label of that name in the region being read; a new one is made. */
static Label *label_of(Parser *p, u32 name, Loc loc) {
  u64 key = (u64)p->region_serial << 32 | name, known;
  if (map_get(&p->label_index, key, &known)) return &p->labels.at[known];
  Block *block = NEW(p->m->arena, Block);
  block->loc = loc;
  map_put(&p->label_index, key, p->labels.len);
  vec_push(&p->labels, ((Label){.block = block, .name = name, .loc = loc}));
  return &vec_last(&p->labels);
}

void parse_successor(Parser *p, const Draft *d) {
  Loc loc = loc_here(p);
  u32 name = parse_label(p);
  if (p->failed) return;
  Successor succ = {.block = label_of(p, name, loc)->block,
                    .first = (u32)p->values.len - d->values};
  if (accept(p, '(')) {
    u32 types = (u32)p->types.len;
    Range operands = parse_operands(p);
    Range list = {types, 0};
    loc = loc_here(p);
    if (expect(p, ':', "':' and the types of the values passed")) list = parse_types(p);
    expect(p, ')', "')'");
    take_each(p, operands, list, loc);
    p->types.len = types;
  }
  succ.n = (u32)p->values.len - d->values - succ.first;
  vec_push(&p->succs, succ);
}

/* NULL for ^bb0, ^bb1, ..., which are renumbered when printed; other labels are kept. */
static const Str *label_name(Parser *p, u32 name) {
  Span text = p->names.at[name].text;
  bool plain = text.len > 2 && text.at[0] == 'b' && text.at[1] == 'b';
  for (u32 i = 2; i < text.len && plain; i++) plain = char_is(text.at[i], IS_DIGIT);
  return plain || char_is(text.at[0], IS_DIGIT) ? NULL : intern(p, text);
}

/* %arg0, %arg1, ... of entry blocks are renumbered when printed, as by mlir-opt; also %arg0_1,
 * which such a name becomes if it is taken. */
static bool is_plain_arg(const Str *name) {
  if (!name || strncmp(name->text, "arg", 3) != 0) return false;
  const char *digits = name->text + 3, *end = run_end(digits, IS_DIGIT);
  if (end == digits) return false;
  if (*end == '_' && char_is(end[1], IS_DIGIT)) end = run_end(end + 1, IS_DIGIT);
  return *end == '\0';
}

static void add_args(Parser *p, Block *block, Range args) {
  bool entry = block->region->first == block;
  for (u32 i = 0; i < args.n && !p->failed; i++) {
    Arg arg = p->args.at[args.first + i];
    Value *value = block_add_arg(p->m, block, arg.type, NULL, arg.loc);
    define_name(p, operand_make(arg.name, 0, arg.loc), value, 1);
    if (entry && is_plain_arg(value->name)) value->name = NULL;
  }
}

void parse_arg(Parser *p, bool typed) {
  Operand name = parse_definition(p);
  const Type *type = typed ? colon_type(p) : NULL;
  vec_push(&p->args, ((Arg){.name = operand_name(name), .type = type, .loc = operand_loc(name)}));
}

/* ^label(%a: T, %b: T): */
static void parse_block_header(Parser *p, Region *region) {
  Loc loc = loc_here(p);
  u32 name = parse_label(p), mark = (u32)p->args.len;
  if (p->failed) return;
  Label *label = label_of(p, name, loc);
  Block *block = label->block;
  if (label->defined) {
    Loc first = label->block->loc;
    fail(p, loc, COMP_BLOCK_REDEFINED, "the block ^%s is defined twice", name_text(p, name));
    diag_note(p->ctx, first, "the first definition is here");
    return;
  }
  label->defined = true;
  block->loc = loc;
  block->name = label_name(p, name);
  region_append(region, block);
  p->block = block;
  if (accept(p, '(') && !accept(p, ')')) {
    do {
      parse_arg(p, true);
      skip_loc(p);
    } while (accept(p, ','));
    expect(p, ')', "',' or ')'");
  }
  expect(p, ':', "':' after the block's label");
  add_args(p, block, (Range){mark, (u32)p->args.len - mark});
  p->args.len = mark;
}

static void check_labels(Parser *p, u32 first) {
  for (size_t i = first; i < p->labels.len; i++) {
    const Label *label = &p->labels.at[i];
    if (!label->defined)
      diag(p->ctx, label->loc, COMP_BLOCK_UNDEFINED, "there is no block ^%s in this region",
           name_text(p, label->name));
  }
}

/* ---- recovery -------------------------------------------------------------------------------- */

static const char *line_end(const char *s) {
  while (*s && *s != '\n') s++;
  return s;
}

/* The end of a statement that starts at `start` and has an error at or after `bad`: where all
 * brackets, or only the braces, are closed; NULL if they never are. */
static const char *statement_end(const Parser *p, const char *start, const char *bad, bool braces) {
  u32 depth = 0;
  for (const char *s = start; s < p->end;) {
    const char *after = s + 1;
    if (*s == '"') {
      after = string_end(s);
      if (!after) after = line_end(s); /* what an open quote holds is not known */
    } else if (*s == '/' && s[1] == '/') {
      after = line_end(s);
    } else if (*s == '{' || (!braces && (*s == '(' || *s == '['))) {
      depth++;
    } else if (*s == '}' || (!braces && (*s == ')' || *s == ']'))) {
      if (depth > 0)
        depth--;
      else if (*s == '}' && s >= bad)
        return s;
    } else if (*s == '\n' && depth == 0 && s >= bad) {
      const char *next = skip_space(s); /* a line may continue the one before */
      if (char_is(*next, IS_LETTER) || strchr("%\"^}#!", *next)) return s;
    }
    s = after;
  }
  return depth ? NULL : p->end;
}

/* Skips the rest of a statement with an error; never stays at its start. */
static void recover(Parser *p, const char *start) {
  const char *text_end = p->src->text + p->src->len, *end = text_end;
  const char *bad = p->last_end > start ? p->last_end : start;
  /* at the end of the text, do not scan each enclosing region again */
  if (p->failed_at != text_end) {
    const char *found = may_search(p) ? statement_end(p, start, bad, false) : NULL;
    if (!found) { /* a ( that is never closed */
      p->vain_searches++;
      found = statement_end(p, start, bad, true);
    }
    if (found) end = found;
  }
  p->failed = false;
  if (end == start) /* closing brackets often come in groups */
    do end++;
    while (*end && strchr(")]} ", *end));
  advance(p, end < text_end ? end : text_end);
}

/* ---- regions --------------------------------------------------------------------------------- */

static void parse_blocks(Parser *p, Region *region, Range args) {
  bool labelled = at(p, '^') && args.n == 0;
  if (!labelled) {
    p->block = block_new(p->m, region);
    p->block->loc = loc_here(p);
    add_args(p, p->block, args);
  }
  while (!p->failed && !at(p, '}') && p->cur != p->end) {
    if (at(p, '^')) {
      const char *start = p->cur;
      parse_block_header(p, region);
      if (!p->failed) continue;
      recover(p, start);
      if (!region->first) p->block = block_new(p->m, region);
    } else {
      parse_op(p);
    }
  }
}

void parse_region(Parser *p, OpKind kind, Region *region, Range args) {
  if (p->failed) return;
  Loc open = loc_here(p);
  if (!expect(p, '{', "'{'")) return;
  if (p->nested_regions == MAX_NESTED) {
    fail(p, open, COMP_TEXT_NESTING, "regions nested more than %d deep", MAX_NESTED);
    return;
  }
  Block *block = p->block;
  OpKind parent = p->parent;
  u32 first_label = p->first_label, serial = p->region_serial;
  p->nested_regions++;
  p->parent = kind;
  p->first_label = (u32)p->labels.len;
  p->region_serial = ++p->last_region_serial;
  NameScope names = open_names(p, (op_info(kind)->traits & TRAIT_ISOLATED) != 0);
  if (!at(p, '}') || args.n) parse_blocks(p, region, args);
  check_labels(p, p->first_label);
  close_names(p, names);
  p->labels.len = p->first_label;
  p->first_label = first_label;
  p->region_serial = serial;
  p->parent = parent;
  p->block = block;
  p->nested_regions--;
  if (accept(p, '}')) return;
  bool reported = p->end_reported;
  fail_expected(p, "'}'");
  if (!reported) diag_note(p->ctx, open, "to match this '{'");
}

Region *parse_detached_region(Parser *p, OpKind kind, Range args) {
  Region *region = NEW(p->scratch, Region);
  parse_region(p, kind, region, args);
  vec_push(&p->regions, region);
  return region;
}

/* ---- the generic form ------------------------------------------------------------------------ */

static void parse_generic_successors(Parser *p, Draft *d) {
  if (!accept(p, '[')) return;
  if (at(p, '^')) do {
      Loc loc = loc_here(p);
      parse_successor(p, d);
      if (!p->failed && vec_last(&p->succs).n)
        fail(p, loc, COMP_TEXT_SYNTAX,
             "in the generic form the arguments of successors are operands of the op");
    } while (accept(p, ','));
  expect(p, ']', "']'");
}

static void parse_generic_regions(Parser *p, Draft *d) {
  if (!accept(p, '(')) return;
  do parse_detached_region(p, d->kind, (Range){0, 0});
  while (accept(p, ','));
  expect(p, ')', "',' or ')' after a region");
}

static Op *parse_generic(Parser *p, Draft *d) {
  Loc loc = loc_here(p);
  const Str *name = parse_string(p);
  if (!p->failed && (name->len == 0 || strlen(name->text) != name->len))
    fail(p, loc, COMP_TEXT_SYNTAX,
         "the name of an operation must not be empty or contain NUL bytes");
  d->kind = kind_of(p, (Span){name->text, name->len});
  d->name = name;
  Range operands = parse_operand_list(p);
  parse_generic_successors(p, d);
  parse_properties(p);
  parse_generic_regions(p, d);
  if (at(p, '{')) parse_attrs(p);
  expect(p, ':', "':' and the types of the operation");
  loc = loc_here(p);
  Range inputs = parse_types_in_parens(p);
  expect_arrow(p);
  Range results = parse_result_types(p);
  take_each(p, operands, inputs, loc);
  /* before LLVM 21 it had no result */
  if (d->kind == OP_MEMREF_ASSUME_ALIGNMENT && !results.n && inputs.n == 1) results = inputs;
  u32 nregions = (u32)p->regions.len - d->regions;
  for (size_t i = d->attrs; i < p->attrs.len && d->kind != OP_UNREGISTERED; i++)
    p->attrs.at[i].property = false; /* follows from the op's kind: asm_is_inherent */
  Op *op = finish(p, d, results, nregions);
  if (!op) return NULL;
  for (u32 i = 0; i < nregions; i++)
    take_region_body(&op->regions[i], p->regions.at[d->regions + i]);
  if (op->kind != OP_UNREGISTERED) asm_normalise(p, op);
  return op;
}

/* ---- statements ------------------------------------------------------------------------------ */

static Op *parse_custom(Parser *p, Draft *d) {
  Span name = peek_word(p);
  if (name.len == 0) {
    fail_expected(p, "an operation");
    return NULL;
  }
  d->kind = kind_of(p, name);
  if (d->kind == OP_UNREGISTERED && !memchr(name.at, '.', name.len))
    d->kind = kind_without_prefix(p, name);
  /* ops of affine become those of scf, arith and memref as they are read */
  ParseFn *affine = d->kind == OP_UNREGISTERED ? affine_parser(name) : NULL;
  if (d->kind == OP_UNREGISTERED && !affine) {
    unknown_op(p, name);
    return NULL;
  }
  advance(p, name.at + name.len);
  return affine ? affine(p, d) : asm_of(d->kind)->parse(p, d);
}

/* `%a, %b:2 =` onto p->results. */
static u64 parse_result_names(Parser *p) {
  u64 total = 0;
  do {
    Operand name = parse_definition(p);
    u32 n = accept(p, ':') ? parse_count(p, UINT32_MAX, "the number of results") : 1;
    if (n == 0)
      fail(p, operand_loc(name), COMP_SSA_RESULT_NUMBER,
           "the number of results must be at least 1");
    total += n;
    vec_push(&p->results, operand_make(operand_name(name), n, operand_loc(name)));
  } while (accept(p, ','));
  expect(p, '=', "'=' after the names of results");
  return total;
}

static void bind_results(Parser *p, Op *op, u32 first, u64 total, Loc loc) {
  if (total != op->nresults) {
    fail(p, loc, COMP_SSA_RESULT_NUMBER, "%s has %u result%s, but %llu %s named", op_name(op),
         op->nresults, plural(op->nresults), (unsigned long long)total, total == 1 ? "is" : "are");
    return;
  }
  for (u32 i = first, at = 0; i < p->results.len; i++) {
    Operand name = p->results.at[i];
    define_name(p, name, &op->results[at], operand_sub(name));
    at += operand_sub(name);
  }
}

/* `loc(...)` after an op, if present. */
static void parse_loc_of(Parser *p, Op *op) {
  const Str *late;
  set_location(p, op, parse_loc(p, &late));
  if (late) vec_push(&p->late_locs, ((LateLoc){.op = op, .alias = late, .loc = op->loc}));
}

void parse_op(Parser *p) {
  const char *start = p->cur;
  u32 nested = p->nested, results = (u32)p->results.len;
  u64 total = 0;
  Loc loc = loc_here(p);
  Draft d = {.operands = (u32)p->operands.len,
             .values = (u32)p->values.len,
             .types = (u32)p->types.len,
             .attrs = (u32)p->attrs.len,
             .succs = (u32)p->succs.len,
             .args = (u32)p->args.len,
             .regions = (u32)p->regions.len};
  if (at(p, '%')) total = parse_result_names(p);
  d.loc = loc_here(p);
  Op *op = at(p, '"') ? parse_generic(p, &d) : parse_custom(p, &d);
  if (op) {
    if (at(p, 'l')) parse_loc_of(p, op);
    if (results < p->results.len && !p->failed) bind_results(p, op, results, total, loc);
  }
  if (p->failed) {
    recover(p, start);
    for (size_t i = results; i < p->results.len; i++) poison_name(p, p->results.at[i]);
  }
  p->nested = nested;
  p->results.len = results;
  p->operands.len = d.operands;
  p->values.len = d.values;
  p->types.len = d.types;
  p->attrs.len = d.attrs;
  p->succs.len = d.succs;
  p->args.len = d.args;
  p->regions.len = d.regions;
}
