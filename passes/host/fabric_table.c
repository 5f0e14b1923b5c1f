/* fabric_table.c -- loom.fabric/1 and loom.image/1: hardware and its configuration, for backends.
 *
 * Both show the tables of fabric/adg.h and config/layout.h, with the same ids. Arrays of the public
 * structs that the ADG does not have (the ports at the other ends of channels, the values of
 * bodies) are made once, with the design.
 */
#include "ir/timing.h"
#include "host/design.h"

#include "config/image.h"
#include "machine/machine.h"

struct DesignFabric {
  u32 *peers;              /* by channel: the input at its end */
  u32 *driver;             /* by port: the output that drives an input */
  loom_body_value *values; /* by Adg.values */
};

/* ---- loom.fabric/1 --------------------------------------------------------------------------- */

static enum loom_kind value_kind(const AdgType *type) {
  switch ((TypeKind)type->kind) {
  case TYPE_INDEX: return LOOM_INDEX;
  case TYPE_INT: return LOOM_INTEGER;
  case TYPE_FLOAT: return type->float_kind == FLOAT_BF16 ? LOOM_BF16 : LOOM_IEEE;
  default: return LOOM_NO_DATA;
  }
}

void design_add_fabric(loom_design *design, const Image *image) {
  const Adg *adg = image->layout->adg;
  struct DesignFabric *made = NEW(design->arena, struct DesignFabric);
  made->peers = NEW_ARRAY(design->arena, u32, adg->nchannels);
  made->driver = NEW_ARRAY(design->arena, u32, adg->nports);
  made->values = NEW_ARRAY(design->arena, loom_body_value, adg->nvalues);
  for (u32 c = 0; c < adg->nchannels; c++) {
    made->peers[c] = adg->channels[c].to;
    made->driver[adg->channels[c].to] = adg->channels[c].from;
  }
  for (u32 v = 0; v < adg->nvalues; v++)
    made->values[v] =
        (loom_body_value){.kind = value_kind(&adg->values[v]), .bits = adg->values[v].bits};
  design->image = image;
  design->fabric = made;
}

const u32 *fabric_drivers(const loom_design *design) {
  return design->fabric->driver;
}

static const Adg *adg_of(const loom_design *d) {
  return d->image->layout->adg;
}

static const char *fabric_name(const loom_design *d) {
  return adg_text(adg_of(d), adg_of(d)->name);
}
static u32 component_count(const loom_design *d) {
  return adg_of(d)->ncomponents;
}
static u32 port_count(const loom_design *d) {
  return adg_of(d)->nports;
}
static u32 unit_count(const loom_design *d) {
  return adg_of(d)->nfus;
}
static u32 body_count(const loom_design *d) {
  return adg_of(d)->nbodies;
}

static enum loom_component_kind kind_of(const AdgComponent *c) {
  static const enum loom_component_kind kinds[] = {
#define MODULE_PORT(NAME, text)                     [ADG_##NAME] = LOOM_FABRIC_##NAME,
#define COMPONENT(NAME, text, class, configuration) [ADG_##NAME] = LOOM_##NAME,
#include "ir/fabric.def"
  };
  return kinds[c->kind];
}

static void fill_pe(const AdgPe *pe, loom_component *out) {
  out->first_unit = pe->first_fu;
  out->unit_count = pe->nfus;
  out->operand_count = pe->max_inputs;
  out->result_count = pe->max_outputs;
  out->register_count = pe->num_register;
  out->instruction_count = pe->num_instruction;
  out->register_depth = pe->reg_fifo_depth;
  out->operand_buffer = pe->operand_buffer;
}

static void fill_memory(const AdgMemory *memory, loom_component *out) {
  out->load_count = memory->nloads;
  out->store_count = memory->nstores;
  out->channel_count = memory->channels;
  out->queue_depth = memory->lsq_depth;
  out->region_count = memory->nregions;
  for (u32 f = 0; f < LOOM_FAMILIES; f++) out->ports[f] = memory->ports[f];
  out->element_bits = memory->elem_bits;
  out->elements = memory->elements;
  out->latency = adg_memory_latency(memory);
  out->places = adg_lane_places(memory);
  out->argument = memory->arg;
  out->is_private = !memory->is_external && memory->is_private;
}

static int component(const loom_design *d, u32 id, loom_component *out, size_t size) {
  const Adg *adg = adg_of(d);
  if (id >= adg->ncomponents) return LOOM_ERROR;
  const AdgComponent *c = &adg->components[id];
  loom_component full = {.kind = kind_of(c),
                         .name = adg_text(adg, c->name),
                         .definition = adg_text(adg, c->definition),
                         .first_port = c->first_port,
                         .input_count = c->ninputs,
                         .output_count = c->noutputs,
                         .argument = LOOM_NONE};
  for (u32 f = 0; f < LOOM_FAMILIES; f++) full.ports[f] = LOOM_NONE;
  switch (adg_class(c->kind)) {
  case CLASS_PE: fill_pe(&adg->pes[c->detail], &full); break;
  case CLASS_SWITCH:
    full.rows = adg->rows + adg->switches[c->detail].first_row;
    full.lane_bits = adg->switches[c->detail].decomposable_bits;
    full.slot_count = adg->switches[c->detail].num_route_table;
    break;
  case CLASS_FIFO:
    full.depth = adg->fifos[c->detail].depth;
    full.is_bypassable = adg->fifos[c->detail].bypassable;
    break;
  case CLASS_TAG: full.entry_count = adg->tags[c->detail].table_size; break;
  case CLASS_MEMORY: fill_memory(&adg->memories[c->detail], &full); break;
  default: break;
  }
  design_fill(out, size, &full, sizeof full);
  return LOOM_OK;
}

