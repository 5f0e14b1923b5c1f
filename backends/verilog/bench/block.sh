# block.sh -- Verilator, of a block: without the files of what is around it, test bench, fabric and tiles. To read those
# takes longer than most blocks do.
#
#     block.sh VERILATOR FABRIC -f ARGUMENTS
#
# And of what is around all blocks, without reordering statements: the test bench is one process of thousands of them, on
# which that takes minutes.
#
# Verilator's makefile calls it for each of two files that come of a block, at once where it may: the second waits, and finds all done.
verilator=$1 fabric=$2 arguments=$4
if command -v flock >/dev/null; then
  exec 9>"$arguments.lock"
  flock 9
fi
if ! grep -q -e --lib-create "$arguments"; then
  exec "$verilator" -f "$arguments" -fno-reorder
fi
if grep -q "/rtl/$fabric\.sv\$" "$arguments"; then
  sed -i -e '/\/tb\/tb\.sv$/d' -e '/\/rtl\/tile_[^/]*\.sv$/d' -e "/\/rtl\/$fabric\.sv\$/d" "$arguments"
fi
exec "$verilator" -f "$arguments"
