// main.js -- sets up the page: selection, tabs, search, keys, heat, themes, export.

// ---- selection -------------------------------------------------------------------------------------

// `from`: the pane that was clicked, which is not scrolled.
function select(chosen, from) {
  selection = chosen;
  marks = marksOf(chosen);
  markGraph();
  markFabric();
  markSource(!from || from !== byId("source"));
  if (chosen && from !== graphPicture && graphPicture) {
    const boxes = [...marks.nodes].map((n) => nodes[n].box).filter(Boolean);
    if (boxes.length) graphPicture.show(boundsOf(boxes));
  }
  if (chosen && from !== fabricPicture && fabricPicture) {
    const boxes = [...marks.components].map((c) => components[c].box);
    if (boxes.length) fabricPicture.show(boundsOf(boxes));
  }
  if (tab !== "timeline" && chosen) showTab("why");
  else refreshTab();
}

// ---- tips ------------------------------------------------------------------------------------------

function showTip(text, event) {
  const tip = byId("tip");
  tip.hidden = !text;
  if (!text) return;
  tip.textContent = text;
  const x = Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8), y = event.clientY + 18;
  tip.style.left = Math.max(4, x) + "px";
  tip.style.top = (y + tip.offsetHeight > innerHeight ? event.clientY - tip.offsetHeight - 8 : y) + "px";
}

function tokensOf(edge) {
  const i = inputOfEdge.get(edge);
  if (!inCycles || i === undefined) return "";
  const token = tokenAt(i, now);
  return token ? `\n${token.moves ? "arrives" : "waits"}: ${valueText(typeOfEdge(edge), token.value())}${token.waiting > 1 ? ` (${token.waiting} wait)` : ""}` : "\nno token now";
}

function tipOf(kind, id) {
  if (kind === "node") return `${nodes[id].name}: ${nodes[id].op}${nodes[id].at ? "\n" + placeText(nodes[id]) : ""}` + (inCycles ? [...unitsOfNode[id]].map((u) => "\n" + nowText(u)).join("") : "");
  if (kind === "edge") return `%${edges[id].name}: ${typeOfEdge(id).type}${tokensOf(id)}`;
  if (kind === "loop") return `loop ${loops[id].name}`;
  if (kind === "component") return `${components[id].name}: ${[...nodesOfComponent[id]].map((n) => nodes[n].name).join(", ") || components[id].kind.replace("_", " ")}` + (inCycles ? (unitsOfComponent.get(id) || []).map((u) => "\n" + nowText(u)).join("") : "");
  if (kind === "channel") return `${portName(channels[id].from)} → ${portName(channels[id].to)}` + [...new Set((routesOfChannel.get(id) || []).map((r) => routes[r].edge))].filter((e) => e !== null && e !== undefined).map((e) => `\n%${edges[e].name}${tokensOf(e)}`).join("");
  return "";
}

// ---- tabs ------------------------------------------------------------------------------------------

const tabs = { why: ["What and why", () => whatIs(selection)], loops: ["Loops", loopTable], timeline: ["Timeline", timeline], memory: ["Memories", () => memoryTable()], ...(outcome && outcome.end !== "good" ? { problem: ["Problem", whyStuck] } : {}) };
let tab = "why";

function refreshTab() {
  const made = tabs[tab][1]().filter(Boolean), at = byId("tab").scrollTop;
  byId("tab").replaceChildren(...made);
  byId("tab").scrollTop = at;
}
function showTab(name) {
  tab = name;
  for (const button of byId("tabs").children) button.setAttribute("aria-selected", String(button.dataset.tab === name));
  byId("dock").classList.remove("closed");
  refreshTab();
}
// Refreshes a tab that depends on the current time; while the run plays, only timeline and memories.
function showTabIfLive() {
  if (!run) return;
  if (tab === "timeline" || tab === "memory" || (tab === "why" && selection && !playing)) refreshTab();
}

// ---- panes, heat, search ---------------------------------------------------------------------------

const panes = { source: sources.length > 0, graph: !!graph, fabric: !!fabric };
const shown = { ...panes };
const narrow = matchMedia("(max-width: 820px)");

