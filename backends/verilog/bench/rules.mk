# make            simulate with Verilator: replay CASE and compare
# make icarus     the same with Icarus
# make lint       verilator --lint-only -Wall, of the hardware
# make synth      Yosys: cells by module, levels of gates in TILE; fails where there would be a latch
# make whole      levels of gates and loops of wires in all of the fabric: some 4 KB of memory a cell
# make place      TILE on an iCE40 HX8K: logic cells and MHz (Yosys, nextpnr-ice40)
# make time       the longest way through TILE's gates on such a chip, without wires (Yosys), also of what is too large for one
# make gates      what Yosys made of it, gates and registers, replays CASE in Icarus
#
# CASE=dir        another case (case)
# ARGS=...        more for the test bench: +cases=FILE (a folder a line), +trace=FILE, +limit=CYCLES
# OPT=-O1         how the C++ of Verilator is compiled
# TILE=module     a tile (the first)
# SEED=N          where placement begins (1); another one is some MHz quicker or slower
# JOBS=N          by how many compilers at once (all cores)
# BLOCKS=         as one piece, and not each kind of PE, switch and memory by itself
# OBSERVE=        without the wires that show every transfer
# EVENTS=         simulate the text that is synthesised, with the enables of registers that it has: slower
# REPLACE=FILES   modules of yours in place of the library's of the same name: REPLACE=vendor/loom_ram.sv
# BESIDE=FILES    what those need besides
# OBJ=dir         where what is built goes (obj; another one where something is replaced)

CASE      ?= case
ARGS      ?=
OPT       ?= -O1
OBSERVE   ?= -DLOOM_OBSERVE
EVENTS    ?= -DLOOM_EVENTS
include modules.mk
SEED      ?= 1
TILE      ?= $(or $(firstword $(basename $(notdir $(filter rtl/tile_%,$(RTL))))),$(TOP))

# A name in quotes that the shell takes as it is.
quoted = '$(subst ','\'',$(1))'

# One builds while others wait, and then have it.
LOCK := $(if $(shell command -v flock),flock $(OBJ).lock)

simulate:
	@$(LOCK) $(MAKE) --no-print-directory $(OBJ)/sim
	@$(abspath $(OBJ))/sim $(call quoted,+case=$(CASE)) $(ARGS)

SOURCES := $(RTL) $(DPI) tb/tb.sv tb/main.cpp

# How it is built, in a file that is a new one where it is built otherwise.
HOW := OBSERVE=$(OBSERVE) EVENTS=$(EVENTS) OPT=$(OPT) BLOCKS=$(BLOCKS)
$(OBJ)/how: always
	@mkdir -p $(OBJ)
	@echo $(call quoted,$(HOW)) | cmp -s - $@ || { echo $(call quoted,$(HOW)) >$@.$$$$ && mv -f $@.$$$$ $@; }

$(OBJ)/sim: $(SOURCES) $(OBJ)/how $(if $(BLOCKS),$(OBJ)/headers.h)
	@$(VERILATE) --exe $(OBSERVE) --top-module tb -o sim $(call named,$(SOURCES)) >$(OBJ).log 2>&1 || { cat $(OBJ).log; exit 1; }
	@rm -f $(OBJ).log

icarus: $(OBJ)/icarus.vvp
	@vvp -n $(OBJ)/icarus.vvp $(call quoted,+case=$(CASE)) $(ARGS)

# Renamed when it is whole: several may make it at the same time.
$(OBJ)/icarus.vvp: $(RTL) $(OBJ)/how tb/tb.sv tb/clock.sv
	@mkdir -p $(OBJ)
	@iverilog -g2012 $(OBSERVE) -s clock -o $@.$$$$ $(RTL) tb/tb.sv tb/clock.sv && mv -f $@.$$$$ $@

lint:
	@$(VERILATOR) $(LINT) $(TOP) $(RTL)
	@$(VERILATOR) $(LINT) $(TOP) -DLOOM_OBSERVE $(RTL)

synth: $(OBJ)/netlist.v $(OBJ)/levels-$(TILE).txt
	@cat $(OBJ)/area.txt $(OBJ)/levels-$(TILE).txt

