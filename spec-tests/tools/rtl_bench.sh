#!/bin/sh
# rtl_bench.sh -- builds the RTL of a fabric for `make bench`: Verilator with -O3, C++ with -O3, and
# nobody watching the channels. Prints the program's name; nothing where there is no Verilator.
#
#     rtl_bench.sh LOOM FOLDER FABRIC
#
# What was built is kept in FOLDER until the RTL is another one.
set -u
loom=$1 folder=$2/$(basename "$3" .mlir) fabric=$3
command -v verilator >/dev/null || exit 0
rm -rf "$folder/new"
mkdir -p "$folder"
"$loom" emit verilog "$fabric" -o "$folder/new" >/dev/null || exit 1
if [ ! -x "$folder/kept/obj/sim" ] || ! diff -rq -x obj "$folder/new" "$folder/kept" >/dev/null; then
  rm -rf "$folder/kept"
  mv "$folder/new" "$folder/kept"
  echo "building the RTL of $3 with -O3 takes some minutes, once" >&2
  make -s -C "$folder/kept" obj/sim OPT=-O3 OBSERVE= >&2 || exit 1
fi
echo "$(cd "$folder/kept" && pwd)/obj/sim"
