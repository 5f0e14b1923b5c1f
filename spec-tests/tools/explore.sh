#!/bin/sh
# explore.sh -- explorations: what they find, and that nothing changes it.
#
#     spec-tests/tools/explore.sh build/loom SCRATCH
#
# A grid of 240 points and two small kernels. Is the front of the run that prunes that of the run that does
# not, and has it pruned some? Is what each case takes never below its bound? Is what the database holds the same
# with other numbers of processes, after an interruption, after kill -9, and again? Does a full disk lose
# nothing? Is a point by itself the row that the run has? Does a mapping of the front run in the cycles that it
# has? Do rows as JSON, text, CSV and page say the same? Bounds raised by one: does the comparison notice?
set -u
. "$(dirname "$0")/lib.sh"
need "explorations" sqlite3
loom=$(realpath "$1") scratch=$2 tools=$(dirname "$(realpath "$0")")
rm -rf "$scratch"
mkdir -p "$scratch"
cd "$scratch" || exit 1

cat >sum.mlir <<'END'
func.func @sum(%a: memref<64xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %z = arith.constant 0 : i32
  %r = scf.for %i = %c0 to %c64 step %c1 iter_args(%s = %z) -> (i32) {
    %x = memref.load %a[%i] : memref<64xi32>
    %n = arith.addi %s, %x : i32
    scf.yield %n : i32
  }
  return %r : i32
}
END
cat >poly.mlir <<'END'
func.func @poly(%x: i32, %y: i32) -> i32 {
  %a = arith.muli %x, %x : i32
  %b = arith.muli %a, %y : i32
  %c = arith.addi %b, %x : i32
  return %c : i32
}
END
numbers=$(awk 'BEGIN { for (i = 0; i < 64; i++) printf "%s%d", i ? ", " : "", i }')
echo "{\"function\": \"sum\", \"args\": [{\"memref\": {\"shape\": [64], \"type\": \"i32\", \"data\": [$numbers]}}],
 \"expected\": {\"results\": [2016]}}" >sum.json
echo '{"function": "poly", "args": [{"scalar": {"type": "i32", "value": 5}}, {"scalar": {"type": "i32", "value": 3}}],
 "expected": {"results": [80]}}' >poly.json
plan() { # AXES MORE
  echo "{\"kernels\": [{\"file\": \"sum.mlir\", \"case\": \"sum.json\"}, {\"file\": \"poly.mlir\", \"case\": \"poly.json\"}],
 \"axes\": {$1, \"memories\": 1, \"inputs\": 4, \"outputs\": 2}$2}"
}
plan '"topology": ["mesh", "chess"], "rows": [2, 4], "cols": [3, 4], "tracks": [2, 3], "pe-fifo": ["none", "2", "4,bypassable"],
 "mem-latency": [1, 2, 3, 4, 8]' ', "wave": 8, "rounds": 400, "over": "worst"' >plan.json
plan '"rows": [4, 5], "cols": [4, 5], "tracks": [1, 2], "mem-latency": [1, 2], "pe-fifo": "4,bypassable"' ', "wave": 4' >small.json

explore() { "$loom" explore "$@" 2>said; }
contents() { sqlite3 "$1/explore.db" .dump; }
ask() { sqlite3 "$1/explore.db" "$2"; }
same() { # WHAT A B
  contents "$2" >a.sql; contents "$3" >b.sql
  cmp -s a.sql b.sql && pass || fail "$1: another database: $(diff a.sql b.sql | head -3)"
}

