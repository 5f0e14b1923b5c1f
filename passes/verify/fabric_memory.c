/* fabric_memory.c -- memories on the fabric and interfaces to memory outside.
 *
 *     %e:3 = fabric.extmemory @ext_0 [ldCount = 1, stCount = 1, memrefType = memref<?xi32>]
 *                (%m, %la, %sa, %sd) : (memref<?xi32>, !fabric.bits<32>, !fabric.bits<32>,
 *                                       !fabric.bits<32>) -> (!fabric.bits<32>, none, none)
 *
 * Ports come in families, in this order: load addresses, store addresses, store data; load data,
 * load dones, store dones. A family has a lane for each load or store (none: no such family), and
 * one port, or up to `channels` of an extmemory and `banks` of a memory, but no more than lanes.
 * Lane i is on port i mod the number of ports. If there are more lanes than ports, these are
 * tagged, and the tag is the number of the lane.
 */
#include "verify/fabric.h"

static u32 bits_to_count(i64 n) {
  u32 bits = 0;
  while (bits < 32 && (i64)1 << bits < n) bits++;
  return bits;
}

u32 memory_tag_width(const Verifier *v, const Type *ports) {
  u32 width = 0;
  for (u32 i = 0; i < ports->nelems; i++) {
    u32 tag = port_shape(v, ports->elems[i]).tag_width;
    if (tag > width) width = tag;
  }
  return width;
}

/* The most ports that a family has. */
static i64 max_family_ports(const Op *op) {
  return op_attr_int(op, op->kind == OP_FABRIC_MEMORY ? "banks" : "channels", 1);
}

/* Checks a family of `lanes` on the ports from *at on, and moves *at behind it. `most` is the
 * number of lanes of the largest family. */
static bool lanes_ok(Verifier *v, const Op *op, TypeList list, u32 *at, i64 lanes, i64 most,
                     const char *family) {
  u32 channels = (u32)max_family_ports(op);
  u32 nports = lanes < channels ? (u32)lanes : channels;
  for (u32 i = 0; i < nports; i++) {
    const Type *port = list_at(list, (*at)++);
    bool is_tagged = port->kind == TYPE_FABRIC_TAGGED;
    if (lanes <= 1 || (lanes <= channels && !is_tagged)) continue;
    if (!is_tagged) {
      diag(v->ctx, op->loc, COMP_FABRIC_MEM_TAG,
           "%s of %lld lanes share a port, which must be tagged, but got %s", family,
           (long long)lanes, type_text(v, port));
      return false;
    }
    if (port->width >= bits_to_count(most)) continue;
    diag(v->ctx, op->loc, COMP_FABRIC_MEM_TAG,
         "%s need a tag of at least %u bits for %lld lanes, "
         "but got %s",
         family, bits_to_count(most), (long long)most, type_text(v, port));
    return false;
  }
  return true;
}

/* Checks all ports but those of a memref. */
static void check_families(Verifier *v, const Op *op, TypeList in, TypeList out, i64 ld, i64 st) {
  i64 most = ld > st ? ld : st, channels = max_family_ports(op);
  u32 load = (u32)(ld < channels ? ld : channels), store = (u32)(st < channels ? st : channels);
  u32 want_in = load + 2 * store, want_out = 2 * load + store, i = 0, o = 0;
  if (in.n != want_in || out.n != want_out) {
    diag(v->ctx, op->loc, COMP_FABRIC_MEM_PORTS,
         "ldCount = %lld and stCount = %lld need %u input%s and %u output%s, but got %u and %u",
         (long long)ld, (long long)st, want_in, plural(want_in), want_out, plural(want_out), in.n,
         out.n);
    diag_hint(v->ctx,
              "inputs: load address, store address, store data; outputs: load data, load done, "
              "store done; a count of 0 has none%s",
              channels == 1 ? ""
              : op->kind == OP_FABRIC_MEMORY
                  ? "; one of each per bank, but at most one per lane"
                  : "; one of each per channel, but at most one per lane");
    return;
  }
  if (lanes_ok(v, op, in, &i, ld, most, "load addresses") &&
      lanes_ok(v, op, out, &o, ld, most, "load data") &&
      lanes_ok(v, op, out, &o, ld, most, "load dones") &&
      lanes_ok(v, op, in, &i, st, most, "store addresses") &&
      lanes_ok(v, op, in, &i, st, most, "store data"))
    lanes_ok(v, op, out, &o, st, most, "store dones");
}

