/* fabric.c -- queries about ops of the fabric dialect: definitions and instances, lanes of
 * switches, name resolution, parameters and configuration, ports. See fabric.h. All are linear in
 * what they look at. */
#include "ir/fabric.h"

bool fabric_flag(const Op *op, const char *name) {
  const Attr *attr = op_attr(op, name);
  return attr && (attr->kind == ATTR_UNIT || (attr->kind == ATTR_BOOL && attr->i));
}

bool fabric_is_inline(const Op *op) {
  return fabric_is_component((OpKind)op->kind) &&
         (op->noperands || op->nresults || fabric_flag(op, "inline_instantiation"));
}

bool fabric_is_definition(const Op *op) {
  if (op->kind == OP_FABRIC_MODULE || op->kind == OP_FABRIC_FUNCTION_UNIT) return true;
  return fabric_is_component((OpKind)op->kind) && !fabric_is_inline(op);
}

const Str *fabric_name(const Op *op) {
  const Attr *name = op_attr(op, "sym_name");
  return name && name->kind == ATTR_STRING ? name->str : NULL;
}

const Attr *fabric_target(const Op *instance) {
  const Attr *target = op_attr(instance, "module");
  return target && target->kind == ATTR_SYMBOL ? target : NULL;
}

void fabric_lanes(const Context *ctx, const Op *sw, FabricLanes *lanes) {
  const Type *ports = op_function_type(sw);
  i64 bits = op_attr_int(sw, "decomposable_bits", 0);
  *lanes = (FabricLanes){.ninputs = ports->ninputs, .noutputs = ports->nelems - ports->ninputs};
  for (u32 i = 0; i < ports->nelems; i++) {
    FabricPort port = {0};
    fabric_port(ctx, ports->elems[i], &port);
    u32 n = bits > 0 ? (u32)(port.width / bits) : 1;
    u32 *at = i < ports->ninputs ? &lanes->in_at[i] : &lanes->out_at[i - ports->ninputs];
    at[1] = at[0] + n;
  }
}

bool fabric_has_lane_rows(const FabricLanes *lanes, u32 rows, u32 columns) {
  u32 ins = lanes->in_at[lanes->ninputs], outs = lanes->out_at[lanes->noutputs];
  return rows == outs && columns == ins && (outs > lanes->noutputs || ins > lanes->ninputs);
}

u32 fabric_lane_port(const u32 *at, u32 nports, u32 lane) {
  u32 port = 0;
  while (port + 1 < nports && at[port + 1] <= lane) port++;
  return port;
}

static bool table_has(const Attr *table, u32 row, u32 column) {
  if (table->kind != ATTR_ARRAY || row >= table->n) return false;
  const Attr *text = table->elems[row];
  return text->kind == ATTR_STRING && column < text->str->len && text->str->text[column] == '1';
}

/* The length of a table's rows, which are strings; 0 if they are not. */
static u32 columns_of(const Attr *table) {
  bool has_rows = table->kind == ATTR_ARRAY && table->n && table->elems[0]->kind == ATTR_STRING;
  return has_rows ? (u32)table->elems[0]->str->len : 0;
}

bool fabric_switch_connects(const Op *sw, const FabricLanes *lanes, u32 in, u32 il, u32 out,
                            u32 ol) {
  const Attr *table = op_attr(sw, "connectivity_table");
  if (!table) return true;
  if (!fabric_has_lane_rows(lanes, table->n, columns_of(table))) return table_has(table, out, in);
  return table_has(table, lanes->out_at[out] + ol, lanes->in_at[in] + il);
}

bool fabric_switch_joins(const Op *sw, const FabricLanes *lanes, u32 in, u32 out) {
  const Attr *table = op_attr(sw, "connectivity_table");
  if (!table || !fabric_has_lane_rows(lanes, table->n, columns_of(table)))
    return !table || table_has(table, out, in);
  for (u32 ol = 0; ol < lanes->out_at[out + 1] - lanes->out_at[out]; ol++)
    for (u32 il = 0; il < lanes->in_at[in + 1] - lanes->in_at[in]; il++)
      if (fabric_switch_connects(sw, lanes, in, il, out, ol)) return true;
  return false;
}

