/* machine_replay.c -- loom.replay/1: a machine's run on a case, for test benches.
 *
 * The case is run once, when the design is made, by the machine as generated code, and every
 * transfer is hashed into its channel (machine/timed.h). A test bench needs the stimuli of the
 * hardware and its expected behaviour, and these are kept: tokens, memories before and after, and a
 * count and a hash per channel.
 *
 * Each input of the machine is a channel, except that the inputs at which a switch discards or
 * buffers tokens are one per port, whatever the tags: these tokens come over the same wires.
 */
#include "host/design.h"

#include "machine/connect.h"
#include "machine/timed.h"
#include "native/native.h"

struct MachineReplay {
  const Machine *machine;
  Connection *connection; /* the memories after the run are in it */
  MachineResult result;
  u32 nchannels;
  TimedChannel *channels;
  const char **names;    /* of channels */
  u32 *channel_of;       /* by input of the machine */
  u32 *first_of_channel; /* the first of its inputs */
  u64 **before;          /* by region */
  u32 *regions;          /* those with elements */
  u32 nregions;
  u32 *unit_of; /* by component: the UNIT_INPUT or UNIT_OUTPUT there, or MACHINE_NONE */
};

void machine_replay_free(MachineReplay *r) {
  if (!r) return;
  machine_result_free(&r->result);
  connect_free(r->connection);
  mem_free(r);
}

static void keep_before(loom_design *d, MachineReplay *r) {
  const MachineJob *job = connect_job(r->connection);
  u32 n = r->machine->nregions;
  r->before = NEW_ARRAY(d->arena, u64 *, n);
  r->regions = NEW_ARRAY(d->arena, u32, n);
  for (u32 i = 0; i < n; i++) {
    const MachineStore *store = &job->stores[i];
    if (!store->elements) continue;
    r->before[i] = NEW_ARRAY(d->arena, u64, store->elements);
    memcpy(r->before[i], store->data, store->elements * sizeof(u64));
    r->regions[r->nregions++] = i;
  }
}

/* Whether a switch takes the token, to discard or to buffer it. Then all tags are one channel. */
static bool is_taken_by_switch(const Machine *m, const MachineInput *in) {
  bool is_discarded = m->units[in->unit].kind == UNIT_DRAIN && in->port != ADG_NONE;
  return is_discarded || machine_is_buffer(m, in->unit);
}

static const char *channel_name(loom_design *d, const Machine *m, u32 input) {
  const MachineInput *in = &m->inputs[input];
  Buf name = {0};
  if (is_taken_by_switch(m, in))
    buf_printf(&name, "%s.%s%u", adg_name(m->adg, m->units[in->unit].component),
               m->adg->ports[in->port].is_output ? "out" : "in", m->adg->ports[in->port].index);
  else
    machine_input_name(m, input, &name);
  const char *kept = arena_copy(d->arena, name.data, name.len + 1);
  buf_free(&name);
  return kept;
}

static void find_channels(loom_design *d, MachineReplay *r) {
  const Machine *m = r->machine;
  u32 *channel_at_port = NEW_ARRAY(d->arena, u32, m->adg->nports + (size_t)1); /* 1 + channel */
  r->channel_of = NEW_ARRAY(d->arena, u32, m->ninputs + (size_t)1);
  r->first_of_channel = NEW_ARRAY(d->arena, u32, m->ninputs + (size_t)1);
  r->names = NEW_ARRAY(d->arena, const char *, m->ninputs + (size_t)1);
  r->channels = NEW_ARRAY(d->arena, TimedChannel, m->ninputs + (size_t)1);
  for (u32 i = 0; i < m->ninputs; i++) {
    const MachineInput *in = &m->inputs[i];
    bool is_switch = is_taken_by_switch(m, in);
    if (is_switch && channel_at_port[in->port]) {
      r->channel_of[i] = channel_at_port[in->port] - 1;
      continue;
    }
    u32 channel = r->channel_of[i] = r->nchannels++;
    if (is_switch) channel_at_port[in->port] = channel + 1;
    r->first_of_channel[channel] = i;
    r->names[channel] = channel_name(d, m, i);
    r->channels[channel].hash = LOOM_TIMED_START;
  }
}

