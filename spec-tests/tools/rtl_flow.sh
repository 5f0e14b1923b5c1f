#!/bin/sh
# rtl_flow.sh -- the RTL of the dataflow machines against their table, in every situation there is; and
# whether RTL that does something else is noticed.
#
#     rtl_flow.sh BUILD SCRATCH        the last line is: N passed, N failed
set -u
here=$(cd "$(dirname "$0")" && pwd)
module=$here/../../backends/verilog/library/loom_flow.sv
tool=$(cd "$1/tools" && pwd)/flow-table
mkdir -p "$2" && cd "$2" || exit 1
"$tool" >flow.hex
passed=0 failed=0

# held MODULE: what the bench says of it
held() {
  iverilog -g2012 -o flow "$1" "$here/flow_table.sv" && vvp flow
}

# mutant FROM TO: the module with that in another way, which must fail
mutant() {
  sed "s/$1/$2/" "$module" >mutant.sv
  if cmp -s mutant.sv "$module" || held mutant.sv | grep -q ' 0 failed$'; then
    echo "FAIL nobody noticed: $1 -> $2"
    failed=$((failed + 1))
  else
    passed=$((passed + 1))
  fi
}

held "$module" >said
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
echo "$passed passed, $failed failed"
[ $failed = 0 ]
