# lib.sh -- counted checks, for the scripts of the tests: `. "$(dirname "$0")/lib.sh"`.
#
# A script sets `said`, a file with what programs said, shown where a check fails; and `checked`, where
# what `check` runs may write (the same, or another file). Its last line is `checks_end`.
passed=0 failed=0 skipped=0
said=/dev/null checked=/dev/null

pass() { passed=$((passed + 1)); }

fail() {
  failed=$((failed + 1))
  echo "FAIL $*"
  for shown in "$checked" "$said"; do
    [ ! -s "$shown" ] || tail -n 12 "$shown" | sed 's/^/    /'
    [ "$checked" != "$said" ] || break
  done
}

# check WHAT COMMAND...: it ends well
check() {
  what=$1
  shift
  if "$@" >"$checked" 2>&1; then pass; else fail "$what"; fi
}

skip() {
  skipped=$((skipped + 1))
  echo "SKIP $*"
}

is() { [ "$1" = "$2" ] || { echo "'$1' is not '$2'"; false; }; }

checks_end() {
  printf '%d passed, %d failed' $passed $failed
  [ $skipped -eq 0 ] || printf ', %d skipped' $skipped
  echo
  [ $failed -eq 0 ]
}

# need WHAT TOOL...: else that is all
need() {
  untried=$1
  shift
  for tool; do
    command -v "$tool" >/dev/null && continue
    skip "$tool is not installed: $untried"
    checks_end
    exit 0
  done
}

# files FOLDER MODULE...: of the folder's those that they are made of, and no others: what else is read takes time,
# and changes how Yosys numbers things, and so now and then a level of what abc makes of them.
files() {
  awk '
    function look(module, file, line) {
      file = ARGV[1] "/" module ".sv"
      if (seen[file]++) return
      while ((getline line < file) > 0) {
        if (!found[file]++) print file
        sub("//.*", "", line)
        while (match(line, /[a-z][a-z0-9_]*/)) {
          module = substr(line, RSTART, RLENGTH)
          line = substr(line, RSTART + RLENGTH)
          look(module)
        }
      }
    }
    BEGIN { for (i = 2; i < ARGC; i++) look(ARGV[i]) }' "$@" | sort | tr '\n' ' '
}

# synthesised FILES MODULE COMMANDS [PARAMETER VALUE]...: what Yosys says of a module, made of gates: synth -flatten, without
# the check and the count at its end. With FORGET set the names of wires inside are forgotten once all is flat, which every
# pass would look at again: a fifth less time, but Yosys numbers things otherwise, and so abc now and then makes a gate more.
synthesised() {
  files=$1 module=$2 commands=$3 set=
  shift 3
  while [ $# -gt 0 ]; do
    set="$set -set $1 $2"
    shift 2
  done
  yosys -p "read_verilog -sv ${DEFER:-} -DSYNTHESIS $files; ${set:+chparam $set $module;}
    ${FORGET:+hierarchy -check -top $module; proc; flatten; opt_clean -purge; rename -top $module;}
    synth -flatten -noabc -top $module -run begin:check; abc -fast $commands" 2>&1
}
