/* fabric_config.c -- checks runtime configuration in the text: values in range, routes that exist.
 *
 *     fabric.temporal_sw @sw [num_route_table = 2, connectivity_table = ["10"]]
 *         attributes {route_table = ["tag 1: in 1 -> out 0"]} : ...
 *     error[COMP_FABRIC_ROUTE]: input 1 is not connected to output 0
 *
 * Configuration may stand on a definition, on an inline component, and on an instance, where it is
 * for that instance only. It is a hint to the mapper, but one that the hardware cannot
 * follow is a mistake. The width of hexadecimal slots is known only to the configuration layout
 * (config/layout.c), so here only their syntax is checked. Linear, with hash maps of the tags and
 * outputs in use; regions of memories are sorted.
 */
#include "ir/fabric_text.h"
#include "verify/fabric.h"

#include <stdlib.h>

u32 begin_configuration(Verifier *v) {
  u32 before = diag_hints_begin(v->ctx);
  v->ctx->is_hint = v->hints != NULL;
  return before;
}

bool end_configuration(Verifier *v, Op *op, const char *names, u32 before) {
  if (diag_hints_end(v->ctx, before)) return true;
  if (!v->hints) return false;
  diag_hint(v->ctx, "that configuration is ignored");
  for (size_t n; *names; names += n + (names[n] == ' ')) {
    n = strcspn(names, " ");
    op_set_attr_str(v->hints, op, str_intern(v->ctx, names, n), NULL, false);
  }
  return false;
}

typedef struct {
  Verifier *v;
  const Op *op, *def; /* see fabric.h: `op` has the configuration, `def` the hardware */
  const Type *ports;
  FabricLanes lanes; /* of a switch */
} Config;

/* The elements of an array of strings; NULL if it is absent or after a report. */
static const Attr *const *strings(Config *c, const char *name, u32 *n) {
  const Attr *attr = op_attr(c->op, name);
  *n = 0;
  if (!attr) return NULL;
  bool good = attr->kind == ATTR_ARRAY;
  for (u32 i = 0; good && i < attr->n; i++) good = attr_is_text(attr->elems[i]);
  if (!good) {
    diag(c->v->ctx, c->op->loc, COMP_FABRIC_CONFIG, "'%s' must be an array of strings", name);
    return NULL;
  }
  *n = attr->n;
  return attr->elems;
}

/* ---- routes ---------------------------------------------------------------------------------- */

static bool lane_ok(const Config *c, const Type *port, u32 lane) {
  i64 bits = op_attr_int(c->def, "decomposable_bits", 0);
  if (lane == FABRIC_NO_LANE) return true;
  return bits > 0 && lane < port_shape(c->v, port).width / bits;
}

/* True if the lanes of a route are wired; for one between whole ports, lane i to lane i. */
static bool route_is_wired(const Config *c, FabricRoute r) {
  u32 ins = c->lanes.in_at[r.in + 1] - c->lanes.in_at[r.in],
      outs = c->lanes.out_at[r.out + 1] - c->lanes.out_at[r.out];
  if (r.in_lane != FABRIC_NO_LANE)
    return fabric_switch_connects(c->def, &c->lanes, r.in, r.in_lane, r.out, r.out_lane);
  for (u32 l = 0; l < ins && l < outs; l++)
    if (!fabric_switch_connects(c->def, &c->lanes, r.in, l, r.out, l)) return false;
  return true;
}

static bool bad_route(Config *c, u32 slot, const char *format, u32 a, u32 b) {
  char text[96];
  snprintf(text, sizeof text, format, a, b);
  diag(c->v->ctx, c->op->loc, COMP_FABRIC_ROUTE, "slot %u of route_table: %s", slot, text);
  return false;
}

/* Marks an output, or a lane of it, as driven; false if it is already, in part or as a whole. */
static bool drive_output(Map *driven, u32 out, u16 out_lane) {
  u64 whole = (u64)out << 32, any_lane = whole | UINT32_MAX, seen;
  u64 key = out_lane == FABRIC_NO_LANE ? whole : whole | (out_lane + 1u);
  if (map_get(driven, whole, &seen) || map_get(driven, key, &seen)) return false;
  if (key == whole && map_get(driven, any_lane, &seen)) return false;
  map_put(driven, key, 1);
  if (key != whole) map_put(driven, any_lane, 1);
  return true;
}