/* ---- scopes ---------------------------------------------------------------------------------- */

typedef struct ScopeNames ScopeNames;
struct ScopeNames {
  const ScopeNames *outer; /* NULL around a builtin.module */
  Map names;               /* Str of a definition to its Op */
};

typedef struct {
  FabricDuplicateFn *duplicate;
  void *user;
} Resolver;

static Op *look_up(const ScopeNames *scope, const Attr *target) {
  u64 found;
  if (!target || target->n) return NULL; /* a nested symbol: scopes are closed from outside */
  for (; scope; scope = scope->outer)
    if (map_get(&scope->names, PTR_KEY(target->str), &found)) return (Op *)(uintptr_t)found;
  return NULL;
}

/* Recursion is bounded by the nesting of regions, which the parser limits. Regions of fabric ops
 * that are no scopes are entered, too: malformed input may have instances there. */
static void resolve_scope(const Resolver *r, const Op *host, const ScopeNames *outer) {
  ScopeNames scope = {.outer = host->kind == OP_BUILTIN_MODULE ? NULL : outer};
  const Region *region = &host->regions[0];
  for_each_block (block, region)
    for_each_op (op, block) {
      const Str *name = fabric_is_definition(op) ? fabric_name(op) : NULL;
      u64 first;
      if (!name) continue;
      if (!map_get(&scope.names, PTR_KEY(name), &first))
        map_put(&scope.names, PTR_KEY(name), PTR_KEY(op));
      else if (r->duplicate)
        r->duplicate(r->user, (const Op *)(uintptr_t)first, op);
    }
  for_each_block (block, region)
    for_each_op (op, block) {
      if (op->kind == OP_FABRIC_INSTANCE && !op->nregions)
        op->target = look_up(&scope, fabric_target(op));
      else if ((fabric_is_scope((OpKind)op->kind) || fabric_is_op(op)) && op->nregions)
        resolve_scope(r, op, &scope);
    }
  map_free(&scope.names);
}

void fabric_resolve(Op *top, FabricDuplicateFn *duplicate, void *user) {
  Resolver r = {duplicate, user};
  if (fabric_is_scope((OpKind)top->kind) && top->nregions) resolve_scope(&r, top, NULL);
}

/* ---- names in quotes ------------------------------------------------------------------------- */

static bool is_name_char(char c, bool first) {
  bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  return letter || (!first && ((c >= '0' && c <= '9') || c == '$' || c == '.'));
}

static bool is_bare(const Str *name) {
  for (u32 i = 0; i < name->len; i++)
    if (!is_name_char(name->text[i], i == 0)) return false;
  return name->len > 0;
}

/* "a-b" becomes a_b, "2x" becomes _2x; with a suffix _1, _2, ... if that is taken. */
static const Str *bare_name(Context *ctx, const Str *name, Map *taken) {
  Buf text = {0};
  u64 seen;
  if (!name->len || (name->text[0] >= '0' && name->text[0] <= '9')) buf_char(&text, '_');
  for (u32 i = 0; i < name->len; i++)
    buf_char(&text, is_name_char(name->text[i], false) ? name->text[i] : '_');
  if (text.len && !is_name_char(text.data[0], true)) text.data[0] = '_';
  const Str *bare = str_intern(ctx, text.data, text.len), *stem = bare;
  for (u32 n = 1; map_get(taken, PTR_KEY(bare), &seen); n++)
    bare = str_printf(ctx, "%s_%u", stem->text, n);
  map_put(taken, PTR_KEY(bare), 1);
  buf_free(&text);
  return bare;
}

