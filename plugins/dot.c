/* dot.c -- a whole plugin: draws graphs and hardware in the language of Graphviz.
 *
 *     loom backends --header -o loom_plugin.h
 *     cc -std=c99 -shared -fPIC -fvisibility=hidden dot.c -o dot.so
 *     loom emit --plugin ./dot.so dot kernel.mlir | dot -Tsvg > kernel.svg
 *
 * Copy it and change it; nothing but LOOM's headers is needed. It shows all that most backends do:
 * options, walking nodes, results and edges, extensions that are used where a design has them, and
 * memory from the host, which need not be freed.
 *
 * Hardware is drawn where it is (loom.drawing/1): components, and their channels as lines. Of a
 * configured one what routes go along is blue, and components name the nodes that they carry out.
 *
 * What tokens come together is drawn in one box: a box in a box is a loop in a loop, or one side of
 * a branch. These boxes are the domains of loom.domains/1. A graph that the balance proof does not
 * accept has none and is drawn without boxes.
 *
 *     solid    values            box       an operation
 *     dashed   control (none)    cylinder  a memory, its ports named at the ends of edges
 *     blue     back to an earlier node, as in a loop
 */
#include "loom_fabric.h"
#include "loom_show.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* What this backend keeps between create and emit, and while it draws. */
typedef struct {
  const loom_host *host;
  const loom_dfg *dfg;
  /* Each of these is NULL where the design has none. */
  const loom_domains *domains;
  const loom_fabric *fabric;
  const loom_drawing *places;
  const loom_routes *routes;
  const loom_machine *machine;
  const loom_binding *binding;
  const loom_design *design;
  int shows_control, shows_names;
  uint32_t *domain_of; /* by node */
} drawing;

/* ---- writing ------------------------------------------------------------------------------- */

/* A write that fails is reported and remembered by the host, so no check is needed here. */
static void put(drawing *d, const char *text) {
  d->host->write(d->host, "graph.dot", text, strlen(text));
}

/* Short text with numbers in it; names go through `quoted`, which has no limit. */
static void putf(drawing *d, const char *format, ...) {
  char text[200];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  put(d, text);
}

/* The inside of a quoted string: quotes and backslashes get a backslash. */
static void quoted(drawing *d, const char *text) {
  for (; *text; text++) {
    char one[3] = {'\\', *text, 0};
    put(d, *text == '"' || *text == '\\' ? one : one + 1);
  }
}

static loom_type type_of(const drawing *d, uint32_t result) {
  loom_result r;
  loom_type t;
  d->dfg->result(d->design, result, &r, sizeof r);
  d->dfg->type(d->design, r.type, &t, sizeof t);
  return t;
}

static int is_control(const drawing *d, uint32_t result) {
  return type_of(d, result).kind == LOOM_NO_DATA;
}

/* A memref argument is only a name: the memory it stands for is drawn. With --control=hide, what
 * gives no value is not drawn either. */
static int is_drawn(const drawing *d, const loom_node *node) {
  loom_argument argument;
  if (node->argument != LOOM_NONE) {
    d->dfg->argument(d->design, node->argument, &argument, sizeof argument);
    if (argument.role == LOOM_MEMREF) return 0;
  }
  if (d->shows_control || node->result_count == 0) return 1;
  for (uint32_t i = 0; i < node->result_count; i++)
    if (!is_control(d, node->first_result + i)) return 1;
  return 0;
}

/* ---- nodes --------------------------------------------------------------------------------- */

/* The value of a constant: floats of 32 and 64 bits in decimal, whole numbers, else the bits. */
static void literal(drawing *d, const loom_node *node) {
  unsigned long long bits = node->literal;
  uint32_t low = (uint32_t)node->literal;
  loom_type t = type_of(d, node->first_result);
  double f64;
  float f32;
  memcpy(&f64, &node->literal, sizeof f64);
  memcpy(&f32, &low, sizeof f32);
  if (t.kind == LOOM_IEEE && t.bits >= 32)
    putf(d, "%.9g", t.bits == 64 ? f64 : (double)f32);
  else
    putf(d, t.kind == LOOM_INTEGER || t.kind == LOOM_INDEX ? "%llu" : "0x%llx", bits);
}

