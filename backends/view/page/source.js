// source.js -- the text of the kernel: a line belongs to the nodes that were made from it.

const lineElements = new Map();

function drawSource() {
  const pane = byId("source");
  const count = (f) => nodes.filter((n) => n.at && n.at[0] === f).length;
  const wanted = sources.map((s, f) => [s, f]).sort((a, b) => count(b[1]) - count(a[1]));
  for (const [s, f] of wanted) {
    pane.append(element("h2", {}, s.name));
    s.text.replace(/\n$/, "").split("\n").forEach((text, i) => {
      const key = lineKey(f, i + 1), has = nodesOfLine.has(key);
      const line = element(has ? "button" : "div", { class: "code" + (has ? " has" : ""), "data-line": key, onclick: has ? () => select({ kind: "line", id: key }, pane) : () => {} }, element("i", {}, String(i + 1)), text || " ");
      lineElements.set(key, line);
      pane.append(line);
    });
  }
}

function markSource(scroll) {
  for (const [key, line] of lineElements) line.classList.toggle("marked", marks.lines.has(key));
  const first = [...lineElements].find(([key]) => marks.lines.has(key));
  if (first && scroll) first[1].scrollIntoView({ block: "nearest" });
}

let firingLines = [];
function playSource(frame) {
  for (const line of firingLines) line.classList.remove("fires", "stalls");
  firingLines = [];
  const mark = (n, name) => {
    const at = nodes[n].at, line = at && lineElements.get(lineKey(at[0], at[1]));
    if (line) line.classList.add(name), firingLines.push(line);
  };
  for (const [u] of frame.stalls) for (const n of nodesOfUnit[u]) mark(n, "stalls");
  for (const n of frame.nodes) mark(n, "fires");
}
