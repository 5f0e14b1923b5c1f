/* bench.c -- the test bench of a fabric: tb/, Makefile, modules.mk, block.sh, README.md.
 *
 *     tb/tb.sv       loads an image, replays a case, compares; generated for the fabric's ports
 *     tb/main.cpp    its clock under Verilator
 *     tb/clock.sv    its clock under Icarus
 *
 * The bench depends on the fabric, not on a case: it reads image, tokens, memories and expected
 * values from the folder that +case=DIR names (case.c writes it), so one build serves every image.
 * It is one process, a state machine that steps at each clock edge:
 *
 *     RESET   CONFIG       loads the words of the image
 *             FILL         writes the memories inside the fabric, through the host's ports
 *             START, RUN   offers tokens, compares outputs and observes channels
 *             READ         reads the memories inside the fabric
 *             REPORT
 *
 * That process and all else that is the same for every fabric is in bench/. This file generates the
 * tasks for the ports that it calls: read_ports, clear_ports, offer, take_inputs, take_outputs,
 * serve, fill_memories, read_memories, compare_ports. Their text is linear in ports and regions.
 */
#include "bench.h"

#include <string.h>

#include "bench_block.sh.inc"
#include "bench_clock.sv.inc"
#include "bench_main.cpp.inc"
#include "bench_modules.mk.inc"
#include "bench_readme.md.inc"
#include "bench_rules.mk.inc"
#include "bench_shell.awk.inc"
#include "bench_tasks.sv.inc"
#include "bench_variables.sv.inc"

/* ---- the ports ------------------------------------------------------------------------------- */

/* Bits of an element's index at a memory's ports. */
static uint32_t address_bits(Verilog *v, const loom_component *c) {
  uint32_t bits = 1;
  for (uint32_t family = LOOM_LOAD_ADDRESS; family <= LOOM_STORE_ADDRESS; family++) {
    loom_port port;
    if (c->ports[family] == LOOM_NONE) continue;
    v->fabric->port(v->design, c->ports[family], &port, sizeof port);
    if (port.width > bits) bits = port.width;
  }
  return bits;
}

static int is_stream(const loom_component *c) {
  return c->kind == LOOM_FABRIC_INPUT || c->kind == LOOM_FABRIC_OUTPUT;
}

int bench_is_memory(const BenchPort *p) {
  return p->component.kind == LOOM_MEMORY || p->component.kind == LOOM_EXTMEMORY;
}

void bench_ports(Verilog *v, BenchPorts *ports) {
  uint32_t n = v->fabric->component_count(v->design);
  ports->at = verilog_alloc(v, n, sizeof *ports->at);
  ports->count = 0;
  for (uint32_t id = 0; id < n; id++) {
    BenchPort *p = &ports->at[ports->count];
    loom_port port = {0};
    p->component = component_of(v, id);
    if (is_stream(&p->component))
      v->fabric->port(v->design, p->component.first_port, &port, sizeof port);
    else if (!bench_is_memory(p) || p->component.is_private)
      continue;
    p->id = id;
    p->name = top_component_name(v, id);
    p->width = port.width;
    p->tag_width = port.is_tagged ? port.tag_width : 0;
    ports->count++;
  }
}

const char *bench_file(Verilog *v, const char *what, const BenchPort *p, uint32_t region) {
  const char *name = strlen(p->name) > 120 ? text(v, "%u", p->id) : p->name;
  return bench_is_memory(p) ? text(v, "%s.%s.%u.hex", what, name, region)
                            : text(v, "%s.%s.hex", what, name);
}

#define for_each_port(p, ports)                                                                    \
  for (const BenchPort *p = (ports)->at; p < (ports)->at + (ports)->count; p++)
#define for_each_of(p, ports, wanted) for_each_port(p, ports) if (p->component.kind == (wanted))

/* The ports of an extmemory, or of a channel of it, that exist. */
#define for_each_memory_port(port, c)                                                              \
  for (const MemoryPort *port = top_memory_ports; port < top_memory_ports + MEMORY_PORTS; port++)  \
    if (port->of_stores ? (c)->store_count : (c)->load_count)

