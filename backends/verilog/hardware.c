/* hardware.c -- reads the tables of a fabric once (components, ports, units, bodies), refuses those
 * that have no hardware, and gives everything a Verilog identifier (names.c). */
#include "hardware.h"
#include "wires.h"

void hardware_refuse(Verilog *v, const char *code, const char *format, ...) {
  va_list args;
  va_start(args, format);
  v->host->diag(v->host, LOOM_FAILURE, code, LOOM_NONE,
                backend_text(v->host, NULL, 0, NULL, format, args));
  va_end(args);
  if (v->status == LOOM_OK) v->status = LOOM_UNSUPPORTED;
}

static void check_widths(Hardware *h) {
  for (uint32_t p = 0; p < h->port_count; p++) {
    const loom_port *port = &h->ports[p];
    if (port->tag_width <= MAX_TAG_WIDTH && port->width <= 64) continue;
    hardware_refuse(h->v, "VERILOG_WIDTH",
                    "a port of '%s' has a value of %u bits and a tag of %u; the Verilog backend "
                    "supports at most 64 and %d",
                    h->components[port->component].name, port->width, port->tag_width,
                    MAX_TAG_WIDTH);
    return;
  }
}

/* At most 2^32 bytes, and a number of elements that an int of SystemVerilog holds. */
static uint64_t most_elements(const loom_component *c) {
  uint64_t most = (uint64_t)1 << 30;
  return c->element_bits > 32 ? most / 2 : most;
}

static void check_memories(Hardware *h) {
  for (uint32_t i = 0; i < h->component_count; i++) {
    const loom_component *c = &h->components[i];
    if (!is_memory(c)) continue;
    if (c->region_count > MEMORY_REGIONS)
      hardware_refuse(h->v, "VERILOG_MEMORY",
                      "memory '%s' has %u regions; the Verilog backend supports at most %d",
                      c->name, c->region_count, MEMORY_REGIONS);
    if (c->kind == LOOM_MEMORY && c->elements > most_elements(c))
      hardware_refuse(
          h->v, "VERILOG_MEMORY",
          "memory '%s' has %llu elements of %u bits; the Verilog backend supports at most %llu",
          c->name, (unsigned long long)c->elements, c->element_bits,
          (unsigned long long)most_elements(c));
  }
}

static void read_tables(Hardware *h) {
  const loom_fabric *f = h->v->fabric;
  const loom_design *d = h->v->design;
  for (uint32_t i = 0; i < h->component_count; i++) h->components[i] = component_of(h->v, i);
  for (uint32_t i = 0; i < h->port_count; i++) f->port(d, i, &h->ports[i], sizeof h->ports[i]);
  for (uint32_t i = 0; i < h->unit_count; i++) f->unit(d, i, &h->units[i], sizeof h->units[i]);
  for (uint32_t i = 0; i < h->body_count; i++) f->body(d, i, &h->bodies[i], sizeof h->bodies[i]);
}

static void make_names(Hardware *h) {
  uint32_t most = h->component_count > h->body_count ? h->component_count : h->body_count;
  const char **names = verilog_alloc(h->v, most, sizeof *names);
  for (uint32_t i = 0; i < h->component_count; i++) names[i] = h->components[i].name;
  h->component_names = names_of_components(h, names);
  h->names = h->component_names;
  for (uint32_t i = 0; i < h->body_count; i++) names[i] = h->bodies[i].name;
  h->body_names = names_unique(h->v, names, h->body_count);
  h->top_name = names_of_top(h, h->v->fabric->name(h->v->design));
  h->needs_names = verilog_alloc(h->v, h->body_count, sizeof *h->needs_names);
  h->needs_texts = verilog_alloc(h->v, h->body_count, sizeof *h->needs_texts);
  h->needs_inputs = verilog_alloc(h->v, h->body_count, sizeof *h->needs_inputs);
}

Hardware *hardware_of(Verilog *v) {
  Hardware *h = v->hardware;
  if (h) return v->status == LOOM_OK ? h : NULL;
  h = verilog_alloc(v, 1, sizeof *h);
  v->hardware = h;
  h->v = v;
  h->component_count = v->fabric->component_count(v->design);
  h->port_count = v->fabric->port_count(v->design);
  h->unit_count = v->fabric->unit_count(v->design);
  h->body_count = v->fabric->body_count(v->design);
  h->components = verilog_alloc(v, h->component_count, sizeof *h->components);
  h->ports = verilog_alloc(v, h->port_count, sizeof *h->ports);
  h->units = verilog_alloc(v, h->unit_count, sizeof *h->units);
  h->bodies = verilog_alloc(v, h->body_count, sizeof *h->bodies);
  read_tables(h);
  check_widths(h);
  check_memories(h);
  make_names(h);
  return v->status == LOOM_OK ? h : NULL;
}
