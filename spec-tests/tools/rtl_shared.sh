#!/bin/sh
# rtl_shared.sh -- operators that the units of a PE share, in Icarus: each unit against the machine.
#
#     rtl_shared.sh LOOM FOLDER
#
# A PE has units that add, compare, shift, mask and extend numbers of many widths, with and without literals,
# once and twice at a time; four others units that share modules of the library, from multipliers to what
# makes floats of integers. Each PE is configured as each of its units, gets random streams, and must take and give the
# same tokens in the same cycles as the machine. Then the hardware is broken in some places, each of which a
# certain unit has to show.
# The last line is: N passed, N failed.
set -u
cd "$(dirname "$0")/../.." || exit 1
loom=$1 folder=$2
. spec-tests/tools/lib.sh
need "shared operators are not tried" iverilog
rm -rf "$folder" && mkdir -p "$folder" || exit 1
said=$folder/said checked=$folder/checked

# A line a unit: NAME OPERANDS RESULTS OPERATIONS, the last of which yields. At the end of a name may stand its
# latency, _3; its latency and interval, _s19; the same with early-out, _e19.
units_flat() {
  for w in 1 8 13 16 32 64; do
    for op in addi subi andi ori xori shli shrui shrsi maxsi maxui minsi minui; do
      printf '%s_%s i%s,i%s i%s %%r = arith.%s %%a0, %%a1 : i%s|fabric.yield %%r : i%s\n' $op $w $w $w $w $op $w $w
    done
    for predicate in eq ne slt sle sgt sge ult ule ugt uge; do
      printf '%s_%s i%s,i%s i1 %%r = arith.cmpi %s, %%a0, %%a1 : i%s|fabric.yield %%r : i1\n' $predicate $w $w $w $predicate $w
    done
    [ $w = 1 ] || for side in 0 1 2; do
      k="%t = handshake.join %a0 : i$w|%k = handshake.constant %t {value = 5 : i$w} : i$w"
      m="%r = fabric.mux %x, %y, %z {sel = $side : i64} : i$w, i$w, i$w -> i$w|fabric.yield %r : i$w"
      printf 'sums%s_%s i%s i%s %s|%%x = arith.addi %%a0, %%k : i%s|%%y = arith.subi %%a0, %%k : i%s|%%z = arith.subi %%k, %%a0 : i%s|%s\n' \
        $side $w $w $w "$k" $w $w $w "$m"
      printf 'shifts%s_%s i%s i%s %s|%%x = arith.shli %%a0, %%k : i%s|%%y = arith.shrui %%k, %%a0 : i%s|%%z = arith.shrsi %%a0, %%k : i%s|%s\n' \
        $side $w $w $w "$k" $w $w $w "$m"
      printf 'turned%s_%s i%s i%s %s|%%x = arith.shli %%k, %%a0 : i%s|%%y = arith.shrsi %%k, %%a0 : i%s|%%z = arith.xori %%a0, %%k : i%s|%s\n' \
        $side $w $w $w "$k" $w $w $w "$m"
    done
    printf 'both_%s i%s,i%s i%s,i%s %%x = arith.addi %%a0, %%a1 : i%s|%%y = arith.subi %%a0, %%a1 : i%s|fabric.yield %%x, %%y : i%s, i%s\n' \
      $w $w $w $w $w $w $w $w $w
    printf 'less_%s i%s,i%s,i%s i%s %%c = arith.cmpi ult, %%a0, %%a1 : i%s|%%r = arith.select %%c, %%a2, %%a0 : i%s|fabric.yield %%r : i%s\n' \
      $w $w $w $w $w $w $w $w
    [ $w = 1 ] || [ $w = 16 ] || {
      k="%t = handshake.join %a0 : i$w|%k = handshake.constant %t {value = 5 : i$w} : i$w"
      l="%u = handshake.join %a0 : i$w|%l = handshake.constant %u {value = 3 : i$w} : i$w"
      echo "limits_$w i$w,i$w i$w,i$w %x = arith.minsi %a0, %a1 : i$w|%y = arith.maxui %a0, %a1 : i$w|fabric.yield %x, %y : i$w, i$w"
      echo "way_$w i$w,i$w,i$w i$w,i$w %c = arith.cmpi slt, %a0, %a1 : i$w|%x, %y = handshake.cond_br %c, %a2 : i$w|fabric.yield %x, %y : i$w, i$w"
      echo "twice_$w i$w i$w,i$w $k|%x = arith.addi %a0, %k : i$w|%y = arith.andi %k, %a0 : i$w|fabric.yield %x, %y : i$w, i$w"
      echo "literals_$w i$w i$w,i$w $k|$l|%x = arith.subi %k, %a0 : i$w|%y = arith.shli %l, %a0 : i$w|fabric.yield %x, %y : i$w, i$w"
      echo "left_$w i$w i1,i$w $k|%x = arith.cmpi sgt, %k, %a0 : i$w|%y = arith.shrsi %a0, %k : i$w|fabric.yield %x, %y : i1, i$w"
      echo "nested_$w i$w,i$w i$w %x = arith.addi %a0, %a1 : i$w|%y = arith.subi %a0, %a1 : i$w|%z = arith.subi %a1, %a0 : i$w|%m = fabric.mux %x, %y {sel = 0 : i64} : i$w, i$w -> i$w|%r = fabric.mux %m, %z {sel = 0 : i64} : i$w, i$w -> i$w|fabric.yield %r : i$w"
    }
    printf 'limit_%s i%s i1 %%t = handshake.join %%a0 : i%s|%%k = handshake.constant %%t {value = 1 : i%s} : i%s|%%r = arith.cmpi slt, %%a0, %%k : i%s|fabric.yield %%r : i1\n' \
      $w $w $w $w $w $w
  done
  for from in 1 8 13 16 32 64; do
    for to in 1 8 13 16 32 64; do
      [ $from -le $to ] || printf 'trunc_%s_%s i%s i%s %%r = arith.trunci %%a0 : i%s to i%s|fabric.yield %%r : i%s\n' $from $to $from $to $from $to $to
      [ $from -lt $to ] || continue
      printf 'exts_%s_%s i%s i%s %%r = arith.extsi %%a0 : i%s to i%s|fabric.yield %%r : i%s\n' $from $to $from $to $from $to $to
      printf 'extu_%s_%s i%s i%s %%r = arith.extui %%a0 : i%s to i%s|fabric.yield %%r : i%s\n' $from $to $from $to $from $to $to
    done
    [ $from = 13 ] || printf 'cast_%s i%s index %%r = arith.index_cast %%a0 : i%s to index|fabric.yield %%r : index\n' $from $from $from
    [ $from = 13 ] || printf 'back_%s index i%s %%r = arith.index_castui %%a0 : index to i%s|fabric.yield %%r : i%s\n' $from $from $from $from
  done
}