/* Channel k of an extmemory, as a memory of its own. */
static BenchPort channel_of(Verilog *v, const BenchPort *p, uint32_t k) {
  BenchPort channel = *p;
  channel.component = top_channel(&p->component, k);
  channel.name = top_channel_name(v, p->name, &p->component, k);
  return channel;
}

/* ---- declarations ---------------------------------------------------------------------------- */

static void declare_vector(Verilog *v, const char *type, uint32_t bits, const BenchPort *p,
                           const char *what) {
  if (bits) put(v, "  %s [%u:0] %s_%s;\n", type, bits - 1, p->name, what);
}

static void declare_memory(Verilog *v, const BenchPort *p) {
  const loom_component *c = &p->component;
  uint32_t address = address_bits(v, c), last = c->region_count - 1;
  put_named(v, p->name,
            "  int $__base [0:%u], $__count [0:%u], $__after [0:%u], $__first [0:%u];\n", last,
            last, last, last);
  if (c->kind == LOOM_MEMORY) put(v, "  int %s__size [0:%u];\n", p->name, last);
  declare_vector(v, "logic", c->region_count * 64, p, "elements");
  if (c->kind == LOOM_MEMORY) {
    put_named(v, p->name,
              "  logic $_host_write;\n  logic [31:0] $_host_address;\n"
              "  logic [3:0] $_host_size;\n");
    declare_vector(v, "logic", c->element_bits, p, "host_data");
    declare_vector(v, "wire", c->element_bits, p, "host_read");
    return;
  }
  for (uint32_t k = 0; k < top_channels(c); k++) {
    BenchPort channel = channel_of(v, p, k);
    for_each_memory_port(port, &channel.component) declare_vector(
        v, port->is_output ? "wire" : "logic",
        top_memory_port_bits(port, &channel.component, address), &channel, port->name);
  }
}

static void declare_ports(Verilog *v, const BenchPorts *ports) {
  for_each_port(p, ports) {
    if (bench_is_memory(p)) {
      declare_memory(v, p);
      continue;
    }
    int is_input = p->component.kind == LOOM_FABRIC_INPUT;
    put_named(v, p->name, "  int $__base, $__count, $__owed, $__at;\n");
    put_named(v, p->name,
              is_input ? "  logic $_valid;\n  wire $_ready;\n"
                       : "  wire $_valid;\n  logic $_ready, $__waits;\n");
    declare_vector(v, is_input ? "logic" : "wire", p->width, p, "data");
  }
}

static void connect(Verilog *v, const BenchPort *p, const char *what) {
  put(v, ",\n    .%s_%s(%s_%s)", p->name, what, p->name, what);
}

static void connect_port(Verilog *v, const BenchPort *p) {
  const loom_component *c = &p->component;
  if (is_stream(c)) {
    int is_input = c->kind == LOOM_FABRIC_INPUT;
    connect(v, p, "valid");
    put_named(v, p->name,
              is_input ? ",\n    .$_count($__count)"
                       : ",\n    .$_count(few != 0 ? 0 : $__count + $__owed)");
    connect(v, p, "ready");
    if (p->width) connect(v, p, "data");
    if (p->tag_width) /* __owed is the second number of the file: an input's tag (case.c) */
      put_named(v, p->name, is_input ? ",\n    .$_tag($__owed[%u:0])" : ",\n    .$_tag()",
                p->tag_width - 1);
    return;
  }
  connect(v, p, "elements");
  if (c->kind == LOOM_MEMORY) {
    connect(v, p, "host_write");
    connect(v, p, "host_address");
    connect(v, p, "host_size");
    connect(v, p, "host_data");
    connect(v, p, "host_read");
    return;
  }
  for (uint32_t k = 0; k < top_channels(c); k++) {
    BenchPort channel = channel_of(v, p, k);
    for_each_memory_port(port, &channel.component) connect(v, &channel, port->name);
  }
}