/* Checks a slot: its ports exist and are connected, and no output (or lane of it) has two inputs.
 * `driven` has the outputs of this slot and of earlier ones of a spatial switch, which are active
 * at once. An output of a spatial switch for tags may have several inputs, which take turns. */
static bool check_routes(Config *c, const FabricRoutes *routes, u32 slot, Map *driven) {
  for (u32 i = 0; i < routes->nroutes; i++) {
    FabricRoute r = routes->routes[i];
    if (r.in >= c->ports->ninputs || r.out >= ports_out(c->ports))
      return bad_route(c, slot, "the switch has no in %u or no out %u", r.in, r.out);
    if (!fabric_switch_joins(c->def, &c->lanes, r.in, r.out))
      return bad_route(c, slot, "input %u is not connected to output %u", r.in, r.out);
    if ((r.in_lane == FABRIC_NO_LANE) != (r.out_lane == FABRIC_NO_LANE) ||
        !lane_ok(c, c->ports->elems[r.in], r.in_lane) ||
        !lane_ok(c, port_out(c->ports, r.out), r.out_lane))
      return bad_route(c, slot, "in %u or out %u has no such lanes", r.in, r.out);
    if (!route_is_wired(c, r))
      return bad_route(c, slot, "these lanes of in %u and out %u are not connected", r.in, r.out);
    if (port_shape(c->v, port_out(c->ports, r.out)).is_tagged && !routes->has_tag) continue;
    if (!drive_output(driven, r.out, r.out_lane))
      return bad_route(c, slot, "output %u has two inputs; the second is input %u", r.out, r.in);
  }
  return true;
}

/* Checks the tag of a slot: present if and only if ports are tagged, in range, and unique. */
static bool check_slot_tag(Config *c, const char *table, u32 slot, bool has_tag, u32 tag, u32 width,
                           Map *tags) {
  u64 other;
  if (has_tag != (width > 0)) {
    diag(c->v->ctx, c->op->loc, COMP_FABRIC_CONFIG, "slot %u of %s %s", slot, table,
         width ? "needs a tag: \"tag T: ...\"" : "has a tag, but the ports are not tagged");
  } else if (has_tag && tag >> width) {
    diag(c->v->ctx, c->op->loc, COMP_FABRIC_TAG_VALUE, "slot %u of %s: tag %u does not fit in i%u",
         slot, table, tag, width);
  } else if (has_tag && map_get(tags, tag, &other)) {
    diag(c->v->ctx, c->op->loc, COMP_FABRIC_TAG_DUPLICATE,
         "slots %u and %u of %s have the same tag %u", (u32)other, slot, table, tag);
  } else {
    map_put(tags, tag, slot);
    return true;
  }
  return false;
}

static u32 first_tag_width(const Config *c) {
  return c->ports->nelems ? port_shape(c->v, c->ports->elems[0]).tag_width : 0;
}

#define ROW_NEEDS_TAG   "expected \"tag T: in I -> out O\" instead of a row of 0 and 1"
#define ROWS_AND_ROUTES "route_table cannot mix routes, \"in I -> out O\", with rows of 0 and 1"

/* Checks the size of a table of rows: a row for each output and a character for each input; or for
 * each of their lanes, and then rewrites the row as routes. */
static bool check_row(Config *c, FabricRoutes *row, u32 output, u32 rows) {
  u32 inputs = c->ports->ninputs, outputs = ports_out(c->ports);
  if (rows == outputs && row->row_length == inputs) return true;
  if (fabric_has_lane_rows(&c->lanes, rows, row->row_length)) {
    fabric_row_of_lane(row, &c->lanes);
    return true;
  }
  diag(c->v->ctx, c->op->loc, COMP_FABRIC_CONFIG,
       "route_table must have %u rows (one per output) of %u characters (one per input), but got "
       "%u rows, and row %u has %u characters",
       outputs, inputs, rows, output, row->row_length);
  return false;
}

