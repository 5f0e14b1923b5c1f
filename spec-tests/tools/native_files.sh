#!/bin/sh
# native_files.sh -- which files the native engines open, run and leave behind.
#
#     spec-tests/tools/native_files.sh build/loom      the last line is: N passed, N failed
#
# jit must work where nothing but the binary is, so a run under opened.c may open the kernel, the
# case, and nothing else. cc keeps kernels: what is kept is used, what is broken is made again, runs
# at once do not disturb each other, nothing from the working folder is executed, and the folder
# does not grow for ever.
set -u
. "$(dirname "$0")/lib.sh"
loom=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
root=$(realpath "$here/../..")
cc=${CC:-cc}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
# ccache, where `cc` is it, would leave files of its own where HOME is.
export XDG_CACHE_HOME="$work/cache" ASAN_OPTIONS=verify_asan_link_order=0 CCACHE_DISABLE=1
said=said

says() { grep -q "$1" said; }
says_not() { ! grep -q "$1" said; }
kept() { find cache/loom -name '*.so' | wc -l; }
leftovers() { find cache/loom -mindepth 1 ! -name '*.so' | wc -l; }
kernel=$root/golden/dot/kernel.mlir
run_on() { "$loom" run "$kernel" --case "$root/golden/dot/case.json" --stats --engine "$@" >said 2>&1; }

# ---- jit ----------------------------------------------------------------------------------------

"$cc" -shared -fPIC -o opened.so "$here/opened.c" -ldl || exit 1
OPENED_LOG=$work/log LD_PRELOAD=$work/opened.so run_on jit
check "jit runs under the watch" says "PASS @dot on jit"
check "the watch sees what is opened" grep -q 'golden/dot/case.json$' log
check "jit opens nothing but its input" \
  sh -c "! grep -v -e 'golden/dot/kernel.mlir\$' -e 'golden/dot/case.json\$' -e '^/proc/' -e '^/sys/' -e '^/dev/urandom$' log"
mkdir empty
(cd empty && env -i "$loom" run "$kernel" --case "$root/golden/dot/case.json" --engine jit) >said 2>&1
check "jit needs no environment" says "PASS @dot on jit"

# ---- cc -----------------------------------------------------------------------------------------

run_on cc
check "cc runs" says "PASS @dot on cc"
check "cc compiles first" says "compiled in"
check "one kernel is kept" test "$(kept)" = 1
check "nothing else is left" test "$(leftovers)" = 0
check "the cache is for the user alone" test "$(stat -c %a cache/loom)" = 700
run_on cc
check "what is kept is found" says "loaded from the cache in"

so=$(find cache/loom -name '*.so')
cp "$so" whole
for size in 0 1 100 4096 $(($(stat -c %s whole) - 1)); do
  head -c "$size" whole >"$so"
  run_on cc
  check "a kernel cut to $size bytes is made again" says "compiled in"
  check "and runs" says "PASS @dot on cc"
done
(head -c 3000 whole && printf 'x' && tail -c +3002 whole) >"$so"
run_on cc
check "a changed kernel is made again" says "compiled in"
run_on cc
check "and kept" says "loaded from the cache in"
rm "$so" && mkdir "$so"
run_on cc
check "something else under its name does no harm" says "PASS @dot on cc"
rm -rf cache

for i in 1 2 3 4 5 6 7 8; do
  "$loom" run "$kernel" --case "$root/golden/dot/case.json" --engine cc >"at-once.$i" 2>&1 &
done
wait
check "eight runs at once" test "$(cat at-once.* | grep -c 'PASS @dot on cc')" = 8
check "keep one kernel" test "$(kept)" = 1
check "and leave nothing else" test "$(leftovers)" = 0

chmod 777 cache/loom
run_on cc
check "a folder that other users may write to to is refused" says "RT_CC_CACHE"
check "and the run goes on" says "PASS @dot on cc"
rm -rf cache
ln -s "$work/elsewhere" cache.loom && mkdir elsewhere cache && mv cache.loom cache/loom
run_on cc
check "so is a link" says "RT_CC_CACHE"
rm -rf cache elsewhere
: >cache
run_on cc
check "so is a file" says "RT_CC_CACHE"
rm cache

