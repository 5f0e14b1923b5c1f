/* design.c -- loom.dfg/1 and loom.domains/1: the frozen graph, as backends see it.
 *
 * The public tables hand out small structs by id, filled from the Dfg's arrays. Most fields are
 * copied unchanged, because ids, names and order are the same on both sides; others (types, places
 * in the source, domains by result) are computed once and kept in the design's arena, so every
 * string is valid as long as the design.
 *
 * A caller built with an older header knows a shorter struct, one with a newer header a longer
 * one: `design_fill` copies the fields that both have and zeroes the rest.
 */
#include "host/design.h"

#include "run/layout.h"

/* ---- designs --------------------------------------------------------------------------------- */

/* A tagged value has the kind of its value. */
static enum loom_kind kind_of(const Type *type) {
  if (type->kind == TYPE_TAGGED) type = type->elem;
  switch (type->kind) {
  case TYPE_INDEX: return LOOM_INDEX;
  case TYPE_INT: return LOOM_INTEGER;
  case TYPE_FLOAT: return type->float_kind == FLOAT_BF16 ? LOOM_BF16 : LOOM_IEEE;
  case TYPE_TUPLE: return LOOM_TUPLE;
  default: return LOOM_NO_DATA;
  }
}

static void make_types(loom_design *design) {
  const Dfg *dfg = design->dfg;
  design->types = NEW_ARRAY(design->arena, loom_type, dfg->ntypes);
  for (u32 t = 0; t < dfg->ntypes; t++) {
    const DfgType *type = &dfg->types[t];
    design->types[t] = (loom_type){
        .kind = type->kind == TYPE_TUPLE ? LOOM_TUPLE : kind_of(type->ir),
        .bits = type->bits,
        .tag_bits = type->ir->kind == TYPE_TAGGED ? type->ir->width : 0,
        .text = dfg_text(dfg, type->text),
        .elements = dfg->type_elems + type->first_elem,
        .element_count = type->nelems,
    };
  }
}

/* The addresses of a memory's elements, where its memref type has a layout. */
struct DesignLayout {
  i64 *strides; /* NULL: row by row */
  i64 offset;
  u64 elements; /* of a static shape, gaps included */
};

/* A stride that is open in strided<[?, 1]> follows from the shape, and is INT64_MIN here; a layout
 * map gives all of them. */
static void make_layout(loom_design *design, u32 id) {
  struct DesignLayout *out = &design->layouts[id];
  const DfgMemory *memory = &design->dfg->memories[id];
  const Type *type =
      memory->arg == DFG_NONE ? NULL : design->dfg->types[design->dfg->args[memory->arg].type].ir;
  i64 sizes[LAYOUT_MAX_RANK];
  ElementLayout layout;
  out->elements = memory->elements;
  if (!type || !type->layout || type->rank > LAYOUT_MAX_RANK) return;
  for (u32 i = 0; i < type->rank; i++) sizes[i] = type->shape[i] == DYNAMIC ? 1 : type->shape[i];
  if (!layout_of(type, sizes, &layout)) return; /* no case fits it */
  out->strides = NEW_ARRAY(design->arena, i64, type->rank);
  out->offset = layout.offset;
  if (!memory->is_dynamic) out->elements = (u64)layout.elements;
  for (u32 i = 0; i < type->rank; i++) {
    bool is_open = type->layout->kind == ATTR_STRIDED && type->layout->ints[i + 1] == DYNAMIC;
    out->strides[i] = is_open ? INT64_MIN : layout.strides[i];
  }
}

static void make_layouts(loom_design *design) {
  design->layouts = NEW_ARRAY(design->arena, struct DesignLayout, design->dfg->nmemories);
  for (u32 m = 0; m < design->dfg->nmemories; m++) make_layout(design, m);
}

/* Pairs the proof's values with results. Both count arguments and then results of ops in the order
 * of the text; only memref arguments are values without being results. (A graph with instances
 * would break that, and proof_domains refuses those.) */
