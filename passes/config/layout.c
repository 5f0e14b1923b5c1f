/* layout.c -- the sizes and positions of slices and of their fields; layout.h has the format.
 *
 * The fields are defined in one place: `describe` gives the runs of fields of an item of any
 * component, `describe_node` those of an operation of a unit. The pairs and discards of a switch
 * are no runs, since its rows differ: they are computed from the rows. Sizes, positions, limits and
 * the walk over all fields are derived from these.
 *
 * Cost. Making a layout is linear in components, connected pairs and body nodes. layout_find
 * searches the runs of one item, MAX_RUNS at most; for a pair or discard it adds up the lanes of
 * the inputs before it, 32 at most.
 */
#include "config/layout.h"

#include "ir/fabric.h"

/* Widths in bits: each field of a region is a word; cont_cond is one-hot; predicates are MLIR's
 * numbers, of which cmpf has 16. */
enum { REGION_FIELD = 32 };
enum { STREAM_CONDITIONS = 5, PREDICATE_BITS = 4, CMPF_PREDICATES = 16 };

/* ---- switches -------------------------------------------------------------------------------- */

/* Lanes of the inputs below `end` that are in `mask`. */
static u64 input_lanes(const Adg *adg, const AdgSwitch *sw, u32 mask, u32 end) {
  u64 n = 0;
  for (u32 i = 0; i < end; i++)
    if (mask >> i & 1) n += adg_lanes(adg, sw, adg_input(adg, sw->component, i));
  return n;
}

/* The number of pairs, a bit each, of one lane of an output. */
static u64 row_bits(const Adg *adg, const AdgSwitch *sw, u32 output) {
  const AdgComponent *c = &adg->components[sw->component];
  return input_lanes(adg, sw, adg->rows[sw->first_row + output], c->ninputs);
}

/* The same of all lanes of all outputs. */
static u64 all_pair_bits(const Adg *adg, const AdgSwitch *sw) {
  u64 n = 0;
  for (u32 o = 0; o < adg->components[sw->component].noutputs; o++)
    n += row_bits(adg, sw, o) * adg_lanes(adg, sw, adg_output(adg, sw->component, o));
  return n;
}

static u64 discard_bits(const Adg *adg, const AdgSwitch *sw) {
  return input_lanes(adg, sw, UINT32_MAX, adg->components[sw->component].ninputs);
}

/* Tag width of a component with slots or instructions: all its ports have the same tagged type. */
static u32 first_tag_width(const Adg *adg, u32 component) {
  const AdgComponent *c = &adg->components[component];
  return c->ninputs + c->noutputs ? adg->ports[c->first_port].tag_width : 0;
}

/* ---- the fields of each component ------------------------------------------------------------ */

enum { MAX_RUNS = 14 }; /* of an instruction: describe_pe has the most */

typedef struct {
  u32 nitems, nruns, ngroups;
  u64 item_bits; /* so far: of runs, pairs and payload */
  u64 tail;      /* bits after the last item */
  FieldRun runs[MAX_RUNS];
} SliceShape;

/* An item without runs. runs[] is not cleared: nruns says how many are valid. */
static void shape_clear(SliceShape *s) {
  s->nitems = 1;
  s->nruns = s->ngroups = 0;
  s->item_bits = s->tail = 0;
}

typedef struct {
  FieldKind kind;
  const char *name;
  u32 width;
  u64 limit;
} SlicePart;

/* Appends a group of runs: the fields `parts`, `count` times one after the other. */
static void add_group(SliceShape *s, u32 count, const SlicePart *parts, u32 nparts) {
  u64 stride = 0;
  for (u32 i = 0; i < nparts; i++) stride += parts[i].width;
  for (u32 i = 0; i < nparts; i++) {
    s->runs[s->nruns++] = (FieldRun){.name = parts[i].name,
                                     .kind = (u8)parts[i].kind,
                                     .group = (u8)s->ngroups,
                                     .width = (u8)parts[i].width,
                                     .count = count,
                                     .at = s->item_bits,
                                     .stride = stride,
                                     .limit = parts[i].limit};
    s->item_bits += parts[i].width;
  }
  s->item_bits += stride * count - stride;
  s->ngroups++;
}

