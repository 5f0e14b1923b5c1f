#!/bin/sh
# rtl_agree.sh -- Verilog compared with LOOM's simulator of configured hardware, cycle for cycle.
#
#     rtl_agree.sh chapters LOOM FOLDER CHAPTER...    the fabrics of chapters, in Icarus
#     rtl_agree.sh lint LOOM FOLDER CHAPTER...        their hardware is lint-clean
#     rtl_agree.sh golden LOOM FOLDER                 a golden kernel on small fabrics, in Icarus
#     rtl_agree.sh broken LOOM FOLDER                 an image and hardware that were broken
#     rtl_agree.sh hosts LOOM FOLDER                  difficult hosts, in Icarus, also of hardware that was broken
#     rtl_agree.sh engine LOOM FOLDER                 loom sim --engine verilator, also when broken
#     rtl_agree.sh whole LOOM FOLDER                  a golden kernel with its whole case, in Verilator
#     rtl_agree.sh synth LOOM FOLDER                  Yosys: cells by module, and no latch; its gates run
#     rtl_agree.sh place LOOM FOLDER                  a tile on an iCE40: how large and how fast
#
# The last line is: N passed, N failed[, N skipped]. What needs a tool that is not installed is
# skipped.
set -u
cd "$(dirname "$0")/../.." || exit 1
way=$1 loom=$2 folder=$3
shift 3
case $loom in /*) ;; *) loom=$PWD/$loom ;; esac
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
. spec-tests/tools/lib.sh
said=$folder/said checked=$folder/said

# what was said last has this word in it
says() {
  grep -q -e "$1" "$folder/said"
}

# The command fails, and says why.
fails_with() {
  word=$1
  shift
  "$@"
  [ $? -ne 0 ] && says "$word"
}

# emit FOLDER WHAT...
emit() {
  to=$1
  shift
  rm -rf "$to"
  "$loom" emit verilog "$@" -o "$to"
}

# mapped SECTION: its graph on its fabric, in Icarus
mapped() {
  "$loom" map "$1/in.mlir" --adg "$1/fabric.mlir" -o "$1/map" && emit "$1/rtl" "$1/map" --case "$1/case.json" &&
    passes "$1/rtl" icarus
}

# passes FOLDER GOAL...
passes() {
  where=$1
  shift
  make -s -C "$where" "$@" >"$folder/passes"
  passed_so=$?
  cat "$folder/passes"
  [ $passed_so -eq 0 ] && grep -q '^PASS: ' "$folder/passes"
}

# ring SED: two images of rtl_ring.mlir, one over the other, in its hardware with SED applied to its switches. What never comes to
# an end is ended.
ring() {
  emit "$folder/ring" spec-tests/tools/rtl_ring.mlir >/dev/null && sed -i "$1" "$folder/ring/rtl/loom_switch.sv" &&
    (cd "$folder/ring" && iverilog -g2012 -s rtl_ring -o ring.vvp $(cat rtl.f) "$OLDPWD/spec-tests/tools/rtl_ring.sv") &&
    { timeout 5 vvp -n "$folder/ring/ring.vvp" || [ $? -eq 124 ]; }
}
# Of wires that lead round through tiles no tile tells.
loops_in_all() {
  emit "$folder/loops" spec-tests/tools/rtl_ring.mlir >/dev/null && make -s -C "$folder/loops" whole &&
    says '^top: [1-9][0-9]* combinational loops$'
}
# That a constant of the fabric opens such a way is seen. Without opt_expr it is not.
no_loops_in_all() {
  "$loom" adg spec-tests/tools/rtl_wires.adg -o "$folder/wires.mlir" && emit "$folder/wires" "$folder/wires.mlir" >/dev/null &&
    make -s -C "$folder/wires" whole && says '^fabric: 0 combinational loops$' && says '^fabric: [1-9][0-9]* levels' &&
    rm "$folder/wires/obj/whole.txt" && sed -i 's/opt_expr; //' "$folder/wires/Makefile" &&
    make -s -C "$folder/wires" whole && says '^fabric: [1-9][0-9]* combinational loops$'
}
no_ring() {
  ring '' && says '^PASS: 2 images'
}
a_ring() {
  ring "s/RINGS \&\& rst ? '0 : pairs/pairs/" && ! grep -q '^PASS' "$said"
}

# Those of chapter 58, as $folder/sections/NAME.
sections() {
  sh spec-tests/tools/sections.sh spec-tests/58-machine.md "$folder/sections" >/dev/null
}

# What Yosys made of it does the same in the same cycles, as far as ports and memories show.
gates_agree() {
  emit "$1/v" "$1/in.mlir" --case "$1/case.json" && passes "$1/v" gates
}

# is_driven_once MODULE PARAMETERS...: no register of it is written from two places, when it has tags.
is_driven_once() {
  module=$1
  shift
  yosys -q -e 'conflicting drivers' -p "read_verilog -sv -defer $(files backends/verilog/library "$module");
    chparam -set TAGS 4 -set TW 2 $* $module; hierarchy -top $module; proc; check -assert -noinit"
}

# Memories outside may answer when they like: the machine and the RTL throw the same dice.
by_chance() {
  grep -q extmemory "$1/in.mlir" || return 0
  emit "$1/c" "$1/in.mlir" --case "$1/case.json" --memory random:7:5 && passes "$1/c" icarus
}

in_icarus() {
  emit "$1/v" "$1/in.mlir" --case "$1/case.json" && passes "$1/v" icarus && passes "$1/v" icarus ARGS=+few &&
    by_chance "$1" || return
  grep -q 'stCount = [1-9]' "$1/in.mlir" && return # what no token orders comes when it comes
  passes "$1/v" icarus ARGS=+stall=7
}

# The case ends in an error, and the hardware with the same one.
ends_so() {
  emit "$1/v" "$1/in.mlir" --case "$1/errors.json" && ! grep -q '^error 0$' "$1/v/case/case.txt" && passes "$1/v" icarus
}

# Every file but those of numbers says under which licence it is.
is_licensed() {
  unlicensed=$(grep -rL 'SPDX-License-Identifier: MIT' "$1/Makefile" "$1/README.md" "$1/rtl" "$1/tb")
  echo "without a licence: $unlicensed"
  [ -z "$unlicensed" ]
}

# A preset, whose units have names that nothing in the library may hide.
preset_is_clean() {
  "$loom" adg tiny --rows 1 --cols 1 --memories 1 --scratchpads 0 -o "$folder/tiny.mlir" && emit "$folder/tiny" "$folder/tiny.mlir" && cd "$folder/tiny" &&
    verilator --lint-only -Wall --top-module fabric $(grep '\.sv$' rtl.f)
}

# Each module of the library by itself: as it is, with stages, and where it can be, in series. Those
# of a system need registers that are generated, and are looked at with them.
library_is_clean() {
  cd backends/verilog/library && for file in loom_*.sv; do
    module=${file%.sv} parameters=
    case $module in loom_system_*) continue ;; esac
    grep -q 'parameter int STAGES' "$file" && parameters=-GSTAGES=7
    grep -q 'parameter bit SERIAL' "$file" && parameters="$parameters -GSERIAL=1'b1"
    verilator --lint-only -Wall -y . --top-module "$module" "$file" &&
      verilator --lint-only -Wall -y . $parameters --top-module "$module" "$file" || return 1
  done
}

# One of thousands of rows: not more modules in a row than Verilator takes.
remainder_is_clean() {
  cd backends/verilog/library && verilator --lint-only -Wall -y . -GE=11 -GM=52 -GSTAGES=9 --top-module loom_float_rem loom_float_rem.sv
}

# A preset with values of 32 and of 64 bits in one PE: each PE by itself, as the whole takes minutes and 14 GB.
pes_are_clean() {
  "$loom" adg large -o "$folder/large.mlir" &&
    "$loom" emit verilog "$folder/large.mlir" -o "$folder/large" -- --part=hardware >/dev/null && cd "$folder/large/rtl" || return 1
  for file in $(ls pe_*.sv | grep -v _units_); do
    verilator --lint-only -Wall -y . --top-module "${file%.sv}" "$file" || return 1
  done
}

is_clean() {
  emit "$1/v" "$1/in.mlir" && is_licensed "$1/v" && make -s -C "$1/v" lint
}

# Prefix sums on a small fabric, in Icarus.
on_small_fabric() {
  name=$1
  case=$2
  shift 2
  "$loom" adg "$@" -o "$folder/$name.mlir" &&
    "$loom" map golden/prefix_sum/kernel.mlir --adg "$folder/$name.mlir" -o "$folder/$name" &&
    emit "$folder/$name/v" "$folder/$name" --case "$case" &&
    passes "$folder/$name/v" icarus
}

# The whole case of a kernel on a fabric with few units, built in blocks without optimisation.
whole_case() {
  name=$1
  shift
  "$loom" adg --topology chess --fu spec-tests/tools/rtl_few_units.mlir --memories 1 --scratchpads 0 "$@" \
    -o "$folder/$name.mlir" &&
    "$loom" map golden/prefix_sum/kernel.mlir --adg "$folder/$name.mlir" -o "$folder/$name" &&
    OPT=-O0 "$loom" sim "$folder/$name" --case golden/prefix_sum/case.json --engine verilator &&
    says 'agrees with the RTL'
}

# A tile with three units and buffers in its switch: no loop of wires, and as fast as the manual says.
placed() {
  "$loom" adg --topology mesh --rows 1 --cols 2 --fu spec-tests/tools/rtl_tile_units.mlir --sw-buffer full --tracks 1 \
    --pe-fifo 2 --memories 0 --scratchpads 0 --inputs 2 --outputs 1 -o "$folder/tile.mlir" &&
    emit "$folder/tile" "$folder/tile.mlir" && make -s -C "$folder/tile" synth whole && says ': 0 combinational loops$' &&
    says '^tile_.*: [1-9][0-9]* levels' && says '^fabric: [1-9][0-9]* levels' &&
    make -s -C "$folder/tile" place >"$folder/mhz" && cat "$folder/mhz" && awk '$(NF - 3) < 60 { exit 1 }' "$folder/mhz"
}

# Gates alone: not more than the cycle of the placed tile, which has wires, and not less than nextpnr counts on its longest way.
timed() {
  make -s -C "$folder/tile" "$@" time >"$folder/ns" && cat "$folder/ns" "$folder/mhz" &&
    awk '/ ns of gates/ { ns = $2 } / logic cells, / { cycle = 1000 / $(NF - 3) } / ns logic, / && !logic { logic = $2 }
      END { exit !(ns > 0 && ns >= logic && ns < cycle) }' "$folder/ns" "$folder/mhz" "$folder"/tile/obj/place-*.log
}
untimed() {
  for wrong in 100 10000; do
    sed "s:NF / 1000:NF / $wrong:" "$folder/tile/Makefile" >"$folder/tile/wrong.mk" && ! timed -f wrong.mk || return 1
  done
}

# What is there is of another kind than what is asked for: it is built anew.
built_otherwise() {
  make -s -C "$1" icarus && says '^PASS: .* [1-9][0-9]* channels$' && make -s -C "$1" icarus OBSERVE= && says '^PASS: .* 0 channels$'
}

# one_after_another FOLDER TARGET: a case, one of which other cycles are expected, the first again, and one that is not
# there, on one hardware: each is what it is alone, and nothing is left of the one before.
one_after_another() {
  (
    cd "$1/v" || exit
    rm -rf late
    cp -R case late
    sed -i 's/^cycles .*/cycles 12345/' late/case.txt
    printf '%s\n' case late case none >list
    ! make -s "$2" ARGS=+cases=list >told 2>&1 && cat told &&
      is "$(sed -n 's/^case //p; s/^\(PASS\|FAIL\): .*/\1/p' told | tr '\n' ' ')" "case PASS late FAIL case PASS none FAIL " &&
      is "$(sed -n 's/^PASS: //p' told | sort -u | wc -l)" 1 &&
      printf '%s\n' case case >list && make -s "$2" ARGS=+cases=list >told 2>&1 && is "$(grep -c '^PASS: ' told)" 2
  )
}