u32 machine_replay_channel(const MachineReplay *r, u32 input) {
  return r->channel_of[input];
}

u32 machine_replay_nchannels(const MachineReplay *r) {
  return r->nchannels;
}

const char *machine_replay_name(const MachineReplay *r, u32 channel) {
  return r->names[channel];
}

static void on_transfer(void *user, u64 cycle, u32 input, u64 value) {
  MachineReplay *r = user;
  timed_put(&r->channels[r->channel_of[input]], cycle, value);
}

static void find_ends(loom_design *d, MachineReplay *r) {
  const Machine *m = r->machine;
  r->unit_of = NEW_ARRAY(d->arena, u32, m->adg->ncomponents);
  for (u32 c = 0; c < m->adg->ncomponents; c++) r->unit_of[c] = MACHINE_NONE;
  for (u32 u = 0; u < m->nunits; u++)
    if (m->units[u].kind == UNIT_INPUT || m->units[u].kind == UNIT_OUTPUT)
      r->unit_of[m->units[u].component] = u;
}

/* False, after a diagnostic, at the limit. A deadlock can be replayed: hardware stops, too. */
static bool has_ended(Context *ctx, const MachineReplay *r) {
  if (r->result.status != RUN_LIMIT) return true;
  unsigned long long limit = (unsigned long long)connect_job(r->connection)->max_cycles;
  diag(ctx, LOC_NONE, RT_LIMIT,
       "a test bench needs a complete run, but this one was stopped at the limit of %llu cycle%s",
       limit, plural(limit));
  diag_hint(ctx, "--max-cycles N sets another limit, --max-cycles 0 none");
  return false;
}

int design_replay(loom_design *d, const ReplayCase *c) {
  MachineReplay *r = mem_alloc(sizeof *r);
  d->machine_replay = r;
  r->machine = d->machine;
  r->connection = connect_case(d->ctx, d->machine, c->dfg, c->binding, c->input);
  if (!r->connection) return EXIT_BAD_INPUT;
  keep_before(d, r);
  find_channels(d, r);
  find_ends(d, r);
  MachineObserver observer = {.user = r, .transfer = on_transfer};
  MachineJob *job = connect_job(r->connection);
  job->max_cycles = c->max_cycles;
  job->observer = &observer;
  bool ran = clocked_run(d->ctx, NATIVE_JIT, d->machine, d->dfg, job, true, &r->result, NULL);
  job->observer = NULL; /* it ends with this frame */
  if (!ran) return EXIT_FAULT;
  return has_ended(d->ctx, r) ? EXIT_GOOD : EXIT_RUN_FAILED;
}

void design_replayed(const loom_design *d, RunResult *result) {
  connect_take(d->machine_replay->connection, &d->machine_replay->result, result);
}

/* ---- the table ------------------------------------------------------------------------------- */

static u64 cycles(const loom_design *d) {
  return d->machine_replay->result.cycles;
}

static u32 error(const loom_design *d) {
  const MachineResult *result = &d->machine_replay->result;
  return result->status == RUN_TRAP ? (u32)result->trap : 0;
}

static u32 has_stopped(const loom_design *d) {
  RunStatus end = d->machine_replay->result.status;
  return end == RUN_DEADLOCK || end == RUN_LEFTOVER;
}

static void memory(const loom_design *d, u32 *seed, u32 *most) {
  *seed = d->machine->answers.seed;
  *most = d->machine->answers.most;
}

static u32 channel_count(const loom_design *d) {
  return d->machine_replay->nchannels;
}