#define GROUP(shape, count, ...)                                                                   \
  add_group(shape, count, (const SlicePart[]){__VA_ARGS__},                                        \
            sizeof((const SlicePart[]){__VA_ARGS__}) / sizeof(SlicePart))

/* A slot: valid, tag, pairs. A spatial switch is one item, its pairs; the discards follow it. */
static void describe_switch(const Adg *adg, const AdgSwitch *sw, SliceShape *s) {
  bool slots = sw->num_route_table > 0;
  GROUP(s, 1, {FIELD_VALID, "valid", slots, 0},
        {FIELD_TAG, "tag", slots ? first_tag_width(adg, sw->component) : 0, 0});
  s->nitems = slots ? sw->num_route_table : 1;
  s->item_bits += all_pair_bits(adg, sw);
  s->tail = slots ? 0 : discard_bits(adg, sw);
}

/* How many tags a memory's requests can have; without tags, how many lanes. */
static u64 memory_tags(const Adg *adg, const AdgMemory *memory) {
  u32 width = 0;
  for (u32 f = 0; f < ADG_FAMILY_COUNT; f++)
    for (u32 i = 0; i < adg_family_ports(memory, f); i++)
      if (adg->ports[memory->ports[f] + i].tag_width > width)
        width = adg->ports[memory->ports[f] + i].tag_width;
  u64 tags = width ? (u64)1 << width : FABRIC_UNTAGGED_LANES;
  return tags > memory->channels ? tags : memory->channels;
}

static void describe_memory(const Adg *adg, const AdgMemory *memory, SliceShape *s) {
  u64 tags = memory_tags(adg, memory);
  s->nitems = memory->nregions;
  GROUP(s, 1, {FIELD_VALID, "valid", REGION_FIELD, 2}, {FIELD_START, "start", REGION_FIELD, tags},
        {FIELD_END, "end", REGION_FIELD, tags + 1},
        {FIELD_ADDR_OFFSET, "addr_offset", REGION_FIELD, 0},
        {FIELD_ELEM_SIZE_LOG2, "elem_size_log2", REGION_FIELD, FABRIC_MAX_SIZE_LOG2 + 1});
}

/* An instruction without its payload. A spatial PE is an instruction, too, with `enable` for
 * `valid`. */
static void describe_pe(const Adg *adg, const AdgPe *pe, SliceShape *s) {
  const AdgComponent *c = &adg->components[pe->component];
  u32 tag = pe->is_temporal ? first_tag_width(adg, pe->component) : 0;
  u32 in = log2_up(c->ninputs), out = log2_up(c->noutputs);
  u32 reg = log2_up(pe->num_register), is_reg = pe->num_register > 0;
  s->nitems = pe->is_temporal ? pe->num_instruction : 1;
  GROUP(s, 1, {FIELD_VALID, pe->is_temporal ? "valid" : "enable", 1, 0}, {FIELD_TAG, "tag", tag, 0},
        {FIELD_OPCODE, "opcode", log2_up(pe->nfus), pe->nfus});
  GROUP(s, pe->max_inputs, {FIELD_OPERAND_REG, "operand%u.reg_idx", reg, pe->num_register},
        {FIELD_OPERAND_IS_REG, "operand%u.is_reg", is_reg, 0});
  GROUP(s, pe->max_inputs, {FIELD_MUX_SEL, "mux%u.sel", in, c->ninputs},
        {FIELD_MUX_DISCARD, "mux%u.discard", 1, 0},
        {FIELD_MUX_DISCONNECT, "mux%u.disconnect", 1, 0});
  GROUP(s, pe->max_outputs, {FIELD_DEMUX_SEL, "demux%u.sel", out, c->noutputs},
        {FIELD_DEMUX_DISCARD, "demux%u.discard", 1, 0},
        {FIELD_DEMUX_DISCONNECT, "demux%u.disconnect", 1, 0});
  GROUP(s, pe->max_outputs, {FIELD_RESULT_TAG, "result%u.res_tag", tag, 0},
        {FIELD_RESULT_REG, "result%u.reg_idx", reg, pe->num_register},
        {FIELD_RESULT_IS_REG, "result%u.is_reg", is_reg, 0});
}

