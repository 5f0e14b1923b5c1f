/* decode.c -- puts an image into a Fabric text, as runtime attributes.
 *
 *     out0.in1 = 1, discard.in0 = 1
 *     fabric.spatial_sw @sw [connectivity_table = ["11", "10"]]
 *         attributes {route_table = ["in 1 -> out 0"], discard = [0 : i64]}
 *
 * The components of an ADG are in the order of the text, so one walk over the ops of the module
 * visits them one after another. An op in a module with several instances stands for several
 * components, but can have one configuration only. So first each instance gets a module of its own.
 * Then each component has its own op, an inline component or an instance, whose attributes are set.
 * An attribute without effect (no routes, nothing discarded) is left out, unless the component's
 * definition has that attribute, which would apply instead.
 *
 * All instances of a unit share its body, so a payload is not put there but given as bits,
 * `payload = "0x5"`, on the PE. Linear in the image and the text, with all copies of modules.
 */
#include "config/config.h"
#include "config/instruction.h"

typedef struct {
  Module *m;
  Context *ctx;
  const Image *image;
  const Adg *adg;
  u32 component;
  Op *op;        /* of the component; gets the attributes */
  const Op *def; /* its definition, or the same */
  Buf text;
  FabricInstruction *instruction; /* large, so made once */
} Decoder;

static u64 get(const Decoder *d, Field field) {
  return image_get(d->image, d->component, field);
}

/* Sets an attribute. One without effect is removed, unless that would uncover the definition's. */
static void put_attr(Decoder *d, const char *name, const Attr *value, bool has_effect) {
  bool is_inherited = d->def != d->op && op_attr(d->def, name);
  op_set_attr(d->m, d->op, name, has_effect || is_inherited ? value : NULL);
}

/* The text so far as a string; starts a new one. */
static const Attr *take_text(Decoder *d) {
  const Attr *attr =
      attr_string(d->ctx, str_intern(d->ctx, d->text.data ? d->text.data : "", d->text.len));
  d->text.len = 0;
  return attr;
}

static const Attr *number(Decoder *d, u64 value) {
  return attr_int(d->ctx, (i64)value, type_int(d->ctx, 64, SIGNLESS));
}

typedef Vec(const Attr *) Attrs;

static const Attr *take_array(Decoder *d, Attrs *list) {
  const Attr *array = attr_array(d->ctx, list->at, (u32)list->len);
  vec_free(list);
  return array;
}

/* Bits [at, at + width) of the slice as "0x2f". */
static void put_hex(Decoder *d, u64 at, u64 width) {
  static const char digits[] = "0123456789abcdef";
  const LayoutSlice *s = &d->image->layout->slices[d->image->layout->slice_of[d->component]];
  const u32 *words = d->image->words + s->first_word;
  u64 n = width ? (width + 3) / 4 : 1;
  buf_str(&d->text, "0x");
  for (u64 i = n; i-- > 0;) {
    u32 bits = width - i * 4 < 4 ? (u32)(width - i * 4) : 4;
    buf_char(&d->text, digits[width ? bits_get(words, at + i * 4, bits) : 0]);
  }
}

/* ---- switches -------------------------------------------------------------------------------- */

static void put_port(Decoder *d, const AdgSwitch *sw, const char *noun, u32 port, u32 lane) {
  buf_printf(&d->text, "%s %u", noun, port);
  if (sw->decomposable_bits) buf_printf(&d->text, "[%u]", lane);
}

/* "in 0 -> out 1, in 0 -> out 2" */
static void put_routes(Decoder *d, const AdgSwitch *sw, u32 slot) {
  const char *comma = "";
  for (Field f = field_before_pairs(slot); layout_next_pair(d->adg, sw, &f);) {
    if (!get(d, f)) continue;
    buf_str(&d->text, comma);
    put_port(d, sw, "in", f.b, f.b_lane);
    put_port(d, sw, " -> out", f.a, f.a_lane);
    comma = ", ";
  }
}

