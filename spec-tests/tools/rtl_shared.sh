#!/bin/sh
# rtl_shared.sh -- operators that the units of a PE share, in Icarus: each unit of one PE against the machine.
#
#     rtl_shared.sh LOOM FOLDER
#
# A PE has units that add, compare, shift, mask and extend numbers of many widths, with and without literals,
# once and twice at a time; an instance of it for each unit gets random streams, and must give the same tokens
# in the same cycles as the machine. Then the hardware is broken in some places, which has to be seen.
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

units | awk -v text="$folder/in.mlir" -v cases="$folder/case.json" '
  function random() { seed = (seed * 16807) % 2147483647; return seed }
  function hex(n) { return sprintf("%x", n) }
  # a number of so many bits: one in four near an end, one in four small, for shifts
  function number(type, i, k, bits, digits, said) {
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
  BEGIN { seed = 4711; bits = "!fabric.bits<64>"; printf "{\"args\": [" >cases }
  {
    body = $0; sub(/^[^ ]* [^ ]* [^ ]* /, "", body); gsub(/\|/, "\n      ", body)
    n = split($2, operands, ","); split($3, results, ",")
    arguments = ""
    for (i = 1; i <= n; i++) arguments = arguments (i > 1 ? ", " : "") "%a" i - 1 ": " operands[i]
    gsub(",", ", ", $3)
    unit[NR] = "    fabric.function_unit @" $1 "(" arguments ") -> (" $3 ") [latency = 1, interval = 1] {\n      " body "\n    }\n"
    ins = outs = ""
    for (i = 0; i < n; i++) ins = ins (i ? ", " : "") "in " i
    for (i = 0; i in results || i == 0; i++) if (i + 1 in results) outs = outs (i ? ", " : "") "out " i
    from = ""
    for (i = 0; i < 3; i++) {
      from = from (i ? ", " : "") "%x" NR "_" (i < n ? i : 0)
      if (i >= n) continue
      top = top (NR > 1 || i ? ", " : "") "%x" NR "_" i ": " bits
      printf "%s\n  {\"stream\": {\"type\": \"%s\", \"data\": [", (NR > 1 || i ? "," : ""), operands[i + 1] >cases
      for (j = 0; j < 48; j++) printf "%s%s", j ? "," : "", number(operands[i + 1]) >cases
      printf "]}}" >cases
    }
    place[NR] = "  %p" NR ":2 = fabric.instance @pe(" from ") {sym_name = \"at_" $1 "\", instruction = \"" $1 "(" ins ") -> (" outs ")\"} : (" bits ", " bits ", " bits ") -> (" bits ", " bits ")\n"
    given = given (NR > 1 ? ", " : "") "%p" NR "#0, %p" NR "#1"
    types = types (NR > 1 ? ", " : "") bits ", " bits
  }
  END {
    printf "]}\n" >cases
    printf "fabric.module @top(%s)\n    -> (%s) {\n", top, types >text
    printf "  fabric.spatial_pe @pe(%%i: %s, %%j: %s, %%k: %s) -> (%s, %s) {\n", bits, bits, bits, bits, bits >text
    for (u = 1; u <= NR; u++) printf "%s", unit[u] >text
    printf "    fabric.yield\n  }\n" >text
    for (u = 1; u <= NR; u++) printf "%s", place[u] >text
    printf "  fabric.yield %s : %s\n}\n", given, types >text
  }'

emitted() { "$loom" emit verilog "$folder/in.mlir" --case "$folder/case.json" -o "$folder/v" >/dev/null; }
passes() { make -s -C "$1" icarus >"$said" 2>&1; grep -q '^PASS: ' "$said"; }
check "a PE of $(units | wc -l) units" emitted
pe=$(cd "$folder/v/rtl" && ls pe_at_*.sv | sed '/_units_/d')  # the first instance has given it its name
check "each of them, cycle for cycle" passes "$folder/v"
check "one adder, comparator and shifter, and another adder" \
  sh -c 'test "$(sed -n "s/^  assign shared.* = \(.*\);/\1/p" "$1" | sort | tr "\n" " ")" = "add_0 add_1 compare_0 extend_0 logic_0 shift_0 "' \
  sh "$folder/v/rtl/$pe"

# broken FILE PATTERN TEXT: the hardware with another text is noticed
broken() {
  rm -rf "$folder/broken"
  if ! cp -r "$folder/v" "$folder/broken" 2>"$said" || ! rm -rf "$folder/broken/obj" ||
    ! sed "s/$2/$3/" "$folder/v/rtl/$1" >"$folder/broken/rtl/$1" || cmp -s "$folder/v/rtl/$1" "$folder/broken/rtl/$1"; then
    fail "$1 has nothing like $2"
  elif passes "$folder/broken"; then
    fail "$2 as $3 in $1 passes"
  else
    pass
  fi
}
broken loom_shift.sv 'left ? reversed' 'left ? shifted'
broken loom_shift.sv 'over \&\& a\[W\]' "1'b0 \&\& a[W]"
broken loom_shift.sv "over ? '0 : W" "1'b0 ? '0 : W"
broken loom_compare.sv "SIGNED = 16'h003c" "SIGNED = 16'h001c"
broken loom_compare.sv 'x == z' 'x != z'
broken $pe "\(compare_0_a_0 <= 64\)'hff;" "\1'h7f;"
broken $pe "\(extend_0_a_[0-9]* <= 64\)'hffffffffffffff00;" "\1'h0;"
broken $pe 'add_0_b ^ {64{add_0_is}}' 'add_0_b'
broken $pe 'logic_0_a ^ logic_0_b' 'logic_0_a | logic_0_b'
checks_end
