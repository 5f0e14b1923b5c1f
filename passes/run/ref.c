/* ref.c -- the reference interpreter: runs the source as it stands, before any lowering.
 *
 *     scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (i32) {
 *       %x = memref.load %a[%i] : memref<?xi32>
 *       %t = arith.addi %s, %x : i32
 *       scf.yield %t : i32
 *     }
 *
 * It is the reference that the dataflow engines are compared with, so it interprets the text in the
 * most direct way: a region is run by running its ops one after the other, a loop by running its
 * body again, a call by running another function on a frame of its own. Nothing is inlined,
 * guarded, raised or reordered. ref_decode.c does look-ups once rather than at every step; see
 * ref_code.h for the representation of values.
 *
 * Requires a verified module. Ensures that a run ends: by itself, by a trap, or by a limit (every
 * iteration of a loop costs at least one step). A trap is an error at the op, with the values of
 * the enclosing loops' variables and the calls that led there.
 *
 * C recursion mirrors the nesting of regions and calls, and is bounded by REF_MAX_LEVELS.
 * Rejected: a bytecode with jumps (a little faster, but the structure that makes this obviously
 * right is gone); stepping Ops directly (three dependent loads for each operand). A step takes some
 * ten nanoseconds; histories add two or three to a load or store.
 */
#include "run/ref_code.h"

#include "run/value.h"

/* ---- stopping -------------------------------------------------------------------------------- */

/* "%i = 3, %j = 0" for the loops around an op, outermost first. Recursion: nested regions. */
static void iteration_text(Ref *r, const Op *op, const u64 *frame, Buf *buf) {
  if (!op || op->kind == OP_FUNC_FUNC) return;
  iteration_text(r, op_parent(op), frame, buf);
  unsigned line = source_place(r->ctx, op->loc).line;
  const char *comma = buf->len ? ", " : "";
  if (op->kind == OP_SCF_WHILE) {
    u64 slot = 0;
    map_get(&r->slots, PTR_KEY(op), &slot);
    buf_printf(buf, "%spass %llu of the scf.while in line %u", comma,
               (unsigned long long)frame[slot], line);
    return;
  }
  if (op->kind != OP_SCF_FOR && op->kind != OP_SCF_PARALLEL && op->kind != OP_SCF_FORALL) return;
  const Block *body = region_entry(&op->regions[0]);
  u32 n = op->kind == OP_SCF_FOR ? 1 : body->nargs;
  for (u32 i = 0; i < n; i++) {
    const Value *iv = body->args[i];
    if (iv->name)
      buf_printf(buf, "%s%%%s = ", buf->len ? ", " : "", iv->name->text);
    else
      buf_printf(buf, "%sthe induction variable of line %u = ", buf->len ? ", " : "", line);
    value_text(r->ctx, iv->type, frame[ref_slot(r, iv)], buf);
  }
}

static void note_iteration(Ref *r, const Op *op, const u64 *frame) {
  Buf text = {0};
  iteration_text(r, op_parent(op), frame, &text);
  if (text.len) diag_note(r->ctx, LOC_NONE, "at %s", text.data);
  buf_free(&text);
}

bool ref_trap(Ref *r, const Step *step, const u64 *frame, Code code, const char *format, ...) {
  va_list args;
  va_start(args, format);
  diag_args(r->ctx, step->op->loc, code, format, args);
  va_end(args);
  note_iteration(r, step->op, frame);
  r->status = RUN_TRAP;
  r->result->trap = code;
  return false;
}

static const u64 steps_between_looks = 1 << 20;

bool ref_within_limits(Ref *r, const Op *op) {
  const RunOptions *limits = r->options;
  bool too_long = limits->max_seconds > 0 && seconds_now() - r->started > limits->max_seconds;
  if (limits->max_steps && r->steps >= limits->max_steps)
    diag(r->ctx, op->loc, RT_LIMIT, "stopped here after %llu operations",
         (unsigned long long)r->steps);
  else if (too_long)
    diag(r->ctx, op->loc, RT_LIMIT, "stopped here after %g seconds", limits->max_seconds);
  else {
    r->check_at = r->steps + steps_between_looks;
    if (limits->max_steps && r->check_at > limits->max_steps) r->check_at = limits->max_steps;
    return true;
  }
  r->status = RUN_LIMIT;
  return false;
}

/* ---- regions --------------------------------------------------------------------------------- */

