/* tiles.c -- tiles: a level of hierarchy between the top module and components.
 *
 * A tile is a PE with an adjacent switch and the fifos and tag components in front of both, so that
 * a reader and place and route find together what belongs together. The top module has tiles, the
 * channels between them, memories, inputs, outputs, and components that are next to no PE.
 *
 *     tile_pe_0_0 t_pe_0_0 (... .sw__i2_valid(sw_0_1__o0_valid), ...)
 *
 * Within a tile components are named by kind (pe, sw, fifo_0), so tiles of the same structure have
 * the same text, and share one module. A channel with all of its ends in a tile is inside. For
 * other channels the tile has ports, named as the wires of the component's port. A channel forks in
 * the module that has all of its ends.
 *
 * Each PE, in the order of ids, takes the first adjacent switch that has no tile. The text of each
 * tile is generated and compared with those of the distinct tiles before it; every tile goes
 * through all components, so this is quadratic.
 */
#include "wires.h"

#include <string.h>

/* ---- assignment of components to tiles ------------------------------------------------------- */

/* A component that belongs to the tile of its consumer. */
static int is_small(const loom_component *c) {
  return c->kind == LOOM_FIFO || c->kind == LOOM_ADD_TAG || c->kind == LOOM_MAP_TAG ||
         c->kind == LOOM_DEL_TAG;
}

static uint32_t port_count(const loom_component *c) {
  return c->input_count + c->output_count;
}

/* The component at the other end of a channel with one consumer, past at most three fifos and tag
 * components. */
static uint32_t neighbour(const Hardware *h, uint32_t port) {
  for (uint32_t steps = 0; steps < 4 && h->ports[port].peer_count == 1; steps++) {
    uint32_t peer = h->ports[port].peers[0], id = h->ports[peer].component;
    const loom_component *c = &h->components[id];
    if (!is_small(c)) return id;
    port = c->first_port + (h->ports[port].is_output ? 1 : 0);
  }
  return LOOM_NONE;
}

/* The first switch next to a PE that is in no tile yet. */
static void add_switch(Hardware *h, uint32_t pe, uint32_t tile) {
  const loom_component *c = &h->components[pe];
  for (uint32_t p = c->first_port; p < c->first_port + port_count(c); p++) {
    uint32_t id = neighbour(h, p);
    if (id == LOOM_NONE || !is_switch(&h->components[id]) || h->tile_of[id] != LOOM_NONE) continue;
    h->tile_of[id] = tile;
    return;
  }
}

/* Assigns fifos and tag components to the tile of their consumer. From the highest id down, since
 * the consumer may be a fifo with a higher id. */
static void add_small(Hardware *h) {
  for (uint32_t id = h->component_count; id--;) {
    const loom_component *c = &h->components[id];
    const loom_port *out = &h->ports[c->first_port + 1];
    if (is_small(c) && out->peer_count == 1)
      h->tile_of[id] = h->tile_of[h->ports[out->peers[0]].component];
  }
}

/* A PE by itself is no tile. */
static void drop_single(Hardware *h) {
  uint32_t *members = verilog_alloc(h->v, h->tile_count, sizeof *members);
  for (uint32_t id = 0; id < h->component_count; id++)
    if (h->tile_of[id] != LOOM_NONE) members[h->tile_of[id]]++;
  for (uint32_t t = 0; t < h->tile_count; t++) {
    h->tiles[t].has_module = members[t] > 1;
    if (members[t] == 1) h->tile_of[h->tiles[t].pe] = LOOM_NONE;
  }
}

/* The name of a component in its tile; fifos and tag components get a number behind it. */
static const char *kind_name(const loom_component *c) {
  if (is_pe(c)) return "pe";
  if (is_switch(c)) return "sw";
  return c->kind == LOOM_FIFO ? "fifo" : "tag";
}

static void name_members(Hardware *h) {
  uint32_t *next = verilog_alloc(h->v, h->tile_count, 3 * sizeof *next);
  for (uint32_t id = 0; id < h->component_count; id++) {
    const loom_component *c = &h->components[id];
    uint32_t t = h->tile_of[id];
    if (t == LOOM_NONE) continue;
    h->local_names[id] =
        is_small(c) ? text(h->v, "%s_%u", kind_name(c), next[3 * t + (c->kind == LOOM_FIFO)]++)
                    : kind_name(c);
  }
}

/* ---- what stands in a tile ------------------------------------------------------------------- */

static uint32_t place_of(const Hardware *h, uint32_t tile) {
  return tile == LOOM_NONE ? h->tile_count : tile;
}

/* By `of`, which says for each of `count` where it is. */
static Places places_of(const Hardware *h, uint32_t *of, uint32_t count) {
  Places places = {of, verilog_alloc(h->v, h->tile_count + (size_t)1, sizeof *places.first),
                   verilog_alloc(h->v, count, sizeof *places.next)};
  for (uint32_t t = 0; t <= h->tile_count; t++) places.first[t] = LOOM_NONE;
  for (uint32_t i = count; i--;) {
    uint32_t *first = &places.first[place_of(h, of[i])];
    places.next[i] = *first;
    *first = i;
  }
  return places;
}

