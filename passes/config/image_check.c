/* image_check.c -- checks an image against the rules of the hardware.
 *
 * There are two sorts of rules. An image must be valid: values that exist, different tags in the
 * entries of a table, at most one driver for each output. And it must be canonical: unused fields
 * are zero (muxes of an unused operand or result: disconnected), so that two images differ exactly
 * where two configurations do, and a bit that was flipped in transfer is either detected here or
 * changes what the fabric does.
 *
 * Slices are checked one by one, item by item, in time linear in the bits of the image, but for
 * sorting the regions of a memory. The only state is a component's: the tags and opcodes so far.
 */
#include "config/image.h"

#include <stdlib.h>

typedef struct {
  Context *ctx;
  const Image *image;
  const Adg *adg;
  const LayoutSlice *slice;
  u32 component;
  const char *noun; /* of its items, for messages */
} SliceCheck;

static const char *name_of(const SliceCheck *c) {
  return adg_name(c->adg, c->component);
}

static Loc loc_of(const SliceCheck *c) {
  return c->adg->components[c->component].loc;
}

/* The word of the image that holds bit `bit` of the slice. */
static unsigned long long word_of(const SliceCheck *c, u64 bit) {
  return c->slice->first_word + bit / 32;
}

static u64 get(const SliceCheck *c, Field f) {
  return image_get(c->image, c->component, f);
}

/* Reports a field: "NAME of 'COMPONENT' (word N) ", followed by the error. */
PRINTF_LIKE(4, 5)
static void bad_field(const SliceCheck *c, Code code, Field f, const char *format, ...) {
  Buf text = {0};
  va_list args;
  va_start(args, format);
  const char *why = str_vprintf(c->ctx, format, args)->text;
  va_end(args);
  layout_name(c->image->layout, c->component, f, &text);
  diag(c->ctx, loc_of(c), code, "%s of '%s' (word %llu) %s", text.data, name_of(c),
       (unsigned long long)(layout_find(c->image->layout, c->component, f).at / 32), why);
  buf_free(&text);
}

/* Is a field below its limit? Reports it if not. */
static bool in_range(const SliceCheck *c, Field f) {
  u64 limit = layout_run(c->image->layout, c->component, f).limit, value = get(c, f);
  if (!limit || value < limit) return true;
  bad_field(c, CFG_VALUE, f, "is %llu, but must be below %llu", (unsigned long long)value,
            (unsigned long long)limit);
  return false;
}

/* The first bit that is set in [at, end) of the slice; `end` where none is. */
static u64 first_set(const SliceCheck *c, u64 at, u64 end) {
  const u32 *words = c->image->words + c->slice->first_word;
  for (; at < end; at += 32 - at % 32) {
    u32 left = words[at / 32] >> at % 32;
    if (!left) continue;
    while (!(left & 1)) left >>= 1, at++;
    return at < end ? at : end;
  }
  return end;
}

/* Reports a bit that is set but belongs to no field. */
static void report_unused_bit(const SliceCheck *c, u64 bit) {
  diag(c->ctx, loc_of(c), CFG_UNUSED,
       "bit %llu of word %llu is set, but belongs to no field of '%s'",
       (unsigned long long)(bit % 32), word_of(c, bit), name_of(c));
}

/* ---- items ----------------------------------------------------------------------------------- */

/* Returns whether an item is valid. Checks that an invalid one is zero, and that no other has the
 * tag of a valid one (`tags` NULL: items have no tags). */
static bool valid_item(const SliceCheck *c, u32 item, Map *tags) {
  Field valid = field_of(FIELD_VALID, item, 0), tag = field_of(FIELD_TAG, item, 0);
  u64 bits = layout_slice(c->image->layout, c->component)->item_bits, other;
  if (!in_range(c, valid)) return false;
  if (!get(c, valid)) {
    u64 bit = first_set(c, item * bits, (item + (u64)1) * bits);
    if (bit < (item + (u64)1) * bits)
      diag(c->ctx, loc_of(c), CFG_LEFTOVER,
           "%s %u of '%s' is not valid, but bit %llu of word %llu, which belongs to it, is set",
           c->noun, item, name_of(c), (unsigned long long)(bit % 32), word_of(c, bit));
    return false;
  }
  if (!tags) return true;
  u64 value = get(c, tag);
  if (map_get(tags, value, &other))
    bad_field(c, CFG_TAG_DUPLICATE, tag, "is %llu, the same as that of %s %u",
              (unsigned long long)value, c->noun, (u32)other);
  else
    map_put(tags, value, item);
  return true;
}