# The front, against that of a run that prunes nothing.
explore plan.json -o pruned >front.said && pass || fail "the run: $(cat said)"
explore plan.json -o whole --whole >/dev/null && pass || fail "the whole run: $(cat said)"
cmp -s pruned/front.csv whole/front.csv && pass || fail "pruning has lost some of the front: $(diff pruned/front.csv whole/front.csv)"
[ "$(ask pruned "SELECT count(*) FROM points WHERE status = 'pruned'")" -ge 20 ] && pass || fail "hardly a point was pruned"
[ "$(ask whole "SELECT count(*) FROM points WHERE status = 'pruned'")" = 0 ] && pass || fail "--whole has pruned"
[ "$(ask whole "SELECT count(*) FROM points WHERE status = 'mapped'")" -ge 60 ] && pass || fail "too few points were mapped"
[ "$(ask whole "SELECT count(*) FROM results WHERE cycles < bound")" = 0 ] && pass || fail "a case takes fewer cycles than its bound"
# Whoever was pruned reaches no less, in the whole run, than the point that beat it; and all of it by hand, in SQL.
[ "$(sqlite3 whole/explore.db "ATTACH 'pruned/explore.db' AS p; SELECT count(*) FROM p.points x JOIN points y USING (point)
  JOIN points z ON z.point = x.pruned_by WHERE x.status = 'pruned' AND y.status = 'mapped'
  AND NOT (z.area <= y.area AND z.cycles <= y.cycles AND x.cycles <= y.cycles)")" = 0 ] && pass || fail "pruned without a reason"
front='SELECT point FROM points a WHERE status = "mapped" AND NOT EXISTS (SELECT 1 FROM points b WHERE b.status = "mapped"
  AND b.area <= a.area AND b.cycles <= a.cycles AND (b.area < a.area OR b.cycles < a.cycles)) ORDER BY point'
[ "$(ask whole "$front")" = "$(ask whole "SELECT point FROM points WHERE front ORDER BY point")" ] && pass || fail "this is no front"
[ "$(ask whole "$front")" = "$(sed 1d pruned/front.csv | cut -d, -f1)" ] && pass || fail "the CSV is no front"
# A mutant: bounds that are too high lose a point of it, and that comparison says so.
LOOM_EXPLORE_BOUND=1000 explore plan.json -o mutant >/dev/null
cmp -s mutant/front.csv whole/front.csv && fail "bounds that are too high are not noticed" || pass

# Two loops in turn: the first gives 64 tokens, the sum of the second passes once in two cycles; so 64 + 128 and a few.
cat >turns.mlir <<'END'
func.func @turns(%a: memref<64xi32>, %t: memref<64xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %z = arith.constant 0 : i32
  scf.for %i = %c0 to %c64 step %c1 {
    %x = memref.load %a[%i] : memref<64xi32>
    memref.store %x, %t[%i] : memref<64xi32>
  }
  %r = scf.for %i = %c0 to %c64 step %c1 iter_args(%s = %z) -> (i32) {
    %x = memref.load %t[%i] : memref<64xi32>
    %n = arith.addi %s, %x : i32
    scf.yield %n : i32
  }
  return %r : i32
}
END
echo '{"function": "turns", "args": [{"memref": {"shape": [64], "type": "i32"}}, {"memref": {"shape": [64], "type": "i32"}}]}' >turns.json
echo '{"kernels": [{"file": "turns.mlir", "case": "turns.json"}], "axes": {"rows": 5, "cols": 5, "memories": 2, "mem-latency": [1, 9]}}' >in_turn.json
explore in_turn.json -o in_turn >/dev/null && pass || fail "loops in turn: $(cat said)"
[ "$(ask in_turn "SELECT count(*) FROM results WHERE bound BETWEEN 192 AND 192 + 40 AND bound <= cycles")" = 2 ] && pass ||
  fail "loops in turn take at the least: $(ask in_turn "SELECT bound FROM results")"

# Of the sum the carry and the addition take a cycle each, and the branch between them none: two cycles an iteration. They are in three
# PEs, so with buffers at all switches there are three routes of a cycle: five.
cat >gauss.mlir <<'END'
func.func @gauss(%z: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %r = scf.for %i = %c0 to %c64 step %c1 iter_args(%s = %z) -> (i32) {
    %x = arith.index_cast %i : index to i32
    %n = arith.addi %s, %x : i32
    scf.yield %n : i32
  }
  return %r : i32
}
END
echo '{"function": "gauss", "args": [{"scalar": {"type": "i32", "value": 0}}], "expected": {"results": [2016]}}' >gauss.json
echo '{"kernels": [{"file": "gauss.mlir", "case": "gauss.json"}], "axes": {"topology": "mesh", "rows": 4, "cols": 4, "inputs": 4,
  "outputs": 2, "sw-buffer": ["none", "full"]}}' >buffers.json