typedef struct {
  Module *module;
  Map taken;         /* names of the file */
  bool needs_quotes; /* one of them does */
} Renaming;

static void note_names(Renaming *r, const Op *host) {
  for_each_block (block, &host->regions[0])
    for_each_op (op, block) {
      const Str *name = fabric_is_op(op) ? fabric_name(op) : NULL;
      if (name) map_put(&r->taken, PTR_KEY(name), 1);
      r->needs_quotes |= name && fabric_is_definition(op) && !is_bare(name);
      if (fabric_is_scope((OpKind)op->kind) && op->nregions) note_names(r, op);
    }
}

static void rename_definitions(Renaming *r, const Op *host) {
  for_each_block (block, &host->regions[0])
    for_each_op (op, block) {
      const Str *name = fabric_is_definition(op) ? fabric_name(op) : NULL;
      if (name && !is_bare(name))
        op_set_attr(r->module, op, "sym_name",
                    attr_string(r->module->ctx, bare_name(r->module->ctx, name, &r->taken)));
      if (fabric_is_scope((OpKind)op->kind) && op->nregions) rename_definitions(r, op);
    }
}

static void rename_targets(Renaming *r, const Op *host) {
  for_each_block (block, &host->regions[0])
    for_each_op (op, block) {
      const Op *def = op->kind == OP_FABRIC_INSTANCE ? fabric_definition(op) : NULL;
      if (def && fabric_name(def) != fabric_target(op)->str)
        op_set_attr(r->module, op, "module",
                    attr_symbol(r->module->ctx, fabric_name(def), NULL, 0));
      if (fabric_is_scope((OpKind)op->kind) && op->nregions) rename_targets(r, op);
    }
}

void fabric_canonicalise(Module *module) {
  Renaming r = {.module = module};
  note_names(&r, module->top);
  if (r.needs_quotes) {
    fabric_resolve(module->top, NULL, NULL);
    rename_definitions(&r, module->top);
    rename_targets(&r, module->top);
  }
  map_free(&r.taken);
}

/* ---- parameters and configuration ------------------------------------------------------------ */

enum { OTHER = PARAM_OTHER, NUMBER = PARAM_NUMBER, FLAG = PARAM_FLAG, NEEDED = 4 };

#define PARAM_CHOICE(kind, name, type, field, json, ...)                                           \
  const char *const kind##_##name##_words[] = {__VA_ARGS__, NULL};
#include "ir/fabric.def"

