#!/bin/sh
# presets.sh -- the table of the presets in the manual: what each is, and what it does for the golden kernels.
#
#     presets.sh table LOOM PRESET...        rows of Markdown, with the day and the machine
#     presets.sh tiles LOOM PRESET...        the smallest tile of each class of PE on an iCE40 HX8K: logic cells, ns of its
#                                            gates alone, and clock, placed three times (SEEDS): the median, the slowest and the
#                                            quickest; of CLASSES alone, where they are said
#     presets.sh check LOOM FILE             are the PEs, bits, areas and memories of FILE's rows right?   N passed, N failed
#
# Each golden kernel is mapped and run, generated code, against its case. Cycles are the geometric mean
# over the kernels that map; beside them the same kernels' cycles on the preset that is named last, of
# which these are so many times as many. Some minutes; run from the root of the repository.
set -u
task=$1 loom=$2
shift 2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# "kernel cycles" for each kernel that maps onto a preset and does what its case says
cycles() {
  for kernel in golden/*/; do
    name=$(basename "$kernel")
    "$loom" map "$kernel/kernel.mlir" --adg "$1" --budget "${BUDGET:-20}" -o "$folder/$1" >/dev/null 2>&1 &&
      "$loom" sim "$folder/$1" --case "$kernel/case.json" --alone --engine jit 2>&1 |
      awk -v name="$name" '/^[0-9]+ cycles/ { n = $1 } /^PASS/ { print name, n }'
    rm -rf "$folder/$1"
  done
}

# "16 alu, 6 mac": by the definitions that the PEs are instances of
classes() {
  "$loom" adg "$1" | sed -n 's/.* = fabric.instance @\([a-z_0-9]*\)(.*sym_name = "pe_.*/\1/p' | sort | uniq -c |
    sort -k1,1nr -k2 | awk '{ printf "%s%s %s", (NR > 1 ? ", " : ""), $1, $2 }'
}

# figure PRESET LABEL FIELD: of what `adg show` says
figure() {
  "$loom" adg show "$1" | awk -v label="$2" -v field="$3" '$1 == label { print $field; exit }'
}

# The first four columns, which take no time.
is_made_of() {
  printf '| `%s` | %s | %s | %s |' "$1" "$(classes "$1")" "$(figure "$1" configured 2)" "$(figure "$1" area 3)"
}

# What the manual's first table says of its memories outside, as a pattern of the row.
is_of() { printf '^| `%s` | [^|]* | [0-9]* | %s[, |]' "$1" "$(figure "$1" ports 6)"; }

if [ "$task" = check ]; then
  . spec-tests/tools/lib.sh
  said=$folder/said checked=$folder/checked
  for preset in tiny small medium xl temporal large; do
    is_made_of "$preset" >"$said"
    check "the manual's PEs, bits and area of $preset" grep -qF -e "$(cat "$said")" "$1"
    is_made_of "$preset" | sed 's/[0-9] |$/x |/' >"$said"
    check "another area of $preset is noticed" sh -c '! grep -qF -e "$(cat "$1")" "$2"' sh "$said" "$1"
    check "the manual's memories of $preset" grep -q "$(is_of "$preset")" "$1"
    check "two components of $preset between registers" test "$(figure "$preset" clock 2)" = 2
  done
  checks_end
  exit
fi

# "class tile", the smallest tile of each class: that whose switch, if it has one, has the fewest ports
tiles_of() {
  for class in $(sed -n 's/.* = fabric.instance @\([a-z_0-9]*\)(.*sym_name = "pe_.*/\1/p' "$folder/$1.mlir" | sort -u); do
    sed -n "s/.* = fabric.instance @$class(.*sym_name = \"\(pe_[a-z_0-9]*\)\".*/\1/p" "$folder/$1.mlir" |
      while read -r pe; do
        tile=$folder/$1/rtl/tile_$pe.sv
        [ ! -f "$tile" ] || sed -n 's/.* loom_switch #(.IN(\([0-9]*\)), .OUT(\([0-9]*\)).*/\1 \2/p' "$tile" |
          awk -v is="$class tile_$pe" '{ ports += $1 + $2 } END { print ports + 0, is }'
      done | sort -n -s -k1,1 | sed -n '1s/^[0-9]* //p'
  done
}

# A tile that is too large has its logic cells in the row and the time of its gates, and no clock.
if [ "$task" = tiles ]; then
  printf '| preset | class | tile | logic cells of 7680 | gates, ns | clock: median | from | to |\n|---|---|---|---|---|---|---|---|\n'
  for preset; do
    "$loom" adg "$preset" -o "$folder/$preset.mlir" && "$loom" emit verilog "$folder/$preset.mlir" -o "$folder/$preset" -- --part=hardware >/dev/null || exit
    tiles_of "$preset" | while read -r class tile; do
      case " ${CLASSES:-$class} " in *" $class "*) ;; *) continue ;; esac
      for seed in ${SEEDS:-1 2 3}; do
        make -s -C "$folder/$preset" place TILE="$tile" SEED="$seed" >"$folder/said" 2>&1 </dev/null
        sed -n -e 's/^tile_[^:]*: \([0-9]*\).7680 logic cells, \([0-9]*\)\..*/\2 \1/p' -e 's/^ERROR.*/0/p' \
          -e 's/.*ICESTORM_LC: *\([0-9]*\).*/0 \1/p' "$folder/said"
        ! grep -q '^ERROR' "$folder/said" || break
      done | sort -n >"$folder/placed"
      ns=$(make -s -C "$folder/$preset" time TILE="$tile" </dev/null | sed -n 's/^tile_[^:]*: \([0-9.]*\) ns.*/\1/p')
      awk -v of="| \`$preset\` | $class | \`$tile\` |" -v ns="${ns:-?}" 'NF > 1 { mhz[++n] = $1; cells = $2 } END {
        if (n && mhz[n]) print of, cells, "|", ns, "|", mhz[int((n + 1) / 2)] " MHz |", mhz[1], "|", mhz[n], "|"
        else if (n) print of, cells, "|", ns, "| does not fit | | |" }' "$folder/placed"
    done
  done
  exit
fi

for preset; do
  cycles "$preset" >"$folder/$preset.cycles" &
done
wait
for last; do :; done
printf '%s, %s, %s\n\n' "$(date +%Y-%m-%d)" "$(nproc) cores" "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | sed 1q)"
printf '| preset | PEs by class | configuration bits | area | golden kernels | cycles | to those of `%s` |\n|---|---|---|---|---|---|---|\n' "$last"
for preset; do
  is_made_of "$preset"
  awk '
    NR == FNR { other[$1] = $2; next }
    { n++; sum += log($2); if ($1 in other) { m++; ratio += log($2 / other[$1]) } }
    END { printf " %d | %d | %.2f |\n", n, n ? exp(sum / n) : 0, m ? exp(ratio / m) : 0 }' \
    "$folder/$last.cycles" "$folder/$preset.cycles"
done
