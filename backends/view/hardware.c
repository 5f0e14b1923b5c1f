/* hardware.c -- the fabric, the machine that it is configured to, and the routes of tokens.
 *
 * Ports, units and inputs are named by their numbers, as loom_fabric.h and loom_machine.h count
 * them.
 */
#include "view.h"

#include <string.h>

static const char *const component_kinds[] = {
    "input", "output",  "spatial_pe", "temporal_pe", "spatial_sw", "temporal_sw",
    "fifo",  "add_tag", "map_tag",    "del_tag",     "memory",     "extmemory"};

/* Where the words of a component are in the image, if the hardware is configured. */
static void write_slice(const View *v, Json *j, uint32_t id) {
  uint32_t first, count;
  if (!v->machine || !v->image || v->image->slice(v->design, id, &first, &count)) return;
  if (first != LOOM_NONE) json_numbers(j, "words", (int[]){(int)first, (int)count}, 2);
}

static void write_component(const View *v, Json *j, uint32_t id, const PlanBox *box) {
  loom_component c;
  const int at[] = {box->x, box->y, box->w, box->h};
  v->fabric->component(v->design, id, &c, sizeof c);
  json_open(j, NULL, '{');
  json_string(j, "name", c.name);
  json_string(j, "kind", component_kinds[c.kind]);
  if (*c.definition) json_string(j, "definition", c.definition);
  json_numbers(j, "box", at, 4);
  json_number(j, "port", c.first_port);
  json_number(j, "ins", c.input_count);
  json_number(j, "outs", c.output_count);
  if (c.kind == LOOM_FIFO) json_number(j, "depth", c.depth);
  if (c.latency) json_number(j, "latency", c.latency);
  if (c.unit_count) json_number(j, "units", c.unit_count);
  write_slice(v, j, id);
  json_close(j, '}');
}

static void view_fabric(const View *v, Json *j) {
  Floorplan plan;
  uint32_t n = v->fabric->component_count(v->design), ports = v->fabric->port_count(v->design);
  floorplan_make(v->host, v->design, v->fabric, v->drawing, &plan);
  json_open(j, "fabric", '{');
  json_string(j, "name", v->fabric->name(v->design));
  json_number(j, "width", plan.width);
  json_number(j, "height", plan.height);
  json_number(j, "given", v->drawing ? v->drawing->is_given(v->design) : 0);
  if (v->machine && v->image) json_number(j, "words", v->image->word_count(v->design));
  json_open(j, "components", '[');
  for (uint32_t i = 0; i < n; i++) write_component(v, j, i, &plan.boxes[i]);
  json_close(j, ']');
  json_open(j, "ports", '['); /* bits, and bits of the tag, or null */
  for (uint32_t i = 0; i < ports; i++) {
    loom_port port;
    v->fabric->port(v->design, i, &port, sizeof port);
    json_open(j, NULL, '[');
    json_number(j, NULL, port.width);
    json_id(j, NULL, port.is_tagged ? port.tag_width : LOOM_NONE);
    json_close(j, ']');
  }
  json_close(j, ']');
  json_open(j, "channels", '[');
  for (uint32_t i = 0; i < plan.nchannels; i++) {
    json_open(j, NULL, '{');
    json_number(j, "from", plan.channels[i].from);
    json_number(j, "to", plan.channels[i].to);
    json_numbers(j, "path", plan.channels[i].points, 2 * (size_t)plan.channels[i].npoints);
    json_close(j, '}');
  }
  json_close(j, ']');
  json_close(j, '}');
}

/* ---- the machine ----------------------------------------------------------------------------- */

/* The search begins at `guess`: units are in the order of their components. */
static uint32_t component_named(const View *v, const char *name, uint32_t guess) {
  uint32_t n = v->fabric->component_count(v->design);
  for (uint32_t i = 0; i < n; i++) {
    loom_component c;
    uint32_t at = (guess + i) % n;
    v->fabric->component(v->design, at, &c, sizeof c);
    if (strcmp(c.name, name) == 0) return at;
  }
  return LOOM_NONE;
}

