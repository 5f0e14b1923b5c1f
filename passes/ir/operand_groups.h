/* operand_groups.h -- the groups in which a function unit with a mux or a load among its operations
 * consumes its operands, instead of all at once.
 *
 *     mux    each firing consumes the operands that the selector depends on (GROUP_SELECTOR) and
 *            those used after the mux (GROUP_REST), but the operands of a side (GROUP_SIDE << i)
 *            only if that side is selected
 *     load   two halves of the unit fire independently: the first consumes the operands of the
 *            request (address, control), the second the loaded element and the operands of the
 *            operations on it (response)
 *
 * So a value must not belong to two groups that are consumed at different times, and a value of a
 * side, or of a request, must not leave the unit: it would appear at another time than in the
 * graph. The selector is evaluated before the unit fires, and a side that is not selected not at
 * all, so the operations of neither may trap; nor may those of a load's halves, as the unit could
 * not report which half trapped.
 *
 * verify/fabric_groups.c warns of units that no kernel can use entirely, map/match_groups.c checks
 * the operations mapped to a unit, machine/build.c a configured unit. A set of groups is a bit
 * mask, as a value can belong to several. */
#ifndef LOOM_IR_OPERAND_GROUPS_H
#define LOOM_IR_OPERAND_GROUPS_H

#include "ir/ir.h"

enum { GROUP_SELECTOR = 1, GROUP_REST = 2, GROUP_SIDE = 4, GROUP_MAX_SIDES = 61 };
enum { GROUP_REQUEST = GROUP_SELECTOR, GROUP_RESPONSE = GROUP_REST };

/* The group of operand `i` of the mux or load itself. (A mux alone in its unit may have more sides
 * than there are bits; they share them.) */
static inline u64 group_of_operand(bool is_mux, u32 i) {
  if (!is_mux) return i == 1 ? GROUP_RESPONSE : GROUP_REQUEST;
  return i ? (u64)GROUP_SIDE << (i - 1) % (GROUP_MAX_SIDES + 1) : GROUP_SELECTOR;
}

/* The groups whose values must not leave the unit. */
static inline u64 groups_inside(bool is_mux) {
  return is_mux ? ~(u64)(GROUP_SELECTOR | GROUP_REST) : GROUP_REQUEST;
}

/* True if the groups are consumed at different times: several, other than the selector and the rest
 * of a mux, which each firing consumes. */
static inline bool groups_are_divided(bool is_mux, u64 groups) {
  return groups & (groups - 1) && (!is_mux || groups & groups_inside(true));
}

/* Whether an operation may belong to these groups. After the mux (the rest alone) any may. */
static inline bool groups_suit(bool is_mux, u64 groups, OpKind kind, FireClass fire) {
  if (is_mux && groups == GROUP_REST) return true;
  if (is_mux && groups & GROUP_SELECTOR && fire == FIRE_JOIN) return false;
  return !(op_info(kind)->traits & TRAIT_MAY_TRAP) &&
         (fire == FIRE_PURE || fire == FIRE_CONSTANT || fire == FIRE_JOIN);
}

#endif