units_ints() {
  for unit in "8 1 2" "16 1 2" "32 2 3" "64 3 4"; do
    set -- $unit
    w=$1 k="%t = handshake.join %a0 : i$1|%k = handshake.constant %t {value = 5 : i$1} : i$1"
    echo "muli_${w}_$2 i$w,i$w i$w %r = arith.muli %a0, %a1 : i$w|fabric.yield %r : i$w"
    echo "muli_k_${w}_$2 i$w i$w $k|%r = arith.muli %a0, %k : i$w|fabric.yield %r : i$w"
    echo "mac_${w}_$3 i$w,i$w,i$w i$w %m = arith.muli %a0, %a1 : i$w|%r = arith.addi %m, %a2 : i$w|fabric.yield %r : i$w"
    echo "square_less_${w}_$3 i$w,i$w i$w,i$w %m = arith.muli %a0, %a0 : i$w|%s = arith.muli %a1, %a1 : i$w|%r = arith.subi %m, %s : i$w|fabric.yield %r, %s : i$w, i$w"
  done
  for unit in "8 6" "16 10" "32 19" "64 35"; do
    set -- $unit
    for op in divui divsi ceildivui ceildivsi floordivsi remui remsi; do
      for how in s$2 e$2 ${2%%[!8]*}; do
        case $op-$how-$1 in *-e*-8 | *-e*-16) how=s$2 ;; esac
        echo "${op}_$1_$how i$1,i$1 i$1 %r = arith.$op %a0, %a1 : i$1|fabric.yield %r : i$1"
      done
    done
  done | sort -u
  echo "remui_k_32_s20 i32 i32 %t = handshake.join %a0 : i32|%k = handshake.constant %t {value = 5 : i32} : i32|%r = arith.remui %a0, %k : i32|fabric.yield %r : i32"
  echo "divui_8_4 i8,i8 i8 %r = arith.divui %a0, %a1 : i8|fabric.yield %r : i8"
  echo "remsi_8_4 i8,i8 i8 %r = arith.remsi %a0, %a1 : i8|fabric.yield %r : i8"
}

