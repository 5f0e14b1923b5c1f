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

# check WHAT COMMAND...: passes if the command exits with 0
check() {
  what=$1
  shift
  if "$@" >"$checked" 2>&1; then pass; else fail "$what"; fi
}

skip() {
  skipped=$((skipped + 1))
  echo "SKIP $*"
}

# is A B: whether two strings are the same
is() { [ "$1" = "$2" ] || { echo "'$1' is not '$2'"; false; }; }

checks_end() {
  printf '%d passed, %d failed' $passed $failed
  [ $skipped -eq 0 ] || printf ', %d skipped' $skipped
  echo
  [ $failed -eq 0 ]
}

# need WHAT TOOL...: ends the script as skipped, saying WHAT is not checked, if a program is not installed
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

# files FOLDER MODULE...: the files of the folder that the modules instantiate, and no others: other files take time to
# read and change how Yosys numbers cells, which sometimes changes the depth of what abc makes.
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

# synthesised FILES MODULE COMMANDS [PARAMETER VALUE]...: what Yosys prints when it synthesises a module into gates (synth
# -flatten, without the check and the statistics at its end). With FORGET set the names of inner wires are removed after
# flattening, because every pass visits them: this takes a fifth less time, but Yosys numbers cells differently then, and abc
# sometimes makes one gate more.
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
