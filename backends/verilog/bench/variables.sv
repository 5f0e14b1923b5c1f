  localparam int RESET = 0, CONFIG = 1, FILL = 2, START = 3, RUN = 4, READ = 5, REPORT = 6;
  localparam longint SILENCE = 9; // the error of hardware in which nothing moves

  // What the fabric is driven with, and what it says.
  logic rst, cfg_valid, cfg_first, cfg_last, start;
  logic [31:0] cfg_data, patience;
  wire cfg_ready, running, done;
  wire [63:0] cycles;
  wire [3:0] error;
`ifdef LOOM_OBSERVE
  int noted;
  int who [0:CHANNELS-1];
  logic [63:0] what [0:CHANNELS-1];
  longint seen_count [0:CHANNELS-1];
  logic [63:0] seen_hash [0:CHANNELS-1];
`endif

  // The case. All that was read lies in one array, and each file is known by where it begins in it:
  // tasks that all simulators take cannot hand out arrays.
  logic [63:0] words [];
  int used, total, image_base, image_count;
  longint cycle, limit, want_cycles, want_error;
  int want_still, few, stall;
  logic pauses;

  // Where the process is: `at` which word, `fill` which memory inside the fabric, `region` of it.
  int step, at, fill, region, wait_cycles, size;
  int errors, trace, file, got, ignored;
  string dir, path;
  logic [63:0] word, hash, of_hardware;