/* Where all ends of an output's channel are. */
static uint32_t tile_of_output(const Hardware *h, const loom_port *p) {
  uint32_t tile = h->tile_of[p->component];
  for (uint32_t k = 0; k < p->peer_count; k++)
    if (h->tile_of[h->ports[p->peers[k]].component] != tile) return LOOM_NONE;
  return tile;
}

static Places channel_places(const Hardware *h) {
  uint32_t *of = verilog_alloc(h->v, h->port_count, sizeof *of);
  for (uint32_t p = 0; p < h->port_count; p++)
    if (h->ports[p].is_output) of[p] = tile_of_output(h, &h->ports[p]);
  for (uint32_t p = 0; p < h->port_count; p++)
    if (!h->ports[p].is_output) of[p] = of[h->ports[p].peers[0]];
  return places_of(h, of, h->port_count);
}

uint32_t tiles_first(const Hardware *h, uint32_t tile) {
  return h->members.first[place_of(h, tile)];
}

uint32_t tiles_first_port(const Hardware *h, uint32_t tile) {
  return h->channels.first[place_of(h, tile)];
}

uint32_t tiles_of_channel(const Hardware *h, uint32_t port) {
  return h->channels.of[port];
}

void tiles_find(Hardware *h) {
  h->tile_of = verilog_alloc(h->v, h->component_count, sizeof *h->tile_of);
  h->tiles = verilog_alloc(h->v, h->component_count, sizeof *h->tiles);
  h->local_names = verilog_alloc(h->v, h->component_count, sizeof *h->local_names);
  h->scope = LOOM_NONE;
  h->tile_count = 0;
  for (uint32_t id = 0; id < h->component_count; id++) {
    h->tile_of[id] = LOOM_NONE;
    if (!is_pe(&h->components[id])) continue;
    h->tiles[h->tile_count].pe = id;
    h->tile_of[id] = h->tile_count++;
  }
  for (uint32_t t = 0; t < h->tile_count; t++) add_switch(h, h->tiles[t].pe, t);
  add_small(h);
  drop_single(h);
  name_members(h);
  h->members = places_of(h, h->tile_of, h->component_count);
  h->channels = channel_places(h);
}

const char *tiles_name(const Hardware *h, uint32_t tile) {
  return text(h->v, "t_%s", h->component_names[h->tiles[tile].pe]);
}

/* ---- the state of a module: moved, waits, holds ---------------------------------------------- */

/* Conditions of a component: a token moved in it; it waits for time to pass; a token is in it.
 * NULL: never. */
static const char *moved_in(const Hardware *h, uint32_t id) {
  const loom_component *c = &h->components[id];
  const char *n = name(h, id);
  if (is_pe(c) || is_memory(c)) return text(h->v, "%s__moved", n);
  if (c->kind == LOOM_FIFO) return text(h->v, "%s__take", n);
  if (c->kind == LOOM_FABRIC_OUTPUT) return text(h->v, "%s__take || %s__give", n, n);
  if (!is_switch(c)) return NULL;
  return text(h->v, "|%s__drain%s%s", n, can_pack(c) ? text(h->v, " || |%s__take", n) : "",
              has_buffers(h, id) ? text(h->v, " || |%s__enter", n) : "");
}
static const char *waits_in(const Hardware *h, uint32_t id) {
  const loom_component *c = &h->components[id];
  return is_pe(c) ? text(h->v, "%s__waits", name(h, id)) : NULL;
}
static const char *holds_in(const Hardware *h, uint32_t id) {
  const loom_component *c = &h->components[id];
  int holds = is_pe(c) || is_memory(c) || c->kind == LOOM_FIFO || can_pack(c) || has_buffers(h, id);
  return holds ? text(h->v, "%s__holds", name(h, id)) : NULL;
}

typedef const char *Condition(const Hardware *, uint32_t id);

static void put_any(const Hardware *h, const char *state, Condition *condition) {
  const char *between = "";
  put(h->v, "  assign %s = ", state);
  for (uint32_t id = tiles_first(h, h->scope); id != LOOM_NONE; id = h->members.next[id]) {
    const char *term = condition(h, id);
    if (!term) continue;
    put(h->v, "%s%s", between, term);
    between = " ||\n      ";
  }
  for (uint32_t t = 0; h->scope == LOOM_NONE && t < h->tile_count; t++) {
    if (!h->tiles[t].has_module) continue;
    put(h->v, "%s%s__%s", between, tiles_name(h, t), state);
    between = " ||\n      ";
  }
  put(h->v, *between ? ";\n" : "1'b0;\n");
}

void tiles_put_state(const Hardware *h) {
  put_any(h, "moved", moved_in);
  put_any(h, "waits", waits_in);
  put_any(h, "holds", holds_in);
}

/* ---- a module -------------------------------------------------------------------------------- */

typedef void Port(const Hardware *h, const char *direction, uint32_t width, const char *name_,
                  const char *joined);

static void declare(const Hardware *h, const char *direction, uint32_t width, const char *name_,
                    const char *joined) {
  (void)joined;
  put(h->v, "    %s logic %s%s,\n", direction, bit_range(h->v, width), name_);
}

