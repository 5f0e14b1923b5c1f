#!/bin/sh
# rtl_random.sh -- the Verilog of random configured fabrics, compared with LOOM's simulator cycle for cycle.
#
#     rtl_random.sh icarus BUILD FOLDER N SEED       the machines of N numbers from SEED on, in Icarus
#     rtl_random.sh verilator BUILD FOLDER N SEED    in Verilator, which takes longer to build them
#     rtl_random.sh lint BUILD FOLDER N SEED         Verilator's lint of them, with all warnings
#
# Each seed gives a configured fabric with tokens and memories (machine-random --emit). Its hardware loads
# the image and must transfer the same tokens in the same cycles on every channel, give the same results
# and memories, and end after the same number of cycles. Seeds that give no valid fabric are skipped and
# counted in the first line of the output. For every second seed outside memories answer after random
# delays. The files of a failure stay in FOLDER/SEED. The last
# line is: N passed, N failed[, N skipped].
set -u
cd "$(dirname "$0")/../.." || exit 1
way=$1 build=$2 folder=$3 n=$4 seed=$5
case $way in icarus) tool=iverilog target=icarus ;; lint) tool=verilator target=lint ;; *) tool=verilator target=simulate ;; esac
. "$(dirname "$0")/lib.sh"
need "random machines are not tried on it" $tool
none=0
last=$((seed + n))
while [ "$seed" -lt $last ]; do
  at=$folder/$seed
  answers=fixed
  [ $((seed % 2)) -eq 0 ] || answers=random:$seed
  mkdir -p "$folder"
  rm -rf "$at"
  "$build/tools/machine-random" --emit "$at" --seed "$seed"
  if [ ! -d "$at" ]; then
    none=$((none + 1))
  elif "$build/loom" emit verilog "$at/in.mlir" --case "$at/case.json" --memory $answers -o "$at/v" >"$at/said" 2>&1 &&
    make -s -C "$at/v" OPT=-O0 $target >>"$at/said" 2>&1 && { [ "$way" = lint ] || grep -q '^PASS: ' "$at/said"; }; then
    pass
    rm -rf "$at"
  else
    said=$at/said
    fail "machine $seed"
  fi
  seed=$((seed + 1))
done
echo "$none numbers made no machine that comes to an end"
checks_end
