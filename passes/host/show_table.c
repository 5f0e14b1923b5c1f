/* show_table.c -- the tables of loom_show.h that need no run: source text, positions of components
 * in a drawing, routes of tokens, the mapping file, initial contents of memories.
 *
 *     sources   the place of a node: of a mapping the one in the mapping file, which has the source
 *               text, too; else the node's location, in a text that this process has read. Without
 *               that text it is a place in the text of the graph
 *     drawing   the file that the fabric names (viz_file), if it places all components; else the
 *               layout of `loom adg show --dot`
 *     routes    the hops that lead to each operand of the machine, followed back to their source
 *
 * Each is computed at the first call, and kept with the design.
 */
#include "config/configured.h"
#include "fabric/show.h"
#include "host/design.h"
#include "machine/connect.h"
#include "run/entries.h"

typedef struct {
  const char *name, *text;
  size_t length;
} ShownFile;

struct DesignShow {
  Vec(ShownFile) files;
  loom_source_place *places; /* by node of the graph that is shown */
  bool is_given;             /* `boxes` are from a drawing of the fabric */
  loom_box *boxes;           /* by component */
  loom_route *routes;
  u32 nroutes;
  u64 **contents; /* by memory; NULL: not yet computed */
  u64 *counts;    /* of their elements */
};

/* A design is const to backends; answers are a cache in it. */
static struct DesignShow *shown(const loom_design *design) {
  loom_design *memo = (loom_design *)(uintptr_t)design;
  if (!memo->show) memo->show = NEW(memo->arena, struct DesignShow);
  return memo->show;
}

void show_free(loom_design *design) {
  if (design->show) vec_free(&design->show->files);
}

/* The graph of a design: of mapped hardware the one that was mapped. */
static const Dfg *shown_graph(const loom_design *d) {
  return d->asked ? d->asked->dfg : d->dfg;
}

/* ---- loom.source/1 --------------------------------------------------------------------------- */

/* The text of a source file: from the mapping file, or one that this process has read. */
static ShownFile find_text(const loom_design *d, const char *name, size_t len) {
  const json_t *sources = json_object_get(d->mapping, "sources");
  for (size_t i = 0; i < json_array_size(sources); i++) {
    const json_t *one = json_array_get(sources, i), *text = json_object_get(one, "text");
    const char *file = json_string_value(json_object_get(one, "file"));
    if (file && text && strlen(file) == len && memcmp(file, name, len) == 0)
      return (ShownFile){file, json_string_value(text), json_string_length(text)};
  }
  for (u32 i = 0; i < d->ctx->sources.len; i++) {
    const Source *s = &d->ctx->sources.at[i];
    if (strlen(s->name) == len && memcmp(s->name, name, len) == 0)
      return (ShownFile){s->name, s->text, s->len};
  }
  return (ShownFile){0};
}

static u32 file_number(const loom_design *d, const char *name, size_t len) {
  struct DesignShow *show = shown(d);
  for (u32 i = 0; i < show->files.len; i++)
    if (strlen(show->files.at[i].name) == len && memcmp(show->files.at[i].name, name, len) == 0)
      return i;
  ShownFile file = find_text(d, name, len);
  if (!file.text) return LOOM_NONE;
  vec_push(&show->files, file);
  return (u32)show->files.len - 1;
}

/* Parses "kernel.mlir:12:5". False where that is no place in a text that is known. */
static bool read_place(const loom_design *d, const char *text, loom_source_place *out) {
  const char *end = text ? strrchr(text, ':') : NULL, *middle = end;
  while (middle && middle > text && *--middle != ':') {
  }
  if (!end || middle == text || *middle != ':') return false;
  out->file = file_number(d, text, (size_t)(middle - text));
  out->line = (u32)strtoul(middle + 1, NULL, 10);
  out->column = (u32)strtoul(end + 1, NULL, 10);
  return out->file != LOOM_NONE && out->line && out->column;
}

/* The place of a node in the mapping file, also of a closest attempt, for which there are no
 * origins; NULL: none. */
