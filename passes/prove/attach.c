/* attach.c -- proof of attachment: raw and gated loop control each drive the ops that they
 * must (control attachment and exit invariants).
 *
 *     %raw, %more = stream ...        N+1 tokens: the boundary of the loop
 *     %i, %again  = gate %raw, %more  N tokens: its body
 *
 *         value                                       may be taken by
 *     %raw    the stream's index                      its gate; a cond_br on %more (exit value)
 *     %more   the raw continue bit                    its gate; the d of value carries; cond_brs
 *                                                     that split those carries, or %raw
 *     %s      a carry on %more                        a cond_br on %more, and nothing else
 *     %again  the gated condition                     the d of invariants and of control (`none`)
 *                                                     carries; cond_brs that split control
 *
 * Balance does not imply this: without the gate, with %raw and %more driving the whole body, every
 * edge has N+1 tokens and the graph is balanced, but its body runs once too often. So this proof is
 * about meaning, not about tokens: a stream with N iterations stands for a loop whose body runs N
 * times.
 *
 * Requires: a numbered graph. Cost: one walk over all operands. In a hand-written graph violations
 * are warnings: a test of a stream alone rightly returns %raw. */
#include "prove/parts.h"

typedef struct {
  Proof *p;
  bool attached;
} Attach;

PRINTF_LIKE(5, 6)
static void report(Attach *a, u32 number, u32 i, const char *hint, const char *format, ...) {
  Proof *p = a->p;
  const Op *op = p->ops.at[number];
  Buf name = {0}, text = {0};
  value_describe(p, op_operand(op, i), &name);
  va_list args;
  buf_printf(&text, "%s (operand %u of %s) ", name.data, i, op_name(op));
  va_start(args, format);
  buf_vprintf(&text, format, args);
  va_end(args);
  if (p->mode == PROOF_LOWERED) {
    diag(p->ctx, op->loc, COMP_PROOF_ATTACHMENT, "%s", text.data);
    a->attached = false;
  } else {
    u32 errors = p->ctx->errors;
    diag_warning(p->ctx, op->loc, COMP_PROOF_ATTACHMENT, "%s", text.data);
    if (p->ctx->errors != errors) a->attached = false;
  }
  diag_hint(p->ctx, "%s", hint);
  buf_free(&name), buf_free(&text);
}

static bool is_none(const Proof *p, u32 value) {
  return p->flags.at[value] & VALUE_NONE;
}

/* Ops that pass tokens on or drop them take any value; the users of their results are checked. */
static bool is_transparent(u16 kind) {
  return passes_on(kind) || kind == OP_HANDSHAKE_SINK;
}

/* Where `v` is a number carried on the continue bit of a stream: that bit's id. */
static bool is_loop_carry(const Proof *p, u32 v, u32 *more) {
  if (!is_result_of(p, v, OP_DATAFLOW_CARRY, 0) || is_none(p, v)) return false;
  *more = operand_same(p, p->def.at[v], 0);
  return stream_of(p, *more) != NO_OP;
}

static void check_index(Attach *a, u32 op, u32 i, u32 index) {
  const Proof *p = a->p;
  u32 more = index + 1;
  u16 kind = node_at(p, op)->kind;
  if (kind == OP_DATAFLOW_GATE && i == 0 && operand_same(p, op, 1) == more) return;
  if (kind == OP_HANDSHAKE_COND_BR && i == 1 && operand_same(p, op, 0) == more) return;
  report(a, op, i, "use the index that leaves the stream's dataflow.gate",
         "is a raw index: it has one token more than the loop has iterations");
}

static void check_more(Attach *a, u32 op, u32 i, u32 more) {
  const Proof *p = a->p;
  const char *gated = "use the after_cond of the stream's dataflow.gate";
  u32 index = more - 1, d;
  switch ((OpKind)node_at(p, op)->kind) {
  case OP_DATAFLOW_GATE:
    if (i == 1 && operand_same(p, op, 0) == index) return;
    report(a, op, i, "gate only the index; split a carried value by a handshake.cond_br",
           "is a raw continue bit, but gates something else than the index of its stream");
    return;
  case OP_DATAFLOW_CARRY:
    if (i == 0 && !is_none(p, node_at(p, op)->value)) return;
    if (i != 0) break;
    report(a, op, i, gated,
           "is a raw continue bit (N+1 tokens), but memory control inside a loop needs N");
    return;
  case OP_DATAFLOW_INVARIANT:
    if (i != 0) break;
    report(a, op, i, gated,
           "is a raw continue bit (N+1 tokens), but a value repeated in the body needs N");
    return;
  case OP_HANDSHAKE_COND_BR: {
    u32 data = operand_same(p, op, 1);
    if (i == 0 && (data == index || (is_loop_carry(p, data, &d) && d == more))) return;
    report(a, op, i, gated,
           "is a raw continue bit, but splits a value that is not carried around the loop");
    return;
  }
  default: break;
  }
  report(a, op, i, gated, "is a raw continue bit, which only the boundary of its loop may use");
}

static void check_carried(Attach *a, u32 op, u32 i, u32 more) {
  const Proof *p = a->p;
  if (node_at(p, op)->kind == OP_HANDSHAKE_COND_BR && i == 1 && operand_same(p, op, 0) == more)
    return;
  report(a, op, i,
         "split it by a handshake.cond_br on the raw continue bit: true goes to the body, false is "
         "the loop's result",
         "is carried around a loop and has one token more than the loop has iterations");
}

static void check_gated(Attach *a, u32 op, u32 i) {
  const Proof *p = a->p;
  const char *raw = "use the raw continue bit of the stream";
  switch ((OpKind)node_at(p, op)->kind) {
  case OP_DATAFLOW_INVARIANT:
    if (i == 0) return;
    break;
  case OP_DATAFLOW_CARRY:
    if (i == 0 && is_none(p, node_at(p, op)->value)) return;
    if (i != 0) break;
    report(a, op, i, raw,
           "is a gated condition (N tokens), but a value carried around a loop needs N+1");
    return;
  case OP_HANDSHAKE_COND_BR:
    if (i == 0 && is_none(p, operand_at(p, op, 1))) return;
    if (i != 0) break;
    report(a, op, i, raw,
           "is a gated condition (N tokens), but the split of a carried value needs N+1");
    return;
  default: break;
  }
  report(a, op, i, "compare the index instead", "is loop control, but is used as a number");
}

bool prove_attachment(Proof *p) {
  Attach a = {.p = p, .attached = true};
  for (u32 o = 0; o < p->nops; o++) {
    for (u32 i = 0; i < operand_count(p, o); i++) {
      u32 v = operand_same(p, o, i), more;
      if (!(p->flags.at[v] & VALUE_CONTROLS) || is_transparent(node_at(p, o)->kind)) continue;
      if (is_loop_carry(p, v, &more))
        check_carried(&a, o, i, more);
      else if (gated_by(p, v, &more) && stream_of(p, more) != NO_OP)
        check_gated(&a, o, i);
      else if (is_result_of(p, v, OP_DATAFLOW_STREAM, 0))
        check_index(&a, o, i, v);
      else if (stream_of(p, v) != NO_OP)
        check_more(&a, o, i, v);
    }
  }
  return a.attached;
}
