/* operand_groups.h -- how a function unit with a mux or a load among its operations takes its
 * operands: not all at once, but in groups.
 *
 *     mux    what the selector is made of, and what is for no side, with each firing; of the sides
 *            only what is for the one that is selected
 *     load   what it asks with, by a first half of the unit; the element that comes back, and all
 *            that is done with it, by a second one, which knows nothing of the first
 *
 * So nothing may be for two groups of which one is taken in its own time, and what is for a side,
 * or is asked with, must not leave: it would come at another time than in the graph. A unit finds
 * out which side is selected before it fires, and an operation on a side that is not selected does
 * not happen in it, so neither may trap; and a load's halves could not say which of them did.
 *
 * verify/fabric_groups.c warns of a unit of which no kernel can use everything, map/match_groups.c
 * looks at what is laid onto a unit, machine/build.c at a unit as it is configured. Groups are bits,
 * as a value can be for several. */
#ifndef LOOM_IR_OPERAND_GROUPS_H
#define LOOM_IR_OPERAND_GROUPS_H

#include "ir/ir.h"

enum { GROUP_SELECTOR = 1, GROUP_REST = 2, GROUP_SIDE = 4, GROUP_MAX_SIDES = 61 };
enum { GROUP_REQUEST = GROUP_SELECTOR, GROUP_RESPONSE = GROUP_REST };

/* What operand `i` of the mux, or of the load, is for. (A mux alone in its unit may have more sides
 * than there are bits.) */
static inline u64 group_of_operand(bool is_mux, u32 i) {
  if (!is_mux) return i == 1 ? GROUP_RESPONSE : GROUP_REQUEST;
  return i ? (u64)GROUP_SIDE << (i - 1) % (GROUP_MAX_SIDES + 1) : GROUP_SELECTOR;
}

/* What is for these must not leave the unit. */
static inline u64 groups_inside(bool is_mux) {
  return is_mux ? ~(u64)(GROUP_SELECTOR | GROUP_REST) : GROUP_REQUEST;
}

/* Several groups, of which one is taken in its own time: the selector and the rest of a mux are
 * taken with each firing. */
static inline bool groups_are_divided(bool is_mux, u64 groups) {
  return groups & (groups - 1) && (!is_mux || groups & groups_inside(true));
}

/* Can an operation be part of these groups? Whatever it is, where it comes behind the mux. */
static inline bool groups_suit(bool is_mux, u64 groups, OpKind kind, FireClass fire) {
  if (is_mux && groups == GROUP_REST) return true;
  if (is_mux && groups & GROUP_SELECTOR && fire == FIRE_JOIN) return false;
  return !(op_info(kind)->traits & TRAIT_MAY_TRAP) &&
         (fire == FIRE_PURE || fire == FIRE_CONSTANT || fire == FIRE_JOIN);
}

#endif