flipped() {
  rm -rf "$1/v/flipped"
  cp -R "$1/v/case" "$1/v/flipped"
  # the lowest bit of the first word that has any: a route, an opcode, ...
  sed -i '0,/^[1-9a-f][0-9a-f]*$/{/^[1-9a-f][0-9a-f]*$/s/.$/0/}' "$1/v/flipped/image.hex"
  ! cmp -s "$1/v/case/image.hex" "$1/v/flipped/image.hex" &&
    fails_with '^FAIL: ' make -s -C "$1/v" icarus CASE=flipped
}

# broken FOLDER FILE SED: the same hardware with one line that is another.
broken() {
  rm -rf "$1/w"
  cp -R "$1/v" "$1/w"
  rm -rf "$1/w/obj"
  sed -i "$3" "$1/w/rtl/$2"
  ! cmp -s "$1/v/rtl/$2" "$1/w/rtl/$2" && fails_with '^FAIL: ' make -s -C "$1/w" icarus
}

# A folder that had other hardware and another case: neither is taken, and no file is left out.
over_another() {
  emit "$1/v" "$1/in.mlir" --case "$1/case.json" && echo 'module broken' >"$1/v/rtl/stale.sv" &&
    sed -i 's/^1 0$/2 0\n7/' "$1"/v/case/input.*.hex &&
    "$loom" emit verilog "$1/in.mlir" --case "$1/case.json" -o "$1/v" && passes "$1/v" icarus &&
    ! grep -q stale "$1/v/rtl.f" && ! grep -q loom_float "$1/v/rtl.f"
}

