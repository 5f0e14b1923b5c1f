/* ending.c -- reports how a run of a machine ended. See ending.h. */
#include "machine/ending.h"

#include "machine/deadlock.h"
#include "run/trap.h"

enum { MAX_REPORTED = 8 };

/* ---- traps ----------------------------------------------------------------------------------- */

/* The operation of the unit that trapped. MACHINE_NONE where that is not known: after generated C,
 * in a unit of several operations. */
static u32 trapped_op(const MachineUnit *u, const MachineResult *from) {
  if (from->trap_op != MACHINE_NONE) return from->trap_op;
  return u->nops <= 1 ? 0 : MACHINE_NONE;
}

/* Appends " of 8, 0", the operands of a division, where they are known. */
static void put_operands(const MachineOp *op, const MachineResult *from, Buf *out) {
  if (from->trap_op == MACHINE_NONE) return;
  buf_printf(out, " of %lld, %lld", (long long)eval_signed(from->trap_a, op->eval.w),
             (long long)eval_signed(from->trap_b, op->eval.w));
}

static void report_division(Context *ctx, const Origins *o, Loc loc, const MachineResult *from) {
  const MachineUnit *u = &o->machine->units[from->trap_unit];
  u32 k = trapped_op(u, from);
  Buf name = {0}, operands = {0};
  if (u->kind == UNIT_STREAM || k == MACHINE_NONE) {
    machine_unit_op(o->machine, from->trap_unit, &name);
  } else {
    const MachineOp *op = &o->machine->ops[u->first_op + k];
    buf_str(&name, op_info((OpKind)op->kind)->name);
    put_operands(op, from, &operands);
  }
  const char *of = operands.len ? operands.data : "";
  if (from->trap == MACHINE_TRAP_DIVIDE)
    diag(ctx, loc, RT_DIVIDE_BY_ZERO, TRAP_DIVIDE, name.data, of);
  else
    diag(ctx, loc, RT_DIVIDE_OVERFLOW, TRAP_OVERFLOW, name.data, of);
  buf_free(&operands);
  buf_free(&name);
}

static void report_address(Context *ctx, const Origins *o, Loc loc, const MachineResult *from) {
  const MachineUnit *u = &o->machine->units[from->trap_unit];
  const char *name = origin_memory(o, u->region);
  char address[32];
  if (from->trap_a >> ctx->index_width == 0) /* -1 is an index */
    snprintf(address, sizeof address, "%lld",
             (long long)eval_signed(from->trap_a, ctx->index_width));
  else
    snprintf(address, sizeof address, "%llu", (unsigned long long)from->trap_a);
  diag(ctx, loc, RT_OUT_OF_BOUNDS, TRAP_BOUNDS,
       name ? name : adg_name(o->machine->adg, u->component), address, "",
       (unsigned long long)from->trap_b);
}

static void report_trap(Context *ctx, const Origins *o, const MachineResult *from) {
  const MachineUnit *u = &o->machine->units[from->trap_unit];
  u32 node = origin_node(o, from->trap_unit, trapped_op(u, from));
  Loc loc = node != DFG_NONE ? o->dfg->nodes[node].loc : origin_loc(o, from->trap_unit);
  switch (from->trap) {
  case MACHINE_TRAP_NONE: break;
  case MACHINE_TRAP_DIVIDE:
  case MACHINE_TRAP_OVERFLOW: report_division(ctx, o, loc, from); break;
  case MACHINE_TRAP_BOUNDS: report_address(ctx, o, loc, from); break;
  case MACHINE_TRAP_STEP:
    diag(ctx, loc, RT_DATAFLOW_STREAM_ZERO_STEP, TRAP_STEP,
         (long long)eval_signed(from->trap_a, u->width),
         (long long)eval_signed(from->trap_b, u->width));
    break;
  case MACHINE_TRAP_SELECT:
    diag(ctx, loc, RT_DFG_SELECT, TRAP_SELECT, (unsigned long long)from->trap_a,
         (unsigned)from->trap_b);
    break;
  }
  const char *place = node != DFG_NONE ? o->places[node] : origin_place(o, from->trap_unit);
  Buf text = {0};
  origin_unit_text(o, from->trap_unit, &text);
  diag_note(ctx, LOC_NONE, "in cycle %llu, in %s%s%s", (unsigned long long)from->cycles - 1,
            text.data, place ? "; source: " : "", place ? place : "");
  buf_free(&text);
}

/* ---- nothing moves --------------------------------------------------------------------------- */

/* Notes the first few inputs at which a token waits. */
static void note_waiting(Context *ctx, const Origins *o, const MachineResult *from) {
  u32 reported = 0;
  for (u32 i = 0; i < o->machine->ninputs && reported < MAX_REPORTED; i++) {
    if (!from->waiting[i]) continue;
    u32 unit = o->machine->inputs[i].unit;
    Buf name = {0};
    machine_input_name(o->machine, i, &name);
    diag_note(ctx, origin_loc(o, unit), "a token waits at %s", name.data);
    buf_free(&name);
    reported++;
  }
}

/* Notes the first few units whose loop has begun: it waits for the decision that ends it, even
 * where no token waits. */
static void note_begun(Context *ctx, const Origins *o, const MachineResult *from) {
  u32 reported = 0;
  for (u32 u = 0; from->snapshot && u < o->machine->nunits && reported < MAX_REPORTED; u++) {
    if (!from->snapshot->has_begun[u]) continue;
    Buf text = {0};
    origin_unit_text(o, u, &text);
    diag_note(ctx, origin_loc(o, u), "a loop has begun, but not ended, in %s", text.data);
    buf_free(&text);
    reported++;
  }
}

