/* graph.c -- the dataflow graph, laid out by graphviz.
 *
 * The layout is that of dot (Gansner et al., "A Technique for Drawing Directed Graphs", 1993).
 * Nodes are boxes that are sized here to fit their text, so that the layout does not depend on the
 * fonts of a machine: graphviz gets boxes without text. Loops are clusters, nested as in the
 * source. A back edge is laid out in reverse, so that it does not change the ranks of nodes, and
 * its path is reversed again. Large graphs get a cheaper layout (MANY, find_long_edges).
 *
 * A memref argument is not drawn: the memory that it stands for is.
 */
#include "loom_predicates.h"
#include "view.h"

#include <graphviz/gvc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 15 /* points */, MANY = 700 /* nodes */ };

typedef struct {
  const View *v;
  Json *j;
  uint32_t nnodes, nedges, ndomains;
  unsigned char *is_drawn, *is_long;
  uint32_t *loop_of;   /* by node: the innermost loop, a domain; 0: none */
  Agraph_t **clusters; /* by domain */
  Agnode_t **nodes;
  Agedge_t **edges;
  Agraph_t *graph;
  double height;
} Drawing;

/* ---- reading --------------------------------------------------------------------------------- */

static void get_node(const Drawing *d, uint32_t id, loom_node *node) {
  d->v->dfg->node(d->v->shown, id, node, sizeof *node);
}

static loom_type type_of(const Drawing *d, uint32_t result) {
  loom_result r;
  loom_type t;
  d->v->dfg->result(d->v->shown, result, &r, sizeof r);
  d->v->dfg->type(d->v->shown, r.type, &t, sizeof t);
  return t;
}

/* "arith.addi": "addi". */
static const char *short_op(const char *name) {
  const char *dot = strchr(name, '.');
  return dot ? dot + 1 : name;
}

static const char *class_of(const loom_node *node) {
  static const char *const control[] = {
      "dataflow.",       "handshake.cond_br", "handshake.join",         "handshake.mux",
      "handshake.merge", "handshake.buffer",  "handshake.constant",     "handshake.source",
      "handshake.sink",  "handshake.fork",    "handshake.control_merge"};
  const char *op = node->op_name;
  if (node->argument != LOOM_NONE) return "argument";
  if (node->result_count == 0 || strcmp(op, "handshake.return") == 0) return "return";
  if (strstr(op, "memory")) return "memory";
  if (strcmp(op, "handshake.load") == 0 || strcmp(op, "handshake.store") == 0) return "access";
  for (size_t i = 0; i < sizeof control / sizeof *control; i++)
    if (strncmp(op, control[i], strlen(control[i])) == 0) return "control";
  return "arithmetic";
}

static const char *const predicates_i[] = {CMPI_WORDS};
static const char *const predicates_f[] = {CMPF_WORDS};

static void put_literal(const loom_type *t, uint64_t bits, char *out, size_t room) {
  double f64;
  float f32;
  uint32_t low = (uint32_t)bits;
  memcpy(&f64, &bits, sizeof f64);
  memcpy(&f32, &low, sizeof f32);
  if (t->kind == LOOM_IEEE && t->bits >= 32)
    snprintf(out, room, "%.9g", t->bits == 64 ? f64 : (double)f32);
  else if (t->kind == LOOM_INTEGER || t->kind == LOOM_INDEX)
    snprintf(out, room, "%lld",
             t->bits && t->bits < 64 && t->bits > 1 && bits >> (t->bits - 1) & 1
                 ? (long long)(bits | ~(uint64_t)0 << t->bits)
                 : (long long)bits);
  else
    snprintf(out, room, "0x%llx", (unsigned long long)bits);
}