static void move(Ref *r, const Moves *moves, const u64 *from, u64 *to) {
  if (moves->n == 0) return; /* then there is no list */
  const Move *at = moves->at, *end = at + moves->n;
  if (!moves->overlap) {
    for (; at < end; at++) to[at->to] = from[at->from];
    return;
  }
  u64 *value = r->scratch;
  for (; at < end; at++) *value++ = from[at->from];
  value = r->scratch;
  for (at = moves->at; at < end; at++) to[at->to] = *value++;
}

static const Target *chosen_target(const Body *body, const u64 *frame) {
  if (body->ntargets == 1) return &body->targets[0];
  u64 value = frame[body->selector];
  if (!body->cases) return &body->targets[value & 1 ? 0 : 1];
  for (u32 i = 1; i < body->ntargets; i++)
    if (body->cases[i - 1] == value) return &body->targets[i];
  return &body->targets[0];
}

/* Runs a region from its first body; false when the run has ended. */
static bool run_region(Ref *r, const Body *body, u64 *frame) {
  r->depth++;
  for (;;) {
    r->steps += body->nsteps + 1; /* and the terminator */
    if (r->steps >= r->check_at && !ref_within_limits(r, body->terminator)) return false;
    const Step *end = body->steps + body->nsteps;
    for (const Step *step = body->steps; step < end; step++)
      if (!step->run(r, step, frame)) return false;
    if (!body->ntargets) break;
    const Target *target = chosen_target(body, frame);
    move(r, &target->arguments, frame, frame);
    body = target->body;
  }
  move(r, &body->leave, frame, frame);
  r->depth--;
  return true;
}

/* ---- pure ops -------------------------------------------------------------------------------- */

/* "a, b": the operands of a pure op, for a message. */
static void operands_text(Ref *r, const Step *step, const u64 *in, Buf *buf) {
  for (u32 i = 0; i < step->op->noperands; i++) {
    if (i) buf_str(buf, ", ");
    value_text(r->ctx, op_operand(step->op, i)->type, in[i], buf);
  }
}

/* Traps, unless it is poison that the run allows. */
static bool not_ok(Ref *r, const Step *step, const u64 *frame, const u64 *in, EvalStatus status) {
  if (status == EVAL_POISON && !r->options->strict) return true;
  Buf operands = {0};
  operands_text(r, step, in, &operands);
  const char *name = op_name(step->op);
  if (status == EVAL_POISON)
    ref_trap(r, step, frame, RT_POISON, "%s of %s is poison", name, operands.data);
  else if (status == EVAL_DIV_ZERO)
    ref_trap(r, step, frame, RT_DIVIDE_BY_ZERO, "%s of %s divides by zero", name, operands.data);
  else
    ref_trap(r, step, frame, RT_DIVIDE_OVERFLOW, "%s of %s: the quotient does not fit its type",
             name, operands.data);
  buf_free(&operands);
  return false;
}

/* Operands are copied out of the frame first: results may overwrite them, and a message shows them.
 */
static inline bool pure(Ref *r, const Step *step, u64 *frame, u32 n) {
  u64 in[EVAL_MAX_OPERANDS];
  for (u32 i = 0; i < n; i++) in[i] = frame[step->in[i]];
  EvalStatus status = eval_run(&step->eval, in, frame + step->out);
  return status == EVAL_OK || not_ok(r, step, frame, in, status);
}

bool ref_pure_1(Ref *r, const Step *step, u64 *frame) {
  return pure(r, step, frame, 1);
}
bool ref_pure_2(Ref *r, const Step *step, u64 *frame) {
  return pure(r, step, frame, 2);
}
bool ref_pure_3(Ref *r, const Step *step, u64 *frame) {
  return pure(r, step, frame, 3);
}

/* arith.select of memrefs. */
bool ref_select(Ref *r, const Step *step, u64 *frame) {
  (void)r;
  u32 chosen = step->in[frame[step->in[0]] & 1 ? 1 : 2];
  memcpy(frame + step->out, frame + chosen, ref_words(step->op->results[0].type) * sizeof *frame);
  return true;
}

bool ref_copy_slots(Ref *r, const Step *step, u64 *frame) {
  move(r, &step->moves, frame, frame);
  return true;
}

bool ref_poison(Ref *r, const Step *step, u64 *frame) {
  return ref_trap(r, step, frame, RT_POISON, "ub.poison was executed");
}

bool ref_unreachable(Ref *r, const Step *step, u64 *frame) {
  return ref_trap(r, step, frame, RT_UNREACHABLE, "ub.unreachable was reached");
}

bool ref_assert(Ref *r, const Step *step, u64 *frame) {
  if (frame[step->in[0]] & 1) return true;
  const char *message = op_attr_text(step->op, "msg");
  return ref_trap(r, step, frame, RT_ASSERT, "the assertion failed%s%.300s", message ? ": " : "",
                  message ? message : "");
}

