#!/bin/sh
# rtl_replaced.sh -- modules of the RTL library replaced by a user's own; and broken replacements must fail.
#
#     rtl_replaced.sh LOOM FOLDER
#
# rtl_replaced/ has a fabric whose scratchpad keeps the quotients of a divider, and a divider and a RAM
# that are built otherwise. With them the RTL must do the same in the same cycles as the machine. With a
# cycle more in either it must not. The last line is: N passed, N failed.
set -u
cd "$(dirname "$0")/../.." || exit 1
loom=$1 folder=$2
. spec-tests/tools/lib.sh
need "no module is replaced" iverilog
rm -rf "$folder" && mkdir -p "$folder" && cp -r spec-tests/tools/rtl_replaced "$folder/vendor" || exit 1
folder=$(cd "$folder" && pwd)
said=$folder/said checked=$folder/said
vendor=$folder/vendor

# replay WHAT...: of the fabric, with REPLACE and the like
replay() {
  make -s -C "$folder/rtl" icarus "$@"
}

agrees() {
  replay "$@" >"$folder/replayed" 2>&1 && grep '^PASS: 172 cycles' "$folder/replayed"
}

# It is built, and does something else.
differs() {
  replay "$@" >"$folder/replayed" 2>&1
  cat "$folder/replayed"
  grep -q '^FAIL' "$folder/replayed"
}

# refused WORDS WHAT...
refused() {
  words=$1
  shift
  replay "$@" >"$folder/replayed" 2>&1 && return 1
  cat "$folder/replayed"
  grep -q "$words" "$folder/replayed"
}

# broken FILE SED-COMMAND: another one like it
broken() {
  mkdir -p "$folder/broken"
  sed "$2" "$vendor/$1" >"$folder/broken/$1"
  ! cmp -s "$vendor/$1" "$folder/broken/$1"
}

"$loom" emit verilog "$vendor/fabric.mlir" --case "$vendor/case.json" -o "$folder/rtl" >"$said" 2>&1 ||
  fail "the fabric's RTL"
divider=$vendor/loom_int_divide.sv ram=$vendor/loom_ram.sv delay=$vendor/vendor_delay.sv
check "the library's modules" agrees
check "a divider" agrees REPLACE="$divider" BESIDE="$delay"
check "a RAM" agrees REPLACE="$ram"
check "both" agrees REPLACE="$divider $ram" BESIDE="$delay"
check "a module of no such name" refused "not each of" REPLACE="$delay"
check "a part of it left out" refused vendor_delay REPLACE="$divider"

check "a divider, changed" broken loom_int_divide.sv 's/vendor_delay #(.W(W), .N(STAGES)) delay (.clk(clk), .move(move)/vendor_delay #(.W(W), .N(STAGES + 1)) delay (.clk(clk), .move({1'"'b1"', move})/'
check "a divider with a stage too many is noticed" differs REPLACE="$folder/broken/loom_int_divide.sv" BESIDE="$delay"
check "a RAM, changed" broken loom_ram.sv 's/if (read) data\(.*\) <= column/data\1 <= late\1; if (read) late\1 <= column/; s/^  for (genvar b = 0/  logic [BYTES*BW-1:0] late;\n&/'
check "a RAM with a cycle too many is noticed" differs REPLACE="$folder/broken/loom_ram.sv"
checks_end
