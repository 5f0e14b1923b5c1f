#!/bin/sh
# check.sh -- plugins as a stranger meets them: the header alone, an installed LOOM, folders, files.
#
#     spec-tests/plugins/check.sh build       N passed, N failed
#
# What single plugins do right or wrong is shown in chapters 65 and 97. This is about what needs
# more than one command: other compilers, another language, an installation, two processes at once,
# files too large for memory, and the drawings of all golden kernels.
set -u
cd "$(dirname "$0")/../.." || exit 1
root=$(pwd)
case $1 in /*) build=$1 ;; *) build=$root/$1 ;; esac
loom=$build/loom
here=$root/spec-tests/plugins
cc=${CC:-cc}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
. spec-tests/tools/lib.sh
said=$tmp/said checked=$tmp/said

has() { command -v "$1" >/dev/null 2>&1; }
lists() { "$@" backends --json | grep -q "\"id\": \"$want\""; }

warn="-Wall -Wextra -Wpedantic -Werror"
so="-shared -fPIC -fvisibility=hidden -I$root/plugins"

# alone EXTENSION COMPILER...: each header by itself; one of macros alone declares nothing, which ISO C does not allow
alone() {
  extension=$1
  shift
  for header in plugins/*.h; do
    printf '#include "%s"\ntypedef int only;\n' "${header##*/}" >"$tmp/only.$extension"
    "$@" -Iplugins -c "$tmp/only.$extension" -o "$tmp/only.o" || return
  done
}

# ---- headers alone, by every compiler there is ---------------------------------------------------
for compiler in "$cc" gcc clang; do
  has "$compiler" || continue
  for std in c99 c11; do
    # shellcheck disable=SC2086  # these are lists of options
    check "each header, $compiler -std=$std" alone c $compiler -std=$std $warn
    # shellcheck disable=SC2086
    check "dot.c, $compiler -std=$std" $compiler -std=$std $warn $so plugins/dot.c -o "$tmp/d.so"
  done
done
for compiler in c++ g++ clang++; do
  has "$compiler" || continue
  for std in c++11 c++17; do
    # shellcheck disable=SC2086
    check "each header, $compiler -std=$std" alone cc $compiler -std=$std $warn
    # shellcheck disable=SC2086
    check "a plugin in C++, $compiler -std=$std" $compiler -std=$std $warn $so "$here/words.cc" -o "$tmp/words.so"
  done
done
if has tcc; then check "each header, tcc" alone c tcc -Wall -Werror; fi
if [ -f "$tmp/words.so" ]; then
  check "the plugin in C++ runs" is \
    "$("$loom" emit --plugin "$tmp/words.so" words golden/dot/kernel.mlir | head -3 | tr '\n' ' ')" "x y x_dim0 "
fi

abi() { $cc -Iplugins "$here/abi.c" -o "$tmp/abi" && "$tmp/abi" | diff -u -F '^loom' "$here/abi-1.txt" -; }
# all_fields FILE: it has every field of the headers that LOOM and plugins are compiled with. (Generated code says itself
# which version of loom_kernel.h and loom_simulator.h it is of.)
all_fields() {
  for header in plugins/*.h; do
    case $header in */loom_kernel.h | */loom_simulator.h) ;; *) awk -f "$here/fields.awk" "$header" ;; esac
  done | while read -r field; do grep -qF "$field" "$1" || echo "$field"; done >"$tmp/missing"
  cat "$tmp/missing" && [ ! -s "$tmp/missing" ]
}
less_one() { grep -v 'FIELD(loom_unit, channel)' "$here/abi.c" >"$tmp/less.c" && ! all_fields "$tmp/less.c"; }
check "every field of the public structs is looked at" all_fields "$here/abi.c"
check "one that is not is noticed" less_one
if [ "$(getconf LONG_BIT)" = 64 ]; then check "no field of a public struct has moved" abi; fi

header() { "$loom" backends --header | cmp - plugins/loom_plugin.h; }
check "the binary gives out the header it was built with" header
headers() {
  "$loom" backends --headers "$tmp/headers" &&
    for header in plugins/*.h; do # loom_unpack.h is LOOM's own
      case $header in */loom_unpack.h) continue ;; esac
      cmp "$header" "$tmp/headers/${header##*/}" || return
    done
}
check "and all of them, into a folder" headers
: >"$tmp/file"
no_headers() { "$loom" backends --headers "$tmp/file/there"; [ $? -eq 5 ]; }
check "or says that it cannot" no_headers
short() { [ "$(wc -l <plugins/loom_plugin.h)" -lt 300 ] && [ "$(wc -l <plugins/line.c)" -lt 300 ] && [ "$(wc -l <plugins/dot.c)" -lt 400 ]; }
check "the header has less than 300 lines, and so has the front end to copy; the backend less than 400" short