/* Checks the fields of an item that has one field of each kind. */
static bool fields_in_range(const SliceCheck *c, u32 item) {
  const FieldRun *runs = c->image->layout->runs.at + c->slice->first_run;
  bool ok = true;
  for (u32 r = 0; r < c->slice->nruns; r++)
    ok &= in_range(c, field_of((FieldKind)runs[r].kind, item, 0));
  return ok;
}

static void check_table(SliceCheck *c) {
  Map tags = {0};
  c->noun = "entry";
  for (u32 i = 0; i < c->slice->nitems; i++)
    if (valid_item(c, i, &tags)) fields_in_range(c, i);
  map_free(&tags);
}

/* ---- switches -------------------------------------------------------------------------------- */

/* Checks that each lane of an output is driven by at most one input, in each slot or in a spatial
 * switch. A spatial switch for tagged tokens is exempt: its inputs take turns. */
static void check_outputs(const SliceCheck *c, const AdgSwitch *sw, u32 slot) {
  bool shares = !sw->num_route_table && adg_carries_tags(c->adg, sw);
  Field last = field_before_pairs(slot); /* the last pair that is set */
  for (Field f = last; layout_next_pair(c->adg, sw, &f);) {
    if (!get(c, f)) continue;
    if (!adg_lane_connects(c->adg, sw, f.b, f.b_lane, f.a, f.a_lane))
      bad_field(c, CFG_VALUE, f, "is set, but these lanes are not connected");
    if (last.b_lane != UINT32_MAX && last.a == f.a && last.a_lane == f.a_lane && !shares)
      bad_field(c, CFG_DRIVERS, f, "is set, but another input drives this output already");
    last = f;
  }
}

/* Finds a route from a lane of an input; false where there is none. */
static bool find_route(const SliceCheck *c, const AdgSwitch *sw, u32 input, u32 lane,
                       Field *route) {
  for (u32 o = 0; o < c->adg->components[c->component].noutputs; o++) {
    if (!adg_connects(c->adg, sw, input, o)) continue;
    u32 lanes = adg_lanes(c->adg, sw, adg_output(c->adg, c->component, o));
    for (u32 ol = 0; ol < lanes; ol++) {
      *route = field_lane_pair(o, ol, input, lane);
      if (get(c, *route)) return true;
    }
  }
  return false;
}

/* Checks that a discarded lane of an input has no route. */
static void check_discards(const SliceCheck *c, const AdgSwitch *sw) {
  Field route;
  for (u32 i = 0; i < c->adg->components[c->component].ninputs; i++) {
    u32 lanes = adg_lanes(c->adg, sw, adg_input(c->adg, c->component, i));
    for (u32 l = 0; l < lanes; l++)
      if (get(c, field_discard(i, l)) && find_route(c, sw, i, l, &route))
        bad_field(c, CFG_DISCARD, route, "is set, but the input is discarded");
  }
}

static void check_switch(SliceCheck *c, const AdgSwitch *sw) {
  Map tags = {0};
  c->noun = "slot";
  for (u32 slot = 0; slot < sw->num_route_table; slot++)
    if (valid_item(c, slot, &tags)) check_outputs(c, sw, slot);
  if (!sw->num_route_table) {
    check_outputs(c, sw, 0);
    check_discards(c, sw);
  }
  map_free(&tags);
}

/* ---- memories -------------------------------------------------------------------------------- */

typedef struct {
  u64 start, end; /* tags */
  u64 offset;     /* bytes; of no account in an extmemory, where the host sets it */
  u32 item;
} MemoryRegion;

static int by_start(const void *a, const void *b) {
  const MemoryRegion *x = a, *y = b;
  if (x->start != y->start) return x->start < y->start ? -1 : 1;
  return x->item < y->item ? -1 : x->item > y->item;
}

static int by_offset(const void *a, const void *b) {
  const MemoryRegion *x = a, *y = b;
  if (x->offset != y->offset) return x->offset < y->offset ? -1 : 1;
  return x->item < y->item ? -1 : x->item > y->item;
}