# Each format with the latencies of a sum, a product, both, and a fused one; and of a remainder with early-out.
units_halves() { units_floats "f16 2 2 4 5 266" "bf16 2 2 4 5 266"; }
units_singles() { units_floats "f32 2 3 5 6 282"; }
units_doubles() { units_floats "f64 3 4 7 7 2103"; }
units_floats() {
  for unit; do
    set -- $unit
    f=$1 k="%t = handshake.join %a0 : $1|%k = handshake.constant %t {value = 1.5 : $1} : $1"
    for op in addf:$2 subf:$2 addf:4 mulf:$3 maximumf:1 minimumf:1 maxnumf:1 minnumf:1; do
      echo "${op%:*}_${f}_${op#*:} $f,$f $f %r = arith.${op%:*} %a0, %a1 : $f|fabric.yield %r : $f"
    done
    echo "mulf_k_${f}_$3 $f $f $k|%r = arith.mulf %k, %a0 : $f|fabric.yield %r : $f"
    echo "mac_${f}_$4 $f,$f,$f $f %m = arith.mulf %a0, %a1 : $f|%r = arith.addf %m, %a2 : $f|fabric.yield %r : $f"
    echo "fma_${f}_$5 $f,$f,$f $f %r = math.fma %a0, %a1, %a2 : $f|fabric.yield %r : $f"
    echo "fma_k_${f}_$5 $f,$f $f $k|%r = math.fma %a0, %k, %a1 : $f|fabric.yield %r : $f"
    echo "remf_${f}_e$6 $f,$f $f %r = arith.remf %a0, %a1 : $f|fabric.yield %r : $f"
    [ $f = f64 ] || echo "remf_${f}_s$(($6 + 3)) $f,$f $f %r = arith.remf %a0, %a1 : $f|fabric.yield %r : $f"
    for side in 0 1 2; do
      echo "sums${side}_${f}_$2 $f $f $k|%x = arith.addf %a0, %k : $f|%y = arith.subf %a0, %k : $f|%z = arith.subf %k, %a0 : $f|%r = fabric.mux %x, %y, %z {sel = $side : i64} : $f, $f, $f -> $f|fabric.yield %r : $f"
    done
    for op in trunc floor ceil round roundeven; do
      echo "${op}_${f}_2 $f $f %r = math.$op %a0 : $f|fabric.yield %r : $f"
    done
    for predicate in oeq olt uge uno; do
      echo "${predicate}_${f}_1 $f,$f i1 %r = arith.cmpf $predicate, %a0, %a1 : $f|fabric.yield %r : i1"
    done
    echo "larger_${f}_1 $f,$f $f %c = arith.cmpf ogt, %a0, %a1 : $f|%r = arith.select %c, %a0, %a1 : $f|fabric.yield %r : $f"
    for w in 1 8 13 32 64; do
      l=2
      [ $w != 64 ] && [ $f != f64 ] || l=3
      echo "sitofp_${w}_${f}_$l i$w $f %r = arith.sitofp %a0 : i$w to $f|fabric.yield %r : $f"
      echo "uitofp_${w}_${f}_$l i$w $f %r = arith.uitofp %a0 : i$w to $f|fabric.yield %r : $f"
      [ $w = 13 ] || echo "fptosi_${f}_${w}_1 $f i$w %r = arith.fptosi %a0 : $f to i$w|fabric.yield %r : i$w"
      [ $w = 13 ] || echo "fptoui_${f}_${w}_1 $f i$w %r = arith.fptoui %a0 : $f to i$w|fabric.yield %r : i$w"
    done
  done
}

