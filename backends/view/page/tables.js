// tables.js -- the table of loops, and the contents of memories.

function loopTable() {
  if (!loops.length) return [line("There are no loops.")];
  const head = ["loop", "at", "entries", "iterations", "achieved", "expected", "bound", ""];
  const rows = loops.map((l) => {
    const m = l.measured, achieved = intervalOf(l), expected = expectedOf(l), bound = boundOf(l);
    const cells = [l.name, l.place, m ? grouped(m.entries) : "-", m ? grouped(m.iterations) : "-", achieved === null ? "-" : achieved.toFixed(2), expected ? `${expected.about === ">" ? "≥ " : expected.about === "~" ? "≈ " : ""}${cyclesText(expected.cycles)}` : "-", bound === null ? "-" : cyclesText(bound), "why?"];
    const picked = selection && selection.kind === "loop" && selection.id === l.number;
    return element("tr", { class: "pick" + (picked ? " picked" : ""), tabindex: 0, "data-loop": l.number, onclick: () => (select({ kind: "loop", id: l.number }), showTab("why")), onkeydown: (e) => e.key === "Enter" && (select({ kind: "loop", id: l.number }), showTab("why")) }, ...cells.map((text, k) => element("td", { class: k > 1 && k < 7 ? "n" : null }, text)));
  });
  return [element("table", {}, element("tr", {}, ...head.map((h, k) => element("th", { class: k > 1 && k < 7 ? "n" : null }, h))), ...rows), line(element("span", { class: "dim" }, "Cycles from one iteration to the next: what the run achieved, what the mapper expects, and the longest recurrence, which no schedule can beat."))];
}

let shownMemory = 0;
function memoryTable(only) {
  if (!graph || !run) return [line("Memories are shown of a run.")];
  if (!graph.memories.length) return [line("There are no memories.")];
  if (only !== undefined) shownMemory = only;
  const m = graph.memories[shownMemory], { contents, last } = memoryAt(shownMemory, now);
  const choose = element("span", { class: "group" }, ...graph.memories.map((one, i) => element("button", { "aria-pressed": String(i === shownMemory), onclick: () => ((shownMemory = i), refreshTab()) }, one.name)));
  const wide = m.extents.length > 1 && m.extents[m.extents.length - 1] > 0 ? m.extents[m.extents.length - 1] : 16;
  const columns = Math.min(wide, 32), near = last.length ? last[0].address : 0, rows = 7;
  const first = Math.max(0, Math.min(Math.floor(near / columns) - 3, Math.ceil(contents.length / columns) - rows));
  const cells = element("div", { class: "cells", style: `grid-template-columns: repeat(${columns + 1}, auto)` });
  for (let r = Math.max(0, first); r < first + rows; r++) {
    if (r * columns >= contents.length) break;
    cells.append(element("span", { class: "at" }, `[${m.extents.length > 1 ? Math.floor((r * columns) / wide) + ", " + ((r * columns) % wide) : r * columns}]`));
    for (let k = r * columns; k < (r + 1) * columns && k < contents.length; k++) {
      const hit = last.find((one) => one.address === k);
      cells.append(element("span", { class: hit ? (hit.kind === "store" ? "stored" : "loaded") : null, title: `element ${k}` }, valueText(m, contents[k])));
    }
  }
  return [line(choose, `  ${m.type}, ${plural(contents.length, "element")}  `, ...last.map((one) => element("span", {}, `  ${one.kind} [${one.address}] ${inCycles ? "in cycle" : "at"} ${one.time};`))), cells, !inCycles && run.from ? line(element("span", { class: "dim" }, "of a graph memories are shown where the page has its run from the start (--from=0)")) : null];
}

function memoryOf(node) {
  if (!run || nodes[node].memory === undefined) return [];
  return [element("button", { onclick: () => (memoryTable(nodes[node].memory), showTab("memory")) }, "its contents")];
}