/* The second line of a node's box. */
static void describe(const Drawing *d, const loom_node *node, char *out, size_t room) {
  const char *op = short_op(node->op_name);
  snprintf(out, room, "%s", node->argument != LOOM_NONE ? "argument" : op);
  if (strcmp(node->op_name, "handshake.constant") == 0) {
    loom_type t = type_of(d, node->first_result);
    char value[40];
    put_literal(&t, node->literal, value, sizeof value);
    snprintf(out, room, t.kind == LOOM_NO_DATA ? "constant" : "constant %s", value);
  } else if (*node->step_op) {
    snprintf(out, room, "stream %s %s", node->step_op, node->cont_cond);
  } else if (strcmp(op, "cmpi") == 0 && node->predicate < LOOM_COUNT(predicates_i)) {
    snprintf(out, room, "cmpi %s", predicates_i[node->predicate]);
  } else if (strcmp(op, "cmpf") == 0 && node->predicate < LOOM_COUNT(predicates_f)) {
    snprintf(out, room, "cmpf %s", predicates_f[node->predicate]);
  }
}

static void find_drawn(Drawing *d) {
  d->is_drawn = backend_alloc(d->v->host, d->nnodes, 1);
  for (uint32_t i = 0; i < d->nnodes; i++) {
    loom_node node;
    loom_argument argument;
    get_node(d, i, &node);
    d->is_drawn[i] = 1;
    if (node.argument == LOOM_NONE) continue;
    d->v->dfg->argument(d->v->shown, node.argument, &argument, sizeof argument);
    if (argument.role == LOOM_MEMREF) d->is_drawn[i] = 0;
  }
}

/* ---- loops ----------------------------------------------------------------------------------- */

/* The domain of a node, hence its loop: that of its results; where those differ, or there is none,
 * that of its first operand. */
static uint32_t domain_of(const Drawing *d, const loom_node *node) {
  const loom_domains *domains = d->v->domains;
  uint32_t domain = 0, differ = 0;
  loom_edge edge;
  for (uint32_t i = 0; i < node->result_count; i++) {
    uint32_t one = domains->of_result(d->v->shown, node->first_result + i);
    differ |= i != 0 && one != domain;
    domain = one;
  }
  if (node->operand_count == 0 || (node->result_count != 0 && !differ)) return domain;
  d->v->dfg->edge(d->v->shown, node->operands[0], &edge, sizeof edge);
  return domains->of_result(d->v->shown, edge.result);
}

static uint32_t loop_around(const Drawing *d, uint32_t domain) {
  while (domain != 0 && domain < d->ndomains) {
    loom_domain at;
    d->v->domains->domain(d->v->shown, domain, &at, sizeof at);
    if (at.kind == LOOM_BURST) return domain;
    domain = at.parent;
  }
  return 0;
}

static uint32_t parent_loop(const Drawing *d, uint32_t loop) {
  loom_domain at;
  if (loop == 0) return 0;
  d->v->domains->domain(d->v->shown, loop, &at, sizeof at);
  return loop_around(d, at.parent);
}

/* The innermost loop around both. Ids of parents are below those of their children. */
static uint32_t common_loop(const Drawing *d, uint32_t a, uint32_t b) {
  while (a != b)
    if (a > b)
      a = parent_loop(d, a);
    else
      b = parent_loop(d, b);
  return a;
}

/* A memory is in the innermost loop around all its accesses. */
static void place_memory(Drawing *d, uint32_t id) {
  loom_memory m;
  uint32_t loop = LOOM_NONE;
  d->v->dfg->memory(d->v->shown, id, &m, sizeof m);
  for (uint32_t k = 0; k < m.store_count + m.load_count; k++) {
    uint32_t at = m.ports[k] == LOOM_NONE ? 0 : d->loop_of[m.ports[k]];
    loop = loop == LOOM_NONE ? at : common_loop(d, loop, at);
  }
  if (loop != LOOM_NONE) d->loop_of[m.node] = loop;
}