# ---- the shipped backends are plugins like any other ----------------------------------------------
for object in "$build"/backends/*.so "$build"/plugins/*.so; do
  check "$(basename "$object") exports its entry and nothing else" is \
    "$(nm -D --defined-only "$object" | awk '$2 != "w" { print $3 }' | grep -v '^__[a-z_]*asan\|^__[a-z]*san_\|^_\(init\|fini\)$')" loom_plugin_entry
done
cp "$loom" "$tmp/alone" # no plugins beside it: what is built in
for kernel in dot matmul fft; do
  "$tmp/alone" emit csim golden/$kernel/kernel.mlir >"$tmp/alone.c"
  check "csim of $kernel on standard output is C" $cc -std=c99 -Werror -c -o "$tmp/alone.o" "$tmp/alone.c"
  check "csim of $kernel, built in or loaded" is \
    "$(cksum <"$tmp/alone.c")" \
    "$("$loom" emit --plugin "$build/backends/csim.so" csim golden/$kernel/kernel.mlir | cksum)"
done

# ---- folders --------------------------------------------------------------------------------------
# shellcheck disable=SC2086
$cc -std=c99 $so "$here/flood.c" -o "$tmp/flood.so"
want=flood
mkdir -p "$tmp/stranger/plugins" "$tmp/stranger/backends" "$tmp/mine"
for folder in . plugins backends; do cp "$tmp/flood.so" "$tmp/stranger/$folder/"; done
cp "$tmp/flood.so" "$tmp/mine"
stranger() (cd "$tmp/stranger" && "$@" backends | grep -q csim && ! lists "$@")
check "nothing in the current folder is loaded" stranger "$loom"
check "nor by an empty part of the path" stranger env LOOM_PLUGIN_PATH=: "$loom"
check "nor by a relative part of the path" stranger env LOOM_PLUGIN_PATH=.:plugins:./backends "$loom"
check "folders of LOOM_PLUGIN_PATH are searched" lists env LOOM_PLUGIN_PATH="/nowhere:$tmp/mine" "$loom"
printf 'garbage' >"$tmp/mine/broken.so"
check "a broken file there does not hide the others" lists env LOOM_PLUGIN_PATH="$tmp/mine" "$loom"
warned() { env LOOM_PLUGIN_PATH="$tmp/mine" "$loom" backends 2>&1 | grep -q 'warning\[RT_PLUGIN_FILE\]: .*/mine/broken.so'; }
check "and is warned about" warned

# A tool that changes the exit status of whoever leaks must not make a crash of loading a plugin.
if has valgrind && ! nm "$loom" | grep -q __asan_init; then
  sound() { env LOOM_PLUGIN_PATH= valgrind -q --leak-check=full --error-exitcode=99 "$loom" backends --plugin "$tmp/flood.so"; }
  check "loading a plugin leaks nothing" sound
fi

