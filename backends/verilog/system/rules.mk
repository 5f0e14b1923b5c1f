# make lint       verilator --lint-only -Wall
# make sim        obj/libloom_rtl.a: the RTL under Verilator, for programs that use loom_rtl.h
# make synth      Yosys, for TARGET (ice40, ecp5): no latch; cells. FLATTEN=no: each module once, with its instances
#                 counted, as where there are 200 files and more, like those of the preset `small`: sooner done, and larger
# make place      the whole on an iCE40 HX8K, for fabrics that are as small as that: logic cells and MHz (nextpnr-ice40)
#
# REPLACE=FILES   modules of yours in place of those of the same name in rtl/: REPLACE=vendor/loom_ram.sv
# BESIDE=FILES    what those need besides

VERILATOR ?= verilator
OPT       ?= -O2
REPLACE   ?=
BESIDE    ?=
CHECKSUM  := $(if $(REPLACE),-$(firstword $(shell cat $(REPLACE) $(BESIDE) | cksum)))
OBJ       ?= obj$(CHECKSUM)
JOBS      ?= $(shell nproc 2>/dev/null || echo 2)
TARGET    ?= ecp5
FILES     := $(shell cat rtl.f)
FLATTEN   ?= $(if $(word 200,$(FILES)),no,yes)
IN_PLACE  := $(filter $(addprefix rtl/,$(notdir $(REPLACE))),$(FILES))
RTL       := $(filter-out $(IN_PLACE),$(filter %.sv,$(FILES))) $(BESIDE) $(REPLACE)
DPI       := $(filter %.c,$(FILES))
WISHBONE  := $(if $(shell grep -l wb_cyc rtl/loom_system.sv),-DLOOM_WISHBONE)
CACHE     := $(shell command -v ccache)
ROOT      := $(shell $(VERILATOR) --getenv VERILATOR_ROOT 2>/dev/null)

# Each of them replaces one.
$(if $(filter-out $(words $(IN_PLACE)),$(words $(REPLACE))),$(error REPLACE: not each of '$(REPLACE)' has the name of a file in rtl.f))

# Loops of wires are only in fabrics whose switches have no buffers, or forward ones, and their text says so.
LOOPS := $(if $(shell grep -l 'lint_off UNOPTFLAT' $(RTL)),-Wno-UNOPTFLAT)

lint:
	@$(VERILATOR) --lint-only -Wall $(LOOPS) --top-module loom_system $(RTL)

sim: $(OBJ)/libloom_rtl.a

$(OBJ)/libloom_rtl.a: $(RTL) $(DPI) sim/loom_rtl.cpp sim/loom_rtl.h driver/loom_driver.h
	@mkdir -p $(OBJ)
	@$(VERILATOR) --cc --build -j $(JOBS) -O3 --x-assign fast --x-initial fast --noassert -Wno-fatal -Wno-lint -Wno-style \
	  --top-module loom_system -Mdir $(OBJ) -CFLAGS "$(OPT) $(WISHBONE)" $(RTL) $(abspath $(DPI) sim/loom_rtl.cpp) \
	  -CFLAGS "-I$(abspath sim) -I$(abspath driver)" \
	  -MAKEFLAGS "OPT_FAST=$(OPT) OPT_SLOW=-O0 OPT_GLOBAL=$(OPT) OBJCACHE=$(CACHE)" >$(OBJ)/log 2>&1 || { cat $(OBJ)/log; exit 1; }
	@$(MAKE) -s -C $(OBJ) -f Vloom_system.mk loom_rtl.o verilated.o verilated_threads.o $(if $(DPI),loom_dpi.o) \
	  OPT_FAST=$(OPT) OPT_SLOW=-O0 OPT_GLOBAL=$(OPT) OBJCACHE=$(CACHE) >>$(OBJ)/log 2>&1 || { cat $(OBJ)/log; exit 1; }
	@cp $(OBJ)/Vloom_system__ALL.a $@
	@$(AR) r $@ $(OBJ)/loom_rtl.o $(OBJ)/verilated.o $(OBJ)/verilated_threads.o $(if $(DPI),$(OBJ)/loom_dpi.o) 2>/dev/null

synth:
	@mkdir -p $(OBJ)
	@yosys -q -l $(OBJ)/synth.log -e 'conflicting drivers' -p "read_verilog -sv $(RTL); hierarchy -check -top loom_system; proc; \
	  select -assert-none t:\$$dlatch t:\$$adlatch t:\$$dlatchsr; synth_$(TARGET) $(if $(filter no,$(FLATTEN)),-noflatten) -top loom_system \
	  -json $(OBJ)/$(TARGET).json; tee -o $(OBJ)/cells.txt stat -top loom_system" >/dev/null && cat $(OBJ)/cells.txt

# Between two shift registers, since the pins of a chip are too few; the same netlist and seed give the same place.
place: $(OBJ)/place.log
	@awk '/ICESTORM_LC:/ { cells = $$3 $$4 } /ICESTORM_RAM:/ { rams = $$3 $$4 } /Max frequency/ { mhz = $$(NF - 5) } \
	  END { print "loom_system: " cells " logic cells, " rams " block RAMs, " mhz " MHz (iCE40 HX8K)" }' $<

$(OBJ)/place.log: $(RTL) sim/shell.awk
	@mkdir -p $(OBJ)
	@sed 's/ADDR-1/31/; s/DW-1/31/; s:DW/8-1:3:' rtl/loom_system.sv | awk -f sim/shell.awk >$(OBJ)/shell.v
	@yosys -q -p "read_verilog -sv $(RTL) $(OBJ)/shell.v; synth_ice40 -top shell -json $(OBJ)/shell.json" >$@.$$$$ && \
	  nextpnr-ice40 --hx8k --package ct256 --json $(OBJ)/shell.json --pcf-allow-unconstrained --timing-allow-fail \
	  --seed 1 >$@.$$$$ 2>&1 && mv -f $@.$$$$ $@ || { cat $@.$$$$; rm -f $@.$$$$; exit 1; }

clean:
	rm -rf $(OBJ)

.PHONY: lint sim synth place clean