# Other hardware in the folder of a case: the case is not taken, and no simulator is to blame. With a case it runs.
of_other_hardware() {
  emit "$1/v" "$1/in.mlir" --case "$1/case.json" && "$loom" emit verilog "$2/in.mlir" -o "$1/v" &&
    fails_with 'the case in case is of other hardware' make -s -C "$1/v" icarus && says '^FAIL: not run$' &&
    "$loom" emit verilog "$2/in.mlir" --case "$2/case.json" -o "$1/other" -- --part=case &&
    make -s -C "$1/v" icarus CASE=../other/case && says '^PASS: '
}

# A machine that deadlocks: the bench must, too, and says that it did.
standing() {
  rm -rf "$folder/standing"
  "$loom" config encode spec-tests/tools/standing_fabric.mlir -o "$folder/standing" &&
    emit "$folder/standing.v" spec-tests/tools/standing_fabric.mlir "$folder/standing.config.bin" \
      --case spec-tests/tools/standing_case.json && says 'warning.RT_REPLAY.: with this case the machine deadlocks' &&
    make -s -C "$folder/standing.v" icarus && says '^PASS: the case stalls after .*, and so does the hardware'
}

# A folder for the case whose name a shell would take apart.
odd_folder() {
  rm -rf "$folder/it's a case"
  cp -R "$1/v/case" "$folder/it's a case" && make -s -C "$1/v" icarus CASE="$folder/it's a case" && says '^PASS: '
}

