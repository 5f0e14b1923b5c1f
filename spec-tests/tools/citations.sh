#!/bin/sh
# citations.sh -- does the manual cite every rule of the specification, and do the citing sections contain its words?
#
#     citations.sh spec-tests          N passed, N failed
#
# Each rule of FOLDER/seed-rules.txt (`004 §Length Invariants | N + 1`) must be cited by a section, in a
# comment that ends at an empty line: `Seed: 004 §Length Invariants, §second. 000 §Third`. A section that
# cites it must hold its words, which are those behind a bar; case and ends of lines do not count. What is
# cited must be a rule. And 00-index.md lists every chapter.
for chapter in "$1"/*.md; do
  case $chapter in
  */00-index.md) continue ;;
  esac
  grep -qF "${chapter##*/}" "$1/00-index.md" || echo "FAIL 00-index.md does not list ${chapter##*/}"
done | awk '
function fail(what) {
  print "FAIL " what
  failed++
}

# A section that cites rule r must hold its words.
function judge(r,    w) {
  cited[r] = 1
  for (w = 2; w <= words[r]; w++)
    if (!index(prose, word[r, w])) fail(section ": cites " shown[r] ", but says nothing of " word[r, w])
}

function cite(name,    r, known) {
  for (r = 1; r <= rules; r++)
    if (index(number " §" name, word[r, 1]) == 1) {
      known = 1
      judge(r)
    }
  if (!known) fail(section ": cites " number " §" name ", which is no rule")
}

function end_section(    left, stop, block, name) {
  gsub(/\n/, " ", prose)
  gsub(/\r/, "\n", prose) # empty lines
  for (left = prose; index(left, "seed: "); ) {
    left = substr(left, index(left, "seed: ") + 6)
    stop = index(left, "\n")
    for (block = stop ? substr(left, 1, stop - 1) : left; match(block, /[0-9][0-9][0-9]|§/); ) {
      name = substr(block, RSTART, RLENGTH)
      block = substr(block, RSTART + RLENGTH)
      if (name != "§") {
        number = name
        continue
      }
      name = match(block, /[,;()]|\.( |$)/) ? substr(block, 1, RSTART - 1) : block
      block = substr(block, length(name) + 1)
      cite(name)
    }
  }
  prose = ""
}

FILENAME == "-" { print; failed++; next }
FILENAME ~ /seed-rules.txt$/ {
  if (/^#/ || /^$/) next
  shown[++rules] = $0
  words[rules] = split(tolower($0), part, / \| /)
  for (w = 1; w <= words[rules]; w++) word[rules, w] = part[w]
  next
}
FNR == 1 || (/^#+ / && !fenced) { end_section(); section = FILENAME ": " $0 }
/^```/ { fenced = !fenced }
{ prose = prose (/^$/ ? "\r" : tolower($0) "\n") }

END {
  end_section()
  for (r = 1; r <= rules; r++)
    if (!cited[r]) fail("no section cites " shown[r])
  print rules - (failed > rules ? rules : failed) " passed, " failed + 0 " failed"
  exit failed > 0
}' "$1/seed-rules.txt" - "$1"/*.md
