# make lint       verilator --lint-only -Wall
# make sim        obj/libloom_rtl.a: the RTL under Verilator, for programs that use loom_rtl.h
# make synth      Yosys, for TARGET (ice40, ecp5): no latch; cells. FLATTEN=tiles: nothing is optimised across the edges of
#                 tiles, and each kind of tile is done once, as where there are 200 files and more: those of `small`
# make place      the whole on an iCE40 HX8K, for fabrics that are as small as that: logic cells and MHz (nextpnr-ice40)
#
# REPLACE=FILES   modules of yours in place of those of the same name in rtl/: REPLACE=vendor/loom_ram.sv
# BESIDE=FILES    what those need besides
# OPT=-O2         how the C++ of Verilator is compiled
# JOBS=N          by how many compilers at once (all cores)
# BLOCKS=         as one piece, and not each kind of PE, switch and memory by itself

include modules.mk
OPT       ?= -O2
TARGET    ?= ecp5
FLATTEN   ?= $(if $(word 200,$(FILES)),tiles,all)
WISHBONE  := $(if $(shell grep -l wb_cyc rtl/loom_system.sv),-DLOOM_WISHBONE)

lint:
	@$(VERILATOR) $(LINT) loom_system $(RTL)

sim: $(OBJ)/libloom_rtl.a

# What Verilator made, in blocks or not, and what programs need besides.
RUNTIME := loom_rtl.o verilated.o verilated_threads.o $(if $(BLOCKS)$(DPI),verilated_dpi.o) $(if $(DPI),loom_dpi.o)

$(OBJ)/libloom_rtl.a: $(RTL) $(DPI) sim/loom_rtl.cpp sim/loom_rtl.h driver/loom_driver.h $(if $(BLOCKS),$(OBJ)/headers.h)
	@mkdir -p $(OBJ)
	@$(VERILATE) --top-module loom_system -CFLAGS "$(WISHBONE) -I$(abspath sim) -I$(abspath driver)" \
	  $(call named,$(RTL)) $(abspath $(DPI) sim/loom_rtl.cpp) >$(OBJ)/log 2>&1 || { cat $(OBJ)/log; exit 1; }
	@$(MAKE) -s -C $(OBJ) -f Vloom_system.mk $(RUNTIME) $(COMPILE) >>$(OBJ)/log 2>&1 || { cat $(OBJ)/log; exit 1; }
	@cp $(OBJ)/Vloom_system__ALL.a $@
	@$(AR) r $@ $(addprefix $(OBJ)/,$(RUNTIME)) 2>/dev/null

# Up to where every cell would get a name: of a million of them that takes as long as the rest.
synth:
	@mkdir -p $(OBJ)
	@yosys -q -l $(OBJ)/synth.log -e 'conflicting drivers' -p "read_verilog -sv $(RTL); hierarchy -check -top loom_system; proc; \
	  select -assert-none t:\$$dlatch t:\$$adlatch t:\$$dlatchsr; $(if $(filter tiles,$(FLATTEN)),setattr -mod -set keep_hierarchy 1 tile_*;) \
	  synth_$(TARGET) -top loom_system -run :check; write_json $(OBJ)/$(TARGET).json; \
	  tee -o $(OBJ)/cells.txt stat -top loom_system" >/dev/null && cat $(OBJ)/cells.txt

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