# at_once FOLDER GOAL: three of them, from nothing.
at_once() {
  rm -rf "$1/v/obj"
  for i in 1 2 3; do
    make -s -C "$1/v" "$2" >"$folder/at_once.$i" 2>&1 &
  done
  wait
  cat "$folder"/at_once.?
  [ "$(grep -c '^PASS: ' "$folder"/at_once.? | grep -c ':1$')" -eq 3 ]
}

# hosted WAY: what a host of rtl_host.sv sees of the hardware in $folder/host.
hosted() {
  iverilog -g2012 -s host -o "$folder/host/host.vvp" "$folder"/host/rtl/*.sv spec-tests/tools/rtl_host.sv &&
    vvp -n "$folder/host/host.vvp" +case="$folder/host/case" +way="$1" && says "^PASS: *$1$"
}

# The memory of rtl_memory.sv, for the hardware in a folder.
remembered() {
  iverilog -g2012 -s memory -o "$1/memory.vvp" "$1"/rtl/*.sv spec-tests/tools/rtl_memory.sv &&
    vvp -n "$1/memory.vvp" +case="$1/case" && says '^PASS$'
}

# forgotten FILE SED: likewise, with one line that is another; the memory notices.
forgotten() {
  rm -rf "$folder/forgotten"
  cp -R "$folder/memory" "$folder/forgotten" && sed -i "$2" "$folder/forgotten/rtl/$1" &&
    ! cmp -s "$folder/memory/rtl/$1" "$folder/forgotten/rtl/$1" && fails_with '^FAIL: ' remembered "$folder/forgotten"
}

# block_rams FOLDER [ICE40 ECP5]: its scratchpad of 512 words of 16 bits is so many block RAMs, and no register. What is
# the same for both chips is done once, and the names of wires inside are forgotten: every pass would look at them again.
block_rams() {
  files=$(sed "s|^|$1/|" "$1/rtl.f" | tr '\n' ' ')
  yosys -q -p "read_verilog -sv $files; hierarchy -check -top top; proc; flatten; opt_clean -purge; design -save flat;
    synth_ice40 -top top -run begin:map_ffram; select -assert-count ${2:-2} t:SB_RAM40_4K; design -load flat;
    synth_ecp5 -top top -run begin:map_ffram; select -assert-count ${3:-1} t:DP16KD"
}

# A scratchpad that is read within the cycle is none.
no_block_rams() {
  sed -i 's/if (read) data <= held.*//; s/initial for/assign data = read ? held[read_at] : 0; initial for/' "$1/rtl/loom_ram.sv"
  fails_with 'Assertion failed' block_rams "$1"
}

# unhosted WAY FILE SED: the same hardware with one line that is another; the host notices.
unhosted() {
  cp "$folder/host/rtl/$2" "$folder/kept.sv"
  sed -i "$3" "$folder/host/rtl/$2"
  ! cmp -s "$folder/kept.sv" "$folder/host/rtl/$2" && fails_with "^FAIL: *$1$" hosted "$1"
  noticed=$?
  cp "$folder/kept.sv" "$folder/host/rtl/$2"
  return $noticed
}

# A gate in the middle of its burst, with all tokens gone: it stalls.
burst_left() {
  rm -rf "$folder/burst"
  cp -R "$1" "$folder/burst" && sed -i 's/10,20,30/10,20/; s/1,1,0/1,1/' "$folder/burst/case.json" &&
    emit "$folder/burst/v" "$folder/burst/in.mlir" --case "$folder/burst/case.json" &&
    make -s -C "$folder/burst/v" icarus && says '^PASS: the case stalls after .*, and so does the hardware'
}

