#!/bin/sh
# suite.sh -- runs every test of LOOM and adds them up; `make test` calls it.
#
#     spec-tests/suite.sh build           the last line is: N passed, N failed[, N skipped]
#     spec-tests/suite.sh build check     the parts that a change is most likely to break; about a minute
#
# A part is a command that ends with such a line itself. Two parts run at a time, and one more of those that mostly wait;
# what a part prints is shown only where something in it failed, so that a good run fits on a screen.
set -u
cd "$(dirname "$0")/.." || exit 1
build=${1:-build} mode=${2:-}
loom=$build/loom
tools=$build/tools
cc=${CC:-cc}
SHARD=${SHARD:-0/1}

usage() {
  echo "usage: suite.sh [FOLDER [check]], where FOLDER/loom is; by default build" >&2
  exit 2
}
case $build in -*) usage ;; esac
case $mode in '' | check) ;; *) usage ;; esac
[ $# -le 2 ] && [ -x "$loom" ] || usage

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# The start and the end of a long text.
show() {
  if [ "$(wc -l <"$1")" -le 300 ]; then
    cat "$1"
  else
    head -n 200 "$1"
    echo "    [...]"
    tail -n 60 "$1"
  fi
}

# Seconds of processor time of this lane's processes.
cpu_seconds() {
  times >"$scratch/times"
  sed -n '2s/\([0-9]*\)m\([0-9]*\)[.,][0-9]*s *\([0-9]*\)m\([0-9]*\).*/\1 \2 \3 \4/p' "$scratch/times" | {
    read -r m s more_m more_s && echo $((60 * (m + more_m) + s + more_s))
  }
}

# Is the part asked for? With ONLY=pattern in the environment (as grep -E reads it), those alone whose
# titles match; with SHARD=1/3 every third part, from the second on (numbers begin with 0).
is_wanted() {
  [ $(((number - 1) % ${SHARD##*/})) -eq "${SHARD%%/*}" ] && echo "$1" | grep -Eq -e "${ONLY:-}"
}

# part TITLE COMMAND...
part() {
  title=$1
  shift
  number=$((number + 1))
  is_wanted "$title" || return
  nth=$((nth + 1))
  [ "$total" ] || return # they are being counted
  echo "$title" | grep -Eq -e "$takes" || return
  mkdir "$claims/$number" 2>/dev/null || return
  [ ! -t 1 ] || printf '\r[%d/%d] %s ...\033[K\r' $nth "$total" "$title"
  start=$(date +%s)
  cpu_seconds >"$scratch/cpu"
  "$@" >"$scratch/output" 2>&1
  ended=$?
  last=$(tail -n 1 "$scratch/output")
  p=$(expr "$last" : '\([0-9]*\) passed, [0-9]* failed')
  f=$(expr "$last" : '[0-9]* passed, \([0-9]*\) failed')
  s=$(expr "$last" : '.*failed, \([0-9]*\) skipped')
  if [ -z "$p" ] || { [ "$f" -eq 0 ] && [ "$ended" -ne 0 ]; }; then
    p=${p:-0} f=1
    echo "$title ended with status $ended" >>"$scratch/output"
  fi
  cpu=$(cat "$scratch/cpu")
  cpu_seconds >"$scratch/cpu"
  cpu=$(($(cat "$scratch/cpu") - cpu))
  {
    [ "$f" -eq 0 ] || show "$scratch/output"
    [ "${s:-0}" -eq 0 ] || grep '^SKIP' "$scratch/output"
    [ ! -t 1 ] || printf '\033[K'
    printf '[%2d/%d] %-58s %6d passed, %d failed  %4d s, %3d s of CPU\n' $nth "$total" "$title" "$p" "$f" \
      $(($(date +%s) - start)) "$cpu"
  } >"$scratch/report"
  cat "$scratch/report" # in one go: the other lane prints, too
  passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + ${s:-0}))
}

# Runs its arguments over all items, two at a time, and counts the lines "ok" and "FAIL ...".
# each FUNCTION ITEM...
each() {
  function=$1
  shift
  half=0
  : >"$scratch/even"
  : >"$scratch/odd"
  for item; do
    half=$((1 - half))
    if [ $half = 1 ]; then echo "$item" >>"$scratch/even"; else echo "$item" >>"$scratch/odd"; fi
  done
  sides=
  for side in even odd; do
    while read -r item; do $function "$item" "$scratch/$side.dir"; done \
      <"$scratch/$side" >"$scratch/$side.said" 2>&1 &
    sides="$sides $!"
  done
  wait $sides
  cat "$scratch/even.said" "$scratch/odd.said" | grep -v '^ok$'
  good=$(cat "$scratch/even.said" "$scratch/odd.said" | grep -c '^ok$')
  bad=$(cat "$scratch/even.said" "$scratch/odd.said" | grep -c '^FAIL')
  echo "$good passed, $bad failed"
  [ "$bad" -eq 0 ]
}

# A golden kernel, optimised: every stage does what the source does, and the graph what they made.
optimised() {
  dir=$1 work=$2
  mkdir -p "$work"
  if $loom run -O1 --check-stages "$dir/kernel.mlir" --case "$dir/case.json" >"$work/said" 2>&1; then
    echo ok
  else
    cat "$work/said"
    echo "FAIL $dir: loom run -O1"
  fi
}

# A golden kernel: the engines give what its case says, and its case is what a C program computes.
golden() {
  dir=$1 work=$2
  mkdir -p "$work"
  if $loom run "$dir/kernel.mlir" --case "$dir/case.json" >"$work/said" 2>&1; then
    echo ok
  else
    cat "$work/said"
    echo "FAIL $dir: loom run"
  fi
  if $cc -std=c11 -O0 -ffp-contract=off -o "$work/reference" "$dir/reference.c" -lm &&
    "$work/reference" >"$work/case.json" && cmp "$work/case.json" "$dir/case.json"; then
    echo ok
  else
    echo "FAIL $dir: case.json is not what reference.c computes"
  fi
}

# The mapping that the search of -O2 has found is the one that is written: it takes the cycles that the
# search has counted on the machine. (Mapped anew, without the case, these kernels take others.)
found_is_taken() {
  rm -rf "$2"
  mkdir -p "$2"
  $loom map -O2 "$1/kernel.mlir" --adg small --case "$1/case.json" -o "$2/found" >"$2/said"
  counted=$(sed -n 's/.*: \([0-9,]*\) cycles instead of .*/\1/p' "$2/said" | tr -d ,)
  $loom sim "$2"/found/*.map.json --case "$1/case.json" --alone --engine jit >"$2/machine"
  if [ -n "$counted" ] && grep -q "^$counted cycles" "$2/machine"; then
    echo ok
  else
    cat "$2/said" "$2/machine"
    echo "FAIL $1: -O2 chose no other loops on small, or another mapping is written"
  fi
}

# A kernel written by hand: no compiler warns of it.
by_hand() {
  for compiler in $compilers; do
    case ${compiler##*/} in
    tcc) set -- "$1" "$2" -Wall -c -o "$2.o" ;;
    *) set -- "$1" "$2" -std=c11 -Wall -Wextra -pedantic -fsyntax-only ;;
    esac
    kernel=$1 work=$2
    shift 2
    if said=$("$compiler" "$@" "$kernel/hand.c" 2>&1) && [ -z "$said" ]; then
      echo ok
    else
      echo "$said"
      echo "FAIL $kernel/hand.c: $compiler $*"
    fi
    set -- "$kernel" "$work"
  done
}

