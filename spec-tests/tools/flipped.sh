#!/bin/sh
# flipped.sh -- images that are not those of the mapping: one bit is another, or the whole is.
#
#     flipped.sh LOOM FOLDER COUNT KERNEL...        N passed, N failed
#
# Each golden kernel is mapped. Then `loom sim`, in several ways in turn, and `loom emit verilog`
# take its mapping with 2 * COUNT single bits flipped, one at a time, and with the image of each other
# kernel. Such hardware may do the same, something else, or nothing: all that is asked is an answer,
# which is a status that means something, an error with a code where it is not 0, and no word of a
# sanitizer.
set -u
cd "$(dirname "$0")/../.." || exit 1
. spec-tests/tools/lib.sh
loom=$1 folder=$2 count=$3
shift 3
mkdir -p "$folder"
said=$folder/said turn=0

# answers TITLE COMMAND...
answers() {
  title=$1
  shift
  (ulimit -t 60 && exec "$@") >"$folder/said" 2>&1
  status=$?
  if { [ $status -eq 0 ] || { [ $status -le 4 ] && grep -q 'error\[[A-Z]' "$folder/said"; }; } &&
    ! grep -q -e 'Sanitizer' -e 'runtime error' "$folder/said"; then
    pass
  else
    fail "$title: status $status"
  fi
}

# takes TITLE KERNEL MAPPING
takes() {
  turn=$((turn + 1))
  case=golden/$2/case.json
  case $((turn % 4)) in
  0) answers "sim of $1" "$loom" sim "$3" --case "$case" --max-cycles 20000 --engine jit ;;
  1) answers "sim --alone of $1" "$loom" sim "$3" --case "$case" --max-cycles 20000 --alone ;;
  2) answers "emit of $1" "$loom" emit verilog "$3" --case "$case" -o "$folder/out" -- --part=case ;;
  3) answers "sim of $1" "$loom" sim "$3" --case "$case" --max-cycles 20000 --stats --cycles ;;
  esac
}

# flip FILE BYTE BIT
flip() {
  byte=$(od -An -tu1 -j"$2" -N1 "$1")
  byte=$((byte ^ (1 << $3)))
  # shellcheck disable=SC2059 # the format is the byte
  printf "\\$(printf %03o $byte)" | dd of="$1" bs=1 seek="$2" conv=notrunc 2>"$folder/dd"
}

names=
for kernel; do
  name=$(basename "$kernel")
  names="$names $name"
  "$loom" map "$kernel/kernel.mlir" --adg medium -o "$folder/$name" >"$folder/said" 2>&1 || {
    fail "$kernel: loom map"
    checks_end
    exit 1
  }
  mv "$folder/$name/$name.config.bin" "$folder/$name.good"
done

for name in $names; do
  image=$folder/$name/$name.config.bin
  size=$(wc -c <"$folder/$name.good")
  # Half of the places are anywhere, half in words that say something.
  awk -v seed="$size" -v size="$size" -v count="$count" 'BEGIN {
    srand(seed)
    for (i = 0; i < count; i++) print int(rand() * size), int(rand() * 8)
  }' >"$folder/places"
  od -An -v -tu4 -w4 "$folder/$name.good" | awk -v seed="$size" -v count="$count" '
    $1 { word[n++] = NR - 1 }
    END { srand(seed + 1)
      for (i = 0; i < count; i++) print 4 * word[int(rand() * n)] + int(rand() * 4), int(rand() * 8)
    }' >>"$folder/places"
  while read -r byte bit; do
    cp "$folder/$name.good" "$image"
    flip "$image" "$byte" "$bit"
    takes "$name, bit $bit of byte $byte" "$name" "$folder/$name"
  done <"$folder/places"
  for other in $names; do
    [ "$other" != "$name" ] || continue
    cp "$folder/$other.good" "$image"
    for engine in 1 2 3 4; do takes "$name with the image of $other" "$name" "$folder/$name"; done
  done
done
checks_end