static void pair_values(loom_design *design) {
  const Dfg *dfg = design->dfg;
  u32 nvalues = design->proved->nvalues, value = 0;
  design->result_of_value = NEW_ARRAY(design->arena, u32, nvalues);
  design->value_of_result = NEW_ARRAY(design->arena, u32, dfg->nresults);
  u32 nmemrefs = 0;
  for (u32 a = 0; a < dfg->nargs; a++) nmemrefs += dfg->args[a].role == DFG_ARG_MEMREF;
  if (nvalues != dfg->nresults + nmemrefs) loom_bug("a proof of another graph");
  for (u32 a = 0; a < dfg->nargs; a++, value++) {
    const DfgNode *node = &dfg->nodes[dfg->args[a].node];
    design->result_of_value[value] = node->nresults ? node->first_result : LOOM_NONE;
    if (node->nresults) design->value_of_result[node->first_result] = value;
  }
  for (u32 r = dfg->nargs - nmemrefs; r < dfg->nresults; r++, value++) {
    design->result_of_value[value] = r;
    design->value_of_result[r] = value;
  }
}

loom_design *design_new(Context *ctx, const Dfg *dfg, const ProofDomains *proved, const Case *c,
                        const RunOptions *options) {
  Arena *arena = arena_new();
  loom_design *design = NEW(arena, loom_design);
  *design = (loom_design){
      .ctx = ctx,
      .dfg = dfg,
      .proved = proved,
      .input = c,
      .options = options ? *options : run_options(),
      .arena = arena,
  };
  if (!dfg) return design;
  design->where = NEW_ARRAY(arena, const char *, dfg->nnodes);
  make_types(design);
  make_layouts(design);
  call_make(design);
  if (proved) pair_values(design);
  return design;
}

void design_free(loom_design *design) {
  if (!design) return;
  replay_free(design->replay);
  show_free(design);
  outcome_free(design);
  design_free(design->asked);
  machine_replay_free(design->machine_replay);
  arena_free(design->arena); /* the design is in it too */
}

void design_fill(void *out, size_t size, const void *full, size_t full_size) {
  memcpy(out, full, size < full_size ? size : full_size);
  if (size > full_size) memset((char *)out + full_size, 0, size - full_size);
}

/* ---- loom.dfg/1 ------------------------------------------------------------------------------ */

static const char *name(const loom_design *d) {
  return dfg_text(d->dfg, d->dfg->name);
}

static u32 op_id(const loom_design *d, const char *op_name) {
  for (u32 n = 0; n < d->dfg->nnodes; n++)
    if (strcmp(dfg_text(d->dfg, d->dfg->nodes[n].op), op_name) == 0) return d->dfg->nodes[n].kind;
  return LOOM_NONE;
}

static u32 node_count(const loom_design *d) {
  return d->dfg->nnodes;
}
static u32 result_count(const loom_design *d) {
  return d->dfg->nresults;
}
static u32 edge_count(const loom_design *d) {
  return d->dfg->nedges;
}
static u32 type_count(const loom_design *d) {
  return d->dfg->ntypes;
}
static u32 argument_count(const loom_design *d) {
  return d->dfg->nargs;
}
static u32 output_count(const loom_design *d) {
  return d->dfg->noutputs;
}
static u32 memory_count(const loom_design *d) {
  return d->dfg->nmemories;
}

/* The place of a node in the source. `where` is a cache, which a const design may fill. */
static const char *where(const loom_design *d, u32 node) {
  if (d->where[node]) return d->where[node];
  Buf text = {0};
  dfg_where(d->ctx, d->dfg, node, &text);
  d->where[node] = arena_copy(d->arena, text.data, text.len + 1);
  buf_free(&text);
  return d->where[node];
}

static int node(const loom_design *d, u32 id, loom_node *out, size_t size) {
  if (id >= d->dfg->nnodes) return LOOM_ERROR;
  const Dfg *dfg = d->dfg;
  const DfgNode *n = &dfg->nodes[id];
  bool is_stream = n->fire == FIRE_STREAM;
  FILL(loom_node full = {
           .op = n->kind,
           .op_name = dfg_text(dfg, n->op),
           .name = dfg_text(dfg, n->name),
           .where = where(d, id),
           .operands = dfg->operands + n->first_operand,
           .operand_count = n->noperands,
           .first_result = n->first_result,
           .result_count = n->nresults,
           .literal = n->literal,
           .memory = n->memory,
           .port = n->port,
           .argument = n->fire == FIRE_ARG ? n->arg : LOOM_NONE,
           .access = n->access,
           .predicate = n->predicate,
           .step_op = is_stream ? dfg_step_op_text((DfgStepOp)n->step_op) : "",
           .cont_cond = is_stream ? dfg_cont_cond_text((DfgContCond)n->cont_cond) : "",
           .slots = n->slots,
           .initial = dfg->initials + n->first_initial,
           .initial_count = n->ninitials,
       });
}