/* ---- loops ----------------------------------------------------------------------------------- */

static bool zero_step(Ref *r, const Step *step, const u64 *frame) {
  return ref_trap(r, step, frame, RT_DATAFLOW_STREAM_ZERO_STEP, "the loop has step 0");
}

/* The variable is stepped in its own width and wraps there. The step is checked only when the loop
 * runs at all. */
bool ref_for(Ref *r, const Step *step, u64 *frame) {
  const ForLoop *loop = step->loop;
  u64 mask = eval_mask(loop->width);
  /* an unsigned order is a signed one with the top bit flipped */
  u64 flip = loop->is_unsigned ? (u64)1 << (loop->width - 1) : 0;
  u64 first = frame[step->in[0]], by = frame[step->in[2]];
  i64 end = eval_signed(frame[step->in[1]] ^ flip, loop->width);
  move(r, &loop->enter, frame, frame);
  for (u64 iv = first; eval_signed(iv ^ flip, loop->width) < end; iv = (iv + by) & mask) {
    if (by == 0) return zero_step(r, step, frame);
    frame[loop->iv] = iv;
    if (!run_region(r, loop->body, frame)) return false;
  }
  move(r, &loop->leave, frame, frame);
  return true;
}

bool ref_while(Ref *r, const Step *step, u64 *frame) {
  const WhileLoop *loop = step->while_loop;
  move(r, &loop->enter, frame, frame);
  for (frame[loop->iteration] = 1;; frame[loop->iteration]++) {
    if (!run_region(r, loop->before, frame)) return false;
    if (!(frame[loop->condition] & 1)) break;
    if (!run_region(r, loop->after, frame)) return false;
  }
  move(r, &loop->leave, frame, frame);
  return true;
}

/* Runs as a nest of for loops: the innermost dimension runs fastest. `d` is the loop whose variable
 * is compared with its bound next. */
bool ref_parallel(Ref *r, const Step *step, u64 *frame) {
  const ParallelLoop *loop = step->parallel;
  unsigned width = r->ctx->index_width;
  u64 mask = eval_mask(width);
  move(r, &loop->enter, frame, frame);
  if (loop->rank == 0) return run_region(r, loop->body, frame);
  frame[loop->iv[0]] = frame[loop->lower[0]];
  for (u32 d = 0;;) {
    u64 *iv = &frame[loop->iv[d]], by = frame[loop->step[d]];
    if (eval_signed(*iv, width) < eval_signed(frame[loop->upper[d]], width)) {
      if (by == 0) return zero_step(r, step, frame);
      if (d + 1 < loop->rank) {
        d++;
        frame[loop->iv[d]] = frame[loop->lower[d]];
        if (++r->steps >= r->check_at && !ref_within_limits(r, step->op)) return false;
        continue;
      }
      if (!run_region(r, loop->body, frame)) return false;
    } else {
      if (d == 0) return true;
      d--;
      iv = &frame[loop->iv[d]];
      by = frame[loop->step[d]];
    }
    *iv = (*iv + by) & mask;
  }
}

bool ref_reduce(Ref *r, const Step *step, u64 *frame) {
  const Reductions *reductions = step->reductions;
  for (u32 k = 0; k < reductions->n; k++) {
    move(r, &reductions->at[k].operands, frame, frame);
    if (!run_region(r, reductions->at[k].body, frame)) return false;
  }
  return true;
}

/* ---- choices --------------------------------------------------------------------------------- */

bool ref_if(Ref *r, const Step *step, u64 *frame) {
  const Body *body = step->choice->bodies[frame[step->in[0]] & 1 ? 0 : 1];
  return !body || run_region(r, body, frame);
}

/* Region 0 is the default. A case is of type index: it is cut to that width. */
bool ref_index_switch(Ref *r, const Step *step, u64 *frame) {
  const Choice *choice = step->choice;
  u64 mask = eval_mask(r->ctx->index_width);
  u32 region = 0;
  for (u32 i = 1; i < choice->n && !region; i++)
    if (((u64)choice->cases[i - 1] & mask) == frame[step->in[0]]) region = i;
  return run_region(r, choice->bodies[region], frame);
}

bool ref_region(Ref *r, const Step *step, u64 *frame) {
  return run_region(r, step->choice->bodies[0], frame);
}

/* ---- calls ----------------------------------------------------------------------------------- */

static u64 *new_frame(const Function *f) {
  u64 *frame = mem_realloc(NULL, mem_size(f->initial.len, sizeof *frame));
  if (f->initial.len) memcpy(frame, f->initial.at, f->initial.len * sizeof *frame);
  return frame;
}

