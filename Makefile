# LOOM -- plain make.
#
#   make demo     install what is missing, build, take golden/matmul from source to result
#   make test     install what is missing, build, run every test; last line: N passed, N failed
#
#   make check    what a change is most likely to break, in about a minute
#
#   make          build build/loom              make lint     clang-tidy and cppcheck
#   make bench    tables of speed and size      make format   clang-format over all C
#   make bench-view  how quick pages are   make pictures  those of the manual, in a browser
#   make asan     the tests under ASan + UBSan  make fuzz     libFuzzer on the parser
#   make install PREFIX=/usr/local              make uninstall, make clean
#   make bench-cycles                   cycles of golden kernels beside gcc -O2's
#   make specialise-sets                fabrics for random sets of six golden kernels (SETS=10 SEED=1)
#   make study                          a front of 500 fabrics for six kernels, and one made for them
#   make rtl-golden RTL_CYCLES=40000        golden kernels as Verilog, cycle for cycle
#   make system-check TURNS=1000        the example of a system on its RTL, with aborts, resets and errors
#   make system-large                   dot on the RTL of a system as large as medium
#   make system-place, make system-bench    a small system on an iCE40; how fast simulator and RTL are
#   make c-mutants                      the front end for C, broken in one place at a time
#   make fuzz-diff N=10000 SEED=1               random programs on every engine
#
# BUILD=dir builds somewhere else; CC=clang does what one expects; EXTRA adds compiler flags.

BUILD  ?= build
OPT    ?= -O2
PREFIX ?= /usr/local
WARN   := -Wall -Wextra -Wpedantic -Werror
# C needs no tables to unwind its stack by: a twelfth of the binary.
GENERATE := -pipe -g1 -ffp-contract=off -fno-asynchronous-unwind-tables
CFLAGS := -std=c11 -D_GNU_SOURCE $(WARN) $(OPT) $(GENERATE) -Ipasses -I$(BUILD) $(EXTRA)
# Relative relocations take a bit each rather than 24 bytes: a tenth of the binary (binutils 2.38).
LDFLAGS := -Wl,-z,pack-relative-relocs
LDLIBS := -ljansson -lm -Wl,-Bstatic -lisl -lgmp -ltcc -Wl,-Bdynamic -ldl

# All cores, unless the caller said how many.
ifeq (0,$(MAKELEVEL)$(findstring -j,$(MAKEFLAGS)))
MAKEFLAGS += -j$(shell nproc 2>/dev/null || echo 2)
endif