static void decode_spatial_sw(Decoder *d, const AdgSwitch *sw) {
  Attrs discards = {0};
  const AdgComponent *c = &d->adg->components[d->component];
  for (u32 i = 0; i < c->ninputs; i++) {
    u32 lanes = adg_lanes(d->adg, sw, adg_input(d->adg, d->component, i));
    for (u32 l = 0; l < lanes; l++) {
      if (!get(d, field_discard(i, l))) continue;
      put_port(d, sw, "in", i, l);
      const Attr *lane = take_text(d);
      vec_push(&discards, sw->decomposable_bits ? lane : number(d, i));
    }
  }
  bool any = discards.len > 0;
  put_attr(d, "discard", take_array(d, &discards), any);
  put_routes(d, sw, 0);
  any = d->text.len > 0;
  const Attr *routes = take_text(d);
  put_attr(d, "route_table", attr_array(d->ctx, &routes, any), any);
}

static void decode_temporal_sw(Decoder *d, const AdgSwitch *sw) {
  Attrs slots = {0};
  u32 end = 0; /* 1 + the last valid slot */
  for (u32 slot = 0; slot < sw->num_route_table; slot++) {
    if (get(d, field_of(FIELD_VALID, slot, 0))) {
      buf_printf(&d->text, "tag %u: ", (u32)get(d, field_of(FIELD_TAG, slot, 0)));
      put_routes(d, sw, slot);
      end = slot + 1;
    } else {
      buf_str(&d->text, "invalid");
    }
    vec_push(&slots, take_text(d));
  }
  slots.len = end;
  put_attr(d, "route_table", take_array(d, &slots), end > 0);
}

/* ---- tags, FIFOs, memories ------------------------------------------------------------------- */

/* Makes each field an attribute of its name: a number, or a flag, which is left out where it is 0.
 */
static void decode_attributes(Decoder *d) {
  const LayoutSlice *s = layout_slice(d->image->layout, d->component);
  for (u32 r = s->first_run; r < s->first_run + s->nruns; r++) {
    const FieldRun *run = &d->image->layout->runs.at[r];
    u64 value = get(d, field_of((FieldKind)run->kind, 0, 0));
    bool is_flag = run->limit == 2;
    put_attr(d, run->name, is_flag ? attr_bool(d->ctx, value) : number(d, value),
             !is_flag || value);
  }
}

/* Makes a table with a row of all fields for each item; without `is_complete` only up to the last
 * valid item. */
static void decode_rows(Decoder *d, const char *name, bool is_complete) {
  const Layout *layout = d->image->layout;
  const LayoutSlice *s = layout_slice(layout, d->component);
  Attrs rows = {0};
  u32 end = 0;
  for (u32 i = 0; i < s->nitems; i++) {
    Attrs row = {0};
    for (u32 r = s->first_run; r < s->first_run + s->nruns; r++)
      vec_push(&row, number(d, get(d, field_of((FieldKind)layout->runs.at[r].kind, i, 0))));
    vec_push(&rows, take_array(d, &row));
    if (get(d, field_of(FIELD_VALID, i, 0))) end = i + 1;
  }
  if (!is_complete) rows.len = end;
  put_attr(d, name, take_array(d, &rows), end > 0);
}

/* ---- PEs ------------------------------------------------------------------------------------- */

/* Names the instruction's unit instead of its opcode, unless the name is a keyword or an earlier
 * unit's. */
static void name_unit(const Decoder *d, const AdgPe *pe, FabricInstruction *in) {
  const char *name = adg_text(d->adg, d->adg->fus[pe->first_fu + in->opcode].name);
  if (!fabric_is_unit_name(name)) return;
  for (u32 f = 0; f < in->opcode; f++)
    if (strcmp(name, adg_text(d->adg, d->adg->fus[pe->first_fu + f].name)) == 0) return;
  in->unit = name;
  in->unit_len = (u32)strlen(name);
}

/* Appends `tag 1: add(in 0, reg 1) -> (out 0 tag 2)` or `invalid`. Returns whether the instruction
 * is valid, and its opcode then. */