static void instantiate(Verilog *v, const BenchPorts *ports) {
  put(v,
      "\n  %s top (\n"
      "    .clk(clk), .rst(rst), .start(start), .running(running), .done(done),\n"
      "    .cfg_valid(cfg_valid), .cfg_ready(cfg_ready), .cfg_data(cfg_data), "
      ".cfg_first(cfg_first), .cfg_last(cfg_last),\n"
      "    .clear(1'b0), .patience(patience), .cycles(cycles), .error(error)",
      top_name(v));
  for_each_port(p, ports) connect_port(v, p);
  put(v, "\n  );\n\n");
}

/* ---- before and after ------------------------------------------------------------------------ */

static void begin_task(Verilog *v, const char *name) {
  put(v, "  task %s;\n    begin end\n", name); /* the task may be empty otherwise */
}

static void end_task(Verilog *v) {
  put(v, "  endtask\n\n");
}

static void write_read_ports(Verilog *v, const BenchPorts *ports) {
  begin_task(v, "read_ports");
  for_each_port(p, ports) {
    if (!bench_is_memory(p)) {
      const char *what = p->component.kind == LOOM_FABRIC_INPUT ? "input" : "output";
      put_named(v, p->name, "    read(\"%s\", $__base, $__count, $__owed);\n",
                bench_file(v, what, p, 0));
      continue;
    }
    for (uint32_t r = 0; r < p->component.region_count; r++) {
      put_named(v, p->name, "    read(\"%s\", $__base[%u], $__count[%u], $__first[%u]);\n",
                bench_file(v, "memory", p, r), r, r, r);
      if (p->component.kind == LOOM_MEMORY) put(v, "    %s__size[%u] = size;\n", p->name, r);
      put_named(v, p->name,
                "    read(\"%s\", $__after[%u], ignored, ignored);\n"
                "    $_elements[%u +: 64] = {32'd0, $__count[%u]};\n",
                bench_file(v, "after", p, r), r, r * 64, r);
    }
  }
  end_task(v);
}

static void write_clear_ports(Verilog *v, const BenchPorts *ports) {
  begin_task(v, "clear_ports");
  for_each_port(p, ports) {
    switch (p->component.kind) {
    case LOOM_FABRIC_INPUT:
      put_named(v, p->name, "    $__at = 0;\n    $_valid <= 0;\n");
      if (p->width) put_named(v, p->name, "    $_data <= 0;\n");
      break;
    case LOOM_FABRIC_OUTPUT:
      put_named(v, p->name, "    $__at = 0;\n    $_ready <= 1;\n    $__waits = 0;\n");
      break;
    case LOOM_MEMORY:
      put_named(v, p->name,
                "    $_elements = 0;\n    $_host_write <= 0;\n    $_host_address <= 0;\n"
                "    $_host_size <= 0;\n    $_host_data <= 0;\n");
      break;
    default:
      put_named(v, p->name, "    $_elements = 0;\n");
      for (uint32_t k = 0; k < top_channels(&p->component); k++) {
        BenchPort channel = channel_of(v, p, k);
        for_each_memory_port(port, &channel.component) if (!port->is_output)
            put(v, "    %s_%s <= 0;\n", channel.name, port->name);
      }
    }
  }
  end_task(v);
}

static void write_compare_ports(Verilog *v, const BenchPorts *ports) {
  begin_task(v, "compare_ports");
  for_each_port(p, ports) {
    if (p->component.kind == LOOM_FABRIC_OUTPUT)
      put_named(v, p->name, "    compare_count(\"%.100s\", $__at, $__count);\n", p->name);
    for (uint32_t r = 0; bench_is_memory(p) && r < p->component.region_count; r++)
      put_named(v, p->name,
                "    compare_memory(\"%.100s\", %u, $__count[%u], $__base[%u], $__after[%u]);\n",
                p->name, r, r, r, r);
  }
  end_task(v);
}

/* ---- tasks of each cycle of a run ------------------------------------------------------------ */

