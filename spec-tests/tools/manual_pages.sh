#!/bin/sh
# manual_pages.sh -- the HTML pages of the manual: does every link have a target, and does the search find words?
#
#     spec-tests/tools/manual_pages.sh SCRATCH
set -u
work=$1
here=$(cd "$(dirname "$0")/../.." && pwd)
. "$here/spec-tests/tools/lib.sh"
said=$work/said checked=$work/said
doc=$work/share/doc/loom
mkdir -p "$doc/pictures" "$work/share/loom/examples"
cp "$here/README.md" "$here/LICENSE" "$here"/spec-tests/*.md "$doc"
cp "$here"/spec-tests/pictures/*.png "$doc/pictures"
cp "$here"/plugins/*.c "$work/share/loom/examples"
sh "$here/spec-tests/pages.sh" "$doc" || { skip "neither pandoc nor cmark-gfm"; checks_end; exit; }

# FILE LINK of every link that leads nowhere
astray() {
  cd "$doc" && awk '
    function note(name) { if (FILENAME in list) return; list[FILENAME] = 1 }
    { note(); line = $0
      while (match(line, /id="[^"]*"/)) { id[FILENAME "#" substr(line, RSTART + 4, RLENGTH - 5)] = 1; line = substr(line, RSTART + RLENGTH) }
      line = $0
      while (match(line, /(href|src)="[^"]*"/)) {
        to = substr(line, RSTART, RLENGTH); line = substr(line, RSTART + RLENGTH)
        sub(/^[a-z]*="/, "", to); sub(/"$/, "", to)
        if (to ~ /^[a-z]*:/) continue
        links[FILENAME " " (to ~ /^#/ ? FILENAME to : to)] = 1 } }
    END { for (l in links) { split(l, part, " "); to = part[2]; file = to; sub(/#.*/, "", file)
      if (to ~ /#/ ? !(to in id) : !(file in list) && system("test -e " file)) print l } }' *.html
}

check "there is a page for each chapter" is "$(ls "$doc"/[0-9R]*.md | wc -l)" "$(ls "$doc"/*.html | wc -l)"
astray >"$work/astray"
check "every link leads somewhere" is "$(head -n 5 "$work/astray")" ""
sed -i 's/id="fabrics"//; s/href="99-codes-native.html"/href="98-nothing.html"/' "$doc/index.html"
check "a link that does not is found" grep -q 98-nothing "$(astray >"$work/astray"; echo "$work/astray")"
if command -v node >/dev/null; then
  found() {
    cat "$doc/search.js" "$doc/manual.js" >"$work/search.js"
    echo 'console.log(find(sections, process.argv[2], 1).map((one) => one.place + " " + one.heading).join())' >>"$work/search.js"
    node "$work/search.js" "$1"
  }
  check "a search in headings" is "$(found 'C_TWO_MEMORIES')" "97-codes-c.html#c_two_memories C_TWO_MEMORIES"
  check "a search for what is not there" is "$(found 'alias zzzz')" ""
  check "quotes and backslashes" is "$(found 'quotes \" backslash')" "10-text.html#attributes Attributes"
fi
checks_end
