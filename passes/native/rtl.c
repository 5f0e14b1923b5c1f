/* rtl.c -- runs machines as RTL under Verilator: `loom sim --engine verilator`.
 *
 *     fabric ─ verilog ─► rtl/, tb/ ─ Verilator ─► ~/.cache/loom/rtl-2f09...c4/sim
 *     case   ─ verilog ─► case/                        └─► PASS, or the differences
 *
 * The verilog backend writes the hardware and its test bench, and these are built. The bench reads
 * image and case when it runs, so one program serves every mapping onto the fabric: it is kept in
 * the user's cache (tools.h), in a folder named by the hash of all its sources and of the Verilator
 * that compiled it. Then the case is written to a folder of its own, and the bench replays it and
 * compares outputs, memories, cycles, and the tokens of every channel with their cycles. Where
 * something differs the bench runs once more and traces every transfer, and the machine runs again,
 * to find the first transfer that differs. Cost: building takes by far the longest; then the cycles
 * of the case.
 */
#include "native/code.h"

#include "base/interrupt.h"
#include "host/design.h"
#include "native/tools.h"
#include "machine/connect.h"
#include "machine/machine.h"

#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_KEPT = 40 }; /* fabrics in the cache */

typedef struct {
  Context *ctx;
  Arena *arena;
  loom_design *design;
  const ReplayCase *input;
  const char *verilator, *make; /* absolute */
  const char *cache;            /* folder; NULL: there is none */
  const char *work;             /* folder of this run */
  const char *built;            /* folder with the program `sim` */
  int program;                  /* descriptor of that program; -1: not open yet */
  const char *output;           /* of the test bench */
} Rtl;

/* ---- building -------------------------------------------------------------------------------- */

static const char *need(Rtl *r, const char *name, const char *package) {
  const char *path = tool_find(r->arena, name);
  if (path) return path;
  diag(r->ctx, LOC_NONE, RT_RTL_MISSING, "%s not found: '%s' is not %s", package, name,
       strchr(name, '/') ? "a program with an absolute path" : "in PATH");
  diag_hint(r->ctx, "install it (on Debian: apt-get install verilator make g++); `loom emit "
                    "verilog` works without it");
  return NULL;
}

/* Writes the hardware with its bench, or the case, into a folder. */
static bool write_part(Rtl *r, const char *part, const char *folder, Buf *files) {
  EmitOption options[] = {{"part", part}};
  EmitReport report = {0};
  bool good = host_emit(r->ctx, loom_verilog_plugin.backends[0], r->design, options,
                        COUNT_OF(options), (EmitSink){.dir = folder}, &report);
  if (files) buf_put(files, report.files.data, report.files.len);
  buf_free(&report.files);
  return good;
}

/* The path in the cache of the folder with the program, by a hash of all its inputs. */
static const char *cached_path(Rtl *r, const Buf *files) {
  Buf all = {0};
  struct stat about = {0};
  stat(r->verilator, &about);
  buf_printf(&all, "%s %lld %lld\n", r->verilator, (long long)about.st_size,
             (long long)about.st_mtime);
  for (const char *at = files->data; at && *at; at += strcspn(at, "\n") + 1) {
    int len = (int)strcspn(at, "\n");
    buf_printf(&all, "%.*s\n", len, at);
    tool_read(arena_printf(r->arena, "%s/%.*s", r->work, len, at), &all);
  }
  u64 a = hash_bytes(all.data, all.len, 1), b = hash_bytes(all.data, all.len, 2);
  buf_free(&all);
  return arena_printf(r->arena, "%s/rtl-%016" PRIx64 "%016" PRIx64, r->cache, a, b);
}

static void report_build(Rtl *r) {
  diag(r->ctx, LOC_NONE, RT_RTL_BUILD, "'%s' failed on the Verilog that LOOM generated",
       r->verilator);
  native_note_lines(r->ctx, "", tool_said(r->arena, r->work), 12, INT_MAX);
}

/* Opens the program in a folder, where both are ours. It is run by its descriptor. */
static bool open_program(Rtl *r, const char *folder) {
  if (!tool_own_folder(folder)) return false;
  r->program = tool_open_own(arena_printf(r->arena, "%s/sim", folder));
  return r->program >= 0;
}