/* Checks the offsets of a memory inside the fabric, where a region ends at the next one: they are
 * different, and multiples of the size of an element. */
static void check_offsets(const SliceCheck *c, MemoryRegion *regions, size_t n) {
  if (n > 1) qsort(regions, n, sizeof *regions, by_offset);
  for (size_t i = 0; i < n; i++) {
    u64 size = (u64)1 << get(c, field_of(FIELD_ELEM_SIZE_LOG2, regions[i].item, 0));
    if (regions[i].offset % size)
      diag(c->ctx, loc_of(c), CFG_REGION,
           "region %u of '%s' begins at byte %llu, which is not a multiple of its element size of "
           "%llu bytes",
           regions[i].item, name_of(c), (unsigned long long)regions[i].offset,
           (unsigned long long)size);
    if (i && regions[i].offset == regions[i - 1].offset)
      diag(c->ctx, loc_of(c), CFG_REGION, "regions %u and %u of '%s' both begin at byte %llu",
           regions[i - 1].item, regions[i].item, name_of(c), (unsigned long long)regions[i].offset);
  }
}

static void check_memory(SliceCheck *c, const AdgMemory *memory) {
  Vec(MemoryRegion) regions = {0};
  c->noun = "region";
  for (u32 i = 0; i < memory->nregions; i++) {
    if (!valid_item(c, i, NULL)) continue;
    bool ok = fields_in_range(c, i);
    MemoryRegion r = {get(c, field_of(FIELD_START, i, 0)), get(c, field_of(FIELD_END, i, 0)),
                      get(c, field_of(FIELD_ADDR_OFFSET, i, 0)), i};
    if (ok && r.start >= r.end)
      diag(c->ctx, loc_of(c), CFG_REGION,
           "region %u of '%s' has an empty range of tags: from %llu up to %llu", i, name_of(c),
           (unsigned long long)r.start, (unsigned long long)r.end);
    else if (ok)
      vec_push(&regions, r);
  }
  if (regions.len > 1) qsort(regions.at, regions.len, sizeof(MemoryRegion), by_start);
  for (size_t i = 1; i < regions.len; i++)
    if (regions.at[i - 1].end > regions.at[i].start)
      diag(c->ctx, loc_of(c), CFG_REGION, "regions %u and %u of '%s' both contain tag %llu",
           regions.at[i - 1].item, regions.at[i].item, name_of(c),
           (unsigned long long)regions.at[i].start);
  if (!memory->is_external) check_offsets(c, regions.at, regions.len);
  vec_free(&regions);
}

/* ---- PEs ------------------------------------------------------------------------------------- */

static void zero_unless(const SliceCheck *c, bool used, Field f, const char *why) {
  if (!used && get(c, f)) bad_field(c, CFG_LEFTOVER, f, "is not 0, but %s", why);
}

/* Checks a mux or demux, whose first field is `sel`, of an instruction. `needed`: the unit has this
 * operand or result, and the operand does not come from a register. Returns whether it is connected
 * to a port that exists. */
static bool check_mux(const SliceCheck *c, Field sel, bool needed) {
  Field discard = sel, disconnect = sel;
  discard.kind = (FieldKind)(sel.kind + 1);
  disconnect.kind = (FieldKind)(sel.kind + 2);
  bool connected = !get(c, disconnect);
  if (connected && !needed)
    bad_field(c, CFG_DISCONNECT, disconnect, "is 0, but there is nothing to connect");
  zero_unless(c, connected, sel, "the mux is disconnected");
  zero_unless(c, connected, discard, "the mux is disconnected");
  return in_range(c, sel) && connected && needed;
}

/* `exists`: the unit has an operand k. */
static void check_operand(const SliceCheck *c, u32 item, u32 k, bool exists) {
  Field is_reg = field_of(FIELD_OPERAND_IS_REG, item, k),
        reg = field_of(FIELD_OPERAND_REG, item, k);
  bool from_reg = get(c, is_reg);
  in_range(c, reg);
  zero_unless(c, exists, is_reg, "the unit has no such input");
  zero_unless(c, from_reg, reg, "the operand does not come from a register");
  check_mux(c, field_of(FIELD_MUX_SEL, item, k), exists && !from_reg);
}

