// loom_rtl.cpp -- see loom_rtl.h: clocks the system, is the CPU's side of its slave, and the memory behind its master.
//
// The memory takes addresses and words in a cycle in which it does not stall, keeps them in order, and answers after
// its latency. It watches the master: what is offered must stay as it is until it is taken, bursts must not cross
// 4096 bytes, have as many words as they said, and come for memory that is there.
#include "loom_rtl.h"

#include "Vloom_system.h"
#include "verilated.h"

#include <cstdlib>
#include <cstring>
#include <deque>

namespace {

const uint64_t BASE = 0x40000000;

struct Burst {
  uint64_t at;
  uint32_t words, done;
  uint64_t due;
  bool refused;
};

struct Steady {
  bool waited;
  uint64_t what[2];
};

Vloom_system *top;
unsigned char *memory;
uint64_t memory_bytes, refused_from, refused_to;
loom_rtl_memory behaves;
loom_rtl_seen seen;
std::deque<Burst> reads, writes;
std::deque<Burst> answers;
Steady steady_ar, steady_aw, steady_w;
uint64_t chance_state;
const uint32_t WORD = sizeof(top->m_axi_rdata);

bool stalls() {
  chance_state = chance_state * 6364136223846793005u + 1442695040888963407u;
  return (chance_state >> 40 & 255) < behaves.stalls;
}

void broken() {
  seen.broken++;
}

bool is_refused(uint64_t at, uint32_t words) {
  return at < refused_to && at + uint64_t(words) * WORD > refused_from;
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
  if (!byte_at(at) && !is_refused(at, words)) broken();
  return Burst{at, words, 0, seen.cycles + behaves.latency, is_refused(at, words)};
}

void take_word() {
  if (writes.empty()) return broken();
  Burst &b = writes.front();
  uint64_t data = top->m_axi_wdata;
  for (uint32_t i = 0; i < WORD; i++) {
    unsigned char *to = byte_at(b.at + uint64_t(b.done) * WORD + i);
    if (top->m_axi_wstrb >> i & 1 && to && !b.refused) *to = (unsigned char)(data >> 8 * i);
  }
  seen.words_written++;
  if (++b.done == b.words) {
    if (!top->m_axi_wlast) broken();
    b.due = seen.cycles + behaves.latency;
    answers.push_back(b);
    writes.pop_front();
  } else if (top->m_axi_wlast) {
    broken();
  }
}

// What the memory offers in this cycle, and whether it takes: before the clock's edge. A word may come before its
// address; this memory takes none then.
void offer() {
  bool has_word = !reads.empty() && reads.front().due <= seen.cycles;
  top->m_axi_arready = !stalls();
  top->m_axi_awready = !stalls();
  top->m_axi_wready = !writes.empty() && !stalls();
  if (!top->m_axi_rvalid) top->m_axi_rvalid = has_word && !stalls();
  if (top->m_axi_rvalid) {
    const Burst &b = reads.front();
    uint64_t word = 0;
    const unsigned char *from = byte_at(b.at + uint64_t(b.done) * WORD);
    if (from && !b.refused) memcpy(&word, from, WORD);
    top->m_axi_rdata = word;
    top->m_axi_rlast = b.done + 1 == b.words;
    top->m_axi_rresp = b.refused ? 2 : 0;
  }
  if (!top->m_axi_bvalid) top->m_axi_bvalid = !answers.empty() && answers.front().due <= seen.cycles && !stalls();
  if (top->m_axi_bvalid) top->m_axi_bresp = answers.front().refused ? 2 : 0;
}

void take(bool reads_word, bool takes_answer) {
  keeps(steady_ar, top->m_axi_arvalid, top->m_axi_arready, top->m_axi_araddr, top->m_axi_arlen);
  keeps(steady_aw, top->m_axi_awvalid, top->m_axi_awready, top->m_axi_awaddr, top->m_axi_awlen);
  keeps(steady_w, top->m_axi_wvalid, top->m_axi_wready, top->m_axi_wdata,
        uint64_t(top->m_axi_wstrb) << 1 | top->m_axi_wlast);
  if (top->m_axi_arvalid && !seen.first_read) seen.first_read = seen.cycles;
  if (top->m_axi_wvalid && top->m_axi_wready) take_word();
  if (top->m_axi_arvalid && top->m_axi_arready) {
    seen.reads++;
    reads.push_back(burst_of(top->m_axi_araddr, top->m_axi_arlen + 1u, top->m_axi_arsize, top->m_axi_arburst));
  }
  if (top->m_axi_awvalid && top->m_axi_awready) {
    seen.writes++;
    writes.push_back(burst_of(top->m_axi_awaddr, top->m_axi_awlen + 1u, top->m_axi_awsize, top->m_axi_awburst));
  }
  if (reads_word) {
    seen.words_read++;
    if (++reads.front().done == reads.front().words) reads.pop_front();
  }
  if (takes_answer) answers.pop_front();
}

// What is offered and not taken is offered again.
void step() {
  offer();
  top->clk = 0;
  top->eval();
  bool reads_word = top->m_axi_rvalid && top->m_axi_rready;
  bool takes_answer = top->m_axi_bvalid && top->m_axi_bready;
  if (!top->rst) take(reads_word, takes_answer);
  top->clk = 1;
  top->eval();
  if (reads_word) top->m_axi_rvalid = 0;
  if (takes_answer) top->m_axi_bvalid = 0;
  seen.cycles++;
}

// The CPU. A write is a cycle where the next comes at once: its answer is waited for in the cycles of the next.
int bus_write(void *, uint32_t at, uint32_t word) {
  top->s_axi_awvalid = top->s_axi_wvalid = 1;
  top->s_axi_awaddr = at;
  top->s_axi_wdata = word;
  top->s_axi_wstrb = 15;
  top->s_axi_bready = 1;
  for (;;) {
    top->clk = 0;
    top->eval();
    bool taken = top->s_axi_awready && top->s_axi_wready;
    if (taken && at == 0x18) {
      seen.started = seen.cycles;
      seen.first_read = 0;
    }
    step();
    if (taken) break;
  }
  top->s_axi_awvalid = top->s_axi_wvalid = 0;
  return 0;
}

int bus_read(void *, uint32_t at, uint32_t *word) {
  top->s_axi_bready = top->s_axi_rready = 1;
  top->s_axi_arvalid = 1;
  top->s_axi_araddr = at;
  for (bool taken = false; !taken;) {
    top->clk = 0;
    top->eval();
    taken = top->s_axi_arready;
    step();
  }
  top->s_axi_arvalid = 0;
  top->clk = 0;
  top->eval();
  while (!top->s_axi_rvalid) step();
  *word = top->s_axi_rdata;
  int failed = top->s_axi_rresp != 0;
  step();
  return failed;
}

int bus_idle(void *) {
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
  top = new Vloom_system;
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

void loom_rtl_refuse(uint64_t from, uint64_t to) {
  refused_from = from;
  refused_to = to;
}

void loom_rtl_step(uint64_t cycles) {
  while (cycles--) step();
}

void loom_rtl_reset(void) {
  reads.clear();
  writes.clear();
  answers.clear();
  top->m_axi_rvalid = top->m_axi_bvalid = 0;
  top->s_axi_awvalid = top->s_axi_wvalid = top->s_axi_arvalid = 0;
  top->s_axi_bready = top->s_axi_rready = 1;
  top->rst = 1;
  loom_rtl_step(4);
  top->rst = 0;
  steady_ar.waited = steady_aw.waited = steady_w.waited = false;
}

int loom_rtl_irq(void) {
  top->clk = 0;
  top->eval();
  return top->irq;
}

loom_rtl_seen *loom_rtl_look(void) {
  return &seen;
}

void loom_rtl_close(loom_bus *bus) {
  top->final();
  delete top;
  std::free(memory);
  bus->memory = nullptr;
}