explore buffers.json -o buffers >/dev/null && pass || fail "buffers: $(cat said)"
[ "$(ask buffers "SELECT count(*) FROM results WHERE bound BETWEEN 64 * (2 + 3 * point) AND 64 * (2 + 3 * point) + 40 AND bound <= cycles")" = 2 ] && pass ||
  fail "with buffers it takes at the least: $(ask buffers "SELECT point, bound, cycles FROM results")"

# Time: no longer chain than there must be, nor with shorter chains fewer cycles than their registers take.
plan '"topology": ["mesh", "chess"], "rows": 4, "cols": [3, 4], "tracks": [2, 3], "pe-fifo": ["none", "2", "4,bypassable"], "sw-buffer": ["none", "full"]' \
  ', "wave": 6, "rounds": 400, "objectives": ["area", "time"]' >timed.json
explore timed.json -o timed >/dev/null && explore timed.json -o timed_whole --whole >/dev/null && pass || fail "time: $(cat said)"
cmp -s timed/front.csv timed_whole/front.csv && pass || fail "time: pruning has lost some of the front"
[ "$(ask timed "SELECT count(*) FROM points WHERE status = 'pruned' AND chain > 1 AND time > cycles")" -ge 8 ] && pass || fail "by time hardly a point was pruned"
[ "$(sqlite3 timed_whole/explore.db "ATTACH 'timed/explore.db' AS p; SELECT count(*) FROM p.points x JOIN points y USING (point)
  WHERE x.status = 'pruned' AND y.status = 'mapped' AND (x.time > y.time OR x.chain > y.chain)")" = 0 ] && pass || fail "a point takes less time than its bound"
LOOM_EXPLORE_BOUND=1000 explore timed.json -o timed_mutant >/dev/null
cmp -s timed_mutant/front.csv timed_whole/front.csv && fail "times: bounds that are too high are not noticed" || pass

# The page, in a browser.
browser=$(command -v chromium || command -v google-chrome)
if [ -n "$browser" ] && command -v node >/dev/null; then
  node "$tools/explore_page.js" "$browser" . "$(pwd)/pruned/index.html" \
    "$(ask pruned "SELECT count(*) FROM points WHERE status = 'mapped'")" "$(ask pruned "SELECT count(*) FROM points WHERE front")" \
    >page.said 2>&1 && pass || fail "the page: $(cat page.said)"
else
  skip "there is no browser, or no node: the page"
fi

# The same, whoever does it.
explore small.json -o one -j 1 --json >one.json && pass || fail "$(cat said)"
explore small.json -o three -j 3 --json >three.json
same "three processes" one three
cmp -s one.json three.json && pass || fail "--json depends on the number of processes"
[ "$(wc -l <one.json)" = "$(ask one "SELECT count(*) FROM points")" ] && pass || fail "--json has not a line for each point"
explore small.json -o "made by make" --executor make -j 2 >/dev/null && pass || fail "by make: $(cat said)"
same "make" one "made by make"
for tick in 1 4 9; do LOOM_INTERRUPT=$tick explore small.json -o interrupted >/dev/null; done
grep -q 'interrupted while exploring points' said && pass || fail "an interruption: $(cat said)"
[ "$(ask interrupted "SELECT count(*) FROM points")" -ge 14 ] && pass || fail "an interruption has lost points"
explore small.json -o interrupted >/dev/null
same "an interruption" one interrupted
for wait in 0.05 0.1 0.15; do
  "$loom" explore small.json -o killed -j 2 >/dev/null 2>&1 & victim=$!
  sleep $wait
  kill -9 $victim 2>/dev/null
  wait $victim 2>/dev/null
done
explore small.json -o killed >/dev/null || fail "after kill -9: $(cat said)"
same "kill -9" one killed
explore small.json -o one >/dev/null && same "again" one three