static void report_deadlock(Context *ctx, const Origins *o, const MachineResult *from,
                            const WaitPath *path) {
  Loc loc = o->machine->adg->loc;
  unsigned long long cycles = (unsigned long long)from->cycles;
  if (from->status == RUN_DEADLOCK || path->is_cycle)
    diag(ctx, loc, RT_MACHINE_DEADLOCK, "deadlock after %llu cycle%s: no unit can fire, but %s",
         cycles, plural(cycles),
         from->status == RUN_DEADLOCK ? "results are missing" : "tokens are left");
  else
    diag(ctx, loc, RT_MACHINE_LEFTOVER, "done after %llu cycle%s, but tokens are left", cycles,
         plural(cycles));
  deadlock_report(ctx, o, from, path);
  if (path->nwaits) return;
  note_waiting(ctx, o, from);
  note_begun(ctx, o, from);
}

/* ---- a limit --------------------------------------------------------------------------------- */

/* How many tokens are still owed to a unit. */
static u64 still_owed(const Machine *m, const MachineJob *job, const MachineResult *from,
                      u32 unit) {
  if (m->units[unit].kind != UNIT_OUTPUT || !job->owed) return 0;
  u64 came = from->taken[unit].len;
  return came < job->owed[unit] ? job->owed[unit] - came : 0;
}

/* Notes the first few outputs that are owed tokens, and inputs that have more to give. */
static void note_outstanding(Context *ctx, const Origins *o, const MachineJob *job,
                             const MachineResult *from) {
  const Machine *m = o->machine;
  u32 reported = 0;
  for (u32 u = 0; u < m->nunits && reported < MAX_REPORTED; u++) {
    Buf text = {0};
    u64 total = job->given && m->units[u].kind == UNIT_INPUT ? job->given[u].len : 0;
    u64 given = from->snapshot ? from->snapshot->given[u] : total;
    origin_unit_text(o, u, &text);
    if (still_owed(m, job, from, u))
      buf_printf(&text, " still waits for its token");
    else if (given < total)
      buf_printf(&text, " still has %llu of its %llu token%s to send",
                 (unsigned long long)(total - given), (unsigned long long)total, plural(total));
    else
      text.len = 0;
    if (text.len) {
      diag_note(ctx, origin_loc(o, u), "%s", text.data);
      reported++;
    }
    buf_free(&text);
  }
}

/* Notes the first few units that fired in the last cycles before the limit, as those of an endless
 * loop did. */
static void note_moving(Context *ctx, const Origins *o, const MachineJob *job,
                        const MachineResult *from) {
  enum { RECENT = 1000 };
  u64 end = job->max_cycles, since = end > RECENT ? end - RECENT : 0;
  u32 reported = 0, moving = 0;
  for (u32 u = 0; u < o->machine->nunits; u++) {
    if (from->last_firing[u] <= since) continue;
    if (++moving > MAX_REPORTED) continue;
    Buf text = {0};
    const char *place = origin_place(o, u);
    origin_unit_text(o, u, &text);
    diag_note(ctx, origin_loc(o, u), "%s last fired in cycle %llu; %llu firing%s in all%s%s",
              text.data, (unsigned long long)from->last_firing[u] - 1,
              (unsigned long long)from->firings[u], plural(from->firings[u]),
              place ? "; source: " : "", place ? place : "");
    buf_free(&text);
    reported++;
  }
  if (moving > reported)
    diag_note(ctx, LOC_NONE, "and %u others fired in the last %d cycles", moving - reported,
              RECENT);
}

static void report_limit(Context *ctx, const Origins *o, const MachineJob *job,
                         const MachineResult *from) {
  const Machine *m = o->machine;
  u32 outputs = 0, owe = 0, waiting = 0;
  for (u32 u = 0; u < m->nunits; u++) {
    outputs += m->units[u].kind == UNIT_OUTPUT;
    owe += still_owed(m, job, from, u) > 0;
  }
  for (u32 i = 0; i < m->ninputs; i++) waiting += from->waiting[i];
  Buf text = {0};
  if (owe)
    buf_printf(&text, "%u of %u output%s still wait%s", owe, outputs, plural(outputs),
               owe == 1 ? "s" : "");
  if (waiting)
    buf_printf(&text, "%stokens wait at %u operand%s", owe ? ", " : "", waiting, plural(waiting));
  diag(ctx, m->adg->loc, RT_LIMIT, "stopped at the limit of %llu cycle%s: %s",
       (unsigned long long)job->max_cycles, plural(job->max_cycles),
       text.len ? text.data : "units still fire");
  buf_free(&text);
  note_outstanding(ctx, o, job, from);
  note_moving(ctx, o, job, from);
}

/* ---- entry point ----------------------------------------------------------------------------- */

RunStatus ending_report(Context *ctx, const Origins *o, const MachineJob *job,
                        const MachineResult *from) {
  RunStatus status = from->status;
  WaitPath path = {0};
  switch (status) {
  case RUN_TRAP: report_trap(ctx, o, from); break;
  case RUN_LIMIT: report_limit(ctx, o, job, from); break;
  case RUN_DEADLOCK:
  case RUN_LEFTOVER:
    deadlock_find(o->machine, job, from, &path);
    report_deadlock(ctx, o, from, &path);
    if (path.is_cycle) status = RUN_DEADLOCK;
    mem_free(path.waits);
    break;
  default: break;
  }
  return status;
}
