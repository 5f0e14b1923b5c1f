/* fabric_routing.c -- rules of switches, FIFOs, and the ops that add, map and delete tags.
 *
 *     fabric.spatial_sw @sw [connectivity_table = ["110", "011"]]
 *         : (!fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>)
 *           -> (!fabric.bits<32>, !fabric.bits<32>)
 *
 * A row of the table is an output, a column an input: output 0 can take inputs 0 and 1, output 1
 * inputs 1 and 2. Switches and FIFOs keep the tags of values; only add_tag, map_tag and del_tag
 * change them or their width.
 */
#include "verify/fabric.h"

enum { MAX_SWITCH_PORTS = FABRIC_SWITCH_PORTS };

/* ---- switches -------------------------------------------------------------------------------- */

static void check_row(Verifier *v, const Op *op, const Attr *row, u32 o, u32 inputs,
                      const char *noun) {
  if (!row || row->kind != ATTR_STRING || row->str->len != inputs ||
      strspn(row->str->text, "01") != row->str->len) {
    diag(v->ctx, op->loc, COMP_FABRIC_SW_TABLE,
         "row %u of connectivity_table must be a string of %u characters 0 or 1, one per %s", o,
         inputs, noun);
  } else if (!strchr(row->str->text, '1')) {
    diag(v->ctx, op->loc, COMP_FABRIC_SW_ROW, "row %u of connectivity_table is empty", o);
    diag_hint(v->ctx, "an output that no input reaches can be left out");
  }
}

/* A row for each output and a column for each input, or, if ports have lanes, for each lane. */
static void check_table(Verifier *v, const Op *op, const Type *ports) {
  const Attr *table = op_attr(op, "connectivity_table");
  FabricLanes lanes;
  if (!table) return; /* everything is wired to everything */
  fabric_lanes(v->ctx, op, &lanes);
  const Attr *first = table->kind == ATTR_ARRAY && table->n ? table->elems[0] : NULL;
  u32 columns = first && first->kind == ATTR_STRING ? (u32)first->str->len : 0;
  bool of_lanes = fabric_has_lane_rows(&lanes, first ? table->n : 0, columns);
  if (!of_lanes && (table->kind != ATTR_ARRAY || table->n != ports_out(ports))) {
    diag(v->ctx, op->loc, COMP_FABRIC_SW_TABLE,
         "connectivity_table must be an array of %u rows, one per output", ports_out(ports));
    return;
  }
  for (u32 o = 0; o < table->n; o++)
    check_row(v, op, table->elems[o], o, of_lanes ? columns : ports->ninputs,
              of_lanes ? "lane of an input" : "input");
}

static bool check_switch_ports(Verifier *v, const Op *op, const Type *ports) {
  u32 in = ports->ninputs, out = ports_out(ports);
  if (in >= 1 && in <= MAX_SWITCH_PORTS && out >= 1 && out <= MAX_SWITCH_PORTS) return true;
  diag(v->ctx, op->loc, COMP_FABRIC_SW_PORTS,
       "a switch must have 1 to %d inputs and 1 to %d outputs, but got %u and %u", MAX_SWITCH_PORTS,
       MAX_SWITCH_PORTS, in, out);
  return false;
}

/* Checks decomposable_bits, if present; false after a report. */
static bool lanes_are_good(Verifier *v, const Op *op, const Type *ports) {
  i64 lane = 0;
  const Attr *bits = op_attr(op, "decomposable_bits");
  if (!bits || (bits->kind == ATTR_INT && bits->i == FABRIC_WHOLE_PORTS)) return true;
  if (!optional_param(v, op, "decomposable_bits", COMP_FABRIC_SW_DECOMPOSE, 1, INT32_MAX, &lane))
    return false;
  for (u32 i = 0; i < ports->nelems; i++) {
    FabricPort port = port_shape(v, ports->elems[i]);
    if (!port.is_tagged && port.width % lane == 0) continue;
    diag(v->ctx, op->loc, COMP_FABRIC_SW_DECOMPOSE, "a switch with decomposable_bits = %lld %s %s",
         (long long)lane,
         port.is_tagged ? "cannot have tagged ports, but got"
                        : "needs port widths that are multiples of it, but got",
         type_text(v, ports->elems[i]));
    return false;
  }
  return true;
}