/* `exists`: the unit has a result k. `ports` and `registers`: those of the results before it. */
static void check_result(const SliceCheck *c, u32 item, u32 k, bool exists, Map *ports,
                         Map *registers) {
  Field is_reg = field_of(FIELD_RESULT_IS_REG, item, k), reg = field_of(FIELD_RESULT_REG, item, k),
        sel = field_of(FIELD_DEMUX_SEL, item, k), tag = field_of(FIELD_RESULT_TAG, item, k);
  bool to_reg = get(c, is_reg), discarded = get(c, field_of(FIELD_DEMUX_DISCARD, item, k));
  u64 other;
  zero_unless(c, exists, is_reg, "the unit has no such output");
  zero_unless(c, to_reg, reg, "the result does not go to a register");
  bool to_port = check_mux(c, sel, exists) && !discarded;
  zero_unless(c, !discarded, sel, "the result is discarded");
  zero_unless(c, to_port, tag, "the result goes to no port");
  if (to_port && map_get(ports, get(c, sel), &other))
    bad_field(c, CFG_DRIVERS, sel, "is %llu, but result %u goes to that port already",
              (unsigned long long)get(c, sel), (u32)other);
  else if (to_port)
    map_put(ports, get(c, sel), k);
  if (!in_range(c, reg) || !to_reg) return;
  if (map_get(registers, get(c, reg), &other))
    bad_field(c, CFG_DRIVERS, reg, "is %llu, but result %u goes to that register already",
              (unsigned long long)get(c, reg), (u32)other);
  else
    map_put(registers, get(c, reg), k);
}

/* Checks a valid instruction, or an enabled spatial PE. Returns its opcode; ADG_NONE where there is
 * no such unit. */
static u32 check_instruction(const SliceCheck *c, const AdgPe *pe, u32 item) {
  Field opcode = field_of(FIELD_OPCODE, item, 0);
  if (!in_range(c, opcode)) return ADG_NONE;
  u32 unit = (u32)get(c, opcode);
  const AdgBody *body = &c->adg->bodies[c->adg->fus[pe->first_fu + unit].body];
  Map ports = {0}, registers = {0};
  for (u32 k = 0; k < pe->max_inputs; k++) check_operand(c, item, k, k < body->nargs);
  for (u32 k = 0; k < pe->max_outputs; k++)
    check_result(c, item, k, k < body->nresults, &ports, &registers);
  map_free(&ports);
  map_free(&registers);
  return unit;
}

/* Checks that a join has at least one input; `f` is the field of its first. */
static void check_join(const SliceCheck *c, Field f) {
  for (; layout_has(c->image->layout, c->component, f); f.b++)
    if (get(c, f)) return;
  f.b = 0;
  bad_field(c, CFG_JOIN, f, "is 0, and so are the other inputs of the join");
}

static void check_one_hot(const SliceCheck *c, Field f) {
  u64 value = get(c, f);
  if (!value || value & (value - 1))
    bad_field(c, CFG_ONE_HOT, f, "is 0x%llx, but must have exactly one bit set",
              (unsigned long long)value);
}

/* Checks a field of the payload of a unit in use. The last field of a fabric.mux, `disconnect`,
 * also checks the two before it. */
static void check_node_field(void *context, Field f, u64 offset, u32 width) {
  const SliceCheck *c = context;
  (void)offset, (void)width;
  if (f.kind == FIELD_NODE_CONT_COND) check_one_hot(c, f);
  if (f.kind == FIELD_NODE_JOIN && f.b == 0) check_join(c, f);
  if (!in_range(c, f) || f.kind != FIELD_NODE_DISCONNECT || !get(c, f)) return;
  for (u32 back = 1; back <= 2; back++) {
    Field before = f;
    before.kind = (FieldKind)(FIELD_NODE_DISCONNECT - back);
    zero_unless(c, false, before, "the mux is disconnected");
  }
}

/* Checks a spatial PE that is off. */
static void check_disabled(const SliceCheck *c, const AdgPe *pe) {
  zero_unless(c, false, field_of(FIELD_OPCODE, 0, 0), "the PE is off");
  for (u32 k = 0; k < pe->max_inputs; k++) check_mux(c, field_of(FIELD_MUX_SEL, 0, k), false);
  for (u32 k = 0; k < pe->max_outputs; k++) check_mux(c, field_of(FIELD_DEMUX_SEL, 0, k), false);
}

