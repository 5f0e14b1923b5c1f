/* print.c -- prints ops, blocks and regions.
 *
 * Everything goes into one buffer. A first walk names the values (print_names.c), a second one
 * prints. Aliases are numbered when they are first met; where that is not the order in which
 * mlir-opt meets them (the generic form looks at an op's types before its attributes; locations
 * are sorted by depth), the text is printed again once all of them are known. Most files have no
 * such aliases and are printed once.
 *
 * The text of a type is made once and copied from then on: cost is a few copies a statement. */
#include "text/print.h"

#include "text/asm.h"
#include "text/form.h"

bool word_in(const char *list, const char *word) {
  size_t len = strlen(word);
  for (const char *s = list; (s = strstr(s, word)) != NULL; s += len)
    if ((s == list || s[-1] == ' ') && (s[len] == '\0' || s[len] == ' ')) return true;
  return false;
}

/* ---- values ---------------------------------------------------------------------------------- */

static void put_rename(const Printer *pr, Rename rename) {
  put_bytes(pr->out, pr->names.data + rename.at, rename.len);
}

static void put_code(Printer *pr, u32 code, const Str *own) {
  if (code == CODE_NAMED)
    put_str(pr->out, own);
  else if (code & CODE_RENAMED)
    put_rename(pr, pr->renamed.at[code & ~CODE_RENAMED]);
  else
    put_number(pr->out, code);
}

/* A value from outside of the printed op: by its name in the source. */
static void put_outer_value(Printer *pr, const Value *value) {
  if (value->name)
    put_str(pr->out, value->name);
  else
    PUT(pr->out, "<outer>");
}

static bool is_printed_here(const Printer *pr, const Value *value) {
  if (!pr->root) return true;
  const Op *op = value->is_arg ? value_block(value)->region->parent : value_op(value);
  return op_is_inside(op, pr->root) && (op != pr->root || !value->is_arg || op->nregions);
}

void print_value(Printer *pr, const Value *value) {
  if (!value) {
    PUT(pr->out, "<<none>>");
    return;
  }
  put_char(pr->out, '%');
  if (!is_printed_here(pr, value)) {
    put_outer_value(pr, value);
    return;
  }
  if (value->is_arg) {
    put_code(pr, pr->codes.at[value_block(value)->index + 1 + value->index], value->name);
    return;
  }
  const Op *op = value_op(value);
  if (op->nresults == 1) {
    put_code(pr, op->index, value->name);
    return;
  }
  const u32 *pair = pr->codes.at + op->index + 2 * value->index;
  u32 leader = pair[1];
  put_code(pr, pair[0], op->results[leader].name);
  bool alone = leader == value->index && (value->index + 1u == op->nresults || pair[3] != leader);
  if (alone) return;
  put_char(pr->out, '#');
  put_number(pr->out, value->index - leader);
}

void print_operands(Printer *pr, const Op *op, u32 first, u32 n) {
  for (u32 i = 0; i < n; i++) {
    if (i) PUT(pr->out, ", ");
    print_operand(pr, op, first + i);
  }
}

void print_operand_list(Printer *pr, const Op *op, u32 first, u32 n) {
  put_char(pr->out, '(');
  print_operands(pr, op, first, n);
  put_char(pr->out, ')');
}

static void print_results(Printer *pr, const Op *op) {
  if (op->nresults == 1) {
    print_value(pr, &op->results[0]);
    PUT(pr->out, " = ");
    return;
  }
  for (u32 i = 0; i < op->nresults;) {
    const u32 *pair = pr->codes.at + op->index + 2 * i;
    u32 n = 1;
    while (i + n < op->nresults && pair[2 * n + 1] == i) n++;
    if (i) PUT(pr->out, ", ");
    put_char(pr->out, '%');
    put_code(pr, pair[0], op->results[i].name);
    if (n > 1) {
      put_char(pr->out, ':');
      put_number(pr->out, n);
    }
    i += n;
  }
  PUT(pr->out, " = ");
}

/* ---- types ----------------------------------------------------------------------------------- */