static void find_loops(Drawing *d) {
  d->loop_of = backend_alloc(d->v->host, d->nnodes, sizeof *d->loop_of);
  d->ndomains = d->v->domains ? d->v->domains->domain_count(d->v->shown) : 0;
  for (uint32_t i = 0; d->ndomains && i < d->nnodes; i++) {
    loom_node node;
    get_node(d, i, &node);
    if (d->is_drawn[i] && !strstr(node.op_name, "memory"))
      d->loop_of[i] = loop_around(d, domain_of(d, &node));
  }
  for (uint32_t i = 0; d->ndomains && i < d->v->dfg->memory_count(d->v->shown); i++)
    place_memory(d, i);
}

/* ---- graphviz -------------------------------------------------------------------------------- */

static Agraph_t *cluster_of(Drawing *d, uint32_t loop) {
  loom_domain at;
  char name[32];
  Agraph_t *parent;
  if (loop == 0) return d->graph;
  if (d->clusters[loop]) return d->clusters[loop];
  d->v->domains->domain(d->v->shown, loop, &at, sizeof at);
  parent = cluster_of(d, loop_around(d, at.parent));
  snprintf(name, sizeof name, "cluster_%u", (unsigned)loop);
  d->clusters[loop] = agsubg(parent, name, 1);
  agsafeset(d->clusters[loop], "margin", "18", "8");
  return d->clusters[loop];
}

static void set(void *object, const char *name, const char *value) {
  char key[32], text[64];
  snprintf(key, sizeof key, "%s", name);
  snprintf(text, sizeof text, "%s", value);
  agsafeset(object, key, text, "");
}

static void set_inches(void *object, const char *name, double points) {
  char text[32];
  long thousandths = lround(points * 1000 / 72);
  snprintf(text, sizeof text, "%ld.%03ld", thousandths / 1000, thousandths % 1000);
  set(object, name, text);
}

/* Characters of UTF-8, not bytes. */
static size_t letters(const char *text) {
  size_t n = 0;
  for (; *text; text++) n += ((unsigned char)*text & 0xc0) != 0x80;
  return n;
}

/* The approximate rank of each node: as early as possible, but for nodes that depend on arguments
 * only, such as constants: just before their first use. */
static int *find_levels(const Drawing *d) {
  const uint32_t *order = d->v->dfg->order(d->v->shown);
  int *level = backend_alloc(d->v->host, d->nnodes, sizeof *level);
  unsigned char *early = backend_alloc(d->v->host, d->nnodes, 1);
  loom_node node, from;
  loom_edge edge;
  for (uint32_t k = 0; k < d->nnodes; k++) {
    get_node(d, order[k], &node);
    early[order[k]] = 1;
    for (uint32_t i = 0; i < node.operand_count; i++) {
      d->v->dfg->edge(d->v->shown, node.operands[i], &edge, sizeof edge);
      if (edge.is_back) continue;
      get_node(d, edge.from, &from);
      early[order[k]] &= from.argument != LOOM_NONE;
      if (level[edge.from] >= level[order[k]]) level[order[k]] = level[edge.from] + 1;
    }
  }
  for (uint32_t k = 0; k < d->nedges; k++) { /* early nodes go down to the first that uses them */
    d->v->dfg->edge(d->v->shown, k, &edge, sizeof edge);
    if (!edge.is_back && early[edge.from] && !early[edge.to] &&
        (early[edge.from] == 1 || level[edge.to] - 1 < level[edge.from]))
      level[edge.from] = level[edge.to] - 1, early[edge.from] = 2;
  }
  return level;
}

/* Graphviz adds a virtual node to each rank that an edge passes. If these would be very many, long
 * edges are left out of the layout, and drawn straight. */
