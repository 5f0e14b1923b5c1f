/* fabric_groups.c -- function units of which no kernel can use everything.
 *
 * A unit with a handshake.mux or a handshake.load takes its operands in groups, by the rules of
 * ir/operand_groups.h. The mapper looks at what it lays onto a unit (map/match_groups.c); here it is
 * said of the unit before there is a kernel. Where a fabric.mux says what the unit is, it depends on
 * that, and nothing is said. */
#include "ir/operand_groups.h"
#include "verify/fabric.h"

typedef struct {
  const Op *apart; /* the mux or the load */
  bool is_mux;
  Map groups;      /* by Value and by Op: what it is for */
  const Op *at;    /* the op in two groups, and */
  const char *why; /* how; NULL: nothing does */
} Groups;

static void report_conflict(Groups *l, const Op *at, const char *why) {
  if (l->why) return;
  l->at = at;
  l->why = why;
}

static bool is_apart(const Op *op) {
  return op->kind == OP_HANDSHAKE_MUX || op->kind == OP_HANDSHAKE_LOAD;
}

static void put_group(Groups *l, const Value *value, u64 group) {
  const void *of = value;
  if (!value->is_arg) {
    if (value_op(value) == l->apart) return;
    of = value_op(value);
  }
  *map_slot(&l->groups, PTR_KEY(of)) |= group;
}

static const char *for_two(const Groups *l) {
  return l->is_mux ? "this is for one side of the handshake.mux, and for something else"
                   : "this is for what the handshake.load asks with, and for what is behind it";
}

/* An operation as part of its groups. */
static void check_op(Groups *l, const Op *op, u64 groups) {
  FireClass fire = op_info((OpKind)op->kind)->fire;
  bool is_late = l->is_mux && groups == GROUP_REST;
  if (groups_are_divided(l->is_mux, groups)) report_conflict(l, op, for_two(l));
  if (!is_late && op_info((OpKind)op->kind)->traits & TRAIT_MAY_TRAP)
    report_conflict(l, op,
                    l->is_mux ? "this may trap, and is before the handshake.mux"
                              : "this may trap, and is in one unit with a handshake.load");
  if (!is_late && (fire == FIRE_COND_BR || fire == FIRE_STORE))
    report_conflict(l, op,
                    l->is_mux ? "this is before the handshake.mux"
                              : "this is in one unit with a handshake.load");
  if (l->is_mux && groups & GROUP_SELECTOR && fire == FIRE_JOIN)
    report_conflict(l, op, "this is part of what makes the selector of the handshake.mux");
}

/* What an op takes: not the address of the load, which is for the memory. */
static void check_operands(Groups *l, const Op *op, u64 groups) {
  for (u32 i = 0; i < op->noperands; i++) {
    const Value *value = op_operand(op, i);
    if (op != l->apart && !l->is_mux && !value->is_arg && value_op(value) == l->apart &&
        value->index == 1)
      report_conflict(l, op,
                      "this takes the address of the handshake.load, which is for the memory");
    put_group(l, value, op == l->apart ? group_of_operand(l->is_mux, i) : groups);
  }
}

static u64 lots_of(const Groups *l, const void *what) {
  u64 groups = 0;
  map_get(&l->groups, PTR_KEY(what), &groups);
  return groups;
}

/* What leaves is not for a side, nor asked with. */
static void check_results(Groups *l, const Op *yield) {
  u64 inside = groups_inside(l->is_mux);
  for (u32 i = 0; i < yield->noperands; i++) {
    const Value *value = op_operand(yield, i);
    if (!value->is_arg && value_op(value) != l->apart && lots_of(l, value_op(value)) & inside)
      report_conflict(l, value_op(value),
                      l->is_mux
                          ? "this is for one side of the handshake.mux, and leaves the unit"
                          : "this is for what the handshake.load asks with, and leaves the unit");
  }
}

/* Ops stand behind those that they use, so their users have been looked at. */
static void find_groups(Groups *l, const Block *body) {
  check_operands(l, l->apart, 0);
  for (const Op *op = body->last; op; op = op->prev) {
    if (op->kind == OP_FABRIC_YIELD || op == l->apart) continue;
    u64 *groups = map_slot(&l->groups, PTR_KEY(op));
    if (!*groups) *groups = GROUP_REST;
    u64 all = *groups;
    check_op(l, op, all);
    check_operands(l, op, all);
  }
  for (u32 a = 0; a < body->nargs; a++)
    if (groups_are_divided(l->is_mux, lots_of(l, body->args[a])))
      report_conflict(l, l->apart,
                      l->is_mux
                          ? "an argument is for one side of this, and for something else"
                          : "an argument is for what this asks with, and for what is behind it");
  if (!l->is_mux && !op_operand(l->apart, 1)->is_arg)
    report_conflict(l, l->apart, "what this loads does not come straight from an argument");
  if (body->last && body->last->kind == OP_FABRIC_YIELD) check_results(l, body->last);
}

void fabric_check_groups(Verifier *v, const Op *unit) {
  const Block *body = unit->regions[0].first;
  Groups l = {0};
  u32 n = 0;
  for_each_op (op, body) {
    if (op->kind == OP_FABRIC_MUX) return;
    n += op->kind != OP_FABRIC_YIELD;
    if (is_apart(op) && l.apart)
      report_conflict(&l, op, "this is the second handshake.mux or handshake.load");
    if (is_apart(op) && !l.apart) l.apart = op;
  }
  if (!l.apart || n < 2) return;
  l.is_mux = l.apart->kind == OP_HANDSHAKE_MUX;
  if (l.is_mux && l.apart->noperands - 1 > GROUP_MAX_SIDES)
    report_conflict(&l, l.apart, "this has more than 61 sides");
  if (l.apart->noperands < 2 || (!l.is_mux && l.apart->noperands != 3)) return; /* said elsewhere */
  if (!l.why) find_groups(&l, body);
  map_free(&l.groups);
  if (!l.why) return;
  diag_warning(v->ctx, unit->loc, COMP_FABRIC_FU_NEVER,
               "no kernel can use all of this function unit at once");
  diag_note(v->ctx, l.at->loc, "%s", l.why);
}