static bool build(Rtl *r) {
  Buf files = {0};
  bool good = write_part(r, "hardware", r->work, &files);
  const char *kept = good && r->cache ? cached_path(r, &files) : NULL;
  buf_free(&files);
  if (!good) return false;
  r->built = r->work;
  if (kept && open_program(r, kept)) {
    utimensat(AT_FDCWD, kept, NULL, AT_SYMLINK_NOFOLLOW); /* used now */
    r->built = kept;
    return true;
  }
  char *words[] = {"make", "-s", "obj/sim",
                   (char *)(uintptr_t)arena_printf(r->arena, "VERILATOR=%s", r->verilator), NULL};
  const char *made = arena_printf(r->arena, "%s/obj/sim", r->work);
  int status = tool_run(r->make, words, r->work);
  if (interrupt_came()) return false;
  if (status != 0 || chmod(made, 0700) != 0 ||
      rename(made, arena_printf(r->arena, "%s/sim", r->work)) != 0 || !open_program(r, r->work)) {
    report_build(r);
    return false;
  }
  tool_remove(arena_printf(r->arena, "%s/obj", r->work));
  if (kept && rename(r->work, kept) == 0) {
    r->built = kept;
    r->work = NULL; /* is in the cache now: not to be removed */
    tool_trim_cache(r->cache, "rtl-", "", MAX_KEPT, UINT64_MAX);
  }
  return true;
}

/* ---- running --------------------------------------------------------------------------------- */

/* Runs the bench on the case in the working folder. */
static bool run_bench(Rtl *r, const char *trace) {
  const char *program =
      tool_path_of(r->arena, r->program, arena_printf(r->arena, "%s/sim", r->built));
  char *words[] = {"sim", "+case=case", trace ? "+trace=trace" : NULL, NULL};
  int status = tool_run(program, words, r->work);
  r->output = str_of(r->ctx, tool_said(r->arena, r->work))->text;
  return status == 0;
}

/* ---- the first transfer that differs --------------------------------------------------------- */

typedef struct {
  u64 cycle, value;
} Transfer;

typedef struct {
  u64 seen;          /* transfers of the machine so far */
  bool differs;      /* a transfer does */
  bool is_observed;  /* by the test bench */
  Vec(Transfer) rtl; /* the transfers of the hardware */
} Channel;

typedef struct {
  const MachineReplay *replay;
  u32 nchannels;
  Channel *channels;
  u64 cycle; /* of the first that differs; UINT64_MAX: none does */
  u32 channel;
  u64 token; /* which of the channel's */
  bool in_machine, in_rtl;
  Transfer machine_has, rtl_has;
} FirstDifference;

/* Notes a token's difference if it is the first one; NULL: one side has no such token. */
static void note_difference(FirstDifference *s, u32 channel, u64 token, const Transfer *machine,
                            const Transfer *rtl) {
  u64 cycle = UINT64_MAX;
  if (machine) cycle = machine->cycle;
  if (rtl && rtl->cycle < cycle) cycle = rtl->cycle;
  s->channels[channel].differs = true;
  if (cycle > s->cycle || (cycle == s->cycle && channel > s->channel)) return;
  s->cycle = cycle;
  s->channel = channel;
  s->token = token;
  s->in_machine = machine != NULL;
  s->in_rtl = rtl != NULL;
  if (machine) s->machine_has = *machine;
  if (rtl) s->rtl_has = *rtl;
}

static void on_transfer(void *user, u64 cycle, u32 input, u64 value) {
  FirstDifference *s = user;
  u32 channel = machine_replay_channel(s->replay, input);
  Channel *c = &s->channels[channel];
  if (!c->is_observed || c->differs) return;
  Transfer machine = {cycle, value};
  u64 token = c->seen++;
  const Transfer *rtl = token < c->rtl.len ? &c->rtl.at[token] : NULL;
  if (!rtl || rtl->cycle != cycle || rtl->value != value)
    note_difference(s, channel, token, &machine, rtl);
}

/* By channel of the hardware: the channel of the replay, or MACHINE_NONE. From channels.txt, whose
 * lines begin with the number and end with the name of a channel. */
static u32 *read_channels(Rtl *r, FirstDifference *s, u32 *count) {
  Map by_name = {0};
  Buf text = {0};
  for (u32 i = 0; i < s->nchannels; i++)
    map_put(&by_name, str_of(r->ctx, machine_replay_name(s->replay, i))->id, i);
  tool_read(arena_printf(r->arena, "%s/case/channels.txt", r->work), &text);
  buf_char(&text, '\0');
  *count = 0;
  u32 *known = NULL;
  const char *at = text.data + strcspn(text.data, "\n");
  for (int pass = 0; pass < 2; pass++) { /* first for the highest number */
    if (pass) known = NEW_ARRAY(r->arena, u32, *count);
    for (u32 i = 0; pass && i < *count; i++) known[i] = MACHINE_NONE;
    for (const char *line = at; *line == '\n' && line[1]; line += 1 + strcspn(line + 1, "\n")) {
      u32 channel = (u32)strtoul(line + 1, NULL, 10);
      const char *last = line + 1 + strcspn(line + 1, "\n");
      const char *word = last;
      while (word > line && word[-1] != ' ') word--;
      u64 which;
      if (!pass && channel >= *count) *count = channel + 1;
      if (!pass || !map_get(&by_name, str_intern(r->ctx, word, (size_t)(last - word))->id, &which))
        continue;
      known[channel] = (u32)which;
      s->channels[which].is_observed = true;
    }
  }
  buf_free(&text);
  map_free(&by_name);
  return known;
}