static void find_long_edges(Drawing *d) {
  enum { LONG = 30, MAX_VIRTUAL_NODES = 6000 };
  const int *level = find_levels(d);
  long virtual_nodes = 0;
  loom_edge e;
  d->is_long = backend_alloc(d->v->host, d->nedges, 1);
  for (uint32_t i = 0; i < d->nedges; i++) {
    d->v->dfg->edge(d->v->shown, i, &e, sizeof e);
    virtual_nodes += abs(level[e.to] - level[e.from]);
  }
  for (uint32_t i = 0; virtual_nodes > MAX_VIRTUAL_NODES && i < d->nedges; i++) {
    d->v->dfg->edge(d->v->shown, i, &e, sizeof e);
    d->is_long[i] = abs(level[e.to] - level[e.from]) > LONG;
  }
}

static void add_node(Drawing *d, uint32_t id) {
  loom_node node;
  char name[24], second[80];
  double wide, other;
  get_node(d, id, &node);
  describe(d, &node, second, sizeof second);
  snprintf(name, sizeof name, "n%u", (unsigned)id);
  d->nodes[id] = agnode(d->graph, name, 1);
  wide = (double)letters(node.name) * 7.6;
  other = (double)letters(second) * 6.1;
  if (other > wide) wide = other;
  if (wide > 240) wide = 240;
  set_inches(d->nodes[id], "width", wide + 18);
  set_inches(d->nodes[id], "height", 2 * LINE + 8);
  if (d->loop_of[id]) agsubnode(cluster_of(d, d->loop_of[id]), d->nodes[id], 1);
}

static void build(Drawing *d) {
  d->nodes = backend_alloc(d->v->host, d->nnodes, sizeof *d->nodes);
  d->edges = backend_alloc(d->v->host, d->nedges, sizeof *d->edges);
  d->clusters = backend_alloc(d->v->host, d->ndomains, sizeof *d->clusters);
  find_long_edges(d);
  d->graph = agopen("graph", Agdirected, NULL);
  set(d->graph, "nodesep", "0.22");
  set(d->graph, "ranksep", "0.42");
  if (d->nnodes > MANY) { /* a minute's work for a layout that is hardly better */
    set(d->graph, "nslimit", "1");
    set(d->graph, "nslimit1", "1");
    set(d->graph, "mclimit", "0.1");
    set(d->graph, "splines", "line");
  }
  agattr(d->graph, AGNODE, "shape", "box");
  agattr(d->graph, AGNODE, "label", "");
  agattr(d->graph, AGNODE, "fixedsize", "true");
  agattr(d->graph, AGEDGE, "arrowhead", "none");
  for (uint32_t i = 0; i < d->nnodes; i++)
    if (d->is_drawn[i]) add_node(d, i);
  for (uint32_t i = 0; i < d->nedges; i++) {
    loom_edge e;
    char name[24];
    d->v->dfg->edge(d->v->shown, i, &e, sizeof e);
    if (!d->is_drawn[e.from] || !d->is_drawn[e.to] || e.from == e.to || d->is_long[i]) continue;
    snprintf(name, sizeof name, "e%u", (unsigned)i);
    d->edges[i] = e.is_back ? agedge(d->graph, d->nodes[e.to], d->nodes[e.from], name, 1)
                            : agedge(d->graph, d->nodes[e.from], d->nodes[e.to], name, 1);
  }
}

/* ---- writing --------------------------------------------------------------------------------- */

static int rounded(double x) {
  return (int)lround(x);
}

/* The top left corner, and the size. */
static void write_box(Json *j, double x, double y, double w, double h) {
  const int box[] = {rounded(x), rounded(y), rounded(w), rounded(h)};
  json_numbers(j, "box", box, 4);
}

static void write_type(Json *j, const loom_type *t) {
  static const char *const kinds[] = {"none", "index", "integer", "float", "bf16", "tuple"};
  json_string(j, "type", t->text);
  json_string(j, "kind", kinds[t->kind]);
  json_number(j, "bits", t->bits);
}

static void write_place(const Drawing *d, uint32_t id) {
  loom_source_place place = {LOOM_NONE, 0, 0};
  if (d->v->source) d->v->source->place(d->v->design, id, &place, sizeof place);
  if (place.file == LOOM_NONE) return;
  {
    const uint32_t at[] = {place.file, place.line, place.column};
    json_ids(d->j, "at", at, 3);
  }
}

