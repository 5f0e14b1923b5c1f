// system_memory.cpp -- compares loom_system_memory (system_memory.sv) with a C++ model that does
// one access at a time.
//
//     system_memory RUNS SEED
//
// In each run two ports load and two store, at random or consecutive addresses, while the bus
// stalls at random. A load must return what the stores accepted before it wrote; after the final
// flush the memory behind the bus must hold what all stores wrote. Then unit-stride streams run on
// a bus that never stalls, and their words per cycle are checked.
#include "loom_rtl.h"

#include "Vloom_system.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>

extern Vloom_system *loom_rtl_top;

namespace {

const uint32_t BYTES = 4096;
unsigned char model[BYTES];
std::deque<uint32_t> expected[2];
uint32_t owed[2];
uint64_t state;
unsigned wrong;

uint32_t chance(uint32_t below) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return uint32_t(state >> 33) % below;
}

void expect(bool good, const char *what) {
  if (good) return;
  printf("wrong: %s\n", what);
  if (++wrong > 10) exit(1);
}

uint32_t field(uint64_t vector, unsigned i) {
  return uint32_t(vector >> 32 * i);
}

// What is taken in this cycle, before the clock's edge: the load first.
void note(uint32_t bytes) {
  Vloom_system *top = loom_rtl_top;
  top->clk = 0;
  top->eval();
  for (unsigned i = 0; i < 2; i++) {
    if (top->load_valid >> i & top->load_ready >> i & 1) {
      uint32_t value = 0;
      memcpy(&value, model + field(top->load_address, i) * bytes, bytes);
      expected[i].push_back(value);
    }
    if (top->load_data_valid >> i & top->load_data_ready >> i & 1) {
      expect(!expected[i].empty() && expected[i].front() == top->load_data, "what a load gives");
      if (!expected[i].empty()) expected[i].pop_front();
    }
    if (top->store_done_valid >> i & top->store_done_ready >> i & 1) expect(owed[i]-- > 0, "a store that is done");
  }
  for (unsigned i = 0; i < 2; i++)
    if (top->store_valid >> i & top->store_ready >> i & 1) {
      uint32_t value = field(top->store_data, i);
      memcpy(model + field(top->store_address, i) * bytes, &value, bytes);
      owed[i]++;
    }
}

bool drain(uint32_t bytes) {
  Vloom_system *top = loom_rtl_top;
  top->load_valid = top->store_valid = 0;
  top->load_data_ready = top->store_done_ready = 3;
  for (unsigned cycle = 0; cycle < 100000; cycle++) {
    note(bytes);
    bool idle = !top->busy && expected[0].empty() && expected[1].empty();
    top->flush = expected[0].empty() && expected[1].empty() && cycle > 1000;
    if (idle && top->flush) return true;
    loom_rtl_step(1);
  }
  return false;
}

void begin(const loom_bus *bus, uint32_t size) {
  Vloom_system *top = loom_rtl_top;
  top->size = size;
  top->elements = BYTES >> size;
  top->flush = 0;
  top->forget = 1;
  loom_rtl_step(1);
  top->forget = 0;
  for (uint32_t i = 0; i < BYTES; i++) model[i] = (unsigned char)chance(256);
  memcpy(bus->memory, model, BYTES);
}

// Half of the places lie close together, so that loads meet stores.
void run(const loom_bus *bus, uint32_t seed) {
  Vloom_system *top = loom_rtl_top;
  uint32_t size = chance(3), bytes = 1u << size, space = chance(2) ? BYTES >> size : 80, next[4] = {0, 40, 0, 40};
  bool is_stream = chance(2);
  loom_rtl_memory memory = {1 + chance(20), chance(2) ? chance(200) : 0, seed};
  loom_rtl_behave(&memory);
  begin(bus, size);
  for (unsigned cycle = 0; cycle < 2000; cycle++) {
    for (unsigned i = 0; i < 2; i++) {
      if (!(top->load_valid >> i & 1) && chance(2)) {
        uint64_t at = is_stream ? next[i]++ % space : chance(space);
        top->load_address = (top->load_address & ~(uint64_t(0xffffffff) << 32 * i)) | at << 32 * i;
        top->load_valid |= 1 << i;
      }
      if (!(top->store_valid >> i & 1) && chance(3) == 0) {
        uint64_t at = is_stream ? next[2 + i]++ % space : chance(space);
        uint64_t value = chance(1u << 30) & ((uint64_t(1) << 8 * bytes) - 1);
        top->store_address = (top->store_address & ~(uint64_t(0xffffffff) << 32 * i)) | at << 32 * i;
        top->store_data = (top->store_data & ~(uint64_t(0xffffffff) << 32 * i)) | value << 32 * i;
        top->store_valid |= 1 << i;
      }
    }
    top->load_data_ready = chance(4);
    top->store_done_ready = chance(4);
    note(bytes);
    uint32_t loads = top->load_ready, stores = top->store_ready;
    loom_rtl_step(1);
    top->load_valid &= ~loads;
    top->store_valid &= ~stores;
  }
  expect(drain(bytes), "it ends");
  expect(!memcmp(bus->memory, model, BYTES), "what is in the memory");
}

// Elements one behind another, loaded by port 0, or stored, or both.
void measure(const loom_bus *bus, bool loads, bool stores, const char *what) {
  Vloom_system *top = loom_rtl_top;
  const uint32_t count = BYTES / 8;
  loom_rtl_behave(nullptr);
  begin(bus, 2);
  top->load_data_ready = top->store_done_ready = 3;
  uint32_t loaded = 0, stored = 0;
  uint64_t begun = loom_rtl_look()->cycles, read = 0;
  while ((loads && loaded < count) || (stores && stored < count)) {
    top->load_valid = loads && loaded < count;
    top->load_address = loaded;
    top->store_valid = stores && stored < count;
    top->store_address = count + stored;
    note(4);
    loaded += top->load_valid & top->load_ready;
    stored += top->store_valid & top->store_ready;
    loom_rtl_step(1);
  }
  read = loom_rtl_look()->cycles - begun;
  expect(drain(4), "it ends");
  expect(!memcmp(bus->memory, model, BYTES), "what is in the memory");
  printf("%s: %u elements in %u cycles, %u %%\n", what, count, unsigned(read), unsigned(count * 100 / read));
  expect(count * 100 / read >= 90, "90 % of the bus");
}

}  // namespace

int main(int argc, char **argv) {
  unsigned runs = argc > 1 ? unsigned(atoi(argv[1])) : 20;
  loom_bus bus;
  state = argc > 2 ? uint64_t(atoi(argv[2])) : 1;
  loom_rtl_open(&bus, BYTES, nullptr);
  for (unsigned i = 0; i < runs; i++) run(&bus, i);
  measure(&bus, true, false, "loads");
  measure(&bus, false, true, "stores");
  measure(&bus, true, true, "both");
  expect(!loom_rtl_look()->broken, "rules of AXI");
  if (!wrong) printf("%u runs, good\n", runs);
  return wrong != 0;
}