/* memrefType, or NULL after a report. */
static const Type *memref_type(Verifier *v, const Op *op) {
  const Attr *attr = op_attr(op, "memrefType");
  if (!attr || attr->kind != ATTR_TYPE) {
    diag(v->ctx, op->loc, COMP_FABRIC_PARAM, "%s needs the parameter 'memrefType', a memref type",
         op_name(op));
    return NULL;
  }
  check_type(v, attr->type, op->loc);
  const Type *type = attr->type;
  if (!type_is_memref(type) || !type_is_scalar(type->elem)) {
    diag(v->ctx, op->loc, COMP_FABRIC_MEM_TYPE,
         "%s must have a ranked memref of scalars, but got %s", op_name(op), type_text(v, type));
    return NULL;
  }
  return type;
}

/* Checks the parameters; false after a report that makes checks of the ports useless. */
static bool memory_params(Verifier *v, const Op *op, i64 *ld, i64 *st) {
  if (!params_ok(v, op)) return false;
  *ld = op_attr_int(op, "ldCount", 0);
  *st = op_attr_int(op, "stCount", 0);
  i64 channels = max_family_ports(op);
  if (channels & (channels - 1)) {
    diag(v->ctx, op->loc, COMP_FABRIC_MEM_COUNT, "%s must be a power of two, but got %lld",
         op->kind == OP_FABRIC_MEMORY ? "banks" : "channels", (long long)channels);
    return false;
  }
  if (*ld + *st > 0) return true;
  diag(v->ctx, op->loc, COMP_FABRIC_MEM_COUNT,
       "a memory needs a load or a store: ldCount and stCount are both 0");
  return false;
}

void rule_FABRIC_MEMORY(Verifier *v, Op *op) {
  i64 ld = 0, st = 0;
  const Type *ports = component_ok(v, op);
  if (!ports) return;
  const Type *memref = memref_type(v, op);
  if (!memory_params(v, op, &ld, &st)) return;
  bool good = true, is_private = !op_attr(op, "is_private") || fabric_flag(op, "is_private");
  if (memref && type_static_elements(memref) < 0) {
    diag(v->ctx, op->loc, COMP_FABRIC_MEM_TYPE,
         "a memory on the fabric must have a static size, but got %s", type_text(v, memref));
    return;
  }
  i64 banks = max_family_ports(op), words = memref ? type_static_elements(memref) : banks;
  if (banks > words && banks > 1) {
    diag(v->ctx, op->loc, COMP_FABRIC_MEM_COUNT,
         "banks = %lld, but the memory has only %lld words, and no bank may be empty",
         (long long)banks, (long long)words);
    return;
  }
  /* the memref result stands before or after the others */
  TypeList out = function_results(ports);
  bool first = out.n && type_is_memref(list_at(out, 0));
  bool last = out.n && type_is_memref(list_at(out, out.n - 1));
  if (is_private == (first || last)) {
    diag(v->ctx, op->loc, COMP_FABRIC_MEM_PRIVATE,
         is_private ? "a private memory must not have a memref result"
                    : "a memory with is_private = false must have a memref result");
    return;
  }
  if (!is_private) {
    const Type *shown = list_at(out, first ? 0 : out.n - 1);
    if (memref && shown != memref)
      diag(v->ctx, op->loc, COMP_FABRIC_MEM_TYPE, "the memref result is %s, but memrefType is %s",
           type_text(v, shown), type_text(v, memref));
    out = list_part(out, first, out.n - 1);
  }
  for (u32 i = 0; i < out.n; i++)
    if (type_is_memref(list_at(out, i))) good = false;
  if (good) check_families(v, op, function_inputs(ports), out, ld, st);
}

void rule_FABRIC_EXTMEMORY(Verifier *v, Op *op) {
  i64 ld = 0, st = 0;
  const Type *ports = component_ok(v, op);
  if (!ports) return;
  const Type *memref = memref_type(v, op);
  bool good = memory_params(v, op, &ld, &st);
  if (ports->ninputs == 0 || !type_is_memref(ports->elems[0]) ||
      (fabric_is_inline(op) && !op_operand(op, 0)->is_arg)) {
    diag(v->ctx, op->loc, COMP_FABRIC_MEM_BINDING,
         "the first operand of an extmemory must be a memref argument of its module");
    return;
  }
  if (memref && ports->elems[0] != memref)
    diag(v->ctx, op->loc, COMP_FABRIC_MEM_TYPE, "the memref is %s, but memrefType is %s",
         type_text(v, ports->elems[0]), type_text(v, memref));
  if (good)
    check_families(v, op, list_part(function_inputs(ports), 1, ports->ninputs - 1),
                   function_results(ports), ld, st);
}