# A unit that rests for longer than the test bench has patience with silence.
rests() {
  rm -rf "$folder/rests"
  cp -R "$1" "$folder/rests" && sed -i 's/interval = 3/interval = 3000/' "$folder/rests/in.mlir" && in_icarus "$folder/rests"
}

# Inputs whose names no Verilog has: both are there, and the README says which is which.
odd_names() {
  cat >"$folder/odd.mlir" <<'END'
fabric.module @top(%x$y: !fabric.bits<32>, %a-b: !fabric.bits<32>, %x_y: !fabric.bits<32>) -> (!fabric.bits<32>, !fabric.bits<32>) {
  %s = fabric.spatial_pe @adder inputs(%x$y, %a-b) : (!fabric.bits<32>, !fabric.bits<32>) -> (!fabric.bits<32>)
      attributes {instruction = "add(in 0, in 1) -> (out 0)"} {
    fabric.function_unit @add(%x: i32, %y: i32) -> (i32) [latency = 1, interval = 1] {
      %s = arith.addi %x, %y : i32
      fabric.yield %s : i32
    }
    fabric.yield
  }
  fabric.yield %s, %x_y : !fabric.bits<32>, !fabric.bits<32>
}
END
  stream='{"stream": {"type": "i32", "data": [1, 2]}}'
  echo "{\"args\": [$stream, $stream, $stream]}" >"$folder/odd.json"
  emit "$folder/odd" "$folder/odd.mlir" --case "$folder/odd.json" && passes "$folder/odd" icarus &&
    grep -q ' x_y_n2 .* x\$y ' "$folder/odd/README.md" && grep -q ' a_b .* a-b ' "$folder/odd/README.md" &&
    ! grep -q ' x_y ' "$folder/odd/README.md"
}

# beside_memories NAME: an input beside memories m, outside, and n, inside, one of which has ports of that name, too.
beside_memories() {
  bits='!fabric.bits<32>' table='attributes {addr_offset_table = [1, 0, 1, 0, 2]}'
  value='{"stream": {"type": "i32", "data": [3]}}' index='{"stream": {"type": "index", "data": [3]}}'
  array='{"memref": {"type": "i32", "shape": [4], "data": [7, 8, 9, 10]}}'
  echo "{\"args\": [$array, $array, $index, $index, $index, $value, $value]}" >"$folder/beside.json"
  cat >"$folder/beside.mlir" <<END
fabric.module @top(%o: memref<?xi32>, %i: $bits, %j: $bits, %k: $bits, %l: $bits, %$1: $bits) -> (memref<4xi32>, $bits, none, none, $bits, none, $bits) {
  %e:3 = fabric.extmemory @m [ldCount = 1, stCount = 1, memrefType = memref<?xi32>] (%o, %i, %k, %l) $table
      : (memref<?xi32>, $bits, $bits, $bits) -> ($bits, none, none)
  %p:3 = fabric.memory @n [ldCount = 1, stCount = 0, memrefType = memref<4xi32>, is_private = false] (%j) $table
      : ($bits) -> (memref<4xi32>, $bits, none)
  fabric.yield %p#0, %e#0, %e#1, %e#2, %p#1, %p#2, %$1 : memref<4xi32>, $bits, none, none, $bits, none, $bits
}
END
  emit "$folder/beside" "$folder/beside.mlir" --case "$folder/beside.json" && passes "$folder/beside" icarus &&
    grep -q " x_$1 .* $1 " "$folder/beside/README.md"
}

# 1 / 1 and 0 / 1: there is nothing to count in operands of one bit.
one_bit() {
  bits='!fabric.bits<1>'
  cat >"$folder/bit.mlir" <<END
fabric.module @top(%a: $bits, %b: $bits) -> $bits {
  %p = fabric.spatial_pe @p inputs(%a, %b) : ($bits, $bits) -> ($bits) attributes {instruction = "div(in 0, in 1) -> (out 0)"} {
    fabric.function_unit @div(%x: i1, %y: i1) -> (i1) [latency = 4, interval = 4, early_out = true] {
      %z = arith.divui %x, %y : i1
      fabric.yield %z : i1
    }
    fabric.yield
  }
  fabric.yield %p : $bits
}
END
  echo '{"args": [{"stream": {"type": "i1", "data": [1, 0, 1]}}, {"stream": {"type": "i1", "data": [1, 1, 1]}}]}' >"$folder/bit.json"
  emit "$folder/bit" "$folder/bit.mlir" --case "$folder/bit.json" && passes "$folder/bit" icarus
}

agrees_with_rtl() {
  "$loom" sim "$1/in.mlir" --case "$1/case.json" --engine verilator && says 'agrees with the RTL'
}