static void write_streams(Verilog *v, const BenchPorts *ports) {
  put(v,
      "  // Each input offers its next token, from cycle 0 on; with +stall after random pauses.\n");
  begin_task(v, "offer");
  for_each_of(p, ports, LOOM_FABRIC_INPUT) {
    put_named(
        v, p->name,
        "    roll;\n    $_valid <= $__at < $__count && (($_valid && !$_ready) || !pauses);\n");
    if (!p->width) continue;
    put_named(v, p->name,
              "    word = $__at < $__count ? words[$__base + $__at] : 64'd0;\n"
              "    $_data <= word[%u:0];\n",
              p->width - 1);
  }
  for_each_of(p, ports, LOOM_FABRIC_OUTPUT)
      put_named(v, p->name, "    roll;\n    $_ready <= !pauses;\n");
  end_task(v);
  begin_task(v, "take_inputs");
  for_each_of(p, ports, LOOM_FABRIC_INPUT)
      put_named(v, p->name, "    if ($_valid && $_ready) $__at = $__at + 1;\n");
  end_task(v);
  begin_task(v, "take_outputs");
  for_each_of(p, ports, LOOM_FABRIC_OUTPUT) {
    put_named(v, p->name,
              "    if ($__waits && !$_valid) lost_token(\"$\", $__at);\n"
              "    $__waits = $_valid && !$_ready;\n    if ($_valid && $_ready) begin\n");
    if (p->width)
      put_named(
          v, p->name,
          "      word = words[$__base + $__at];\n"
          "      hash = 0;\n"
          "      hash = hash | $_data;\n"
          "      if ($__at < $__count && word !== hash) wrong_token(\"$\", $__at, hash, word);\n");
    put_named(v, p->name, "      $__at = $__at + 1;\n    end\n");
  }
  end_task(v);
}

/* In each cycle: an answer that was taken is removed, a request that is taken gets an answer, and
 * the oldest answer is offered when it is due. `p` is a channel of `memory`, `channel` its number
 * in the bench, `number` that in the machine model. */
static void write_loads(Verilog *v, const BenchPort *memory, const BenchPort *p, uint32_t channel,
                        uint32_t number) {
  const loom_component *c = &p->component;
  put_named(v, p->name,
            "    if ($_load_data_valid && $_load_data_ready) taken(%u);\n"
            "    if ($_load_valid && $_load_ready) begin\n"
            "      element = $_load_address;\n"
            "      element = %s__base[$_load_region] + element;\n"
            "      word = words[element];\n"
            "      tag = 0;\n"
            "      tag = tag | $_load_tag;\n"
            "      ask(%u, %u, %u);\n    end\n    answer(%u);\n"
            "    $_load_ready <= is_free;\n"
            "    $_load_data_valid <= is_due;\n"
            "    $_load_data_tag <= tag[%u:0];\n"
            "    $_load_data <= word[%u:0];\n",
            channel, memory->name, channel, number, c->latency, channel,
            top_memory_port_bits(&(MemoryPort){"", 0, 0, PORT_TAG}, c, 0) - 1, c->element_bits - 1);
}

static void write_stores(Verilog *v, const BenchPort *memory, const BenchPort *p, uint32_t channel,
                         uint32_t number) {
  const loom_component *c = &p->component;
  put_named(v, p->name,
            "    if ($_store_done_valid && $_store_done_ready) taken(%u);\n"
            "    if ($_store_valid && $_store_ready) begin\n"
            "      element = $_store_address;\n"
            "      element = %s__base[$_store_region] + element;\n"
            "      word = 0;\n"
            "      word = word | $_store_data;\n"
            "      tag = 0;\n"
            "      tag = tag | $_store_tag;\n"
            "      hash = words[element];\n"
            "      for (int b = 0; b < %u; b++)\n"
            "        if (!$_store_strobe[b]) word[b * 8 +: 8] = hash[b * 8 +: 8];\n"
            "      words[element] = word;\n"
            "      ask(%u, %u, %u);\n    end\n    answer(%u);\n"
            "    $_store_ready <= is_free;\n"
            "    $_store_done_valid <= is_due;\n"
            "    $_store_done_tag <= tag[%u:0];\n",
            channel, memory->name, (c->element_bits + 7) / 8, channel, number, c->latency, channel,
            top_memory_port_bits(&(MemoryPort){"", 1, 0, PORT_TAG}, c, 0) - 1);
}