/* The fields of an operation of a unit. A fabric.mux with a single choice has `discard` and
 * `disconnect` too, but both must be 0: limit 1. The fields of a join are numbered by Field.b. */
static void describe_node(const Adg *adg, const AdgBody *body, const AdgNode *node, SliceShape *s) {
  u32 choices = node->noperands > node->nresults ? node->noperands : node->nresults;
  switch ((OpKind)node->kind) {
  case OP_FABRIC_MUX:
    GROUP(s, 1, {FIELD_NODE_SEL, "sel", log2_up(choices), choices},
          {FIELD_NODE_DISCARD, "discard", 1, choices > 1 ? 0 : 1},
          {FIELD_NODE_DISCONNECT, "disconnect", 1, choices > 1 ? 0 : 1});
    break;
  case OP_HANDSHAKE_CONSTANT:
    GROUP(s, 1,
          {FIELD_NODE_LITERAL, "literal", adg->values[body->first_value + node->first_result].bits,
           0});
    break;
  case OP_HANDSHAKE_JOIN: GROUP(s, node->noperands, {FIELD_NODE_JOIN, "in%u", 1, 0}); break;
  case OP_ARITH_CMPI:
    GROUP(s, 1, {FIELD_NODE_PREDICATE, "predicate", PREDICATE_BITS, INT_PREDICATES});
    break;
  case OP_ARITH_CMPF:
    GROUP(s, 1, {FIELD_NODE_PREDICATE, "predicate", PREDICATE_BITS, CMPF_PREDICATES});
    break;
  case OP_DATAFLOW_STREAM:
    GROUP(s, 1, {FIELD_NODE_CONT_COND, "cont_cond", STREAM_CONDITIONS, 0});
    break;
  default: break;
  }
}

static const AdgBody *body_of(const Adg *adg, u32 fu) {
  return &adg->bodies[adg->fus[fu].body];
}

static u32 node_bits(const Adg *adg, const AdgBody *body, const AdgNode *node) {
  SliceShape s;
  shape_clear(&s);
  describe_node(adg, body, node, &s);
  return (u32)s.item_bits;
}

static u64 body_bits(const Adg *adg, const AdgBody *body) {
  u64 bits = 0;
  for (u32 n = 0; n < body->nnodes; n++)
    bits += node_bits(adg, body, &adg->nodes[body->first_node + n]);
  return bits;
}

static u64 widest_payload(const Adg *adg, const AdgPe *pe) {
  u64 widest = 0;
  for (u32 f = pe->first_fu; f < pe->first_fu + pe->nfus; f++)
    widest = max_u64(widest, body_bits(adg, body_of(adg, f)));
  return widest;
}

/* Adds the payloads: those of all units after the items, or the widest in each item. */
static void describe_payloads(const Adg *adg, const AdgPe *pe, SliceShape *s) {
  if (adg_config_in_item(pe))
    s->item_bits += widest_payload(adg, pe);
  else
    for (u32 f = pe->first_fu; f < pe->first_fu + pe->nfus; f++)
      s->tail += body_bits(adg, body_of(adg, f));
}

static void describe(const Adg *adg, u32 component, SliceShape *s) {
  const AdgComponent *c = &adg->components[component];
  u32 in = c->ninputs ? adg->ports[adg_input(adg, component, 0)].tag_width : 0;
  u32 out = c->noutputs ? adg->ports[adg_output(adg, component, 0)].tag_width : 0;
  shape_clear(s);
  switch (adg_class(c->kind)) {
  case CLASS_SWITCH: describe_switch(adg, &adg->switches[c->detail], s); break;
  case CLASS_MEMORY: describe_memory(adg, &adg->memories[c->detail], s); break;
  case CLASS_PE:
    describe_pe(adg, &adg->pes[c->detail], s);
    describe_payloads(adg, &adg->pes[c->detail], s);
    break;
  case CLASS_FIFO:
    GROUP(s, 1, {FIELD_BYPASSED, "bypassed", adg->fifos[c->detail].bypassable, 2});
    break;
  default: break;
  }
  if (c->kind == ADG_ADD_TAG) GROUP(s, 1, {FIELD_TAG, "tag", out, 0});
  if (c->kind == ADG_MAP_TAG) {
    s->nitems = adg->tags[c->detail].table_size;
    GROUP(s, 1, {FIELD_VALID, "valid", 1, 0}, {FIELD_TAG, "src_tag", in, 0},
          {FIELD_DST_TAG, "dst_tag", out, 0});
  }
}