/* `name = addi`, and where it came from as the tooltip. */
static void draw_node(drawing *d, uint32_t id) {
  loom_node node;
  const char *op, *shape = "box";
  d->dfg->node(d->design, id, &node, sizeof node);
  if (!is_drawn(d, &node)) return;
  op = strchr(node.op_name, '.') ? strchr(node.op_name, '.') + 1 : node.op_name;
  if (node.argument != LOOM_NONE || node.result_count == 0) shape = "ellipse";
  if (strstr(op, "memory")) shape = "cylinder";
  putf(d, "n%u [shape=%s, label=\"", (unsigned)id, shape);
  quoted(d, node.name);
  if (strcmp(op, "constant") == 0) {
    put(d, " = ");
    literal(d, &node);
  } else if (node.argument == LOOM_NONE && node.result_count != 0) {
    put(d, "\\n");
    put(d, op);
    if (*node.step_op) put(d, " "), quoted(d, node.step_op), put(d, " "), quoted(d, node.cont_cond);
  }
  put(d, "\", tooltip=\"");
  quoted(d, node.where);
  put(d, "\"];\n");
}

/* A node stands where its results tick; where those differ (cond_br) or there is none, where its
 * first operand does. */
static uint32_t domain_of(const drawing *d, uint32_t id) {
  loom_node node;
  loom_edge edge;
  uint32_t domain = 0, differ = 0;
  d->dfg->node(d->design, id, &node, sizeof node);
  for (uint32_t i = 0; i < node.result_count; i++) {
    uint32_t one = d->domains->of_result(d->design, node.first_result + i);
    differ |= i != 0 && one != domain;
    domain = one;
  }
  if (node.operand_count == 0 || (node.result_count != 0 && !differ)) return domain;
  d->dfg->edge(d->design, node.operands[0], &edge, sizeof edge);
  return d->domains->of_result(d->design, edge.result);
}

/* Draws a domain: its nodes, then the domains inside it. Domain 0 is the whole call. */
static void draw_domain(drawing *d, uint32_t id) {
  static const char *const titles[] = {"", "loop while ", "where ", "where not "};
  uint32_t nodes = d->dfg->node_count(d->design), domains = d->domains->domain_count(d->design);
  loom_domain domain;
  loom_result condition;
  if (id != 0) {
    d->domains->domain(d->design, id, &domain, sizeof domain);
    d->dfg->result(d->design, domain.condition, &condition, sizeof condition);
    putf(d, "subgraph cluster_%u {\nlabel=\"%s", (unsigned)id, titles[domain.kind]);
    quoted(d, condition.name);
    put(d, "\";\n");
  }
  for (uint32_t i = 0; i < nodes; i++)
    if (d->domain_of[i] == id) draw_node(d, i);
  for (uint32_t i = id + 1; i < domains; i++) { /* parents count less than their children */
    d->domains->domain(d->design, i, &domain, sizeof domain);
    if (domain.parent == id) draw_domain(d, i);
  }
  if (id != 0) put(d, "}\n");
}

/* ---- edges --------------------------------------------------------------------------------- */

static void draw_edge(drawing *d, uint32_t id) {
  loom_edge edge;
  loom_node from, to;
  int control;
  d->dfg->edge(d->design, id, &edge, sizeof edge);
  d->dfg->node(d->design, edge.from, &from, sizeof from);
  d->dfg->node(d->design, edge.to, &to, sizeof to);
  control = is_control(d, edge.result);
  if (!is_drawn(d, &from) || !is_drawn(d, &to) || (control && !d->shows_control)) return;
  if (edge.is_back) /* drawn from its far end, so that dot places nodes as if it were not there */
    putf(d, "n%u -> n%u [dir=back, color=blue, ", (unsigned)edge.to, (unsigned)edge.from);
  else
    putf(d, "n%u -> n%u [", (unsigned)edge.from, (unsigned)edge.to);
  put(d, control ? "style=dashed" : "style=solid");
  if (d->shows_names) put(d, ", label=\""), quoted(d, edge.name), put(d, "\"");
  if (from.port != LOOM_NONE && to.memory == from.memory) /* an access and its memory */
    putf(d, ", label=\"%s%u\"", strstr(from.op_name, "load") ? "ld" : "st", (unsigned)from.port);
  put(d, "];\n");
}

/* ---- hardware ------------------------------------------------------------------------------ */

