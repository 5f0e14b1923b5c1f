#!/bin/sh
# rtl_formal.sh -- properties of the Verilog library's elastic components, proved by Yosys.
#
#     rtl_formal.sh prove FOLDER           all of them, and every mutant is found
#     rtl_formal.sh prove FOLDER NAME...   those in spec-tests/formal/NAME.svh
#     rtl_formal.sh fabric FOLDER LOOM     those of a whole fabric, spec-tests/formal/fabric
#
# A file of spec-tests/formal has the properties of one module and stands, for the proof, at the end of it: so
# it sees its registers. Nothing of it is in what LOOM emits. Lines of its head say what is done:
#
#     // prove: MODULE PARAMETER=N...           holds for ever: by induction, after a reset
#     // bounded N: MODULE PARAMETER=N...       holds for N cycles behind a reset
#     // mutant: s/.../.../                     of the module: a run from the reset breaks a property
#     // mutant OTHER: s/.../.../               the same of a module in it
#     // lemma OTHER [if PARAMETER]: CONDITION  what is so of a module in it, proved along
#
# The last line is: N passed, N failed[, N skipped].
set -u
cd "$(dirname "$0")/../.." || exit 1
way=$1 folder=$2
shift 2
mkdir -p "$folder"
. spec-tests/tools/lib.sh
said=$folder/said checked=$folder/said
library=backends/verilog/library
MAX_STEPS=6
SEARCH="-tempinduct -tempinduct-baseonly -maxsteps 8"  # for what breaks a mutant's properties: cycle after cycle, of 8

# solve FILE WHERE SED MODULE PARAMETERS OPTIONS...: what Yosys says of the properties of FILE, at the end of MODULE;
# module WHERE is changed by SED
solve() {
  file=$1 where=$2 change=$3 module=$4 parameters=
  for parameter in $5; do parameters="$parameters -set ${parameter%=*} ${parameter#*=}"; done
  shift 5
  rm -rf "$folder/rtl"
  mkdir "$folder/rtl"
  cp $(files "$library" "$module") "$folder/rtl"
  if [ -n "$change" ]; then
    sed -i "$change" "$folder/rtl/$where.sv"
    ! cmp -s "$library/$where.sv" "$folder/rtl/$where.sv" || { echo "no such line: $change"; return 1; }
  fi
  sed -n 's/^\/\/ lemma //p' "$file" >"$folder/lemmas"
  while IFS= read -r lemma; do
    about=${lemma%%:*}
    case $about in *\ if\ *) guard=${about#* if } ;; *) guard=1 ;; esac
    sed -i "s#^endmodule#  if ($guard) begin : p_lemma_$guard\n    always @* if (!rst) assert (${lemma#*: });\n  end\n&#" "$folder/rtl/${about%% *}.sv"
  done <"$folder/lemmas"
  sed -i "1s/^/\`include \"rules.svh\"\n/; s/^endmodule/\`include \"${file##*/}\"\n&/" "$folder/rtl/$module.sv"
  # shellcheck disable=SC2086  # word splitting is meant
  yosys -p "read_verilog -sv -formal -defer -Ispec-tests/formal -I${file%/*} $folder/rtl/*.sv;
    ${parameters:+chparam $parameters $module;} hierarchy -top $module; proc; flatten; memory_map; opt_reduce -full; opt_expr -fine; opt_merge; opt_clean;
    sat -prove-asserts -set-assumes $*" 2>&1
}

# There are properties, and what they speak of is there.
has_properties() {
  [ "$(grep -c '^Import proof for assert' "$folder/said")" -gt 0 ] && ! grep 'formal/.*implicitly declared' "$folder/said"
}

holds() {
  solve "$1" "" "" "$2" "$3" -tempinduct -maxsteps $MAX_STEPS >"$folder/said" && has_properties && grep -q 'Induction step proven' "$folder/said"
}

# All cycles at once: without the clauses that tell each cycle's state from all before, half the time. A property may be
# broken only where the cycles behind it can be as is assumed; so what is assumed of inputs can always be gone on with.
holds_for() {
  solve "$1" "" "" "$2" "$3" -seq "$4" >"$folder/said" && has_properties && grep -q 'no model found: SUCCESS' "$folder/said"
}

# One of the module's instances breaks a property.
is_found() {
  while read -r module parameters; do
    # shellcheck disable=SC2086  # word splitting is meant
    solve "$1" "${2:-$module}" "$3" "$module" "$parameters" $SEARCH >"$folder/said"
    ! grep -q 'model found.*: FAIL' "$folder/said" || return 0
  done <"$folder/instances"
  return 1
}

prove_file() {
  name=${1##*/} name=${name%.svh}
  sed -n 's/^\/\/ prove: //p; s/^\/\/ bounded [0-9]*: //p' "$1" >"$folder/instances"
  grep -E '^// (prove|bounded|mutant)' "$1" >"$folder/jobs"
  while read -r _ job rest; do
    module=${rest%% *}
    case $job in
    prove:) check "$name: $rest" holds "$1" "$module" "${rest#"$module"}" ;;
    bounded)
      steps=${rest%%:*} rest=${rest#*: } module=${rest%% *}
      check "$name: $rest, $steps cycles" holds_for "$1" "$module" "${rest#"$module"}" "$steps"
      ;;
    mutant:) check "$name, broken by $rest" is_found "$1" "" "$rest" ;;
    mutant) check "$name, broken by $rest" is_found "$1" "${rest%%:*}" "${rest#*: }" ;;
    esac
  done <"$folder/jobs"
}

need "nothing is proved of it" yosys

# The ports of a fabric with any image; and with one that comes through the configuration port.
prove_fabric() {
  parts=spec-tests/formal/fabric library=$folder/any
  rm -rf "$folder/sum" "$folder/any"
  "$1" emit verilog $parts/sum.mlir --args "1, 2" -o "$folder/sum" >/dev/null || return
  cp -R "$folder/sum/rtl" "$folder/any"
  cp $parts/any_slice.sv "$folder/any/loom_slice.sv"
  sed -i 's/ && is_whole//' "$folder/any/loom_control.sv"
  prove_file $parts/ports.svh
  library=$folder/sum/rtl SEARCH="-seq 12"  # all are found late: in 10 cycles and more
  awk 'NR > 1 { words = sprintf("32\x27h%s%s", $1, NR > 2 ? ", " words : "") }
    END { printf "  localparam int IMAGE_WORDS = %d;\n  localparam [32*%d-1:0] IMAGE = {%s};\n", NR - 1, NR - 1, words }' \
    "$folder/sum/case/image.hex" >"$folder/image.svh"
  sed "/^module top/,/^endmodule/s/^);/&\n$(sed ':a;N;$!ba;s/\n/\\n/g' "$folder/image.svh")/" -i "$library/top.sv"
  prove_file $parts/sum.svh
}

case $way in
prove)
  [ $# -gt 0 ] || set -- $(ls spec-tests/formal/*.svh | sed 's/.*\///; s/\.svh//' | grep -v '^rules$')
  for name; do prove_file "spec-tests/formal/$name.svh"; done
  ;;
fabric) prove_fabric "$1" ;;
esac
checks_end
