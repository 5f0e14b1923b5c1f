#!/bin/sh
# rtl_shared.sh -- operators that the units of a PE share, in Icarus: each unit of one PE against the machine.
#
#     rtl_shared.sh LOOM FOLDER
#
# A PE has units that add, compare, shift, mask and extend numbers of many widths, with and without literals,
# once and twice at a time. It is configured as each of them, gets random streams, and must take and give the
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

# unit NAME OPERANDS RESULTS: its operations, on standard input; the last line is what it yields
units() {
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

# Its text to $folder/NAME.mlir, with the unit as its instruction, and streams for that in $folder/NAME.json.
units | awk -v folder="$folder" '
  function random() { seed = (seed * 16807) % 2147483647; return seed }
  function hex(n) { return sprintf("%x", n) }
  # a number of so many bits: some at the ends, some small, as shifts have them
  function number(type, bits, k, digits, said) {
    bits = type == "index" ? 32 : substr(type, 2) + 0
    k = random() % 8
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
    all = all "    fabric.function_unit @" $1 "(" arguments ") -> (" $3 ") [latency = 1, interval = 1] {\n      " body "\n    }\n"
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
        for (j = 0; j < 48; j++) printf "%s%s", (j ? "," : ""), number(operands[i]) >file
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

one=$(units | sed -n '1s/ .*//p')
"$loom" emit verilog "$folder/$one.mlir" --case "$folder/$one.json" -o "$folder/v" >"$said" || fail "no hardware"
check "an adder, and another; a comparator, a shifter, ..." \
  sh -c 'test "$(sed -n "s/^  assign shared.* = \(.*\);/\1/p" "$1" | sort | tr "\n" " ")" = "add_0 add_1 compare_0 compare_1 extend_0 logic_0 shift_0 "' \
  sh "$folder/v/rtl/pe_pe.sv"

# agrees HARDWARE UNIT: the same tokens in the same cycles
agrees() {
  case=$folder/cases/$2
  [ -d "$case" ] || "$loom" emit verilog "$folder/$2.mlir" --case "$folder/$2.json" -o "$case" -- --part=case >/dev/null || return
  [ -f "$1/obj/icarus.vvp" ] || make -s -C "$1" icarus CASE="$case/case" >"$said" 2>&1
  vvp -n "$1/obj/icarus.vvp" "+case=$case/case" >"$said" 2>&1
  grep -q '^PASS: ' "$said"
}
for unit in $(units | sed 's/ .*//'); do
  if agrees "$folder/v" "$unit"; then pass; else fail "$unit"; fi
done

# broken UNIT FILE PATTERN TEXT: the hardware with another text is noticed by the unit
broken() {
  rm -rf "$folder/broken"
  cp -r "$folder/v" "$folder/broken" && rm -rf "$folder/broken/obj"
  sed "s/$3/$4/" "$folder/v/rtl/$2" >"$folder/broken/rtl/$2"
  if cmp -s "$folder/v/rtl/$2" "$folder/broken/rtl/$2"; then
    fail "$2 has nothing like $3"
  elif agrees "$folder/broken" "$1"; then
    fail "$4 for $3 in $2 passes as $1"
  elif grep -q '^FAIL: ' "$said"; then
    pass
  else
    fail "$4 for $3 in $2 is no hardware"
  fi
}
broken shli_32 loom_shift.sv 'left ? reversed' 'left ? shifted'
broken shrsi_8 loom_shift.sv 'over \&\& g_step' "1'b0 \&\& g_step"
broken shrui_16 loom_shift.sv "over ? '0 : W" "1'b0 ? '0 : W"
broken slt_13 loom_compare.sv "SIGNED = 16'h003c" 'SIGNED = 16'"'h0038"
broken ule_64 loom_compare.sv 'x == z' 'x != z'
broken sgt_8 loom_compare.sv "NOT = 16'h0332" "NOT = 16'h0322"
broken ult_8 pe_pe.sv "\(compare_0_b_0 <= 64\)'hff;" "\1'h7f;"
broken exts_8_32 pe_pe.sv "\(extend_0_a_[0-9]* <= \)~64'hff;" "\1'0;"
broken subi_32 pe_pe.sv 'add_0_b ^ {64{add_0_is}}' 'add_0_b'
broken both_16 pe_pe.sv 'add_1_b ^ {64{add_1_is}}' 'add_1_b'
broken xori_1 pe_pe.sv 'logic_0_a ^ logic_0_b' 'logic_0_a | logic_0_b'
broken shifts1_32 pe_pe.sv "\(shift_0_a_fixed <= bits.*\) == 2'd1" "\1 == 2'd2"
checks_end