/* What a mapping makes of the hardware: by input port, whether tokens come by it; by node of the
 * graph that was mapped, the unit that carries it out. */
typedef struct {
  unsigned char *is_used;
  uint32_t *unit_of;
  uint32_t nodes;
} mapped;

static void find_routes(drawing *d, mapped *m) {
  uint32_t n = d->routes ? d->routes->route_count(d->design) : 0;
  loom_route route;
  m->is_used = d->host->alloc(d->host, d->fabric->port_count(d->design) + (size_t)1);
  for (uint32_t i = 0; i < n; i++) {
    d->routes->route(d->design, i, &route, sizeof route);
    for (uint32_t k = 0; k < route.port_count; k++) m->is_used[route.ports[k]] = 1;
  }
}

/* An edge's tokens leave the unit of its node `from`, and the unit that takes them is that of its
 * node `to`. */
static void find_units(drawing *d, mapped *m) {
  const loom_design *graph = d->binding ? d->binding->graph(d->design) : NULL;
  uint32_t id, n = d->machine && graph ? d->machine->input_count(d->design) : 0;
  loom_unit_input in;
  loom_unit_output out;
  loom_edge edge;
  m->nodes = graph && d->dfg ? d->dfg->node_count(graph) : 0;
  m->unit_of = d->host->alloc(d->host, (m->nodes + (size_t)1) * sizeof *m->unit_of);
  for (uint32_t i = 0; i < m->nodes; i++) m->unit_of[i] = LOOM_NONE;
  for (uint32_t i = 0; i < n && m->nodes; i++) {
    id = d->binding->edge(d->design, i);
    if (id == LOOM_NONE) continue;
    d->machine->input(d->design, i, &in, sizeof in);
    d->machine->output(d->design, in.output, &out, sizeof out);
    d->dfg->edge(graph, id, &edge, sizeof edge);
    m->unit_of[edge.from] = out.unit;
    m->unit_of[edge.to] = in.unit;
  }
}

/* A name; and in lines below it the nodes of a PE, or a port. */
static void component_label(drawing *d, const mapped *m, const loom_component *c) {
  loom_unit unit;
  loom_node node;
  quoted(d, c->name);
  for (uint32_t i = 0; i < m->nodes; i++) {
    if (m->unit_of[i] == LOOM_NONE) continue;
    d->machine->unit(d->design, m->unit_of[i], &unit, sizeof unit);
    d->dfg->node(d->binding->graph(d->design), i, &node, sizeof node);
    if (strcmp(unit.name, c->name) == 0) put(d, "\\n"), quoted(d, node.name);
  }
}

static void draw_component(drawing *d, const mapped *m, uint32_t id) {
  static const char *const shapes[] = {"plaintext", "plaintext", "box",      "box",
                                       "diamond",   "diamond",   "ellipse",  "ellipse",
                                       "ellipse",   "ellipse",   "cylinder", "cylinder"};
  loom_component c;
  loom_box box;
  uint32_t is_used = 0;
  d->fabric->component(d->design, id, &c, sizeof c);
  d->places->box(d->design, id, &box, sizeof box);
  for (uint32_t p = c.first_port; p < c.first_port + c.input_count + c.output_count; p++)
    is_used |= m->is_used[p];
  putf(d, "c%u [shape=%s, pos=\"%ld,%ld\", ", (unsigned)id,
       c.kind < LOOM_COUNT(shapes) ? shapes[c.kind] : "box", (long)box.x, -(long)box.y);
  if (box.width && c.kind > LOOM_FABRIC_OUTPUT)
    putf(d, "fixedsize=true, width=%.2f, height=%.2f, fontsize=%d, ", (double)box.width / 72,
         (double)box.height / 72, box.height < 12 ? 6 : 8);
  put(d, is_used ? "fillcolor=\"#d6e6ff\", label=\"" : "label=\"");
  component_label(d, m, &c);
  put(d, "\"];\n");
}

/* A channel from an output port to each of its peers. */
static void draw_channels(drawing *d, const mapped *m, uint32_t id) {
  loom_port from, to;
  d->fabric->port(d->design, id, &from, sizeof from);
  for (uint32_t k = 0; from.is_output && k < from.peer_count; k++) {
    d->fabric->port(d->design, from.peers[k], &to, sizeof to);
    putf(d, "c%u -> c%u [taillabel=\"%u\", headlabel=\"%u\", %s];\n", (unsigned)from.component,
         (unsigned)to.component, (unsigned)from.index, (unsigned)to.index,
         m->is_used[from.peers[k]] ? "color=blue, penwidth=2" : "color=gray70, fontcolor=gray70");
  }
}

