/* encode.c -- makes an image from the runtime attributes of a Fabric text.
 *
 *     fabric.spatial_sw @sw [connectivity_table = ["11", "10"]]
 *         attributes {route_table = ["in 1 -> out 0"], discard = [0 : i64]}
 *     out0.in1 = 1, discard.in0 = 1
 *
 * Attributes come from AdgComponent.runtime, where an instance's own come before its definition's.
 * The verifier has checked them, so references to ports, units and tags are valid. What depends on
 * the layout is checked here: how many bits a hexadecimal slot may have. image_check then checks
 * that the configuration as a whole is valid. Linear in the text and the image.
 */
#include "config/config.h"
#include "config/instruction.h"

typedef struct {
  Context *ctx;
  Image *image;
  const Adg *adg;
  u32 component;
  Arena *scratch;
  FabricInstruction *instruction; /* large, so made once */
} Encoder;

static const AdgComponent *component_of(const Encoder *e) {
  return &e->adg->components[e->component];
}

/* A runtime attribute of the component, or NULL. */
static const Attr *runtime(const Encoder *e, const char *name) {
  const Attr *attrs = component_of(e)->runtime;
  for (u32 i = 0; attrs && i < attrs->n; i++)
    if (strcmp(attrs->entries[i].name->text, name) == 0) return attrs->entries[i].value;
  return NULL;
}

static void set(Encoder *e, Field field, u64 value) {
  image_set(e->image, e->component, field, value);
}

static u32 *slice_words(const Encoder *e) {
  const Layout *layout = e->image->layout;
  return e->image->words + layout->slices[layout->slice_of[e->component]].first_word;
}

/* Sets bits [at, at + width) of the slice from a hexadecimal number "0x...". A number with more
 * bits is an error. */
static void set_hex(Encoder *e, const char *attr, u32 slot, const char *text, u64 at, u64 width) {
  u32 *words = slice_words(e);
  text += strspn(text, " \t\n");
  size_t digits = strlen(text + 2);
  for (size_t i = 0; i < digits; i++) {
    char c = text[2 + digits - 1 - i];
    u32 nibble = c <= '9' ? (u32)(c - '0') : (u32)((c | 32) - 'a' + 10);
    u64 left = i * 4 < width ? width - i * 4 : 0;
    u32 n = left < 4 ? (u32)left : 4;
    if (nibble >> n) {
      diag(e->ctx, component_of(e)->loc, COMP_FABRIC_CONFIG,
           "slot %u of %s of '%s' has %llu bits, but %s needs more", slot, attr,
           adg_name(e->adg, e->component), (unsigned long long)width, text);
      return;
    }
    bits_set(words, at + i * 4, n, nibble | bits_get(words, at + i * 4, n));
  }
}

/* The strings of an attribute, which is an array or a single string; *one holds the attribute. */
static const Attr *const *strings(const Encoder *e, const char *name, const Attr **one, u32 *n) {
  *one = runtime(e, name);
  *n = *one ? 1 : 0;
  if (!*one || (*one)->kind == ATTR_STRING) return one;
  *n = (*one)->n;
  return (*one)->elems;
}

/* ---- switches -------------------------------------------------------------------------------- */

static void set_route(Encoder *e, const AdgSwitch *sw, u32 slot, FabricRoute r) {
  if (r.in_lane != FABRIC_NO_LANE) {
    set(e, field_lane_pair(r.out, r.out_lane, r.in, r.in_lane), 1);
    return;
  }
  u32 ins = adg_lanes(e->adg, sw, adg_input(e->adg, e->component, r.in));
  u32 outs = adg_lanes(e->adg, sw, adg_output(e->adg, e->component, r.out));
  for (u32 l = 0; l < ins && l < outs; l++) set(e, (Field){FIELD_PAIR, slot, r.out, r.in, l, l}, 1);
}

static FabricLanes lanes_of(const Encoder *e, const AdgSwitch *sw) {
  const AdgComponent *c = component_of(e);
  FabricLanes lanes = {.ninputs = c->ninputs, .noutputs = c->noutputs};
  for (u32 i = 0; i < c->ninputs; i++)
    lanes.in_at[i + 1] = lanes.in_at[i] + adg_lanes(e->adg, sw, adg_input(e->adg, e->component, i));
  for (u32 o = 0; o < c->noutputs; o++)
    lanes.out_at[o + 1] =
        lanes.out_at[o] + adg_lanes(e->adg, sw, adg_output(e->adg, e->component, o));
  return lanes;
}