void print_type(Printer *pr, const Type *type) {
  if (type->id >= pr->type_texts.len) {
    size_t old = pr->type_texts.len;
    vec_reserve(&pr->type_texts, type->id + (size_t)1);
    memset(pr->type_texts.at + old, 0, (pr->type_texts.cap - old) * sizeof(TypeText));
    pr->type_texts.len = pr->type_texts.cap;
  }
  TypeText *text = &pr->type_texts.at[type->id];
  if (text->len == 0) {
    text->at = (u32)pr->type_pool.len;
    put_type(&pr->type_pool, &pr->aliases, type);
    text->len = (u32)pr->type_pool.len - text->at;
  }
  put_bytes(pr->out, pr->type_pool.data + text->at, text->len);
}

void print_operand_types(Printer *pr, const Op *op, u32 first, u32 n) {
  for (u32 i = 0; i < n; i++) {
    if (i) PUT(pr->out, ", ");
    print_type(pr, op->operands[first + i].value->type);
  }
}

void print_result_types(Printer *pr, const Op *op) {
  for (u32 i = 0; i < op->nresults; i++) {
    if (i) PUT(pr->out, ", ");
    print_type(pr, op->results[i].type);
  }
}

void print_results_after_arrow(Printer *pr, const Op *op) {
  bool bare = op->nresults == 1 && op->results[0].type->kind != TYPE_FUNCTION;
  if (!bare) put_char(pr->out, '(');
  print_result_types(pr, op);
  if (!bare) put_char(pr->out, ')');
}

void print_arrow_results(Printer *pr, const Op *op) {
  if (op->nresults == 0) return;
  PUT(pr->out, " -> ");
  print_results_after_arrow(pr, op);
}

void print_arrow_list(Printer *pr, const Op *op) {
  if (op->nresults == 0) return;
  PUT(pr->out, " -> (");
  print_result_types(pr, op);
  put_char(pr->out, ')');
}

void print_signature(Printer *pr, const Op *op) {
  put_char(pr->out, '(');
  print_operand_types(pr, op, 0, op->noperands);
  PUT(pr->out, ") -> ");
  print_results_after_arrow(pr, op);
}

/* ---- attributes ------------------------------------------------------------------------------ */

void print_attr(Printer *pr, const Attr *attr) {
  put_attr(pr->out, &pr->aliases, attr, WITH_TYPE);
}

void print_entry(Printer *pr, const NamedAttr *entry) {
  put_entry(pr->out, &pr->aliases, entry);
}

bool print_some_attrs(Printer *pr, const Op *op, const char *open, HiddenFn *hidden,
                      const void *data) {
  bool any = false;
  for (u32 i = 0; i < op->nattrs; i++) {
    if (hidden(pr, op, &op->attrs[i], data)) continue;
    put_text(pr->out, any ? ", " : open);
    any = true;
    print_entry(pr, &op->attrs[i]);
  }
  return any;
}

static bool is_among(const Printer *pr, const Op *op, const NamedAttr *attr, const void *words) {
  (void)pr, (void)op;
  return word_in(words, attr->name->text);
}

void print_attrs(Printer *pr, const Op *op, const char *hidden) {
  if (print_some_attrs(pr, op, " {", is_among, hidden)) put_char(pr->out, '}');
}

void print_more_attrs(Printer *pr, const Op *op, const char *hidden) {
  print_some_attrs(pr, op, ", ", is_among, hidden);
}

void print_attrs_with_keyword(Printer *pr, const Op *op, const char *hidden) {
  if (print_some_attrs(pr, op, " attributes {", is_among, hidden)) put_char(pr->out, '}');
}

/* While aliases are collected: notes an op's location before all else of the op, as mlir-opt does.
 */
static void meet_loc(Printer *pr, const Op *op) {
  if (!pr->options.locs || pr->aliases.fixed) return;
  alias_add(&pr->aliases, op_location(pr->ctx, op), true);
  pr->order_uncertain = true;
}