static int result(const loom_design *d, u32 id, loom_result *out, size_t size) {
  if (id >= d->dfg->nresults) return LOOM_ERROR;
  const DfgResult *r = &d->dfg->results[id];
  FILL(loom_result full = {
           .name = dfg_text(d->dfg, r->name),
           .node = r->node,
           .type = r->type,
           .first_edge = r->first_edge,
           .edge_count = r->nedges,
       });
}

static int edge(const loom_design *d, u32 id, loom_edge *out, size_t size) {
  if (id >= d->dfg->nedges) return LOOM_ERROR;
  const DfgEdge *e = &d->dfg->edges[id];
  FILL(loom_edge full = {
           .name = dfg_text(d->dfg, e->name),
           .result = e->result,
           .from = dfg_from(d->dfg, id),
           .to = e->to,
           .operand = e->operand,
           .is_back = e->is_back,
       });
}

static int type(const loom_design *d, u32 id, loom_type *out, size_t size) {
  if (id >= d->dfg->ntypes) return LOOM_ERROR;
  design_fill(out, size, &d->types[id], sizeof d->types[id]);
  return LOOM_OK;
}

static int argument(const loom_design *d, u32 i, loom_argument *out, size_t size) {
  static const enum loom_role roles[] = {
      [DFG_ARG_VALUE] = LOOM_VALUE,
      [DFG_ARG_MEMREF] = LOOM_MEMREF,
      [DFG_ARG_EXTENT] = LOOM_EXTENT,
      [DFG_ARG_CONTROL] = LOOM_CONTROL,
  };
  if (i >= d->dfg->nargs) return LOOM_ERROR;
  const DfgArg *a = &d->dfg->args[i];
  bool is_extent = a->role == DFG_ARG_EXTENT;
  FILL(loom_argument full = {
           .name = dfg_text(d->dfg, a->name),
           .role = roles[a->role],
           .node = a->node,
           .type = a->type,
           .of = is_extent ? a->of : LOOM_NONE,
           .dimension = is_extent ? a->dim : LOOM_NONE,
       });
}

static int memory(const loom_design *d, u32 id, loom_memory *out, size_t size) {
  if (id >= d->dfg->nmemories) return LOOM_ERROR;
  const Dfg *dfg = d->dfg;
  const DfgMemory *m = &dfg->memories[id];
  FILL(loom_memory full = {
           .name = dfg_text(dfg, m->name),
           .node = m->node,
           .argument = m->arg,
           .element = m->elem,
           .elements = d->layouts[id].elements,
           .is_dynamic = m->is_dynamic,
           .extents = dfg->extents + m->first_extent,
           .rank = m->rank,
           .store_count = m->nstores,
           .load_count = m->nloads,
           .alias_group = m->alias_group < 0 ? LOOM_NONE : (uint32_t)m->alias_group,
           .ports = dfg->ports + m->first_port,
           .address_count = m->naddresses,
           .initial = dfg->initials + m->first_initial,
           .initial_count = m->ninitials,
           .strides = d->layouts[id].strides,
           .offset = d->layouts[id].offset,
       });
}

static const char *output_name(const loom_design *d, u32 i) {
  return i < d->dfg->noutputs ? dfg_text(d->dfg, d->dfg->outputs[i].name) : NULL;
}
static u32 return_node(const loom_design *d) {
  return d->dfg->return_node;
}
static const u32 *order(const loom_design *d) {
  return d->dfg->order;
}
static u32 is_determinate(const loom_design *d) {
  return d->dfg->is_determinate;
}

const loom_dfg loom_dfg_table = {
    .size = sizeof(loom_dfg),
    .name = name,
    .op_id = op_id,
    .node_count = node_count,
    .result_count = result_count,
    .edge_count = edge_count,
    .type_count = type_count,
    .argument_count = argument_count,
    .output_count = output_count,
    .memory_count = memory_count,
    .node = node,
    .result = result,
    .edge = edge,
    .type = type,
    .argument = argument,
    .memory = memory,
    .output_name = output_name,
    .return_node = return_node,
    .order = order,
    .is_determinate = is_determinate,
};

/* ---- loom.domains/1 -------------------------------------------------------------------------- */

static u32 domain_count(const loom_design *d) {
  return d->proved->nterms;
}

