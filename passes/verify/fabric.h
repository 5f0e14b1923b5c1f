/* fabric.h -- what the files of verify/ that know hardware share.
 *
 * fabric.c has what concerns all ops of the dialect (where they stand, names, ports, modules,
 * instances, wiring), fabric_units.c function units and PEs, fabric_routing.c switches, FIFOs and
 * tags, fabric_memory.c memories, fabric_config.c what programs them, fabric_tags.c where tags go.
 *
 * Two ops matter to most checks: `def` says what the hardware is, `op` where it stands and how it
 * is configured. For a definition or an inline component they are the same op; for an instance
 * `def` is its target. */
#ifndef LOOM_VERIFY_FABRIC_H
#define LOOM_VERIFY_FABRIC_H

#include "ir/fabric.h"
#include "verify/rules.h"

/* ---- fabric.c -------------------------------------------------------------------------------- */

/* What all components have in common: place, name, ports, operands that fit them, results that
 * are used. Returns the ports; NULL after a report that makes looking further useless. */
const Type *component_ok(Verifier *v, const Op *op);
/* Each result is used. */
void check_consumers(Verifier *v, const Op *op);
static inline u32 ports_out(const Type *ports) {
  return ports->nelems - ports->ninputs;
}
static inline const Type *port_out(const Type *ports, u32 i) {
  return ports->elems[ports->ninputs + i];
}
/* "input 2", "output 1 of @name" and the like, counted from 0 as configurations do. */
FabricPort port_shape(const Verifier *v, const Type *type);
/* All ports of a temporal component are tagged, with tags of one width. */
void check_one_tag(Verifier *v, const Op *op, const Type *ports);
bool same_port(const Verifier *v, const Type *a, const Type *b);

/* The hardware parameters of an op as ir/fabric.def has them, but those with rules of their own:
 * there where they must be, and within their bounds. */
bool params_ok(Verifier *v, const Op *op);
/* An integer from min to max where it is there: then it is *value. `code` where it is out of range,
 * COMP_FABRIC_PARAM where it is something else. */
bool optional_param(Verifier *v, const Op *op, const char *name, Code code, i64 min, i64 max,
                    i64 *value);
bool optional_flag(Verifier *v, const Op *op, const char *name, Code code);

/* ---- fabric_config.c ------------------------------------------------------------------------- */

/* Around what is asked of the configuration in an op's attributes `names` (spaces between). False
 * after a report; where configuration is a hint, they are taken away then. */
u32 begin_configuration(Verifier *v);
bool end_configuration(Verifier *v, Op *op, const char *names, u32 before);

/* The runtime configuration that `op` carries for hardware as `def` says it is; both of one kind,
 * or `op` an instance of `def`. To be called when all instances are resolved and `def` was found in
 * order. */
void check_configuration(Verifier *v, const Op *op, const Op *def);

/* ---- fabric_tags.c --------------------------------------------------------------------------- */

/* The tags that an add_tag or map_tag is known to give fit every port they are known to reach. */
void check_known_tags(Verifier *v, const Op *op);

/* ---- fabric_groups.c --------------------------------------------------------------------------- */

/* Warns of a function unit with a handshake.mux or handshake.load and operations around it of which
 * no kernel can use everything. */
void fabric_check_groups(Verifier *v, const Op *unit);

/* ---- fabric_memory.c ------------------------------------------------------------------------- */

/* The tag width of a memory's widest family, 0 where none is tagged. */
u32 memory_tag_width(const Verifier *v, const Type *ports);

#endif
