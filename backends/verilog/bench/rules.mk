# make            simulate with Verilator: replay CASE and compare
# make icarus     the same with Icarus
# make lint       verilator --lint-only -Wall, of the hardware
# make synth      Yosys: cells by module; fails where there would be a latch
#
# CASE=dir        another case (case)
# ARGS=...        more for the test bench: +trace=FILE +limit=CYCLES
# OPT=-O1         how the C++ of Verilator is compiled
# JOBS=N          by how many compilers at once (all cores)
# BLOCKS=         as one piece, and not each kind of PE, switch and memory by itself
# OBSERVE=        without the wires that show every transfer

CASE      ?= case
ARGS      ?=
OPT       ?= -O1
OBSERVE   ?= -DLOOM_OBSERVE
VERILATOR ?= verilator
RTL       := $(sort $(wildcard rtl/*.sv))
DPI       := $(wildcard rtl/*.c)
JOBS      ?= $(shell nproc 2>/dev/null || echo 2)
CACHE     := $(shell command -v ccache)

simulate: obj/sim
	@obj/sim +case=$(CASE) $(ARGS)

# The bench is checked less strictly than the hardware. In blocks Verilator compiles a module that
# says hier_block once, however many of it there are.
SIMULATOR = --cc --exe --build -j $(JOBS) -O3 --x-assign fast --x-initial fast --noassert -Wno-fatal \
  -Wno-lint -Wno-style $(if $(BLOCKS),--hierarchical) -DLOOM_EVENTS $(OBSERVE) --top-module tb -Mdir obj

obj/sim: $(RTL) $(DPI) tb/tb.sv tb/main.cpp
	@$(VERILATOR) $(SIMULATOR) -o sim \
	  -MAKEFLAGS "OPT_FAST=$(OPT) OPT_SLOW=-O0 OPT_GLOBAL=$(OPT) OBJCACHE=$(CACHE)" \
	  $(abspath $(RTL) $(DPI) tb/tb.sv tb/main.cpp) >obj.log 2>&1 || { cat obj.log; exit 1; }
	@rm -f obj.log

icarus: icarus.vvp
	@vvp -n icarus.vvp +case=$(CASE) $(ARGS)

icarus.vvp: $(RTL) tb/tb.sv tb/clock.sv
	@iverilog -g2012 $(OBSERVE) -s clock -o $@ $(RTL) tb/tb.sv tb/clock.sv

# Switches that can be set to anything have loops of wires; which of them an image closes, LOOM says.
LINT := --lint-only -Wall -Wno-UNOPTFLAT -Wno-DECLFILENAME --top-module

lint:
	@$(VERILATOR) $(LINT) $(TOP) $(RTL)
	@$(VERILATOR) $(LINT) $(TOP) -DLOOM_OBSERVE $(RTL)

synth:
	@yosys -q -l synth.log -p "read_verilog -sv $(RTL); hierarchy -check -top $(TOP); \
	  proc; select -assert-none t:\$$dlatch t:\$$adlatch t:\$$dlatchsr; \
	  synth -noabc -top $(TOP); tee -o area.txt stat" >/dev/null
	@cat area.txt

clean:
	rm -rf obj obj.log icarus.vvp synth.log area.txt

.PHONY: simulate icarus lint synth clean