static void read_trace(Rtl *r, FirstDifference *s) {
  u32 count;
  const u32 *known = read_channels(r, s, &count);
  FILE *file = fopen(arena_printf(r->arena, "%s/trace", r->work), "r");
  u64 cycle, value;
  u32 channel;
  while (file && fscanf(file, "%" SCNu64 " %" SCNu32 " %" SCNx64, &cycle, &channel, &value) == 3) {
    if (channel >= count || known[channel] == MACHINE_NONE) continue;
    Transfer t = {cycle, value};
    vec_push(&s->channels[known[channel]].rtl, t);
  }
  if (file) fclose(file);
}

/* Runs the machine on the case once more, and compares its transfers with those of the RTL. */
static void compare_machine(Rtl *r, FirstDifference *s) {
  Connection *connection =
      connect_case(r->ctx, r->design->machine, r->input->dfg, r->input->binding, r->input->input);
  if (!connection) return;
  MachineResult result = {0};
  MachineObserver observer = {.user = s, .transfer = on_transfer};
  MachineJob *job = connect_job(connection);
  job->max_cycles = r->input->max_cycles;
  job->observer = &observer;
  clocked_run(r->ctx, NATIVE_JIT, r->design->machine, r->design->dfg, job, true, &result, NULL);
  for (u32 i = 0; i < s->nchannels; i++) {
    const Channel *c = &s->channels[i];
    if (!c->differs && c->seen < c->rtl.len)
      note_difference(s, i, c->seen, NULL, &c->rtl.at[c->seen]);
  }
  machine_result_free(&result);
  connect_free(connection);
}

static void print_transfer(Buf *out, bool is_there, Transfer t) {
  if (is_there)
    buf_printf(out, "takes %" PRIu64 " in cycle %" PRIu64, t.value, t.cycle);
  else
    buf_str(out, "never takes it");
}

static void report_difference(Rtl *r) {
  FirstDifference s = {.replay = r->design->machine_replay, .cycle = UINT64_MAX};
  s.nchannels = machine_replay_nchannels(s.replay);
  s.channels = mem_alloc(mem_size((size_t)s.nchannels + 1, sizeof *s.channels));
  run_bench(r, "trace");
  read_trace(r, &s);
  compare_machine(r, &s);
  Buf text = {0};
  if (s.cycle == UINT64_MAX) {
    buf_str(&text, "no transfer differs");
  } else {
    buf_printf(&text, "token %" PRIu64 " of '%s': the machine ", s.token,
               machine_replay_name(s.replay, s.channel));
    print_transfer(&text, s.in_machine, s.machine_has);
    buf_str(&text, ", the RTL ");
    print_transfer(&text, s.in_rtl, s.rtl_has);
  }
  diag(r->ctx, LOC_NONE, RT_ENGINES_DIFFER, "the machine and its RTL disagree: %s", text.data);
  native_note_lines(r->ctx, "the test bench: ", r->output, 4, INT_MAX);
  buf_free(&text);
  for (u32 i = 0; i < s.nchannels; i++) vec_free(&s.channels[i].rtl);
  mem_free(s.channels);
}

/* ---- the entry point ------------------------------------------------------------------------- */

static int run(Rtl *r) {
  const char *named = tool_variable("LOOM_VERILATOR");
  r->verilator = need(r, named ? named : "verilator", "Verilator");
  r->make = r->verilator ? need(r, "make", "make") : NULL;
  if (!r->make) return EXIT_FAULT;
  r->cache = tool_cache(r->ctx, r->arena);
  r->work = tool_work_folder(r->ctx, r->arena, r->cache);
  if (!r->work || !build(r)) return EXIT_FAULT;
  if (!r->work) r->work = tool_work_folder(r->ctx, r->arena, r->cache);
  if (!r->work || !write_part(r, "case", r->work, NULL)) return EXIT_FAULT;
  if (run_bench(r, NULL)) return EXIT_GOOD;
  if (!interrupt_came()) report_difference(r);
  return EXIT_RUN_FAILED;
}

int rtl_run(loom_design *design, const ReplayCase *c, const char **output) {
  *output = NULL;
  int replayed = design_replay(design, c);
  if (replayed) return replayed;
  Rtl r = {.ctx = design->ctx, .arena = arena_new(), .design = design, .input = c, .program = -1};
  const char *before = interrupt_while("its RTL was built, or ran");
  interrupt_hold();
  int status = run(&r);
  *output = r.output;
  if (r.work) tool_remove(r.work);
  if (r.program >= 0) close(r.program);
  interrupt_release();
  interrupt_while(before);
  arena_free(r.arena);
  return status;
}