# A kernel runs with the rights of the user: others may not have had a hand in it.
run_on cc
so=$(find cache/loom -name '*.so')
cp "$so" whole
chmod 755 cache/loom && chmod 777 "$so" && touch -d '2 days ago' "$so"
run_on cc
check "a kernel that others may write is made again" says "compiled in"
check "and is the user's alone" test "$(stat -c %a "$so")" = 700
check "the folder, too, again" test "$(stat -c %a cache/loom)" = 700
rm "$so" && ln -s "$work/whole" "$so"
run_on cc
check "a link to one is not followed" says "compiled in"
rm "$so" && mkfifo "$so"
timeout 3600 "$loom" run "$kernel" --case "$root/golden/dot/case.json" --stats --engine cc >said 2>&1
check "a pipe of its name does not make it wait" says "compiled in"
rm -rf cache
(umask 0 && run_on cc)
check "whatever the umask" test "$(stat -c %a cache/loom "$so" | tr '\n' ' ')" = "700 700 "
chmod 777 cache
run_on cc
check "a folder above that others may write is refused" says "RT_CC_CACHE.*other users may write to .*/cache "
check "what is kept below is not loaded" says "compiled in"
chmod 1777 cache
run_on cc
check "but not a sticky one" says "loaded from the cache in"
rm -rf cache
mkdir loose && chmod 777 loose
env -u XDG_CACHE_HOME -u HOME TMPDIR="$work/loose" "$loom" run "$kernel" --case "$root/golden/dot/case.json" \
  --engine cc >said 2>&1
check "nothing is compiled in a temporary folder that others may write" says "RT_CC_CACHE.*other users may write to"
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
  run_on cc
  chown 65534 "$so"
  run_on cc
  check "a kernel of another user is made again" says "compiled in"
  chown 65534 cache/loom
  run_on cc
  check "another user's folder is refused" says "RT_CC_CACHE"
  rm -rf cache
  chmod 755 "$work"
  mkdir -m 777 theirs
  as_nobody() {
    setpriv --reuid=65534 --regid=65534 --clear-groups env XDG_CACHE_HOME="$work/theirs/$1" "$loom" run \
      "$kernel" --case "$root/golden/dot/case.json" --engine cc --stats >said 2>&1
  }
  as_nobody one
  check "another user's cache is no better in a folder that others may write" says "RT_CC_CACHE.*other users may write to"
  check "and his kernel runs" says "PASS @dot on cc"
  chmod 1777 theirs
  as_nobody two
  check "in a sticky folder he has one" says "kept as .*/theirs/two/loom/"
  run_on cc
  rm -rf theirs/two/loom && cp -r cache/loom theirs/two/loom && chmod -R 755 theirs/two/loom
  as_nobody two
  check "but nobody else's" says "RT_CC_CACHE"
  mkdir -m 755 home && chown 65534:65534 home
  for variable in HOME XDG_CACHE_HOME; do
    env -u XDG_CACHE_HOME "$variable=$work/home" "$loom" run "$kernel" --case "$root/golden/dot/case.json" \
      --engine cc >said 2>&1
    check "root makes nothing in another user's $variable" test -z "$(ls -A home)"
    check "and says so" says "RT_CC_CACHE.*/home belongs to another user (65534)"
    check "the kernel runs all the same" says "PASS @dot on cc"
  done
else
  skip "kernels of another user: setpriv, and to be root, are needed"
fi
rm -rf cache