# The PE of some units, to FOLDER/NAME.mlir with each as its instruction, and streams for that in FOLDER/NAME.json.
write_pe() {
  "$1" | awk -v folder="$2" '
  function random() { seed = (seed * 16807) % 2147483647; return seed }
  function hex(n) { return sprintf("%x", n) }
  # a number of so many bits: some at the ends, some small, as shifts have them
  function number(type, is_divisor, bits, k, digits, said) {
    bits = type == "index" ? 32 : substr(type, type ~ /^b/ ? 3 : 2) + 0
    k = random() % 8
    if (is_divisor && type !~ /f/) return "\"" 3 + 2 * (random() % 60) "\""
    if (type ~ /f/ && k < 4) return sprintf("%.2f", (random() % 4096 - 2048) / 16)
    if (bits == 1) return "\"" random() % 2 "\""
    if (k == 0) return "\"0\""
    if (k == 1) return "\"0x" (bits % 4 ? hex(2 ^ (bits % 4) - 1) : "") substr("ffffffffffffffff", 1, int(bits / 4)) "\""
    if (k == 2) return "\"0x" (bits % 4 ? hex(2 ^ (bits % 4 - 1)) : "8") substr("0000000000000000", 1, int((bits - 1) / 4)) "\""
    if (k <= 4) return "\"" random() % 8 "\""
    said = bits % 4 ? hex(random() % 2 ^ (bits % 4)) : ""
    for (digits = int(bits / 4); digits; digits--) said = said hex(int(random() / 7) % 16)
    return "\"0x" said "\""
  }
  BEGIN { seed = 4711; bits = "!fabric.bits<64>" }
  {
    body = $0; sub(/^[^ ]* [^ ]* [^ ]* /, "", body); gsub(/\|/, "\n      ", body)
    name[NR] = $1; takes[NR] = $2; results = split($3, unused, ",")
    n = split($2, operands, ","); gsub(",", ", ", $3)
    arguments = ""
    for (i = 1; i <= n; i++) arguments = arguments (i > 1 ? ", " : "") "%a" i - 1 ": " operands[i]
    latency = $1; sub(/.*_/, "", latency); early = latency ~ /^e/ ? ", early_out = true" : ""
    if (folder ~ /flat$/) latency = 1
    interval = latency ~ /^[es]/ ? substr(latency, 2) : 1
    sub(/^[es]/, "", latency)
    all = all "    fabric.function_unit @" $1 "(" arguments ") -> (" $3 ") [latency = " latency ", interval = " interval early "] {\n      " body "\n    }\n"
    gives[NR] = results > 1 ? "out 0, out 1" : "out 0"
  }
  END {
    for (u = 1; u <= NR; u++) {
      n = split(takes[u], operands, ",")
      file = folder "/" name[u] ".json"; ins = ""
      printf "{\"args\": [" >file
      for (i = 1; i <= n; i++) {
        ins = ins (i > 1 ? ", " : "") "in " i - 1
        printf "%s{\"stream\": {\"type\": \"%s\", \"data\": [", (i > 1 ? ",\n  " : ""), operands[i] >file
        for (j = 0; j < (operands[i] == "i64" || name[u] ~ /_[es][0-9]/ ? 24 : 48); j++) printf "%s%s", (j ? "," : ""), number(operands[i], i == 2 && name[u] ~ /^([a-z]*div|rem)/) >file
        printf "]}}" >file
      }
      printf "]}\n" >file; close(file)
      file = folder "/" name[u] ".mlir"
      printf "fabric.module @top(%%x: %s, %%y: %s, %%z: %s) -> (%s, %s) {\n", bits, bits, bits, bits, bits >file
      printf "  %%p:2 = fabric.spatial_pe @pe inputs(%%x, %%y, %%z) : (%s, %s, %s) -> (%s, %s) attributes {instruction = \"%s(%s) -> (%s)\"} {\n", \
        bits, bits, bits, bits, bits, name[u], ins, gives[u] >file
      printf "%s    fabric.yield\n  }\n  fabric.yield %%p#0, %%p#1 : %s, %s\n}\n", all, bits, bits >file
      close(file)
    }
  }'
}

