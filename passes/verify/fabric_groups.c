/* fabric_groups.c -- warns of function units that no kernel can use as a whole.
 *
 * A unit with a handshake.mux or a handshake.load takes its operands in groups, by the rules of
 * ir/operand_groups.h. The mapper checks the operations that it places on a unit
 * (map/match_groups.c); this file checks the unit itself, before there is a kernel. A unit with a
 * fabric.mux is not checked: which of its operations are in use is configuration.
 *
 * Every operation gets the set of groups that its results are for, in one pass from the last to the
 * first. Linear in the unit. */
#include "ir/operand_groups.h"
#include "verify/fabric.h"

typedef struct {
  const Op *divider; /* the mux or the load */
  bool is_mux;
  Map groups;      /* argument (Value) or Op -> the groups that it is for */
  const Op *at;    /* the first op that breaks a rule, and */
  const char *why; /* which one; NULL: none */
} Groups;

static void report_conflict(Groups *g, const Op *at, const char *why) {
  if (g->why) return;
  g->at = at;
  g->why = why;
}

static bool is_divider(const Op *op) {
  return op->kind == OP_HANDSHAKE_MUX || op->kind == OP_HANDSHAKE_LOAD;
}

static void put_group(Groups *g, const Value *value, u64 group) {
  const void *node = value;
  if (!value->is_arg) {
    if (value_op(value) == g->divider) return;
    node = value_op(value);
  }
  *map_slot(&g->groups, PTR_KEY(node)) |= group;
}

static const char *two_groups_text(const Groups *g) {
  return g->is_mux
             ? "this operation is for one input of the handshake.mux, and for something else"
             : "this operation is for operands of the handshake.load, and for users of its data";
}

/* Checks that an operation may be part of its groups. */
static void check_op(Groups *g, const Op *op, u64 groups) {
  FireClass fire = op_info((OpKind)op->kind)->fire;
  bool is_late = g->is_mux && groups == GROUP_REST;
  if (groups_are_divided(g->is_mux, groups)) report_conflict(g, op, two_groups_text(g));
  if (!is_late && op_info((OpKind)op->kind)->traits & TRAIT_MAY_TRAP)
    report_conflict(g, op,
                    g->is_mux
                        ? "this operation may trap, and is before the handshake.mux"
                        : "this operation may trap, and is in one unit with a handshake.load");
  if (!is_late && (fire == FIRE_COND_BR || fire == FIRE_STORE))
    report_conflict(g, op,
                    g->is_mux ? "this operation is before the handshake.mux"
                              : "this operation is in one unit with a handshake.load");
  if (g->is_mux && groups & GROUP_SELECTOR && fire == FIRE_JOIN)
    report_conflict(g, op, "this operation computes the selector of the handshake.mux");
}

/* Hands the groups of an op on to its operands. The address that the load gives is for the memory,
 * so no other op may take it. */
static void check_operands(Groups *g, const Op *op, u64 groups) {
  for (u32 i = 0; i < op->noperands; i++) {
    const Value *value = op_operand(op, i);
    if (op != g->divider && !g->is_mux && !value->is_arg && value_op(value) == g->divider &&
        value->index == 1)
      report_conflict(g, op,
                      "this operation uses the address from the handshake.load, which only the "
                      "memory may take");
    put_group(g, value, op == g->divider ? group_of_operand(g->is_mux, i) : groups);
  }
}

/* The groups of an argument or an op. */
static u64 groups_of(const Groups *g, const void *node) {
  u64 groups = 0;
  map_get(&g->groups, PTR_KEY(node), &groups);
  return groups;
}

/* A result of the unit must not be for a side of the mux or the request of the load, too. */
static void check_results(Groups *g, const Op *yield) {
  u64 inside = groups_inside(g->is_mux);
  for (u32 i = 0; i < yield->noperands; i++) {
    const Value *value = op_operand(yield, i);
    if (!value->is_arg && value_op(value) != g->divider && groups_of(g, value_op(value)) & inside)
      report_conflict(
          g, value_op(value),
          g->is_mux
              ? "this operation is for one input of the handshake.mux, and is an output of the unit"
              : "this operation is for operands of the handshake.load, and is an output of the "
                "unit");
  }
}

/* Visits ops from the last to the first, so that the users of each have been visited. */
static void find_groups(Groups *g, const Block *body) {
  check_operands(g, g->divider, 0);
  for (const Op *op = body->last; op; op = op->prev) {
    if (op->kind == OP_FABRIC_YIELD || op == g->divider) continue;
    u64 *slot = map_slot(&g->groups, PTR_KEY(op));
    if (!*slot) *slot = GROUP_REST;
    u64 groups = *slot;
    check_op(g, op, groups);
    check_operands(g, op, groups);
  }
  for (u32 a = 0; a < body->nargs; a++)
    if (groups_are_divided(g->is_mux, groups_of(g, body->args[a])))
      report_conflict(
          g, g->divider,
          g->is_mux
              ? "an argument is for one input of this handshake.mux, and for something else"
              : "an argument is for operands of this handshake.load, and for users of its data");
  if (!g->is_mux && !op_operand(g->divider, 1)->is_arg)
    report_conflict(g, g->divider,
                    "the data operand of this handshake.load is not an argument of the unit");
  if (body->last && body->last->kind == OP_FABRIC_YIELD) check_results(g, body->last);
}

void fabric_check_groups(Verifier *v, const Op *unit) {
  const Block *body = unit->regions[0].first;
  Groups g = {0};
  u32 n = 0;
  for_each_op (op, body) {
    if (op->kind == OP_FABRIC_MUX) return;
    n += op->kind != OP_FABRIC_YIELD;
    if (is_divider(op) && g.divider)
      report_conflict(&g, op, "this is the second handshake.mux or handshake.load of the unit");
    if (is_divider(op) && !g.divider) g.divider = op;
  }
  if (!g.divider || n < 2) return;
  g.is_mux = g.divider->kind == OP_HANDSHAKE_MUX;
  if (g.is_mux && g.divider->noperands - 1 > GROUP_MAX_SIDES)
    report_conflict(&g, g.divider, "this handshake.mux has more than 61 inputs");
  if (g.divider->noperands < 2 || (!g.is_mux && g.divider->noperands != 3))
    return; /* reported by its rule */
  if (!g.why) find_groups(&g, body);
  map_free(&g.groups);
  if (!g.why) return;
  diag_warning(v->ctx, unit->loc, COMP_FABRIC_FU_NEVER,
               "no kernel can use all of this function unit at once");
  diag_note(v->ctx, g.at->loc, "%s", g.why);
}