# ---- an installation ------------------------------------------------------------------------------
install() { make -s --no-print-directory BUILD="$build" DESTDIR="$tmp/root" PREFIX=/opt install; }
check "make install" install
mine() (
  cd "$tmp/stranger" || exit 1
  $cc -shared -fPIC -I"$tmp/root/opt/include" "$here/flood.c" -o "$tmp/root/opt/lib/loom/plugins/flood.so" &&
    lists "$tmp/root/opt/bin/loom" && want=dot && lists "$tmp/root/opt/bin/loom"
)
check "a plugin dropped into an installation is listed" mine
rm -f "$tmp/root/opt/lib/loom/plugins/flood.so"
pages() {
  ls "$tmp/root/opt/share/man/man1/loom-build.1" && for page in "$tmp"/root/opt/share/man/man1/*.1; do
    is "$(groff -ww -z -man -Tutf8 "$page" 2>&1)" "" || return
  done
}
if has groff; then check "pages for man, without a warning" pages; fi
completes() {
  is "$(bash -c '. "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _loom; echo "${COMPREPLY[@]}"' \
    "$tmp/root/opt/share/bash-completion/completions/loom" "$@")" "$want"
}
if has bash; then
  want=build check "bash completes a command" completes loom bu
  want=--seed check "an option" completes loom build --se
  want="auto serial" check "a choice" completes loom run --order ""
fi
typed() { check "$1, typed at, completes as it should" python3 spec-tests/tools/completion.py "$1" "$2"; }
if has bash && has python3; then typed bash "$tmp/root/opt/share/bash-completion/completions/loom"; fi
if has zsh && has python3; then typed zsh "$tmp/root/opt/share/zsh/site-functions/_loom"; fi
example() (
  cd "$tmp/root/opt/share/loom/examples" && "$tmp/root/opt/bin/loom" run distance.line --args "3, 4" &&
    "$tmp/root/opt/bin/loom" map matmul.mlir --adg medium.mlir --count
)
check "the examples can be run where they are" example
if has pkg-config; then
  found() { is "$(PKG_CONFIG_PATH="$tmp/root/opt/lib/pkgconfig" pkg-config --variable=plugins loom)" /opt/lib/loom/plugins; }
  check "pkg-config finds the folder of plugins" found
  # A backend of somebody else's, from a folder of his own: pkg-config and the compiler are all that is said.
  outside() (
    PKG_CONFIG_PATH=$tmp/root/opt/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$tmp/root && export PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR
    mkdir -p "$tmp/theirs" && cp plugins/dot.c plugins/line.c "$tmp/theirs" && cd "$tmp/theirs" || exit 1
    into=$tmp/root$(PKG_CONFIG_SYSROOT_DIR= pkg-config --variable=plugins loom)
    sed -i 's/\.id = "dot"/.id = "theirs"/' dot.c && sed -i 's/"line",/"theirs_line",/; s/"\.line"/".theirs"/' line.c
    for one in dot line; do
      $cc -shared -fPIC $(pkg-config --cflags loom) "$one.c" -o "$into/theirs_$one.so" || exit 1
    done
    cd "$tmp/stranger" && "$tmp/root/opt/bin/loom" backends | grep -q '^theirs ' &&
      cp "$tmp/root/opt/share/loom/examples/distance.line" distance.theirs &&
      "$tmp/root/opt/bin/loom" run distance.theirs --args "3, 4" && "$tmp/root/opt/bin/loom" emit theirs distance.theirs -o out &&
      grep -q digraph out/*
  )
  check "a backend and a front end made with pkg-config alone work in the installation" outside
  rm -f "$tmp"/root/opt/lib/loom/plugins/theirs_*.so
fi
uninstall() {
  make -s --no-print-directory BUILD="$build" DESTDIR="$tmp/root" PREFIX=/opt uninstall &&
    is "$(find "$tmp/root" ! -type d)" "" && [ ! -e "$tmp/root/opt/lib/loom" ]
}
check "make uninstall leaves nothing" uninstall

# ---- files ----------------------------------------------------------------------------------------
flood() { "$loom" emit --plugin "$tmp/flood.so" flood golden/dot/kernel.mlir "$@"; }
fails() { # STATUS COMMAND...
  status=$1
  shift
  "$@"
  is $? "$status"
}
whole() { awk -v n="$2" '$1 + 0 != NR - 1 || length($0) != 63 { exit 1 } END { exit NR != n }' "$1"; }
large() {
  rm -rf "$tmp/out"
  is "$(flood -o "$tmp/out" -- --lines=100000)" "$tmp/out/even/a.txt
$tmp/out/b.txt" && whole "$tmp/out/even/a.txt" 100000 && whole "$tmp/out/b.txt" 100000
}
check "large files are whole" large
gone() {
  rm -rf "$tmp/out"
  fails "$2" flood -o "$tmp/out" -- --lines=100000 --end="$1" &&
    is "$(find "$tmp/out" ! -type d 2>/dev/null)" ""
}
check "a backend that fails leaves nothing" gone error 1
check "one that is killed leaves nothing" gone kill 137
kept() {
  rm -rf "$tmp/out"
  flood -o "$tmp/out" -- --lines=7 && fails 1 flood -o "$tmp/out" -- --lines=100000 --end=error &&
    whole "$tmp/out/b.txt" 7
}
check "and what stood there before stays" kept
taken() { # a folder stands where a file should go
  rm -rf "$tmp/out"
  mkdir -p "$tmp/out/b.txt"
  fails 5 flood -o "$tmp/out" && is "$(find "$tmp/out" ! -type d)" ""
}
check "where one file cannot be written none is" taken

# ---- what no plugin should do ---------------------------------------------------------------------
# shellcheck disable=SC2086
$cc -std=c99 $so "$here/rogue.c" -o "$tmp/rogue.so"
rogue() { "$loom" emit --plugin "$tmp/rogue.so" rogue golden/dot/kernel.mlir "$@"; }
# blamed HOW WORDS: it ends with 5, a line says so, and nothing is written
blamed() {
  rm -rf "$tmp/out"
  rogue -o "$tmp/out" -- --how="$1" >"$tmp/rogue-said" 2>&1
  is $? 5 && grep -q "error.RT_PLUGIN_CRASH.*$2" "$tmp/rogue-said" &&
    is "$(find "$tmp/out" ! -type d 2>/dev/null)" ""
}
for how in _exit exit; do
  check "emit calls $how(0)" blamed $how "backend rogue, asked to emit, \(called\|ended\)"
done
check "destroy calls _exit(0)" blamed late "backend rogue, asked to destroy its state, ended"
left() { # WHAT WORDS: the files are there by then, and nothing else is said
  rm -rf "$tmp/out"
  ROGUE=$1 rogue -o "$tmp/out" >"$tmp/rogue-said" 2>&1
  is $? 5 && grep -q "RT_PLUGIN_CRASH.*asked to leave, $2; the files written before remain" "$tmp/rogue-said" &&
    grep -q '/good.txt$' "$tmp/rogue-said" && is "$(cat "$tmp/out/good.txt")" "good 1.5"
}
check "it calls _exit(0) when it is left" left leave "ended the program"
check "it crashes when it is left" left leave-crash "accessed invalid memory"
left_list() { # what was asked for was not written by a backend
  ROGUE=$1 "$loom" backends --plugin "$tmp/rogue.so" >"$tmp/rogue-said" 2>&1
  is $? 5 && grep -q '^rogue' "$tmp/rogue-said" && grep -q "asked to leave, $2; the files written before remain" "$tmp/rogue-said"
}
check "so it does after a list" left_list leave "ended the program"
left_none() {
  ROGUE=leave rogue -o "$tmp/out" -- --how=no >"$tmp/rogue-said" 2>&1
  grep -q "failed in emit; nothing was written" "$tmp/rogue-said" && grep -q "asked to leave, ended the program; nothing was written" "$tmp/rogue-said"
}
check "where nothing was written, that is said" left_none
check "it writes more than there is" blamed lie "accessed invalid memory"
refused() {
  rm -rf "$tmp/out"
  rogue -o "$tmp/out" -- --how="$1" >"$tmp/rogue-said" 2>&1
  is $? "$2" && grep -q "error.RT_EMIT_CALL.*backend rogue $3" "$tmp/rogue-said" &&
    is "$(find "$tmp/out" ! -type d 2>/dev/null)" ""
}
check "it writes SIZE_MAX bytes" refused endless 1 "wrote [0-9]* bytes to 'endless.txt'"
check "it asks for SIZE_MAX bytes" refused greedy 5 "requested [0-9]* bytes"
killed() {
  rm -rf "$tmp/out"
  rogue -o "$tmp/out" -- --how=kill >"$tmp/rogue-said" 2>&1
  is $? 137 && is "$(find "$tmp/out" ! -type d 2>/dev/null)" ""
}
check "it is killed" killed
stays() (
  mkdir -p "$tmp/stays" && cd "$tmp/stays" && rm -rf out && umask 022
  env ROGUE="$2" "$loom" emit --plugin "$tmp/rogue.so" rogue "$root/golden/dot/kernel.mlir" -o out -- --how="$1" &&
    is "$(cat out/good.txt)" "good 1.5" && is "$(stat -c %a out/good.txt)" 644 && is "$(ls /out 2>&1 | wc -l)" 1
)
check "a backend that goes elsewhere takes nothing with it" stays chdir ""
check "nor does one that goes when it is loaded" stays "" chdir
check "files are no more open for a backend's umask" stays umask ""
loud() {
  rm -rf "$tmp/out"
  rogue -o "$tmp/out" -- --how=loud >/dev/null 2>&-
  is "$(tr -d a <"$tmp/out/large.txt")" "" && is "$(wc -c <"$tmp/out/large.txt")" 4194304
}
check "what is said where nobody listens is in no file" loud
once() {
  rm -f "$tmp/log"
  ROGUE_LOG=$tmp/log ROGUE=$1 rogue >"$tmp/rogue-said" 2>&1
  is "$?, $(wc -c <"$tmp/log") times" "0, 1 times"
}
check "a plugin is loaded once" once ""
for what in exit _exit crash hang; do
  check "so what it would do the second time is not met: $what" once again-$what
done
# The others are there all the same; a hang takes ten seconds.
mkdir "$tmp/four"
cp "$tmp/flood.so" "$tmp/four/a.so" && cp "$tmp/rogue.so" "$tmp/four/b.so" && printf garbage >"$tmp/four/c.so"
four() {
  ROGUE=$1 LOOM_PLUGIN_PATH=$tmp/four "$loom" backends >"$tmp/rogue-said" 2>&1 && grep -q '^flood' "$tmp/rogue-said" &&
    is "$(grep -c "warning.RT_PLUGIN_CRASH.*b.so $2" "$tmp/rogue-said")" 1 &&
    is "$(grep -c "warning.RT_PLUGIN_FILE.*c.so" "$tmp/rogue-said")" 1
}
check "one that exits when it is loaded is passed over" four exit "ends the program when it is loaded, with exit status 0"
check "one that calls _exit" four _exit "ends the program when it is loaded, with exit status 0"
check "one that crashes" four crash "crashes when it is loaded"
check "one that hangs" four hang "does not return when it is loaded"

# Others may change neither a plugin nor its folder.
trusted() {
  is "$(LOOM_PLUGIN_PATH=$tmp/guarded "$loom" backends 2>"$tmp/rogue-said" | grep -c '^flood')" "$1" &&
    is "$(grep -c "RT_PLUGIN_TRUST.*$2" "$tmp/rogue-said")" "$3"
}
mkdir -p "$tmp/guarded" && cp "$tmp/flood.so" "$tmp/guarded"
check "a plugin of the user's own is loaded" trusted 1 "" 0
chmod 777 "$tmp/guarded/flood.so"
check "not one that others may write" trusted 0 "flood.so is not loaded: other users may write to it (its mode is 777)" 1
chmod 755 "$tmp/guarded/flood.so" && chmod 777 "$tmp/guarded"
check "nor from a folder that they may write" trusted 0 "other users may write to .*/guarded (its mode is 777)" 1
chmod 1777 "$tmp/guarded"
check "but from a sticky one" trusted 1 "" 0
chmod 755 "$tmp/guarded"
wanted() {
  chmod 666 "$tmp/guarded/flood.so"
  fails 1 "$loom" backends --plugin "$tmp/guarded/flood.so" && fails 1 "$loom" emit --plugin "$tmp/guarded/flood.so" \
    flood golden/dot/kernel.mlir
  good=$?
  chmod 755 "$tmp/guarded/flood.so"
  return $good
}
check "one that is named is refused, too" wanted
# A link that is turned to another file after the look: what was looked at is loaded.
mkdir "$tmp/turned"
cp "$tmp/rogue.so" "$tmp/turned/bad" && chmod 777 "$tmp/turned/bad"
turned() {
  ln -sf "$1" "$tmp/turned/it.so" && ln -sf bad "$tmp/turned/other" && rm -f "$tmp/log"
  ASAN_OPTIONS=verify_asan_link_order=0 LD_PRELOAD=$tmp/swap.so SWAP_FROM=$tmp/turned/other SWAP_TO=$tmp/turned/it.so \
    ROGUE_LOG=$tmp/log LOOM_PLUGIN_PATH= "$loom" backends --plugin "$tmp/turned/it.so" >"$tmp/rogue-said" 2>&1
  is "$(grep -c '^flood' "$tmp/rogue-said")" 1 && [ ! -e "$tmp/log" ] && is "$(readlink "$tmp/turned/it.so")" bad
}
if $cc -shared -fPIC -o "$tmp/swap.so" "$here/swap.c" -ldl; then
  check "a link that is turned while its plugin is loaded leads nowhere else" turned ../flood.so
fi
if [ "$(id -u)" = 0 ]; then
  chown 65534 "$tmp/guarded/flood.so"
  check "nor another user's" trusted 0 "flood.so is not loaded: it belongs to another user (65534)" 1
  chown 0 "$tmp/guarded/flood.so" && chown 65534 "$tmp/guarded"
  check "nor from his folder" trusted 0 "guarded belongs to another user (65534)" 1
  high() { # MODE: his folder is far above
    mkdir -p "$tmp/high/b/c" && cp "$tmp/flood.so" "$tmp/high/b/c" && chown 65534 "$tmp/high" && chmod "$1" "$tmp/high"
    is "$(LOOM_PLUGIN_PATH=$tmp/high/b/c "$loom" backends 2>"$tmp/rogue-said" | grep -c '^flood')" 0 &&
      grep -q 'RT_PLUGIN_TRUST.*/high belongs to another user (65534)' "$tmp/rogue-said"
  }
  check "nor from below one, which he could exchange" high 755
  check "where it is sticky he could as well" high 1755
  beside() { # the binary itself is below his folder
    mkdir -p "$tmp/high/b/bin/plugins" && cp "$loom" "$tmp/high/b/bin/" && cp "$tmp/flood.so" "$tmp/high/b/bin/plugins/" &&
      "$tmp/high/b/bin/loom" backends | grep -q '^flood'
  }
  check "but what is beside a binary down there is loaded with it" beside
  if has setpriv; then
    chmod 755 "$tmp"
    chown 65534 "$tmp/guarded/flood.so"
    his() { setpriv --reuid=65534 --regid=65534 --clear-groups env LOOM_PLUGIN_PATH="$tmp/guarded" "$loom" backends | grep -q '^flood'; }
    check "but he may load it" his
    chown 0 "$tmp/guarded/flood.so"
    check "and what is root's" his
  fi
  chown 0 "$tmp/guarded"
else
  skip "plugins of another user: one must be root to have them"
fi

# Signals end the copy that works, too.
ended() {
  ROGUE=hang "$loom" backends --plugin "$tmp/rogue.so" >/dev/null 2>&1 &
  loom_pid=$!
  until copies=$(ps -o pid= --ppid $loom_pid 2>/dev/null) && [ "$copies" ] || ! kill -0 $loom_pid; do
    sleep 0.02
  done
  kill -TERM $loom_pid
  wait $loom_pid
  is $? 143 && for pid in $copies; do ! kill -0 "$pid" 2>/dev/null || return 1; done
}
if has ps; then check "a signal ends both processes" ended; fi

# Two processes write the same folder while a third reads: every file is always whole.
many() { for i in 1 2 3 4 5 6 7 8; do flood -o "$tmp/both" -- --lines=$1; done; }
both() {
  rm -rf "$tmp/both"
  flood -o "$tmp/both" -- --lines=20000 || return 1
  many 20000 >/dev/null &
  one=$!
  many 30000 >/dev/null &
  two=$!
  good=0
  for i in 1 2 3 4 5 6 7 8 9 10; do
    cat "$tmp/both/b.txt" >"$tmp/seen"
    whole "$tmp/seen" 20000 || whole "$tmp/seen" 30000 || good=1
  done
  wait $one && wait $two && [ $good = 0 ] && is "$(find "$tmp/both" -name '*.tmp')" ""
}
check "two processes in one folder" both

# ---- drawings -------------------------------------------------------------------------------------
# Every node that an edge names is declared, once; braces match; and dot, where it is, reads it.
drawn() {
  for control in hide show; do
    "$loom" emit dot "$1/kernel.mlir" -- --control=$control --names >"$tmp/g.dot" || return 1
    awk '
      { line = $0; gsub(/"([^"\\]|\\.)*"/, "", line)
        open += gsub(/{/, "", line); open -= gsub(/}/, "", line) }
      /^n[0-9]+ \[/ { if (declared[$1]++) exit bad = 1 }
      /^n[0-9]+ -> / { used[$1] = used[$3] = 1 }
      END { for (node in used) if (!declared[node]) bad = 1
            exit bad || open != 0 || length(declared) == 0 }' "$tmp/g.dot" || return 1
  done
  if has dot; then dot -Tcanon "$tmp/g.dot" >/dev/null; fi
}
for kernel in golden/*/; do check "the drawing of $kernel" drawn "${kernel%/}"; done

# Placing nodes takes longer, so a few: nested loops with back edges are what dot finds hardest.
placed() {
  "$loom" emit dot "$1/kernel.mlir" | (ulimit -t 60 && exec dot -Tdot) >/dev/null 2>"$tmp/dot-said" || return 1
  is "$(cat "$tmp/dot-said")" ""
}
if has dot; then
  for kernel in dot matmul welford gemm_i8 merge_sort; do
    check "dot places the nodes of $kernel" placed golden/$kernel
  done
fi

checks_end
