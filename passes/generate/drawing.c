/* drawing.c -- the position of each component in the drawing of a generated fabric.
 *
 *     {"format": "loom.layout", "version": 1, "module": "fabric",
 *      "components": [
 *       {"name": "in_0", "kind": "input", "x": 100, "y": 0},
 *       {"name": "sw_0_0", "kind": "spatial_sw", "x": 20, "y": 60}, ...
 *
 * x grows to the east and y to the south, with 100 units from a switch to the next; the least x and
 * the least y are 0. Names and kinds are those of the ADG, in its order. No two components have the
 * same position. Components of a switch at the border are outside of it: small ones in rows of
 * five, memories further out. */
#include "generate/grid.h"

#include "base/json.h"

#include <limits.h>

enum { OUT_OF_SWITCH = 20, ROW_OF_PORTS = 5, BETWEEN_ROWS = 8, OUT_OF_MEMORY = 130 };

void grid_place(Grid *g, const char *name, const char *kind, Point at) {
  Placed placed = {name, kind, at};
  vec_push(&g->placed, placed);
}

Point grid_outside(const Switch *s, int out, int along) {
  switch (s->side) {
  case 0: return (Point){s->at.x + along, s->at.y - out};
  case 1: return (Point){s->at.x + out, s->at.y + along};
  case 2: return (Point){s->at.x + along, s->at.y + out};
  default: return (Point){s->at.x - out, s->at.y + along};
  }
}

void grid_place_port(Grid *g, u32 sw, const char *name, const char *kind) {
  Switch *s = &g->switches[sw];
  int row = (int)(s->nplaced / ROW_OF_PORTS), i = (int)(s->nplaced % ROW_OF_PORTS);
  s->nplaced++;
  grid_place(g, name, kind, grid_outside(s, OUT_OF_SWITCH + row * BETWEEN_ROWS, -23 + i * 10));
}

int grid_memory_out(Grid *g, u32 sw) {
  return OUT_OF_MEMORY + 40 * (int)g->switches[sw].nplaced_memories++;
}

void grid_put_layout(const Grid *g, Buf *out) {
  Point least = {INT_MAX, INT_MAX};
  for (size_t i = 0; i < g->placed.len; i++) {
    Point at = g->placed.at[i].at;
    if (at.x < least.x) least.x = at.x;
    if (at.y < least.y) least.y = at.y;
  }
  Json json = {.out = out};
  json_open(&json, NULL, '{');
  json_put_text(&json, "format", "loom.layout");
  json_put_number(&json, "version", 1);
  json_put_text(&json, "module", "fabric");
  json_line(&json, 1);
  json_open(&json, "components", '[');
  for (size_t i = 0; i < g->placed.len; i++) {
    const Placed *p = &g->placed.at[i];
    json_line(&json, 2);
    json_open(&json, NULL, '{');
    json_put_text(&json, "name", p->name);
    json_put_text(&json, "kind", p->kind);
    json_put_number(&json, "x", p->at.x - least.x);
    json_put_number(&json, "y", p->at.y - least.y);
    json_close(&json, '}');
  }
  json_close(&json, ']');
  json_close(&json, '}');
  buf_char(out, '\n');
}
