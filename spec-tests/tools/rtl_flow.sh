#!/bin/sh
# rtl_flow.sh -- the RTL of the dataflow state machines (loom_flow.sv) does, in every state and with all
# inputs, what the table says that flow-table prints from loom_firing.h; and each of eight mutants of the
# RTL fails.
#
#     rtl_flow.sh BUILD SCRATCH
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
module=$here/../../backends/verilog/library/loom_flow.sv
tool=$(cd "$1/tools" && pwd)/flow-table
mkdir -p "$2" && cd "$2" || exit 1
"$tool" >flow.hex

# bench MODULE: runs the test bench with the module
bench() {
  iverilog -g2012 -o flow "$1" "$here/flow_table.sv" && vvp flow
}

# mutant FROM TO: the module with FROM replaced by TO must fail
mutant() {
  sed "s/$1/$2/" "$module" >mutant.sv
  if cmp -s mutant.sv "$module" || bench mutant.sv | grep -q ' 0 failed$'; then
    fail "the bench does not notice the mutant: $1 -> $2"
  else
    pass
  fi
}

bench "$module" >said
cat said
passed=$((passed + $(sed -n 's/^\([0-9]*\) passed.*/\1/p' said)))
failed=$((failed + $(sed -n 's/.* \([0-9]*\) failed$/\1/p' said)))
mutant "uses = busy ? {goes_on, 2'b01} : 3'b010" "uses = busy ? 3'b101 : 3'b010"
mutant "(!busy || second_free)" "1'b1"
mutant "first = busy ? next : b" "first = b"
mutant "(busy || there == 3'b111)" "(busy || there != 3'b000)"
mutant "ready \&\& !stepping" "ready"
mutant "fire || (stepping \&\& awaits) :" "fire :"
mutant "(stepping \&\& awaits) :" "stepping :"
mutant "kind == GATE ? goes_on : !busy || goes_on" "kind == GATE ? goes_on : goes_on"
checks_end
