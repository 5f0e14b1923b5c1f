/* names.c -- names of nodes, results and edges, and look-up by name.
 *
 * The names are those in the printed text, so that a reader of a diagnostic, a golden file or a
 * waveform can search for them in an editor:
 *
 *     %i, %more = dataflow.stream ...      results i, more            node i
 *     %mem:2 = handshake.memory ...        results mem#0, mem#1       node mem
 *     %3 = arith.addi ...                  result 3 (it has no name)  node 3
 *     %low, %high = arith.mului_extended   results low, high, also if the values have no names
 *     handshake.sink %x                    no result                  node sink
 *
 * Names of arguments and results may be arbitrary strings (argNames, resNames); text_shown escapes
 * them, so that no name can end a line or send escape codes to a terminal.
 *
 * A name that is taken gets _0, _1, ... (values) or .1, .2, ... (edges and nodes) until it is
 * free. Values are named one function at a time; instances then add a prefix with a slash, which
 * SSA names do not contain. Linear but for sorting the names. */
#include "dfg/build.h"

#include "text/text.h"

#include <stdlib.h>

/* ---- values ---------------------------------------------------------------------------------- */

/* The names in use. As in the printer, the suffixes of all values share one counter. */
typedef struct {
  DfgBuild *b;
  Map taken; /* by Str pointer */
  u32 next_number, next_conflict;
} Namer;

static bool is_taken(const Namer *namer, const Str *name) {
  u64 there;
  return map_get(&namer->taken, PTR_KEY(name), &there);
}

static const Str *value_name(Namer *namer, const Str *preferred) {
  const Str *name = preferred;
  while (is_taken(namer, name))
    name = str_printf(namer->b->ctx, "%s_%u", preferred->text, namer->next_conflict++);
  map_put(&namer->taken, PTR_KEY(name), 1);
  return name;
}

/* The result's name, or the one that the printer suggests; NULL: it is numbered. */
static const Str *result_name(Context *ctx, const Op *op, u32 result) {
  if (op->results[result].name) return op->results[result].name;
  Suggestion suggested = suggest_name(op, result);
  return suggested.len ? str_intern(ctx, suggested.text, suggested.len) : NULL;
}

/* The names of an op's results: a result without a name belongs to the named one before it, as
 * in `%mem:2` or `%a:2, %b`. */
static void name_results(Namer *namer, const Op *op, const Str **names) {
  Context *ctx = namer->b->ctx;
  for (u32 first = 0, next; first < op->nresults; first = next) {
    const Str *preferred = result_name(ctx, op, first);
    for (next = first + 1; next < op->nresults && !result_name(ctx, op, next);) next++;
    const Str *name =
        preferred ? value_name(namer, preferred) : str_printf(ctx, "%u", namer->next_number++);
    for (u32 i = first; i < next; i++)
      names[i] = next - first == 1 ? name : str_printf(ctx, "%s#%u", name->text, i - first);
  }
}

static const Str *arg_name(Namer *namer, const Op *func, const Value *value) {
  const Attr *names = op_attr(func, "argNames");
  if (value->name) return value_name(namer, value->name);
  if (names && names->kind == ATTR_ARRAY && value->index < names->n &&
      names->elems[value->index]->kind == ATTR_STRING)
    return value_name(
        namer,
        str_of(namer->b->ctx, text_shown(namer->b->ctx, names->elems[value->index]->str->text)));
  return value_name(namer, str_printf(namer->b->ctx, "arg%u", (unsigned)value->index));
}

ValueNames names_of_values(DfgBuild *b, const Op *func) {
  Namer namer = {.b = b};
  const Block *body = region_entry(&func->regions[0]);
  ValueNames names = {.args = NEW_ARRAY(b->scratch, const Str *, body->nargs)};
  const Str *const **ops = NEW_ARRAY(b->scratch, const Str *const *, body->last->index + 1);
  for (u32 i = 0; i < body->nargs; i++) names.args[i] = arg_name(&namer, func, body->args[i]);
  for_each_op (op, body) {
    const Str **results = NEW_ARRAY(b->scratch, const Str *, op->nresults);
    name_results(&namer, op, results);
    ops[op->index] = results;
  }
  names.ops = ops;
  map_free(&namer.taken);
  return names;
}

/* ---- nodes and edges ------------------------------------------------------------------------- */

/* The preferred name, with a suffix .1, .2, ... if it is taken. `taken` maps a name to the next
 * suffix to try. */
static const Str *free_name(DfgBuild *b, Map *taken, const Str *preferred) {
  const Str *name = preferred;
  u64 next = 0, there;
  if (map_get(taken, PTR_KEY(preferred), &next)) do
      name = str_printf(b->ctx, "%s.%llu", preferred->text, (unsigned long long)next++);
    while (map_get(taken, PTR_KEY(name), &there));
  map_put(taken, PTR_KEY(name), 1);
  if (name != preferred) map_put(taken, PTR_KEY(preferred), next);
  return name;
}