/* Frees the frame, and the buffers of allocs that nothing outside refers to. */
static void free_frame(Ref *r, const Function *f, u64 *frame) {
  for (size_t i = 0; i < f->locals.len; i++) {
    Buffer *buffer = (Buffer *)(uintptr_t)frame[f->locals.at[i]];
    if (buffer) ref_release(r, buffer);
  }
  mem_free(frame);
}

static void note_call(Ref *r, const Step *step, const u64 *frame) {
  enum { MAX_NOTES = 8 };
  if (r->call_notes++ < MAX_NOTES) {
    diag_note(r->ctx, step->op->loc, "called from here");
    note_iteration(r, step->op, frame);
  } else if (r->call_notes == MAX_NOTES + 1) {
    diag_note(r->ctx, LOC_NONE, "... and from further calls");
  }
}

bool ref_call(Ref *r, const Step *step, u64 *frame) {
  const RefCall *call = step->call;
  if (r->depth > REF_MAX_LEVELS - MAX_NESTED)
    return ref_trap(r, step, frame, RT_CALL_DEPTH, "calls and regions are nested more than %d deep",
                    REF_MAX_LEVELS - MAX_NESTED);
  u64 *callee = new_frame(call->callee), caller_access = r->first_access;
  move(r, &call->arguments, frame, callee);
  r->first_access += step->number;
  bool good = run_region(r, call->callee->body, callee);
  r->first_access = caller_access;
  if (good) move(r, &call->results, callee, frame);
  if (!good && r->status == RUN_TRAP) note_call(r, step, frame);
  free_frame(r, call->callee, callee);
  return good;
}

/* ---- arguments and results ------------------------------------------------------------------- */

/* The memory of a memref argument. */
typedef struct {
  u32 arg; /* of the case */
  const CaseArg *from;
  Buffer *buffer;
  ElementLayout layout;
} ArgMemory;

typedef Vec(ArgMemory) ArgMemories;

/* How many arguments the source has: lowering may have added others behind them. */
static u32 source_arguments(const Op *func) {
  return op_attr(func, "function_type")->type->ninputs;
}

/* Arguments of type none have no entry in the case. */
static bool check_arguments(Ref *r, const Op *func, const Case *c) {
  const Block *entry = region_entry(&func->regions[0]);
  const Type **types = NEW_ARRAY(r->arena, const Type *, entry->nargs);
  u32 n = 0;
  for (u32 i = 0; i < source_arguments(func); i++)
    if (entry->args[i]->type->kind != TYPE_NONE) types[n++] = entry->args[i]->type;
  static const Case empty;
  const Case *given = c ? c : &empty;
  if (!case_fits(r->ctx, given, func->loc, types, n)) return false;
  for (u32 i = 0; i < n; i++) {
    if (given->args[i].kind != CASE_STREAM) continue;
    diag(r->ctx, given->args[i].loc, RT_CASE_ARGS,
         "%s is a stream, but a func.func takes one value", case_argument(r->ctx, given, i));
    return false;
  }
  return true;
}

static void put_arguments(Ref *r, const Function *f, const Case *c, u64 *frame,
                          ArgMemories *memories) {
  const Block *entry = region_entry(&f->op->regions[0]);
  u32 next = 0, extent = source_arguments(f->op);
  for (u32 i = 0; i < source_arguments(f->op); i++) {
    const Type *type = entry->args[i]->type;
    if (type->kind == TYPE_NONE) continue;
    const CaseArg *arg = &c->args[next++];
    if (type->kind != TYPE_MEMREF) {
      frame[f->args[i]] = arg->data[0];
      continue;
    }
    ArgMemory memory = {.arg = next - 1, .from = arg};
    layout_of(type, arg->shape, &memory.layout);
    memory.buffer = ref_buffer(r, case_memory(arg, &memory.layout), LOC_NONE);
    ref_put_view(type, memory.buffer, &memory.layout, frame + f->args[i]);
    vec_push(memories, memory);
    for (u32 d = 0; d < type->rank && extent < entry->nargs; d++)
      if (type->shape[d] == DYNAMIC) frame[f->args[extent++]] = (u64)arg->shape[d];
  }
}

static void take_results(const Function *f, const u64 *frame, RunResult *result) {
  const Type *type = op_attr(f->op, "function_type")->type;
  for (u32 i = type->ninputs; i < type->nelems; i++) {
    if (type->elems[i]->kind == TYPE_NONE) continue;
    RunTokens tokens = {.type = type->elems[i]};
    vec_push(&tokens.tokens, frame[f->results[i - type->ninputs]]);
    vec_push(&result->results, tokens);
  }
}

