#!/bin/sh
# preset_cells.sh -- how many cells Yosys makes of a whole preset.
#
#     preset_cells.sh LOOM FOLDER PRESET...
#
#     | preset | cells (Yosys) | gates | muxes | flip-flops | bits in memories | modules |      a row a preset
#
# Each module is synthesised once, with its parameters, and counts as often as the fabric has it: with nothing but the ports of
# the modules in it (`synth -noabc`, no flattening), which is what `make synth` does to all of them at once, and so gives the
# same cells; but one that is done is not looked at again for each round that another needs, several go on at a time, and
# presets share most. FOLDER keeps what a module came to, by its text: a second run does what has changed.
#
# Counted are gates of one and two inputs, muxes of two, flip-flops of one bit. What stands in loom_ram is bits of memory, and no
# cell (CELLS_RAM=1: flip-flops and muxes, as `make synth` has it). FIFOs are flip-flops. Where two cells could be one across the
# edge of a module, they are two. A latch is a failure.
#
# CELLS_JOBS is how many Yosys run at once (one a core), CELLS_SECONDS bounds each (1200). Behind the rows stands how long it took
# and how much memory the largest Yosys had. Exit status 1 where a module has no figure. Run from the root of the repository.
set -u
loom=$1 folder=$2
shift 2
command -v yosys >/dev/null || {
  echo "SKIP yosys is not installed: no cells"
  exit 0
}
mkdir -p "$folder/done" && folder=$(realpath "$folder") || exit 1
jobs=${CELLS_JOBS:-$(nproc)} seconds=${CELLS_SECONDS:-1200} with_ram=${CELLS_RAM:-0}
status=0

# Each module of RTLIL to a file of its own, N.il, and a row "N name bits bytes" of `modules`. Numbers that Yosys counts through the
# whole design are counted anew in each, and where text came from is left out: so a module is the same text in each preset.
cat >"$folder/split.awk" <<'END_AWK'
/^autoidx/ || /^ *attribute \\(src|hdlname)/ { next }
/^attribute/ { head = head $0 "\n"; next }
/^module / {
  file = at "/" ++n ".il"
  split("", number)
  numbers = bits = 0
  bytes = length(head)
  name = $2
  is_ram = /loom_ram$/ || /\\loom_ram\\/
  printf "%s", head >file
  head = ""
  inside = 1
}
!inside { next }
/^  memory width/ && is_ram { bits += $3 * $5 }
{
  line = $0
  out = ""
  while (match(line, /\$[0-9]+/)) {
    key = substr(line, RSTART + 1, RLENGTH - 1)
    if (!(key in number)) number[key] = ++numbers
    out = out substr(line, 1, RSTART) number[key]
    line = substr(line, RSTART + RLENGTH)
  }
  print out line >file
  bytes += length(out) + length(line) + 1
}
/^end$/ {
  inside = 0
  close(file)
  print n, name, bits, bytes >(at "/modules")
}
END_AWK

# Modules N... of the preset in AT together, into DONE/HASH: lines "cell how-many".
cat >"$folder/some.sh" <<'END_SH'
at=$1 done=$2 seconds=$3
shift 3
{
  echo "read_rtlil $at/stubs.il"
  for n; do echo "read_rtlil -overwrite $at/$n.il"; done
  echo "select -assert-none t:\$dlatch t:\$adlatch t:\$dlatchsr"
  echo "synth -noabc"
  echo "tee -o $at/$1.stat stat"
} >"$at/$1.ys"
/usr/bin/time -f '%M' -o "$at/$1.kilobytes" timeout "$seconds" yosys -q "$at/$1.ys" >"$at/$1.log" 2>&1 || exit 0
for n; do
  name=$(awk -v n="$n" '$1 == n { print substr($2, 2); exit }' "$at/modules")
  hash=$(awk -v n="$n" '$1 == n { print $2; exit }' "$at/hashes")
  name="$name" awk '/^===/ { here = $2 == ENVIRON["name"] } here && NF == 2 && $2 ~ /^[0-9]+$/ { print }' "$at/$1.stat" >"$done/$hash.$$" &&
    mv "$done/$hash.$$" "$done/$hash"
done
END_SH