# One point by itself, its files, and the same cycles as in a simulation of them.
"$loom" explore small.json --point "$(ask one "SELECT max(point) FROM points WHERE status = 'mapped'")" >row.json
grep -qxF "$(cat row.json)" one.json && pass || fail "a point by itself is another: $(cat row.json)"
best=$(sed -n 2p one/front.csv | cut -d, -f1)
cycles=$("$loom" sim "one/points/$best/sum.map.json" --case sum.json | sed -n 's/ cycles$//p')
[ "${cycles:-0}" = "$(ask one "SELECT cycles FROM results WHERE kernel = 'sum' AND point = $best")" ] && pass || fail "sum takes ${cycles:-no} cycles"
# Killed, as by a machine without memory: it has no row, and says so. On a busy machine it may be done before that.
for try in 1 2 3 4 5; do
  "$loom" explore plan.json --point 1 >row.json 2>said & victim=$!
  until worker=$(cat /proc/$victim/task/$victim/children 2>/dev/null) && [ "$worker" ] || ! kill -0 $victim 2>/dev/null; do :; done
  kill -9 $worker 2>/dev/null
  wait $victim || break
done
grep -q 'point 1: its process was killed' said && [ ! -s row.json ] && pass || fail "a point that was killed: $(cat said)"
area=$("$loom" adg show "one/points/$best/fabric.mlir" --json | tr ',{}' '\n' | sed -n 's/^ *"area": \([0-9]*\)$/\1/p' | awk '{ n += $1 } END { print n }')
[ "$area" = "$(ask one "SELECT area FROM points WHERE point = $best")" ] && pass || fail "the fabric has an area of $area"

# Levels of lowering as an axis: the rows of a call with that level; and what repeats a point says so.
cat >total.mlir <<'END'
func.func @total(%a: memref<64xi32>, %t: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    %x = memref.load %a[%i] : memref<64xi32>
    %s = memref.load %t[%c0] : memref<1xi32>
    %n = arith.addi %s, %x : i32
    memref.store %n, %t[%c0] : memref<1xi32>
  }
  return
}
END
echo "{\"function\": \"total\", \"args\": [{\"memref\": {\"shape\": [64], \"type\": \"i32\"}}, {\"memref\": {\"shape\": [1], \"type\": \"i32\"}}]}" >total.json
level() { echo "{\"kernels\": [{\"file\": \"total.mlir\", \"case\": \"total.json\"}], \"axes\": {\"rows\": 5, \"cols\": 5$1}}"; }
level ', "O": [0, 1]' >levels.json
level '' >level.json
{ explore levels.json -o levels && explore level.json -o level1 -O1 && explore level.json -o level0; } >/dev/null && pass || fail "levels: $(cat said)"
for level in 0 1; do
  [ "$(ask levels "SELECT kernel, bound, cycles FROM results WHERE point = $level")" = "$(ask level$level "SELECT kernel, bound, cycles FROM results")" ] &&
    pass || fail "level $level is not that of -O$level"
done
[ "$(ask levels "SELECT count(DISTINCT cycles) FROM results")" = 2 ] && pass || fail "both levels take the same cycles"
[ "$(ask level1 "SELECT command FROM points")" = "loom explore level.json --point 0 -O1" ] && pass || fail "the command has another level"
explore level.json -o level1 >/dev/null
grep -q 'results of another plan' said && pass || fail "another level: $(cat said)"

