#!/bin/sh
# system.sh -- tests a whole system (the installed examples/system) with system_test.c, and its memory unit alone.
#
#     system.sh simulator LOOM FOLDER [TURNS]     the driver on LOOM's simulator
#     system.sh memory LOOM FOLDER [RUNS]         loom_system_memory under Verilator against a memory in C++; broken, too;
#                                                 systems with elements and addresses of 1 to 64 bits are lint clean
#     system.sh rtl LOOM FOLDER [TURNS]           make in the example: simulator and RTL, compared; the driver on the
#                                                 RTL; a minute or two. RTL_OPT: how its C++ is compiled (-O0)
#     system.sh large LOOM FOLDER FABRIC          the golden kernel dot on the RTL of a system of that fabric: an image takes a
#                                                 word a cycle; of `medium` some minutes
#     system.sh synth LOOM FOLDER                 Yosys: a small system has no latch, block RAM, and not too many LUTs
#     system.sh place LOOM FOLDER                 the same on an iCE40: how large and how fast
#     system.sh speed LOOM FOLDER                 user time of an image of the example, on the simulator and on the RTL
#                                                 (Verilator and g++ at -O3); a table, checks nothing
#
# The last line is: N passed, N failed[, N skipped].
set -u
cd "$(dirname "$0")/../.." || exit 1
way=$1 loom=$(readlink -f "$2") folder=$3 count=${4:-150}
sources=$PWD library=$PWD/backends/verilog/library
mkdir -p "$folder"
folder=$(readlink -f "$folder")
system=$folder/system
. spec-tests/tools/lib.sh

# LOOM is installed, and the example copied from there, as a stranger would do it.
installed() {
  installation=$1.root copy=$1.example
  make -s --no-print-directory BUILD="$(dirname "$loom")" DESTDIR="$installation" PREFIX=/opt install >"$1.said" 2>&1 &&
    rm -rf "$copy" && cp -R "$installation/opt/share/loom/examples/system" "$copy" || fail "$(cat "$1.said")"
}

# example GOAL...: of that copy; `loom` is the one that was installed
example() {
  (PATH=$installation/opt/bin:$PATH && export PATH &&
    make -s -C "$copy" OUT="$folder" OPT="${RTL_OPT:--O0}" "$@" >"$folder.said" 2>&1)
}

# build OUT OPTIONS... FILES...: system_test.c, with calls of both kernels
build() {
  out=$1
  shift
  gcc -std=c99 -Wall -Wextra -Wpedantic -Werror -O1 -I"$system/driver" -I"$system/kernels" -I"$system/sim" "$@" \
    spec-tests/tools/system_test.c "$system"/kernels/smooth.c "$system"/kernels/edge.c "$system/driver/loom_driver.c" \
    "$folder"/c_smooth.o "$folder"/c_edge.o -o "$out"
}

# says WHAT COMMAND...
says() {
  what=$1
  shift
  if "$@" >"$folder/said" 2>&1; then pass; else fail "$what: $(tail -n 3 "$folder/said")"; fi
}