function showPanes() {
  const one = narrow.matches ? Object.keys(panes).reverse().find((p) => shown[p] && panes[p]) : null;
  const main = byId("main");
  main.classList.toggle("one", one !== null);
  for (const p of Object.keys(panes)) {
    const isShown = panes[p] && shown[p] && (one === null || p === one);
    byId(p).hidden = !isShown;
    main.classList.toggle("no-" + p, !isShown);
    const button = byId("pane-" + p);
    if (button) button.setAttribute("aria-pressed", String(isShown));
  }
}
function togglePane(p) {
  if (narrow.matches) for (const other of Object.keys(shown)) shown[other] = other === p;
  else shown[p] = !shown[p];
  if (!Object.keys(panes).some((one) => panes[one] && shown[one])) shown[p] = true;
  showPanes();
}

const heats = { none: "by kind", use: "how often it fires", stalls: "how long it stalls", memory: "waiting for memory", fill: "how full FIFOs are", tokens: "tokens on channels" };

// From cool to hot, readable in both themes.
const heatColour = (x) => `hsl(${Math.round(210 - 210 * Math.min(1, x))} 80% ${document.documentElement.dataset.theme === "dark" ? 22 + 22 * Math.min(1, x) : 92 - 34 * Math.min(1, x)}%)`;

function showHeat(kind) {
  const unitHeat = (u) => {
    const s = shareOf(u);
    return kind === "use" ? s.fires : kind === "stalls" ? s.stalls[1] + s.stalls[2] + s.stalls[3] : kind === "memory" ? s.stalls[1] : kind === "fill" ? meanFill(u) : kind === "tokens" && units[u].kind === "fifo" ? s.stalls[3] : 0;
  };
  document.body.classList.toggle("heat", kind !== "none");
  if (kind === "none" || !inCycles) return;
  const most = Math.max(1e-9, ...units.map((u, i) => (kind === "stalls" || kind === "memory" || kind === "fill" ? 1 : unitHeat(i))));
  for (const g of document.querySelectorAll(".component.in-use")) {
    const of = unitsOfComponent.get(Number(g.dataset.id)) || [];
    g.style.setProperty("--heat", of.length ? heatColour(Math.max(...of.map(unitHeat)) / most) : "var(--box)");
  }
  for (const g of document.querySelectorAll(".node")) {
    const of = [...unitsOfNode[Number(g.dataset.id)]];
    g.style.setProperty("--heat", of.length ? heatColour(Math.max(...of.map(unitHeat)) / most) : "var(--box)");
  }
  const tokens = (c) => (routesOfChannel.get(c) || []).reduce((sum, r) => sum + (routes[r].input !== null ? takenAt(routes[r].input).length : 0), 0) / span;
  const paths = [...document.querySelectorAll(".channel.in-use")], counts = paths.map((p) => tokens(Number(p.dataset.id))), busiest = Math.max(1e-9, ...counts);
  paths.forEach((p, k) => p.style.setProperty("--heat", kind === "tokens" ? `hsl(${Math.round(210 - 210 * (counts[k] / busiest))} 85% 50%)` : "var(--wire)"));
}

function findNamed(text) {
  const name = text.trim().replace(/^%/, ""), lower = name.toLowerCase();
  if (!name) return null;
  const exact = [["node", nodeByName.get(name)], ["component", componentByName.get(name)], ["edge", edgeByName.get(name)]].find(([, id]) => id !== undefined);
  if (exact) return { kind: exact[0], id: exact[1] };
  const inList = (list) => list.findIndex((one) => one.name && one.name.toLowerCase().includes(lower));
  for (const [kind, list] of [["loop", loops], ["node", nodes], ["component", components], ["edge", edges]]) {
    const id = inList(list);
    if (id >= 0) return { kind, id };
  }
  return null;
}

// ---- export, themes, keys --------------------------------------------------------------------------

const focused = () => (fabricPicture && (document.activeElement === byId("fabric") || !graphPicture || !byId("fabric").hidden) && document.activeElement !== byId("graph") ? fabricPicture : graphPicture);
const fileName = () => (graph ? graph.name : fabric.name).replace(/[^A-Za-z0-9_-]+/g, "_") || "view";