# some NAME N...: their names, in a line
some() {
  while [ $# -gt 0 ]; do
    seq -f "$1_%.0f" 0 $(($2 - 1))
    shift 2
  done | tr '\n' ' ' | sed 's/ $//'
}

# emit PE OPERATORS: its hardware, which has those
emit() {
  mkdir "$folder/$1" && write_pe "units_$1" "$folder/$1"
  one=$("units_$1" | sed -n '1s/ .*//p')
  "$loom" emit verilog "$folder/$1/$one.mlir" --case "$folder/$1/$one.json" -o "$folder/$1/v" >"$said" || fail "no hardware"
  check "the operators of $1" \
    sh -c 'test "$(sed -n "s/^  assign shared.* = \(.*\);/\1/p" "$1" | sort | tr "\n" " ")" = "$2 "' \
    sh "$folder/$1/v/rtl/pe_pe.sv" "$2"
}

# case_of PE UNIT: its case is there.
case_of() {
  [ -d "$folder/$1/cases/$2" ] ||
    "$loom" emit verilog "$folder/$1/$2.mlir" --case "$folder/$1/$2.json" -o "$folder/$1/cases/$2" -- --part=case >/dev/null
}

# agrees PE HARDWARE UNIT: the same tokens in the same cycles
agrees() {
  case_of "$1" "$3" || return
  make -s -C "$2" icarus CASE="$folder/$1/cases/$3/case" >"$said" 2>&1
  grep -q '^PASS: ' "$said"
}

# all_agree PE EVERY [ARGUMENT]: every first, second, ... of its units does, one after another on the same hardware;
# with +stall=N the same tokens.
all_agree() {
  for unit in $("units_$1" | sed 's/ .*//' | awk -v every="$2" 'NR % every == 0'); do
    case_of "$1" "$unit" || fail "$unit has no case"
    echo "$folder/$1/cases/$unit/case"
  done >"$folder/list"
  make -s -C "$folder/$1/v" icarus ARGS="+cases=$folder/list $3" >"$said" 2>&1
  awk '/^case / { folder = $2 } /^PASS: / { print folder }' "$said" >"$folder/agree"
  while IFS= read -r case; do
    if grep -qxF -e "$case" "$folder/agree"; then pass; else fail "$case $3"; fi
  done <"$folder/list"
}

emit flat "add_0 add_1 compare_0 compare_1 extend_0 logic_0 shift_0"
# Multipliers of 1, 2 and 3 stages, twice; dividers of four widths, of two with early-out, of 20 stages, pipelined.
emit ints "$(some int_divide 8 int_multiply 6)"
# Adders of two latencies each; what makes floats of integers in 2 and, but for f64, in 3 stages; and four
# widths of integers that they become.
floats() {
  some float_add $((2 * $1)) float_compare "$1" float_extremum "$1" float_fma "$1" float_from_int "$2" \
    float_integral "$1" float_mul "$1" float_to_int $((4 * $1))
}
emit halves "$(floats 2 4)"
emit singles "$(floats 1 2)"
emit doubles "$(floats 1 1)"
for pe in flat ints halves singles doubles; do all_agree $pe 1 ""; done
# Where hosts wait what is in the registers of a module waits, too.
for pe in ints halves singles doubles; do all_agree $pe 4 +stall=7; done
# With zeros before every unit that is not chosen.
export OBSERVE="-DLOOM_OBSERVE -DLOOM_ISOLATE"
for pe in flat ints; do all_agree $pe 8 ""; done
unset OBSERVE

# broken PE UNIT FILE PATTERN TEXT: the hardware with another text is noticed by the unit
broken() {
  hardware=$folder/$1/v
  rm -rf "$folder/broken"
  cp -r "$hardware" "$folder/broken" && rm -rf "$folder/broken/obj"
  sed "s/$4/$5/" "$hardware/rtl/$3" >"$folder/broken/rtl/$3"
  if cmp -s "$hardware/rtl/$3" "$folder/broken/rtl/$3"; then
    fail "$3 has nothing like $4"
  elif agrees "$1" "$folder/broken" "$2"; then
    fail "$5 for $4 in $3 passes as $2"
  elif grep -q '^FAIL: ' "$said"; then
    pass
  else
    fail "$5 for $4 in $3 is no hardware"
  fi
}
broken flat shli_32 loom_shift.sv 'left ? reversed' 'left ? shifted'
broken flat shrsi_8 loom_shift.sv 'over \&\& g_step' "1'b0 \&\& g_step"
broken flat shrui_16 loom_shift.sv "over ? '0 : W" "1'b0 ? '0 : W"
broken flat slt_13 loom_compare.sv "SIGNED = 16'h003c" 'SIGNED = 16'"'h0038"
broken flat ule_64 loom_compare.sv 'x == z' 'x != z'
broken flat sgt_8 loom_compare.sv "ABOVE = 16'h0332" "ABOVE = 16'h0322"
broken flat ult_8 pe_pe.sv "\(compare_0_b_0 <= 64\)'hff;" "\1'h7f;"
broken flat exts_8_32 pe_pe.sv "\(extend_0_a_[0-9]* <= \)~64'hff;" "\1'0;"
broken flat subi_32 pe_pe.sv 'add_0_b ^ {64{add_0_is}}' 'add_0_b'
broken flat both_16 pe_pe.sv 'add_1_b ^ {64{add_1_is}}' 'add_1_b'
broken flat xori_1 pe_pe.sv 'logic_0_a ^ logic_0_b' 'logic_0_a | logic_0_b'
broken flat shifts1_32 pe_pe.sv "\(shift_0_a_fixed <= bits.*\) == 2'd1" "\1 == 2'd2"
broken flat ori_32 pe_pe.sv 'assign logic_0 = ' "assign logic_0 = 64'bx ^ " # what is not known is not right
broken ints ceildivui_16_s10 loom_int_divide_early.sv '(up && !invert)' "1'b0"
broken ints remsi_64_e35 pe_pe.sv "4'b1100" "4'b1000"
broken ints square_less_32_3 pe_pe.sv 'int_multiply_[0-9]*_b_1 & args' "'0 \& args"
broken halves sums2_f16_2 pe_pe.sv "\(bits.* == 2'd2 ? \)1'd1" "\11'd0"
broken halves floor_bf16_2 loom_float_integral.sv "mode == 3'd1" "mode == 3'd7"
broken halves uge_f16_1 pe_pe.sv "\(float_compare_0_is <= bits\[.*\]\);" "\1 ^ 4'd1;"
broken singles remf_f32_e282 loom_float_rem_early.sv "- (distance < X'(0) ? 12'd0" "- (distance < X'(0) ? 12'd1"
broken halves remf_f16_e266 loom_float_rem_early.sv 'b_inf0 || is_nan0 ||' 'b_inf0 ||'
broken doubles remf_f64_e2103 loom_flight.sv "here == B'(N - 1)" "here == B'(N - 2)"
broken singles subf_f32_2 loom_float_add.sv 'b1\[E+M\] != mode' 'b1[E+M]'
broken singles sitofp_8_f32_2 pe_pe.sv "\(float_from_int_[0-9]*_a_sign_[0-9]* <= \)'1" "\1'0"
broken singles fptosi_f32_32_1 loom_float_to_int.sv 'sign2 && !mode' "sign2"
broken doubles maxnumf_f64_1 loom_float_extremum.sv 'a\[E+M\] != mode\[0\]' 'a[E+M] != 1'"'b0"
broken doubles mac_f64_7 unit_mac_f64_7.sv 'N(4)) q_a2_s4' 'N(3)) q_a2_s4'
checks_end