whole: $(OBJ)/whole.txt
	@cat $<

$(OBJ)/netlist.v: $(RTL)
	@mkdir -p $(OBJ)
	@yosys -q -l $(OBJ)/synth.log -e 'conflicting drivers' -p "read_verilog -sv $(RTL); hierarchy -check -top $(TOP); \
	  proc; select -assert-none t:\$$dlatch t:\$$adlatch t:\$$dlatchsr; \
	  synth -noabc -top $(TOP); tee -o $(OBJ)/area.txt stat; write_verilog -noattr $@.$$$$" >/dev/null && mv -f $@.$$$$ $@

# The longest way between registers of a tile, with all that is in it and no further, and of all: that has what lies between
# tiles, too. There is none where wires lead round, which only all of it tells: what a tile is given may be constant.
levels = yosys -q -p "read_verilog $<; hierarchy -top $(1); proc; flatten; opt_expr; opt_clean; \
	  tee -q -o $(OBJ)/path.$(1) scc; tee -q -a $(OBJ)/path.$(1) ltp -noff" && \
	  awk -v name=$(1) '/^Found .* SCCs\.$$/ { loops = $$2 } $(2) \
	  /^Longest/ { if (!loops) print name ": " substr($$NF, 9) + 0 " levels of gates between registers" }' $(OBJ)/path.$(1) >$@

$(OBJ)/levels-$(TILE).txt: $(OBJ)/netlist.v
	@$(call levels,$(TILE),)

$(OBJ)/whole.txt: $(OBJ)/netlist.v
	@$(call levels,$(TOP),END { print name ": " loops " combinational loops" })

# A tile in a shell of shift registers, its decoders as gates and not as memory (-norom); the same netlist and seed give the same place.
place: $(OBJ)/place-$(TILE)-$(SEED).log
	@awk -v tile=$(TILE) '/ICESTORM_LC:/ { cells = $$3 $$4 } /Max frequency/ { mhz = $$(NF - 5) } \
	  END { print tile ": " cells " logic cells, " mhz " MHz (iCE40 HX8K)" }' $<

$(OBJ)/place-$(TILE)-$(SEED).log: $(OBJ)/shell-$(TILE).json
	@nextpnr-ice40 --hx8k --package ct256 --json $< --pcf-allow-unconstrained --timing-allow-fail --seed $(SEED) \
	  >$@.$$$$ 2>&1 && mv -f $@.$$$$ $@ || { cat $@.$$$$; rm -f $@.$$$$; exit 1; }

# synth_ice40 leaves no times in what has registers or carries: they are read anew.
time: $(OBJ)/shell-$(TILE).json
	@yosys -q -p "read_json $<; read_verilog -overwrite -D ICE40_HX -lib -specify +/ice40/cells_sim.v; \
	  tee -q -o $(OBJ)/time-$(TILE).txt sta" && \
	  awk -v tile=$(TILE) '/^Latest arrival/ { printf "%s: %.1f ns of gates, without wires (iCE40 HX)\n", tile, $$NF / 1000 }' \
	  $(OBJ)/time-$(TILE).txt

$(OBJ)/shell-$(TILE).json: $(RTL) tb/shell.awk
	@mkdir -p $(OBJ)
	@awk -f tb/shell.awk rtl/$(TILE).sv >$(OBJ)/shell-$(TILE).v
	@yosys -q -p "read_verilog -sv $(RTL) $(OBJ)/shell-$(TILE).v; hierarchy -top shell; proc -norom; synth_ice40 -top shell -json $@.$$$$" && mv -f $@.$$$$ $@

gates: $(OBJ)/gates.vvp
	@vvp -n $(OBJ)/gates.vvp $(call quoted,+case=$(CASE)) $(ARGS)

$(OBJ)/gates.vvp: $(OBJ)/netlist.v tb/tb.sv tb/clock.sv
	@iverilog -g2012 -s clock -o $@.$$$$ $(OBJ)/netlist.v tb/tb.sv tb/clock.sv && mv -f $@.$$$$ $@

clean:
	rm -rf $(OBJ) $(OBJ).log $(OBJ).lock

.PHONY: always simulate icarus lint synth whole place time gates clean