/* The request channels of all extmemories, the largest latency of a memory, and the largest number
 * of outstanding requests of a channel. */
typedef struct {
  uint32_t channels, latency, answers;
} Outside;

static Outside outside_of(const BenchPorts *ports) {
  Outside all = {0, 0, 1};
  for_each_port(p, ports) {
    const loom_component *c = &p->component;
    uint32_t lanes = c->load_count > c->store_count ? c->load_count : c->store_count;
    if (bench_is_memory(p) && c->latency > all.latency) all.latency = c->latency;
    if (c->kind != LOOM_EXTMEMORY) continue;
    for (uint32_t k = 0; k < top_channels(c); k++) {
      loom_component channel = top_channel(c, k);
      all.channels += (channel.load_count > 0) + (channel.store_count > 0);
    }
    if (lanes * c->places > all.answers) all.answers = lanes * c->places;
  }
  return all;
}

/* The number of memories, inside and outside the fabric, with a smaller id than this component. */
static uint32_t memories_before(Verilog *v, uint32_t component) {
  uint32_t n = 0;
  for (uint32_t id = 0; id < component; id++) {
    loom_component c = component_of(v, id);
    n += c.kind == LOOM_MEMORY || c.kind == LOOM_EXTMEMORY;
  }
  return n;
}

static void write_serve(Verilog *v, const BenchPorts *ports) {
  uint32_t channel = 0;
  put(v, "  // The memories outside the fabric: in a cycle loads read before stores write.\n"
         "  int element;\n");
  begin_task(v, "serve");
  for_each_of(p, ports, LOOM_EXTMEMORY) {
    uint32_t all = memories_before(v, v->fabric->component_count(v->design));
    for (int stores = 0; stores < 2; stores++)
      for (uint32_t k = 0; k < top_channels(&p->component); k++) {
        uint32_t number = 2 * (k * all + memories_before(v, p->id)) + (uint32_t)stores;
        BenchPort at = channel_of(v, p, k);
        if (!stores && at.component.load_count) write_loads(v, p, &at, channel++, number);
        if (stores && at.component.store_count) write_stores(v, p, &at, channel++, number);
      }
  }
  end_task(v);
}

/* ---- memories inside the fabric -------------------------------------------------------------- */

/* Puts statements that advance to the next region, or to the next memory. */
static void next_region(Verilog *v, const BenchPort *p, uint32_t fill) {
  put(v,
      "          at = 0;\n"
      "          region = region + 1;\n"
      "          if (region == %u) begin\n"
      "            region = 0;\n"
      "            fill = %u;\n"
      "          end\n",
      p->component.region_count, fill + 1);
}

static void write_fill(Verilog *v, const BenchPorts *ports) {
  uint32_t fill = 0;
  begin_task(v, "fill_memories");
  put(v, "    case (fill)\n");
  for_each_of(p, ports, LOOM_MEMORY) {
    put_named(v, p->name,
              "      %u: begin\n"
              "        $_host_write <= at < $__count[region];\n"
              "        if (at < $__count[region]) begin\n"
              "          word = words[$__base[region] + at];\n"
              "          $_host_address <= $__first[region] + (at << $__size[region]);\n"
              "          $_host_size <= 4'($__size[region]);\n"
              "          $_host_data <= word[%u:0];\n"
              "          at = at + 1;\n"
              "        end else begin\n",
              fill, p->component.element_bits - 1);
    next_region(v, p, fill++);
    put(v, "        end\n      end\n");
  }
  put(v,
      "      default: begin\n        fill = 0;\n        step = START;\n      end\n    endcase\n");
  end_task(v);
}