static void encode_routes(Encoder *e, const AdgSwitch *sw) {
  const Attr *one;
  u32 n;
  const Attr *const *slots = strings(e, "route_table", &one, &n);
  u64 bits = layout_item_bits(e->image->layout, e->component);
  FabricLanes lanes = lanes_of(e, sw);
  for (u32 i = 0; i < n; i++) {
    FabricRoutes routes;
    u32 slot = sw->num_route_table ? i : 0; /* in a spatial switch all strings are one item */
    ArenaMark mark = arena_mark(e->scratch);
    fabric_parse_routes(e->scratch, slots[i]->str->text, i, &routes);
    if (routes.kind == FABRIC_SLOT_HEX) {
      set_hex(e, "route_table", i, slots[i]->str->text, slot * bits, bits);
    } else if (routes.kind != FABRIC_SLOT_INVALID) {
      if (routes.kind == FABRIC_SLOT_ROW && fabric_has_lane_rows(&lanes, n, routes.row_length))
        fabric_row_of_lane(&routes, &lanes);
      set(e, field_of(FIELD_VALID, slot, 0), sw->num_route_table > 0);
      set(e, field_of(FIELD_TAG, slot, 0), routes.has_tag ? routes.tag : 0);
      for (u32 k = 0; k < routes.nroutes; k++) set_route(e, sw, slot, routes.routes[k]);
    }
    arena_release(e->scratch, mark);
  }
}

static void encode_discards(Encoder *e, const AdgSwitch *sw) {
  const Attr *list = runtime(e, "discard");
  for (u32 i = 0; list && i < list->n; i++) {
    const Attr *one = list->elems[i];
    u16 port = (u16)one->i, lane = FABRIC_NO_LANE;
    if (one->kind == ATTR_STRING) fabric_parse_input(one->str->text, &port, &lane);
    u32 lanes = adg_lanes(e->adg, sw, adg_input(e->adg, e->component, port));
    for (u32 l = 0; l < lanes; l++)
      if (lane == FABRIC_NO_LANE || lane == l) set(e, field_discard(port, l), 1);
  }
}

/* ---- tags, FIFOs, memories ------------------------------------------------------------------- */

/* Sets each field from the attribute of its name: a number, or a flag. */
static void encode_attributes(Encoder *e) {
  const Layout *layout = e->image->layout;
  const LayoutSlice *s = layout_slice(layout, e->component);
  for (const FieldRun *run = layout->runs.at + s->first_run, *end = run + s->nruns; run < end;
       run++) {
    const Attr *attr = runtime(e, run->name);
    if (attr)
      set(e, field_of((FieldKind)run->kind, 0, 0), attr->kind == ATTR_UNIT ? 1 : (u64)attr->i);
  }
}

/* Sets the fields of an item from numbers in the order of the layout. An item whose first number,
 * its `valid`, is 0 stays zero. */
static void set_item(Encoder *e, u32 item, const i64 *numbers) {
  const Layout *layout = e->image->layout;
  const LayoutSlice *s = layout_slice(layout, e->component);
  for (u32 r = 0; r < s->nruns && numbers[0]; r++)
    set(e, field_of((FieldKind)layout->runs.at[s->first_run + r].kind, item, 0), (u64)numbers[r]);
}

/* A table with a row for each item. */
static void encode_rows(Encoder *e) {
  const LayoutSlice *s = layout_slice(e->image->layout, e->component);
  i64 *numbers = mem_alloc(mem_size((size_t)s->nitems * s->nruns, sizeof *numbers));
  fabric_numbers(component_of(e)->runtime->entries[0].value, s->nruns, s->nitems * s->nruns,
                 numbers);
  for (u32 i = 0; i < s->nitems; i++) set_item(e, i, numbers + (size_t)i * s->nruns);
  mem_free(numbers);
}

/* A table of tags, which may have fewer entries than the component. */
static void encode_table(Encoder *e) {
  const Attr *table = component_of(e)->runtime->entries[0].value;
  i64 entry[3];
  for (u32 i = 0; i < table->n && fabric_map_entry(table, i, entry); i++) set_item(e, i, entry);
}

/* ---- PEs ------------------------------------------------------------------------------------- */

/* The value that the body of a unit gives for a field of its payload. */
static u64 hint_of(const AdgNode *node, Field f) {
  switch (f.kind) {
  case FIELD_NODE_SEL: return node->disconnect ? 0 : node->sel;
  case FIELD_NODE_DISCARD: return !node->disconnect && node->discard;
  case FIELD_NODE_DISCONNECT: return node->disconnect;
  case FIELD_NODE_LITERAL: return node->literal;
  case FIELD_NODE_JOIN: return node->join_mask >> f.b & 1;
  case FIELD_NODE_PREDICATE: return node->predicate;
  case FIELD_NODE_CONT_COND: return (u64)1 << node->cont_cond;
  default: loom_bug("a unit has no field of kind %d", (int)f.kind);
  }
}

static void encode_hint(void *context, Field f, u64 offset, u32 width) {
  Encoder *e = context;
  const AdgPe *pe = &e->adg->pes[component_of(e)->detail];
  const AdgBody *body = &e->adg->bodies[e->adg->fus[pe->first_fu + f.item].body];
  bits_set(slice_words(e), offset, width, hint_of(&e->adg->nodes[body->first_node + f.a], f));
}

