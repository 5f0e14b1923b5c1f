# Which modules there are, and how Verilator compiles them. The Makefile includes it.

REPLACE   ?=
BESIDE    ?=
CHECKSUM  := $(if $(REPLACE),-$(firstword $(shell cat $(REPLACE) $(BESIDE) | cksum)))
OBJ       ?= obj$(CHECKSUM)
VERILATOR ?= verilator
FILES     := $(shell cat rtl.f)
IN_PLACE  := $(filter $(addprefix rtl/,$(notdir $(REPLACE))),$(FILES))
RTL       := $(filter-out $(IN_PLACE),$(filter %.sv,$(FILES))) $(BESIDE) $(REPLACE)
DPI       := $(filter %.c,$(FILES))
JOBS      ?= $(shell nproc 2>/dev/null || echo 2)
CACHE     := $(shell command -v ccache)

# Each of them replaces one.
$(if $(filter-out $(words $(IN_PLACE)),$(words $(REPLACE))),$(error REPLACE: not each of '$(REPLACE)' has the name of a file in rtl.f))

# Loops of wires are only in fabrics whose switches have no buffers, or forward ones, and there everywhere, in parts, too:
# their text says so, and which of them an image closes, LOOM says.
LOOPS := $(if $(shell grep -l 'lint_off UNOPTFLAT' $(RTL)),-Wno-UNOPTFLAT)
LINT  := --lint-only -Wall $(LOOPS) --top-module

# In blocks Verilator compiles a module that says hier_block once, however many of it there are. They are built in folders
# of their own and so take absolute names; and none reads what is around it (block.sh). Few large files of C++ are compiled
# sooner than many small ones, and long functions are cut: a compiler takes the more time a line the longer they are.
VERILATE = $(VERILATOR) --cc --build -j $(JOBS) -O3 --output-split 100000 \
  --output-split-cfuncs 2000 --x-assign fast --x-initial fast --noassert \
  -Wno-fatal -Wno-lint -Wno-style $(EVENTS) $(if $(BLOCKS),--hierarchical) -Mdir $(OBJ) -MAKEFLAGS "$(COMPILE) $(BLOCK)"
BLOCK    = $(if $(BLOCKS),'VM_HIER_VERILATOR=sh $(abspath block.sh) $(VERILATOR) $(TOP)')
COMPILE  = OPT_FAST='$(OPT)$(if $(BLOCKS), $(WITH))' OPT_SLOW=-O0 OPT_GLOBAL=$(OPT) OBJCACHE=$(CACHE)
named    = $(if $(BLOCKS),$(foreach f,$(1),'$(abspath $f)'),$(1))

# Of a small block most is Verilator's headers. GCC compiles them once, with the flags that Verilator's makefile has for
# blocks; where it cannot, or another compiler does not know what that is, and in what is no block, each file reads their text.
HEADERS := verilated.h verilated_dpi.h
ROOT     = $(shell $(VERILATOR) --getenv VERILATOR_ROOT 2>/dev/null)
WITH     = -fpch-preprocess -include $(abspath $(OBJ))/headers.h
NOTHING  = VERILATOR_ROOT=$(ROOT) VM_COVERAGE=0 VM_SC=0 VM_TRACE=0 VM_TRACE_FST=0 VM_TRACE_VCD=0
export CCACHE_SLOPPINESS := pch_defines,time_macros

$(OBJ)/headers.h:
	@mkdir -p $(OBJ)
	@for h in $(HEADERS); do echo "#include \"$$h\""; done >$(OBJ)/headers.cpp
	@$(MAKE) -s -C $(OBJ) -f $(ROOT)/include/verilated.mk $(NOTHING) OPT_FAST='$(OPT) -fPIC -x c++-header' OBJCACHE=$(CACHE) \
	  headers.o && mv $(OBJ)/headers.o $@.gch || true
	@cp $(OBJ)/headers.cpp $@

# The first goal of the Makefile is the one that it makes, and none of these.
.DEFAULT_GOAL :=