static void check_switch(Config *c) {
  Verifier *v = c->v;
  bool temporal = c->def->kind == OP_FABRIC_TEMPORAL_SW;
  i64 size = op_attr_int(c->def, "num_route_table", 0);
  Map driven = {0}, tags = {0};
  bool rows = false;
  u32 n;
  fabric_lanes(v->ctx, c->def, &c->lanes);
  const Attr *const *slots = strings(c, "route_table", &n);
  if (temporal && n > size)
    diag(v->ctx, c->op->loc, COMP_FABRIC_SW_SLOTS, "%u slots, but num_route_table = %lld", n,
         (long long)size);
  for (u32 i = 0; i < n; i++) {
    FabricRoutes routes;
    const char *wrong = fabric_parse_routes(v->scratch, slots[i]->str->text, i, &routes);
    if (wrong) {
      diag(v->ctx, c->op->loc, COMP_FABRIC_CONFIG, "slot %u of route_table: %s, in \"%s\"", i,
           wrong, slots[i]->str->text);
      break;
    }
    if ((routes.kind == FABRIC_SLOT_ROW) != rows && (i || temporal)) {
      diag(v->ctx, c->op->loc, COMP_FABRIC_CONFIG, temporal ? ROW_NEEDS_TAG : ROWS_AND_ROUTES);
      break;
    }
    rows = routes.kind == FABRIC_SLOT_ROW;
    if (rows && !check_row(c, &routes, i, n)) break;
    if (routes.kind != FABRIC_SLOT_TEXT && !rows) continue;
    if (temporal) {
      map_free(&driven);
      driven = (Map){0};
    }
    if (!check_slot_tag(c, "route_table", i, routes.has_tag, routes.tag,
                        temporal ? first_tag_width(c) : 0, &tags) &&
        temporal)
      break;
    if (!check_routes(c, &routes, i, &driven)) break;
  }
  map_free(&driven);
  map_free(&tags);
}

static void check_discards(Config *c) {
  const Attr *list = op_attr(c->op, "discard");
  if (!list) return;
  bool good = list->kind == ATTR_ARRAY;
  for (u32 i = 0; good && i < list->n; i++) {
    const Attr *input = list->elems[i];
    u16 port = 0, lane = FABRIC_NO_LANE;
    good = input->kind == ATTR_INT
               ? input->i >= 0 && input->i < c->ports->ninputs
               : attr_is_text(input) && !fabric_parse_input(input->str->text, &port, &lane) &&
                     port < c->ports->ninputs && lane_ok(c, c->ports->elems[port], lane);
  }
  if (!good)
    diag(c->v->ctx, c->op->loc, COMP_FABRIC_CONFIG,
         "'discard' must be an array of inputs of the switch, 0 to %u, or of their lanes, such as "
         "\"in 0[1]\"",
         c->ports->ninputs - 1);
}

/* ---- instructions ---------------------------------------------------------------------------- */

static bool is_unit(const Op *op) {
  return op->kind == OP_FABRIC_FUNCTION_UNIT || op->kind == OP_FABRIC_INSTANCE;
}

/* The name of a unit in its PE: an instance's own, or that of its definition. */
static const Str *unit_name(const Op *op) {
  const Attr *target = op->kind == OP_FABRIC_INSTANCE ? fabric_target(op) : NULL;
  const Str *name = fabric_name(op);
  return name ? name : target ? target->str : NULL;
}

/* The unit that an instruction names, by its name or number; NULL: there is none. */
static const Op *find_unit(const Config *c, const FabricInstruction *in) {
  u32 n = 0;
  for_each_op (op, c->def->regions[0].first) {
    if (!is_unit(op)) continue;
    const Str *name = unit_name(op);
    if (in->unit
            ? name && name->len == in->unit_len && memcmp(name->text, in->unit, in->unit_len) == 0
            : n == in->opcode)
      return op;
    n++;
  }
  return NULL;
}

static bool end_ok(const Config *c, const FabricEnd *end, u32 ports, i64 registers) {
  if (end->has_port && end->port >= ports) return false;
  if (end->has_reg && end->reg >= registers) return false;
  return !end->has_tag || (first_tag_width(c) && end->tag >> first_tag_width(c) == 0);
}