# A command of `loom help`: the README's table has a row of it.
in_readme() {
  if grep -q "^| \`loom $1[\` ]" README.md; then echo ok; else echo "FAIL README.md: no row of loom $1"; fi
}

# A file: printing is a fixed point in both forms, and the generic form says the same.
round_trip() {
  file=$1 work=$2
  mkdir -p "$work"
  if $loom opt "$file" -o "$work/a.mlir" && $loom opt "$work/a.mlir" -o "$work/b.mlir" &&
    cmp "$work/a.mlir" "$work/b.mlir" &&
    $loom opt --generic "$file" -o "$work/c.mlir" &&
    $loom opt --generic "$work/c.mlir" -o "$work/d.mlir" && cmp "$work/c.mlir" "$work/d.mlir" &&
    $loom opt "$work/c.mlir" -o "$work/e.mlir" && cmp "$work/a.mlir" "$work/e.mlir"; then
    echo ok
  else
    echo "FAIL $file: printing it is not a fixed point"
  fi
}

# A file that mlir-opt 22 printed, in the custom form or (*.generic.mlir) in the generic one: LOOM
# prints the same bytes.
as_mlir() {
  file=$1 work=$2 form=
  case $file in *.generic.mlir) form=--generic ;; esac
  mkdir -p "$work"
  if $loom opt $form "$file" -o "$work/a.mlir" && cmp "$work/a.mlir" "$file"; then
    echo ok
  else
    echo "FAIL $file: mlir-opt 22 prints it otherwise"
  fi
}

