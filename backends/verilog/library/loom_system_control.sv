// The registers of a system (loom_system_registers decodes them), and the state machine of a run.
//
//     IDLE -> RUN -> DRAIN -> IDLE     at the end of a run all stored data are written to the memory. An error on
//                                      the bus or an abort clears the fabric on the way to DRAIN
//
// A run is reported as done when the memory has answered all requests; or, if it does not, when the bus has been idle
// for as long as the watchdog waits. In that case DRAIN continues, and nothing else begins, until it has answered.
module loom_system_control #(
    parameter int INPUTS = 1,
    parameter int OUTPUTS = 1,
    parameter int REGIONS = 1,
    parameter int ADDR = 32,
    parameter int WORDS = 0,
    parameter int DEPTH = 4,
    parameter bit [63:0] HASH = '0
) (
    input  logic                  clk,
    input  logic                  rst,
    output logic                  irq,
    // the bus
    input  logic                  write,
    input  logic [13:0]           write_at,
    input  logic [31:0]           write_data,
    input  logic [3:0]            write_strobe,
    input  logic [13:0]           read_at,
    output logic [31:0]           read_data,
    // the fabric
    output logic                  cfg_valid,
    input  logic                  cfg_ready,
    output logic [31:0]           cfg_data,
    output logic                  cfg_first,
    output logic                  cfg_last,
    output logic                  clear,
    output logic                  start,
    output logic [31:0]           patience,
    input  logic                  running,
    input  logic                  done,
    input  logic [63:0]           cycles,
    input  logic [3:0]            error,
    output logic [INPUTS-1:0]     input_valid,
    input  logic [INPUTS-1:0]     input_ready,
    output logic [INPUTS*64-1:0]  input_data,
    output logic [INPUTS*8-1:0]   input_tag,
    output logic [INPUTS*32-1:0]  input_count,
    input  logic [OUTPUTS-1:0]    output_valid,
    output logic [OUTPUTS-1:0]    output_ready,
    input  logic [OUTPUTS*64-1:0] output_data,
    input  logic [OUTPUTS*8-1:0]  output_tag,
    output logic [OUTPUTS*32-1:0] output_count,
    // the memories
    output logic [REGIONS*64-1:0] bases,
    output logic [REGIONS*32-1:0] elements,
    output logic [REGIONS*2-1:0]  sizes,
    output logic                  forget,
    output logic                  flush,
    input  logic                  memory_busy,
    input  logic                  memory_moves,
    input  logic                  read_failed,
    input  logic [ADDR-1:0]       read_failed_at,
    input  logic [1:0]            read_response,
    input  logic                  write_failed,
    input  logic [ADDR-1:0]       write_failed_at,
    input  logic [1:0]            write_response,
    output logic                  window_write,
    output logic [7:0]            window_region,
    output logic [31:0]           window_at,
    output logic [1:0]            window_size,
    output logic [63:0]           window_data,
    input  logic [63:0]           window_read
);
  localparam logic [3:0] BUS_READ = 4'd10, BUS_WRITE = 4'd11, ABORTED = 4'd12, SILENT = 4'd13;

  typedef enum logic [1:0] {
    IDLE,
    RUN,
    DRAIN
  } step_t;
  step_t step;

  logic [7:0] write_index, read_index;
  logic partial, idle;
  logic set_control, set_start, set_abort, set_clear, set_status, clear_done, clear_failed, clear_refused;
  logic set_interrupt, new_irq_done, new_irq_failed, set_watchdog, set_image, new_first, new_last, set_word;
  logic set_window, set_window_at, set_window_data, set_window_high;
  logic set_input, set_high, set_input_count, set_input_state, take_output, set_output_count;
  logic set_base_low, set_base_high, set_elements, set_size;
  logic [7:0] new_window_region, new_tag;
  logic [1:0] new_window_size, new_size;
  logic irq_done, irq_failed, finished, failed, refused, configured, first, last, ended_silently, image_checked;
  logic [3:0] why, ended;
  logic [1:0] response;
  logic [31:0] quiet;  // consecutive cycles of DRAIN without a transfer
  logic [31:0] high;
  logic [7:0] tag;
  logic [63:0] fault;

  // ---- of one input, output or region, as the bus reads it
  logic [31:0] in_count, out_low, out_high, out_count, base_low, base_high, region_elements;
  logic [7:0] in_queued, out_queued, out_tag;
  logic in_full;
  logic [1:0] region_size;
  logic [INPUTS*8-1:0] in_counts;
  logic [INPUTS-1:0] in_fulls, input_put;
  logic [OUTPUTS*8-1:0] out_counts, out_tags;
  logic [OUTPUTS*64-1:0] out_words;
  logic [OUTPUTS-1:0] out_fulls, output_take;
  int unsigned in_at, out_at, region_at;
  assign in_at = 32'(read_index) < INPUTS ? 32'(read_index) : 0;
  assign out_at = 32'(read_index) < OUTPUTS ? 32'(read_index) : 0;
  assign region_at = 32'(read_index) < REGIONS ? 32'(read_index) : 0;
  assign in_count = input_count[in_at*32+:32];
  assign in_queued = in_counts[in_at*8+:8];
  assign in_full = in_fulls[in_at];
  assign out_low = out_words[out_at*64+:32];
  assign out_high = out_words[out_at*64+32+:32];
  assign out_count = output_count[out_at*32+:32];
  assign out_queued = out_counts[out_at*8+:8];
  assign out_tag = out_tags[out_at*8+:8];
  assign base_low = bases[region_at*64+:32];
  assign base_high = bases[region_at*64+32+:32];
  assign region_elements = elements[region_at*32+:32];
  assign region_size = sizes[region_at*2+:2];

  loom_system_registers u_registers (
      .write(write), .write_at(write_at), .write_strobe(write_strobe), .write_data(write_data), .read_at(read_at),
      .read_data(read_data), .write_index(write_index), .read_index(read_index), .partial(partial),
      .ID_MAGIC(32'h4d4f4f4c), .VERSION_MINOR(16'd0), .VERSION_MAJOR(16'd1), .HASH_LOW_BITS(HASH[31:0]),
      .HASH_HIGH_BITS(HASH[63:32]), .SHAPE_INPUTS(8'(INPUTS)), .SHAPE_OUTPUTS(8'(OUTPUTS)),
      .SHAPE_REGIONS(10'(REGIONS)), .WORDS_COUNT(32'(WORDS)), .set_CONTROL(set_control),
      .set_CONTROL_START(set_start), .set_CONTROL_ABORT(set_abort), .set_CONTROL_CLEAR(set_clear),
      .set_STATUS(set_status), .STATUS_DONE(finished), .STATUS_FAILED(failed || bad_image), .STATUS_REFUSED(refused),
      .set_STATUS_DONE(clear_done), .set_STATUS_FAILED(clear_failed), .set_STATUS_REFUSED(clear_refused),
      .STATUS_IDLE(idle), .STATUS_CONFIGURED(is_configured), .STATUS_ERROR(why),
      .STATUS_RESPONSE(response), .set_INTERRUPT(set_interrupt),
      .INTERRUPT_DONE(irq_done), .set_INTERRUPT_DONE(new_irq_done), .INTERRUPT_FAILED(irq_failed),
      .set_INTERRUPT_FAILED(new_irq_failed), .CYCLES_LOW_COUNT(cycles[31:0]), .CYCLES_HIGH_COUNT(cycles[63:32]),
      .set_WATCHDOG(set_watchdog), .WATCHDOG_CYCLES(patience), .set_IMAGE(set_image), .set_IMAGE_FIRST(new_first),
      .set_IMAGE_LAST(new_last), .set_IMAGE_DATA(set_word), .FAULT_LOW_ADDRESS(fault[31:0]),
      .FAULT_HIGH_ADDRESS(fault[63:32]), .set_WINDOW(set_window), .WINDOW_REGION(window_region),
      .set_WINDOW_REGION(new_window_region), .WINDOW_SIZE(window_size), .set_WINDOW_SIZE(new_window_size),
      .set_WINDOW_AT(set_window_at), .WINDOW_AT_BYTE(window_at), .set_WINDOW_DATA(set_window_data),
      .WINDOW_DATA_LOW(window_read[31:0]), .set_WINDOW_HIGH(set_window_high), .WINDOW_HIGH_HIGH(window_read[63:32]),
      .set_INPUT_DATA(set_input), .set_INPUT_HIGH(set_high), .set_INPUT_COUNT(set_input_count),
      .INPUT_COUNT_TOKENS(in_count), .set_INPUT_STATE(set_input_state), .INPUT_STATE_QUEUED(in_queued),
      .INPUT_STATE_FULL(in_full), .set_INPUT_STATE_TAG(new_tag), .set_OUTPUT_DATA(take_output),
      .OUTPUT_DATA_LOW(out_low), .OUTPUT_HIGH_HIGH(out_high), .set_OUTPUT_COUNT(set_output_count),
      .OUTPUT_COUNT_TOKENS(out_count), .OUTPUT_STATE_QUEUED(out_queued), .OUTPUT_STATE_TAG(out_tag),
      .set_BASE_LOW(set_base_low), .BASE_LOW_ADDRESS(base_low), .set_BASE_HIGH(set_base_high),
      .BASE_HIGH_ADDRESS(base_high), .set_ELEMENTS(set_elements), .ELEMENTS_COUNT(region_elements),
      .set_SIZE(set_size), .SIZE_LOG2(region_size), .set_SIZE_LOG2(new_size)
  );

  // The fabric reports the result of a load in the cycle after the checksum; it is visible in that cycle already.
  logic is_configured, bad_image;
  assign is_configured = image_checked ? configured : error == '0;
  assign bad_image = !image_checked && error != '0;

  // ---- a run
  logic starts, aborts, clears, bus_failed, ends, gives_up, bound;
  assign idle = step == IDLE && !memory_busy && !running;
  assign starts = set_control && set_start && idle;
  assign aborts = set_control && set_abort && step != IDLE;
  assign clears = set_control && set_clear;
  assign bus_failed = read_failed || write_failed;
  assign ends = step == RUN && done;
  assign gives_up = step == DRAIN && quiet == patience && patience != '0;
  assign start = starts;
  assign clear = clears || ((aborts || bus_failed) && step == RUN && !done);
  assign forget = starts;
  assign flush = step == DRAIN || step == IDLE;
  assign why = ended != '0 ? ended : error;
  assign irq = (irq_done && finished) || (irq_failed && failed);
  assign cfg_valid = set_word && idle;
  assign cfg_data = write_data;
  assign cfg_first = first;
  assign cfg_last = last;
  // Registers that the fabric reads do not change during a run.
  assign bound = set_input_count || set_output_count || set_base_low || set_base_high || set_elements || set_size ||
                 set_window_data;

  always_ff @(posedge clk) begin
    if (rst) begin
      step <= IDLE;
      finished <= 1'b0;
      failed <= 1'b0;
      refused <= 1'b0;
      configured <= 1'b0;
      image_checked <= 1'b1;
      first <= 1'b0;
      last <= 1'b0;
      ended <= '0;
      ended_silently <= 1'b0;
      irq_done <= 1'b0;
      irq_failed <= 1'b0;
      patience <= '0;
      fault <= '0;
      response <= '0;
      quiet <= '0;
    end else begin
      if (set_status) begin
        if (clear_done) finished <= 1'b0;
        if (clear_failed) failed <= 1'b0;
        if (clear_refused) refused <= 1'b0;
      end
      if (set_interrupt) begin
        irq_done <= new_irq_done;
        irq_failed <= new_irq_failed;
      end
      if (set_watchdog) patience <= write_data;
      if (set_image) begin
        first <= new_first;
        last <= new_last;
      end
      if (cfg_valid && cfg_ready) begin
        first <= 1'b0;
        last <= 1'b0;
        configured <= 1'b0;
        image_checked <= !cfg_last;
        ended <= '0;
      end else if (!image_checked) begin
        image_checked <= 1'b1;
        configured <= is_configured;
        if (bad_image) failed <= 1'b1;
      end
      quiet <= step != DRAIN || memory_moves || clears || quiet == patience ? '0 : quiet + 32'd1;
      case (step)
        IDLE:
        if (starts) begin
          step <= RUN;
          finished <= 1'b0;
          failed <= 1'b0;
          ended <= '0;
          response <= '0;
        end
        RUN: if (ends) step <= DRAIN;
        default:
        if (!memory_busy && !running) begin
          step <= IDLE;
          ended_silently <= 1'b0;
          if (!ended_silently) begin
            finished <= 1'b1;
            failed <= why != '0 || bus_failed;
          end
        end else if (gives_up) begin
          finished <= 1'b1;
          failed <= 1'b1;
          ended <= SILENT;
          ended_silently <= 1'b1;
        end
      endcase
      if (step != IDLE && ended == '0 && (bus_failed || (aborts && !ends))) begin
        ended <= read_failed ? BUS_READ : write_failed ? BUS_WRITE : ABORTED;
        if (bus_failed) fault <= read_failed ? 64'(read_failed_at) : 64'(write_failed_at);
        response <= read_failed ? read_response : write_failed ? write_response : '0;
      end
      if ((aborts || bus_failed) && step == RUN) step <= DRAIN;
      if (clears) begin
        step <= DRAIN;
        ended_silently <= 1'b1;
        finished <= 1'b0;
        failed <= 1'b0;
        refused <= 1'b0;
        ended <= '0;
        first <= 1'b0;
        last <= 1'b0;
      end
      if (partial || (set_control && set_start && !idle) || (set_word && !(idle && cfg_ready)) || (bound && !idle) ||
          (set_input && input_put == '0))
        refused <= 1'b1;
    end
  end

  // ---- tokens
  always_ff @(posedge clk) begin
    if (set_high) high <= write_data;
    if (set_input_state) tag <= new_tag;
    if (clears || set_input) begin
      high <= '0;
      tag <= '0;
    end
  end
  for (genvar i = 0; i < INPUTS; i++) begin : g_input
    logic [31:0] count;
    assign input_count[i*32+:32] = count;
    assign input_valid[i] = in_counts[i*8+:8] != '0;
    assign input_put[i] = set_input && 32'(write_index) == i && !in_fulls[i];
    loom_system_queue #(.W(72), .DEPTH(DEPTH)) u_queue (
        .clk(clk), .clear(rst || clears), .put(input_put[i]), .in({tag, high, write_data}),
        .full(in_fulls[i]), .take(input_valid[i] && input_ready[i]), .out({input_tag[i*8+:8], input_data[i*64+:64]}),
        .count(in_counts[i*8+:8])
    );
    always_ff @(posedge clk)
      if (rst) count <= '0;
      else if (set_input_count && idle && 32'(write_index) == i) count <= write_data;
  end
  for (genvar i = 0; i < OUTPUTS; i++) begin : g_output
    logic [31:0] count;
    assign output_count[i*32+:32] = count;
    assign output_ready[i] = !out_fulls[i];
    assign output_take[i] = take_output && 32'(write_index) == i && out_counts[i*8+:8] != '0;
    loom_system_queue #(.W(72), .DEPTH(DEPTH)) u_queue (
        .clk(clk), .clear(rst || clears || starts), .put(output_valid[i]),
        .in({output_tag[i*8+:8], output_data[i*64+:64]}), .full(out_fulls[i]), .take(output_take[i]),
        .out({out_tags[i*8+:8], out_words[i*64+:64]}), .count(out_counts[i*8+:8])
    );
    always_ff @(posedge clk)
      if (rst) count <= '0;
      else if (set_output_count && idle && 32'(write_index) == i) count <= write_data;
  end

  // ---- memories
  for (genvar i = 0; i < REGIONS; i++) begin : g_region
    logic [63:0] base;
    logic [31:0] count;
    logic [1:0] size;
    logic mine;
    assign mine = idle && 32'(write_index) == i;
    assign bases[i*64+:64] = base;
    assign elements[i*32+:32] = count;
    assign sizes[i*2+:2] = size;
    always_ff @(posedge clk)
      if (rst) begin
        base <= '0;
        count <= '0;
        size <= '0;
      end else begin
        if (set_base_low && mine) base[31:0] <= write_data;
        if (set_base_high && mine) base[63:32] <= write_data;
        if (set_elements && mine) count <= write_data;
        if (set_size && mine) size <= new_size;
      end
  end

  logic [31:0] window_high;
  assign window_write = set_window_data && idle;
  assign window_data = {window_high, write_data};
  always_ff @(posedge clk) begin
    if (rst) begin
      window_region <= '0;
      window_size <= '0;
      window_at <= '0;
      window_high <= '0;
    end else begin
      if (set_window) begin
        window_region <= new_window_region;
        window_size <= new_window_size;
      end
      if (set_window_high) window_high <= write_data;
      if (set_window_at) window_at <= write_data;
      else if (window_write) window_at <= window_at + (32'd1 << window_size);
    end
  end
endmodule