SOURCES := $(sort $(wildcard passes/*/*.c))
LIBRARY := $(BUILD)/libloom.a
PAGES   := $(sort $(wildcard spec-tests/9*-codes-*.md))

# Backends see plugins/ and nothing else of LOOM. Each is compiled once and linked twice: into the
# binary, and as a shared object like anybody's plugin, which exports its entry and nothing else.
# What they share is in each of them.
# The view is laid out by graphviz: it is a shared object only, where the headers of libgvc are.
VIEW_SOURCES := $(sort $(wildcard backends/view/*.c))
HAS_GRAPHVIZ := $(shell printf '\043include <graphviz/gvc.h>\n' | $(CC) -E -x c - >/dev/null 2>&1 && echo yes)
BACKEND_LIBS_view := -lgvc -lcgraph
BACKEND_SOURCES := backends/backend.c $(filter-out $(VIEW_SOURCES),$(sort $(wildcard backends/*/*.c)))
BACKENDS := $(sort $(notdir $(patsubst %/,%,$(dir $(wildcard backends/*/*.c)))))
ifneq (yes,$(HAS_GRAPHVIZ))
BACKENDS := $(filter-out view,$(BACKENDS))
endif
PLUGINS  := $(BACKENDS:%=$(BUILD)/backends/%.so) \
            $(patsubst plugins/%.c,$(BUILD)/plugins/%.so,$(sort $(wildcard plugins/*.c)))
BACKEND_CFLAGS := -std=c99 $(WARN) $(OPT) $(GENERATE) -fPIC -fvisibility=hidden \
                  -Iplugins -Ibackends -I$(BUILD)/text $(EXTRA)

OBJECTS := $(SOURCES:%.c=$(BUILD)/%.o) $(BACKEND_SOURCES:%.c=$(BUILD)/%.o)

# What runs once a call, and not for long, is compiled for size: a quarter less, and sooner built.
# By folder of passes/; of those that are cold as a whole, HOT is not.
COLD_FILES := \
  base/diag base/file base/json base/options \
  check/* config/* \
  dfg/attrs dfg/names \
  driver/* \
  explore/* \
  fabric/* \
  generate/* golden/* \
  host/* \
  ir/affine ir/fabric* \
  machine/* \
  manual/* \
  map/co[nu]* map/explain map/missing_unit map/legalise map/report* map/tags \
  native/* \
  run/case* run/entries run/inputs run/literal run/npy run/token_report \
  text/asm* \
  verify/fabric*
HOT := $(addprefix passes/, host/replay.c native/taps.c machine/advance.c machine/step.c)
COLD := loom.c $(filter-out $(HOT),$(wildcard $(COLD_FILES:%=passes/%.c)))
COLD_OBJECTS := $(COLD:%.c=$(BUILD)/%.o)
COLD_PLUGINS := $(BACKEND_SOURCES:%.c=$(BUILD)/%.o) $(BUILD)/shared/%.o
$(COLD_OBJECTS): CFLAGS := $(patsubst -O2,-Os,$(CFLAGS))
$(COLD_PLUGINS) $(VIEW_SOURCES:%.c=$(BUILD)/%.o): BACKEND_CFLAGS := $(patsubst -O2,-Os,$(BACKEND_CFLAGS))

all: $(BUILD)/loom $(PLUGINS)

# C as a front end: the plugin, and the program that it starts, which uses LLVM's library, with functions of the C
# library as LLVM's bitcode in it. Made only where clang 19 and LLVM 19 are.
LLVM_CONFIG ?= llvm-config-19
CLANG ?= clang-19
LOOM_C := $(if $(and $(shell command -v $(LLVM_CONFIG)),$(shell command -v $(CLANG))),$(BUILD)/plugins/c.so $(BUILD)/plugins/loom-c)
all: $(LOOM_C)
$(BUILD)/plugins/c.so: plugins/c/c.c plugins/loom_plugin.h plugins/loom_frontend.h
	@mkdir -p $(@D)
	@echo "  so    $@"
	@$(CC) $(BACKEND_CFLAGS) -D_GNU_SOURCE -shared -o $@ $< -ldl

$(BUILD)/c/library.bc: plugins/c/library.c
	@mkdir -p $(@D)
	@echo "  clang $@"
	@$(CLANG) -O1 -Xclang -disable-llvm-passes -ffp-contract=off -fno-math-errno -fno-builtin -emit-llvm -c -o $@ $<

$(BUILD)/plugins/loom-c: $(filter-out plugins/c/c.c plugins/c/library.c,$(sort $(wildcard plugins/c/*.c))) $(wildcard plugins/c/*.h) $(BUILD)/c/library.bc
	@mkdir -p $(@D)
	@echo "  link  $@"
	@$(CC) -std=c11 -D_GNU_SOURCE -DLIBRARY='"$(BUILD)/c/library.bc"' $(WARN) $(OPT) -isystem $$($(LLVM_CONFIG) --includedir) $(EXTRA) \
	  -o $@ $(filter %.c,$^) $$($(LLVM_CONFIG) --ldflags --libs)

# The static libraries without their tables to unwind the stack by, which C needs none of: a tenth of
# the binary.
STATIC := $(patsubst %,$(BUILD)/static/lib%.a,isl gmp tcc)
$(BUILD)/static/lib%.a:
	@mkdir -p $(@D)
	@objcopy -R .eh_frame -R .rela.eh_frame "$$($(CC) -print-file-name=lib$*.a)" $@

$(BUILD)/loom: $(BUILD)/loom.o $(LIBRARY) $(STATIC)
	@echo "  link  $@"
	@$(CC) $(CFLAGS) $(LDFLAGS) -L$(BUILD)/static -o $@ $(BUILD)/loom.o $(LIBRARY) $(LDLIBS)

$(LIBRARY): $(OBJECTS)
	@rm -f $@
	@$(AR) rc $@ $^

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	@echo "  cc    $<"
	@$(CC) $(CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/backends/%.o: backends/%.c
	@mkdir -p $(@D)
	@echo "  cc    $<"
	@$(CC) $(BACKEND_CFLAGS) -DLOOM_PLUGIN_NAME=loom_$(notdir $(<D))_plugin -MMD -MP -c -o $@ $<

$(BUILD)/shared/%.o: %.c
	@mkdir -p $(@D)
	@$(CC) $(BACKEND_CFLAGS) -MMD -MP -c -o $@ $<

.PRECIOUS: $(BUILD)/shared/%.o

define backend_rule
$(BUILD)/backends/$(1).so: $(patsubst %.c,$(BUILD)/%.o,backends/backend.c $(sort $(wildcard backends/$(1)/*.c)))
	@mkdir -p $$(@D)
	@echo "  so    $$@"
	@$$(CC) $$(BACKEND_CFLAGS) -shared -Wl,--defsym=loom_plugin_entry=loom_$(1)_plugin \
	  -Wl,--version-script=backends/exports.map -o $$@ $$^ $$(BACKEND_LIBS_$(1)) -lm
endef
$(foreach name,$(BACKENDS),$(eval $(call backend_rule,$(name))))

$(BUILD)/plugins/%.so: $(BUILD)/shared/plugins/%.o
	@mkdir -p $(@D)
	@echo "  so    $@"
	@$(CC) $(BACKEND_CFLAGS) -shared -o $@ $^

# The code pages of the manual, for `loom explain`.
$(BUILD)/embed: spec-tests/tools/embed.c
	@mkdir -p $(@D)
	@$(CC) -std=c11 $(WARN) -O1 -o $@ $<

$(BUILD)/pages.inc: $(BUILD)/embed $(PAGES)
	@$(BUILD)/embed --pages code_pages $(PAGES) > $@.tmp && mv $@.tmp $@

# The codes of the shipped backends and front ends: the strings in their sources that begin with their names.
C_SOURCES := $(sort $(wildcard plugins/c/*.c))
$(BUILD)/backend_codes.inc: $(BACKEND_SOURCES) $(VIEW_SOURCES) $(C_SOURCES)
	@mkdir -p $(@D)
	@for name in $(sort $(BACKENDS) view); do \
	   grep -oh "\"$$(echo $$name | tr a-z A-Z)_[A-Z_]*\"" backends/$$name/*.c; \
	 done | { cat; grep -ohE '("|\[)C_[A-Z_]+("|\])' $(C_SOURCES) | tr '[]' '""'; } | LC_ALL=C sort -u | sed 's/$$/,/' > $@.tmp && mv $@.tmp $@

$(BUILD)/passes/manual/explain.o: $(BUILD)/pages.inc $(BUILD)/backend_codes.inc

# The backends that are built in: the folders of backends/.
$(BUILD)/built_in.inc: $(BACKEND_SOURCES)
	@mkdir -p $(@D)
	@printf 'BACKEND(%s)\n' $(filter-out view,$(BACKENDS)) > $@.tmp && mv $@.tmp $@

$(BUILD)/passes/host/registry.o: $(BUILD)/built_in.inc

# Texts that backends/csim copies into what it generates, as C tables of their names.
TEXTS := $(patsubst %.h,$(BUILD)/text/%.inc,loom_kernel.h loom_simulator.h $(notdir $(wildcard backends/csim/text/*.h)))
LIBRARY_TEXTS := $(patsubst %,$(BUILD)/text/%.inc,$(basename $(notdir $(wildcard backends/verilog/library/*))))

# By name: a header of plugins/ may be called as a file of the library is.
$(BUILD)/text/loom_kernel.inc $(BUILD)/text/loom_simulator.inc: $(BUILD)/text/%.inc: plugins/%.h $(BUILD)/embed
	@mkdir -p $(@D)
	@$(BUILD)/embed --text $* $< > $@.tmp && mv $@.tmp $@

$(BUILD)/c_prelude.inc: passes/host/text/prelude.h $(BUILD)/embed
	@mkdir -p $(@D)
	@$(BUILD)/embed --pack c_prelude $< > $@.tmp && mv $@.tmp $@

$(BUILD)/passes/host/prelude.o: $(BUILD)/c_prelude.inc

$(BUILD)/text/%.inc: backends/csim/text/%.h $(BUILD)/embed
	@mkdir -p $(@D)
	@$(BUILD)/embed --pack $* $< > $@.tmp && mv $@.tmp $@

$(BUILD)/text/%.inc: backends/verilog/library/%.sv $(BUILD)/embed
	@mkdir -p $(@D)
	@$(BUILD)/embed --pack $* $< > $@.tmp && mv $@.tmp $@

$(BUILD)/text/%.inc: backends/verilog/library/%.c $(BUILD)/embed
	@mkdir -p $(@D)
	@$(BUILD)/embed --pack $* $< > $@.tmp && mv $@.tmp $@

# All of them in one table, for backends/verilog/library.c.
$(BUILD)/text/verilog_library.inc: $(LIBRARY_TEXTS)
	@{ printf '#include "%s"\n' $(notdir $(LIBRARY_TEXTS)); \
	   echo 'static const LibraryFile library[] = {'; \
	   for file in $(notdir $(wildcard backends/verilog/library/*)); do \
	     echo "{\"rtl/$$file\", $${file%.*}},"; done; \
	   echo '};'; } > $@.tmp && mv $@.tmp $@

$(BUILD)/backends/verilog/library.o: $(BUILD)/text/verilog_library.inc

# The parts of the test bench that are the same for every fabric: bench/tasks.sv is bench_tasks_sv.
BENCH_TEXTS := $(patsubst backends/verilog/bench/%,$(BUILD)/text/bench_%.inc,$(wildcard backends/verilog/bench/*))

# The presets, as descriptions.
PRESET_TEXTS := $(patsubst passes/generate/presets/%.adg,$(BUILD)/text/preset_%.inc,$(wildcard passes/generate/presets/*.adg))
$(BUILD)/passes/generate/describe.o: $(PRESET_TEXTS)
$(BUILD)/text/preset_%.inc: passes/generate/presets/%.adg $(BUILD)/embed
	@mkdir -p $(@D)
	@$(BUILD)/embed --text preset_$* $< > $@.tmp && mv $@.tmp $@

# The page of what loom explore has found.
$(BUILD)/passes/explore/page.o: $(BUILD)/text/explore_page.inc
$(BUILD)/text/explore_page.inc: passes/explore/page.html $(BUILD)/embed
	@mkdir -p $(@D)
	@$(BUILD)/embed --text explore_page $< > $@.tmp && mv $@.tmp $@

$(BUILD)/text/bench_%.inc: backends/verilog/bench/% $(BUILD)/embed
	@mkdir -p $(@D)
	@$(BUILD)/embed --pack bench_$(subst .,_,$*) $< > $@.tmp && mv $@.tmp $@

$(BUILD)/backends/verilog/bench.o: $(BENCH_TEXTS)

# What `loom emit system` copies or fills in: system/loom_driver.h is system_loom_driver_h.
SYSTEM_TEXTS := $(patsubst backends/verilog/system/%,$(BUILD)/text/system_%.inc,$(wildcard backends/verilog/system/*))

$(BUILD)/text/system_%.inc: backends/verilog/system/% $(BUILD)/embed
	@mkdir -p $(@D)
	@$(BUILD)/embed --pack system_$(subst .,_,$*) $< > $@.tmp && mv $@.tmp $@

$(BUILD)/backends/verilog/system_rtl.o: $(BUILD)/text/system_top.sv.inc
$(BUILD)/backends/verilog/system.o: $(SYSTEM_TEXTS) $(BUILD)/text/loom_simulator.inc $(BUILD)/text/bench_shell.awk.inc
$(patsubst %.c,$(BUILD)/%.o,$(wildcard backends/csim/*.c)): $(TEXTS)

# The page of the view: backends/view/page/graph.js is page_graph_js, and scripts.txt says in which order
# the scripts stand.
PAGE_FILES := $(notdir $(wildcard backends/view/page/*.*))
PAGE_SCRIPTS := $(shell cat backends/view/page/scripts.txt)

$(BUILD)/text/page_%.inc: backends/view/page/% $(BUILD)/embed
	@mkdir -p $(@D)
	@$(BUILD)/embed --text page_$(subst .,_,$*) $< > $@.tmp && mv $@.tmp $@

$(BUILD)/text/page.inc: $(PAGE_FILES:%=$(BUILD)/text/page_%.inc)
	@{ printf '#include "page_%s.inc"\n' head.html style.css body.html $(PAGE_SCRIPTS); \
	   echo 'static const char *const *const page_scripts[] = {'; \
	   printf 'page_%s,\n' $(subst .,_,$(PAGE_SCRIPTS)); \
	   echo '};'; } > $@.tmp && mv $@.tmp $@

$(BUILD)/backends/view/view.o: $(BUILD)/text/page.inc

# The headers of plugins, for `loom backends --header`.
$(BUILD)/plugin_headers.inc: $(filter-out plugins/loom_unpack.h,$(sort $(wildcard plugins/*.h))) $(BUILD)/embed
	@$(BUILD)/embed --files plugin_headers_packed $(filter %.h,$^) > $@.tmp && mv $@.tmp $@

$(BUILD)/passes/host/headers.o: $(BUILD)/plugin_headers.inc

-include $(OBJECTS:.o=.d) $(VIEW_SOURCES:%.c=$(BUILD)/%.d) $(BUILD)/loom.d $(wildcard $(BUILD)/shared/*/*.d)

# ---- the two commands -------------------------------------------------------------------------

demo:
	@sh .ci/setup.sh
	@$(MAKE) --no-print-directory all
	@$(BUILD)/loom build golden/matmul/kernel.mlir --case golden/matmul/case.json -O2 -o $(BUILD)/demo

test:
	@sh .ci/setup.sh test
	@$(MAKE) --no-print-directory all tools
	@sh spec-tests/suite.sh $(BUILD)

check: all tools
	@sh spec-tests/suite.sh $(BUILD) check

# ---- tools of the tests ---------------------------------------------------------------------------

include spec-tests/tools/tools.mk

# ---- the rest ---------------------------------------------------------------------------------------

asan:
	@sh .ci/setup.sh
	@$(MAKE) --no-print-directory BUILD=build-asan OPT=-O1 all tools EXTRA='-DARENA_MALLOC \
	  -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer'
	@FAIL_ALLOC_EVERY=40 FUZZ_COUNT=300 MUTATE_COUNT=20 MUTATE_JIT_COUNT=0 HOSTILE_COUNT=1000 BUDGET=1000 \
	  LSAN_OPTIONS=suppressions=$(CURDIR)/spec-tests/tools/lsan.txt:print_suppressions=0 \
	  WATCHED="$$(ls -d golden/*/) $$(seq 1 30)" sh spec-tests/suite.sh build-asan

# Fabrics of which the table has a column for the RTL under Verilator; some minutes to build, once.
RTL_BENCH ?= medium
BENCH_MACHINE ?= $(addprefix golden/,matmul fir matvec crc32 dct jacobi2d sobel conv2d)
# Golden kernels with their whole cases, as Verilog under Verilator: some minutes to build each fabric,
# once, and then seconds a kernel. RTL_CYCLES=0 runs the longest cases, too.
RTL_FABRIC ?= medium large
RTL_KERNELS ?= golden/*/
rtl-golden: all
	@sh spec-tests/tools/rtl_agree.sh whole $(BUILD)/loom $(BUILD)/rtl-whole
	@sh spec-tests/tools/rtl_golden.sh $(BUILD)/loom $(BUILD)/rtl "$(RTL_FABRIC)" $(RTL_KERNELS)

# Some minutes: which fabric for six kernels of signal processing (64-explore.md).
study: all
	@sh spec-tests/tools/study.sh $(BUILD)/loom $(BUILD)/study large

# Fabrics made for random sets of six golden kernels, the first of them that of SEED.
SETS ?= 10
specialise-sets: all
	@sh spec-tests/tools/specialise_sets.sh $(BUILD)/loom $(BUILD)/sets $(SETS) $(or $(SEED),1)

bench: all tools
	@$(BUILD)/tools/bench $(BUILD)/loom golden
	@$(BUILD)/tools/bench-native golden/*/
	@$(BUILD)/tools/map-golden --table medium large xl -- golden/*/
	@$(BUILD)/tools/map-golden --table temporal -- golden/*/
	@if [ -n "$(LOOM_C)" ]; then sh spec-tests/tools/c_nodes.sh $(BUILD)/loom $(BUILD)/bench-c --bench; fi
	@dir=$$(mktemp -d) && for fabric in medium large temporal; do \
	  case " $(RTL_BENCH) " in *" $$fabric "*) \
	    RTL_SIM=$$(sh spec-tests/tools/rtl_bench.sh $(BUILD)/loom $(BUILD)/rtl-bench $$fabric) ;; \
	    *) RTL_SIM= ;; esac; export RTL_SIM; \
	  $(BUILD)/tools/bench-machine $(BUILD)/loom $$dir $$fabric $(BENCH_MACHINE) || true; \
	done; rm -rf $$dir

# In a browser, where one is there: how quick the view's pages are; and the pictures of the manual.
BROWSER ?= $(shell command -v chromium || command -v google-chrome)
VIEW_CHECK = node spec-tests/tools/view_check.js $(BUILD)/loom $(BROWSER)
bench-view: all
	@$(VIEW_CHECK) $(abspath $(BUILD))/view-bench --bench

pictures: all
	@mkdir -p spec-tests/pictures
	@$(VIEW_CHECK) $(abspath $(BUILD))/view-pictures --pictures spec-tests/pictures

# The example with two kernels on the RTL, under Verilator: a minute or two. TURNS: of one kernel or the other, between
# aborts, resets and errors. RTL_OPT=-O3 for many: then it takes longer to build, and less to run.
TURNS ?= 1000
RTL_OPT ?= -O0
export RTL_OPT
system-check: all
	@sh spec-tests/tools/system.sh rtl $(BUILD)/loom $(BUILD)/system $(TURNS)

# The golden kernel dot on the RTL of a system as large as SYSTEM_FABRIC, and what its image takes over the bus. Minutes.
SYSTEM_FABRIC ?= medium
system-large: all
	@sh spec-tests/tools/system.sh large $(BUILD)/loom $(BUILD)/system-large $(SYSTEM_FABRIC)

# All of a small system on an iCE40: logic cells and clock. Minutes.
system-place: all
	@sh spec-tests/tools/system.sh place $(BUILD)/loom $(BUILD)/system-place

# How long an image of that example takes on LOOM's simulator, and on the RTL at -O3.
system-bench: all
	@sh spec-tests/tools/system.sh speed $(BUILD)/loom $(BUILD)/system-bench

# Backends lie where the installed binary looks for them (passes/host/registry.c); headers where the
# compiler does; pages, completion, manual and examples where the system's tools do. The manual is also made
# into pages of HTML where pandoc or cmark-gfm is.
DEST := $(DESTDIR)$(PREFIX)
SHARE := $(DEST)/share
MANUAL := README.md LICENSE $(sort $(wildcard spec-tests/*.md))
install: all
	install -d $(DEST)/bin $(DEST)/include $(DEST)/lib/loom/backends $(DEST)/lib/loom/plugins $(DEST)/lib/pkgconfig \
	  $(SHARE)/man/man1 $(SHARE)/bash-completion/completions $(SHARE)/zsh/site-functions $(SHARE)/doc/loom/pictures $(SHARE)/loom/examples/system
	install -s -m 755 $(BUILD)/loom $(DEST)/bin/loom
	install -m 644 plugins/*.h $(DEST)/include
	install -m 644 plugins/loom.py $(DEST)/lib/loom
	install -m 644 $(BUILD)/backends/*.so $(DEST)/lib/loom/backends
	install -m 644 $(BUILD)/plugins/*.so $(DEST)/lib/loom/plugins
	if [ -n "$(LOOM_C)" ]; then install -s -m 755 $(BUILD)/plugins/loom-c $(DEST)/lib/loom/plugins; fi
	printf 'prefix=%s\nincludedir=$${prefix}/include\nplugins=$${prefix}/lib/loom/plugins\n\nName: loom\nDescription: %s\nVersion: %s\nCflags: -I$${includedir}\n' \
	  '$(PREFIX)' 'backends and front ends for LOOM' "$$($(BUILD)/loom version | cut -d' ' -f2)" >$(DEST)/lib/pkgconfig/loom.pc
	$(BUILD)/loom help --man $(SHARE)/man/man1
	$(BUILD)/loom help --completion bash >$(SHARE)/bash-completion/completions/loom
	$(BUILD)/loom help --completion zsh >$(SHARE)/zsh/site-functions/_loom
	install -m 644 $(MANUAL) $(SHARE)/doc/loom
	install -m 644 spec-tests/pictures/*.png $(SHARE)/doc/loom/pictures
	sh spec-tests/pages.sh $(SHARE)/doc/loom || [ $$? -eq 3 ]
	install -m 644 $(filter-out examples/system,$(wildcard examples/*)) plugins/dot.c plugins/line.c $(SHARE)/loom/examples
	install -m 644 examples/system/* $(SHARE)/loom/examples/system
	install -m 644 golden/matmul/kernel.mlir $(SHARE)/loom/examples/matmul.mlir
	install -m 644 golden/matmul/case.json $(SHARE)/loom/examples/matmul.json
	$(BUILD)/loom adg medium -o $(SHARE)/loom/examples/medium.mlir

# What install put there; of folders, those that are empty then.
uninstall:
	rm -f $(DEST)/bin/loom $(patsubst plugins/%,$(DEST)/include/%,$(wildcard plugins/*.h)) \
	  $(PLUGINS:$(BUILD)/%=$(DEST)/lib/loom/%) $(LOOM_C:$(BUILD)/%=$(DEST)/lib/loom/%) $(DEST)/lib/pkgconfig/loom.pc $(DEST)/lib/loom/loom.py \
	  $(SHARE)/man/man1/loom.1 $(SHARE)/man/man1/loom-*.1 $(SHARE)/bash-completion/completions/loom $(SHARE)/zsh/site-functions/_loom
	rm -rf $(SHARE)/doc/loom $(SHARE)/loom
	-rmdir --ignore-fail-on-non-empty $(DEST)/lib/loom/backends $(DEST)/lib/loom/plugins $(DEST)/lib/loom

# The front end for C and the lifting of branches, broken in one place at a time: COUNT of each kind, by SEED.
SEED ?= 1
COUNT ?= 100
c-mutants: all
	for kind in tables code lift; do python3 spec-tests/tools/c_mutants.py $$kind $(BUILD) $(BUILD)/c-mutants $(SEED) $(COUNT) || exit 1; done

clean:
	rm -rf build build-asan build-fuzz

C_FILES = $(sort $(shell find . -name '*.[ch]' -not -path './build*' -not -path './golden/*'))

format:
	clang-format -i $(C_FILES)

# clang-tidy reads a file again when it, or a header of it, has changed since it was found clean.
LINT = clang-tidy --quiet $< -- $(1) 2>/dev/null && mkdir -p $(@D) && touch $@
CLEAN := $(patsubst %.c,$(BUILD)/lint/%.ok,$(SOURCES) loom.c $(BACKEND_SOURCES) $(wildcard plugins/*.c))

$(BUILD)/lint/backends/%.ok: backends/%.c $(BUILD)/backends/%.o
	@$(call LINT,$(BACKEND_CFLAGS))

$(BUILD)/lint/plugins/%.ok: plugins/%.c $(BUILD)/shared/plugins/%.o
	@$(call LINT,$(BACKEND_CFLAGS))

$(BUILD)/lint/%.ok: %.c $(BUILD)/%.o
	@$(call LINT,$(CFLAGS))

lint-clang: $(CLEAN)

# Signed numbers are shifted to the right as all compilers do it; and `if (*slot) return *slot;`.
lint-cppcheck: all
	@mkdir -p $(BUILD)/cppcheck
	@cppcheck --quiet --std=c11 --enable=warning,performance,portability --inline-suppr \
	  -j "$$(nproc)" --cppcheck-build-dir=$(BUILD)/cppcheck \
	  --suppress=shiftTooManyBitsSigned --suppress=identicalInnerCondition \
	  --error-exitcode=1 -Ipasses -Iplugins -Ibackends -I$(BUILD) passes backends plugins loom.c

lint:
	@$(MAKE) -k --no-print-directory lint-cppcheck lint-clang

.PHONY: c-mutants study specialise-sets bench-view pictures all demo test check rtl-golden system-check system-large system-place system-bench tools asan bench install uninstall clean format lint lint-clang lint-cppcheck
