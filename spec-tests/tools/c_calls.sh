#!/bin/sh
# c_calls.sh -- each kernel of c_calls.c as LOOM makes it, in the program that it comes from.
#
#     spec-tests/tools/c_calls.sh LOOM SCRATCH
#
# The program is linked with its own kernels, and with those that `loom emit csim` made of them, by each compiler
# that is here; what it prints must be the same. LOOM's headers must agree with the program's own.
set -u
loom=$(readlink -f "$1") work=$2
here=$(readlink -f "$(dirname "$0")")
. "$here/lib.sh"
mkdir -p "$work/out"
said=$work/said checked=$work/said
kernels=$(sed -n 's/^ *[A-Z][A-Z]*(\([a-z_0-9]*\),.*/\1/p' "$here/c_calls_main.c" | sort -u)
made=
: >"$work/headers.h"
for k in $kernels; do
  if check "$k is emitted" "$loom" emit csim "$here/c_calls.c" --func "$k" -o "$work/out"; then
    made="$made $work/out/$k.c"
    echo "#include \"out/$k.h\"" >>"$work/headers.h"
  fi
done
for cc in gcc clang; do
  command -v $cc >/dev/null || continue
  flags="-O2 -ffp-contract=off -Wall -Wextra -Wno-overlength-strings -I$here -I$work"
  check "$cc makes the program" $cc $flags -o "$work/own" "$here/c_calls_main.c" "$here/c_calls.c" -lm
  "$work/own" >"$work/own.$cc"
  check "$cc takes what LOOM made" $cc -Werror $flags -DLOOM_HEADERS -o "$work/new" "$here/c_calls_main.c" $made -lm
  "$work/new" >"$work/new.$cc"
  check "$cc: as many lines" is "$(wc -l <"$work/new.$cc")" "$(wc -l <"$work/own.$cc")"
  while read -r name rest; do
    check "$cc: $name" grep -qxF "$name $rest" "$work/new.$cc"
  done <"$work/own.$cc"
done
checks_end