/* ---- sizes ----------------------------------------------------------------------------------- */

static u64 shape_bits(const SliceShape *s) {
  return s->item_bits * s->nitems + s->tail;
}

static u64 layout_bits(const Adg *adg, u32 component) {
  SliceShape s;
  describe(adg, component, &s);
  return shape_bits(&s);
}

u64 *layout_all_bits(const Adg *adg) {
  u64 *bits = mem_alloc((adg->ncomponents + 1) * sizeof *bits);
  for (u32 i = 0; i < adg->ncomponents; i++) bits[i] = layout_bits(adg, i);
  return bits;
}

u64 layout_item_bits(const Layout *layout, u32 component) {
  const AdgComponent *c = &layout->adg->components[component];
  const AdgPe *pe = adg_is_pe(c) ? &layout->adg->pes[c->detail] : NULL;
  if (pe && adg_config_in_item(pe)) return layout->payload_at[pe->first_fu];
  return layout_slice(layout, component)->item_bits;
}

u64 layout_payload_bits(const Layout *layout, u32 fu) {
  const Adg *adg = layout->adg;
  const AdgBody *body = body_of(adg, fu);
  if (!body->nnodes) return 0;
  u32 last = body->first_node + body->nnodes - 1;
  return layout->node_at[last] + node_bits(adg, body, &adg->nodes[last]);
}

/* ---- slices ---------------------------------------------------------------------------------- */

static bool add_slice(Layout *layout, u32 component) {
  SliceShape s;
  describe(layout->adg, component, &s);
  u64 bits = shape_bits(&s), words = bits / 32 + (bits % 32 != 0);
  if (!bits) return true;
  if (words > LAYOUT_MAX_WORDS - layout->nwords) return false;
  layout->slice_of[component] = layout->nslices;
  layout->slices[layout->nslices++] =
      (LayoutSlice){component,   layout->nwords,        (u32)words, bits, s.nitems,
                    s.item_bits, (u32)layout->runs.len, s.nruns};
  layout->nwords += (u32)words;
  for (u32 r = 0; r < s.nruns; r++) vec_push(&layout->runs, s.runs[r]);
  return true;
}

/* Fills in row_at and pair_bits. */
static void sum_switches(Layout *layout) {
  const Adg *adg = layout->adg;
  for (u32 s = 0; s < adg->nswitches; s++) {
    const AdgSwitch *sw = &adg->switches[s];
    u64 at = 0;
    for (u32 o = 0; o < adg->components[sw->component].noutputs; o++) {
      layout->row_at[sw->first_row + o] = at;
      at += row_bits(adg, sw, o) * adg_lanes(adg, sw, adg_output(adg, sw->component, o));
    }
    layout->pair_bits[s] = at;
  }
}

/* Fills in node_at and payload_at. */
static void sum_payloads(Layout *layout) {
  const Adg *adg = layout->adg;
  for (u32 i = 0; i < adg->nbodies; i++) {
    const AdgBody *body = &adg->bodies[i];
    u64 at = 0;
    for (u32 n = body->first_node; n < body->first_node + body->nnodes; n++) {
      layout->node_at[n] = at;
      at += node_bits(adg, body, &adg->nodes[n]);
    }
  }
  for (u32 i = 0; i < adg->npes; i++) {
    const AdgPe *pe = &adg->pes[i];
    const LayoutSlice *s = layout_slice(layout, pe->component);
    u64 at = s->item_bits * s->nitems;
    if (adg_config_in_item(pe)) at = s->item_bits - widest_payload(adg, pe);
    for (u32 f = pe->first_fu; f < pe->first_fu + pe->nfus; f++) {
      layout->payload_at[f] = at;
      if (!adg_config_in_item(pe)) at += layout_payload_bits(layout, f);
    }
  }
}

