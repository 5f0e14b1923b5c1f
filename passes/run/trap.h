/* trap.h -- the messages of traps, for all engines.
 *
 * The token simulator knows the operands and the firing; generated code that trapped too late for
 * the simulator to follow (native/native.c) knows the node and little more. Both use these formats.
 */
#ifndef LOOM_RUN_TRAP_H
#define LOOM_RUN_TRAP_H

/* op, " of 7, 0" or nothing */
#define TRAP_DIVIDE   "%s%s divides by zero"
#define TRAP_OVERFLOW "%s%s: the quotient does not fit its type"
/* memory, indices, "at most " of a memory of no fixed size or nothing, elements (unsigned long
 * long) */
#define TRAP_BOUNDS "%%%s[%s] is out of bounds: it has %s%llu elements"
/* selector (unsigned long long), inputs (unsigned) */
#define TRAP_SELECT "select %llu is out of range: there are %u inputs"
/* index and bound (long long) */
#define TRAP_STEP "the step of the stream from %lld to %lld is 0"

#endif