static bool put_instruction(Decoder *d, const AdgPe *pe, u32 item, u32 *opcode) {
  instruction_get(d->image, d->component, item, d->instruction);
  bool valid = d->instruction->kind != FABRIC_SLOT_INVALID;
  if (valid) name_unit(d, pe, d->instruction);
  if (valid) *opcode = d->instruction->opcode;
  fabric_print_instruction(d->instruction, &d->text);
  return valid;
}

/* Appends an instruction as text, or as bits where the PE exceeds the limits of that language.
 * Returns what put_instruction does. */
static bool put_slot(Decoder *d, const AdgPe *pe, u32 item, u32 *opcode) {
  u64 bits = layout_item_bits(d->image->layout, d->component);
  if (pe->max_inputs <= FABRIC_MAX_SLOTS && pe->max_outputs <= FABRIC_MAX_SLOTS &&
      pe->num_register <= FABRIC_MAX_NUMBER)
    return put_instruction(d, pe, item, opcode);
  put_hex(d, item * layout_slice(d->image->layout, d->component)->item_bits, bits);
  *opcode = (u32)get(d, field_of(FIELD_OPCODE, item, 0));
  return get(d, field_of(FIELD_VALID, item, 0));
}

static const Attr *payload(Decoder *d, u32 item, u32 fu) {
  const Layout *layout = d->image->layout;
  u64 at = item * layout_slice(layout, d->component)->item_bits + layout->payload_at[fu];
  put_hex(d, at, layout_payload_bits(layout, fu));
  return take_text(d);
}

static void decode_spatial_pe(Decoder *d, const AdgPe *pe) {
  u32 opcode = 0;
  bool on = put_slot(d, pe, 0, &opcode);
  put_attr(d, "instruction", take_text(d), on);
  put_attr(d, "payload", payload(d, 0, pe->first_fu + opcode),
           on && layout_payload_bits(d->image->layout, pe->first_fu + opcode) > 0);
}

/* With unit_config each instruction has a payload; else each unit has one. */
static void decode_temporal_pe(Decoder *d, const AdgPe *pe) {
  Attrs slots = {0}, payloads = {0};
  const Layout *layout = d->image->layout;
  const Attr *zero = attr_string(d->ctx, str_intern(d->ctx, "0x0", 3));
  u32 end = 0, opcode = 0;
  bool any = false;
  for (u32 i = 0; i < pe->num_instruction; i++) {
    bool on = put_slot(d, pe, i, &opcode);
    if (on) end = i + 1;
    vec_push(&slots, take_text(d));
    u32 fu = pe->first_fu + opcode;
    if (pe->unit_config) any |= on && layout_payload_bits(layout, fu) > 0;
    if (pe->unit_config) vec_push(&payloads, on ? payload(d, i, fu) : zero);
  }
  slots.len = end;
  if (pe->unit_config) payloads.len = end;
  for (u32 f = pe->first_fu; f < pe->first_fu + pe->nfus && !pe->unit_config; f++) {
    any |= layout_payload_bits(layout, f) > 0;
    vec_push(&payloads, payload(d, 0, f));
  }
  put_attr(d, "instruction_mem", take_array(d, &slots), end > 0);
  put_attr(d, "payload", take_array(d, &payloads), end > 0 && any);
}

/* ---- components ------------------------------------------------------------------------------ */

static void decode_component(Decoder *d) {
  const AdgComponent *c = &d->adg->components[d->component];
  switch ((AdgKind)c->kind) {
  case ADG_SPATIAL_SW: decode_spatial_sw(d, &d->adg->switches[c->detail]); break;
  case ADG_TEMPORAL_SW: decode_temporal_sw(d, &d->adg->switches[c->detail]); break;
  case ADG_MAP_TAG: decode_rows(d, "table", false); break;
  case ADG_MEMORY:
  case ADG_EXTMEMORY: decode_rows(d, "addr_offset_table", true); break;
  case ADG_SPATIAL_PE: decode_spatial_pe(d, &d->adg->pes[c->detail]); break;
  case ADG_TEMPORAL_PE: decode_temporal_pe(d, &d->adg->pes[c->detail]); break;
  default: decode_attributes(d); break;
  }
}

/* ---- a module for each instance -------------------------------------------------------------- */