# same_as_loom KERNEL CASE FOLDER COMPILER...: the program that csim writes compiles without a
# warning, and prints what `loom run --out` writes.
same_as_loom() {
  mlir=$1 input=$2 folder=$3
  shift 3
  rm -rf "$folder"
  mkdir -p "$folder"
  if $loom emit csim "$mlir" --case "$input" -o "$folder" >"$folder/said" &&
    "$@" -DLOOM_MAIN -o "$folder/program" "$folder"/*.c -lm >"$folder/said" 2>&1 &&
    [ ! -s "$folder/said" ] &&
    $loom run "$mlir" --case "$input" --engine dfg --out "$folder/expected.json" >"$folder/loom" &&
    "$folder/program" "$input" >"$folder/got.json" 2>"$folder/said" &&
    cmp "$folder/got.json" "$folder/expected.json"; then
    echo ok
  else
    cat "$folder/said"
    echo "FAIL $mlir, $*"
  fi
}

# The same with all warnings of a compiler.
strictly() {
  case $1 in
  tcc) shift && same_as_loom "$@" tcc -Wall ;;
  *) compiler=$1 && shift && same_as_loom "$@" "$compiler" -O1 -std=c99 -Wall -Wextra -pedantic ;;
  esac
}

# fabric_says_it KERNEL DIR SCRATCH: the Fabric text that a mapping left says the same as its image, and
# the kernel mapped onto it comes to be where it was. (The text does not say which of two arrays that are
# used alike is which: those of the scalar product may change places, with their loads.)
fabric_says_it() {
  "$loom" config encode "$2"/*.fabric.mlir -o "$3" && cmp "$3.config.bin" "$2"/*.config.bin &&
    "$loom" map "$1" --adg "$2"/*.fabric.mlir -o "$3" >/dev/null &&
    sed -n '/"binding": {/,/"edges": /p' "$2"/*.map.json >"$3.was" && [ -s "$3.was" ] &&
    sed -n '/"binding": {/,/"edges": /p' "$3"/*.map.json >"$3.is" && places <"$3.was" >"$3.places" &&
    { cmp -s "$3.is" "$3.was" || { [ "$(basename "$(dirname "$1")")" = dot ] &&
      sed 's/"a": /"b": /; t; s/"b": /"a": /; t; s/"x_mem": /"?": /; s/"y_mem": /"x_mem": /; s/"?": /"y_mem": /' \
        "$3.is" | places | cmp - "$3.places"; }; }
}
# NAME: PLACE, a line each, sorted.
places() {
  grep -oE '"[^"]*": \{"(pe|memory)": "[^"]*", "(opcode|region)": [0-9]*, "(instruction|start)": [0-9]*' |
    LC_ALL=C sort
}

# on_hardware KERNEL SCRATCH: mapped onto the smallest preset that takes it, run by the reference and
# as generated code: the same tokens in the same cycles, and on every edge the tokens of the graph's
# own run. Of three in a row the first is also read back from its text.
on_hardware() {
  turn=$(((${turn:-2} + 1) % 3))
  rm -rf "$2"
  mkdir -p "$2"
  case $1 in */n_queens) fabrics=large ;; *) fabrics="medium large" ;; esac
  for fabric in ${preset:-$fabrics}; do
    "$loom" map "$1/kernel.mlir" --adg "$fabric" ${BUDGET:+--budget "$BUDGET"} -o "$2/map" >"$2/said" 2>&1
    [ $? -eq 3 ] || break
  done
  if [ -d "$2/map" ] &&
    "$loom" sim "$2/map" --case "$1/case.json" --timed - >"$2/step" 2>&1 &&
    "$loom" sim "$2/map" --case "$1/case.json" --timed - --engine jit >"$2/jit" 2>&1 &&
    grep -q '^PASS$' "$2/step" && grep -q '^agrees with the graph' "$2/step" &&
    cmp -s "$2/step" "$2/jit" && { [ $turn -ne 0 ] || fabric_says_it "$1/kernel.mlir" "$2/map" "$2/text"; }; then
    echo ok
    machine_program $quick "$1/case.json" "$2" "$2/map"
  else
    echo "FAIL $1"
    tail -n 3 "$2/said" "$2/step" "$2/jit"
  fi
}

# machine_program COMPILER CASE SCRATCH FABRIC [IMAGE]: the machine as a program compiles without a
# warning, and gives the results, memories and cycles of loom sim.
machine_program() {
  input=$2 work=$3
  case $1 in
  tcc)
    compile="tcc -Wall" looked_at=:
    [ "${turn:-0}" -ne 0 ] || looked_at="$cc -std=c99 -Wall -Wextra -pedantic -DLOOM_MAIN -fsyntax-only"
    ;;
  clang) compile="$1 -O0 -std=c99 -Wall -Wextra -pedantic" looked_at=: ;;
  *) compile="$1 -O1 -std=c99 -Wall -Wextra -pedantic" looked_at=: ;;
  esac
  shift 3
  rm -rf "$work/c"
  if "$loom" emit csim "$@" -o "$work/c" >"$work/emitted" 2>&1 &&
    { # gcc or clang has something to say about more than tcc: of three in a row they see the first
      $looked_at "$work/c"/*.c
      $compile -DLOOM_MAIN -o "$work/program" "$work/c"/*.c -lm
    } >"$work/emitted" 2>&1 &&
    [ ! -s "$work/emitted" ] &&
    "$loom" sim "$@" --case "$input" --alone --engine jit --out "$work/wanted" >"$work/cycles" 2>&1 &&
    "$work/program" "$input" >"$work/got" 2>"$work/emitted" &&
    cmp "$work/got" "$work/wanted" && grep -q "^$(head -n 1 "$work/cycles")$" "$work/emitted"; then
    echo ok
  else
    echo "FAIL $*: as a program, $compile"
    tail -n 3 "$work/emitted" "$work/cycles"
  fi
}

# A fabric of the manual, configured by an image, as a program by every compiler.
fabric_program() {
  mkdir -p "$2"
  "$loom" config encode "$1/in.mlir" -o "$2/image" >"$2/said" 2>&1 || cat "$2/said"
  for compiler in gcc clang tcc; do
    command -v $compiler >/dev/null || continue
    machine_program $compiler "$1/case.json" "$2" "$1/in.mlir" "$2/image.config.bin"
  done
}

# There, what goes through a register of a PE is compared like anything else: only edges that stay
# inside a unit are not.
on_temporal_hardware() {
  preset=temporal
  on_hardware "$@"
  preset=
  [ -f "$2/step" ] || return
  inside=$(grep '"route": \[\]' "$2"/map/*.map.json | grep -vc '"register"')
  compared=$(sed -n 's/.* tokens of \([0-9]*\) of \([0-9]*\) edges.*/\2 - \1/p' "$2/step")
  if [ "$(($compared))" -eq "$inside" ]; then
    echo ok
  else
    echo "FAIL $1: $compared edges were not compared, and $inside are inside a unit"
  fi
}

