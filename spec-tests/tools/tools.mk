# tools.mk -- the random-program test, the fuzzers, and what goes with them. Included by Makefile.
#
#     make fuzz-diff N=100000 SEED=1    random programs on every engine
#     make loops-campaign N=100000      the same, optimised as by -O2 (or LEVEL=1)
#     make bench-cycles                cycles of golden kernels on CYCLES_FABRIC, beside gcc -O2's
#     make bench-native                speed beside hand-written C, also a part of make bench
#     make reduce SEED=17               makes a failing one small
#     make mlir-check N=300 SEED=1      ref against MLIR's own lowering (wants mlir-opt, mlir-runner)
#     make map-campaign                golden kernels onto all presets, seeds 0 to 9
#     make preset-table                the table of presets in spec-tests/22-generated.md
#     make preset-cells PRESETS=small  what Yosys makes of each whole preset, module by module; minutes each
#     make preset-tiles PRESETS=small  a tile of each class on an iCE40: logic cells, gates and clock; an hour
#     make mutate N=2000 SEED=7         breaks proved golden graphs; do the proofs notice?
#     make map-random N=3000 SEED=1     random graphs onto random fabrics; what they compute
#     make depends N=100000 SEED=1      random nests: which accesses wait for which, counted out
#     make rtl-units N=1000000         operations of hardware in Verilator, against the host's arithmetic
#     make rtl-random N=300 SEED=1      random machines as Verilog, in Icarus
#     make unit-levels                 levels of gates of those that have registers inside
#     make rtl-area AREA_FABRIC=small  gates of operations and components, and of a fabric's tiles, by Yosys
#     make fuzz SECONDS=60              libFuzzer on parser, printer, verifier and lowering
#     make fuzz-afl SECONDS=60          AFL++ on the same entry

# A tool is TOOL.c, and what tools share one library: lib.c, what reads their subjects, the
# generators. Tools in PLAIN know nothing of LOOM.
PLAIN  := flow-table golden-lines trace-check npy-check timed-table
TOOLS  := fuzz-diff reduce hostile fail-alloc mutate spell-check golden-token \
  hostile-program npy-memory history-check streams-agree hand-check bench bench-native bench-machine bench-cycles \
  trips-check depends-check interval-check ratio-check map-golden map-random machine-random plugin-files config-check check-mutate \
  rtl-units fuzz-replay
SHARED := lib subjects decode engines_agree cc_batch hand_kernel mutate_native fuzz_parse random_program \
  random_loops random_gotos random_values random_memory fabric_text random_fabric random_machine random_machine_text random_pair
TEST_LIBRARY := $(BUILD)/spec-tests/tools/libtests.a
N       ?= 2000
SEED    ?= 1
SECONDS ?= 60

tools: $(addprefix $(BUILD)/tools/,$(TOOLS) $(PLAIN))

$(TEST_LIBRARY): $(SHARED:%=$(BUILD)/spec-tests/tools/%.o)
	@rm -f $@
	@$(AR) rc $@ $^

.SECONDEXPANSION:
$(TOOLS:%=$(BUILD)/tools/%): $$(BUILD)/spec-tests/tools/$$(subst -,_,$$(@F)).o $(TEST_LIBRARY) $(LIBRARY)
	@mkdir -p $(@D)
	@echo "  link  $@"
	@$(CC) $(CFLAGS) -o $@ $^ $(LDLIBS)

$(PLAIN:%=$(BUILD)/tools/%): $$(BUILD)/spec-tests/tools/$$(subst -,_,$$(@F)).o $(BUILD)/spec-tests/tools/lib.o
	@mkdir -p $(@D)
	@echo "  link  $@"
	@$(CC) $(CFLAGS) -o $@ $^ -ljansson -lm

LEVEL ?= 2
loops-campaign: $(BUILD)/tools/fuzz-diff
	$(BUILD)/tools/fuzz-diff --level $(LEVEL) --count $(N) --seed $(SEED)

fuzz-diff: $(BUILD)/tools/fuzz-diff
	$(BUILD)/tools/fuzz-diff --count $(N) --seed $(SEED)

reduce: $(BUILD)/tools/reduce
	$(BUILD)/tools/reduce --seed $(SEED) $(EDGES)

mlir-check: $(BUILD)/tools/fuzz-diff $(BUILD)/loom
	spec-tests/tools/mlir_check.sh $(BUILD)/tools/fuzz-diff $(BUILD)/loom $(SEED) $$(($(SEED) + $(N) - 1))

