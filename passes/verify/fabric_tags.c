/* fabric_tags.c -- follows known tags through the fabric and reports ports too narrow for them.
 *
 *     %t = fabric.add_tag %a {tag = 2 : i64}
 *            : !fabric.bits<8> -> !fabric.tagged<!fabric.bits<8>, i2>
 *     %b = fabric.instance @narrow(%t) : ...          a port of i1: error[COMP_FABRIC_TAG_LOST]
 *
 * Tagged ports of different tag widths may be connected, but a tag must arrive as it was sent.
 * Which tags are where is mostly decided by the mapper; in the text it is known for the tag of an
 * add_tag and the valid entries of a map_tag. They are followed along wires, through FIFOs, and
 * through switches with a route_table, up to the next PE, memory, module or tag op.
 *
 * A depth-first search for each tag visits each value once, as paths may fork at switches and come
 * back. As many tags may share long paths, the steps are limited for the whole file (MAX_STEPS);
 * beyond that nothing more is checked.
 */
#include "ir/fabric_text.h"
#include "verify/fabric.h"

enum { MAX_STEPS = 1 << 20 };

typedef struct {
  Verifier *v;
  const Op *from; /* the op that gives the tag */
  i64 tag;
  Vec(const Value *) work;
  Map seen;
} TagWalk;

static void visit(TagWalk *w, const Value *value) {
  u64 yes;
  if (map_get(&w->seen, PTR_KEY(value), &yes)) return;
  map_put(&w->seen, PTR_KEY(value), 1);
  vec_push(&w->work, value);
}

/* False after a report, of which there is one for each tag. */
static bool fits(TagWalk *w, const Op *op, const Type *port) {
  if (!(w->tag >> port_shape(w->v, port).tag_width)) return true;
  diag(w->v->ctx, op->loc, COMP_FABRIC_TAG_LOST, "tag %lld does not fit in a port of type %s",
       (long long)w->tag, type_text(w->v, port));
  diag_note(w->v->ctx, w->from->loc, "the tag comes from here");
  return false;
}

/* Visits the outputs of a switch to which its routes lead this tag from input `in`. */
static bool through_switch(TagWalk *w, const Op *op, const Op *def, u32 in) {
  const Attr *table = op_attr(op, "route_table");
  const Type *ports = op_function_type(def);
  ArenaMark mark = arena_mark(w->v->scratch);
  if (!table) table = op_attr(def, "route_table");
  bool good = true;
  for (u32 i = 0; good && table && table->kind == ATTR_ARRAY && i < table->n; i++) {
    FabricRoutes routes;
    const Attr *slot = table->elems[i];
    if (slot->kind != ATTR_STRING ||
        fabric_parse_routes(w->v->scratch, slot->str->text, i, &routes) ||
        (routes.has_tag && routes.tag != w->tag))
      continue;
    for (u32 k = 0; good && k < routes.nroutes; k++) {
      u32 out = routes.routes[k].out;
      if (routes.routes[k].in != in || out >= op->nresults || out >= ports_out(ports)) continue;
      good = fits(w, op, port_out(ports, out));
      visit(w, op_result(op, out));
    }
  }
  arena_release(w->v->scratch, mark);
  return good;
}

/* The type of the port that a use connects to; NULL if the user has no typed ports. */
static const Type *port_of(const Use *use, const Op *def) {
  const Op *op = use->owner, *parent = op_parent(op);
  u32 i = use_index(use);
  if (op->kind == OP_FABRIC_YIELD) {
    const Type *module = parent ? op_function_type(parent) : NULL;
    return module && i < ports_out(module) ? port_out(module, i) : NULL;
  }
  if (!def || !(fabric_is_component((OpKind)def->kind) || def->kind == OP_FABRIC_MODULE))
    return NULL;
  const Type *ports = op_function_type(def);
  return ports && i < ports->ninputs ? ports->elems[i] : NULL;
}

/* Goes on behind a use; false after a report. */
static bool step(TagWalk *w, const Use *use) {
  const Op *op = use->owner, *def = op->kind == OP_FABRIC_INSTANCE ? fabric_definition(op) : op;
  const Type *port = port_of(use, def);
  if (!port || port->kind != TYPE_FABRIC_TAGGED) return true;
  if (!fits(w, op, port)) return false;
  if (def->kind == OP_FABRIC_FIFO && op->nresults == 1)
    visit(w, op_result(op, 0));
  else if (fabric_is_switch((OpKind)def->kind))
    return through_switch(w, op, def, use_index(use));
  return true;
}

static void follow(Verifier *v, const Op *op, i64 tag) {
  TagWalk w = {.v = v, .from = op, .tag = tag};
  bool good = true;
  visit(&w, op_result(op, 0));
  while (good && w.work.len && v->tag_steps < MAX_STEPS) {
    const Value *value = vec_pop(&w.work);
    v->tag_steps++;
    for_each_use (use, value)
      if (good) good = step(&w, use);
  }
  vec_free(&w.work);
  map_free(&w.seen);
}

void check_known_tags(Verifier *v, const Op *op) {
  if (op->kind == OP_FABRIC_ADD_TAG) {
    i64 tag = op_attr_int(op, "tag", -1);
    if (tag >= 0) follow(v, op, tag);
    return;
  }
  const Attr *table = op_attr(op, "table");
  for (u32 i = 0; table && i < table->n; i++) {
    i64 entry[3];
    if (fabric_map_entry(table, i, entry) && entry[0]) follow(v, op, entry[2]);
  }
}
