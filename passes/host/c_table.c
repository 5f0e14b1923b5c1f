/* c_table.c -- loom.c/1: C texts for backends.
 *
 * Checks the ids that a backend passes (loom_plugin.h), and returns the text that c_text.c makes in
 * memory of the host. To find the prelude, the helper functions that expressions call, every
 * expression of the design is written once and searched for their names. */
#include "host/design.h"
#include "host/c_text.h"
#include "ir/interval.h"

/* Moves a text into memory of the host. */
static const char *hand_over(const loom_host *host, Buf *text) {
  char *copy = host->alloc(host, text->len + 1);
  if (copy && text->len) memcpy(copy, text->data, text->len);
  buf_free(text);
  return copy;
}

static const char *c_type_name(const loom_design *d, uint32_t type) {
  return type < d->dfg->ntypes ? c_text_type(&d->dfg->types[type]) : NULL;
}

static uint32_t c_is_pure(const loom_design *d, uint32_t node) {
  return node < d->dfg->nnodes && d->dfg->nodes[node].eval != DFG_NONE;
}

static const char *c_expression(const loom_host *host, const loom_design *d, uint32_t node,
                                uint32_t which, const char *const *operands) {
  Buf text = {0};
  if (!c_is_pure(d, node) || which >= d->dfg->nodes[node].nresults) return NULL;
  for (u32 i = 0; i < d->dfg->nodes[node].noperands; i++) {
    if (operands && operands[i]) continue;
    diag(d->ctx, d->dfg->nodes[node].loc, RT_EMIT_CALL,
         "a backend requested an expression of this without a name for operand %u", i);
    return NULL;
  }
  c_text_expression(d->dfg, node, which, operands, &text);
  return hand_over(host, &text);
}

static uint32_t c_may_trap(const loom_design *d, uint32_t node) {
  return c_is_pure(d, node) && c_text_may_trap(d->dfg, node);
}

static uint32_t c_is_loose_nan(const loom_design *d, uint32_t node) {
  return c_is_pure(d, node) && c_text_is_loose_nan(d->dfg, node);
}

typedef void (*Conversion)(const DfgType *, const char *, Buf *);

static const char *convert(Conversion write, const loom_host *host, const loom_design *d,
                           uint32_t type, const char *value) {
  Buf text = {0};
  if (!c_type_name(d, type)) return NULL;
  write(&d->dfg->types[type], value, &text);
  return hand_over(host, &text);
}

static const char *c_canonical(const loom_host *host, const loom_design *d, uint32_t type,
                               const char *value) {
  return convert(c_text_canonical, host, d, type, value);
}

static const char *c_to_bits(const loom_host *host, const loom_design *d, uint32_t type,
                             const char *value) {
  return convert(c_text_to_bits, host, d, type, value);
}

static const char *c_from_bits(const loom_host *host, const loom_design *d, uint32_t type,
                               const char *bits) {
  return convert(c_text_from_bits, host, d, type, bits);
}

/* The helpers that the conversions of all types and the expressions of all pure nodes call. */
static const char *c_prelude(const loom_design *d) {
  static const char *const names[EVAL_MAX_OPERANDS] = {"a", "b", "c"};
  const Dfg *dfg = d->dfg;
  Buf used = {0}, text = {0};
  for (u32 t = 0; t < dfg->ntypes; t++) {
    if (!c_text_type(&dfg->types[t])) continue;
    c_text_canonical(&dfg->types[t], "a", &used);
    c_text_canonical(&dfg->types[t], "(a)", &used);
    buf_char(&used, '\n');
    c_text_to_bits(&dfg->types[t], "a", &used);
    buf_char(&used, '\n');
    c_text_from_bits(&dfg->types[t], "a", &used);
    buf_char(&used, '\n'); /* separates words */
  }
  for (u32 n = 0; n < dfg->nnodes; n++)
    for (u32 r = 0; dfg->nodes[n].eval != DFG_NONE && r < dfg->nodes[n].nresults; r++) {
      c_text_expression(dfg, n, r, names, &used);
      buf_char(&used, '\n');
    }
  c_text_prelude(used.data ? used.data : "", &text);
  char *copy = arena_copy(d->arena, text.data ? text.data : "", text.len + 1);
  buf_free(&used), buf_free(&text);
  return copy;
}

/* No longer used by backends (loom_plugin.h): always 0. */
static uint32_t c_in_bulk(const loom_design *d, uint32_t node) {
  (void)d, (void)node;
  return 0;
}

static int c_range(const loom_design *d, uint32_t node, const int64_t (*bounds)[2],
                   int64_t range[2]) {
  const Dfg *dfg = d->dfg;
  Interval in[EVAL_MAX_OPERANDS];
  if (!c_is_pure(d, node) || !interval_knows((OpKind)dfg->nodes[node].kind))
    return LOOM_UNSUPPORTED;
  const DfgNode *n = &dfg->nodes[node];
  for (u32 i = 0; i < n->noperands; i++) in[i] = (Interval){bounds[i][0], bounds[i][1]};
  const DfgType *type = &dfg->types[dfg->results[n->first_result].type];
  if (type->kind != TYPE_INT && type->kind != TYPE_INDEX) return LOOM_UNSUPPORTED;
  Interval out =
      interval_of((OpKind)n->kind, in, dfg_edge_type(dfg, dfg_operand(dfg, node, 0))->bits,
                  interval_whole(type->bits));
  range[0] = out.min;
  range[1] = out.max;
  return LOOM_OK;
}

const loom_c loom_c_table = {
    .size = sizeof(loom_c),
    .type_name = c_type_name,
    .is_pure = c_is_pure,
    .expression = c_expression,
    .may_trap = c_may_trap,
    .is_loose_nan = c_is_loose_nan,
    .canonical = c_canonical,
    .to_bits = c_to_bits,
    .from_bits = c_from_bits,
    .prelude = c_prelude,
    .in_bulk = c_in_bulk,
    .range = c_range,
};
