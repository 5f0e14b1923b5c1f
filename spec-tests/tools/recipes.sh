#!/bin/sh
# recipes.sh -- the recipes of "Changing LOOM", followed in a scratch copy.
#
#     recipes.sh SCRATCH [CHAPTER]                       N passed, N failed
#
# A recipe is a section of the chapter (## ...) that says how many files it touches (**2 files**) and
# shows what is written there and what comes of it, in blocks without a label:
#
#     passes/driver/golden.c, behind `static const Option options_golden[]`:
#     +    FLAG("--first", first, "stop at the first folder that fails"),
#
#     plugins/census.c, new:
#     +#include "loom_plugin.h"
#
#     in.mlir, to try it:
#     +func.func @f() { return }
#
#     $ loom golden check --first DIR
#     0 passed, 1 failed
#
# A place may also be `in front of` a line. All are followed in one copy of the sources, which is built
# once and not optimised. Then every command runs in a folder of its section (with `--engine verilator`
# only where that is installed); each line below it must be a line of what it prints (`...` is any). A
# recipe fails where its place is not found, where it touches another number of files than it says, or
# where a line is missing. With COUNT=1 nothing is built, and only places and counts are
# looked at.
#
# And a folder includes from those only that the chapter's table names before it: left column first.
# A chapter that code names is there.
set -u
scratch=$1 chapter=${2:-spec-tests/85-changing.md}
. "$(dirname "$0")/lib.sh"
rm -rf "$scratch" && mkdir -p "$scratch/tree" "$scratch/recipes" || exit 1

# recipes/N/{title,says}; recipes/N/edits/M{,.place} of a file; recipes/N/commands/M{,.lines}.
awk -v root="$scratch/recipes" '
function start(title) {
  recipe = sprintf("%s/%02d", root, ++n)
  system("mkdir -p " recipe "/edits " recipe "/commands " recipe "/files")
  print title > (recipe "/title")
  edits = commands = 0
}
/^## / { start(substr($0, 4)); next }
!n { next }
/^```/ { fenced = !fenced; inside = fenced && $0 == "```"; out = ""; next }
!fenced && match($0, /\*\*[0-9]+ files?\*\*/) { print substr($0, RSTART + 2) + 0 > (recipe "/says") }
!inside { next }
/^\$ / {
  out = sprintf("%s/commands/%02d", recipe, ++commands)
  print substr($0, 3) > out
  out = out ".lines"
  printf "" > out
  next
}
/^[^ +]+, (behind `.*`|in front of `.*`|new|to try it):$/ {
  out = sprintf("%s/edits/%02d", recipe, ++edits)
  printf "" > out
  print > (out ".place")
  next
}
out ~ /lines$/ { print > out; next }
out && /^\+/ { print substr($0, 2) > out }
' "$chapter"

git ls-files -coz --exclude-standard 2>/dev/null | grep -zv '^golden/\|^spec-tests/fuzz' | tar cf - --null -T - 2>/dev/null |
  (cd "$scratch/tree" && tar xf -)
[ -f "$scratch/tree/Makefile" ] || tar cf - --exclude=./build* --exclude=./.git . | (cd "$scratch/tree" && tar xf -)

# follow RECIPE: its edits; the files that it touches go to RECIPE/touched.
follow() {
  title=$(cat "$1/title")
  : >"$1/touched"
  for place in "$1"/edits/*.place; do
    [ -f "$place" ] || continue
    edit=${place%.place}
    file=$(sed 's/, .*//' "$place")
    case $(cat "$place") in
    *"to try it:") cp "$edit" "$1/files/$file" && continue ;;
    *", new:")
      mkdir -p "$scratch/tree/$(dirname "$file")"
      [ ! -e "$scratch/tree/$file" ] || fail "$title: $file is there already"
      cp "$edit" "$scratch/tree/$file"
      ;;
    *)
      sed 's/^[^`]*`\(.*\)`:$/\1/' "$place" >"$scratch/text"
      awk -v text="$scratch/text" -v edit="$edit" -v front="$(grep -c ', in front of ' "$place")" '
        BEGIN { getline wanted < text }
        front + 0 == 0 { print }
        !done && index($0, wanted) { while ((getline line < edit) > 0) print line; done = 1 }
        front + 0 { print }
        END { exit !done }' "$scratch/tree/$file" >"$scratch/edited" 2>/dev/null ||
        fail "$title: $file has no line with '$(cat "$scratch/text")'"
      cat "$scratch/edited" >"$scratch/tree/$file"
      ;;
    esac
    echo "$file" >>"$1/touched"
  done
  touched=$(sort -u "$1/touched" | wc -l)
  if [ "$touched" -eq "$(cat "$1/says" 2>/dev/null || echo 0)" ]; then pass; else
    fail "$title touches $touched files, not $(cat "$1/says" 2>/dev/null || echo "a number that it says")"
  fi
}

