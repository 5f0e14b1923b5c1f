#!/bin/sh
# c_suite.sh -- the kernels of c_suite.c, by LOOM and by the system's compiler.
#
#     spec-tests/tools/c_suite.sh LOOM SCRATCH
#
# One program calls them all and prints what they return, in the words of `loom run`.
set -u
loom=$(readlink -f "$1") work=$2
here=$(dirname "$0")
. "$here/lib.sh"
mkdir -p "$work"
kernels=$(sed -n 's/^KERNEL(\([a-z_]*\)).*/\1/p' "$here/c_suite.c")
{
  printf '#include "%s"\n#include <stdio.h>\nint main(void) {\n' "$(readlink -f "$here")/c_suite.c"
  for k in $kernels; do printf '  printf("@%s == %%d\\n", (int)%s());\n' "$k" "$k"; done
  printf '  return 0;\n}\n'
} >"$work/main.c"
cc -O1 -ffp-contract=off -o "$work/main" "$work/main.c" -lm && "$work/main" >"$work/expected"
"$loom" opt "$here/c_suite.c" -o "$work/suite.mlir"
for k in $kernels; do
  check "$k" is "$("$loom" run "$work/suite.mlir" --func "$k" --engine "${ENGINE:-dfg}" 2>&1 | grep "^@\|error" | head -n 1)" \
    "$(grep "^@$k " "$work/expected")"
done
checks_end
