// loom_rtl.cpp -- see loom_rtl.h: clocks the system, is the CPU's side of its slave, and the memory behind its master.
//
// The memory takes addresses and words in a cycle in which it does not stall, keeps them in order, and answers after
// its latency. Where it stalls by chance, it takes words before their address, too, also by chance. It watches the system:
// what is offered must stay as it is until it is taken, and nothing is offered behind a reset; bursts must not cross
// 4096 bytes, have as many words as they said, and come for memory that is there; the slave answers what it was asked.
#include "loom_rtl.h"

#include "Vloom_system.h"
#include "loom_registers.h"
#include "verilated.h"

#include <cstdlib>
#include <cstring>
#include <deque>

Vloom_system *loom_rtl_top; // for tests of parts of a system

namespace {

const uint64_t BASE = 0x40000000;

struct Burst {
  uint64_t at;
  uint32_t words, done;
  uint64_t due;
  uint32_t response; // of the words that were written
};

struct Word {
  uint64_t data;
  uint32_t strobe;
  bool is_last;
};

struct Steady {
  bool waited;
  uint64_t what[2];
};

unsigned char *memory;
uint64_t memory_bytes, refused_from, refused_to;
uint32_t refused_as;
loom_rtl_memory behaves;
loom_rtl_seen seen;
std::deque<Burst> reads, writes, answers;
std::deque<Word> early; // words whose address has not come
Steady steady_ar, steady_aw, steady_w;
uint64_t chance_state;
const uint32_t WORD = sizeof(loom_rtl_top->m_axi_rdata);

bool stalls() {
  chance_state = chance_state * 6364136223846793005u + 1442695040888963407u;
  return (chance_state >> 40 & 255) < behaves.stalls;
}

void broken() {
  seen.broken++;
}

uint32_t response_at(uint64_t at) {
  return at < refused_to && at + WORD > refused_from ? refused_as : 0;
}

unsigned char *byte_at(uint64_t at) {
  if (at < BASE || at - BASE >= memory_bytes) return nullptr;
  return memory + (at - BASE);
}

void keeps(Steady &s, bool valid, bool ready, uint64_t a, uint64_t b) {
  if (s.waited && (!valid || s.what[0] != a || s.what[1] != b)) broken();
  s = Steady{valid && !ready, {a, b}};
}

Burst burst_of(uint64_t at, uint32_t words, uint32_t size, uint32_t kind) {
  if (kind != 1 || 1u << size != WORD || at % WORD || (at & 4095) + uint64_t(words) * WORD > 4096) broken();
  if (!byte_at(at)) broken();
  return Burst{at, words, 0, seen.cycles + behaves.latency, 0};
}

void write_word(const Word &w) {
  Burst &b = writes.front();
  uint64_t at = b.at + uint64_t(b.done) * WORD;
  uint32_t response = response_at(at);
  for (uint32_t i = 0; i < WORD; i++) {
    unsigned char *to = byte_at(at + i);
    if (w.strobe >> i & 1 && to && !response) *to = (unsigned char)(w.data >> 8 * i);
  }
  if (response) b.response = response;
  if (w.is_last != (++b.done == b.words)) broken();
  if (b.done < b.words) return;
  b.due = seen.cycles + behaves.latency;
  answers.push_back(b);
  writes.pop_front();
}

void write_words() {
  for (; !writes.empty() && !early.empty(); early.pop_front()) write_word(early.front());
}

// What the memory offers in this cycle, and whether it takes: before the clock's edge.
void offer() {
  bool has_word = !behaves.is_silent && !reads.empty() && reads.front().due <= seen.cycles;
  bool has_answer = !behaves.is_silent && !answers.empty() && answers.front().due <= seen.cycles;
  loom_rtl_top->m_axi_arready = !stalls();
  loom_rtl_top->m_axi_awready = !stalls();
  loom_rtl_top->m_axi_wready = (!writes.empty() || (behaves.stalls && stalls())) && !stalls();
  if (!loom_rtl_top->m_axi_rvalid) loom_rtl_top->m_axi_rvalid = has_word && !stalls();
  if (loom_rtl_top->m_axi_rvalid) {
    const Burst &b = reads.front();
    uint64_t word = 0, at = b.at + uint64_t(b.done) * WORD;
    const unsigned char *from = byte_at(at);
    if (from && !response_at(at)) memcpy(&word, from, WORD);
    loom_rtl_top->m_axi_rdata = word;
    loom_rtl_top->m_axi_rlast = b.done + 1 == b.words;
    loom_rtl_top->m_axi_rresp = response_at(at);
  }
  if (!loom_rtl_top->m_axi_bvalid) loom_rtl_top->m_axi_bvalid = has_answer && !stalls();
  if (loom_rtl_top->m_axi_bvalid) loom_rtl_top->m_axi_bresp = answers.front().response;
}

void take(bool reads_word, bool takes_answer) {
  keeps(steady_ar, loom_rtl_top->m_axi_arvalid, loom_rtl_top->m_axi_arready, loom_rtl_top->m_axi_araddr, loom_rtl_top->m_axi_arlen);
  keeps(steady_aw, loom_rtl_top->m_axi_awvalid, loom_rtl_top->m_axi_awready, loom_rtl_top->m_axi_awaddr, loom_rtl_top->m_axi_awlen);
  keeps(steady_w, loom_rtl_top->m_axi_wvalid, loom_rtl_top->m_axi_wready, loom_rtl_top->m_axi_wdata,
        uint64_t(loom_rtl_top->m_axi_wstrb) << 1 | loom_rtl_top->m_axi_wlast);
  if (loom_rtl_top->m_axi_arvalid && !seen.first_read) seen.first_read = seen.cycles;
  if (loom_rtl_top->m_axi_wvalid && loom_rtl_top->m_axi_wready) {
    seen.words_written++;
    early.push_back(Word{loom_rtl_top->m_axi_wdata, uint32_t(loom_rtl_top->m_axi_wstrb), bool(loom_rtl_top->m_axi_wlast)});
  }
  if (loom_rtl_top->m_axi_arvalid && loom_rtl_top->m_axi_arready) {
    seen.reads++;
    reads.push_back(burst_of(loom_rtl_top->m_axi_araddr, loom_rtl_top->m_axi_arlen + 1u, loom_rtl_top->m_axi_arsize, loom_rtl_top->m_axi_arburst));
  }
  if (loom_rtl_top->m_axi_awvalid && loom_rtl_top->m_axi_awready) {
    seen.writes++;
    writes.push_back(burst_of(loom_rtl_top->m_axi_awaddr, loom_rtl_top->m_axi_awlen + 1u, loom_rtl_top->m_axi_awsize, loom_rtl_top->m_axi_awburst));
  }
  write_words();
  if (reads_word) {
    seen.words_read++;
    if (++reads.front().done == reads.front().words) reads.pop_front();
  }
  if (takes_answer) answers.pop_front();
}

void note_start(uint32_t at) {
  if (at != LOOM_CONTROL) return;
  seen.started = seen.cycles;
  seen.first_read = 0;
}

#ifdef LOOM_WISHBONE
// A write is kept until what comes behind it is known: another write goes on with the burst, anything else ends it.
struct {
  bool is_there;
  uint32_t at, word;
} kept;

void offer_cpu() {}
void take_cpu() {}
void quiet_cpu() {
  loom_rtl_top->wb_cyc = loom_rtl_top->wb_stb = 0;
}
#else
// What the CPU has to say, and which answers it is owed.
struct {
  bool has_address, has_word, asks;
  uint32_t writes, reads; // that were taken and not answered
  uint32_t word;
  bool failed;
} cpu;
Steady steady_b, steady_r;

void offer_cpu() {
  if (!loom_rtl_top->s_axi_awvalid) loom_rtl_top->s_axi_awvalid = cpu.has_address && !stalls();
  if (!loom_rtl_top->s_axi_wvalid) loom_rtl_top->s_axi_wvalid = cpu.has_word && !stalls();
  if (!loom_rtl_top->s_axi_arvalid) loom_rtl_top->s_axi_arvalid = cpu.asks && !stalls();
  loom_rtl_top->s_axi_bready = !stalls();
  loom_rtl_top->s_axi_rready = !stalls();
}

void take_cpu() {
  bool had_all = cpu.has_address || cpu.has_word;
  keeps(steady_b, loom_rtl_top->s_axi_bvalid, loom_rtl_top->s_axi_bready, loom_rtl_top->s_axi_bresp, 0);
  keeps(steady_r, loom_rtl_top->s_axi_rvalid, loom_rtl_top->s_axi_rready, loom_rtl_top->s_axi_rdata, loom_rtl_top->s_axi_rresp);
  if (loom_rtl_top->s_axi_bvalid && !cpu.writes) broken();
  if (loom_rtl_top->s_axi_rvalid && !cpu.reads) broken();
  if (loom_rtl_top->s_axi_bvalid && loom_rtl_top->s_axi_bready) cpu.writes--;
  if (loom_rtl_top->s_axi_rvalid && loom_rtl_top->s_axi_rready) {
    cpu.reads--;
    cpu.word = loom_rtl_top->s_axi_rdata;
    cpu.failed = loom_rtl_top->s_axi_rresp != 0;
  }
  if (loom_rtl_top->s_axi_awvalid && loom_rtl_top->s_axi_awready) cpu.has_address = false;
  if (loom_rtl_top->s_axi_wvalid && loom_rtl_top->s_axi_wready) cpu.has_word = false;
  if (had_all && !cpu.has_address && !cpu.has_word) {
    cpu.writes++;
    note_start(loom_rtl_top->s_axi_awaddr);
  }
  if (loom_rtl_top->s_axi_arvalid && loom_rtl_top->s_axi_arready) {
    cpu.asks = false;
    cpu.reads++;
  }
}

// Behind the clock's edge: what was taken is no longer offered.
void quiet_cpu() {
  loom_rtl_top->s_axi_awvalid &= cpu.has_address;
  loom_rtl_top->s_axi_wvalid &= cpu.has_word;
  loom_rtl_top->s_axi_arvalid &= cpu.asks;
}
#endif

// What is offered and not taken is offered again.
void step() {
  offer();
  offer_cpu();
  loom_rtl_top->clk = 0;
  loom_rtl_top->eval();
  bool reads_word = loom_rtl_top->m_axi_rvalid && loom_rtl_top->m_axi_rready;
  bool takes_answer = loom_rtl_top->m_axi_bvalid && loom_rtl_top->m_axi_bready;
  if (!loom_rtl_top->rst) {
    take(reads_word, takes_answer);
    take_cpu();
  }
  loom_rtl_top->clk = 1;
  loom_rtl_top->eval();
  if (reads_word) loom_rtl_top->m_axi_rvalid = 0;
  if (takes_answer) loom_rtl_top->m_axi_bvalid = 0;
#ifndef LOOM_WISHBONE
  quiet_cpu();
#endif
  seen.cycles++;
}

#ifdef LOOM_WISHBONE
// The words of a burst follow one another, where strobe is not down for a while by chance; else it is down behind each.
enum { TO_THE_SAME = 1, TO_THE_NEXT = 2, ENDS = 7 };

void transfer(uint32_t at, bool writes, uint32_t word, uint32_t burst) {
  while (stalls()) {
    loom_rtl_top->wb_stb = 0;
    step();
  }
  loom_rtl_top->wb_cyc = loom_rtl_top->wb_stb = 1;
  loom_rtl_top->wb_we = writes;
  loom_rtl_top->wb_adr = at / 4;
  loom_rtl_top->wb_sel = 15;
  loom_rtl_top->wb_cti = burst;
  loom_rtl_top->wb_dat_w = word;
  if (writes) note_start(at);
  while (!loom_rtl_top->wb_ack) step();
  step();
  if (burst == ENDS) quiet_cpu();
}

void end_burst() {
  if (kept.is_there) transfer(kept.at, true, kept.word, ENDS);
  kept.is_there = false;
}

int bus_write(void *, uint32_t at, uint32_t word) {
  uint32_t burst = at == kept.at ? TO_THE_SAME : at == kept.at + 4 ? TO_THE_NEXT : ENDS;
  if (kept.is_there) transfer(kept.at, true, kept.word, burst);
  kept = {true, at, word};
  return 0;
}

int bus_read(void *, uint32_t at, uint32_t *word) {
  end_burst();
  transfer(at, false, 0, ENDS);
  *word = loom_rtl_top->wb_dat_r;
  return 0;
}
#else
void end_burst() {}

// A write is a cycle where the next comes at once: its answer comes in the cycles of the next.
int bus_write(void *, uint32_t at, uint32_t word) {
  loom_rtl_top->s_axi_awaddr = at;
  loom_rtl_top->s_axi_wdata = word;
  loom_rtl_top->s_axi_wstrb = 15;
  cpu.has_address = cpu.has_word = true;
  while (cpu.has_address || cpu.has_word) step();
  return 0;
}

// Registers are read when they have been written.
int bus_read(void *, uint32_t at, uint32_t *word) {
  while (cpu.writes) step();
  loom_rtl_top->s_axi_araddr = at;
  cpu.asks = true;
  while (cpu.asks || cpu.reads) step();
  *word = cpu.word;
  return cpu.failed;
}
#endif

int bus_idle(void *, int) {
  loom_rtl_step(16);
  return 0;
}

}  // namespace

