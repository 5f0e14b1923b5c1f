  localparam int RESET = 0, CONFIG = 1, FILL = 2, START = 3, RUN = 4, READ = 5, REPORT = 6, BEGIN = 7;
  localparam longint SILENCE = 9; // the error of hardware in which nothing moves

  // What the fabric is driven with, and what it says.
  logic rst, cfg_valid, cfg_first, cfg_last, start;
  logic [31:0] cfg_data, patience;
  wire cfg_ready, running, done;
  wire [63:0] cycles;
  wire [3:0] error;
`ifdef LOOM_OBSERVE
  int noted, shown;
  int who [0:2**$clog2(CHANNELS)-1];
  logic [63:0] what [0:2**$clog2(CHANNELS)-1];
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

  // The memories outside, by request channel: answers that are owed, in a ring, the cycle from which on
  // another request is taken, that of the last answer, and how many there were.
  int memory_seed, memory_most, apart, at_answer;
  longint owed_due [0:REQUESTS*ANSWERS-1];
  logic [63:0] owed_word [0:REQUESTS*ANSWERS-1];
  logic [63:0] owed_tag [0:REQUESTS*ANSWERS-1];
  int oldest [0:REQUESTS-1];
  int owed [0:REQUESTS-1];
  longint free_from [0:REQUESTS-1];
  longint last_answer [0:REQUESTS-1];
  longint requests [0:REQUESTS-1];
  logic [63:0] chance, later, tag;
  longint due;
  logic is_free, is_due;

  // Where the process is: `at` which word, `fill` which memory inside the fabric, `region` of it.
  int step, at, fill, region, wait_cycles, size;
  int errors, trace, cases, file, got, ignored;
  string dir, path;
  logic [63:0] word, hash, of_hardware;
