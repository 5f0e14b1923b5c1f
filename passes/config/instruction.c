/* instruction.c -- converts an instruction of a PE between its parsed text and the fields of an
 * image.
 *
 *     tag 1: add(in 0, reg 1) -> (out 0 tag 2)
 *     valid 1, tag 1, opcode 4, mux0 [0, 0, 0], operand1 [1, 1], mux1 [0, 0, 1], demux0 [0, 0, 0],
 *     result0.res_tag 2
 *
 * layout.h defines the fields, ir/fabric_text.h the text. */
#include "config/instruction.h"

/* The fields of a source or of a result. */
typedef struct {
  FieldKind sel, discard, disconnect, is_reg, reg, tag; /* a source has no tag */
} EndFields;
static const EndFields source = {FIELD_MUX_SEL,        FIELD_MUX_DISCARD, FIELD_MUX_DISCONNECT,
                                 FIELD_OPERAND_IS_REG, FIELD_OPERAND_REG, FIELD_KIND_COUNT};
static const EndFields result = {FIELD_DEMUX_SEL,     FIELD_DEMUX_DISCARD, FIELD_DEMUX_DISCONNECT,
                                 FIELD_RESULT_IS_REG, FIELD_RESULT_REG,    FIELD_RESULT_TAG};

/* Number `index` of the sources, or of the results, of an instruction. */
typedef struct {
  u32 component, item, index;
} EndPlace;

static void set(Image *image, EndPlace at, FieldKind kind, u64 value) {
  image_set(image, at.component, field_of(kind, at.item, at.index), value);
}
static u32 get(const Image *image, EndPlace at, FieldKind kind) {
  return (u32)image_get(image, at.component, field_of(kind, at.item, at.index));
}

/* `end` NULL: the unit has no such source or result. */
static void set_end(Image *image, EndPlace at, const EndFields *f, const FabricEnd *end) {
  bool connected = end && (end->has_port || end->discard);
  set(image, at, f->disconnect, !connected);
  if (connected) {
    set(image, at, f->sel, end->has_port ? end->port : 0);
    set(image, at, f->discard, end->discard);
  }
  if (end && end->has_tag) set(image, at, f->tag, end->tag);
  if (!end || !end->has_reg) return;
  set(image, at, f->is_reg, 1);
  set(image, at, f->reg, end->reg);
}

/* A source is a register or a port. A result goes to a port or is discarded there, and may go to a
 * register as well. */
static FabricEnd get_end(const Image *image, EndPlace at, const EndFields *f, bool is_tagged) {
  bool is_source = f == &source;
  FabricEnd end = {.has_reg = get(image, at, f->is_reg), .reg = get(image, at, f->reg)};
  if ((end.has_reg && is_source) || get(image, at, f->disconnect)) return end;
  end.discard = get(image, at, f->discard);
  end.has_port = is_source || !end.discard;
  if (end.has_port) end.port = get(image, at, f->sel);
  end.has_tag = end.has_port && is_tagged;
  if (end.has_tag) end.tag = get(image, at, f->tag);
  return end;
}

static const AdgPe *pe_of(const Image *image, u32 component) {
  const Adg *adg = image->layout->adg;
  return &adg->pes[adg->components[component].detail];
}

void instruction_set(Image *image, u32 component, u32 item, const FabricInstruction *in) {
  const AdgPe *pe = pe_of(image, component);
  image_set(image, component, field_of(FIELD_VALID, item, 0), 1);
  image_set(image, component, field_of(FIELD_OPCODE, item, 0), in->opcode);
  if (in->has_tag) image_set(image, component, field_of(FIELD_TAG, item, 0), in->tag);
  for (u32 k = 0; k < pe->max_inputs; k++)
    set_end(image, (EndPlace){component, item, k}, &source,
            k < in->nsources ? &in->sources[k] : NULL);
  for (u32 k = 0; k < pe->max_outputs; k++)
    set_end(image, (EndPlace){component, item, k}, &result,
            k < in->nresults ? &in->results[k] : NULL);
}

void instruction_get(const Image *image, u32 component, u32 item, FabricInstruction *in) {
  const Adg *adg = image->layout->adg;
  const AdgPe *pe = pe_of(image, component);
  in->kind = FABRIC_SLOT_INVALID;
  if (!image_get(image, component, field_of(FIELD_VALID, item, 0))) return;
  in->kind = FABRIC_SLOT_TEXT;
  in->unit = NULL;
  in->unit_len = 0;
  in->opcode = (u32)image_get(image, component, field_of(FIELD_OPCODE, item, 0));
  in->has_tag = pe->is_temporal;
  in->tag = (u32)image_get(image, component, field_of(FIELD_TAG, item, 0));
  const AdgBody *body = &adg->bodies[adg->fus[pe->first_fu + in->opcode].body];
  in->nsources = body->nargs;
  in->nresults = body->nresults;
  for (u32 k = 0; k < in->nsources; k++)
    in->sources[k] = get_end(image, (EndPlace){component, item, k}, &source, false);
  for (u32 k = 0; k < in->nresults; k++)
    in->results[k] = get_end(image, (EndPlace){component, item, k}, &result, pe->is_temporal);
}
