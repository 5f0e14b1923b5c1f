#!/bin/sh
# pages.sh -- the manual as pages of HTML, with contents and a search that work from files, without a server.
#
#     spec-tests/pages.sh FOLDER      README.md and the chapters in FOLDER, each as .html beside it
#
# Markdown is read by pandoc or cmark-gfm, whichever is there; status 3: neither. Headings get the anchors that
# links in the chapters name. index.html is the list of chapters. What is searched lies in search.js, a line each
# section, and is loaded with the first word that is looked for.
set -eu
cd "$1"
if command -v cmark-gfm >/dev/null; then
  to_html() { cmark-gfm -e table "$1"; }
elif command -v pandoc >/dev/null; then
  to_html() { pandoc -f gfm -t html --wrap=none "$1"; }
else
  exit 3
fi

# Links between files become links between pages; headings get anchors: their words in small letters, joined by -.
body() {
  to_html "$1" | sed 's,\(href\|src\)="spec-tests/,\1=",g; s,href="\.\./plugins/,href="../../loom/examples/,g; s,href="00-index\.md,href="index.html,g; s,href="\([^":]*\)\.md\([#"]\),href="\1.html\2,g' |
    awk '/^<h[1-6]/ {
      level = substr($0, 3, 1); text = $0; gsub(/<[^>]*>/, "", text)
      slug = tolower(text); gsub(/&[a-z]*;/, "", slug); gsub(/[^a-z0-9 _-]/, "", slug); gsub(/ /, "-", slug)
      if (seen[slug]++) slug = slug "-" (seen[slug] - 1)
      sub(/^<h[1-6][^>]*>/, "<h" level " id=\"" slug "\">")
    } { print }'
}

title_of() { sed -n 's/^# //p' "$1" | head -n 1 | sed 's/`//g; s/&/\&amp;/g; s/</\&lt;/g'; }
page_of() { case $1 in 00-index.md) echo index.html ;; *) echo "${1%.md}.html" ;; esac }

contents=$(for file in [0-9]*.md; do printf '<li><a href="%s">%s</a>' "$(page_of "$file")" "$(title_of "$file")"; done)
echo 'var sections = [' >search.js
for file in README.md [0-9]*.md; do
  page=$(page_of "$file")
  body "$file" >page.body
  {
    printf '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width">\n'
    printf '<title>%s - LOOM</title>\n<link rel="stylesheet" href="manual.css">\n' "$(title_of "$file")"
    printf '<nav><a href="README.html">LOOM</a> <input type="search" id="words" placeholder="search the manual"><ol>%s</ol></nav>\n' "$contents"
    printf '<div id="found" hidden></div>\n<main>\n'
    # the sections of the page, behind its title
    awk '/^<h2/ { match($0, /id="[^"]*"/); text = $0; gsub(/<[^>]*>/, "", text)
      list = list "<li><a href=\"#" substr($0, RSTART + 4, RLENGTH - 5) "\">" text "</a>"; n++ }
      { line[NR] = $0 }
      END { for (i = 1; i <= NR; i++) { print line[i]
        if (line[i] ~ /^<h1/ && n > 2 && !done++) print "<ul class=\"sections\">" list "</ul>" } }' page.body
    printf '</main>\n<script src="manual.js"></script>\n</html>\n'
  } >"$page"
  awk -v page="$page" 'function flush() {
      if (heading == "") return
      printf "[\"%s#%s\", \"%s\", \"%s\"],\n", page, slug, plain(heading), plain(text)
    }
    # without tags; what would end a string of the script is an entity, as < is
    function plain(s) {
      gsub(/<[^>]*>/, "", s); gsub(/"/, "\\&quot;", s); gsub(/\\/, "\\&#92;", s); gsub(/[\t ]+/, " ", s)
      return s
    }
    /^<h[1-6]/ { flush(); match($0, /id="[^"]*"/); slug = substr($0, RSTART + 4, RLENGTH - 5); heading = $0; text = ""; next }
    { text = text " " $0 }
    END { flush() }' page.body >>search.js
done
rm -f page.body
echo '];' >>search.js

cat >manual.css <<'CSS'
body { margin: 0 2em 4em 20em; max-width: 55em; font: 16px/1.5 sans-serif; color: #222; }
nav { position: fixed; left: 0; top: 0; bottom: 0; width: 17em; overflow: auto; padding: 1em; font-size: 14px; background: #f4f4f1; }
nav input { width: 90%; margin: .5em 0; font: inherit; }
nav ol { list-style: none; padding: 0; }
pre { background: #f4f4f1; padding: .7em; overflow: auto; font-size: 13px; line-height: 1.35; }
table { border-collapse: collapse; } td, th { border-bottom: 1px solid #ddd; padding: .2em .8em .2em 0; text-align: left; vertical-align: top; }
a { color: #0645ad; text-decoration: none; } a:hover { text-decoration: underline; }
.sections { font-size: 14px; columns: 2; } #found p { margin: .3em 0; } #found small { color: #666; }
img { max-width: 100%; }
@media (max-width: 60em) { body { margin: 1em; } nav { position: static; width: auto; } nav ol { columns: 2; } }
@media print { nav { display: none; } body { margin: 0; } }
CSS

cat >manual.js <<'JS'
const entities = { lt: "<", gt: ">", quot: '"', amp: "&", "#92": "\\" };
const decoded = (text) => text.replace(/&(lt|gt|quot|amp|#92);/g, (all, name) => entities[name]);

// Sections that have all the words, those with a word in their heading first.
function find(sections, text, most) {
  const words = text.toLowerCase().split(/\s+/).filter((word) => word);
  const found = [];
  for (const [place, ...texts] of sections) {
    const [heading, body] = texts.map(decoded), head = heading.toLowerCase(), all = head + " " + body.toLowerCase();
    if (!words.length || !words.every((word) => all.includes(word))) continue;
    const at = body.toLowerCase().indexOf(words[0]);
    found.push({ place, heading, rank: words.filter((word) => head.includes(word)).length,
      excerpt: body.slice(Math.max(0, at - 60), Math.max(0, at) + 120) });
  }
  return found.sort((a, b) => b.rank - a.rank).slice(0, most);
}

if (typeof document !== "undefined") {
  const words = document.getElementById("words"), out = document.getElementById("found");
  const main = document.querySelector("main");
  const show = () => {
    const found = find(sections, words.value, 50), any = words.value.trim() !== "";
    out.hidden = !any;
    main.hidden = any;
    out.textContent = any && !found.length ? "Nothing has all these words." : "";
    for (const { place, heading, excerpt } of found) {
      const line = document.createElement("p"), link = document.createElement("a"), text = document.createElement("small");
      link.href = place;
      link.textContent = heading;
      link.onclick = () => { words.value = ""; show(); };
      text.textContent = excerpt;
      line.append(link, " ", place.split(".html")[0], document.createElement("br"), text);
      out.append(line);
    }
  };
  words.oninput = () => {
    if (typeof sections !== "undefined") return show();
    const script = document.createElement("script");
    script.src = "search.js";
    script.onload = show;
    document.head.append(script);
  };
}
JS
