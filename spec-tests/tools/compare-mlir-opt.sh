#!/bin/sh
# compare-mlir-opt.sh -- where mlir-opt 22 is installed: does LOOM print what it prints?
#
#     spec-tests/tools/compare-mlir-opt.sh build/loom FILE...     N passed, N failed[, N skipped]
#
# What mlir-opt prints of a file, in the custom and in the generic form, must come out of LOOM
# unchanged, and its generic form printed in the custom one must be its custom form. Files that
# mlir-opt does not accept (handshake, dataflow) are not counted. Without mlir-opt 22 all are skipped.
set -u
loom=$1
shift
mlir=
for name in mlir-opt-22 /usr/lib/llvm-22/bin/mlir-opt mlir-opt; do
  if "$name" --version 2>/dev/null | grep -q 'version 22\.'; then
    mlir=$name
    break
  fi
done
if [ -z "$mlir" ]; then
  echo "SKIP $# files: there is no mlir-opt 22 to compare with"
  echo "0 passed, 0 failed, $# skipped"
  exit 0
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. "$(dirname "$0")/lib.sh"
prints() {
  if $loom opt $2 "$work/$1" -o "$work/out" && cmp -s "$work/out" "$work/$3"; then
    pass
  else
    fail "$file: from $1 to $3"
    diff "$work/$3" "$work/out" | head -n 6
  fi
}
for file; do
  $mlir -allow-unregistered-dialect "$file" >"$work/custom" 2>/dev/null || continue
  $mlir -allow-unregistered-dialect -mlir-print-op-generic "$file" >"$work/generic"
  prints generic --generic generic
  # other dialects' ops have a custom form only mlir-opt can read
  $loom opt "$work/custom" 2>&1 >/dev/null | grep -q COMP_TEXT_CUSTOM_FORM && continue
  prints custom "" custom
  prints generic "" custom
done
checks_end