static void fill_channel(const Machine *m, u32 input, loom_channel *out) {
  const MachineInput *in = &m->inputs[input];
  const MachineUnit *u = &m->units[in->unit];
  out->component = u->component;
  switch ((MachineUnitKind)u->kind) {
  case UNIT_OUTPUT: out->kind = LOOM_CHANNEL_OUTPUT; break;
  case UNIT_DRAIN:
    out->kind = LOOM_CHANNEL_DRAIN;
    out->a = in->port == ADG_NONE ? in->argument : m->adg->ports[in->port].index;
    out->b = u->instruction;
    break;
  case UNIT_LOAD:
  case UNIT_STORE:
    out->kind = LOOM_CHANNEL_LANE;
    out->a = u->kind == UNIT_LOAD ? LOOM_LOAD_ADDRESS
             : in->argument       ? LOOM_STORE_DATA
                                  : LOOM_STORE_ADDRESS;
    out->b = u->tag;
    break;
  case UNIT_FIFO:
    out->kind = in->port == ADG_NONE ? LOOM_CHANNEL_REGISTER : LOOM_CHANNEL_FIFO;
    out->a = machine_is_buffer(m, in->unit) ? m->adg->ports[in->port].index : in->argument;
    break;
  default:
    out->kind = LOOM_CHANNEL_OPERAND;
    out->a = in->argument;
    out->b = u->instruction;
    if (!machine_packs(m, in->unit)) break;
    out->a = m->adg->ports[in->port].index;
    out->b = m->adg->ports[m->outputs[u->first_output].port].index;
  }
}

static int channel(const loom_design *d, u32 i, loom_channel *out, size_t size) {
  const MachineReplay *r = d->machine_replay;
  if (i >= r->nchannels) return LOOM_ERROR;
  loom_channel full = {
      .name = r->names[i], .count = r->channels[i].count, .hash = r->channels[i].hash};
  fill_channel(d->machine, r->first_of_channel[i], &full);
  design_fill(out, size, &full, sizeof full);
  return LOOM_OK;
}

static u32 contents_count(const loom_design *d) {
  return d->machine_replay->nregions;
}

static int contents(const loom_design *d, u32 i, loom_contents *out, size_t size) {
  const MachineReplay *r = d->machine_replay;
  const Machine *m = d->machine;
  if (i >= r->nregions) return LOOM_ERROR;
  u32 region = r->regions[i], memory = 0;
  while (region >= m->memories[memory].first_region + m->memories[memory].nregions) memory++;
  const MachineStore *store = &connect_job(r->connection)->stores[region];
  FILL(loom_contents full = {
           .component = m->adg->memories[memory].component,
           .region = region - m->memories[memory].first_region,
           .before = r->before[region],
           .after = store->data,
           .elements = store->elements,
           .element_bits = m->regions[region].elem_bits,
       });
}

static u32 input_tag(const loom_design *d, u32 component) {
  const u32 *tags = d->image->input_tags;
  return tags && component < d->machine->adg->ncomponents && tags[component] != ADG_NONE
             ? tags[component]
             : 0;
}

static const u64 *tokens(const loom_design *d, u32 component, u64 *count) {
  const MachineReplay *r = d->machine_replay;
  *count = 0;
  u32 unit = component < d->machine->adg->ncomponents ? r->unit_of[component] : MACHINE_NONE;
  if (unit == MACHINE_NONE) return NULL;
  const MachineTokens *tokens = d->machine->units[unit].kind == UNIT_INPUT
                                    ? &connect_job(r->connection)->given[unit]
                                    : &r->result.taken[unit];
  *count = tokens->len;
  return tokens->at;
}

static u64 owed(const loom_design *d, u32 component) {
  const MachineReplay *r = d->machine_replay;
  u32 unit = component < d->machine->adg->ncomponents ? r->unit_of[component] : MACHINE_NONE;
  bool is_output = unit != MACHINE_NONE && d->machine->units[unit].kind == UNIT_OUTPUT;
  const u64 *by_unit = connect_job(r->connection)->owed;
  return is_output && by_unit ? by_unit[unit] : 0;
}

const loom_replay loom_replay_table = {
    .size = sizeof(loom_replay),
    .cycles = cycles,
    .channel_count = channel_count,
    .contents_count = contents_count,
    .channel = channel,
    .contents = contents,
    .tokens = tokens,
    .input_tag = input_tag,
    .memory = memory,
    .error = error,
    .stands_still = has_stopped,
    .owed = owed,
};
