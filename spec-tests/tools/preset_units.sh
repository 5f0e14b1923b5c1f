#!/bin/sh
# preset_units.sh -- have the presets `full` and `temporal` a function unit for everything?
#
#     preset_units.sh LOOM KERNEL...                       N passed, N failed
#
# The list below, which was written without the library of units, says which operations hardware can have, in which
# types. Each must be the only operation of a unit in some PE of the preset, or one of those among which a fabric.mux at
# its end chooses; that is looked up in the text of the fabric. So a unit that is missing, or has another type, is found. And
# for each golden kernel `loom map --count` must say that `temporal` has room, and that `full` lacks no unit.
set -u
. "$(dirname "$0")/lib.sh"
loom=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
said=$work/said checked=$work/said
ints='i1 i8 i16 i32 i64' floats='f16 bf16 f32 f64'
index="index $ints" values="index $ints $floats" tokens="none index $ints $floats"
# A row: the types that T stands for; operations; operands and results.
rows() {
  cat <<END
$index: arith.addi arith.subi arith.muli arith.divsi arith.divui arith.ceildivsi arith.ceildivui arith.floordivsi arith.remsi arith.remui arith.andi arith.ori arith.xori arith.shli arith.shrsi arith.shrui arith.maxsi arith.maxui arith.minsi arith.minui math.ipowi: (T, T) -> T
$index: math.absi math.ctlz math.cttz math.ctpop: (T) -> T
$ints: llvm.intr.bitreverse: (T) -> T
$index: arith.addui_extended: (T, T) -> (T, i1)
$index: arith.mulsi_extended arith.mului_extended: (T, T) -> (T, T)
$index: arith.cmpi: (T, T) -> i1
$floats: arith.addf arith.subf arith.mulf arith.divf arith.remf arith.maximumf arith.minimumf arith.maxnumf arith.minnumf math.copysign: (T, T) -> T
$floats: arith.negf math.absf math.ceil math.floor math.round math.roundeven math.rsqrt math.sqrt math.trunc: (T) -> T
$floats: math.fma: (T, T, T) -> T
$floats: math.isfinite math.isinf math.isnan math.isnormal: (T) -> i1
$floats: arith.cmpf: (T, T) -> i1
$values: arith.select: (i1, T, T) -> T
i8 i16 i32 i64: arith.extsi arith.extui: (i1) -> T
i16 i32 i64: arith.extsi arith.extui: (i8) -> T
i32 i64: arith.extsi arith.extui: (i16) -> T
i64: arith.extsi arith.extui: (i32) -> T
i1 i8 i16 i32: arith.trunci: (i64) -> T
i1 i8 i16: arith.trunci: (i32) -> T
i1 i8: arith.trunci: (i16) -> T
i1: arith.trunci: (i8) -> T
f16 bf16 f32: arith.extf: (T) -> f64
f16 bf16: arith.extf: (T) -> f32
f16 bf16 f32: arith.truncf: (f64) -> T
f16 bf16: arith.truncf: (f32) -> T
$(for f in $floats; do printf '%s: arith.sitofp arith.uitofp: (T) -> %s\n%s: arith.fptosi arith.fptoui: (%s) -> T\n' "$ints" $f "$ints" $f; done)
$ints: arith.index_cast arith.index_castui: (T) -> index
$ints: arith.index_cast arith.index_castui: (index) -> T
i16 bf16: arith.bitcast: (f16) -> T
i16 f16: arith.bitcast: (bf16) -> T
f16 bf16: arith.bitcast: (i16) -> T
i32: arith.bitcast: (T) -> f32
f32: arith.bitcast: (T) -> i32
i64: arith.bitcast: (T) -> f64
f64: arith.bitcast: (T) -> i64
$values: handshake.constant: (none) -> T
$tokens: handshake.cond_br: (i1, T) -> (T, T)
$tokens: handshake.mux: (i1, T, T) -> T
none: handshake.join: (T, T, T, T) -> T
$values: handshake.load: (index, T, none) -> (T, index)
$values: handshake.store: (index, T, none) -> (T, index)
+= -= *= /= <<= >>=: dataflow.stream T: (index, index, index) -> (index, i1)
$tokens: dataflow.gate: (T, i1) -> (T, i1)
$tokens: dataflow.carry: (i1, T, T) -> T
$tokens: dataflow.invariant: (i1, T) -> T
END
}
# What no hardware but a model for simulators computes: `temporal` does without.
simulated() {
  cat <<END
$floats: math.acos math.acosh math.asin math.asinh math.atan math.atanh math.cbrt math.cos math.cosh math.erf math.erfc math.exp math.exp2 math.expm1 math.log math.log10 math.log1p math.log2 math.sin math.sinh math.tan math.tanh: (T) -> T
$floats: math.atan2 math.powf: (T, T) -> T
$(for i in i8 i16 i32 i64; do echo "$floats: math.fpowi: (T, $i) -> T"; done)
END
}
# Of each row a line for each operation and type: "arith.addi (i8, i8) -> i8".
wanted() {
  awk -F': ' '{
    n = split($1, types, " ")
    m = $2 ~ /^dataflow.stream/ ? 1 : split($2, ops, " ")
    if (m == 1) ops[1] = $2
    for (k = 1; k <= m; k++) for (t = 1; t <= n; t++) { line = ops[k] " " $3; gsub(/T/, types[t], line); print line }
  }' | sort -u
}
# The same of the units in the PEs of a fabric, which stands in the generic form on standard input.
there() {
  awk '
    /^ *"fabric.function_unit"/ { match($0, /sym_name = "[^"]*"/); unit = substr($0, RSTART + 12, RLENGTH - 13); n = 0; outside = ""; next }
    /^ *"fabric.instance"/ { match($0, /module = @[A-Za-z0-9_]*/); in_pe[substr($0, RSTART + 10, RLENGTH - 10)] = 1 }
    unit == "" { next }
    /^ *"fabric.yield"/ { for (k = 1; k <= n; k++) if (n == 1 || chosen == n - 1) if (op[k] != "") all[++many] = unit "\t" op[k]; unit = ""; next }
    !/ = "/ { next }
    {
      name = $0; sub(/^[^"]*"/, "", name); sub(/".*/, "", name)
      operands = $0; sub(/^[^(]*\(/, "", operands); sub(/\).*/, "", operands)
      step = ""; if (match($0, /step_op = "[^"]*"/)) step = " " substr($0, RSTART + 11, RLENGTH - 12)
      type = $0; sub(/.* : \(/, "(", type)
      made = $0; sub(/ = .*/, "", made); gsub(/[ ,]/, "", made)
      inner = 0
      for (k = split(operands, o, ", "); k; k--) if (index(outside, " " o[k] " ")) inner++
      op[++n] = inner ? "" : name step " " type
      chosen = name == "fabric.mux" ? inner : 0
      results = $0; sub(/ = .*/, "", results); gsub(/,/, " ", results); outside = outside " " results " "
    }
    END { for (k = 1; k <= many; k++) { split(all[k], at, "\t"); if (at[1] in in_pe) print at[2] } }' | sort -u
}
for preset in full temporal; do
  "$loom" adg $preset | "$loom" opt --generic - | there >"$work/there"
  { rows; [ $preset = temporal ] || simulated; } | wanted >"$work/wanted"
  check "there are many" [ "$(wc -l <"$work/wanted")" -gt 400 ]
  passed=$((passed + $(comm -12 "$work/wanted" "$work/there" | wc -l)))
  comm -23 "$work/wanted" "$work/there" >"$work/missing"
  while read -r unit; do fail "$preset has no unit of $unit alone"; done <"$work/missing"
done
for kernel; do
  check "$kernel: room on temporal" "$loom" map "$kernel/kernel.mlir" --adg temporal --count
  "$loom" map "$kernel/kernel.mlir" --adg full --count >"$said" 2>&1
  if grep -q MAP_NO_UNIT "$said"; then fail "$kernel: full has no unit for it"; else pass; fi
done
checks_end