#define ROW(kind, name, form, low, high, value, code, words)                                       \
  {OP_FABRIC_##kind, (form) & ~NEEDED, ((form)&NEEDED) != 0, #name, low, high, value, code, words},
const FabricParam fabric_param_rows[FABRIC_PARAM_COUNT + 1] = {
#define PARAM(kind, name, form, low, high, default_value, code, ...)                               \
  ROW(kind, name, form, low, high, default_value, code, NULL)
#define PARAM_ALONE(kind, name, form, low, high, code)                                             \
  ROW(kind, name, form, low, high, 0, code, NULL)
#define PARAM_CHOICE(kind, name, ...)                                                              \
  ROW(kind, name, PARAM_CHOICE, 0, 0, 0, COMP_FABRIC_PARAM, kind##_##name##_words)
#include "ir/fabric.def"
    {.kind = OP_COUNT}};

const FabricParam *fabric_params(OpKind kind) {
  const FabricParam *row = fabric_param_rows, *end = row + FABRIC_PARAM_COUNT;
  if (kind < OP_FABRIC_MODULE || kind > OP_FABRIC_DEL_TAG) return end;
  while (row < end && row->kind != kind) row++;
  return row;
}

const FabricParam *fabric_param(OpKind kind, const char *name) {
  for_each_param(param, kind) if (strcmp(param->name, name) == 0) return param;
  return NULL;
}

static i64 chosen_word(const Attr *attr, const FabricParam *param) {
  if (!attr) return 0;
  for (i64 i = 0; attr->kind == ATTR_STRING && param->words[i]; i++)
    if (attr->str->len == strlen(param->words[i]) &&
        memcmp(attr->str->text, param->words[i], attr->str->len) == 0)
      return i;
  return -1;
}

i64 fabric_param_value(const Op *op, const FabricParam *param) {
  if (param->form == PARAM_CHOICE) return chosen_word(op_attr(op, param->name), param);
  if (param->form == PARAM_FLAG)
    return op_attr(op, param->name) ? fabric_flag(op, param->name) : param->default_value;
  return op_attr_int(op, param->name, param->default_value);
}

const char *fabric_runtime(OpKind kind) {
  static const char *const names[OP_COUNT] = {
      [OP_FABRIC_MUX] = "sel discard disconnect",
#define COMPONENT(NAME, text, class, configuration) [OP_FABRIC_##NAME] = configuration,
#include "ir/fabric.def"
  };
  return names[kind] ? names[kind] : "";
}

bool fabric_numbers(const Attr *table, u32 width, u32 want, i64 *numbers) {
  u32 n = 0;
  if (table->kind == ATTR_DENSE_ARRAY) {
    for (; n < table->n && n < want; n++) numbers[n] = table->ints[n];
    return table->n == want;
  }
  if (table->kind != ATTR_ARRAY) return false;
  for (u32 i = 0; i < table->n; i++) {
    const Attr *row = table->elems[i];
    bool nested = row->kind == ATTR_ARRAY;
    if (nested && row->n != width) return false;
    for (u32 k = 0; k < (nested ? row->n : 1); k++) {
      const Attr *number = nested ? row->elems[k] : row;
      if ((number->kind != ATTR_INT && number->kind != ATTR_BOOL) || n == want) return false;
      numbers[n++] = number->i;
    }
  }
  return n == want;
}

bool fabric_map_entry(const Attr *table, u32 i, i64 entry[3]) {
  const Attr *row = table->kind == ATTR_ARRAY ? table->elems[i] : NULL;
  entry[0] = 1;
  entry[1] = i;
  entry[2] = row ? row->i : table->ints[i];
  if (!row || row->kind == ATTR_INT || row->kind == ATTR_BOOL) return true;
  for (u32 k = 0; row->kind == ATTR_ARRAY && k < row->n && k < 3; k++) {
    if (row->elems[k]->kind != ATTR_INT && row->elems[k]->kind != ATTR_BOOL) return false;
    entry[k] = row->elems[k]->i;
  }
  return row->kind == ATTR_ARRAY && row->n == 3 && (u64)entry[0] <= 1;
}

/* ---- ports ----------------------------------------------------------------------------------- */

bool fabric_is_native(const Type *type) {
  return type->kind == TYPE_NONE || type_is_scalar(type);
}

bool fabric_port(const Context *ctx, const Type *type, FabricPort *port) {
  bool is_tagged = type->kind == TYPE_FABRIC_TAGGED;
  const Type *value = is_tagged ? type->elem : type;
  if (value->kind != TYPE_BITS && !fabric_is_native(value)) return false;
  *port = (FabricPort){.is_tagged = is_tagged, .width = type_bits(ctx, value)};
  /* A wider tag is an error, reported when the type is first seen; clamped, later uses are safe. */
  if (is_tagged) port->tag_width = type->width < FABRIC_MAX_TAG ? type->width : FABRIC_MAX_TAG;
  return true;
}

bool fabric_connects(const Type *a, const Type *b) {
  if (a == b) return true;
  bool a_tagged = a->kind == TYPE_FABRIC_TAGGED, b_tagged = b->kind == TYPE_FABRIC_TAGGED;
  if (a_tagged || b_tagged) return a_tagged && b_tagged;
  return (a->kind == TYPE_BITS || fabric_is_native(a)) &&
         (b->kind == TYPE_BITS || fabric_is_native(b));
}