# A Verilator that changes the hardware before it takes it: the first transfer that differs is named.
names_what_differs() {
  printf '%s\n' '#!/bin/sh' "sed -i 's/<= {in_tag, in_data}/<= {in_tag, ~in_data}/' rtl/loom_fifo.sv" 'exec verilator "$@"' \
    >"$folder/verilator"
  chmod +x "$folder/verilator"
  fails_with "token 0 of 'out0.in0': the machine takes 5 in cycle 1, the RTL takes 4294967290 in cycle 1" \
    env LOOM_VERILATOR="$folder/verilator" "$loom" sim "$1/in.mlir" --case "$1/case.json" \
    --engine verilator
}

case $way in
chapters)
  need "hardware is not tried on it" iverilog
  for section in $(sh spec-tests/tools/sections.sh "$1" "$folder/sections"); do
    check "${section##*/} in Icarus" in_icarus "$section"
  done
  for case in "$folder"/sections/*/errors.json; do
    section=${case%/*}
    check "${section##*/}, and its error" ends_so "$section"
  done
  ;;
lint)
  need "hardware is not tried on it" verilator
  for section in $(sh spec-tests/tools/sections.sh "$1" "$folder/sections"); do
    check "lint of ${section##*/}" is_clean "$section"
  done
  check "lint of the preset tiny" eval '(preset_is_clean)'
  check "lint of the PEs of the preset large" eval '(pes_are_clean)'
  check "lint of the library, a module at a time" eval '(library_is_clean)'
  check "lint of a remainder of f64 in nine stages" eval '(remainder_is_clean)'
  ;;
golden)
  need "hardware is not tried on it" iverilog
  sh spec-tests/tools/sections.sh spec-tests/25-what-maps.md "$folder/maps" >/dev/null
  check "arguments that come under tags" mapped "$folder/maps/Inputs_and_outputs_under_tags"
  printf '%s' '{"args":[{"memref":{"shape":[6],"type":"i32","data":[5,-3,100,7,2147483647,1]}}]}' \
    >"$folder/case.json"
  cat >"$folder/all.adg" <<END
rows 4
cols 5
memories 1
scratchpads 0
fu all
pattern FFFFF/FFIFF/FFFFF/FFFFF
class F few
  units constant_{i1,i32,index} {cond_br,mux2}_{none,i1,i32,index} join {carry,gate,invariant}_{none,i1,i32,index}
  units stream_add load_i32 store_i32 {addi,cmpi}_{i32,index} index_cast_*
class I integers
  units *_i32 *_index
END
  check "prefix_sum of six numbers, a PE with all units for integers" \
    on_small_fabric all "$folder/case.json" "$folder/all.adg"
  board="--topology chess --memories 1 --scratchpads 0"
  seq 100 | awk 'BEGIN { printf "{\"args\":[{\"memref\":{\"shape\":[100],\"type\":\"i32\",\"data\":[" }
    { printf "%s%d", (NR > 1 ? "," : ""), ($1 * 7919) % 1009 - 500 } END { printf "]}}]}" }' >"$folder/many.json"
  check "prefix_sum of 100 numbers, PEs with few units" \
    on_small_fabric few "$folder/many.json" $board --fu spec-tests/tools/rtl_few_units.mlir --rows 4 --cols 5
  check "prefix_sum of six numbers, temporal PEs that share their units" \
    on_small_fabric temporal "$folder/case.json" $board --fu spec-tests/tools/rtl_few_units.mlir --rows 2 --cols 2 \
    --width 32 --instructions 6 --operand-buffer 16
  ;;
broken)
  need "hardware is not tried on it" iverilog
  sections
  section=$folder/sections/A_unit_of_two_stages
  check "a unit of two stages" in_icarus "$section"
  check "a bit of the image is noticed" flipped "$section"
  check "cases one after another" one_after_another "$section" icarus
  check "another operation is noticed" broken "$section" unit_add.sv 's/ + / - /'
  section=$folder/sections/An_eager_fork
  check "an eager fork" in_icarus "$section"
  check "emitted over other hardware" over_another "$section"
  check "names that no Verilog has" odd_names
  for name in m_load m_load_data m_store m_store_done n_host; do
    check "an input $name beside a memory" beside_memories $name
  done
  check "a division of one bit that ends early" one_bit
  check "a case in a folder with blanks and a quote" odd_folder "$section"
  check "three at once" at_once "$section" icarus
  check "a latch that keeps nothing is noticed" broken "$section" loom_latch.sv 's/full <= .*/full <= 1'"'"'b0;/'
  section=$folder/sections/Operands_that_share_a_buffer
  check "operands that share a buffer" in_icarus "$section"
  check "a place more than there are is noticed" broken "$section" loom_pool.sv 's/+ i < PLACES/+ i <= PLACES/'
  section=$folder/sections/Whose_place_it_is
  check "two inputs that share a buffer" in_icarus "$section"
  check "inputs the other way round are noticed" broken "$section" loom_pool.sv "s/INS'(free)/{free[0], free[1]}/"
  section=$folder/sections/An_interval_for_all_who_share
  check "a unit that two instructions share" in_icarus "$section"
  check "one that does not rest is noticed" broken "$section" loom_recovery.sv 's/assign resting = .*/assign resting = 1'"'"'b0;/'
  section=$folder/sections/A_configuration_for_each_instruction
  check "a configuration for each instruction" in_icarus "$section"
  check "that of the other instruction is noticed" broken "$section" pe_tpe.sv 's/chosen\[n\]) payload/chosen[1-n]) payload/'
  section=$folder/sections/Types_that_share_the_data_path_of_a_temporal_PE
  check "a data path for two types" in_icarus "$section"
  check "bits of the wider type are noticed" broken "$section" pe_tpe.sv 's/given & masks/given/'
  check "what another unit has on the result bus is noticed" broken "$section" pe_tpe_units_0.sv 's/{32{landed_[0-9]*\[0\]}} & //'
  section=$folder/sections/A_unit_of_two_stages
  check "a case of other hardware" of_other_hardware "$section" "$folder/sections/A_fifo"
  check "a machine that deadlocks" standing
  ;;