void rule_FABRIC_SPATIAL_SW(Verifier *v, Op *op) {
  const Type *ports = component_ok(v, op);
  if (!ports || !check_switch_ports(v, op, ports)) return;
  FabricPort first = port_shape(v, ports->elems[0]);
  for (u32 i = 1; i < ports->nelems; i++) {
    if (port_shape(v, ports->elems[i]).is_tagged == first.is_tagged) continue;
    diag(v->ctx, op->loc, COMP_FABRIC_SW_TAG,
         "the ports of a switch must be all tagged or all untagged, but got %s and %s",
         type_text(v, ports->elems[0]), type_text(v, ports->elems[i]));
    break;
  }
  if (lanes_are_good(v, op, ports)) check_table(v, op, ports);
  if (!params_ok(v, op) || !first.is_tagged ||
      !fabric_param_value(op, &fabric_param_rows[PARAM_SPATIAL_SW_buffer]))
    return;
  diag(v->ctx, op->loc, COMP_FABRIC_SW_BUFFER,
       "a spatial switch with tagged ports cannot have buffers: it does not look at tags, so one "
       "tag would block another");
  diag_hint(v->ctx, "use a fabric.temporal_sw, which has a buffer for each tag");
}

void rule_FABRIC_TEMPORAL_SW(Verifier *v, Op *op) {
  const Type *ports = component_ok(v, op);
  if (!ports || !check_switch_ports(v, op, ports)) return;
  check_table(v, op, ports);
  check_one_tag(v, op, ports);
  params_ok(v, op);
}

/* ---- FIFOs ----------------------------------------------------------------------------------- */

void rule_FABRIC_FIFO(Verifier *v, Op *op) {
  const Type *ports = component_ok(v, op);
  if (!ports) return;
  if (ports->ninputs != 1 || ports_out(ports) != 1 ||
      !same_port(v, ports->elems[0], port_out(ports, 0))) {
    diag(v->ctx, op->loc, COMP_FABRIC_FIFO_TYPE,
         "a FIFO must have one input and one output of the same type");
    return;
  }
  params_ok(v, op);
}

/* ---- tags ------------------------------------------------------------------------------------ */

static bool tag_op_ok(Verifier *v, const Op *op, bool tagged_in, bool tagged_out) {
  const Op *parent = op_parent(op);
  FabricPort in = {0}, out = {0};
  if (!parent || parent->kind != OP_FABRIC_MODULE) {
    diag(v->ctx, op->loc, COMP_FABRIC_PLACE, "%s must be directly in fabric.module, but is in %s",
         op_name(op), parent ? op_name(parent) : "nothing");
    return false;
  }
  const Type *from = type_of(op, 0), *to = type_of_result(op, 0);
  bool good = fabric_port(v->ctx, from, &in) && fabric_port(v->ctx, to, &out) &&
              in.is_tagged == tagged_in && out.is_tagged == tagged_out && in.width == out.width;
  if (good && tagged_in && tagged_out) good = from->elem == to->elem;
  if (!good)
    diag(v->ctx, op->loc, COMP_FABRIC_TAG_TYPE, "%s %s, but got %s to %s", op_name(op),
         !tagged_in    ? "must add a tag and keep the width"
         : !tagged_out ? "must remove the tag and keep the width"
                       : "must change the tag and keep the type of the value",
         type_text(v, from), type_text(v, to));
  check_consumers(v, op);
  return good;
}

void rule_FABRIC_ADD_TAG(Verifier *v, Op *op) {
  tag_op_ok(v, op, false, true);
}
void rule_FABRIC_DEL_TAG(Verifier *v, Op *op) {
  tag_op_ok(v, op, true, false);
}
void rule_FABRIC_MAP_TAG(Verifier *v, Op *op) {
  if (tag_op_ok(v, op, true, true)) params_ok(v, op);
}