# -O2: pruned or not the same front; on each fabric the program that loom map chooses, in the cycles that the machine takes.
cat >rows.mlir <<'END'
func.func @rows(%a: memref<8x16xi32>, %s: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant 0 : i32
  scf.for %i = %c0 to %c8 step %c1 {
    %r = scf.for %j = %c0 to %c16 step %c1 iter_args(%t = %z) -> (i32) {
      %x = memref.load %a[%i, %j] : memref<8x16xi32>
      %n = arith.addi %t, %x : i32
      scf.yield %n : i32
    }
    memref.store %r, %s[%i] : memref<8xi32>
  }
  return
}
END
echo '{"function": "rows", "args": [{"memref": {"shape": [8, 16], "type": "i32"}}, {"memref": {"shape": [8], "type": "i32"}}]}' >rows.json
echo '{"kernels": [{"file": "rows.mlir", "case": "rows.json"}], "wave": 2,
 "axes": {"rows": [6, 3], "cols": 6, "tracks": [3, 2], "memories": 2, "loads": 2, "mem-latency": 1, "O": [1, 2]}}' >copies.json
{ explore copies.json -o copies && explore copies.json -o copies_whole --whole; } >/dev/null && pass || fail "-O2: $(cat said)"
cmp -s copies/front.csv copies_whole/front.csv && pass || fail "-O2: pruning has lost some of the front"
[ "$(ask copies_whole "SELECT count(*) FROM results WHERE loops LIKE '%copies of the loop%'")" -ge 2 ] && pass || fail "-O2 makes no copies"
[ "$(ask copies_whole "SELECT count(*) FROM results a JOIN results b ON b.point = a.point + 1 WHERE a.point % 2 = 0
  AND a.status = 'mapped' AND (b.status != 'mapped' OR b.cycles > a.cycles)")" = 0 ] && pass || fail "-O2 is slower than -O1"
best=$(ask copies_whole "SELECT point FROM points JOIN results USING (point) WHERE front AND loops LIKE '2 copies%' LIMIT 1")
loops=$("$loom" map rows.mlir -O2 --case rows.json --adg "copies_whole/points/$best/fabric.mlir" -o copied | sed -n 1p)
case $loops in "$(ask copies_whole "SELECT loops || ': ' || cycles FROM results WHERE point = $best") cycles"*) pass ;; *) fail "-O2: loom map says $loops" ;; esac
[ "$("$loom" sim "copies_whole/points/$best/rows.map.json" --case rows.json | sed -n 's/ cycles$//p')" = "$(ask copies_whole "SELECT cycles FROM results WHERE point = $best")" ] &&
  pass || fail "-O2: its mapping takes other cycles"

# Kernels of C, for which a plugin is loaded: once.
if command -v clang >/dev/null; then
  echo 'int twice(int x) { return 2 * x; }' >twice.c
  echo 'int minus(int x) { return -x; }' >minus.c
  one_case() { echo "{\"function\": \"$1\", \"args\": [{\"scalar\": {\"type\": \"i32\", \"value\": 4}}], \"expected\": {\"results\": [$2]}}" >$1.json; }
  one_case twice 8
  one_case minus -4
  echo '{"kernels": [{"file": "twice.c", "case": "twice.json"}, {"file": "minus.c", "case": "minus.json"}], "axes": {"rows": [2, 3], "cols": 3}}' >c.json
  explore c.json -o c >/dev/null && pass || fail "kernels of C: $(cat said)"
  [ "$(ask c "SELECT count(*) FROM results WHERE status = 'mapped'")" -ge 2 ] && pass || fail "kernels of C are not mapped"
  "$loom" specialise twice.c minus.c --case twice.json --case minus.json --adg small --steps 1 -o c.mlir >/dev/null 2>said && pass || fail "kernels of C: $(cat said)"
else
  skip "there is no clang: kernels of C"
fi

# A disk that is full: said, and nothing lost.
( ulimit -f 40; explore small.json -o full -j 1 >/dev/null )
grep -q 'EXPLORE_STORE\|COMP_FILE_WRITE' said && pass || fail "a full disk: $(cat said)"
explore small.json -o full >/dev/null || fail "after a full disk: $(cat said)"
same "a full disk" one full

# Too few file descriptors for a process of its own: an error is never silent.
echo '{"kernels": [{"file": "poly.mlir", "case": "poly.json"}], "axes": {"rows": 2, "cols": 2}}' >one_point.json
for n in 12 10 9 8 7 6; do
  ( ulimit -n $n; exec "$loom" explore one_point.json -o few$n ) >/dev/null 2>said || [ -s said ] && pass || fail "$n descriptors: no message"
done

