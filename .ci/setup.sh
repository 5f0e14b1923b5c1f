#!/bin/sh
# setup.sh -- checks for what building and testing LOOM needs: a C compiler, make, the headers of
# jansson (reads cases) and xxHash (hashes token histories), libtcc (compiles kernels in memory), and isl
# with gmp (integer sets: which accesses of a memory may meet); the last three are linked statically.
# With `test`, also for what tests of hardware need. Silent when all is there.
# What is missing is installed with apt-get where this user may do that; otherwise the packages are
# named and the status is 1. Needs no terminal and asks nothing.
set -u

cc=${CC:-cc}
missing=

# The preprocessor finds headers wherever the compiler looks, not only in /usr/include.
has_header() {
  printf '#include <stdio.h>\n#include <%s>\n' "$1" | "$cc" -E - >/dev/null 2>&1
}

if command -v "$cc" >/dev/null 2>&1; then
  has_header stdlib.h || missing="$missing libc6-dev"
  has_header jansson.h || missing="$missing libjansson-dev"
  has_header xxhash.h || missing="$missing libxxhash-dev"
  has_header libtcc.h || missing="$missing libtcc-dev"
  has_header isl/ctx.h || missing="$missing libisl-dev"
  has_header gmp.h || missing="$missing libgmp-dev"
else
  missing=" gcc libc6-dev libjansson-dev libxxhash-dev libtcc-dev libisl-dev libgmp-dev"
fi
command -v make >/dev/null 2>&1 || missing="$missing make"

# What only some tests need: the Verilog that LOOM writes is simulated (verilator, with g++; iverilog)
# synthesised (yosys) and placed (nextpnr-ice40), the C is compiled by tcc too; and ccache compiles the same C++ of Verilator but
# once. Databases are asked by sqlite3, which brings the library that
# loom explore opens. Pages are looked at in a browser; C is read by clang and LLVM. Where these are not there and cannot
# be installed, tests are skipped, or take longer.
wanted=
if [ "${1:-}" = test ]; then
  for tool in verilator iverilog yosys g++ tcc ccache chromium cmark-gfm; do
    command -v $tool >/dev/null 2>&1 || wanted="$wanted $tool"
  done
  command -v nextpnr-ice40 >/dev/null 2>&1 || wanted="$wanted nextpnr-ice40 fpga-icestorm"
  for tool in slurmctld slurmd munge; do
    command -v $tool >/dev/null 2>&1 || wanted="$wanted $tool"
  done
  command -v sbatch >/dev/null 2>&1 || wanted="$wanted slurm-client"
  command -v sqlite3 >/dev/null 2>&1 || wanted="$wanted sqlite3"
  command -v node >/dev/null 2>&1 || wanted="$wanted nodejs"
  has_header graphviz/gvc.h || wanted="$wanted libgraphviz-dev"
  command -v clang-19 >/dev/null 2>&1 || wanted="$wanted clang-19"
  command -v llvm-config-19 >/dev/null 2>&1 || wanted="$wanted llvm-19-dev"
fi

[ -z "$missing$wanted" ] && exit 0

as_root=
if [ "$(id -u)" -ne 0 ]; then
  if command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
    as_root="sudo -n"
  else
    as_root=no
  fi
fi

if [ "$as_root" = no ] || ! command -v apt-get >/dev/null 2>&1; then
  [ -z "$wanted" ] || echo "tests will be skipped or take longer, without:$wanted"
  [ -z "$missing" ] && exit 0
  echo "LOOM needs these packages (names as in Debian):$missing"
  echo "Install them, for example with:  sudo apt-get install$missing"
  exit 1
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
updated=
install_once() {
  # shellcheck disable=SC2086  # word splitting is meant
  $as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -q --no-install-recommends "$@" >>"$log" 2>&1 </dev/null
}
# Where it does not work at once, the lists of packages may be old.
install_all() {
  echo "installing: $*"
  install_once "$@" && return
  [ -n "$updated" ] || $as_root apt-get update -q >>"$log" 2>&1 </dev/null
  updated=yes
  install_once "$@"
}

# shellcheck disable=SC2086  # word splitting is meant
if [ -n "$missing" ] && ! install_all $missing; then
  tail -n 20 "$log"
  echo "apt-get could not install:$missing"
  exit 1
fi
# shellcheck disable=SC2086
if [ -n "$wanted" ] && ! install_all $wanted; then
  for package in $wanted; do # what there is
    install_once "$package" || echo "tests will be skipped or take longer, without: $package"
  done
fi
exit 0