hosts)
  need "hardware is not tried on it" iverilog
  stream='{"stream":{"type":"i32","data":[1]}}'
  echo "{\"args\":[$stream,$stream]}" >"$folder/host.json"
  check "hardware for hosts" emit "$folder/host" spec-tests/tools/rtl_host.mlir --case "$folder/host.json"
  for host in late-sink source-pauses source-stops stalled-sink stalled-sink-timed uneven few one-operand no-image half-image \
    whole-behind-half short-image long-image broken-image clear; do
    check "host: $host" hosted $host
  done
  check "valid that waits for ready is noticed" unhosted late-sink loom_exit.sv \
    's/in_valid(in_valid && running)/in_valid(in_valid \&\& running \&\& out_ready)/'
  check "an end by silence is noticed" unhosted source-pauses loom_control.sv 's/|| is_over ||/|| quiet == 1000 ||/'
  check "an end without the last token is noticed" unhosted uneven loom_exit.sv "s/assign lacks = .*/assign lacks = 1'b0;/"
  check "a latch that keeps nothing is noticed" unhosted stalled-sink loom_exit.sv "s/out_use(give)/out_use(1'b1)/"
  check "silence that is a success is noticed" unhosted source-stops loom_control.sv "s/ended <= SILENCE/ended <= '0/"
  check "start without an image is noticed" unhosted no-image loom_control.sv 's/&& is_whole //'
  check "an image that never begins anew is noticed" unhosted whole-behind-half loom_control.sv \
    "s/cfg_at = cfg_first ? 32'd0 : next/cfg_at = next/"
  check "an image without its checksum is noticed" unhosted broken-image loom_control.sv \
    "s/ && cfg_data == ~(cfg_first ? '1 : crc);/;/"
  check "a fifo that is said to be empty is noticed" unhosted one-operand loom_fifo.sv "s/assign holds = .*/assign holds = 1'b0;/"
  check "a latch that is said to be empty is noticed" unhosted one-operand loom_worker.sv "s/holds = held != '0 || /holds = /"
  check "a pipeline that is said to be empty is noticed" unhosted few loom_firing.sv "s/assign holds = .*/assign holds = 1'b0;/"
  check "an image over another closes no ring" no_ring
  check "one that does is noticed" a_ring
  check "hardware for a memory" emit "$folder/memory" spec-tests/tools/rtl_memory.mlir --case spec-tests/tools/rtl_memory.json
  check "a memory that answers when it likes" remembered "$folder/memory"
  check "answers of a run before are noticed" forgotten loom_owed.sv "s/else if (rst) stale <= .*/else if (rst) stale <= '0;/"
  check "waiting for an answer that was not asked for is noticed" forgotten loom_owed.sv "s/lost <= .*/lost <= 1'b0;/"
  check "what one cycle of reset leaves is noticed" forgotten loom_owed.sv "s/lost <= !rst \&\& (.*/lost <= lost || (asks \&\& beyond);/"
  check "a request for what is not there is noticed" forgotten loom_lanes.sv "s/|(load_picked & ~load_beyond);/|load_picked;/"
  check "a request that changes is noticed" forgotten loom_request.sv "s/stands != '0 ? stands : asks/asks/"
  check "a request more than there are places is noticed" forgotten loom_owed.sv "s/assign room = owed != B'(PLACES)/assign room = 1'b1/"
  check "a region that is known too late is noticed" forgotten loom_region.sv "s/posedge clk) limit <= \(.*\);/posedge clk) later <= \1; logic [AW:0] later; always_ff @(posedge clk) limit <= later;/"
  check "an answer that nobody asked for is noticed" forgotten loom_owed.sv "s/assign ready = .*/assign ready = 1'b1;/"
  sections
  check "a burst that is left" burst_left "$folder/sections/A_gate"
  check "another end is noticed" broken "$folder/burst" loom_flow.sv "s/assign holds = busy || /assign holds = /"
  section=$folder/sections/A_fork_through_buffers
  check "buffers" emit "$section/v" "$section/in.mlir" --case "$section/case.json"
  check "a buffer of one place is noticed" broken "$section" loom_buffer.sv "s/room\[s\] = !count\[1\]/room[s] = count == '0/"
  check "a buffer that takes what it gives is noticed" broken "$section" loom_buffer.sv "s/room\[s\] = !count\[1\]/& || give/"
  section=$folder/sections/Tags_through_buffers
  check "buffers of tags" emit "$section/v" "$section/in.mlir" --case "$section/case.json"
  check "a tag that is offered where it has no room is noticed" broken "$section" loom_buffer.sv "s/TAGS'(1) : out_want/& | {TAGS{1'b1}}/"
  section=$folder/sections/A_fork_through_forward_buffers
  check "forward buffers" emit "$section/v" "$section/in.mlir" --case "$section/case.json"
  check "a forward buffer that takes nothing while it gives is noticed" broken "$section" loom_buffer.sv "s/room\[s\] = !full || give/room[s] = !full/"
  check "a unit that rests" rests "$folder/sections/An_eager_fork"
  check "rest that is silence is noticed" broken "$folder/rests" loom_pe.sv "s/assign waits = .*/assign waits = 1'b0;/"
  ;;