static void take_memories(const ArgMemories *memories, RunResult *result) {
  for (size_t m = 0; m < memories->len; m++) {
    const ArgMemory *memory = &memories->at[m];
    vec_push(&result->memories,
             case_result(memory->arg, memory->from, memory->buffer->array, &memory->layout));
  }
}

static bool returns_scalars(Ref *r, const Op *func) {
  const Type *type = op_attr(func, "function_type")->type;
  for (u32 i = type->ninputs; i < type->nelems; i++) {
    if (ref_words(type->elems[i]) == 1) continue;
    diag(r->ctx, func->loc, RT_UNSUPPORTED,
         "a function that returns a memref can be called, but not run by itself");
    diag_hint(r->ctx, "mlir-opt --buffer-results-to-out-params turns the result into an argument");
    return false;
  }
  return true;
}

/* ---- histories ------------------------------------------------------------------------------- */

/* Describes the accesses of a function, numbered from `first`, in the result. Recursion: as deep as
 * calls are nested, which decoding bounds; they are not recursive here. */
static void describe_accesses(Ref *r, const Function *f, u64 first) {
  for (size_t i = 0; i < f->accesses.len; i++) {
    const ElementAccess *access = &f->accesses.at[i];
    if (access->callee) {
      if (access->callee->naccesses) describe_accesses(r, access->callee, first + access->first);
      continue;
    }
    run_access_describe(r->ctx, run_access(r->result, (u32)(first + access->first)),
                        access->is_store, access->type, access->loc, r->options->keep);
  }
}

static void start_histories(Ref *r, const Function *f) {
  if (!r->options->histories || r->recursive || f->naccesses > REF_MAX_ACCESSES) return;
  if (f->naccesses) run_access(r->result, (u32)f->naccesses - 1);
  describe_accesses(r, f, 0);
  r->accesses = r->result->accesses.at;
  r->result->observable = true;
}

/* ---- entry points ---------------------------------------------------------------------------- */

static void run_entry(Ref *r, const Function *f, const Case *c) {
  ArgMemories memories = {0};
  u64 *frame = new_frame(f);
  put_arguments(r, f, c, frame, &memories);
  r->scratch = NEW_ARRAY(r->arena, u64, r->nscratch);
  start_histories(r, f);
  r->started = seconds_now();
  r->check_at = 1; /* the first check sets the next one */
  r->depth = 0;
  if (run_region(r, f->body, frame)) {
    take_results(f, frame, r->result);
    take_memories(&memories, r->result);
  }
  r->result->seconds = seconds_now() - r->started;
  r->result->steps = r->steps;
  free_frame(r, f, frame);
  vec_free(&memories);
}

static void free_ref(Ref *r) {
  for (size_t i = 0; i < r->decoded.len; i++) {
    vec_free(&r->decoded.at[i]->initial);
    vec_free(&r->decoded.at[i]->locals);
    vec_free(&r->decoded.at[i]->accesses);
  }
  vec_free(&r->decoded);
  map_free(&r->slots);
  map_free(&r->functions);
  map_free(&r->symbols);
  map_free(&r->globals);
  map_free(&r->ranks);
  ref_buffers_free(r);
  arena_free(r->arena);
}

static RunStatus run_function(Ref *r, const Op *func, const Case *c) {
  RunResult *result = r->result;
  *result = (RunResult){.status = RUN_REFUSED};
  r->arena = arena_new();
  Function *f = ref_decode(r, func);
  if (f && r->status == RUN_FINISHED && returns_scalars(r, func) && check_arguments(r, func, c)) {
    run_entry(r, f, c);
    result->status = r->status;
  }
  free_ref(r);
  return result->status;
}

RunStatus ref_run(Context *ctx, const Module *module, const Str *func, const Case *c,
                  const RunOptions *options, RunResult *result) {
  const Op *op = symbol_find(module->top, func);
  if (!op || op->kind != OP_FUNC_FUNC) loom_bug("there is no func.func @%s", func->text);
  Ref r = {.ctx = ctx, .module = module, .options = options, .result = result};
  return run_function(&r, op, c);
}

RunStatus ref_run_stage(Context *ctx, const Module *module, const Op *func, bool linear,
                        const Case *c, const RunOptions *options, RunResult *result) {
  Ref r = {.ctx = ctx,
           .module = module,
           .options = options,
           .result = result,
           .numbered = true,
           .linear = linear};
  return run_function(&r, func, c);
}