CYCLES_FABRIC ?= large
bench-cycles: $(BUILD)/tools/bench-cycles $(BUILD)/loom
	@$(BUILD)/tools/bench-cycles $(BUILD)/loom $(CYCLES_FABRIC) $(sort $(wildcard golden/*/))

depends: $(BUILD)/tools/depends-check
	$(BUILD)/tools/depends-check --seed $(SEED) --count $(N)

map-random: $(BUILD)/tools/map-random
	$(BUILD)/tools/map-random --seed $(SEED) --count $(N) --flips 20
	$(BUILD)/tools/map-random --seed $(SEED) --count $(N) --any

# All golden kernels with ten seeds, on each preset and the next larger one. Half an hour.
map-campaign: $(BUILD)/tools/map-golden
	$(BUILD)/tools/map-golden --table --seeds 10 medium large xl -- golden/*/
	$(BUILD)/tools/map-golden --table --seeds 10 temporal -- golden/*/

preset-table: all
	@sh spec-tests/tools/presets.sh table $(BUILD)/loom tiny small medium xl temporal large

preset-cells: all
	@sh spec-tests/tools/preset_cells.sh $(BUILD)/loom $(BUILD)/preset-cells $(or $(PRESETS),tiny small medium large xl temporal)

preset-tiles: all
	@sh spec-tests/tools/presets.sh tiles $(BUILD)/loom $(or $(PRESETS),tiny small medium)

mutate: $(BUILD)/tools/mutate
	$(BUILD)/tools/mutate --count $(N) --seed $(SEED) --firings 20000000 golden/*/

# Fuzzers are built apart, each object with the fuzzer's instrumentation.
$(BUILD)/tools/fuzz-parse: spec-tests/tools/fuzz_parse.c $(LIBRARY)
	@mkdir -p $(@D)
	@echo "  link  $@"
	@$(CC) $(CFLAGS) -fsanitize=fuzzer -o $@ $^ $(LDLIBS)

fuzz:
	@$(MAKE) --no-print-directory -s BUILD=build-fuzz CC=clang OPT=-O1 build-fuzz/tools/fuzz-parse \
	  EXTRA='-DARENA_MALLOC -fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=undefined'
	@mkdir -p build-fuzz/corpus build-fuzz/found
	build-fuzz/tools/fuzz-parse -max_total_time=$(SECONDS) -timeout=10 -rss_limit_mb=2048 \
	  -max_len=4096 -dict=spec-tests/fuzz-corpus/mlir.dict -artifact_prefix=build-fuzz/found/ \
	  -verbosity=1 -print_final_stats=1 build-fuzz/corpus spec-tests/fuzz-corpus

fuzz-afl:
	@$(MAKE) --no-print-directory -s BUILD=build-fuzz/afl CC=afl-clang-fast OPT=-O2 \
	  build-fuzz/afl/tools/fuzz-parse
	AFL_NO_UI=1 AFL_SKIP_CPUFREQ=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 afl-fuzz -V $(SECONDS) \
	  -i spec-tests/fuzz-corpus -o build-fuzz/afl-found -x spec-tests/fuzz-corpus/mlir.dict \
	  -- build-fuzz/afl/tools/fuzz-parse

bench-native: $(BUILD)/tools/bench-native
	$(BUILD)/tools/bench-native golden/*/

-include $(wildcard $(BUILD)/spec-tests/tools/*.d)
.PHONY: loops-campaign map-campaign preset-table preset-cells preset-tiles bench-native bench-cycles depends fuzz-diff reduce mlir-check mutate fuzz fuzz-afl

$(BUILD)/spec-tests/tools/rtl_units.o: CFLAGS += -Ibackends -Ibackends/verilog -Iplugins
rtl-units: $(BUILD)/tools/rtl-units
	@sh spec-tests/tools/rtl_units.sh list $(BUILD) $(N)
	@sh spec-tests/tools/rtl_units.sh icarus $(BUILD) 500
	@sh spec-tests/tools/rtl_units.sh yosys $(BUILD)

# ENGINE=verilator for the other simulator.
ENGINE ?= icarus
rtl-random: $(BUILD)/loom $(BUILD)/tools/machine-random
	@sh spec-tests/tools/rtl_random.sh $(ENGINE) $(BUILD) $(BUILD)/rtl-random $(N) $(SEED)

unit-levels: $(BUILD)/loom
	@sh spec-tests/tools/rtl_levels.sh $(BUILD)/loom $(BUILD)/levels all
rtl-area: $(BUILD)/loom
	@sh spec-tests/tools/area_check.sh $(BUILD)/loom $(BUILD)/area-check all
	@sh spec-tests/tools/rtl_fabric_area.sh $(BUILD)/loom $(AREA_FABRIC)

AREA_FABRIC ?= small

.PHONY: unit-levels rtl-units rtl-random rtl-area