static const char *kept_place(const loom_design *d, const Dfg *dfg, u32 node) {
  if (d->asked && d->origins->dfg == dfg) return d->origins->places[node];
  const json_t *nodes = d->machine ? NULL : json_object_get(d->mapping, "nodes");
  const char *name = dfg_text(dfg, dfg_node(dfg, node)->name);
  return json_string_value(json_object_get(json_object_get(nodes, name), "at"));
}

static void find_places(const loom_design *d) {
  struct DesignShow *show = shown(d);
  const Dfg *dfg = shown_graph(d);
  show->places = NEW_ARRAY(d->arena, loom_source_place, dfg->nnodes + (size_t)1);
  for (u32 v = 0; v < dfg->nnodes; v++) {
    Place own = source_place(d->ctx, dfg->nodes[v].loc);
    loom_source_place *place = &show->places[v];
    if (read_place(d, kept_place(d, dfg, v), place)) continue;
    if (read_place(d, dfg_text(dfg, dfg->nodes[v].loc_text), place)) continue;
    *place = (loom_source_place){LOOM_NONE, own.line, own.column};
    if (own.file) place->file = file_number(d, own.file, strlen(own.file));
  }
}

static u32 file_count(const loom_design *d) {
  if (!shown(d)->places) find_places(d);
  return (u32)d->show->files.len;
}

static int file(const loom_design *d, u32 i, loom_source_file *out, size_t size) {
  if (i >= file_count(d)) return LOOM_ERROR;
  const ShownFile *f = &d->show->files.at[i];
  FILL(loom_source_file full = {.name = f->name, .text = f->text, .length = f->length});
}

static int place(const loom_design *d, u32 node, loom_source_place *out, size_t size) {
  if (node >= shown_graph(d)->nnodes) return LOOM_ERROR;
  if (!shown(d)->places) find_places(d);
  design_fill(out, size, &d->show->places[node], sizeof d->show->places[node]);
  return LOOM_OK;
}

const loom_source loom_source_table = {
    .size = sizeof(loom_source), .file_count = file_count, .file = file, .place = place};

/* ---- loom.drawing/1 -------------------------------------------------------------------------- */

/* Boxes from the drawing, by names of components. True where it places all of the fabric. */
static bool read_drawing(const loom_design *d, const Adg *adg, loom_box *boxes) {
  json_t *root = d->drawing
                     ? json_loadb(d->drawing->text, d->drawing->len, JSON_REJECT_DUPLICATES, NULL)
                     : NULL;
  const json_t *components = json_object_get(root, "components");
  Map seen = {0};
  u32 found = 0;
  for (size_t i = 0; i < json_array_size(components); i++) {
    const json_t *one = json_array_get(components, i);
    const char *name = json_string_value(json_object_get(one, "name"));
    const json_t *x = json_object_get(one, "x"), *y = json_object_get(one, "y");
    u32 c = name ? adg_find(adg, name) : ADG_NONE;
    u64 known;
    if (c == ADG_NONE || !json_is_number(x) || !json_is_number(y)) continue;
    double across = json_number_value(x), down = json_number_value(y);
    if (across < -1e6 || across > 1e6 || down < -1e6 || down > 1e6) continue;
    boxes[c] = (loom_box){.x = (int32_t)across, .y = (int32_t)down};
    if (map_get(&seen, c, &known)) continue;
    map_put(&seen, c, 1);
    found++;
  }
  map_free(&seen);
  json_decref(root);
  return found == adg->ncomponents && found;
}

static void find_boxes(const loom_design *d) {
  struct DesignShow *show = shown(d);
  const Adg *adg = d->image->layout->adg;
  show->boxes = NEW_ARRAY(d->arena, loom_box, adg->ncomponents + (size_t)1);
  show->is_given = read_drawing(d, adg, show->boxes);
  if (show->is_given) return;
  AdgBox *boxes = adg_picture(adg);
  for (u32 c = 0; c < adg->ncomponents; c++)
    show->boxes[c] = (loom_box){(int32_t)boxes[c].x, (int32_t)-boxes[c].y, (u32)boxes[c].wide,
                                (u32)boxes[c].high};
  mem_free(boxes);
}