static void collect_names(const Op *scope, Map *names) {
  for (u32 r = 0; r < scope->nregions; r++)
    for_each_block (block, &scope->regions[r])
      for_each_op (op, block) {
        if (fabric_name(op)) map_put(names, PTR_KEY(fabric_name(op)), 1);
        if (fabric_is_scope((OpKind)op->kind)) collect_names(op, names);
      }
}

/* A new name: `like` with a number appended. `names` has all names in use, each with the first
 * number that may be free for it. */
static const Str *new_name(Context *ctx, const Str *like, Map *names) {
  u64 number = 1, seen;
  map_get(names, PTR_KEY(like), &number);
  for (;; number++) {
    const Str *name = str_printf(ctx, "%s_%llu", like->text, (unsigned long long)number);
    if (map_get(names, PTR_KEY(name), &seen)) continue;
    map_put(names, PTR_KEY(name), 1);
    map_put(names, PTR_KEY(like), number + 1);
    return name;
  }
}

/* Gives an instance a copy of its module. One without a name gets that of the old module, so that
 * the paths of the components inside stay the same. */
static void give_copy(Module *m, Op *instance, Op *def, Map *names) {
  const Str *old = fabric_name(def), *name = new_name(m->ctx, old, names);
  Map values = {0};
  Op *copy = op_clone(m, def, &values);
  op_set_attr(m, copy, "sym_name", attr_string(m->ctx, name));
  if (def->next)
    op_insert_before(def->next, copy);
  else
    op_append(def->block, copy);
  op_set_attr(m, instance, "module", attr_symbol(m->ctx, name, NULL, 0));
  if (!fabric_name(instance)) op_set_attr(m, instance, "sym_name", attr_string(m->ctx, old));
  map_free(&values);
}

/* One pass over the modules inside `top`: of several instances of a module all but the first get a
 * copy. The copies are searched in the next pass. Returns whether any was made. */
static bool separate_once(Module *m, Op *top, Map *names) {
  Vec(Op *) stack = {0};
  Map taken = {0};
  bool any = false;
  u64 seen;
  fabric_resolve(m->top, NULL, NULL);
  vec_push(&stack, top);
  while (stack.len) {
    const Op *module = vec_pop(&stack);
    for_each_op (op, module->regions[0].first) {
      Op *def = fabric_inner_module(op);
      if (!def) continue;
      if (map_get(&taken, PTR_KEY(def), &seen)) {
        give_copy(m, op, def, names);
        any = true;
      } else {
        map_put(&taken, PTR_KEY(def), 1);
        vec_push(&stack, def);
      }
    }
  }
  vec_free(&stack);
  map_free(&taken);
  return any;
}

/* ---- the walk -------------------------------------------------------------------------------- */

/* Visits the components in the order in which adg_flatten numbers them: those of an inner module at
 * its instance. */
static void decode_all(Decoder *d, Op *top) {
  Vec(Op *) stack = {0};
  vec_push(&stack, top->regions[0].first->first);
  while (stack.len) {
    Op *op = vec_last(&stack);
    if (!op) {
      stack.len--;
      continue;
    }
    vec_last(&stack) = op->next;
    if (!fabric_is_part(op)) continue;
    Op *def = fabric_inner_module(op);
    if (def) {
      vec_push(&stack, def->regions[0].first->first);
      continue;
    }
    d->op = op;
    d->def = op->kind == OP_FABRIC_INSTANCE ? fabric_definition(op) : op;
    if (d->image->layout->slice_of[d->component] != ADG_NONE) decode_component(d);
    d->component++;
  }
  vec_free(&stack);
}

void config_fill_text(Module *module, Op *top, const Image *image) {
  const Adg *adg = image->layout->adg;
  FabricInstruction instruction;
  Decoder d = {
      .m = module, .ctx = module->ctx, .image = image, .adg = adg, .instruction = &instruction};
  Map names = {0};
  collect_names(module->top, &names);
  while (separate_once(module, top, &names)) {
  }
  while (d.component < adg->ncomponents && adg->components[d.component].kind == ADG_INPUT)
    d.component++;
  decode_all(&d, top);
  map_free(&names);
  buf_free(&d.text);
}