# Simulators of RTL likewise; here a Verilator that makes none, but a program that says that it ran.
if command -v make >/dev/null; then
  say() { printf '#include <stdio.h>\nint main(void) { puts("PASS"); fclose(fopen("%s", "w")); return 0; }\n' "$1"; }
  say "$work/ran" >ran.c && say "$work/executed" >executed.c
  "$cc" -o ran.exe ran.c && "$cc" -o executed.exe executed.c
  printf '#!/bin/sh\nmkdir -p obj\ncp %s/ran.exe obj/sim\n' "$work" >verilator
  chmod +x verilator
  cat >fifo.mlir <<'END'
fabric.module @top(%a: !fabric.bits<8>) -> (!fabric.bits<8>) {
  %b = fabric.fifo @f [depth = 1] (%a) : (!fabric.bits<8>) -> !fabric.bits<8>
  fabric.yield %b : !fabric.bits<8>
}
END
  echo '{"args": [{"stream": {"type": "i8", "data": [1, 2]}}]}' >fifo.json
  rtl() {
    rm -f ran executed
    LOOM_VERILATOR=$work/verilator "$loom" sim fifo.mlir --case fifo.json --engine verilator >said 2>&1
  }
  rtl
  check "a simulator is built, and runs" test -e ran
  kept=$(echo cache/loom/rtl-*)
  check "it is the user's alone" test "$(stat -c %a "$kept" "$kept/sim" | tr '\n' ' ')" = "700 700 "
  rm verilator
  rtl
  check "without Verilator there is none" says RT_RTL_MISSING
  printf '#!/bin/sh\nmkdir -p obj\ncp %s/ran.exe obj/sim\n' "$work" >verilator && chmod +x verilator
  for plant in 'chmod 777 "$kept/sim"' 'chmod 777 "$kept"' 'rm "$kept/sim" && ln -s "$work/executed.exe" "$kept/sim"'; do
    rm -rf cache
    rtl
    kept=$(echo cache/loom/rtl-*)
    [ -e "$kept/sim" ] && cat executed.exe >"$kept/sim"
    rtl
    check "a simulator of the user's own is run from there" test -e executed
    eval "$plant"
    rtl
    check "but not behind $plant" sh -c 'test -e ran && test ! -e executed'
  done
  rm -rf cache verilator
else
  skip "simulators of RTL: there is no make"
fi

printf '#!/bin/sh\ntouch %s/executed\nexec cc "$@"\n' "$work" >cc
cp cc gcc && cp cc clang && chmod +x cc gcc clang
PATH=.:$PATH run_on cc
check "a compiler in the working folder is passed over" test ! -e executed
check "for the next in PATH" says "PASS @dot on cc"
PATH=:. run_on cc
check "and never run" test ! -e executed
check "where there is no other" says "RT_CC_MISSING"
LOOM_CC=./cc run_on cc
check "nor named with a relative path" says "RT_CC_MISSING"
check "nothing of it was run" test ! -e executed
LOOM_CC=$work/cc run_on cc
check "with an absolute path it is run" test -e executed

# A compiler that fails keeps nothing, and sweeps what a killed run left, but not what may still run.
rm -rf cache && mkdir -p cache/loom/tmp.old/obj cache/loom/tmp.new && chmod 700 cache cache/loom
touch -d '2 hours ago' cache/loom/tmp.old
LOOM_CC=/bin/false run_on cc
check "what a killed run left goes with the next one" test ! -e cache/loom/tmp.old
check "what may still run stays" test -e cache/loom/tmp.new
rm -rf cache

mkdir -p cache/loom/tmp.old && chmod 700 cache/loom && touch cache/loom/tmp.old/kernel.c
touch -d '2 days ago' cache/loom/tmp.old
i=0
while [ $i -lt 2100 ]; do
  echo x >"cache/loom/old$i.so"
  i=$((i + 1))
done
touch -d '2 days ago' cache/loom/old*.so
rm -f cache/loom/[0-9a-f]*[0-9a-f].so
run_on cc
check "a crowded cache is thinned out" test "$(kept)" -le 1501
run_on cc
check "of the oldest" says "loaded from the cache in"
check "and of what dead runs left" test ! -e cache/loom/tmp.old

checks_end