/* Checks the payload in an item, and that no bit after it is set, as it may be shorter than the
 * widest. `unit` ADG_NONE: the item has no payload. */
static void check_own_payload(const SliceCheck *c, const AdgPe *pe, u32 item, u32 unit) {
  const Layout *layout = c->image->layout;
  u64 start = item * c->slice->item_bits, end = start + c->slice->item_bits;
  u64 at = start + layout_item_bits(layout, c->component);
  if (unit != ADG_NONE) {
    layout_visit_unit(layout, pe, item, unit, check_node_field, (void *)c);
    at += layout_payload_bits(layout, pe->first_fu + unit);
  }
  if ((at = first_set(c, at, end)) < end) report_unused_bit(c, at);
}

/* Checks the payload that all instructions of a temporal PE share for a unit. */
static void check_payload(const SliceCheck *c, const AdgPe *pe, u32 unit, bool is_used) {
  const Layout *layout = c->image->layout;
  u64 at = layout->payload_at[pe->first_fu + unit];
  u64 end = at + layout_payload_bits(layout, pe->first_fu + unit), bit;
  if (is_used)
    layout_visit_unit(layout, pe, 0, unit, check_node_field, (void *)c);
  else if ((bit = first_set(c, at, end)) < end)
    diag(c->ctx, loc_of(c), CFG_LEFTOVER,
         "no instruction of '%s' uses %s, but bit %llu of word %llu, which belongs to it, is set",
         name_of(c), adg_text(c->adg, c->adg->fus[pe->first_fu + unit].name),
         (unsigned long long)(bit % 32), word_of(c, bit));
}

static void check_spatial_pe(const SliceCheck *c, const AdgPe *pe) {
  u32 unit = ADG_NONE;
  if (get(c, field_of(FIELD_VALID, 0, 0)))
    unit = check_instruction(c, pe, 0);
  else
    check_disabled(c, pe);
  check_own_payload(c, pe, 0, unit);
}

static void check_temporal_pe(SliceCheck *c, const AdgPe *pe) {
  Map tags = {0};
  bool *used = mem_alloc(pe->nfus + (size_t)1);
  c->noun = "instruction";
  for (u32 i = 0; i < pe->num_instruction; i++) {
    if (!valid_item(c, i, &tags)) continue;
    u32 unit = check_instruction(c, pe, i);
    if (unit != ADG_NONE) used[unit] = true;
    if (pe->unit_config) check_own_payload(c, pe, i, unit);
  }
  for (u32 f = 0; f < pe->nfus && !pe->unit_config; f++) check_payload(c, pe, f, used[f]);
  map_free(&tags);
  mem_free(used);
}

/* ---- slices ---------------------------------------------------------------------------------- */

void image_check_slice(Context *ctx, const Image *image, u32 slice) {
  const Adg *adg = image->layout->adg;
  const LayoutSlice *s = &image->layout->slices[slice];
  const AdgComponent *component = &adg->components[s->component];
  SliceCheck c = {ctx, image, adg, s, s->component, ""};
  u64 end = (u64)s->nwords * 32;
  switch ((AdgKind)component->kind) {
  case ADG_SPATIAL_SW:
  case ADG_TEMPORAL_SW: check_switch(&c, &adg->switches[component->detail]); break;
  case ADG_MAP_TAG: check_table(&c); break;
  case ADG_MEMORY:
  case ADG_EXTMEMORY: check_memory(&c, &adg->memories[component->detail]); break;
  case ADG_SPATIAL_PE: check_spatial_pe(&c, &adg->pes[component->detail]); break;
  case ADG_TEMPORAL_PE: check_temporal_pe(&c, &adg->pes[component->detail]); break;
  default: fields_in_range(&c, 0); break;
  }
  u64 bit = first_set(&c, s->bits, end);
  if (bit < end) report_unused_bit(&c, bit);
}

bool image_check(Context *ctx, const Image *image) {
  u32 before = ctx->errors;
  for (u32 i = 0; i < image->layout->nslices; i++) image_check_slice(ctx, image, i);
  return ctx->errors == before;
}