# Two at once, and a folder of something else.
"$loom" explore plan.json -o busy >/dev/null 2>&1 & victim=$!
until [ -e busy/explore.db ] || ! kill -0 $victim 2>/dev/null; do sleep 0.02; done # it is opened behind the lock
kill -STOP $victim
explore plan.json -o busy >/dev/null
kill -9 $victim
wait $victim 2>/dev/null
grep -q 'another loom explore is using this folder' said && pass || fail "two at once: $(cat said)"
explore plan.json -o one >/dev/null
grep -q 'results of another plan' said && pass || fail "another plan: $(cat said)"
echo 'rows 2' >board.adg
echo '{"kernels": [{"file": "poly.mlir", "case": "poly.json"}], "axes": {"fabric": "board.adg"}}' >board.json
explore board.json -o board >/dev/null && pass || fail "a description: $(cat said)"
echo 'rows 3' >board.adg
explore board.json -o board >/dev/null
grep -q 'results of another plan' said && pass || fail "another fabric: $(cat said)"
echo 'fabric.function_unit @addi(%a: i32, %b: i32) -> (i32) [latency = 1, interval = 1] {
  %s = arith.addi %a, %b : i32
  fabric.yield %s : i32
}' >units.fu
echo '{"kernels": [{"file": "poly.mlir", "case": "poly.json"}], "axes": {"rows": 2, "cols": 2, "fu": "./units.fu"}}' >units.json
explore units.json -o units >/dev/null # no kernel maps onto an adder alone
[ $? = 3 ] && pass || fail "a file of units: $(cat said)"
sed -i 's/latency = 1/latency = 2/' units.fu
explore units.json -o units >/dev/null
grep -q 'results of another plan' said && pass || fail "other units: $(cat said)"
LOOM_INDEX_WIDTH=64 explore board.json -o one_width >/dev/null && pass || fail "another width of index: $(cat said)"
explore board.json -o one_width >/dev/null
grep -q 'results of another plan' said && pass || fail "another width of index, and its results: $(cat said)"
# A plan whose name is like an option, on processes that are called by it.
cp board.json ./-board.json && explore -o dash --executor make -- -board.json >/dev/null && pass || fail "a plan -board.json: $(cat said)"
# A row that somebody has cut short.
explore board.json -o cut >/dev/null && sqlite3 cut/explore.db "UPDATE points SET row = json_set(json_remove(row, '$.code'), '$.status', 'failed')"
explore board.json -o cut >/dev/null
[ $? = 5 ] && grep -q 'has a row that loom explore did not write' said && pass || fail "a row without a code: $(cat said)"
# Points that do not say of which plan they are.
explore board.json -o lost >/dev/null && sqlite3 lost/explore.db "DELETE FROM plan"
explore units.json -o lost >/dev/null
[ $? = 5 ] && grep -q 'results of another plan' said && pass || fail "points without their plan: $(cat said)"
explore board.json -o minus >/dev/null && sqlite3 minus/explore.db "UPDATE points SET row = json_set(row, '$.cycles', -1.5)"
explore board.json -o minus >/dev/null
[ $? = 5 ] && grep -q 'has a row that loom explore did not write' said && pass || fail "a row of negative cycles: $(cat said)"
# A folder whose name is no UTF-8.
odd=$(printf 'f\377')
mkdir "$odd" && cp poly.mlir poly.json board.adg board.json "$odd" && explore "$odd/board.json" -o odd >/dev/null && pass || fail "no UTF-8: $(cat said)"
[ "$(ask odd 'SELECT count(*) FROM points WHERE code = "EXPLORE_POINT"')" = 0 ] && pass || fail "no UTF-8: $(ask odd 'SELECT message FROM points')"
npy() { "$loom" run total.mlir --args "[$1 x 64], [0]" --out-dir total >/dev/null; } # total/t.npy
echo '{"function": "total", "args": [{"memref": {"shape": [64], "type": "i32"}}, {"memref": {"type": "i32", "data": {"npy": "total/t.npy"}}}]}' >total.json
npy 1 && explore level.json -o npy >/dev/null && explore level.json -o npy >/dev/null && pass || fail "a case with a .npy file: $(cat said)"
npy 2 && explore level.json -o npy >/dev/null
grep -q 'results of another plan' said && pass || fail "another .npy file: $(cat said)"
checks_end