Layout *layout_new(Context *ctx, const Adg *adg) {
  Arena *arena = arena_new();
  Layout *layout = NEW(arena, Layout);
  *layout = (Layout){.adg = adg,
                     .arena = arena,
                     .slices = NEW_ARRAY(arena, LayoutSlice, adg->ncomponents),
                     .slice_of = NEW_ARRAY(arena, u32, adg->ncomponents),
                     .row_at = NEW_ARRAY(arena, u64, adg->nrows),
                     .pair_bits = NEW_ARRAY(arena, u64, adg->nswitches),
                     .payload_at = NEW_ARRAY(arena, u64, adg->nfus),
                     .node_at = NEW_ARRAY(arena, u64, adg->nnodes)};
  bool fits = true;
  for (u32 i = 0; i < adg->ncomponents; i++) layout->slice_of[i] = ADG_NONE;
  for (u32 i = 0; fits && i < adg->ncomponents; i++) {
    if (!adg_is_pe(&adg->components[i])) fits = add_slice(layout, i);
  }
  for (u32 i = 0; fits && i < adg->npes; i++) fits = add_slice(layout, adg->pes[i].component);
  if (fits) {
    sum_switches(layout);
    sum_payloads(layout);
    return layout;
  }
  diag(ctx, adg->loc, COMP_FABRIC_TOO_LARGE, "the configuration of @%s has more than %llu words",
       adg_text(adg, adg->name), (unsigned long long)LAYOUT_MAX_WORDS);
  layout_free(layout);
  return NULL;
}

void layout_free(Layout *layout) {
  if (!layout) return;
  vec_free(&layout->runs);
  arena_free(layout->arena);
}

/* ---- positions ------------------------------------------------------------------------------- */

static const FieldRun *find_run(const FieldRun *runs, u32 n, FieldKind kind) {
  for (u32 r = 0; r < n; r++)
    if (runs[r].kind == kind) return &runs[r];
  return NULL;
}

/* The run of this kind in the slice's items; NULL: none. */
static const FieldRun *run_of(const Layout *layout, const LayoutSlice *s, FieldKind kind) {
  return find_run(layout->runs.at + s->first_run, s->nruns, kind);
}

/* The node that a payload field belongs to; *s gets its runs. */
static const AdgNode *node_of(const Adg *adg, u32 component, Field f, SliceShape *s) {
  const AdgPe *pe = &adg->pes[adg->components[component].detail];
  const AdgBody *body = body_of(adg, pe->first_fu + f.item);
  const AdgNode *node = &adg->nodes[body->first_node + f.a];
  shape_clear(s);
  describe_node(adg, body, node, s);
  return node;
}

static FieldPlace find_in_payload(const Layout *layout, u32 component, Field f) {
  const Adg *adg = layout->adg;
  SliceShape s;
  const AdgNode *node = node_of(adg, component, f, &s);
  const FieldRun *run = find_run(s.runs, s.nruns, f.kind);
  if (!run) return (FieldPlace){0, 0};
  u32 fu = adg->pes[adg->components[component].detail].first_fu + f.item;
  u64 item = f.a_lane * layout_slice(layout, component)->item_bits;
  return (FieldPlace){item + layout->payload_at[fu] + layout->node_at[node - adg->nodes] + run->at +
                          f.b * run->stride,
                      run->width};
}

static FieldPlace find_discard(const Layout *layout, const AdgSwitch *sw, Field f) {
  if (sw->num_route_table) return (FieldPlace){0, 0};
  u64 pairs = layout->pair_bits[sw - layout->adg->switches];
  return (FieldPlace){pairs + input_lanes(layout->adg, sw, UINT32_MAX, f.a) + f.a_lane, 1};
}

static FieldPlace find_pair(const Layout *layout, const LayoutSlice *s, const AdgSwitch *sw,
                            Field f) {
  const Adg *adg = layout->adg;
  if (!adg_connects(adg, sw, f.b, f.a)) return (FieldPlace){0, 0};
  u64 at = (f.item + (u64)1) * s->item_bits - layout->pair_bits[sw - adg->switches];
  at += layout->row_at[sw->first_row + f.a];
  if (f.a_lane) at += f.a_lane * row_bits(adg, sw, f.a);
  return (FieldPlace){at + input_lanes(adg, sw, adg->rows[sw->first_row + f.a], f.b) + f.b_lane, 1};
}