/* The opcode of the unit that an instruction names; of several units of that name, the first. */
static u32 opcode_of(const Encoder *e, const AdgPe *pe) {
  const FabricInstruction *in = e->instruction;
  for (u32 f = 0; in->unit && f < pe->nfus; f++) {
    const char *name = adg_text(e->adg, e->adg->fus[pe->first_fu + f].name);
    if (strlen(name) == in->unit_len && memcmp(name, in->unit, in->unit_len) == 0) return f;
  }
  return in->opcode;
}

/* Sets instruction `item` from its text. */
static void encode_instruction(Encoder *e, const AdgPe *pe, const char *attr, u32 item,
                               const char *text) {
  u64 bits = layout_item_bits(e->image->layout, e->component);
  u64 from = item * layout_slice(e->image->layout, e->component)->item_bits;
  fabric_parse_instruction(text, e->instruction);
  if (e->instruction->kind == FABRIC_SLOT_HEX) {
    for (u64 at = from; at < from + bits; at++) bits_set(slice_words(e), at, 1, 0);
    set_hex(e, attr, item, text, from, bits);
  } else if (e->instruction->kind == FABRIC_SLOT_TEXT) {
    e->instruction->opcode = opcode_of(e, pe);
    instruction_set(e->image, e->component, item, e->instruction);
  }
}

/* Sets the payload of a unit: number `n` of those that the text gives, else, where the unit is
 * used, that of its body. */
static void encode_payload(Encoder *e, const AdgPe *pe, u32 item, u32 opcode, u32 n, bool is_used) {
  const Attr *one;
  u32 ngiven;
  const Attr *const *given = strings(e, "payload", &one, &ngiven);
  const Layout *layout = e->image->layout;
  u32 fu = pe->first_fu + opcode;
  u64 at = item * layout_slice(layout, e->component)->item_bits + layout->payload_at[fu];
  if (n < ngiven)
    set_hex(e, "payload", opcode, given[n]->str->text, at, layout_payload_bits(layout, fu));
  else if (is_used)
    layout_visit_unit(layout, pe, item, opcode, encode_hint, e);
}

static void encode_pe(Encoder *e, const AdgPe *pe) {
  const Attr *one;
  u32 n;
  const char *attr = pe->is_temporal ? "instruction_mem" : "instruction";
  const Attr *const *slots = strings(e, attr, &one, &n);
  bool *used = mem_alloc(pe->nfus + (size_t)1);
  for (u32 i = 0; i < n; i++) {
    encode_instruction(e, pe, attr, i, slots[i]->str->text);
    u64 opcode = image_get(e->image, e->component, field_of(FIELD_OPCODE, i, 0));
    if (!image_get(e->image, e->component, field_of(FIELD_VALID, i, 0)) || opcode >= pe->nfus)
      continue;
    used[opcode] = true;
    if (adg_config_in_item(pe)) encode_payload(e, pe, i, (u32)opcode, i, true);
  }
  for (u32 f = 0; f < pe->nfus && !adg_config_in_item(pe); f++)
    encode_payload(e, pe, 0, f, f, used[f]);
  mem_free(used);
}

/* ---- entry points ---------------------------------------------------------------------------- */

static void encode_component(Encoder *e) {
  const AdgComponent *c = component_of(e);
  switch ((AdgKind)c->kind) {
  case ADG_SPATIAL_SW: encode_discards(e, &e->adg->switches[c->detail]); /* fall through */
  case ADG_TEMPORAL_SW: encode_routes(e, &e->adg->switches[c->detail]); break;
  case ADG_MAP_TAG: encode_table(e); break;
  case ADG_MEMORY:
  case ADG_EXTMEMORY: encode_rows(e); break;
  case ADG_SPATIAL_PE:
  case ADG_TEMPORAL_PE: encode_pe(e, &e->adg->pes[c->detail]); break;
  default: encode_attributes(e); break;
  }
}

/* `is_hint`: a component with errors is left idle, and each slice is checked by itself. */
static Image *encode(Context *ctx, const Layout *layout, bool is_hint) {
  Arena *scratch = arena_new();
  Encoder e = {ctx, image_new(layout), layout->adg, 0, scratch, NEW(scratch, FabricInstruction)};
  for (u32 i = 0; i < layout->nslices; i++) {
    e.component = layout->slices[i].component;
    if (!component_of(&e)->runtime) continue;
    u32 before = is_hint ? diag_hints_begin(ctx) : 0;
    encode_component(&e);
    if (!is_hint) continue;
    if (ctx->errors + ctx->warnings == before) image_check_slice(ctx, e.image, i);
    if (diag_hints_end(ctx, before)) continue;
    diag_hint(ctx, "that configuration is ignored");
    image_idle(e.image, e.component);
  }
  arena_free(scratch);
  return e.image;
}

Image *config_of_text(Context *ctx, const Layout *layout) {
  u32 before = ctx->errors;
  Image *image = encode(ctx, layout, false);
  if (ctx->errors == before && image_check(ctx, image)) return image;
  image_free(image);
  return NULL;
}

Image *config_of_hints(Context *ctx, const Layout *layout) {
  return encode(ctx, layout, true);
}