static const char *const unit_kinds[] = {"input", "output", "drain",     "fire", "mux",  "stream",
                                         "gate",  "carry",  "invariant", "fifo", "load", "store"};

static void write_unit(const View *v, Json *j, uint32_t id, uint32_t *component) {
  loom_unit u;
  loom_node node;
  uint32_t memories;
  v->machine->unit(v->design, id, &u, sizeof u);
  json_open(j, NULL, '{');
  json_string(j, "kind", unit_kinds[u.kind]);
  if (v->fabric) {
    *component = component_named(v, u.name, *component == LOOM_NONE ? 0 : *component);
    json_id(j, "component", *component);
  }
  json_number(j, "input", u.first_input);
  json_number(j, "inputs", u.input_count);
  json_number(j, "output", u.first_output);
  json_number(j, "outputs", u.output_count);
  json_number(j, "latency", u.latency);
  json_number(j, "interval", u.interval);
  if (u.early_out) json_number(j, "early_out", u.early_out);
  if (u.node != LOOM_NONE && !v->dfg->node(v->design, u.node, &node, sizeof node))
    json_string(j, "op", node.op_name);
  if (!v->mapping && u.node != LOOM_NONE)
    json_number(j, "node", u.node); /* of the hardware's own graph */
  memories = v->dfg->memory_count(v->shown);
  for (uint32_t m = 0; m < memories && (u.kind == LOOM_UNIT_LOAD || u.kind == LOOM_UNIT_STORE); m++)
    if (v->binding->region(v->design, m) == u.region) json_number(j, "memory", m);
  json_close(j, '}');
}

static void view_machine(const View *v, Json *j) {
  uint32_t component = LOOM_NONE;
  json_open(j, "machine", '{');
  json_open(j, "units", '[');
  for (uint32_t i = 0; i < v->machine->unit_count(v->design); i++) write_unit(v, j, i, &component);
  json_close(j, ']');
  json_open(j, "inputs", '[');
  for (uint32_t i = 0; i < v->machine->input_count(v->design); i++) {
    loom_unit_input in;
    v->machine->input(v->design, i, &in, sizeof in);
    json_open(j, NULL, '{');
    json_number(j, "unit", in.unit);
    json_number(j, "output", in.output);
    json_id(j, "edge", v->binding->edge(v->design, i));
    if (v->cycles) json_string(j, "name", v->cycles->input_name(v->design, i));
    json_close(j, '}');
  }
  json_close(j, ']');
  json_open(j, "outputs", '[');
  for (uint32_t i = 0; i < v->machine->output_count(v->design); i++) {
    loom_unit_output out;
    v->machine->output(v->design, i, &out, sizeof out);
    json_number(j, NULL, out.unit);
  }
  json_close(j, ']');
  json_open(j, "arguments", '['); /* units */
  for (uint32_t i = 0; i < v->dfg->argument_count(v->shown); i++)
    json_id(j, NULL, v->binding->argument(v->design, i));
  json_close(j, ']');
  json_close(j, '}');
}

static void view_routes(const View *v, Json *j) {
  uint32_t k, n = v->routes->route_count(v->design);
  json_open(j, "routes", '[');
  for (uint32_t i = 0; i < n; i++) {
    loom_route r;
    v->routes->route(v->design, i, &r, sizeof r);
    json_open(j, NULL, '{');
    json_id(j, "input", r.input);
    json_id(j, "edge", r.edge);
    if (r.first) json_number(j, "first", r.first);
    json_ids(j, "ports", r.ports, r.port_count);
    for (k = 0; k < r.port_count && r.tags[k] == LOOM_NONE; k++) {
    }
    if (k < r.port_count) json_ids(j, "tags", r.tags, r.port_count);
    json_close(j, '}');
  }
  json_close(j, ']');
}

void view_hardware(const View *v, Json *j) {
  if (v->fabric) view_fabric(v, j);
  if (v->machine && v->binding) view_machine(v, j);
  if (v->routes) view_routes(v, j);
}