# no_warnings FOLDER: no compiler warns of the program in it at any level of optimisation, as gcc warns of other
# things at each.
no_warnings() {
  said=
  for how in "gcc -O0" "gcc -O1" "gcc -O2" "gcc -O3" "clang -O0" "clang -O2"; do
    command -v "${how% *}" >/dev/null || continue
    said=$said$($how -std=c99 -Wall -Wextra -pedantic -DLOOM_MAIN -c "$1"/*.c -o "$1/compiled.o" 2>&1)
  done
  command -v tcc >/dev/null && said=$said$(tcc -Wall -DLOOM_MAIN -c "$1"/*.c -o "$1/compiled.o" 2>&1)
  if [ "$said" ]; then
    echo "FAIL $1"
    echo "$said" | head -n 8
  else
    echo ok
  fi
}

no_warnings_of_fabric() {
  mkdir -p "$2/${1##*/}"
  "$loom" emit csim "$1/in.mlir" -o "$2/${1##*/}" >"$2/said" 2>&1 || cat "$2/said"
  no_warnings "$2/${1##*/}"
}

# Fabrics with memories of both kinds and with instructions.
no_warnings_of_fabrics() {
  sh spec-tests/tools/sections.sh spec-tests/58-machine.md "$scratch/sections" >/dev/null
  each no_warnings_of_fabric "$scratch/sections/A_region_that_begins_inside" "$scratch/sections/A_memory_with_two_lanes" \
    "$scratch/sections/A_temporal_PE"
}

# Long loops without conditions take as many cycles an iteration as their mapping says, exactly,
# whatever FIFOs there are: those that nobody can pass by, those that the mapper uses. Those that share
# channels, PEs or buffers (`~`) take an eighth more or less than estimated.
expected_interval() {
  number=0
  for options in large "large --fifo 1" "large --pe-fifo 2,bypassable --fifo 1,bypassable" temporal; do
    number=$((number + 1))
    rm -rf "$2.$number"
    "$loom" adg $options -o "$2.$number.mlir" &&
      "$loom" map "$1/kernel.mlir" --adg "$2.$number.mlir" -o "$2.$number" >/dev/null &&
      "$loom" sim "$2.$number" --case "$1/case.json" --stats --engine jit >"$2.said" &&
      awk -v what="$1 $options" '/^loop /, /^$/ { if ($1 != "loop" && NF && !/>=/ && $(NF - 4) == 1) {
        expected = $(NF - 1); off = sub(/~/, "", expected) ? expected / 8 : 0
        if ($(NF - 2) > expected + off || $(NF - 2) < expected - off) print "FAIL", what ":", $0; else print "ok"; n++ } }
        /^loop /, /^$/ { n += />=/ } END { if (!n) print "FAIL", what ": no loop" }' "$2.said" ||
      echo "FAIL $1 $options: it cannot be mapped or run"
  done
}

# A golden kernel, by the quickest compiler.
program() {
  strictly "$quick" "$1/kernel.mlir" "$1/case.json" "$2"
}

# By every compiler that is installed.
program_everywhere() {
  for compiler in gcc clang tcc; do
    command -v $compiler >/dev/null || continue
    strictly $compiler "$1/kernel.mlir" "$1/case.json" "$2"
  done
}

# A fault inside LOOM is reported with its place and a request for a report, and ends with status 5.
fault_ends_with_5() {
  mkdir -p "$1"
  "$tools/fuzz-diff" --count 3 --cc 0 --seed 7 --fault 8 --out "$1" >"$1/out" 2>"$1/err"
  echo "status $?" >>"$1/err"
  sed 's/ at [-a-z_./]*:[0-9]*: / at HERE: /' "$1/err" >"$1/said"
  cat >"$1/expected" <<'END'
loom: fault inside LOOM at HERE: this one was asked for
This is a bug in LOOM, not in your input. Please report it with the input and the command line.

LOOM fell over on a random program, see fuzz-diff --emit 8
status 5
END
  cmp "$1/expected" "$1/said" && echo "1 passed, 0 failed"
}

# Under ASan and UBSan: a golden kernel, or the random program of a seed.
program_watched() {
  mlir=$1/kernel.mlir input=$1/case.json
  if [ ! -d "$1" ]; then
    mkdir -p "$2.random"
    mlir=$2.random/in.mlir input=$2.random/in.json
    "$tools/fuzz-diff" --emit "$1" >"$mlir"
    "$tools/fuzz-diff" --case "$1" >"$input"
  fi
  same_as_loom "$mlir" "$input" "$2" $cc -O0 -std=c99 -fsanitize=address,undefined \
    -fno-sanitize-recover=undefined
}

