/* case.c -- the files that the test bench replays: an image, the inputs of a case, and the expected
 * outputs, memories and transfers.
 *
 *     case.txt           the hash of the hardware; words of all files, cycles of the run, the error
 *                        it ends with, whether it ends with tokens owed or left; seed and largest
 *                        latency of memories that answer after a random number of cycles
 *     image.hex          the configuration, then its checksum
 *     input.A.hex        tokens, in order; output.A.hex
 *     memory.M.R.hex     the contents of region R of memory M before the run; after.M.R.hex
 *     channels.txt       for each channel the number of its tokens, and a hash of these and of the
 *                        cycles in which they were taken
 *
 * A .hex file is read with $fscanf: the number of words, two more numbers (Header), and the words.
 * Every port has its files, even without words, so that those of an earlier case in the folder are
 * overwritten. Channels are in the order of the machine's tables, which is that of the fabric's
 * text; the test bench reports the first that differs.
 */
#include "bench.h"

/* The two numbers after the number of words. For a region of a memory inside the fabric: its first
 * byte, and log2 of an element's bytes. `first` is for an output the number of tokens that were
 * owed and did not come, for an input the tag of its tokens. Else zeros. */
typedef struct {
  uint64_t first, size_log2;
} Header;

static void write_words(Verilog *v, const char *file, const uint64_t *words, uint64_t count,
                        Header header) {
  v->stream = file;
  put(v, "%llu %llu %llu\n", (unsigned long long)count, (unsigned long long)header.first,
      (unsigned long long)header.size_log2);
  for (uint64_t i = 0; i < count; i++) put(v, "%llx\n", (unsigned long long)words[i]);
}

static void write_image(Verilog *v) {
  const uint32_t *words = v->image->words(v->design);
  uint32_t count = v->image->word_count(v->design);
  put(v, "%u 0 0\n", count + 1);
  for (uint32_t i = 0; i < count; i++) put(v, "%x\n", words[i]);
  put(v, "%x\n", backend_checksum(words, count));
}

/* Tokens that an output was owed and that did not come. */
static uint64_t missing(Verilog *v, const loom_replay *replay, uint32_t component, uint64_t came) {
  uint64_t owed = LOOM_HAS(replay, owed) ? replay->owed(v->design, component) : 0;
  return owed > came ? owed - came : 0;
}

/* The contents of a region; {0} if the case does not use it. */
static loom_contents contents_of(Verilog *v, const loom_replay *replay, uint32_t component,
                                 uint32_t region) {
  uint32_t n = replay->contents_count(v->design);
  for (uint32_t i = 0; i < n; i++) {
    loom_contents c;
    replay->contents(v->design, i, &c, sizeof c);
    if (c.component == component && c.region == region) return c;
  }
  return (loom_contents){0};
}

static Header region_header(Verilog *v, const BenchPort *p, uint32_t region) {
  if (p->component.kind != LOOM_MEMORY) return (Header){0, 0};
  return (Header){region_field(v, p->id, LOOM_FIELD_OFFSET, region),
                  region_field(v, p->id, LOOM_FIELD_SIZE_LOG2, region)};
}

/* Of an input the tag of its tokens, of an output how many tokens did not come. */
static Header port_header(Verilog *v, const loom_replay *replay, const BenchPort *p,
                          uint64_t count) {
  if (p->component.kind == LOOM_FABRIC_OUTPUT) return (Header){missing(v, replay, p->id, count), 0};
  return (Header){LOOM_HAS(replay, input_tag) ? replay->input_tag(v->design, p->id) : 0, 0};
}

/* Writes the files of a port; returns the number of words in them. */
static uint64_t write_port(Verilog *v, const loom_replay *replay, const BenchPort *p,
                           const char *folder) {
  uint64_t count = 0;
  if (!bench_is_memory(p)) {
    const char *what = p->component.kind == LOOM_FABRIC_INPUT ? "input" : "output";
    const uint64_t *tokens = replay->tokens(v->design, p->id, &count);
    write_words(v, text(v, "%s%s", folder, bench_file(v, what, p, 0)), tokens, count,
                port_header(v, replay, p, count));
    return count;
  }
  for (uint32_t r = 0; r < p->component.region_count; r++) {
    loom_contents c = contents_of(v, replay, p->id, r);
    Header header = region_header(v, p, r);
    write_words(v, text(v, "%s%s", folder, bench_file(v, "memory", p, r)), c.before, c.elements,
                header);
    write_words(v, text(v, "%s%s", folder, bench_file(v, "after", p, r)), c.after, c.elements,
                header);
    count += 2 * c.elements;
  }
  return count;
}

static void write_channels(Verilog *v, const loom_replay *replay) {
  uint32_t n = replay->channel_count(v->design), known = 0;
  loom_channel c;
  for (uint32_t i = 0; i < n; i++) {
    replay->channel(v->design, i, &c, sizeof c);
    known += top_observe_at(v, &c) != LOOM_NONE;
  }
  put(v, "%u\n", known);
  for (uint32_t i = 0; i < n; i++) {
    replay->channel(v->design, i, &c, sizeof c);
    uint32_t at = top_observe_at(v, &c);
    if (at == LOOM_NONE) continue;
    put(v, "%u %llu %016llx ", at, (unsigned long long)c.count, (unsigned long long)c.hash);
    for (const char *s = c.name; *s; s++) put(v, "%c", *s == ' ' ? '_' : *s);
    put(v, "\n");
  }
}

void case_write(Verilog *v, const loom_replay *replay, const char *folder) {
  BenchPorts ports;
  uint32_t seed = 0, most = 0;
  uint64_t words = v->image->word_count(v->design) + 1ull;
  bench_ports(v, &ports);
  v->stream = text(v, "%simage.hex", folder);
  write_image(v);
  for (uint32_t i = 0; i < ports.count; i++) words += write_port(v, replay, &ports.at[i], folder);
  v->stream = text(v, "%schannels.txt", folder);
  write_channels(v, replay);
  v->stream = text(v, "%scase.txt", folder);
  if (LOOM_HAS(replay, memory)) replay->memory(v->design, &seed, &most);
  put(v, "hardware %016llx\nwords %llu\ncycles %llu\nerror %u\nstill %u\nmemory %u %u\n",
      library_hash(v), (unsigned long long)words, (unsigned long long)replay->cycles(v->design),
      replay->error(v->design),
      LOOM_HAS(replay, stands_still) ? replay->stands_still(v->design) : 0, seed, most);
}
