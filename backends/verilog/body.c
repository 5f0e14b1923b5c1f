/* body.c -- reads the body of a function unit: its nodes, and the position of each node's
 * configuration in the payload. Nodes have their fields in order, so an offset is a prefix sum. */
#include "body.h"

static uint32_t add_field(Fields *f, enum loom_field_kind kind, const Body *b, uint32_t n,
                          uint32_t input) {
  loom_field field = {kind, b->opcode, n, input, b->item, 0};
  return fields_add(f, field, 0);
}

static uint32_t add_payload(Body *b, Fields *f, uint32_t n) {
  const loom_body_node *node = &b->nodes[n];
  uint32_t bits = 0;
  if (is_mux(node)) {
    bits += add_field(f, LOOM_FIELD_NODE_SELECT, b, n, 0);
    bits += add_field(f, LOOM_FIELD_NODE_DISCARD, b, n, 0);
    bits += add_field(f, LOOM_FIELD_NODE_DISCONNECT, b, n, 0);
  } else if (is_op(node, "handshake.constant")) {
    bits = add_field(f, LOOM_FIELD_NODE_LITERAL, b, n, 0);
  } else if (is_op(node, "handshake.join")) {
    for (uint32_t i = 0; i < node->operand_count; i++)
      bits += add_field(f, LOOM_FIELD_NODE_JOIN, b, n, i);
  } else if (has_predicate(node)) {
    bits = add_field(f, LOOM_FIELD_NODE_PREDICATE, b, n, 0);
  } else if (is_op(node, "dataflow.stream")) {
    bits = add_field(f, LOOM_FIELD_NODE_CONDITION, b, n, 0);
  }
  return bits;
}

Body body_read(Hardware *h, uint32_t component, uint32_t item, uint32_t opcode, Fields *f) {
  const loom_component *c = &h->components[component];
  Body b = {.h = h,
            .v = h->v,
            .item = item,
            .opcode = opcode,
            .body_id = h->units[c->first_unit + opcode].body};
  b.body = &h->bodies[b.body_id];
  b.nodes = verilog_alloc(h->v, b.body->node_count, sizeof *b.nodes);
  b.payload_at = verilog_alloc(h->v, b.body->node_count, sizeof *b.payload_at);
  b.literal_of = verilog_alloc(h->v, b.body->value_count + 1, sizeof *b.literal_of);
  for (uint32_t n = 0; n < b.body->node_count; n++) {
    h->v->fabric->node(h->v->design, b.body_id, n, &b.nodes[n], sizeof b.nodes[n]);
    if (is_op(&b.nodes[n], "handshake.constant")) b.literal_of[b.nodes[n].first_result] = n + 1;
    b.payload_at[n] = b.payload;
    b.payload += add_payload(&b, f, n);
  }
  return b;
}