engine)
  need "hardware is not tried on it" verilator
  need "hardware is not tried on it" make
  export XDG_CACHE_HOME="$folder/cache"
  sections
  check "a fifo" agrees_with_rtl "$folder/sections/A_fifo"
  check "a fifo that was built already" agrees_with_rtl "$folder/sections/A_fifo"
  check "a fifo, its own folder" emit "$folder/sections/A_fifo/v" "$folder/sections/A_fifo/in.mlir" --case \
    "$folder/sections/A_fifo/case.json"
  check "three at once" at_once "$folder/sections/A_fifo" simulate
  check "the text that is synthesised" passes "$folder/sections/A_fifo/v" EVENTS= OBJ=text simulate
  check "built otherwise" built_otherwise "$folder/sections/A_fifo/v"
  check "cases one after another" one_after_another "$folder/sections/A_fifo" simulate
  check "hardware that was broken" names_what_differs "$folder/sections/A_fifo"
  ;;
whole)
  need "hardware is not tried on it" verilator
  need "hardware is not tried on it" make
  export XDG_CACHE_HOME="$folder/cache"
  check "prefix_sum, its whole case, on temporal PEs" whole_case temporal --rows 2 --cols 2 --instructions 6
  ;;
place)
  need "no tile is placed" yosys nextpnr-ice40
  check "a tile on a chip" placed
  check "the time of its gates" timed
  check "a tenth, and ten times it, are noticed" untimed
  ;;
synth)
  need "hardware is not tried on it" yosys
  check "a fork by tags in Yosys" is_driven_once loom_fork -set N 3
  check "a switch by tags in Yosys" is_driven_once loom_switch -set IN 2 -set OUT 3
  check "a temporal switch in Yosys" is_driven_once loom_temporal_switch -set IN 2 -set OUT 3 -set SLOTS 2
  sections
  section=$folder/sections/A_unit_of_two_stages
  check "hardware for Yosys" emit "$section/v" "$section/in.mlir"
  check "cells by module" make -s -C "$section/v" synth
  check "loops of wires, which no tile has" loops_in_all
  check "no loops of wires where constants are known, and some where not" no_loops_in_all
  check "a scratchpad for Yosys" emit "$folder/pad" spec-tests/tools/rtl_scratchpad.mlir
  check "a scratchpad is block RAM" block_rams "$folder/pad"
  sed 's/ldCount = 1/banks = 4, &/' spec-tests/tools/rtl_scratchpad.mlir >"$folder/banks.mlir"
  check "a scratchpad of four banks" emit "$folder/banks" "$folder/banks.mlir"
  check "each of them is block RAM" block_rams "$folder/banks" 4 4
  check "one that is none is noticed" no_block_rams "$folder/pad"
  for section in "$folder/sections/A_memory_with_two_lanes" "$folder/sections/A_temporal_PE" \
    "$folder/sections/A_remainder_that_ends_early"; do
    check "${section##*/}, its gates" gates_agree "$section"
  done
  ;;
esac
checks_end