# runs RECIPE: its commands, by the LOOM of the copy.
runs() {
  title=$(cat "$1/title")
  for command in "$1"/commands/??; do
    [ -f "$command" ] || continue
    ! grep -q 'engine verilator' "$command" || command -v verilator >/dev/null || continue
    (cd "$1/files" && PATH="$scratch/bin:$PATH" TREE="$scratch/tree" sh -c "$(cat "$command")") \
      >"$scratch/said" 2>&1 </dev/null
    missing=$(grep -vxF ... "$command.lines" | grep -vxF -f "$scratch/said" | head -n 1)
    if [ -s "$scratch/said" ] || [ ! -s "$command.lines" ]; then :; else missing="anything"; fi
    if [ -z "$missing" ]; then pass; else
      fail "$title: $(cat "$command") does not print '$missing', but"
      head -n 20 "$scratch/said"
    fi
  done
}

# layers: what includes upward, by the table; and other folders' headers that say they are private.
layers() {
  grep -o '^passes/[a-z]*  ' "$chapter" >"$scratch/order"
  grep -o '  passes/[a-z]*  ' "$chapter" | tr -d ' ' >>"$scratch/order"
  grep -lE '^(/\*| \*).* private to ' passes/*/*.h >"$scratch/private"
  grep -o '^#include "[^"]*/[^"]*"' passes/*/*.[ch] passes/*/*.def | grep -v '"\.\./plugins/[a-z_]*\.h"' |
    sed 's|^passes/\([a-z]*\)/\([^:]*\):#include "\([^"]*\)/\([^/"]*\)"|\1 \3 \2 \4|' | sort -u |
    awk -v order="$scratch/order" -v hidden="$scratch/private" '
      BEGIN {
        while ((getline line < order) > 0) { sub("passes/", "", line); sub(" *$", "", line); place[line] = ++n }
        while ((getline line < hidden) > 0) is_private[line] = 1
      }
      $4 ~ /\.inc$/ { next } # made by the build
      !($1 in place) { print $1 " is not in the table" }
      !($2 in place) || place[$2] > place[$1] { print $1 " uses " $2 }
      $1 != $2 && ("passes/" $2 "/" $4) in is_private { print $1 "/" $3 " uses " $2 "/" $4 ", which is private" }' | sort -u
}
layers >"$scratch/upward"
if [ -s "$scratch/upward" ]; then fail "folders: $(cat "$scratch/upward")"; else pass; fi

# cited: chapters that code names and that are not there.
cited() {
  grep -rohE '[0-9][0-9]-[a-z-]+\.md' passes backends plugins spec-tests/tools loom.c Makefile README.md | sort -u |
    while read -r name; do [ -f "spec-tests/$name" ] || echo "$name"; done
}
cited >"$scratch/gone"
if [ -s "$scratch/gone" ]; then fail "named, but no chapter: $(cat "$scratch/gone")"; else pass; fi

for recipe in "$scratch"/recipes/*; do [ ! -f "$recipe/says" ] || follow "$recipe"; done
if [ -z "${COUNT:-}" ]; then
  if make -s -C "$scratch/tree" BUILD=build OPT=-O0 EXTRA=-w all >"$scratch/built" 2>&1; then
    mkdir "$scratch/bin" && ln -s "$scratch/tree/build/loom" "$scratch/bin/loom"
    for recipe in "$scratch"/recipes/*; do [ ! -f "$recipe/says" ] || runs "$recipe"; done
  else
    fail "the copy that follows all recipes is not built"
    grep -m 10 error "$scratch/built"
  fi
  # A count that is wrong is noticed, and so is a place that is gone.
  sed 's/\*\*2 files\*\*/**3 files**/' "$chapter" >"$scratch/wrong.md"
  if COUNT=1 sh "$0" "$scratch/wrong" "$scratch/wrong.md" | grep -q '^FAIL.*touches'; then pass; else
    fail "a wrong count of files is not noticed"
  fi
  sed 's/behind `C(/behind `D(/' "$chapter" >"$scratch/wrong.md"
  if COUNT=1 sh "$0" "$scratch/wrong" "$scratch/wrong.md" | grep -q '^FAIL.*has no line'; then pass; else
    fail "a place that is gone is not noticed"
  fi
fi
[ "$failed" -gt 0 ] || rm -rf "$scratch"
checks_end