on_simulator() {
  installed "$folder"
  example "$folder/simulated" || { fail "$(cat "$folder.said")"; return; }
  says "the example" "$folder/simulated"
  build "$folder/test" "$folder"/simulated_*.o "$folder"/machine_*.o "$system/sim/loom_simulated.c" || { fail "build"; return; }
  says "the driver on the simulator" "$folder/test" "$count"
  if [ "$(uname -sm)" = "Linux x86_64" ]; then
    build "$folder/uio" -DUIO spec-tests/tools/system_uio.c "$system/driver/loom_uio.c" -Wl,--wrap=read,--wrap=write,--wrap=poll \
      "$folder"/simulated_*.o "$folder"/machine_*.o "$system/sim/loom_simulated.c" || { fail "build, UIO"; return; }
    says "the driver through UIO" "$folder/uio" "$count"
  else
    skip "registers that are a file: for Linux on x86-64"
  fi
  for header in loom_driver.h loom_uio.h; do
    says "$header in C99" gcc -std=c99 -pedantic-errors -Wall -Wextra -Werror -fsyntax-only -x c "$system/driver/$header"
    says "$header in C++" g++ -pedantic-errors -Wall -Wextra -Werror -fsyntax-only -x c++ "$system/driver/$header"
  done
  says "no malloc in the driver" sh -c "! nm -u '$folder/loom_driver.o' | grep -v _GLOBAL_OFFSET"
  if command -v python3 >/dev/null; then
    "$loom" emit system spec-tests/formal/fabric/sum.mlir -o "$folder/wishbone" -- --part=hardware --bus=wishbone >/dev/null
    for described in "$system" "$folder/wishbone"; do
      says "what FuseSoC and LiteX are told" python3 spec-tests/tools/system_cores.py "$described"
    done
    cp -r "$folder/wishbone" "$folder/broken"
    sed -i 's/self.bus.dat_w/self.bus.dat_r/' "$folder/broken/loom_system.py"
    says "a wrong signal is found" sh -c "! python3 spec-tests/tools/system_cores.py '$folder/broken'"
  else
    skip "python3 is not installed: what FuseSoC and LiteX are told"
  fi
  if command -v iverilog >/dev/null; then
    says "Icarus elaborates it" sh -c "cd '$system' && iverilog -g2012 -s loom_system -o '$folder/icarus' \$(grep 'sv\$' rtl.f)"
  else
    skip "iverilog is not installed: a system elaborated by Icarus"
  fi
  if command -v verilator >/dev/null; then
    mkdir -p "$folder/vendor"
    sed 's/endmodule/logic vendor_logic_that_nobody_uses; &/' "$system/rtl/loom_system_queue.sv" >"$folder/vendor/loom_system_queue.sv"
    says "a module is replaced" sh -c "make -s -C '$system' lint REPLACE='$folder/vendor/loom_system_queue.sv' 2>&1 | grep vendor_logic"
    says "one that is none" sh -c "make -s -C '$system' lint REPLACE='$folder/vendor/no.sv' 2>&1 | grep 'has the name of a file'"
  fi
  says "for a board" example board
  many_tables
}