# preset NAME: its hardware to RTLIL, module by module
prepare() {
  at=$folder/$1
  rm -rf "$at"
  mkdir "$at" && "$loom" adg "$1" -o "$at/fabric.mlir" &&
    "$loom" emit verilog "$at/fabric.mlir" -o "$at/v" -- --part=hardware >/dev/null || return 1
  (
    cd "$at/v" && /usr/bin/time -f '%M' -o "$at/whole.kilobytes" yosys -q -p "read_verilog -sv $(grep '\.sv$' rtl.f | tr '\n' ' ')
      hierarchy -check -top fabric; setattr -mod -unset top; proc; write_rtlil $at/whole.il; blackbox *; write_rtlil $at/stubs.il" >"$at/whole.log" 2>&1
  ) || return 1
  # a name that begins with $ would be a number to count
  sed -i 's/\$paramod\$/\\paramod_/g; s/\$paramod\\/\\paramod\\/g' "$at/whole.il" "$at/stubs.il"
  awk -v at="$at" -f "$folder/split.awk" "$at/whole.il" && rm "$at/whole.il"
  while read -r n name bits bytes; do
    echo "$n $(sha1sum <"$at/$n.il" | cut -c1-40)"
  done <"$at/modules" >"$at/hashes"
}

# What is not done yet: the largest by themselves, small ones 24 at a time.
synthesise() {
  at=$folder/$1
  paste -d' ' "$at/modules" "$at/hashes" | sort -k4,4nr | while read -r n name bits bytes m hash; do
    [ ! -e "$folder/done/$hash" ] || continue
    [ "$bits" = 0 ] || [ "$with_ram" = 1 ] || continue
    if [ "$bytes" -gt 60000 ]; then echo "$n"; else echo "+$n"; fi
  done | awk '/^[0-9]/ { print; next } { some = some " " substr($0, 2) } ++k % 24 == 0 { print some; some = "" } END { if (some) print some }' |
    xargs -r -P "$jobs" -I NUMBERS sh -c "sh $folder/some.sh $at $folder/done $seconds NUMBERS || :"
}

# The row: from the fabric down, each module as often as those that have it say.
row() {
  at=$folder/$1
  paste -d' ' "$at/modules" "$at/hashes" | preset=$1 awk -v with_ram="$with_ram" -v done="$folder/done" '
    function add(name, times,   k, kind, count) {
      if (!(name in file)) { print "no module " name >"/dev/stderr"; failed = 1; return }
      if (bits[name] > 0 && !with_ram) { memory += bits[name] * times; return }
      instances += times
      if (!(name in rows)) {
        rows[name] = 0
        while ((getline line <file[name]) > 0) list[name, ++rows[name]] = line
        close(file[name])
        if (!rows[name] && !(name in is_known)) { print ENVIRON["preset"] ": no figure for " name >"/dev/stderr"; failed = 1 }
      }
      for (k = 1; k <= rows[name]; k++) {
        split(list[name, k], word, " ")
        kind = word[1]
        count = word[2] * times
        if (("\\" kind) in file) add("\\" kind, count)
        else if (kind ~ /DFF/) flipflops += count
        else if (kind ~ /MUX/) muxes += count
        else if (kind ~ /^\$_/ && kind !~ /LATCH/) gates += count
        else { print ENVIRON["preset"] ": a cell " kind >"/dev/stderr"; failed = 1 }
      }
    }
    {
      file[$2] = done "/" $6
      bits[$2] = $3
      if ((getline line <file[$2]) >= 0) is_known[$2] = 1
      close(file[$2])
    }
    END {
      add("\\fabric", 1)
      printf "| `%s` | %d | %d | %d | %d | %d | %d |\n", ENVIRON["preset"], gates + muxes + flipflops, gates, muxes, flipflops, memory, NR
      exit failed
    }'
}

printf '| preset | cells (Yosys) | gates | muxes | flip-flops | bits in memories | modules |\n|---|---|---|---|---|---|---|\n'
for preset; do
  began=$(date +%s)
  if prepare "$preset"; then
    synthesise "$preset"
    row "$preset" || status=1
    printf '%s: %d s, %d MB\n' "$preset" $(($(date +%s) - began)) \
      $(($(cat "$folder/$preset"/*.kilobytes | grep -E '^[0-9]+$' | sort -n | tail -1) / 1024)) >&2
  else
    echo "$preset: not read" >&2
    status=1
  fi
done
exit $status