static void write_node(const Drawing *d, uint32_t id) {
  Json *j = d->j;
  loom_node node;
  char second[80];
  get_node(d, id, &node);
  describe(d, &node, second, sizeof second);
  json_open(j, NULL, '{');
  json_string(j, "name", node.name);
  json_string(j, "op", node.op_name);
  json_string(j, "text", second);
  json_string(j, "class", class_of(&node));
  write_place(d, id);
  if (node.argument != LOOM_NONE) json_number(j, "argument", node.argument);
  if (node.memory != LOOM_NONE) json_number(j, "memory", node.memory);
  if (d->loop_of[id]) json_number(j, "loop", d->loop_of[id]);
  json_ids(j, "operands", node.operands, node.operand_count);
  json_open(j, "results", '[');
  for (uint32_t i = 0; i < node.result_count; i++) json_number(j, NULL, node.first_result + i);
  json_close(j, ']');
  if (d->nodes[id]) {
    double w = ND_width(d->nodes[id]) * 72, h = ND_height(d->nodes[id]) * 72;
    pointf at = ND_coord(d->nodes[id]);
    write_box(j, at.x - w / 2, d->height - at.y - h / 2, w, h);
  }
  json_close(j, '}');
}

/* The points of a spline: the first one, then three for each Bezier curve. */
static void write_path(const Drawing *d, uint32_t id, int is_back) {
  const splines *curves = ED_spl(d->edges[id]);
  size_t n = curves && curves->size ? (size_t)curves->list[0].size : 0;
  json_open(d->j, "path", '[');
  for (size_t k = 0; k < n; k++) {
    pointf at = curves->list[0].list[is_back ? n - 1 - k : k];
    json_number(d->j, NULL, rounded(at.x));
    json_number(d->j, NULL, rounded(d->height - at.y));
  }
  json_close(d->j, ']');
}

/* A straight line, as a spline, from the bottom of one node to the top of the other. */
static void write_straight(const Drawing *d, const loom_edge *e) {
  pointf a = ND_coord(d->nodes[e->from]), b = ND_coord(d->nodes[e->to]);
  double ay = d->height - a.y + ND_height(d->nodes[e->from]) * 36;
  double by = d->height - b.y - ND_height(d->nodes[e->to]) * 36;
  json_open(d->j, "path", '[');
  for (int k = 0; k < 4; k++) {
    json_number(d->j, NULL, rounded(a.x + (b.x - a.x) * k / 3));
    json_number(d->j, NULL, rounded(ay + (by - ay) * k / 3));
  }
  json_close(d->j, ']');
}

static void write_edge(const Drawing *d, uint32_t id) {
  Json *j = d->j;
  loom_edge e;
  loom_type t;
  d->v->dfg->edge(d->v->shown, id, &e, sizeof e);
  t = type_of(d, e.result);
  json_open(j, NULL, '{');
  json_string(j, "name", e.name);
  json_number(j, "from", e.from);
  json_number(j, "to", e.to);
  json_number(j, "operand", e.operand);
  json_number(j, "result", e.result);
  if (t.kind == LOOM_NO_DATA) json_number(j, "control", 1);
  if (e.is_back) json_number(j, "back", 1);
  if (d->edges[id]) write_path(d, id, (int)e.is_back);
  if (d->is_long[id] && d->is_drawn[e.from] && d->is_drawn[e.to]) write_straight(d, &e);
  json_close(j, '}');
}