static void draw_hardware(drawing *d) {
  mapped m;
  find_routes(d, &m);
  find_units(d, &m);
  put(d, "digraph \"");
  quoted(d, d->fabric->name(d->design));
  put(d, "\" {\ngraph [layout=nop, splines=line, outputorder=edgesfirst];\n"
         "node [fontname=\"sans-serif\", fontsize=6, style=filled, fillcolor=white];\n"
         "edge [fontname=\"sans-serif\", fontsize=5, arrowsize=0.4, labeldistance=1];\n");
  for (uint32_t i = 0; i < d->fabric->component_count(d->design); i++) draw_component(d, &m, i);
  for (uint32_t i = 0; i < d->fabric->port_count(d->design); i++) draw_channels(d, &m, i);
  put(d, "}\n");
}

/* ---- the backend --------------------------------------------------------------------------- */

static int create(const loom_host *host, void **state) {
  drawing *d = host->alloc(host, sizeof *d);
  d->host = host;
  d->dfg = host->get_extension(host, "loom.dfg/1");
  d->domains = host->get_extension(host, "loom.domains/1");
  d->binding = host->get_extension(host, "loom.binding/1");
  d->machine = host->get_extension(host, "loom.machine/1");
  d->routes = host->get_extension(host, "loom.routes/1");
  d->places = host->get_extension(host, "loom.drawing/1");
  d->fabric = host->get_extension(host, "loom.fabric/1");
  if (strcmp(host->option(host, "hardware"), "graph") == 0) d->fabric = NULL;
  d->shows_control = strcmp(host->option(host, "control"), "show") == 0;
  d->shows_names = *host->option(host, "names") == '1';
  *state = d;
  return LOOM_OK;
}

static int emit(void *state, const loom_design *design) {
  drawing *d = state;
  uint32_t nodes;
  d->design = design;
  if (d->fabric && d->places) {
    draw_hardware(d);
    return LOOM_OK;
  }
  nodes = d->dfg->node_count(design);
  d->domain_of = d->host->alloc(d->host, nodes * sizeof *d->domain_of);
  put(d, "digraph \"");
  quoted(d, d->dfg->name(design));
  put(d, "\" {\n");
  putf(d, "rankdir=%s; node [fontname=monospace]; edge [fontname=monospace, fontsize=10];\n",
       d->host->option(d->host, "direction"));
  for (uint32_t i = 0; i < nodes; i++) d->domain_of[i] = d->domains ? domain_of(d, i) : 0;
  if (d->domains) draw_domain(d, 0);
  for (uint32_t i = 0; i < nodes && !d->domains; i++) draw_node(d, i);
  for (uint32_t i = 0; i < d->dfg->edge_count(design); i++) draw_edge(d, i);
  put(d, "}\n");
  return LOOM_OK;
}

static void destroy(void *state) {
  (void)state; /* all of it came from host->alloc */
}

/* ---- the plugin ---------------------------------------------------------------------------------- */

static const loom_option control =
    LOOM_OPTION(LOOM_CHOICE, "control", "show", "show|hide", "edges and nodes that carry no value");
static const loom_option names = LOOM_OPTION(LOOM_FLAG, "names", "0", NULL, "name every edge");
static const loom_option direction =
    LOOM_OPTION(LOOM_CHOICE, "direction", "TB", "TB|LR", "top to bottom, or left to right");
static const loom_option hardware =
    LOOM_OPTION(LOOM_CHOICE, "hardware", "drawn", "drawn|graph",
                "of hardware: it, or the graph that its configuration is");
static const loom_option *const options[] = {&control, &names, &direction, &hardware};

static const loom_backend dot = {
    .size = sizeof dot,
    .id = "dot",
    .version = "1.0",
    .summary = "a drawing for Graphviz",
    .options = options,
    .option_count = LOOM_COUNT(options),
    .create = create,
    .emit = emit,
    .destroy = destroy,
};
static const loom_backend *const backends[] = {&dot};
LOOM_PLUGIN_ENTRY = LOOM_PLUGIN(backends);