# runs NAME ARGUMENT RESULT FABRIC_OPTION...: a kernel of tables, on LOOM's simulator
runs() {
  name=$1 argument=$2 result=$3
  shift 3
  "$loom" adg --topology mesh "$@" -o "$folder/$name.adg" >"$folder.said" &&
    "$loom" map "$folder/$name.mlir" --adg "$folder/$name.adg" -o "$folder/$name.map" >>"$folder.said" &&
    "$loom" emit system "$folder/$name.map" -o "$folder/$name.system" >>"$folder.said" &&
    "$loom" emit csim "$folder/$name.map" -o "$folder/$name.machine" >>"$folder.said" || { fail "$(cat "$folder.said")"; return; }
  cat >"$folder/$name.c" <<X
#include "$name.h"
#include "loom_simulated.h"
extern const loom_simulated_kernel ${name}_simulated;
static const loom_simulated_kernel *const kernels[] = {&${name}_simulated};
int main(void) {
  static loom_bus bus;
  static loom_device device;
  if (loom_simulated_open(&bus, 64, kernels, 1)) return 2;
  loom_use(&device);
  loom_open(&device, &bus);
  return $name($argument) != $result || loom_last(&device) != LOOM_DONE;
}
X
  (cd "$folder/$name.system" && gcc -std=c99 -Wall -Wextra -Idriver -Ikernels -Isim -Dloom_simulator="${name}_machine" \
    "../$name.c" kernels/*.c "../$name.machine/$name.c" driver/loom_driver.c sim/loom_simulated.c -o "../$name") || { fail "build, $name"; return; }
  says "$name" "$folder/$name"
}

# A table longer than 64 KB, and more memories than 64: what a system has room for, driver and simulator have.
many_tables() {
  awk 'BEGIN {
    printf "memref.global constant @t : memref<20000xi32> = dense<[0"
    for (i = 1; i < 20000; i++) printf ", %d", 3 * i
    print "]>\nfunc.func @look(%i: index) -> i32 {\n  %t = memref.get_global @t : memref<20000xi32>"
    print "  %v = memref.load %t[%i] : memref<20000xi32>\n  return %v : i32\n}" }' >"$folder/look.mlir"
  runs look 19999 59997 --fu int --rows 2 --cols 2 --memories 1 --words 32768
  awk 'BEGIN {
    n = 66
    for (i = 0; i < n; i++) printf "memref.global constant @t%d : memref<2xi32> = dense<[0, %d]>\n", i, i
    print "func.func @many(%i: index) -> i32 {"
    for (i = 0; i < n; i++) {
      printf "  %%m%d = memref.get_global @t%d : memref<2xi32>\n", i, i
      printf "  %%v%d = memref.load %%m%d[%%i] : memref<2xi32>\n", i, i
    }
    for (i = 0; i < n - 1; i++) printf "  %%v%d = arith.addi %%v%d, %%v%d : i32\n", n + i, 2 * i, 2 * i + 1
    printf "  return %%v%d : i32\n}\n", 2 * n - 2 }' >"$folder/many.mlir"
  runs many 1 2145 --fu all --rows 16 --cols 16 --memories 1 --scratchpads 36 --words 32 --tracks 4
}

on_rtl() {
  example BUS="$1" || { fail "$(cat "$folder.said")"; return; }
  pass
  gcc -std=c99 -O1 -DRTL -I"$system/driver" -I"$system/kernels" -I"$system/sim" -c spec-tests/tools/system_test.c -o "$folder/test.o" &&
    g++ "$folder"/test.o "$folder"/call_*.o "$folder"/c_*.o "$folder/loom_driver.o" "$system/obj/libloom_rtl.a" -lpthread -latomic \
      -o "$folder/test" || { fail "build"; return; }
  says "the driver on the RTL" "$folder/test" "$count"
  cat "$folder/said"
  says "lint" make -s -C "$system" lint
}

# A kernel without memory takes the same cycles on either, and they are those of `loom sim`.
same_cycles() {
  mkdir -p "$folder"
  sed -n '/^```mlir file=adder.mlir/,/^```$/p' spec-tests/64-system.md | grep -v '^```' >"$folder/adder.mlir"
  sed -n '/^func.func @total/,/^}/p' spec-tests/64-system.md >"$folder/total.mlir"
  cat >"$folder/cycles.c" <<X
#include "total.h"
#include <stdio.h>
#ifdef RTL
#include "loom_rtl.h"
#else
#include "loom_simulated.h"
extern const loom_simulated_kernel total_simulated;
static const loom_simulated_kernel *const kernels[] = {&total_simulated};
#endif
int main(void) {
  static loom_bus bus;
  static loom_device device;
  uint64_t cycles = 0;
#ifdef RTL
  loom_rtl_open(&bus, 64, NULL);
#else
  loom_simulated_open(&bus, 64, kernels, 1);
#endif
  loom_use(&device);
  loom_open(&device, &bus);
  printf("%d\n", (int)total(40, 2));
  loom_cycles(&device, &cycles);
  printf("%d cycles\n", (int)cycles);
  return loom_last(&device) != LOOM_DONE;
}
X
  system=$folder/system
  "$loom" map "$folder/total.mlir" --adg "$folder/adder.mlir" -o "$folder/map" >"$folder.said" &&
    "$loom" emit system "$folder/map" -o "$system" >>"$folder.said" && "$loom" emit csim "$folder/map" -o "$folder/machine" >>"$folder.said" &&
    make -s -C "$system" sim OPT=-O0 >>"$folder.said" 2>&1 || { fail "$(cat "$folder.said")"; return; }
  flags="-std=c99 -I$system/driver -I$system/kernels -I$system/sim"
  # shellcheck disable=SC2086  # word splitting is meant
  gcc $flags -DRTL -c "$folder/cycles.c" -o "$folder/cycles.o" && gcc $flags -c "$system/kernels/total.c" -o "$folder/total.o" &&
    gcc $flags -c "$system/driver/loom_driver.c" -o "$folder/driver.o" &&
    g++ "$folder"/cycles.o "$folder"/total.o "$folder"/driver.o "$system/obj/libloom_rtl.a" -lpthread -latomic -o "$folder/rtl" &&
    gcc $flags -Dloom_simulator=total_machine -c "$folder/machine/total.c" -o "$folder/machine.o" &&
    gcc $flags "$folder/cycles.c" "$folder"/total.o "$folder"/driver.o "$folder"/machine.o "$system"/kernels/total_simulated.c \
      "$system/sim/loom_simulated.c" -o "$folder/simulated" || { fail "build, same cycles"; return; }
  "$folder/rtl" >"$folder/of_rtl" && "$folder/simulated" >"$folder/of_simulated"
  says "the same cycles" cmp "$folder/of_rtl" "$folder/of_simulated"
  says "the sum" grep -q '^42$' "$folder/of_rtl"
  cat "$folder/of_rtl"
}

# memory_test FOLDER DW SED FILE [BEATS]: builds and runs it, FILE of the library changed by SED
memory_test() {
  rm -rf "$1" && mkdir "$1" || return 1
  cp "$library"/loom_system_*.sv "$1"
  [ -z "$3" ] || sed -i "$3" "$1/$4"
  verilator --cc --exe --build -j 2 --x-assign fast --x-initial fast --noassert -Wno-fatal -Wno-lint -Wno-style \
    --top-module loom_system -GDW="$2" -GBEATS="${5:-16}" -Mdir "$1" -MAKEFLAGS "OPT_FAST=-O0 OPT_GLOBAL=-O0 OBJCACHE=$(command -v ccache)" -CFLAGS "-I$system/sim -I$system/driver" \
    spec-tests/tools/system_memory.sv "$1"/loom_system_memory.sv "$1"/loom_system_reads.sv "$1"/loom_system_writes.sv \
    "$1"/loom_system_choose.sv "$system/sim/loom_rtl.cpp" "$sources/spec-tests/tools/system_memory.cpp" -o test >"$1/log" 2>&1 &&
    timeout 60 "$1/test" "$count" >"$1/said" 2>&1
}

# One memory of elements of N bits, and its ports, with addresses of so many.
narrow() {
  cat <<X
fabric.module @narrow(%m: memref<?xi$1>, %a: !fabric.bits<$2>, %b: !fabric.bits<$2>, %d: !fabric.bits<$1>) -> (!fabric.bits<$1>, none, none) {
  %e:3 = fabric.extmemory @mem [ldCount = 1, stCount = 1, latency = 1, numRegion = 1, memrefType = memref<?xi$1>] (%m, %a, %b, %d)
      : (memref<?xi$1>, !fabric.bits<$2>, !fabric.bits<$2>, !fabric.bits<$1>) -> (!fabric.bits<$1>, none, none)
  fabric.yield %e#0, %e#1, %e#2 : !fabric.bits<$1>, none, none
}
X
}

lint_alone() {
  for of in 1,32 8,32 16,32 32,32 64,32 64,64 8,1; do
    bits=${of%,*}
    narrow $bits "${of#*,}" >"$folder/narrow.mlir"
    "$loom" emit system "$folder/narrow.mlir" -o "$folder/narrow$bits" -- --bus=wishbone >"$folder.said" 2>&1 || { fail "$(cat "$folder.said")"; continue; }
    says "a system with elements of $bits bits, addresses of ${of#*,}, lint" make -s -C "$folder/narrow$bits" lint
  done
}

# Parameters at the ends of their ranges, and beyond them.
# shellcheck disable=SC2046  # word splitting is meant
ranges_alone() {
  (cd "$folder/narrow32" || exit
    for good in ADDR=64 BEATS=2 BEATS=256 AHEAD=1 READ_LINES=2 READ_LINES=3 WRITE_LINES=2 WRITE_LINES=3 DEPTH=1 DEPTH=255 DW=128; do
      verilator --lint-only -Wall --top-module loom_system -G$good $(grep 'sv$' rtl.f) || echo "refused: $good"
    done
    for wrong in ADDR=65 BEATS=1 BEATS=3 BEATS=512 AHEAD=0 READ_LINES=1 WRITE_LINES=1 DEPTH=0 DEPTH=256 DW=16 DW=48; do
      verilator --lint-only -Wno-lint --top-module loom_system -G$wrong $(grep 'sv$' rtl.f) >wrong.log 2>&1 &&
        echo "not refused: $wrong"
    done) >"$folder.said" 2>&1
  if [ -s "$folder.said" ]; then fail "$(cat "$folder.said")"; else pass; fi
}

# A word of a memory inside the fabric is read right behind the write that says which one.
window_alone() {
  cat >"$folder/window.mlir" <<X
fabric.module @pad(%i: !fabric.bits<32>, %j: !fabric.bits<32>, %d: !fabric.bits<32>) -> (!fabric.bits<32>, none, none, memref<8xi32>) {
  %b:4 = fabric.memory @m [ldCount = 1, stCount = 1, memrefType = memref<8xi32>, is_private = false] (%i, %j, %d)
      : (!fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>) -> (memref<8xi32>, !fabric.bits<32>, none, none)
  fabric.yield %b#1, %b#2, %b#3, %b#0 : !fabric.bits<32>, none, none, memref<8xi32>
}
X
  "$loom" emit system "$folder/window.mlir" -o "$folder/window" -- --bus=wishbone >"$folder.said" 2>&1 || { fail "$(cat "$folder.said")"; return; }
  says "a system with a memory inside, lint" make -s -C "$folder/window" lint
  command -v iverilog >/dev/null || { skip "iverilog is not installed: a window on a memory"; return; }
  # shellcheck disable=SC2046  # word splitting is meant
  (cd "$folder/window" && iverilog -g2012 -o window "$sources/spec-tests/tools/system_window.sv" $(grep 'sv$' rtl.f) && vvp window) >"$folder.said" 2>&1
  says "a window on a memory" sh -c "grep -x '8 passed, 0 failed' '$folder.said'"
}

# through FOLDER: outputs of the system that depend on an input of the same cycle; none is good
through() {
  (cd "$1" && yosys -p "read_verilog -sv $(grep 'sv$' rtl.f | tr '\n' ' '); hierarchy -top loom_system; proc; flatten; opt_clean;
    cd loom_system; select -assert-none o:* %ci*:-\$dff:-\$adff i:* %i")
}

# On either bus; and with a ready that waits for its valid, and an acknowledge that is its request.
through_alone() {
  command -v yosys >/dev/null || { skip "yosys is not installed: ways through a system"; return; }
  "$loom" emit system "$folder/narrow.mlir" -o "$folder/axi" >"$folder.said" || { fail "$(cat "$folder.said")"; return; }
  rm -rf "$folder/through" && cp -R "$folder/narrow64" "$folder/through"
  says "nothing goes through, AXI" through "$folder/axi"
  says "nothing goes through, Wishbone" through "$folder/through"
  sed -i 's/assign rready = !change;/assign rready = !change \&\& rvalid;/' "$folder/axi/rtl/loom_system_reads.sv"
  sed -i 's/\.dat_r(wb_dat_r)/.dat_r()/; s/^endmodule/assign wb_dat_r = {32{wb_cyc}};\n&/' "$folder/through/rtl/loom_system.sv"
  for broken in axi through; do
    if through "$folder/$broken" 2>&1 | grep -q 'Assertion failed: selection is not empty'; then pass; else fail "a way through is not found: $broken"; fi
  done
}

memory_alone() {
  need "the memory of a system is not run" verilator g++
  "$loom" emit system spec-tests/formal/fabric/sum.mlir -o "$system" -- --part=hardware >"$folder.said" ||
    { fail "$(cat "$folder.said")"; return; }
  for width in 32 64; do
    if memory_test "$folder/$width" $width "" ""; then pass; else fail "$(tail -n 3 "$folder/$width/log" "$folder/$width/said")"; fi
    cat "$folder/$width/said"
  done
  least="s/READ_LINES = 8/READ_LINES = 2/; s/WRITE_LINES = 4/WRITE_LINES = 2/; s/AHEAD = 2/AHEAD = 1/"
  memory_test "$folder/least" 32 "$least" loom_system_memory.sv 2 # right, though not quick
  if grep -q '^both' "$folder/least/said" && ! grep '^wrong' "$folder/least/said" | grep -qv '90 % of the bus'; then pass; else fail "$(tail -n 3 "$folder/least/log" "$folder/least/said")"; fi
  while read -r file change; do
    cmp -s "$library/$file" - <<X && fail "no such line: $change"
$(sed "$change" "$library/$file")
X
    if memory_test "$folder/mutant" 32 "$change" "$file"; then fail "not found: $change"; else pass; fi
  done <<X
loom_system_memory.sv s/(!bl_valid || load_acts) && room/room/
X
  lint_alone
  ranges_alone
  window_alone
  through_alone
}

# As it comes out of `loom emit system`, in blocks.
on_large() {
  need "a large system is not run" verilator g++
  "$loom" map golden/dot/kernel.mlir --adg "$count" -o "$folder/map" >"$folder.said" 2>&1 &&
    "$loom" emit system "$folder/map" -o "$system" >>"$folder.said" || { fail "$(cat "$folder.said")"; return; }
  says "$count, built" timeout "${LIMIT:-3600}" make -s -C "$system" sim OPT=-O1
  flags="-I$system/driver -I$system/kernels -I$system/sim"
  for file in spec-tests/tools/system_dot.c "$system/kernels/dot.c" "$system/driver/loom_driver.c"; do
    # shellcheck disable=SC2086  # word splitting is meant
    gcc -std=c99 -O1 -Wall -Wextra -Wpedantic -Werror $flags -c "$file" -o "$folder/$(basename "$file" .c).o" || return
  done
  g++ "$folder"/*.o "$system/obj/libloom_rtl.a" -lpthread -latomic -o "$folder/dot" || { fail "build"; return; }
  says "dot on $count" timeout "${LIMIT:-3600}" "$folder/dot"
  cat "$folder/said"
}

# per_image PROGRAM N: milliseconds of user time of one of N images, the least of five runs
per_image() {
  for run in 1 2 3 4 5; do
    ("$1" "$2" >"$folder/said" 2>&1; times) | tail -n 1 | tr ms '  ' | awk -v n="$2" '{ print 1000 * (60 * $1 + $2) / n }'
  done | sort -n | head -n 1
}

speed() {
  need "the speed of a system is not measured" verilator g++
  make -s -C examples/system LOOM="$loom" OUT="$folder" OPT=-O3 >"$folder.said" 2>&1 || { fail "$(cat "$folder.said")"; return; }
  simulated=$(per_image "$folder/simulated" 2000) rtl=$(per_image "$folder/rtl" 50)
  echo "an image: simulator $simulated ms, RTL $rtl ms: $(awk "BEGIN { printf \"%.0f\", $rtl / $simulated }") times"
  exit 0
}

# The adder of the chapter: all of a system, and next to nothing of a fabric.
small_system() {
  mkdir -p "$folder"
  sed -n '/^```mlir file=adder.mlir/,/^```$/p' spec-tests/64-system.md | grep -v '^```' >"$folder/adder.mlir"
  "$loom" emit system "$folder/adder.mlir" -o "$1" >"$folder.said" || fail "$(cat "$folder.said")"
}

# No latch, lines in block RAM, and no arithmetic that nobody meant: with a division in it, it has 3000 LUTs.
synth_alone() {
  need "no system is synthesised" yosys
  small_system "$folder/small"
  says "a small system, synthesised" make -s -C "$folder/small" synth TARGET=ice40
  cp "$folder/said" "$folder/figures"
  says "its lines are block RAM" grep -q 'SB_RAM40_4K  *[1-9]' "$folder/figures"
  says "its LUTs" awk '$1 == "SB_LUT4" { exit $2 > 2800 }' "$folder/figures"
}

place_alone() {
  need "no system is placed" yosys nextpnr-ice40
  small_system "$folder/small"
  says "a small system, placed" make -s -C "$folder/small" place
  cat "$folder/said"
}

case $way in
  speed) speed ;;
  simulator) on_simulator ;;
  memory) memory_alone ;;
  synth) synth_alone ;;
  place) place_alone ;;
  large) on_large ;;
  rtl)
    need "the RTL of a system is not run" verilator g++
    base=$folder
    installed "$base"
    for bus in axi wishbone; do
      folder=$base/$bus
      system=$folder/system
      mkdir -p "$folder"
      on_rtl $bus
    done
    folder=$base/adder
    same_cycles
    ;;
esac
checks_end