static void write_loop(const Drawing *d, uint32_t id) {
  Json *j = d->j;
  loom_domain at;
  loom_result condition;
  boxf box = GD_bb(d->clusters[id]);
  d->v->domains->domain(d->v->shown, id, &at, sizeof at);
  d->v->dfg->result(d->v->shown, at.condition, &condition, sizeof condition);
  json_open(j, NULL, '{');
  json_number(j, "id", id);
  json_id(j, "parent", loop_around(d, at.parent) ? loop_around(d, at.parent) : LOOM_NONE);
  json_number(j, "node", condition.node);
  json_string(j, "condition", condition.name);
  write_box(j, box.LL.x, d->height - box.UR.y, box.UR.x - box.LL.x, box.UR.y - box.LL.y);
  json_close(j, '}');
}

/* Opens an object, and writes its name, its node and its type. */
static void open_typed(const Drawing *d, const char *name, uint32_t node, uint32_t type) {
  loom_type t;
  d->v->dfg->type(d->v->shown, type, &t, sizeof t);
  json_open(d->j, NULL, '{');
  json_string(d->j, "name", name);
  json_number(d->j, "node", node);
  write_type(d->j, &t);
}

static void write_results(const Drawing *d) {
  uint32_t n = d->v->dfg->result_count(d->v->shown);
  json_open(d->j, "results", '[');
  for (uint32_t i = 0; i < n; i++) {
    loom_result r;
    d->v->dfg->result(d->v->shown, i, &r, sizeof r);
    open_typed(d, r.name, r.node, r.type);
    json_close(d->j, '}');
  }
  json_close(d->j, ']');
}

static void write_memories(const Drawing *d) {
  uint32_t n = d->v->dfg->memory_count(d->v->shown);
  json_open(d->j, "memories", '[');
  for (uint32_t i = 0; i < n; i++) {
    loom_memory m;
    d->v->dfg->memory(d->v->shown, i, &m, sizeof m);
    open_typed(d, m.name, m.node, m.element);
    json_open(d->j, "extents", '[');
    for (uint32_t k = 0; k < m.rank; k++) json_number(d->j, NULL, m.extents[k]);
    json_close(d->j, ']');
    json_ids(d->j, "ports", m.ports, (size_t)m.store_count + m.load_count);
    json_number(d->j, "stores", m.store_count);
    json_close(d->j, '}');
  }
  json_close(d->j, ']');
}

static void write_graph(Drawing *d) {
  Json *j = d->j;
  boxf bounds = GD_bb(d->graph);
  d->height = bounds.UR.y;
  json_open(j, "graph", '{');
  json_string(j, "name", d->v->dfg->name(d->v->shown));
  json_number(j, "width", rounded(bounds.UR.x));
  json_number(j, "height", rounded(bounds.UR.y));
  json_open(j, "nodes", '[');
  for (uint32_t i = 0; i < d->nnodes; i++) write_node(d, i);
  json_close(j, ']');
  json_open(j, "edges", '[');
  for (uint32_t i = 0; i < d->nedges; i++) write_edge(d, i);
  json_close(j, ']');
  write_results(d);
  json_open(j, "loops", '[');
  for (uint32_t i = 1; i < d->ndomains; i++)
    if (d->clusters[i]) write_loop(d, i);
  json_close(j, ']');
  write_memories(d);
  json_close(j, '}');
}

int view_graph(const View *v, Json *j) {
  Drawing d = {0};
  GVC_t *gvc;
  int failed;
  if (!v->shown) return LOOM_OK;
  d.v = v, d.j = j;
  d.nnodes = v->dfg->node_count(v->shown);
  d.nedges = v->dfg->edge_count(v->shown);
  find_drawn(&d);
  find_loops(&d);
  gvc = gvContext();
  build(&d);
  failed = gvLayout(gvc, d.graph, "dot");
  if (!failed) {
    write_graph(&d);
    gvFreeLayout(gvc, d.graph);
  } else {
    v->host->diag(v->host, LOOM_FAILURE, "VIEW_LAYOUT", LOOM_NONE,
                  "Graphviz cannot lay out the graph: its layout 'dot' is missing or failed");
  }
  agclose(d.graph);
  gvFreeContext(gvc);
  return failed ? LOOM_ERROR : LOOM_OK;
}