void loom_rtl_behave(const loom_rtl_memory *m) {
  behaves = m ? *m : loom_rtl_memory{};
  if (!behaves.latency) behaves.latency = 8;
  chance_state = behaves.seed;
}

void loom_rtl_open(loom_bus *bus, size_t bytes, const loom_rtl_memory *m) {
  static const loom_bus none = {};
  loom_rtl_top = new Vloom_system;
  memory = (unsigned char *)std::calloc(1, bytes);
  memory_bytes = bytes;
  refused_from = refused_to = 0;
  seen = loom_rtl_seen{};
  loom_rtl_behave(m);
  loom_rtl_reset();
  *bus = none;
  bus->read = bus_read;
  bus->write = bus_write;
  bus->idle = bus_idle;
  bus->memory = memory;
  bus->address = BASE;
  bus->bytes = memory ? bytes : 0;
}

void loom_rtl_refuse(uint64_t from, uint64_t to, uint32_t response) {
  refused_from = from;
  refused_to = to;
  refused_as = response;
}

void loom_rtl_step(uint64_t cycles) {
  end_burst();
  while (cycles--) step();
}

void loom_rtl_reset(void) {
  end_burst();
  reads.clear();
  writes.clear();
  answers.clear();
  early.clear();
  loom_rtl_top->m_axi_rvalid = loom_rtl_top->m_axi_bvalid = 0;
#ifndef LOOM_WISHBONE
  cpu = {};
  steady_b.waited = steady_r.waited = false;
#endif
  quiet_cpu();
  loom_rtl_top->rst = 1;
  loom_rtl_step(4);
  loom_rtl_top->rst = 0;
  loom_rtl_top->eval();
  if (loom_rtl_top->m_axi_arvalid || loom_rtl_top->m_axi_awvalid || loom_rtl_top->m_axi_wvalid) broken();
#ifndef LOOM_WISHBONE
  if (loom_rtl_top->s_axi_bvalid || loom_rtl_top->s_axi_rvalid) broken();
#endif
  steady_ar.waited = steady_aw.waited = steady_w.waited = false;
}

int loom_rtl_irq(void) {
  end_burst();
  loom_rtl_top->clk = 0;
  loom_rtl_top->eval();
  return loom_rtl_top->irq;
}

loom_rtl_seen *loom_rtl_look(void) {
  seen.outstanding = reads.size() + writes.size() + answers.size() + !early.empty();
  return &seen;
}

void loom_rtl_close(loom_bus *bus) {
  end_burst();
  loom_rtl_top->final();
  delete loom_rtl_top;
  std::free(memory);
  bus->memory = nullptr;
}