static void write_read(Verilog *v, const BenchPorts *ports) {
  uint32_t fill = 0;
  put(v, "  // Sets an address, waits a cycle, and reads the word.\n");
  begin_task(v, "read_memories");
  put(v, "    case (fill)\n");
  for_each_of(p, ports, LOOM_MEMORY) {
    put_named(v, p->name, "      %u: begin\n        if (at == $__count[region]) begin\n", fill);
    next_region(v, p, fill++);
    put_named(v, p->name,
              "        end else if (wait_cycles < 2) begin\n"
              "          $_host_address <= $__first[region] + (at << $__size[region]);\n"
              "          $_host_size <= 4'($__size[region]);\n"
              "          wait_cycles = wait_cycles + 1;\n"
              "        end else begin\n"
              "          word = 0;\n"
              "          word = word | $_host_read;\n"
              "          words[$__base[region] + at] = word;\n"
              "          wait_cycles = 0;\n"
              "          at = at + 1;\n"
              "        end\n"
              "      end\n");
  }
  put(v, "      default: step = REPORT;\n    endcase\n");
  end_task(v);
}

/* ---- the files ------------------------------------------------------------------------------- */

/* Lists the ports whose names in Verilog differ from those in the fabric. */
static void write_names(Verilog *v, const BenchPorts *ports) {
  int any = 0;
  for_each_port(p, ports) {
    if (!strcmp(p->name, p->component.name)) continue;
    if (!any) put(v, "\n## Ports that are called otherwise\n\n");
    any = 1;
    put(v, "    %-20s is %s in the fabric\n", p->name, p->component.name);
  }
}

void bench_write_modules(Verilog *v) {
  source_open(v, "modules.mk");
  put_unpacked(v, bench_modules_mk);
  put(v, "TOP       := %s\nBLOCKS    ?= %s\n", top_name(v), top_is_large(v) ? "yes" : "");
  source_open(v, "block.sh");
  put_unpacked(v, bench_block_sh);
}

static void write_guide(Verilog *v, const BenchPorts *ports) {
  const char *name = v->fabric->name(v->design);
  source_open(v, "Makefile");
  put(v, "# The hardware of %s.\n\n", name);
  put_unpacked(v, bench_rules_mk);
  bench_write_modules(v);
  source_open(v, "README.md");
  put(v, "# The fabric %s as SystemVerilog\n", name);
  put_unpacked(v, bench_readme_md);
  write_names(v, ports);
}

void bench_write(Verilog *v) {
  BenchPorts ports;
  bench_ports(v, &ports);
  Outside outside = outside_of(&ports);
  source_open(v, "tb/tb.sv");
  put(v,
      "// The test bench of %s. README.md says how to call it.\n"
      "module tb (\n  input wire clk,\n  output logic finished, failed\n);\n"
      "  localparam int CHANNELS = %u;\n"
      "  localparam [63:0] HARDWARE = 64'h%016llx;\n"
      "  localparam int REQUESTS = %u, ANSWERS = %u, LATENCY = %u; // of memories\n",
      v->fabric->name(v->design), top_observe_count(v), library_hash(v),
      outside.channels ? outside.channels : 1, outside.answers, outside.latency);
  put_unpacked(v, bench_variables_sv);
  put(v, "\n");
  declare_ports(v, &ports);
  instantiate(v, &ports);
  put_unpacked(v, bench_tasks_sv);
  top_observe_bench(v);
  write_read_ports(v, &ports);
  write_clear_ports(v, &ports);
  write_compare_ports(v, &ports);
  write_streams(v, &ports);
  write_serve(v, &ports);
  write_fill(v, &ports);
  write_read(v, &ports);
  put(v, "endmodule\n");
  source_open(v, "tb/main.cpp");
  put_unpacked(v, bench_main_cpp);
  source_open(v, "tb/clock.sv");
  put_unpacked(v, bench_clock_sv);
  source_open(v, "tb/shell.awk");
  put_unpacked(v, bench_shell_awk);
  write_guide(v, &ports);
}