static void join(const Hardware *h, const char *direction, uint32_t width, const char *name_,
                 const char *joined) {
  (void)direction, (void)width;
  put(h->v, "      .%s(%s),\n", name_, joined);
}

/* The name of a wire of a port within its tile, while h->names are those of the top module. */
static const char *local(Hardware *h, uint32_t port, const char *what) {
  const char *const *names = h->names;
  h->names = h->local_names;
  const char *made = wires_name(h, port, what);
  h->names = names;
  return made;
}

static void each_channel_port(Hardware *h, uint32_t p, Port *port) {
  uint32_t widths[CHANNEL_WIRES] = {1, at_least_1(wires_tag_bits(h, p)), wires_data_width(h, p), 1,
                                    wires_tag_count(h, p)};
  for (int w = 0; w < CHANNEL_WIRES; w++) {
    const ChannelWire *wire = &channel_wires[w];
    /* declarations need no wires of the top module */
    port(h, h->ports[p].is_output == wire->is_back ? "input " : "output", widths[w],
         local(h, p, wire->name), port == join ? wires_at(h, p, wire) : "");
  }
}

/* Declares or joins the ports of a tile for configuration and channels. */
static void each_port(Hardware *h, uint32_t t, Port *port) {
  for (uint32_t id = tiles_first(h, t); id != LOOM_NONE; id = h->members.next[id]) {
    const loom_component *c = &h->components[id];
    if (parts_is_configured(h, id))
      port(h, "input ", 1, text(h->v, "%s__write", h->local_names[id]),
           text(h->v, "%s__write", h->component_names[id]));
    for (uint32_t p = c->first_port; p < c->first_port + port_count(c); p++)
      if (tiles_of_channel(h, p) != t) each_channel_port(h, p, port);
  }
}

/* The text of a tile's module after its name. */
static void put_body(Hardware *h, uint32_t t) {
  Verilog *v = h->v;
  h->scope = t;
  h->names = h->local_names;
  put(v, " (\n    input  logic clk,\n    input  logic rst,       // resets the configuration\n"
         "    input  logic idle,      // no run: resets the rest\n    input  logic running,\n"
         "    input  logic [31:0] cfg_data,\n");
  each_port(h, t, declare);
  put(v, "    output logic [2:0] trap,    // of the cycle before\n    output logic moved,\n    "
         "output logic waits,     // for "
         "time to pass\n    output logic holds      // a token is in it\n);\n");
  wires_declare(h);
  for (uint32_t id = tiles_first(h, t); id != LOOM_NONE; id = h->members.next[id])
    parts_declare_events(h, id);
  for (uint32_t id = tiles_first(h, t); id != LOOM_NONE; id = h->members.next[id]) parts_put(h, id);
  parts_put_forks(h);
  put(v, "\n  assign trap = pe__trap;\n");
  tiles_put_state(h);
  observe_put(h);
  put(v, "endmodule\n");
  h->scope = LOOM_NONE;
  h->names = h->component_names;
}

/* The first tile with the same text. */
static uint32_t tile_like(const char *const *bodies, uint32_t t) {
  for (uint32_t k = 0; k < t; k++)
    if (bodies[k] && !strcmp(bodies[k], bodies[t])) return k;
  return t;
}

void tiles_write(Hardware *h) {
  const char **bodies = verilog_alloc(h->v, h->tile_count, sizeof *bodies);
  for (uint32_t t = 0; t < h->tile_count && h->v->status == LOOM_OK; t++) {
    if (!h->tiles[t].has_module) continue;
    capture_begin(h->v);
    put_body(h, t);
    bodies[t] = capture_end(h->v);
    uint32_t first = tile_like(bodies, t);
    if (first != t) {
      h->tiles[t].module = h->tiles[first].module;
      bodies[t] = NULL; /* later tiles are compared with the first of its kind */
      continue;
    }
    h->tiles[t].module = text(h->v, "tile_%s", h->component_names[h->tiles[t].pe]);
    source_open(h->v, text(h->v, "rtl/%s.sv", h->tiles[t].module));
    top_put_waivers(h->v, "off");
    put(h->v, "module %s", h->tiles[t].module);
    put_text(h->v, bodies[t]);
    top_put_waivers(h->v, "on");
  }
}

void tiles_put(Hardware *h) {
  Verilog *v = h->v;
  for (uint32_t t = 0; t < h->tile_count; t++) {
    const char *n = tiles_name(h, t);
    if (!h->tiles[t].has_module) continue;
    put_named(v, n, "\n  logic [2:0] $__trap;\n  logic $__moved, $__waits, $__holds;\n");
    for (uint32_t id = tiles_first(h, t); id != LOOM_NONE; id = h->members.next[id])
      parts_put_write(h, id);
    put(v,
        "  %s %s (\n      .clk(clk), .rst(rst), .idle(idle), .running(running), "
        ".cfg_data(cfg_data),\n",
        h->tiles[t].module, n);
    each_port(h, t, join);
    put_named(v, n,
              "      .trap($__trap), .moved($__moved), .waits($__waits), .holds($__holds)\n  );\n");
  }
}
