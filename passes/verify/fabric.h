/* fabric.h -- shared by the files of verify/ that check hardware.
 *
 * fabric.c checks what all ops of the dialect have in common (where they stand, names, ports,
 * modules, instances, wiring), fabric_units.c function units and PEs, fabric_groups.c units that
 * no kernel can use, fabric_routing.c switches, FIFOs and tag operations, fabric_memory.c memories,
 * fabric_config.c runtime configuration, fabric_tags.c the paths of tags.
 *
 * Most checks of configuration look at two ops: `def` defines the hardware, `op` stands in the
 * module and has the configuration. For a definition or an inline component they are the same op;
 * for an instance `def` is its target. */
#ifndef LOOM_VERIFY_FABRIC_H
#define LOOM_VERIFY_FABRIC_H

#include "ir/fabric.h"
#include "verify/rules.h"

/* ---- fabric.c -------------------------------------------------------------------------------- */

/* Checks what all components have in common: place, name, ports, operands and results that fit
 * them. Returns the ports; NULL after a report that makes further checks useless. */
const Type *component_ok(Verifier *v, const Op *op);
/* Remarks on results without a use, in strict mode. */
void check_consumers(Verifier *v, const Op *op);
static inline u32 ports_out(const Type *ports) {
  return ports->nelems - ports->ninputs;
}
static inline const Type *port_out(const Type *ports, u32 i) {
  return ports->elems[ports->ninputs + i];
}
/* The width and tag of a port of that type; all 0 if it is no type of a port. */
FabricPort port_shape(const Verifier *v, const Type *type);
/* Checks that all ports of a temporal component are tagged, with tags of one width. */
void check_one_tag(Verifier *v, const Op *op, const Type *ports);
/* True if both types have the same width and tag. */
bool same_port(const Verifier *v, const Type *a, const Type *b);

/* Checks an op's hardware parameters against ir/fabric.def: required ones are present, and values
 * are within their bounds. Those of PARAM_OTHER have rules of their own. */
bool params_ok(Verifier *v, const Op *op);
/* Checks a parameter, if present, and sets *value: an integer (else COMP_FABRIC_PARAM) from min to
 * max (else `code`). */
bool optional_param(Verifier *v, const Op *op, const char *name, Code code, i64 min, i64 max,
                    i64 *value);
bool optional_flag(Verifier *v, const Op *op, const char *name, Code code);

/* ---- fabric_config.c ------------------------------------------------------------------------- */

/* To be called around checks of the configuration in an op's attributes `names` (spaces between).
 * The end returns false after a report; if configuration is a hint, it removes the attributes. */
u32 begin_configuration(Verifier *v);
bool end_configuration(Verifier *v, Op *op, const char *names, u32 before);

/* Checks the runtime configuration in `op` of the hardware that `def` defines; both are of one
 * kind, or `op` is an instance of `def`. To be called when all instances are resolved and `def` is
 * well-formed. */
void check_configuration(Verifier *v, const Op *op, const Op *def);

/* ---- fabric_tags.c --------------------------------------------------------------------------- */

/* Checks that the known tags of an add_tag or map_tag fit every port that they are known to reach.
 */
void check_known_tags(Verifier *v, const Op *op);

/* ---- fabric_groups.c ------------------------------------------------------------------------- */

/* Warns of a function unit, with a handshake.mux or handshake.load among other operations, that no
 * kernel can use as a whole. */
void fabric_check_groups(Verifier *v, const Op *unit);

/* ---- fabric_memory.c ------------------------------------------------------------------------- */

/* The tag width of a memory's widest family, 0 where none is tagged. */
u32 memory_tag_width(const Verifier *v, const Type *ports);

#endif