function save(blob, name) {
  const a = element("a", { href: URL.createObjectURL(blob), download: name });
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), 1000);
}
function exportSvg() {
  save(new Blob([focused().exported()], { type: "image/svg+xml" }), fileName() + ".svg");
}
function exportPng() {
  const picture = focused(), image = new Image();
  image.onload = () => {
    const scale = Math.min(2, 8000 / Math.max(picture.width, picture.height)), canvas = element("canvas", { width: Math.round(picture.width * scale), height: Math.round(picture.height * scale) });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => save(blob, fileName() + ".png"));
  };
  image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(picture.exported());
}

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  showHeat(byId("heat").value || "none");
  refreshTab();
}

// Walks along the graph: from a node to one of its edges, from an edge to the node at its end.
function walk(direction) {
  if (!graph) return;
  if (!selection || (selection.kind !== "node" && selection.kind !== "edge")) return select({ kind: "node", id: Math.max(0, nodes.findIndex((n) => n.box)) });
  if (selection.kind === "edge") return select({ kind: "node", id: direction > 0 ? edges[selection.id].to : edges[selection.id].from });
  const e = edges.findIndex((one) => one.path && (direction > 0 ? one.from : one.to) === selection.id);
  if (e >= 0) select({ kind: "edge", id: e });
}