/* Makes names of results unique: an argument may be called "0" or "m#0" like a numbered result or
 * one of %m:2, and prefixes may clash. The first one keeps the name. */
static void rename_results(DfgBuild *b) {
  Map taken = {0};
  for (size_t r = 0; r < b->results.len; r++) {
    DfgResult *result = &b->results.at[r];
    const Str *preferred = str_of(b->ctx, b->text.data + result->name);
    const Str *name = free_name(b, &taken, preferred);
    if (name != preferred) result->name = build_text(b, name->text);
  }
  map_free(&taken);
}

static void name_nodes(DfgBuild *b) {
  Map taken = {0};
  for (u32 n = 0; n < b->nodes.len; n++) {
    DfgNode *node = &b->nodes.at[n];
    const char *text = b->text.data + node->name;
    size_t len = strlen(text);
    if (node->nresults) {
      text = b->text.data + b->results.at[node->first_result].name;
      len = strcspn(text, "#");
    } else if (node->fire != FIRE_ARG) { /* "handshake.sink" is called sink, after its prefix */
      const char *op = op_name(b->ops.at[n]), *dot = strrchr(op, '.');
      text = dot ? dot + 1 : op;
      len = strlen(text);
      DfgText prefix = b->frames.at[b->node_frames.at[n]].prefix;
      if (prefix) {
        DfgText joined = build_join(b, b->text.data + prefix, text);
        text = b->text.data + joined; /* only now: the text may have moved */
        len = strlen(text);
      }
    }
    const Str *preferred = str_intern(b->ctx, text, len);
    const Str *name = free_name(b, &taken, preferred);
    if (name == preferred && !node->nresults && node->name) continue; /* has it already */
    const DfgResult *first = node->nresults ? &b->results.at[node->first_result] : NULL;
    bool same = first && strcmp(b->text.data + first->name, name->text) == 0;
    b->nodes.at[n].name = same ? first->name : build_text(b, name->text);
  }
  map_free(&taken);
}

static void name_edges(DfgBuild *b) {
  Map taken = {0};
  /* First reserve the names of all results, which their first edges have. */
  const Str **names = NEW_ARRAY(b->scratch, const Str *, b->results.len);
  for (size_t r = 0; r < b->results.len; r++) {
    names[r] = str_of(b->ctx, b->text.data + b->results.at[r].name);
    map_put(&taken, PTR_KEY(names[r]), 1);
  }
  for (size_t r = 0; r < b->results.len; r++) {
    const DfgResult *result = &b->results.at[r];
    for (u32 i = 0; i < result->nedges; i++) {
      DfgEdge *edge = &b->edges.at[result->first_edge + i];
      edge->name = i == 0 ? result->name : build_text(b, free_name(b, &taken, names[r])->text);
    }
  }
  map_free(&taken);
}

/* ---- lookups --------------------------------------------------------------------------------- */

typedef struct {
  const char *name;
  u32 id;
} Named;

static int by_name(const void *x, const void *y) {
  const Named *a = x, *b = y;
  return strcmp(a->name, b->name);
}

#define SORT(table)                                                                                \
  do {                                                                                             \
    u32 n = (u32)b->table.len;                                                                     \
    Named *list = NEW_ARRAY(b->scratch, Named, n);                                                 \
    for (u32 i = 0; i < n; i++) list[i] = (Named){b->text.data + b->table.at[i].name, i};          \
    qsort(list, n, sizeof *list, by_name); /* names are unique, so the order is fixed */           \
    vec_reserve(&b->table##_by_name, n);                                                           \
    for (u32 i = 0; i < n; i++) vec_push(&b->table##_by_name, list[i].id);                         \
  } while (0)

void build_names(DfgBuild *b) {
  rename_results(b);
  name_nodes(b);
  name_edges(b);
  for (size_t m = 0; m < b->memories.len; m++)
    b->memories.at[m].name = b->nodes.at[b->memories.at[m].node].name;
  SORT(nodes);
  SORT(results);
  SORT(edges);
}

#define FIND(dfg, table, name)                                                                     \
  u32 low = 0, high = (dfg)->n##table;                                                             \
  while (low < high) {                                                                             \
    u32 middle = low + (high - low) / 2, id = (dfg)->table##_by_name[middle];                      \
    int order = strcmp(name, dfg_text(dfg, (dfg)->table[id].name));                                \
    if (order == 0) return id;                                                                     \
    if (order < 0)                                                                                 \
      high = middle;                                                                               \
    else                                                                                           \
      low = middle + 1;                                                                            \
  }                                                                                                \
  return DFG_NONE

u32 dfg_find_node(const Dfg *dfg, const char *name) {
  FIND(dfg, nodes, name);
}

u32 dfg_find_result(const Dfg *dfg, const char *name) {
  FIND(dfg, results, name);
}

u32 dfg_find_edge(const Dfg *dfg, const char *name) {
  FIND(dfg, edges, name);
}