static void check_instruction(Config *c, const char *attr, u32 slot, const char *text, Map *tags) {
  Context *ctx = c->v->ctx;
  FabricInstruction in;
  const char *wrong = fabric_parse_instruction(text, &in);
  if (wrong) {
    diag(ctx, c->op->loc, COMP_FABRIC_CONFIG, "slot %u of %s: %s, in \"%s\"", slot, attr, wrong,
         text);
    return;
  }
  if (in.kind != FABRIC_SLOT_TEXT ||
      !check_slot_tag(c, attr, slot, in.has_tag, in.tag, first_tag_width(c), tags))
    return;
  const Op *unit = find_unit(c, &in);
  const Op *def = unit && unit->kind == OP_FABRIC_INSTANCE ? fabric_definition(unit) : unit;
  const Type *ports = def ? op_function_type(def) : NULL;
  if (!unit) {
    diag(ctx, c->op->loc, COMP_FABRIC_INSTRUCTION,
         "slot %u of %s: the PE has no such function unit, "
         "in \"%s\"",
         slot, attr, text);
    return;
  }
  if (!ports) return;
  if (in.nsources != ports->ninputs || in.nresults != ports_out(ports)) {
    diag(ctx, c->op->loc, COMP_FABRIC_INSTRUCTION,
         "slot %u of %s: the unit has %u input%s and %u output%s, not %u and %u", slot, attr,
         ports->ninputs, plural(ports->ninputs), ports_out(ports), plural(ports_out(ports)),
         in.nsources, in.nresults);
    return;
  }
  i64 registers = op_attr_int(c->def, "num_register", 0);
  for (u32 i = 0; i < in.nsources + in.nresults; i++) {
    bool source = i < in.nsources;
    const FabricEnd *end = source ? &in.sources[i] : &in.results[i - in.nsources];
    if (end_ok(c, end, source ? c->ports->ninputs : ports_out(c->ports), registers)) continue;
    diag(ctx, c->op->loc, COMP_FABRIC_INSTRUCTION,
         "slot %u of %s: %s %u names a port, register or tag that this PE does not have", slot,
         attr, source ? "source" : "result", source ? i : i - in.nsources);
    return;
  }
}

static void check_payload(Config *c) {
  const Attr *payload = op_attr(c->op, "payload");
  if (!payload) return;
  const Attr *unit_config = op_attr(c->def, "unit_config");
  bool per_slot = unit_config && unit_config->kind == ATTR_STRING &&
                  !strcmp(unit_config->str->text, "per_instruction");
  i64 max_entries = per_slot ? op_attr_int(c->def, "num_instruction", 0) : 0;
  for_each_op (op, c->def->regions[0].first) max_entries += !per_slot && is_unit(op);
  bool good =
      payload->kind == ATTR_STRING || (payload->kind == ATTR_ARRAY && payload->n <= max_entries &&
                                       c->def->kind == OP_FABRIC_TEMPORAL_PE);
  for (u32 i = 0; good && i < (payload->kind == ATTR_STRING ? 1 : payload->n); i++) {
    const Attr *entry = payload->kind == ATTR_STRING ? payload : payload->elems[i];
    const char *text = attr_is_text(entry) ? entry->str->text : "";
    size_t len = strlen(text);
    good = len > 2 && text[0] == '0' && text[1] == 'x' &&
           strspn(text + 2, "0123456789abcdefABCDEF") == len - 2;
  }
  if (!good)
    diag(c->v->ctx, c->op->loc, COMP_FABRIC_CONFIG,
         "'payload' must be a hexadecimal string \"0x...\" (of a temporal PE: one per function "
         "unit, or one per instruction if unit_config is per_instruction)");
}

static void check_pe(Config *c) {
  Map tags = {0};
  check_payload(c);
  if (c->def->kind == OP_FABRIC_SPATIAL_PE) {
    const Attr *text = op_attr(c->op, "instruction");
    if (text && attr_is_text(text))
      check_instruction(c, "instruction", 0, text->str->text, &tags);
    else if (text)
      diag(c->v->ctx, c->op->loc, COMP_FABRIC_CONFIG, "'instruction' must be a string");
  } else {
    u32 n;
    const Attr *const *slots = strings(c, "instruction_mem", &n);
    i64 size = op_attr_int(c->def, "num_instruction", 0);
    if (n > size)
      diag(c->v->ctx, c->op->loc, COMP_FABRIC_PE_INSTRUCTIONS,
           "%u instructions, but num_instruction = %lld", n, (long long)size);
    for (u32 i = 0; i < n; i++)
      check_instruction(c, "instruction_mem", i, slots[i]->str->text, &tags);
  }
  map_free(&tags);
}