/* The position of a field in its slice. */
static FieldPlace find_in_slice(const Layout *layout, const LayoutSlice *s, Field f) {
  const Adg *adg = layout->adg;
  if (layout_is_payload(f.kind)) return find_in_payload(layout, s->component, f);
  const FieldRun *run = run_of(layout, s, f.kind);
  if (run) return (FieldPlace){f.item * s->item_bits + run->at + f.a * run->stride, run->width};
  const AdgSwitch *sw = &adg->switches[adg->components[s->component].detail];
  if (f.kind == FIELD_PAIR) return find_pair(layout, s, sw, f);
  if (f.kind == FIELD_DISCARD) return find_discard(layout, sw, f);
  loom_bug("'%s' has no field of kind %d", adg_name(adg, s->component), (int)f.kind);
}

FieldPlace layout_find(const Layout *layout, u32 component, Field f) {
  const LayoutSlice *s = layout_slice(layout, component);
  if (!s) return (FieldPlace){0, 0};
  FieldPlace place = find_in_slice(layout, s, f);
  if (place.at + place.width > s->bits)
    loom_bug("'%s' has no such field (kind %d, item %u)", adg_name(layout->adg, component),
             (int)f.kind, f.item);
  place.at += (u64)s->first_word * 32;
  return place;
}

FieldRun layout_run(const Layout *layout, u32 component, Field f) {
  const LayoutSlice *s = layout_slice(layout, component);
  SliceShape node;
  const FieldRun *run;
  if (layout_is_payload(f.kind)) {
    node_of(layout->adg, component, f, &node);
    run = find_run(node.runs, node.nruns, f.kind);
  } else {
    run = s ? run_of(layout, s, f.kind) : NULL;
  }
  return run ? *run : (FieldRun){0};
}

static bool payload_has(const Adg *adg, const AdgPe *pe, u32 component, Field f) {
  if (f.a_lane && (!pe->unit_config || f.a_lane >= pe->num_instruction)) return false;
  if (f.item >= pe->nfus || f.a >= body_of(adg, pe->first_fu + f.item)->nnodes) return false;
  SliceShape s;
  node_of(adg, component, f, &s);
  const FieldRun *run = find_run(s.runs, s.nruns, f.kind);
  return run && (f.kind != FIELD_NODE_JOIN || f.b < run->count);
}

bool layout_has(const Layout *layout, u32 component, Field f) {
  const Adg *adg = layout->adg;
  const AdgComponent *c = &adg->components[component];
  const LayoutSlice *s = layout_slice(layout, component);
  if (layout_is_payload(f.kind))
    return adg_is_pe(c) && payload_has(adg, &adg->pes[c->detail], component, f);
  const FieldRun *run = run_of(layout, s, f.kind);
  if (f.item >= s->nitems) return false;
  if (run) return f.a < run->count;
  if (!adg_is_switch(c)) return false;
  const AdgSwitch *sw = &adg->switches[c->detail];
  u32 in = f.kind == FIELD_PAIR ? f.b : f.a, in_lane = f.kind == FIELD_PAIR ? f.b_lane : f.a_lane;
  if (in >= c->ninputs || in_lane >= adg_lanes(adg, sw, adg_input(adg, component, in)))
    return false;
  if (f.kind == FIELD_DISCARD) return true;
  return f.kind == FIELD_PAIR && f.a < c->noutputs &&
         f.a_lane < adg_lanes(adg, sw, adg_output(adg, component, f.a));
}

/* Resumes the nested loops at the pair that the last call returned. */
bool layout_next_pair(const Adg *adg, const AdgSwitch *sw, Field *f) {
  const AdgComponent *c = &adg->components[sw->component];
  f->b_lane++;
  for (; f->a < c->noutputs; f->a++, f->a_lane = 0)
    for (; f->a_lane < adg_lanes(adg, sw, adg_output(adg, sw->component, f->a)); f->a_lane++) {
      for (; f->b < c->ninputs; f->b++, f->b_lane = 0)
        if (adg_connects(adg, sw, f->b, f->a) &&
            f->b_lane < adg_lanes(adg, sw, adg_input(adg, sw->component, f->b)))
          return true;
      f->b = 0;
    }
  return false;
}