static u32 is_given(const loom_design *d) {
  if (!shown(d)->boxes) find_boxes(d);
  return d->show->is_given;
}

static int box(const loom_design *d, u32 component, loom_box *out, size_t size) {
  if (component >= d->image->layout->adg->ncomponents) return LOOM_ERROR;
  if (!shown(d)->boxes) find_boxes(d);
  design_fill(out, size, &d->show->boxes[component], sizeof d->show->boxes[component]);
  return LOOM_OK;
}

const loom_drawing loom_drawing_table = {
    .size = sizeof(loom_drawing), .is_given = is_given, .box = box};

/* ---- loom.routes/1 --------------------------------------------------------------------------- */

/* Identifies a hop by the port that it enters, and its tag there. */
static u64 hop_key(u32 port, u32 tag) {
  return (u64)port << 32 | tag;
}

/* Does the hop lead to a buffer of a switch, and along no channel of the fabric? */
static bool is_inside(const Configured *conf, const ConfHop *hop) {
  return conf->adg->ports[hop->port].is_output;
}

/* Does the hop enter a buffer, or a FIFO that holds tokens? A net ends there. */
static bool ends_net(const Configured *conf, const bool *is_fifo, const ConfHop *hop) {
  return is_inside(conf, hop) || is_fifo[conf->adg->ports[hop->port].component];
}

/* By component: it is a FIFO that holds tokens. */
static bool *find_fifos(const Configured *conf, const Machine *machine) {
  bool *is_fifo = mem_alloc((size_t)conf->adg->ncomponents + 1);
  for (u32 u = 0; u < machine->nunits; u++) {
    const MachineUnit *unit = &machine->units[u];
    if (unit->kind == UNIT_FIFO && conf->adg->components[unit->component].kind == ADG_FIFO)
      is_fifo[unit->component] = true;
  }
  return is_fifo;
}

/* The ports and tags of the hops up to `hop`, from the source on; `first` is the index at which the
 * last net begins. Each hop along a channel has two ports. */
static loom_route route_to(const loom_design *d, const Configured *conf, const bool *is_fifo,
                           u32 input, u32 hop) {
  u32 n = 0;
  for (u32 h = hop; h != ADG_NONE; h = conf->hops[h].from)
    n += is_inside(conf, &conf->hops[h]) ? 0 : 2;
  u32 *ports = NEW_ARRAY(d->arena, u32, n + (size_t)1),
      *tags = NEW_ARRAY(d->arena, u32, n + (size_t)1);
  loom_route route = {.input = input, .ports = ports, .tags = tags, .port_count = n};
  route.edge = d->asked ? origin_edge(d->origins, input) : LOOM_NONE;
  for (u32 h = hop, at = n; h != ADG_NONE; h = conf->hops[h].from) {
    if (h != hop && !route.first && ends_net(conf, is_fifo, &conf->hops[h])) route.first = at;
    if (is_inside(conf, &conf->hops[h])) continue;
    ports[at - 1] = conf->hops[h].port;
    ports[at - 2] = fabric_drivers(d)[conf->hops[h].port];
    tags[at - 1] = tags[at - 2] = conf->hops[h].tag;
    at -= 2;
  }
  return route;
}

/* Operands that stay inside a PE have no route, nor have buffers whose token is packed before
 * them. */
static void find_routes(const loom_design *d) {
  struct DesignShow *show = shown(d);
  QuietScope quiet = diag_quiet(d->ctx);
  Configured *conf = configured_new(d->ctx, d->image);
  bool *is_fifo = find_fifos(conf, d->machine);
  Map hops = {0};
  show->routes = NEW_ARRAY(d->arena, loom_route, d->machine->ninputs + (size_t)1);
  for (u32 h = 0; h < conf->nhops; h++)
    map_put(&hops, hop_key(conf->hops[h].port, conf->hops[h].tag), h);
  for (u32 i = 0; i < d->machine->ninputs; i++) {
    const MachineInput *in = &d->machine->inputs[i];
    u64 hop;
    if (in->port == ADG_NONE || !map_get(&hops, hop_key(in->port, in->tag), &hop)) continue;
    loom_route route = route_to(d, conf, is_fifo, i, (u32)hop);
    if (route.port_count) show->routes[show->nroutes++] = route;
  }
  map_free(&hops);
  mem_free(is_fifo);
  configured_free(conf);
  diag_quiet_end(d->ctx, &quiet);
}