/* ---- tags, FIFOs ----------------------------------------------------------------------------- */

static bool tag_fits(Config *c, i64 tag, u32 width, const char *noun) {
  if (tag >= 0 && tag >> width == 0) return true;
  diag(c->v->ctx, c->op->loc, COMP_FABRIC_TAG_VALUE, "%s: %s %lld does not fit in i%u",
       op_name(c->op), noun, (long long)tag, width);
  return false;
}

static void check_add_tag(Config *c) {
  const Attr *tag = op_attr(c->op, "tag");
  u32 width = port_shape(c->v, type_of_result(c->op, 0)).tag_width;
  if (tag && tag->kind != ATTR_INT && tag->kind != ATTR_BOOL)
    diag(c->v->ctx, c->op->loc, COMP_FABRIC_CONFIG, "fabric.add_tag: 'tag' must be an integer");
  else if (tag)
    tag_fits(c, tag->i, width, "tag");
}

static void check_map_tag(Config *c) {
  const Attr *table = op_attr(c->op, "table");
  u32 from = port_shape(c->v, type_of(c->op, 0)).tag_width;
  u32 to = port_shape(c->v, type_of_result(c->op, 0)).tag_width;
  i64 size = op_attr_int(c->op, "table_size", 0);
  Map tags = {0};
  if (!table) return;
  if (table->kind != ATTR_ARRAY && table->kind != ATTR_DENSE_ARRAY) {
    diag(c->v->ctx, c->op->loc, COMP_FABRIC_CONFIG, "fabric.map_tag: 'table' must be an array");
    return;
  }
  if (table->n > size)
    diag(c->v->ctx, c->op->loc, COMP_FABRIC_TABLE_SIZE, "%u entries, but table_size = %lld",
         table->n, (long long)size);
  const Attr *const *rows = table->kind == ATTR_ARRAY ? table->elems : NULL;
  for (u32 i = 0; i < table->n; i++) {
    i64 entry[3];
    u64 other;
    bool is_flat = !rows || rows[i]->kind == ATTR_INT || rows[i]->kind == ATTR_BOOL;
    if (rows && is_flat != (rows[0]->kind != ATTR_ARRAY)) {
      diag(c->v->ctx, c->op->loc, COMP_FABRIC_CONFIG,
           "the table must be flat, or each entry must be [valid, source tag, result tag]");
      break;
    }
    if (!fabric_map_entry(table, i, entry)) {
      diag(c->v->ctx, c->op->loc, COMP_FABRIC_CONFIG,
           "entry %u of the table must be [valid, source tag, result tag], with valid 0 or 1", i);
      break;
    }
    if (!tag_fits(c, entry[1], from, "source tag") || !tag_fits(c, entry[2], to, "result tag"))
      break;
    if (!entry[0]) continue;
    if (map_get(&tags, (u64)entry[1], &other)) {
      diag(c->v->ctx, c->op->loc, COMP_FABRIC_TAG_DUPLICATE,
           "entries %u and %u of the table both map tag %lld", (u32)other, i, (long long)entry[1]);
      break;
    }
    map_put(&tags, (u64)entry[1], i);
  }
  map_free(&tags);
}

static void check_fifo(Config *c) {
  if (!optional_flag(c->v, c->op, "bypassed", COMP_FABRIC_CONFIG)) return;
  if (op_attr(c->op, "bypassed") && !fabric_flag(c->def, "bypassable"))
    diag(c->v->ctx, c->op->loc, COMP_FABRIC_FIFO_BYPASS,
         "this FIFO has no bypass to configure; set bypassable = true");
}

/* ---- regions of memories --------------------------------------------------------------------- */

static int by_start(const void *a, const void *b) {
  const i64 *one = a, *other = b;
  return one[1] < other[1] ? -1 : one[1] > other[1];
}

static void bad_region(Config *c, u32 region, const char *why) {
  diag(c->v->ctx, c->op->loc, COMP_FABRIC_MEM_REGION, "region %u of addr_offset_table: %s", region,
       why);
}

