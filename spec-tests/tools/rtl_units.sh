#!/bin/sh
# rtl_units.sh -- the operations of hardware against the host's arithmetic.
#
#     rtl_units.sh verilator BUILD N [GROUP...]   in Verilator: N random operands, and some chosen ones
#     rtl_units.sh list BUILD N [GROUP...]        the same with all that were chosen, a line for each
#                                                 unit, and compiled for speed
#     rtl_units.sh stages BUILD N STAGES [GROUP...]    what has steps with so many registers, also where
#                                                 it can be serial; other operands follow
#     rtl_units.sh own BUILD N [GROUP...]         what is serial: dividers, roots, powers, remainders, each with
#                                                 the registers of its latency in timing.def, up to 300
#     rtl_units.sh icarus BUILD N [GROUP...]      vectors read by Icarus
#     rtl_units.sh yosys BUILD N [GROUP...]       the same of what Yosys reads in them, in which it finds no latch
#     rtl_units.sh broken BUILD                   the comparison finds modules that were broken
#
# Groups are int, f16, bf16, f32, f64. The last line is: N passed, N failed[, N skipped]. A tool that is
# not installed skips its groups.
set -u
cd "$(dirname "$0")/../.." || exit 1
way=$1 build=$2
shift 2
n=1000 serial= only=
case $way in verilator | list | icarus | yosys | stages | own) n=$1 && shift ;; esac
stages=
[ "$way" != stages ] || { stages=$1 && shift; }
[ $# -gt 0 ] || set -- int f16 bf16 f32 f64
here=$PWD
tools=spec-tests/tools
library=backends/verilog/library
case $build in /*) ;; *) build=$here/$build ;; esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cc=${CC:-cc}
# What Verilator writes takes clang half the time, where it has the headers of C++.
cxx=$(echo '#include <string>' | clang++ -x c++ -fsyntax-only - 2>/dev/null && echo clang++ || echo g++)
. spec-tests/tools/lib.sh

# The last line of a file, added up.
count() {
  last=$(tail -n 1 "$1")
  p=$(expr "$last" : '\([0-9]*\) passed, [0-9]* failed$')
  f=$(expr "$last" : '[0-9]* passed, \([0-9]*\) failed$')
  sed '$d' "$1"
  [ -n "$p" ] || echo "FAIL $2: $last"
  passed=$((passed + ${p:-0})) failed=$((failed + ${f:-1}))
}

# object FILE SOURCE OPTION...: compiled, if it is not there yet
object() {
  file=$1 source=$2
  shift 2
  [ -f "$file" ] || $cc -O2 "$@" -c "$source" -o "$file"
}

# compile GROUP DIR OPTION...: rtl_check.c, which includes what the group has, and the references.
compile() {
  folder=$2
  shift 2
  set -- -std=c11 -ffp-contract=off -frounding-math -I"$folder" -I$tools "$@"
  object "$folder/rtl_check.o" $tools/rtl_check.c "$@" && object "$work/rtl_reference.o" $tools/rtl_reference.c "$@"
}

# model GROUP LIBRARY OPT: the model and its check as a program, with all of Verilator's warnings. What every model
# has of Verilator itself is compiled once (make takes it to be newer than the makefile, -o), and the model in one piece,
# as most of a small file are headers. Loops stay loops: arrays unrolled are five times as much C++.
model() {
  dir=$work/$1
  rm -rf "$dir"
  mkdir -p "$dir/obj"
  cp "$work"/verilated*.o "$dir/obj" 2>/dev/null
  compiled=$(cd "$dir/obj" && ls | sed 's/^/-o /' | tr '\n' ' ')
  command -v ccache >/dev/null && export OBJCACHE=ccache
  "$build/tools/rtl-units" "$1" "$dir" $only $serial $stages && compile "$1" "$dir" &&
    object "$work/dpi.o" $library/loom_dpi.c &&
    verilator -Wall --cc --exe --build -j 2 -O3 --x-assign fast --unroll-count 8 -CFLAGS "-I$dir" \
      -MAKEFLAGS "CXX=$cxx OPT_FAST=$3 OPT_GLOBAL=$3 VM_PARALLEL_BUILDS=0 $compiled" \
      --Mdir "$dir/obj" -y "$2" --top-module units --prefix Vunits -o check "$dir/units.sv" \
      "$here/$tools/rtl_model.cpp" "$dir/rtl_check.o" "$work/rtl_reference.o" "$work/dpi.o" \
      >"$dir/log" 2>&1 && cp "$dir"/obj/verilated*.o "$work"
}

in_verilator() { # OPT WHAT GROUP...
  opt=$1 list=$2
  shift 2
  for group; do
    if model "$group" $library "$opt"; then
      "$work/$group/obj/check" "$list" "$n" >"$work/said"
      count "$work/said" "$group"
    else
      tail -n 30 "$work/$group/log"
      fail "$group: Verilator"
    fi
  done
}

# Each group pipelined, and int and floats also where they can be serial.
in_stages() {
  for group; do
    for serial in "" serial; do
      in_verilator -O0 --few "$group"
    done
  done
}

# bench SOURCE OPTION...: the vectors of $group for its units in SOURCE, in Icarus
bench() {
  text=$1 dir=$work/$group
  shift
  compile "$group" "$dir" -DRTL_VECTORS && $cc -o "$dir/vectors" "$dir/rtl_check.o" "$work/rtl_reference.o" -lm &&
    "$dir/vectors" --few "$n" >"$dir/vectors.hex" &&
    bits=$(($(head -n 1 "$dir/vectors.hex" | wc -c) - 1 - 49)) &&
    iverilog -g2012 -s bench -P bench.WORDS=$((bits / 16)) -P bench.VECTORS="$(wc -l <"$dir/vectors.hex")" "$@" \
      -o "$dir/bench" "$dir/$text" $tools/rtl_bench.sv >"$dir/log" 2>&1 && [ ! -s "$dir/log" ] && (cd "$dir" && vvp -n ./bench) >"$work/said"
}

in_icarus() {
  for group; do
    mkdir -p "$work/$group"
    if "$build/tools/rtl-units" "$group" "$work/$group" icarus && bench units.sv -Wall -y $library -Y .sv; then
      count "$work/said" "$group"
    else
      tail -n 30 "$work/$group/log"
      fail "$group: Icarus"
    fi
  done
}

# Modules by themselves, each with a bench: what no unit above is like.
alone() {
  for one in region divide; do
    iverilog -g2012 -y $library -Y .sv -o "$work/$one" $tools/rtl_$one.sv >"$work/$one.log" 2>&1 &&
      vvp -n "$work/$one" >"$work/said" || cat "$work/$one.log" >"$work/said"
    count "$work/said" "$one"
  done
}

# The units of $group, of the library in $1, as Yosys writes what it read. Not every tool reads SystemVerilog as its
# standard has it; what stands in the library is to be what all read alike.
read_by_yosys() {
  dir=$work/$group
  mkdir -p "$dir"
  "$build/tools/rtl-units" "$group" "$dir" "${only:-synthesis}" &&
    yosys -q -p "read_verilog -sv $1/*.sv $dir/units.sv; hierarchy -check -top units; proc;
      select -assert-none t:\$dlatch t:\$adlatch t:\$dlatchsr; check -assert; write_verilog -noattr $dir/read.v" >"$dir/log" 2>&1 &&
    bench read.v
}

in_yosys() {
  for group; do
    if read_by_yosys $library; then
      count "$work/said" "$group"
    else
      tail -n 30 "$work/$group/log"
      fail "$group: Yosys"
    fi
  done
}

# misread OPERATION SED: of the library so changed Yosys reads something else than is meant, which that operation shows.
misread() {
  only=$1
  shift
  rm -rf "$work/library" "${work:?}/$group"
  cp -r $library "$work/library"
  sed -i "$1" "$work"/library/*.sv
  if diff -r $library "$work/library" >/dev/null; then
    fail "$1 changes nothing"
  elif read_by_yosys "$work/library" && ! grep -q ' 0 failed$' "$work/said"; then
    pass
  else
    fail "$1 goes unnoticed"
  fi
}

# breaks GROUP UNIT FILE SED: with the file so changed the unit must differ.
breaks() {
  only=$2
  rm -rf "$work/library"
  cp -r $library "$work/library"
  sed "$4" $library/"$3" >"$work/library/$3"
  if cmp -s $library/"$3" "$work/library/$3"; then
    fail "$3: $4 changes nothing"
  elif model "$1" "$work/library" -O0 && "$work/$1/obj/check" --few 1000 >"$work/said"; then
    fail "$3: $4 goes unnoticed"
  elif grep -q "^FAIL $2 " "$work/said"; then
    pass
  else
    tail -n 5 "$work/$1/log"
    fail "$3: $4 is not what is found"
  fi
}

case $way in
verilator | list | stages | own) need "the operations of hardware are not tried on it" verilator g++ ;;
icarus) need "the operations of hardware are not tried on it" iverilog ;;
yosys) need "the operations of hardware are not tried on it" yosys ;;
broken) need "the operations of hardware are not tried on it" verilator g++ ;;
esac
case $way in
verilator) in_verilator -O0 --few "$@" ;;
stages) in_stages "$@" ;;
own)
  stages=own
  in_verilator -O0 --few "$@"
  breaks f16 arith.divf loom_divide.sv "s/(W + L)'({high, low})/{high, L'(low)}/"
  ;;
list) in_verilator -O2 --list "$@" ;;
icarus)
  in_icarus "$@"
  alone
  ;;
yosys)
  in_yosys "$@"
  misread arith.mulf "s/room2 < LOWEST/room2 < -X'(M + 2)/"
  ;;
broken)
  breaks f16 arith.mulf loom_float_nearest.sv 's/(kept\[0\] ||/(!kept[0] ||/'
  breaks f16 arith.divf loom_float_round.sv "s/is_small ? ~base1/is_small ? -base1/"
  breaks f16 arith.mulf loom_float_mul.sv 's/!top4\[M+2\] &&/top4[M+2] \&\&/'
  breaks f16 arith.mulf loom_float_mul.sv 's/(product3 & below)/(product3 \& ~below)/'
  breaks f16 arith.addf loom_float_add.sv 's/b_next && !a_small/b_next/'
  breaks f16 arith.addf loom_float_add.sv "s/a_small2 ? {a2, 1'b0}/a_small2 ? {1'b0, a2}/"
  breaks f16 arith.subf loom_float_add.sv "s/(next2 | E'(next2 == '0))/next2/"
  breaks f16 arith.subf loom_sums.sv 's/~(~passed << 1)/(passed << 1)/'
  breaks f16 math.fma loom_float_jam.sv "s/lost != '0/lost == '0/"
  ;;
esac
checks_end