# Broken cases for a program that takes every kind of argument.
hostile_program() {
  folder=$scratch/hostile.dir
  mkdir -p "$folder"
  $loom emit csim spec-tests/tools/hostile_program.mlir -o "$folder" &&
    $cc -O0 -std=c99 -DLOOM_MAIN -fsanitize=address,undefined -fno-sanitize-recover=undefined \
      -o "$folder/program" "$folder"/*.c -lm &&
    "$tools/hostile-program" "$folder/program" spec-tests/tools/hostile_program.json \
      "${HOSTILE_COUNT:-60}"
}

# LOOM by the other compiler, where there is one.
other_loom() {
  case $cc in *clang*) other=gcc ;; *) other=clang ;; esac
  command -v $other >/dev/null || return
  # Another run of the suite, of other shards, may be at it.
  lock=$(command -v flock) && lock="$lock $build/other.lock"
  env -u MAKEFLAGS $lock make -s BUILD="$build/other" CC=$other EXTRA=-O0 "$build/other/loom" >"$scratch/other" 2>&1 &&
    echo "$build/other/loom" && return
  cat "$scratch/other" >&2
  echo "/bin/false" # which will fail
}

commands=$($loom help | sed -n 's/^  \([a-z]*\)  *.*/\1/p')
kernels=$(ls -d golden/*/)
quick=$(command -v tcc >/dev/null && echo tcc || echo "$cc")
compilers=$(for c in gcc clang tcc; do command -v "$c"; done)
compilers_of_c=$(for c in gcc clang; do command -v "$c"; done)
printed=$(find spec-tests/corpus/mlir22 -name '*.mlir' ! -name '*.local.mlir' ! -name '*.debuginfo.mlir' | sort)
corpus=$(find spec-tests/corpus -name '*.mlir' 2>/dev/null | sort)

# All golden kernels in one module, as graphs: what is printed of them, in either form, is read as the same.
read_back() {
  for dir in golden/*/; do
    name=$(basename "$dir")
    sed "s/@\([A-Za-z_]\)/@${name}_\1/g" "$dir/kernel.mlir"
  done >"$scratch/all.mlir"
  good=0 bad=0
  for level in -O0 -O1 -O2; do
    for form in "" --generic; do
      if $loom lower $level "$scratch/all.mlir" >"$scratch/graphs.mlir" &&
        [ "$(grep -c '^ *handshake.func' "$scratch/graphs.mlir")" -ge 70 ] &&
        $loom opt $form "$scratch/graphs.mlir" >"$scratch/printed.mlir" &&
        $loom opt "$scratch/printed.mlir" | cmp - "$scratch/graphs.mlir"; then
        good=$((good + 1))
      else
        bad=$((bad + 1))
        echo "FAIL lower $level, opt $form"
      fi
    done
  done
  echo "$good passed, $bad failed"
}

# fabric_shapes: compared with what LOOM by another compiler says.
fabric_shapes() {
  sh spec-tests/tools/fabric_shapes.sh "$loom" "$scratch/shapes" "$(other_loom)"
}

# view: pages in a browser; counted as one skipped where there is none, or no page.
view() {
  browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
  if [ -n "$browser" ] && command -v node >/dev/null && [ -f "$build/backends/view.so" ]; then
    node spec-tests/tools/view_check.js "$loom" "$browser" "$scratch/view"
  else
    echo "SKIP pages in a browser: chromium, node or graphviz is not there"
    echo "0 passed, 0 failed, 1 skipped"
  fi
}

# in_c SCRIPT ...: of the front end for C; counted as one skipped where that could not be made.
in_c() {
  if [ -x "$build/plugins/loom-c" ] && command -v clang-19 >/dev/null; then
    script=$1
    shift
    sh "spec-tests/tools/$script.sh" "$loom" "$scratch/c" "$@"
  else
    echo "SKIP functions of C: clang-19 or LLVM 19 is not there"
    echo "0 passed, 0 failed, 1 skipped"
  fi
}

# Rows of its tables, each taken for the next one; `make c-mutants` breaks more.
in_c_broken() {
  if [ -x "$build/plugins/loom-c" ] && command -v clang-19 >/dev/null && command -v python3 >/dev/null; then
    python3 spec-tests/tools/c_mutants.py tables "$build" "$scratch/c-mutants" "${C_MUTANTS_SEED:-1}" "${C_MUTANTS:-3}"
  else
    echo "0 passed, 0 failed, 1 skipped"
  fi
}

rtl="spec-tests/tools/rtl_agree.sh"
all_parts() {
  part "truncated, mutated, deep, huge inputs: no crash, no hang" "$tools/hostile" spec-tests/fuzz-corpus
  if [ "$mode" = check ]; then # a half for each lane
    part "manual, chapters 00 to 39: every example" $loom test spec-tests/[0-3]*.md --native
    part "manual, chapters 40 to 99: every example" $loom test spec-tests/[4-9]*.md --native
  else
    part "manual: every example; every op and code has one" $loom test spec-tests --coverage --native
  fi
  part "manual: figures of the presets" sh spec-tests/tools/presets.sh check "$loom" spec-tests/22-generated.md
  part "manual: cites the specification's rules" sh spec-tests/tools/citations.sh spec-tests
  part "README: the commands of its tour" $loom test README.md
  part "README: a row for each command" each in_readme $commands
  part "golden kernels: ref, dfg, jit give what a C program gives" each golden $kernels
  part "golden kernels: the same after each stage of -O1" each optimised $kernels
  part "golden kernels: hand.c gives what the case expects" "$tools/hand-check" $kernels
  part "golden kernels: hand.c compiles without warnings" each by_hand $kernels
  part "golden traces: ref, dfg, jit, cc have the same tokens" env XDG_CACHE_HOME="$scratch/cache" \
    $loom golden check --engine all $kernels
  part "golden traces: worked out without LOOM" "$tools/golden-lines" $kernels
  part "golden traces: a changed token is named" "$tools/golden-token" $kernels
  part "adg show --dot: no two nodes overlap" sh spec-tests/tools/picture.sh "$loom"
  part "view: pages show what LOOM says elsewhere, in a browser" view
  part "emit trace: each format read back gives the tokens" "$tools/trace-check" "$loom" "$scratch/traces" $kernels
  part "histories: the hash is XXH3 of the bytes" "$tools/history-check"
  part ".npy: as the format's specification says; broken ones" "$tools/npy-check" "$loom" "$scratch/npy"
  part ".npy: large arrays are in memory once" "$tools/npy-memory" "$loom" "$scratch/npy-memory"
  for python in python3 /usr/bin/python3; do # whichever has NumPy, if any
    $python -c 'import numpy' 2>/dev/null || continue
    part "loom.py, and .npy files that NumPy wrote" $python spec-tests/tools/loom_py.py "$loom" $([ -x "$build/plugins/loom-c" ] && echo c)
    break
  done
  part "printing: what is printed is read and printed the same" each round_trip $corpus golden/*/kernel.mlir
  part "printing: lowered graphs likewise" read_back
  part "printing: as mlir-opt 22 printed the corpus" each as_mlir $printed
  part "presets full and temporal: a unit for every operation" sh spec-tests/tools/preset_units.sh "$loom" $kernels
  part "adg: 30 shapes verify, print and repeat the same" fabric_shapes
  part "jit and cc: which files they open, run and keep" sh spec-tests/tools/native_files.sh "$loom"
  part "random programs: the same on every engine" "$tools/fuzz-diff" --count "${FUZZ_COUNT:-1200}" --cc "${FUZZ_CC:-20}" --out "$scratch/fuzz"
  part "random gotos: the same on every engine" "$tools/fuzz-diff" --gotos \
    --count "${GOTOS_COUNT:-1000}" --cc "${GOTOS_CC:-50}" --out "$scratch/gotos"
  part "C: each feature as the system's compiler has it" in_c c_features
  part "C: golden kernels through the front end, back into C" in_c c_golden "$tools/hand-check" $compilers_of_c
  part "C: odd file names, broken files, no clang" in_c c_files
  part "C: a wrong row in the front end is noticed" in_c_broken
  part "manual as HTML: links lead somewhere, search finds" sh spec-tests/tools/manual_pages.sh "$scratch/pages"
  part "C: generated functions called by their program" in_c c_calls
  part "C: as few nodes as kernels written in MLIR" in_c c_nodes
  part "random loops at the limits of their types: all engines" "$tools/fuzz-diff" --edges \
    --count "${EDGES_COUNT:-500}" --cc "${EDGES_CC:-25}" --out "$scratch/edges"
  part "random loops: a seed that once failed" "$tools/fuzz-diff" --edges --seed 6179435 --count 1 \
    --cc 1 --out "$scratch/once"
  part "trip counts: against counting" "$tools/trips-check"
  part "order of accesses: against counting" "$tools/depends-check" --count "${DEPENDS_COUNT:-1000}"
  part "intervals: against all values in them" "$tools/interval-check"
  part "worst cycle ratio: against all cycles" "$tools/ratio-check"
  part "a fault inside LOOM: message and status 5" fault_ends_with_5 "$scratch/fault"
  part "the manual's graphs: any firing order, the same tokens" "$tools/streams-agree" --count "${STREAMS_COUNT:-10}" \
    spec-tests/1*.md spec-tests/40-proof.md spec-tests/5*.md spec-tests/95-codes-proof.md
  part "generated programs: golden kernels" each program $kernels
  part "golden kernels on hardware: machine, code, program agree" each on_hardware $hardware
  part "golden kernels on hardware: intervals as the mapper says" each expected_interval golden/adler32 golden/dot \
    golden/prefix_sum golden/quantize golden/half_precision
  part "golden kernels on temporal PEs: machine and code agree" each on_temporal_hardware golden/bignum_mul golden/dot golden/fft \
    golden/gcd golden/image_add golden/lu golden/spmv_csr golden/syrk
  part "loom sim: same cycles and counts on step, jit, cc" env XDG_CACHE_HOME="$scratch/cache" sh \
    spec-tests/tools/sim_engines.sh "$loom" "$tools/timed-table" "$scratch/timed" spec-tests/58-machine.md \
    spec-tests/59-where-cycles-go.md -- ${TIMED:-golden/dot golden/gcd golden/union_find golden/welford golden/spmv_csr}
  part "random machines: same cycles on step, jit, cc" env XDG_CACHE_HOME="$scratch/cache" "$tools/machine-random" \
    --count "${MACHINES_COUNT:-300}" --cc "${MACHINES_CC:-60}"
  part "random machines: stopped after any cycle" "$tools/machine-random" --seed 1340 --count 60 --cc 0 --limit 100
  part "generated machines: every compiler, no warning" each fabric_program $(sh spec-tests/tools/sections.sh \
    spec-tests/58-machine.md "$scratch/sections")
  part "generated machines: no warning at any -O" no_warnings_of_fabrics
  part "generated programs: every compiler, no warning" each program_everywhere golden/half_precision golden/bfs
  part "generated programs: under ASan and UBSan" each program_watched ${WATCHED:-golden/merge_sort golden/quantize \
    1 2}
  part "configurations: encoded and decoded, random fabrics" "$tools/config-check" --count "${CONFIG_COUNT:-400}"
  part "mapping: decoded images compute the kernel; flipped bits" "$tools/map-golden" --table --flips "${FLIPS:-20}" medium large \
    -- ${MAPPED:-golden/dot golden/gcd golden/bfs golden/fir golden/lcs golden/welford golden/histogram \
    golden/zero_trips}
  part "mapping: no worse on a larger fabric" "$tools/map-golden" --table medium large xl \
    -- ${GROWN:-golden/knapsack golden/syrk golden/spmv_csr golden/image_add golden/cordic golden/matvec}
  part "large inputs: their cost grows as they do" sh spec-tests/tools/large_inputs.sh "$loom" "$scratch/inputs"
  part "mapping: large graphs, bounded moves and memory" sh spec-tests/tools/large_map.sh "$loom" "$scratch/large"
  part "specialise: no kernel slower, no unit unused" sh spec-tests/tools/specialise.sh "$loom" "$scratch/specialise" golden/fir golden/dot golden/biquad golden/isqrt golden/histogram golden/conv2d
  part "specialise: six random kernels, area and cycles" sh spec-tests/tools/specialise_sets.sh "$loom" "$scratch/sets" "${SETS:-1}" "${SETS_SEED:-7}" 4
  part "explore: front, bounds, interruption, full disk" sh spec-tests/tools/explore.sh "$loom" "$scratch/explore"
  part "explore and specialise: a small study" sh spec-tests/tools/study.sh "$loom" "$scratch/study" small
  part "explore: on a Slurm cluster of two nodes" sh spec-tests/tools/slurm.sh "$loom" "$scratch/slurm"
  part "sim and emit: images with a wrong bit" sh spec-tests/tools/flipped.sh "$loom" "$scratch/flipped" \
    "${FLIPPED_COUNT:-15}" golden/bubble_sort golden/dot golden/histogram
  part "config check: each flipped bit is seen" "$tools/check-mutate" spec-tests/26-checking.md
  part "map -O2: writes the mapping that it counted" each found_is_taken golden/log2_bins golden/popcount golden/string_length
  part "mapping: every golden kernel; twice the same" "$tools/map-golden" ${MAP_FABRICS:-large} -- $kernels
  part "Ctrl-C: whole files or none, no process left" sh spec-tests/tools/interrupted.sh "$loom" "$scratch/interrupted"
  part "random small fabrics: mapped graphs compute the same" "$tools/map-random" --step 3 --seed 3 --flips 40 --count "${PAIRS_COUNT:-150}"
  part "random small fabrics: graphs with loops map by the rules" "$tools/map-random" --any --count "${PAIRS_COUNT:-150}"
  part "random fabrics: mapped programs compute the same" "$tools/map-random" --budget 1 --count "${MAP_RANDOM_COUNT:-60}"
  # Seeds that failed once: shared channels and what is discarded in them; a place that was not found.
  part "random fabrics: seeds that failed once, discards" "$tools/map-random" --seed 3003360 --step 2799 --count 2
  part "random fabrics: a seed that failed once, a place" "$tools/map-random" --seed 9000009 --count 1
  part "generated programs: broken cases do not crash them" hostile_program
  part "operations as C: as the interpreter evaluates them" "$tools/spell-check" $compilers
  part "RTL operations in Verilator: the host's arithmetic" sh spec-tests/tools/rtl_units.sh verilator "$build" 300
  part "RTL operations pipelined and serial: likewise" sh spec-tests/tools/rtl_units.sh stages "$build" 200 5 f32
  # With 11 a divider of 16 bits goes by radix 4, others by radix 2 or as an array.
  part "RTL dividers with their real latency: likewise" sh spec-tests/tools/rtl_units.sh own "$build" 100 f16 f64
  part "RTL dividers in 11 steps: likewise" sh spec-tests/tools/rtl_units.sh stages "$build" 200 11 int
  part "RTL operations: levels of gates as timing.def says" sh spec-tests/tools/rtl_levels.sh "$loom" "$scratch/levels"
  part "area: as Yosys synthesises" sh spec-tests/tools/area_check.sh "$loom" "$scratch/area"
  part "RTL operations: broken modules are noticed" sh spec-tests/tools/rtl_units.sh broken "$build"
  part "RTL operations in Icarus: the host's arithmetic" sh spec-tests/tools/rtl_units.sh icarus "$build" 100 f16
  part "RTL operations read by Yosys: likewise, no latch" sh spec-tests/tools/rtl_units.sh yosys "$build" 100 f16
  part "RTL of shared operators in Icarus: each unit" sh spec-tests/tools/rtl_shared.sh "$loom" "$scratch/rtl-shared"
  part "RTL of the manual's fabrics in Icarus: same cycles" sh $rtl chapters "$loom" "$scratch/rtl" spec-tests/58-machine.md
  part "RTL: no warning of Verilator's lint" sh $rtl lint "$loom" "$scratch/rtl" spec-tests/58-machine.md
  part "RTL of loom_flow in Icarus: as loom_firing.h says" sh spec-tests/tools/rtl_flow.sh "$build" "$scratch/rtl-flow"
  part "RTL of random machines in Icarus: same cycles" sh spec-tests/tools/rtl_random.sh icarus "$build" "$scratch/rtl-random" \
    "${RTL_RANDOM_COUNT:-40}" 1
  part "RTL of random machines: no lint warning" sh spec-tests/tools/rtl_random.sh lint "$build" "$scratch/rtl-lint" 2 910033
  part "RTL of random machines in Verilator: same cycles" sh spec-tests/tools/rtl_random.sh verilator "$build" "$scratch/rtl-random" \
    "${RTL_RANDOM_VERILATOR:-2}" 1003
  part "RTL of a golden kernel in Icarus: same cycles" sh $rtl golden "$loom" "$scratch/rtl"
  part "RTL with slow, pausing, wrong hosts in Icarus" sh $rtl hosts "$loom" "$scratch/rtl"
  part "RTL with a broken image or module: noticed" sh $rtl broken "$loom" "$scratch/rtl"
  part "RTL by loom sim --engine verilator, also broken" sh $rtl engine "$loom" "$scratch/rtl"
  part "RTL with replaced library modules in Icarus" sh spec-tests/tools/rtl_replaced.sh "$loom" "$scratch/rtl-replaced"
  part "RTL in Yosys: cells, block RAM, gates agree" sh $rtl synth "$loom" "$scratch/rtl"
  part "RTL in Yosys: no combinational loops" sh spec-tests/tools/rtl_loops.sh "$loom" "$scratch/rtl-loops"
  part "RTL of a tile on an iCE40: placed, its clock" sh $rtl place "$loom" "$scratch/rtl"
  part "system: driver on the simulator, faults of the bus" sh spec-tests/tools/system.sh simulator "$loom" "$scratch/system"
  part "system: memory in Verilator against C++; broken" sh spec-tests/tools/system.sh memory "$loom" "$scratch/system-memory" 60
  part "system: a small one in Yosys" sh spec-tests/tools/system.sh synth "$loom" "$scratch/system-synth"
  part "RTL components: properties proved by Yosys" sh spec-tests/tools/rtl_formal.sh prove "$scratch/formal"
  part "recipes of Changing LOOM: followed in a copy" sh spec-tests/tools/recipes.sh "$scratch/recipes"
  part "plugins: other compilers, installation, damaged" sh spec-tests/plugins/check.sh "$build"
  part "out of memory: at every allocation" "$tools/fail-alloc" --every "${FAIL_ALLOC_EVERY:-1}" "$loom" golden/dot
  part "RTL of a fabric: its ports proved" sh spec-tests/tools/rtl_formal.sh fabric "$scratch/formal-fabric" "$loom"
  part "proofs: graphs broken in one place are refused" "$tools/mutate" --count "${MUTATE_COUNT:-100}" $kernels
  part "hostile names: no file outside, no control bytes" sh spec-tests/tools/hostile_names.sh "$loom"
  part "full disk, closed descriptors: told, nothing half" sh spec-tests/tools/disk_full.sh "$loom"
  part "plugins: damaged files are refused" "$tools/plugin-files" "$loom" "$build/plugins/dot.so"
  part "broken graphs: code ends as the simulator does" "$tools/mutate" --jit --count "${MUTATE_JIT_COUNT:-2}" \
    golden/dot golden/gcd golden/bfs golden/zero_trips golden/collatz golden/prefix_sum golden/welford
}

# lane NAME [TITLES]: the parts that are its, of those titles, and how many checks passed, failed and were skipped.
lane() {
  scratch=$scratch/$1 takes=${2:-}
  mkdir "$scratch"
  passed=0 failed=0 skipped=0 number=0 nth=0
  all_parts
  echo "$passed $failed $skipped" >"$scratch/sum"
}

case $mode in
check)
  ONLY='^(manual|golden kernels: ref|golden traces: ref|random programs|random machines: same|golden kernels on hardware: mach)'
  FUZZ_COUNT=300 MACHINES_COUNT=60 MACHINES_CC=6
  hardware="golden/dot golden/gcd golden/histogram golden/merge_sort golden/spmv_csr golden/matvec"
  ;;
*) hardware=$kernels ;;
esac

claims=$scratch/claims
mkdir "$claims"
total='' number=0 nth=0
all_parts
total=$nth
lane left &
lane right &
# These wait for others most of their time: a browser, a cluster's heartbeats.
lane third '^(view: pages|explore: on a Slurm)' &
wait

passed=0 failed=0 skipped=0
for side in left right third; do
  p=0 f=1 s=0 # of a lane that did not come to its end
  [ ! -f "$scratch/$side/sum" ] || read -r p f s <"$scratch/$side/sum"
  passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
done
printf '%d passed, %d failed' $passed $failed
[ $skipped -eq 0 ] || printf ', %d skipped' $skipped
echo
[ $failed -eq 0 ]