const keys = [
  ["space", "play, stop", () => play(!playing), " "],
  ["← →", "a step back, forward; with shift ten", null],
  ["Home End", "to the start (again: where the configuration is loaded), to the end", null],
  ["n p", "next, previous firing of what is selected", null],
  ["/", "find by name", () => byId("search").focus(), "/"],
  ["[ ]", "along the graph: to what gives, to what takes", null],
  ["l", "loops; again: the next loop", () => (tab === "loops" || (selection && selection.kind === "loop") ? loops.length && select({ kind: "loop", id: selection && selection.kind === "loop" ? (selection.id + 1) % loops.length : 0 }) : showTab("loops")), "l"],
  ["w i m", "what and why; timeline; memories", null],
  ["1 2 3", "source, graph, fabric: show or hide", null],
  ["f 0 + -", "fit, 100 %, zoom", null],
  ["h", "colour by", () => ((byId("heat").selectedIndex = (byId("heat").selectedIndex + 1) % byId("heat").options.length), showHeat(byId("heat").value)), "h"],
  ["t", "light or dark", () => setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark"), "t"],
  ["d", "what is below: show or hide", () => byId("dock").classList.toggle("closed"), "d"],
  ["Esc", "select nothing", () => select(null), "Escape"],
  ["?", "these keys", () => showKeys(), "?"],
];
const more = {
  ArrowLeft: (e) => goTo(now - (e.shiftKey ? 10 : 1)), ArrowRight: (e) => goTo(now + (e.shiftKey ? 10 : 1)), Home: () => run && toStart(), End: () => run && goTo(lastTime()),
  n: () => jump(1), p: () => jump(-1), "[": () => walk(-1), "]": () => walk(1), w: () => showTab("why"), i: () => showTab("timeline"), m: () => showTab("memory"),
  1: () => togglePane("source"), 2: () => togglePane("graph"), 3: () => togglePane("fabric"),
  f: () => focused().fit(), 0: () => focused().zoom(1 / focused().scale), "+": () => focused().zoom(1.3), "=": () => focused().zoom(1.3), "-": () => focused().zoom(1 / 1.3),
};

function showKeys() {
  byId("keys").replaceChildren(element("h3", {}, "Keys"), element("table", {}, ...keys.map(([k, what]) => element("tr", {}, element("td", {}, ...k.split(" ").flatMap((one) => [element("kbd", {}, one), " "])), element("td", {}, what)))), element("p", { class: "dim" }, "Drag to move, wheel to zoom. Tab goes from control to control."), element("form", { method: "dialog" }, element("button", {}, "close")));
  byId("keys").showModal();
}

document.addEventListener("keydown", (e) => {
  if (e.ctrlKey || e.metaKey || e.altKey || byId("keys").open) return;
  const typing = e.target.matches("input, select, textarea");
  if (typing && e.key !== "Escape") return;
  if (e.target.matches("button, a, [tabindex='0']") && (e.key === "Enter" || (e.key === " " && e.target.matches("button")))) return;
  if (typing) e.target.blur();
  const known = keys.find((k) => k[3] === e.key), act = known ? known[2] : more[e.key];
  if (!act) return;
  e.preventDefault();
  act(e);
});

// ---- the start -------------------------------------------------------------------------------------

function start() {
  document.documentElement.dataset.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  byId("title").textContent = (graph ? "@" + graph.name : "@" + fabric.name);
  byId("about").textContent = [graph && fabric ? `on @${fabric.name}` : null, run && inCycles ? `${grouped(run.total)} cycles` : run ? `${grouped(run.total)} firings` : null].filter(Boolean).join(", ");
  if (mapping && mapping.incomplete) byId("state").append("not mapped"), byId("state").addEventListener("click", () => select({ kind: "failed", id: 0 }));
  else if (outcome && outcome.end !== "good") byId("state").append(outcome.end), byId("state").addEventListener("click", () => select({ kind: "waits", id: 0 }));
  byId("state").className = byId("state").textContent ? "bad" : "";
  for (const p of Object.keys(panes)) if (panes[p]) byId("panes").append(element("button", { id: "pane-" + p, onclick: () => togglePane(p) }, p));
  for (const [value, text] of Object.entries(heats)) if (value === "none" || inCycles) byId("heat").append(element("option", { value }, text));
  byId("heat").hidden = !inCycles;
  byId("heat").addEventListener("change", (e) => showHeat(e.target.value));
  byId("names").append(...[...new Set([...nodes.filter((n) => n.box).map((n) => n.name), ...components.filter((c, i) => componentsInUse.has(i) || components.length < 300).map((c) => c.name)])].slice(0, 3000).map((value) => element("option", { value })));
  const find = (e) => {
    const found = findNamed(e.target.value);
    if (found) select(found);
  };
  byId("search").addEventListener("change", find);
  byId("search").addEventListener("keydown", (e) => e.key === "Enter" && find(e));
  byId("svg").addEventListener("click", exportSvg);
  byId("png").addEventListener("click", exportPng);
  byId("print").addEventListener("click", () => print());
  byId("theme").addEventListener("click", () => setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark"));
  byId("help").addEventListener("click", showKeys);
  for (const [name, [text]] of Object.entries(tabs)) {
    if ((name === "timeline" || name === "memory") && !run) continue;
    byId("tabs").append(element("button", { role: "tab", "data-tab": name, "aria-selected": String(name === tab), onclick: () => showTab(name) }, text));
  }
  narrow.addEventListener("change", showPanes);
  showPanes();
  drawSource();
  drawGraph();
  drawFabric();
  if (graphPicture) graphPicture.fit();
  if (fabricPicture) fabricPicture.fit(componentsInUse.size && (machine || routes.length) ? boundsOf([...componentsInUse].map((c) => components[c].box)) : undefined);
  makePlayer();
  if (run && fabricPicture) fabricPicture.onLevel = () => playFabric(frameAt(now));
  if (mapping && mapping.incomplete) select({ kind: "failed", id: 0 });
  else if (outcome && outcome.waits.length) select({ kind: "waits", id: 0 });
  else select(null);
  if (run) goTo(outcome && outcome.end !== "good" ? lastTime() : run.from);
  document.documentElement.dataset.ready = Math.round(performance.now());
}

// For scripts that drive the page.
window.loomView = {
  data, select, goTo, play, jump, frame: () => { const f = frameAt(now); return { time: f.time, units: f.units, nodes: [...f.nodes], stalls: f.stalls.map(([u, s]) => [u, WHY[s.why]]), tokens: f.tokens.map(([i, t]) => [i, t.moves, tokenText(i, t)]) }; },
  marked: () => ({ nodes: [...marks.nodes], edges: [...marks.edges], components: [...marks.components], channels: [...marks.channels].map((c) => [portName(channels[c].from), portName(channels[c].to)]), hops: marks.hops.map((h) => h.map(portName)), lines: [...marks.lines] }),
  fill: (u, time) => fillAt(u, time), meanFill: (u) => meanFill(u), shares: (u) => shareOf(u).stalls.map((s) => Math.round(s * span)), find: findNamed, heat: (kind) => ((byId("heat").value = kind), showHeat(kind)), theme: setTheme, tab: showTab, pictures: () => ({ graph: graphPicture, fabric: fabricPicture }),
  input: (i) => ({ name: inputs[i].name, unit: inputs[i].unit }), now: () => now, memory: (m) => memoryAt(m, now).contents.map(String), unit: (u) => ({ name: unitName(u), component: unitPlace(u), kind: units[u].kind }),
};
start();