static u32 route_count(const loom_design *d) {
  if (!shown(d)->routes) find_routes(d);
  return d->show->nroutes;
}

static int route(const loom_design *d, u32 i, loom_route *out, size_t size) {
  if (i >= route_count(d)) return LOOM_ERROR;
  design_fill(out, size, &d->show->routes[i], sizeof d->show->routes[i]);
  return LOOM_OK;
}

const loom_routes loom_routes_table = {
    .size = sizeof(loom_routes), .route_count = route_count, .route = route};

/* ---- loom.mapping/1 -------------------------------------------------------------------------- */

static const char *mapping_json(const loom_design *d) {
  return d->mapping_text->text;
}

const loom_mapping loom_mapping_table = {.size = sizeof(loom_mapping), .json = mapping_json};

/* ---- loom.contents/1 ------------------------------------------------------------------------- */

static void take_contents(struct DesignShow *show, Arena *arena, u32 memory, const u64 *data,
                          u64 count) {
  show->counts[memory] = count;
  show->contents[memory] = NEW_ARRAY(arena, u64, count + 1);
  if (count) memcpy(show->contents[memory], data, count * sizeof *data);
}

static void contents_of_machine(const loom_design *d, const Dfg *dfg) {
  Connection *c = connect_case(d->ctx, d->machine, dfg, d->binding, d->input);
  for (u32 m = 0; c && m < dfg->nmemories; m++) {
    const MachineStore *store = &connect_job(c)->stores[connect_region(d->machine, d->binding, m)];
    take_contents(d->show, d->arena, m, store->data, store->elements);
  }
  connect_free(c);
}

static void contents_of_graph(const loom_design *d, const Dfg *dfg) {
  ArgEntry *entries = NEW_ARRAY(d->arena, ArgEntry, dfg->nargs + (size_t)1);
  if (!entries_read(d->ctx, dfg, d->input, d->arena, entries)) return;
  for (u32 m = 0; m < dfg->nmemories; m++) {
    const DfgMemory *memory = &dfg->memories[m];
    if (memory->arg == DFG_NONE && memory->is_dynamic) continue;
    u64 n = memory->arg == DFG_NONE ? memory->elements : (u64)entries[memory->arg].layout.elements;
    u64 *data = mem_alloc(mem_size((size_t)n + 1, sizeof *data));
    if (memory->arg == DFG_NONE) {
      for (u64 e = 0; e < n; e++) data[e] = entries_initial(dfg, memory, e);
    } else if (n) {
      Array *array =
          array_laid_out(entries[memory->arg].entry->array, &entries[memory->arg].layout);
      Elements from = array_elements(array);
      for (size_t e = 0; e < from.n && e < n; e++) data[e] = element_of(from, e);
      array_release(array);
    }
    take_contents(d->show, d->arena, m, data, n);
    mem_free(data);
  }
}

static const uint64_t *memory_contents(const loom_design *d, uint32_t memory, uint64_t *count) {
  const Dfg *dfg = shown_graph(d);
  struct DesignShow *show = shown(d);
  *count = 0;
  if (memory >= dfg->nmemories) return NULL;
  if (!show->contents) {
    QuietScope quiet = diag_quiet(d->ctx);
    show->contents = NEW_ARRAY(d->arena, u64 *, dfg->nmemories + (size_t)1);
    show->counts = NEW_ARRAY(d->arena, u64, dfg->nmemories + (size_t)1);
    d->machine ? contents_of_machine(d, dfg) : contents_of_graph(d, dfg);
    diag_quiet_end(d->ctx, &quiet);
  }
  *count = show->counts[memory];
  return show->contents[memory];
}

const loom_initial loom_initial_table = {.size = sizeof(loom_initial), .memory = memory_contents};