static int parameter(const loom_design *d, u32 id, const char *name, uint32_t *value) {
  return id < adg_of(d)->ncomponents && adg_param(adg_of(d), id, name, value) ? LOOM_OK
                                                                              : LOOM_ERROR;
}

static int port(const loom_design *d, u32 id, loom_port *out, size_t size) {
  const Adg *adg = adg_of(d);
  if (id >= adg->nports) return LOOM_ERROR;
  const AdgPort *p = &adg->ports[id];
  FILL(loom_port full = {
           .component = p->component,
           .index = p->index,
           .is_output = p->is_output,
           .width = p->width,
           .is_tagged = p->is_tagged,
           .tag_width = p->tag_width,
           .peers = p->is_output ? d->fabric->peers + p->first_channel : d->fabric->driver + id,
           .peer_count = p->is_output ? p->nchannels : 1,
       });
}

static int unit(const loom_design *d, u32 id, loom_function_unit *out, size_t size) {
  const Adg *adg = adg_of(d);
  if (id >= adg->nfus) return LOOM_ERROR;
  const AdgFu *fu = &adg->fus[id];
  FILL(loom_function_unit full = {
           .name = adg_text(adg, fu->name),
           .component = adg->pes[fu->pe].component,
           .opcode = fu->opcode,
           .body = fu->body,
           .data_path = adg->fus[adg_data_path(adg, id)].opcode,
       });
}

static int body(const loom_design *d, u32 id, loom_body *out, size_t size) {
  const Adg *adg = adg_of(d);
  if (id >= adg->nbodies) return LOOM_ERROR;
  const AdgBody *b = &adg->bodies[id];
  FILL(loom_body full = {
           .name = adg_text(adg, b->name),
           .latency = (int32_t)b->latency,
           .interval = (int32_t)b->interval,
           .early_out = b->early_out,
           .argument_count = b->nargs,
           .result_count = b->nresults,
           .value_count = b->nvalues,
           .node_count = b->nnodes,
           .values = d->fabric->values + b->first_value,
           .yields = adg->operands + b->first_yield,
       });
}

_Static_assert((int)LOOM_OPERATOR_MODULE == (int)OPERATOR_MODULE, "shared operators");

static int node(const loom_design *d, u32 body_id, u32 i, loom_body_node *out, size_t size) {
  const Adg *adg = adg_of(d);
  if (body_id >= adg->nbodies || i >= adg->bodies[body_id].nnodes) return LOOM_ERROR;
  const AdgBody *body = &adg->bodies[body_id];
  const AdgNode *n = &adg->nodes[body->first_node + i];
  AdgOperator shared = adg_operator(adg, body, i);
  OpTiming timing = op_timing((OpKind)n->kind, adg_node_bits(adg, body, n));
  FILL(loom_body_node full = {
           .op_name = op_info((OpKind)n->kind)->name,
           .operands = adg->operands + n->first_operand,
           .operand_count = n->noperands,
           .first_result = n->first_result,
           .result_count = n->nresults,
           .step_op = n->fire == FIRE_STREAM ? dfg_step_op_text((DfgStepOp)n->step_op) : "",
           .literal = n->literal,
           .is_pure = n->fire == FIRE_PURE,
           .levels = timing.levels,
           .shared = (enum loom_operator)shared.kind,
           .shared_index = shared.index,
           .shared_stages = shared.stages,
       });
}

const loom_fabric loom_fabric_table = {
    .size = sizeof(loom_fabric),
    .name = fabric_name,
    .component_count = component_count,
    .port_count = port_count,
    .unit_count = unit_count,
    .body_count = body_count,
    .component = component,
    .port = port,
    .unit = unit,
    .body = body,
    .node = node,
    .parameter = parameter,
};

/* ---- loom.image/1 ---------------------------------------------------------------------------- */

static u32 word_count(const loom_design *d) {
  return d->image->nwords;
}
static const uint32_t *words(const loom_design *d) {
  return d->image->words;
}

static int slice(const loom_design *d, u32 id, uint32_t *first, uint32_t *count) {
  const Layout *layout = d->image->layout;
  if (id >= layout->adg->ncomponents) return LOOM_ERROR;
  u32 at = layout->slice_of[id];
  *first = at == ADG_NONE ? LOOM_NONE : layout->slices[at].first_word;
  *count = at == ADG_NONE ? 0 : layout->slices[at].nwords;
  return LOOM_OK;
}

/* The public kinds have the order of FieldKind. */
_Static_assert((int)LOOM_FIELD_NODE_CONDITION == (int)FIELD_NODE_CONT_COND &&
                   (int)LOOM_FIELD_MUX_SELECT == (int)FIELD_MUX_SEL &&
                   (int)LOOM_FIELD_BYPASSED == (int)FIELD_BYPASSED,
               "kinds of fields");

static int field(const loom_design *d, u32 id, const loom_field *f, uint32_t *at, uint32_t *width) {
  const Layout *layout = d->image->layout;
  Field field = {(FieldKind)f->kind, f->item, f->a, f->b, f->a_lane, f->b_lane};
  *at = *width = 0;
  if (id >= layout->adg->ncomponents) return LOOM_ERROR;
  const LayoutSlice *s = layout_slice(layout, id);
  if (!s) return LOOM_OK;
  if (!layout_has(layout, id, field)) return LOOM_ERROR;
  FieldPlace place = layout_find(layout, id, field);
  *width = place.width;
  if (place.width) *at = (u32)(place.at - (u64)s->first_word * 32);
  return LOOM_OK;
}

const loom_image loom_image_table = {
    .size = sizeof(loom_image),
    .word_count = word_count,
    .words = words,
    .slice = slice,
    .field = field,
};