static void print_loc(Printer *pr, const Op *op) {
  if (!pr->options.locs || !pr->aliases.fixed) return;
  PUT(pr->out, " loc(");
  const Attr *loc = op_location(pr->ctx, op);
  if (!put_alias_of(pr->out, &pr->aliases, loc)) put_location(pr->out, &pr->aliases, loc);
  put_char(pr->out, ')');
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static void print_block_name(Printer *pr, const Block *block) {
  put_char(pr->out, '^');
  if (block->name && block != block->region->first) { /* its label is mostly not printed */
    put_str(pr->out, block->name);
    return;
  }
  PUT(pr->out, "bb");
  put_number(pr->out, pr->codes.at[block->index]);
}

void print_indent(Printer *pr) {
  static const char spaces[] = "                                                                ";
  for (u32 left = pr->indent; left;) {
    u32 n = left < sizeof spaces - 1 ? left : (u32)sizeof spaces - 1;
    put_bytes(pr->out, spaces, n);
    left -= n;
  }
}

/* The predecessors of each block in a region of several: at[first .. first + n). */
typedef struct {
  u32 first, n;
} PredRange;
typedef struct {
  PredRange *of; /* by the block's number; NULL: a region of one block */
  const Block **at;
} Preds;

static u32 block_number(const Printer *pr, const Block *block) {
  return pr->codes.at[block->index];
}

static Preds find_preds(Printer *pr, const Region *region) {
  Preds preds = {0};
  if (region->first == region->last) return preds;
  u32 nblocks = block_number(pr, region->last) + 1, nedges = 0;
  preds.of = mem_alloc(mem_size(nblocks, sizeof *preds.of));
  for_each_block (block, region)
    for (u32 s = 0; block->last && s < block->last->nsuccs; s++, nedges++)
      preds.of[block_number(pr, op_succs(block->last)[s].block)].n++;
  preds.at = mem_alloc(mem_size(nedges, sizeof *preds.at));
  u32 at = 0;
  for (u32 i = 0; i < nblocks; i++) {
    preds.of[i].first = at;
    at += preds.of[i].n;
    preds.of[i].n = 0;
  }
  for_each_block (block, region)
    for (u32 s = 0; block->last && s < block->last->nsuccs; s++) {
      PredRange *range = &preds.of[block_number(pr, op_succs(block->last)[s].block)];
      preds.at[range->first + range->n++] = block;
    }
  return preds;
}

static void print_preds(Printer *pr, const Block *block, const Preds *preds) {
  bool entry = block == block->region->first;
  PredRange range = preds->of ? preds->of[block_number(pr, block)] : (PredRange){0, 0};
  if (range.n == 0) {
    if (!entry) PUT(pr->out, "  // no predecessors");
    return;
  }
  if (range.n == 1) {
    PUT(pr->out, "  // pred: ");
  } else {
    PUT(pr->out, "  // ");
    put_number(pr->out, range.n);
    PUT(pr->out, " preds: ");
  }
  for (u32 i = 0; i < range.n; i++) {
    if (i) PUT(pr->out, ", ");
    print_block_name(pr, preds->at[range.first + i]);
  }
}

static void print_block_header(Printer *pr, const Block *block, const Preds *preds) {
  print_indent(pr);
  print_block_name(pr, block);
  if (block->nargs) put_char(pr->out, '(');
  for (u32 i = 0; i < block->nargs; i++) {
    if (i) PUT(pr->out, ", ");
    print_value(pr, block->args[i]);
    PUT(pr->out, ": ");
    print_type(pr, block->args[i]->type);
  }
  if (block->nargs) put_char(pr->out, ')');
  put_char(pr->out, ':');
  print_preds(pr, block, preds);
  put_char(pr->out, '\n');
}

/* A terminator without attributes and with nothing in a region: the parser adds it if it is not
 * written. */
static bool is_implied(const Op *op) {
  const Block *body = op->nregions ? op->regions[0].first : NULL;
  return op_has_trait(op, TRAIT_TERMINATOR) && !op->nattrs && !(body && body->first);
}

/* One op, without indentation before or newline after. */
static void print_op(Printer *pr, const Op *op);

static void print_block_ops(Printer *pr, const Block *block, bool with_terminator) {
  const Op *last = block->last;
  const Op *stop = !with_terminator && last && is_implied(last) ? last : NULL;
  pr->indent += 2;
  for (const Op *op = block->first; op != stop; op = op_prefetch_next(op->next)) {
    print_indent(pr);
    print_op(pr, op);
    put_char(pr->out, '\n');
  }
  pr->indent -= 2;
}

void print_region(Printer *pr, const Region *region, unsigned flags) {
  PUT(pr->out, "{\n");
  const Block *entry = region->first;
  if (entry) {
    const char *dialect = pr->dialect;
    const Op *parent = region->parent;
    /* `handshake.` may be left out on input, but a graph reads better with it: its ops stand
     * between those of dataflow and arith. */
    bool short_names = parent && parent->kind != OP_HANDSHAKE_FUNC;
    pr->dialect = short_names ? asm_default_dialect((OpKind)parent->kind) : "";
    Preds preds = find_preds(pr, region);
    bool header =
        ((flags & EMPTY_HEADER) && !entry->first) || ((flags & ENTRY_ARGS) && entry->nargs);
    for_each_block (block, region) {
      if (header || block != entry) print_block_header(pr, block, &preds);
      print_block_ops(pr, block, block != entry || !(flags & NO_TERMINATOR));
    }
    mem_free(preds.of);
    mem_free(preds.at);
    pr->dialect = dialect;
  }
  print_indent(pr);
  put_char(pr->out, '}');
}

void print_successor(Printer *pr, const Op *op, u32 i) {
  const Successor *succ = &op_succs(op)[i];
  print_block_name(pr, succ->block);
  if (succ->n == 0) return;
  put_char(pr->out, '(');
  print_operands(pr, op, succ->first, succ->n);
  PUT(pr->out, " : ");
  print_operand_types(pr, op, succ->first, succ->n);
  put_char(pr->out, ')');
}

/* ---- the generic form ------------------------------------------------------------------------ */

static bool is_property(const Printer *pr, const Op *op, const NamedAttr *attr, const void *data) {
  (void)data;
  if (op->kind == OP_UNREGISTERED) return attr->property;
  return asm_is_inherent(pr->ctx, (OpKind)op->kind, attr->name);
}

/* The inherent attribute whose default the op's generic form shows (`fastmath =
 * #arith.fastmath<none>`); NULL if there is none or the op has the attribute. */
static const FormAttr *missing_default(Printer *pr, const Op *op) {
  const Form *form = op->kind == OP_UNREGISTERED ? NULL : form_of(pr->ctx, (OpKind)op->kind);
  for (u32 i = 0; form && i < form->nattrs; i++) {
    const FormAttr *attr = &form->attrs[i];
    if (attr->syntax && attr->syntax->absent && !attr->bare)
      return op_attr_str(op, attr->name) ? NULL : attr;
  }
  return NULL;
}

/* The bracket before the first of several entries, a comma before the others. */
static void separate(Buf *out, bool *any, const char *bracket) {
  if (*any)
    PUT(out, ", ");
  else
    put_text(out, bracket);
  *any = true;
}

static void print_properties(Printer *pr, const Op *op) {
  const FormAttr *missing = missing_default(pr, op);
  bool any = false;
  for (u32 i = 0; i <= op->nattrs; i++) {
    bool last = i == op->nattrs;
    if (!last && !is_property(pr, op, &op->attrs[i], NULL)) continue;
    if (missing && (last || strcmp(missing->name->text, op->attrs[i].name->text) < 0)) {
      separate(pr->out, &any, " <{");
      put_str(pr->out, missing->name);
      PUT(pr->out, " = ");
      put_text(pr->out, missing->syntax->absent);
      missing = NULL;
    }
    if (last) break;
    separate(pr->out, &any, " <{");
    print_entry(pr, &op->attrs[i]);
  }
  if (any) PUT(pr->out, "}>");
}

static void print_generic_regions(Printer *pr, const Op *op) {
  if (op->nregions == 0) return;
  PUT(pr->out, " (");
  for (u32 i = 0; i < op->nregions; i++) {
    if (i) PUT(pr->out, ", ");
    print_region(pr, &op->regions[i], ENTRY_ARGS | EMPTY_HEADER);
  }
  put_char(pr->out, ')');
}

/* Meets the aliases of an op in the order in which mlir-opt does. */
static void collect_generic(Printer *pr, const Op *op) {
  for (u32 i = 0; i < op->nregions; i++) print_region(pr, &op->regions[i], ENTRY_ARGS);
  print_operand_types(pr, op, 0, op->noperands);
  print_result_types(pr, op);
  for (u32 i = 0; i < op->nattrs; i++) print_attr(pr, op->attrs[i].value);
}

static void print_generic(Printer *pr, const Op *op) {
  size_t met = pr->aliases.attrs.len;
  if (pr->collecting) {
    collect_generic(pr, op);
    return;
  }
  put_quoted(pr->out, op_name(op), (u32)strlen(op_name(op)));
  print_operand_list(pr, op, 0, op->noperands);
  for (u32 i = 0; i < op->nsuccs; i++) {
    put_text(pr->out, i ? ", " : "[");
    print_block_name(pr, op_succs(op)[i].block);
  }
  if (op->nsuccs) put_char(pr->out, ']');
  print_properties(pr, op);
  print_generic_regions(pr, op);
  if (print_some_attrs(pr, op, " {", is_property, NULL)) put_char(pr->out, '}');
  PUT(pr->out, " : ");
  print_signature(pr, op);
  if (pr->aliases.attrs.len != met) pr->order_uncertain = true;
}

/* ---- ops ------------------------------------------------------------------------------------- */

/* The op's name, without the prefix of the default dialect. */
static void print_name(Printer *pr, const Op *op) {
  const char *name = op_info((OpKind)op->kind)->name;
  if (*pr->dialect) {
    size_t len = strlen(pr->dialect);
    if (strncmp(name, pr->dialect, len) == 0 && name[len] == '.' && !strchr(name + len + 1, '.')) {
      put_text(pr->out, name + len + 1);
      return;
    }
  }
  u32 *known = &pr->name_lengths.at[op->kind];
  if (!*known) *known = (u32)strlen(name);
  put_bytes(pr->out, name, *known);
}

static void print_op(Printer *pr, const Op *op) {
  meet_loc(pr, op);
  if (op->nresults) print_results(pr, op);
  const OpKind kind = (OpKind)op->kind;
  if (pr->options.generic || kind == OP_UNREGISTERED) {
    print_generic(pr, op);
  } else {
    print_name(pr, op);
    asm_of(kind)->print(pr, op);
  }
  print_loc(pr, op);
}

static void printer_init(Printer *pr, Context *ctx, PrintOptions options, Buf *out) {
  *pr = (Printer){.out = out, .ctx = ctx, .options = options, .dialect = "builtin"};
  vec_reserve(&pr->name_lengths, OP_COUNT);
  memset(pr->name_lengths.at, 0, OP_COUNT * sizeof(u32));
}

static void printer_free(Printer *pr) {
  aliases_free(&pr->aliases);
  buf_free(&pr->type_pool);
  vec_free(&pr->type_texts);
  vec_free(&pr->name_lengths);
  vec_free(&pr->codes);
  vec_free(&pr->renamed);
  buf_free(&pr->names);
  vec_free(&pr->arg_names);
}

/* Discards the output of a pass, and the texts of types, which have numbers of aliases in them. */
static void start_again(Printer *pr, size_t out_len) {
  pr->out->len = out_len;
  pr->type_pool.len = 0;
  vec_clear(&pr->type_texts);
}

static void print_top(Printer *pr, const Op *top) {
  print_op(pr, top);
  put_char(pr->out, '\n');
}

/* Puts `header` in front of what was printed since `at`. */
static void insert(Buf *out, size_t at, const Buf *header) {
  size_t len = out->len - at;
  if (header->len == 0) return;
  buf_put(out, header->data, header->len); /* makes the room */
  memmove(out->data + at + header->len, out->data + at, len);
  memcpy(out->data + at, header->data, header->len);
}

void text_print(const Module *module, PrintOptions options, Buf *out) {
  Printer pr;
  size_t start = out->len;
  printer_init(&pr, module->ctx, options, out);
  name_values(&pr, module->top);
  print_top(&pr, module->top);
  if (pr.order_uncertain) {
    aliases_free(&pr.aliases);
    pr.aliases = (Aliases){0};
    start_again(&pr, start);
    pr.collecting = true;
    print_top(&pr, module->top);
    pr.collecting = false;
    aliases_fix(&pr.aliases);
    start_again(&pr, start);
    print_top(&pr, module->top);
  }
  if (pr.aliases.attrs.len) {
    Buf header = {0};
    aliases_define(&header, &pr.aliases, false);
    insert(out, start, &header);
    buf_free(&header);
    aliases_define(out, &pr.aliases, true);
  }
  if (module->metadata) {
    put_char(out, '\n');
    put_str(out, module->metadata);
    put_char(out, '\n');
  }
  put_char(out, '\n'); /* mlir-opt ends so */
  buf_put(out, "", 0);
  printer_free(&pr);
}

void text_print_op(const Module *module, const Op *op, PrintOptions options, Buf *out) {
  Printer pr;
  options.locs = false; /* their aliases would need definitions */
  printer_init(&pr, module->ctx, options, out);
  pr.root = op;
  pr.aliases.fixed = true; /* there are none: everything is written out */
  name_values(&pr, op);
  print_op(&pr, op);
  buf_put(out, "", 0);
  printer_free(&pr);
}