static void check_regions(Config *c) {
  const Attr *table = op_attr(c->op, "addr_offset_table");
  i64 regions = op_attr_int(c->def, "numRegion", 1);
  u32 tag_width = memory_tag_width(c->v, c->ports);
  i64 tags = tag_width ? (i64)1 << tag_width : FABRIC_UNTAGGED_LANES;
  if (!table) return;
  u32 n = table->kind == ATTR_ARRAY || table->kind == ATTR_DENSE_ARRAY ? table->n : 0;
  if (regions < 1 || regions > n || n > regions * FABRIC_REGION_NUMBERS) {
    diag(c->v->ctx, c->op->loc, COMP_FABRIC_MEM_REGION,
         "addr_offset_table must have %d numbers for each of %lld regions", FABRIC_REGION_NUMBERS,
         (long long)regions);
    return;
  }
  u32 count = (u32)regions, valid = 0;
  i64 *words = NEW_ARRAY(c->v->scratch, i64, (size_t)count * FABRIC_REGION_NUMBERS);
  if (!fabric_numbers(table, FABRIC_REGION_NUMBERS, count * FABRIC_REGION_NUMBERS, words)) {
    diag(c->v->ctx, c->op->loc, COMP_FABRIC_MEM_REGION,
         "addr_offset_table must have %d numbers for each of %lld regions", FABRIC_REGION_NUMBERS,
         (long long)regions);
    return;
  }
  for (u32 i = 0; i < count; i++) {
    const i64 *r = words + (size_t)i * FABRIC_REGION_NUMBERS;
    if (r[0] != 0 && r[0] != 1) {
      bad_region(c, i, "valid must be 0 or 1");
      return;
    }
    if (r[1] < 0 || r[2] < r[1] || r[2] > tags || (r[0] && r[1] == r[2])) {
      bad_region(c, i, "the tags [start, end) must not be an empty range and must fit in the tag");
      return;
    }
    if (r[3] < 0 || r[3] > UINT32_MAX) {
      bad_region(c, i, "the offset must fit in 32 bits");
      return;
    }
    if (r[4] < 0 || r[4] > FABRIC_MAX_SIZE_LOG2) {
      bad_region(c, i, "the logarithm of the element size must be 0 to 15");
      return;
    }
    if (r[0] && c->def->kind == OP_FABRIC_MEMORY && r[3] % ((i64)1 << r[4])) {
      bad_region(c, i, "the offset is in bytes and must be a multiple of the element size");
      return;
    }
  }
  for (u32 i = 0; i < count; i++)
    if (words[(size_t)i * FABRIC_REGION_NUMBERS])
      memmove(words + (size_t)valid++ * FABRIC_REGION_NUMBERS,
              words + (size_t)i * FABRIC_REGION_NUMBERS, FABRIC_REGION_NUMBERS * sizeof *words);
  qsort(words, valid, FABRIC_REGION_NUMBERS * sizeof *words, by_start);
  for (u32 i = 1; i < valid; i++)
    if (words[(size_t)i * FABRIC_REGION_NUMBERS + 1] <
        words[(size_t)(i - 1) * FABRIC_REGION_NUMBERS + 2]) {
      diag(c->v->ctx, c->op->loc, COMP_FABRIC_MEM_REGION, "two regions share tag %lld",
           (long long)words[(size_t)i * FABRIC_REGION_NUMBERS + 1]);
      return;
    }
}

/* ---- by kind --------------------------------------------------------------------------------- */

void check_configuration(Verifier *v, const Op *op, const Op *def) {
  Config c = {.v = v, .op = op, .def = def, .ports = op_function_type(def)};
  ArenaMark mark = arena_mark(v->scratch);
  switch ((OpKind)def->kind) {
  case OP_FABRIC_ADD_TAG: check_add_tag(&c); break;
  case OP_FABRIC_MAP_TAG: check_map_tag(&c); break;
  case OP_FABRIC_SPATIAL_SW: check_discards(&c); /* fall through */
  case OP_FABRIC_TEMPORAL_SW: check_switch(&c); break;
  case OP_FABRIC_SPATIAL_PE:
  case OP_FABRIC_TEMPORAL_PE: check_pe(&c); break;
  case OP_FABRIC_FIFO: check_fifo(&c); break;
  case OP_FABRIC_MEMORY:
  case OP_FABRIC_EXTMEMORY: check_regions(&c); break;
  default: break;
  }
  arena_release(v->scratch, mark);
}