static int domain(const loom_design *d, u32 id, loom_domain *out, size_t size) {
  static const enum loom_domain_kind kinds[] = {
      [TOKENS_ONCE] = LOOM_ONCE,
      [TOKENS_BURST] = LOOM_BURST,
      [TOKENS_TRUE] = LOOM_TRUE,
      [TOKENS_FALSE] = LOOM_FALSE,
  };
  if (id >= d->proved->nterms) return LOOM_ERROR;
  const TokensTerm *term = &d->proved->terms[id];
  bool is_once = term->kind == TOKENS_ONCE;
  FILL(loom_domain full = {
           .kind = kinds[term->kind],
           .condition = is_once ? LOOM_NONE : d->result_of_value[term->cond],
           .parent = is_once ? LOOM_NONE : term->parent,
       });
}

static u32 of_result(const loom_design *d, u32 result) {
  return result < d->dfg->nresults ? d->proved->of_value[d->value_of_result[result]] : LOOM_NONE;
}

const loom_domains loom_domains_table = {
    .size = sizeof(loom_domains),
    .domain_count = domain_count,
    .domain = domain,
    .of_result = of_result,
};

/* ---- extensions by id ------------------------------------------------------------------------ */

/* The parts of a design, a bit each; and messages for a missing one, as in "backend x needs
 * loom.x/1: ...". */
enum {
  GRAPH = 1,
  PROOF = 2,
  MACHINE = 4,
  ASKED = 8, /* the graph that was mapped */
  FABRIC = 16,
  CASE = 32,
  REPLAY = 64,
  MAPPING = 128,
  OUTCOME = 256,
  CALL = 512 /* C can declare and call the function */
};

static u32 parts_of(const loom_design *d) {
  return (d->dfg ? GRAPH : 0) | (d->proved ? PROOF : 0) | (d->machine ? MACHINE : 0) |
         (d->asked ? ASKED : 0) | (d->image ? FABRIC : 0) | (d->input ? CASE : 0) |
         (d->machine_replay ? REPLAY : 0) | (d->mapping_text ? MAPPING : 0) |
         (d->outcome ? OUTCOME : 0) | (d->call ? CALL : 0);
}

static const char no_graph[] = "it is a fabric, not a graph",
                  no_fabric[] = "it is a graph, not a fabric",
                  no_machine[] = "it is a graph, not a configured fabric",
                  no_case[] = "no case is given (--case, --args)",
                  no_run[] = "no case (--case, --args) or no fabric is given";

static const struct {
  const char *id;
  const void *table;
  u32 needs;
  const char *lacks;
} extensions[] = {
    {"loom.dfg/1", &loom_dfg_table, GRAPH, no_graph},
    {"loom.c/1", &loom_c_table, GRAPH, no_graph},
    {"loom.call/1", &loom_call_table, CALL, "its arguments or results have no C types"},
    {"loom.source/1", &loom_source_table, GRAPH, no_graph},
    {"loom.domains/1", &loom_domains_table, PROOF, "the balance proof rejects the graph"},
    {"loom.machine/1", &loom_machine_table, MACHINE, no_machine},
    {"loom.binding/1", &loom_binding_table, ASKED, no_machine},
    {"loom.routes/1", &loom_routes_table, FABRIC | MACHINE | ASKED, no_machine},
    {"loom.fabric/1", &loom_fabric_table, FABRIC, no_fabric},
    {"loom.image/1", &loom_image_table, FABRIC, no_fabric},
    {"loom.drawing/1", &loom_drawing_table, FABRIC, no_fabric},
    {"loom.mapping/1", &loom_mapping_table, MAPPING, "it is not a mapping"},
    {"loom.cycles/1", &loom_cycles_table, ASKED | CASE, no_case},
    {"loom.contents/1", &loom_initial_table, CASE, no_case},
    {"loom.histories/1", &loom_histories_table, CASE, no_case},
    {"loom.replay/1", &loom_replay_table, REPLAY, no_run},
    {"loom.outcome/1", &loom_outcome_table, OUTCOME, no_run},
};

const void *design_extension(const loom_design *design, const char *id) {
  for (size_t i = 0; i < COUNT_OF(extensions); i++)
    if (strcmp(extensions[i].id, id) == 0 && !(extensions[i].needs & ~parts_of(design)))
      return extensions[i].table;
  return NULL;
}

const char *design_lacks(const char *id) {
  for (size_t i = 0; i < COUNT_OF(extensions); i++)
    if (strcmp(extensions[i].id, id) == 0) return extensions[i].lacks;
  return NULL;
}
