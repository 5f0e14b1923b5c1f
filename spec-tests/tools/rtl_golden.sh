#!/bin/sh
# rtl_golden.sh -- the Verilog of golden kernels with their whole cases in Verilator, compared with LOOM's
# simulator.
#
#     rtl_golden.sh LOOM FOLDER "FABRIC..." KERNEL...
#
# Each kernel is mapped onto the first fabric on which it fits; if there is none, the check fails. Its RTL
# must give the same results, memories, number of cycles, and on every channel the same tokens in the
# same cycles. The RTL of a fabric is built once, which takes minutes, and kept
# (spec-tests/59-verilog.md). RTL_CYCLES bounds how long a case may be (40000; 0: as long as it is);
# longer ones are skipped.
set -u
loom=$1 folder=$2 fabrics=$3
shift 3
mkdir -p "$folder"
. "$(dirname "$0")/lib.sh"
limit=${RTL_CYCLES:-40000}
need "no RTL is simulated" verilator

# mapped KERNEL NAME: the fabric it was mapped onto, or nothing
mapped() {
  for fabric in $fabrics; do
    rm -rf "${folder:?}/$2"
    "$loom" map "$1/kernel.mlir" --adg "$fabric" -o "$folder/$2" >"$folder/$2.said" 2>&1 && {
      echo "${fabric##*/}"
      return
    }
  done
}

for kernel; do
  kernel=${kernel%/}
  name=${kernel##*/}
  said=$folder/$name.said
  fabric=$(mapped "$kernel" "$name")
  if [ -z "$fabric" ]; then
    fail "$name: cannot be mapped onto any of $fabrics"
    continue
  fi
  cycles=$("$loom" sim "$folder/$name" --case "$kernel/case.json" --alone --engine jit 2>&1 |
    sed -n 's/^\([0-9][0-9]*\) cycles$/\1/p' | tail -n 1)
  if [ "$limit" -gt 0 ] && [ "${cycles:-0}" -gt "$limit" ]; then
    skip "$name on $fabric: $cycles cycles are more than $limit"
    continue
  fi
  start=$(date +%s)
  if "$loom" sim "$folder/$name" --case "$kernel/case.json" --engine verilator >"$said" 2>&1; then
    pass
    printf '%-18s on %-8s %s, in %s s\n' "$name" "$fabric" \
      "$(sed -n 's/^agrees with the RTL under Verilator: PASS: //p' "$said")" $(($(date +%s) - start))
  else
    fail "$name on $fabric"
  fi
done
checks_end
