#!/bin/sh
# mlir_check.sh -- compares LOOM's reference interpreter with MLIR's own lowering and execution.
#
#     mlir_check.sh build/tools/fuzz-diff build/loom 1 300      random programs of seeds 1 to 300
#
# Two engines of ours that agree may both be wrong; MLIR is somebody else. Each program is lowered
# by mlir-opt to the LLVM dialect, run by mlir-runner, and prints the bits of its results and of
# all its memories; the same list from `ref` must be the same text. Programs are generated with
# --portable: nothing in them depends on what MLIR leaves open. Index is 64 bits wide on both
# sides.
#
# Also compared is the text: what mlir-opt prints, in the custom and in the generic form, read and
# printed again by `loom opt` must come out byte for byte.
#
# MLIR_FLAGS=--edges takes loops at the edges of their types, with --sixteen for an MLIR that has no
# scf.for unsigned.
#
# Not part of `make test`: it wants mlir-opt and mlir-runner of LLVM 22 (or MLIR_OPT, MLIR_RUNNER,
# MLIR_LIB), and takes a tenth of a second a program.
set -u
FUZZ=${1:?usage: mlir_check.sh FUZZ-DIFF LOOM FROM TO}
LOOM=${2:?}
FROM=${3:?}
TO=${4:?}
OPT=${MLIR_OPT:-mlir-opt-22}
RUNNER=${MLIR_RUNNER:-mlir-runner-22}
LIB=${MLIR_LIB:-/usr/lib/llvm-22/lib}
FLAGS=${MLIR_FLAGS:-}
DIR=$(mktemp -d)
trap 'rm -rf "$DIR"' EXIT

command -v "$OPT" > /dev/null && command -v "$RUNNER" > /dev/null || {
  echo "mlir_check: $OPT and $RUNNER are not installed, nothing was compared"
  exit 0
}

LIBS=
for name in libmlir_c_runner_utils libmlir_runner_utils libmlir_float16_utils; do
  for file in "$LIB/$name".so*; do LIBS="${LIBS:+$LIBS,}$file"; break; done
done

mlir() {
  "$OPT" "$1" --convert-scf-to-cf --expand-strided-metadata --memref-expand --lower-affine \
    --arith-expand=include-bf16=true --convert-math-to-llvm --convert-math-to-libm \
    --convert-index-to-llvm --convert-cf-to-llvm --finalize-memref-to-llvm \
    --convert-arith-to-llvm --convert-func-to-llvm --reconcile-unrealized-casts \
    -o "$DIR/llvm.mlir" &&
    timeout 60 "$RUNNER" "$DIR/llvm.mlir" -e entry --entry-point-result=void -O0 \
      --shared-libs="$LIBS"
}

# What mlir-opt prints, LOOM prints again.
prints_the_same() {
  "$OPT" "$@" "$DIR/program.mlir" > "$DIR/print.mlir" || return 1
  [ $# = 0 ] || set -- --generic
  "$LOOM" opt "$@" "$DIR/print.mlir" | cmp -s - "$DIR/print.mlir"
}

. "$(dirname "$0")/lib.sh"
seed=$FROM
while [ "$seed" -le "$TO" ]; do
  of="fuzz-diff --portable $FLAGS --entry $seed"
  "$FUZZ" --portable $FLAGS --entry "$seed" > "$DIR/program.mlir"
  if ! mlir "$DIR/program.mlir" > "$DIR/mlir.out" 2> "$DIR/mlir.err"; then
    skip "seed $seed: MLIR itself failed: $(grep -m 1 -E 'error|Assertion|dump' "$DIR/mlir.err")"
  elif ! "$FUZZ" --portable $FLAGS --ref "$seed" > "$DIR/ref.out" 2> "$DIR/ref.err" ||
    ! cmp -s "$DIR/mlir.out" "$DIR/ref.out"; then
    fail "seed $seed: MLIR (<) and ref (>) differ; $of"
    head -3 "$DIR/ref.err"
    diff "$DIR/mlir.out" "$DIR/ref.out" | head -6
  elif prints_the_same && prints_the_same --mlir-print-op-generic; then
    pass
  else
    fail "seed $seed: LOOM prints otherwise than mlir-opt; $of"
  fi
  seed=$((seed + 1))
done
checks_end