/* ---- the walk over all fields ---------------------------------------------------------------- */

typedef struct {
  const Layout *layout;
  u32 component;
  LayoutVisit visit;
  void *context;
} FieldWalk;

static void walk_run(const FieldWalk *w, const FieldRun *run, u64 at, Field f) {
  if (run->width) w->visit(w->context, f, at + run->at, run->width);
}

static void walk_item(const FieldWalk *w, const LayoutSlice *s, u32 item) {
  const FieldRun *run = w->layout->runs.at + s->first_run, *end = run + s->nruns, *next;
  for (; run < end; run = next) {
    for (next = run; next < end && next->group == run->group;) next++;
    for (u32 a = 0; a < run->count; a++)
      for (const FieldRun *r = run; r < next; r++)
        walk_run(w, r, item * s->item_bits + a * r->stride, field_of((FieldKind)r->kind, item, a));
  }
}

static void walk_found(const FieldWalk *w, const LayoutSlice *s, Field f) {
  FieldPlace place = find_in_slice(w->layout, s, f);
  w->visit(w->context, f, place.at, place.width);
}

static void walk_discards(const FieldWalk *w, const LayoutSlice *s, const AdgSwitch *sw) {
  const Adg *adg = w->layout->adg;
  for (u32 i = 0; i < adg->components[w->component].ninputs; i++)
    for (u32 l = 0; l < adg_lanes(adg, sw, adg_input(adg, w->component, i)); l++)
      walk_found(w, s, field_discard(i, l));
}

void layout_visit_unit(const Layout *layout, const AdgPe *pe, u32 item, u32 opcode,
                       LayoutVisit visit, void *context) {
  const Adg *adg = layout->adg;
  const AdgBody *body = body_of(adg, pe->first_fu + opcode);
  FieldWalk w = {layout, pe->component, visit, context};
  SliceShape s;
  for (u32 n = 0; n < body->nnodes; n++) {
    u32 node = body->first_node + n;
    u64 at = layout->payload_at[pe->first_fu + opcode] + layout->node_at[node];
    if (item) at += item * layout_slice(layout, pe->component)->item_bits;
    shape_clear(&s);
    describe_node(adg, body, &adg->nodes[node], &s);
    for (u32 r = 0; r < s.nruns; r++)
      for (u32 b = 0; b < s.runs[r].count; b++)
        walk_run(&w, &s.runs[r], at + b * s.runs[r].stride,
                 (Field){(FieldKind)s.runs[r].kind, opcode, n, b, item, 0});
  }
}

static void visit_units(const Layout *layout, const AdgPe *pe, u32 item, LayoutVisit visit,
                        void *context) {
  for (u32 f = 0; f < pe->nfus; f++) layout_visit_unit(layout, pe, item, f, visit, context);
}

void layout_visit(const Layout *layout, u32 slice, LayoutVisit visit, void *context) {
  const Adg *adg = layout->adg;
  const LayoutSlice *s = &layout->slices[slice];
  const AdgComponent *c = &adg->components[s->component];
  const AdgSwitch *sw = adg_is_switch(c) ? &adg->switches[c->detail] : NULL;
  const AdgPe *pe = adg_is_pe(c) ? &adg->pes[c->detail] : NULL;
  FieldWalk w = {layout, s->component, visit, context};
  for (u32 i = 0; i < s->nitems; i++) {
    walk_item(&w, s, i);
    for (Field f = field_before_pairs(i); sw && layout_next_pair(adg, sw, &f);)
      walk_found(&w, s, f);
    if (pe && adg_config_in_item(pe)) visit_units(layout, pe, i, visit, context);
  }
  if (sw && !sw->num_route_table) walk_discards(&w, s, sw);
  if (pe && !adg_config_in_item(pe)) visit_units(layout, pe, 0, visit, context);
}
