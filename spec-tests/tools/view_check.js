// view_check.js -- the pages of `loom emit view` in a browser, compared with other outputs of LOOM.
//
//     node view_check.js LOOM CHROMIUM SCRATCH          prints FAIL lines and "N passed, N failed"
//     node view_check.js LOOM CHROMIUM SCRATCH --bench  how quick pages are, as a table
//     node view_check.js LOOM CHROMIUM SCRATCH --pictures DIR   the pictures of the manual
//
// Nothing that is expected comes from the page's data: counts are those of `emit dot` and `adg show`, routes
// those of the mapping's JSON, frames those of `loom sim --cycles` and of the Perfetto trace, loops and
// stalls those of `loom sim --stats`, waits those that `loom sim` names. Then the script of a page is
// changed in one place at a time, and each such mutant must fail.
"use strict";
const { openBrowser } = require("./browser.js");
const { execFileSync, spawnSync } = require("child_process");
const fs = require("fs");
const path = require("path");
const vm = require("vm");

const [loom, chromium, scratch, mode, target] = process.argv.slice(2);
const said = (...args) => execFileSync(loom, args, { encoding: "utf8", maxBuffer: 1 << 29, stdio: ["ignore", "pipe", "ignore"] });
const sets = (...args) => spawnSync(loom, args, { encoding: "utf8", maxBuffer: 1 << 28 });
const at = (name) => path.join(scratch, name);
const golden = (kernel) => [`golden/${kernel}/kernel.mlir`, `golden/${kernel}/case.json`];

let passed = 0, failed = 0;
let quiet = false; // of a mutant: only count
let wrong = 0;
function check(what, good, detail) {
  if (quiet) return void (wrong += !good);
  if (good) passed++;
  else failed++, console.log(`FAIL ${what}${detail === undefined ? "" : ": " + detail}`);
}
function same(what, is, should) {
  const a = JSON.stringify(is), b = JSON.stringify(should);
  check(what, a === b, `is ${String(a).slice(0, 300)}, should be ${String(b).slice(0, 300)}`);
}

// ---- what LOOM says elsewhere ----------------------------------------------------------------------

// cycle -> { operand: value }, of the first `most` cycles.
function cyclesOf(map, kase, most) {
  const lines = said("sim", map, "--case", kase, "--cycles", "--alone").split("\n");
  const names = lines[0].trim().split(/\s+/).slice(1), table = [];
  for (const line of lines.slice(1, most + 1)) {
    const cells = line.trim().split(/\s+/), row = {};
    if (!/^\d+$/.test(cells[0])) break;
    cells.slice(1).forEach((c, k) => c !== "." && (row[names[k]] = c));
    table[Number(cells[0])] = row;
  }
  return table;
}

// cycle -> sorted names of components whose units fire.
function firingsOf(map, kase, most) {
  sets("emit", "trace", map, "--case", kase, "-o", at("trace"), "--", "--format=perfetto", `--count=${most}`);
  const events = JSON.parse(fs.readFileSync(at("trace/trace.json"))).traceEvents, names = new Map(), table = [];
  for (const e of events) if (e.name === "thread_name") names.set(e.tid, e.args.name.replace(/: .*/, ""));
  for (const e of events) if (e.ph === "X" && !e.cat && names.has(e.tid)) (table[e.ts] = table[e.ts] || new Set()).add(names.get(e.tid));
  return table.map((s) => [...s].sort());
}

// ---- checks ----------------------------------------------------------------------------------------

// The page in a cycle: what is taken, who fires.
const FRAME = `(() => { const f = loomView.frame(); const taken = {}; for (const [i, moves, value] of f.tokens) if (moves) taken[loomView.input(i).name] = value;
  const fires = [...new Set(f.units.map((u) => loomView.unit(u)).filter((u) => !["input", "output", "drain", "fifo"].includes(u.kind)).map((u) => u.component))].sort(); return { taken, fires }; })()`;
const PICTURE = `[...document.querySelectorAll("svg.over g:last-child")].map((g) => g.innerHTML).join("|") + document.querySelector("#events").textContent`;

const sorted = (o) => Object.fromEntries(Object.entries(o).sort());

async function checkFrames(page, what, cycles, firings, at) {
  for (const n of at) {
    await page.evaluate(`loomView.goTo(${n})`);
    const frame = await page.evaluate(FRAME);
    same(`${what}, cycle ${n}: tokens taken`, sorted(frame.taken), sorted(cycles[n] || {}));
    same(`${what}, cycle ${n}: who fires`, frame.fires, firings[n] || []);
    const drawn = await page.evaluate(`[...document.querySelectorAll("#fabric .fires")].map((e) => loomView.data.fabric.components[e.dataset.fires].name).sort()`);
    const all = await page.evaluate(`[...new Set(loomView.frame().units.map((u) => loomView.data.machine.units[u].component))].map((c) => loomView.data.fabric.components[c].name).sort()`);
    same(`${what}, cycle ${n}: who is drawn green`, drawn, all);
    check(`${what}, cycle ${n}: and nobody but them`, (firings[n] || []).every((name) => drawn.includes(name)));
  }
  // back from N is N - 1
  const n = at[at.length - 1];
  await page.evaluate(`loomView.goTo(${n - 1})`);
  const before = await page.evaluate(PICTURE);
  await page.evaluate(`loomView.goTo(${n}); document.querySelector("#back").click()`);
  check(`${what}: back from ${n} is ${n - 1}`, (await page.evaluate(PICTURE)) === before);
}

async function checkRoutes(page, what, mapping, every) {
  for (const [k, edge] of mapping.edges.entries()) {
    if (k % every || !edge.route || !edge.route.length) continue;
    const id = await page.evaluate(`(() => { const e = loomView.data.graph.edges.findIndex((e) => e.name === ${JSON.stringify(edge.name)}); loomView.select({ kind: "edge", id: e }); return e; })()`);
    const marks = await page.evaluate(`({ channels: loomView.marked().channels, hops: loomView.marked().hops, drawn: document.querySelectorAll("[data-marked-channel]").length, inside: document.querySelectorAll("[data-marked-hop]").length, edges: [...document.querySelectorAll("[data-marked-edge]")].map((e) => Number(e.dataset.markedEdge)) })`);
    const channels = [], hops = [], route = edge.route.map((port) => port.replace(/@\d+$/, ""));
    for (let p = 0; p + 1 < edge.route.length; p += 2) channels.push([route[p], route[p + 1]]);
    for (let p = 1; p + 1 < edge.route.length; p += 2) hops.push([route[p], route[p + 1]]);
    same(`${what}: the way of %${edge.name}`, marks.channels, channels);
    same(`${what}: and in switches`, marks.hops, hops);
    check(`${what}: all of it is drawn, %${edge.name}`, marks.drawn === channels.length && marks.inside === hops.length);
    same(`${what}: and the edge of the graph`, marks.edges, [id]);
  }
}

async function checkStatistics(page, what, map, kase) {
  const stats = JSON.parse(said("sim", map, "--case", kase, "--alone", "--json"));
  const loops = await page.evaluate(`(() => { loomView.tab("loops"); return [...document.querySelectorAll("tr[data-loop]")].map((r) => [...r.children].slice(0, 7).map((c) => c.textContent)); })()`);
  same(`${what}: the table of loops`, loops.map((l) => [l[0], Number(l[2].replace(/ /g, "")), Number(l[3].replace(/ /g, "")), l[4]]), stats.loops.map((l) => [l.nodes[0], l.entries, l.iterations, l.interval === undefined || l.interval === null ? "-" : l.interval.toFixed(2)]));
  if (stats.cycles > 100000) return;
  const is = {}, should = {};
  const units = await page.evaluate(`loomView.data.machine.units.map((u, i) => [loomView.unit(i).component, u.kind, loomView.shares(i)])`);
  const add = (sums, name, cycles) => (sums[name] = cycles.map((c, k) => c + ((sums[name] || [0, 0, 0, 0])[k])));
  for (const [name, kind, s] of units) if (!["input", "output", "drain", "fifo"].includes(kind)) add(is, name, s);
  for (const u of stats.units) {
    if (/^(input|output|throws away|discard|fifo|register|buffer)/.test(u.op)) continue;
    add(should, u.unit.replace(/(\.(load|store))?\[\d+\]$/, ""), [u.busy, u.memory, u.starved, u.blocked]);
  }
  same(`${what}: cycles that units stalled, by cause`, sorted(is), sorted(should));
}

// Why does this loop take as many cycles? Where the run is at the bound of the recurrence, the steps that are
// told add up to the interval that `loom sim --stats` measured; of a loop with loops in it, it is told how
// many of their iterations it has.
const WHY_LOOP = (node) => `(() => { loomView.tab("loops"); const row = [...document.querySelectorAll("tr[data-loop]")].find((r) => r.children[0].textContent === ${JSON.stringify(node)}); loomView.select({ kind: "loop", id: Number(row.dataset.loop) }); loomView.tab("why"); return { text: document.querySelector("#tab").innerText, steps: [...document.querySelectorAll("#tab li[data-cycles]")].map((l) => Number(l.dataset.cycles)) }; })()`;

async function checkSteps(page, what, map, kase) {
  const { loops } = JSON.parse(said("sim", map, "--case", kase, "--alone", "--json"));
  for (const loop of loops) {
    const why = await page.evaluate(WHY_LOOP(loop.nodes[0])), sum = why.steps.reduce((a, b) => a + b, 0);
    if (loop.interval === loop.bound && loop.bound > 1) check(`${what}: why loop ${loop.nodes[0]} takes ${loop.interval} cycles`, sum === loop.interval && why.text.includes(`Together ${sum} cycles`) && !why.text.includes("the mapper counts"), `${why.steps.join(" + ")}; ${why.text.slice(0, 300)}`);
  }
  return loops;
}

async function checkWhy(page, what, map, kase) {
  const loops = await checkSteps(page, what, map, kase);
  const [outer, one] = loops; // two of each kernel, as they stand in the source
  const times = (one.iterations / outer.iterations).toFixed(2), told = (await page.evaluate(WHY_LOOP(outer.nodes[0]))).text;
  check(`${what}: loop ${outer.nodes[0]} is told to have ${times} of loop ${one.nodes[0]}`, loops.length === 2 && told.includes(`${outer.interval === undefined ? "Inside" : "Why"}: an iteration of it has ${times} of loop ${one.nodes[0]}, one every ${Number.isInteger(one.interval) ? one.interval : one.interval.toFixed(2)} cycles`), told);
}

// Segments of different outputs never lie on one another, boxes never overlap, no wire crosses a box.
async function checkPlan(page, what) {
  const { boxes, wires } = await page.evaluate(`({ boxes: loomView.data.fabric.components.map((c) => c.box), wires: loomView.data.fabric.channels.map((c) => [c.from, c.path]) })`);
  let overlap = 0, shared = 0, through = 0;
  boxes.forEach((a, i) => boxes.slice(0, i).forEach((b) => (overlap += a[0] < b[0] + b[2] && b[0] < a[0] + a[2] && a[1] < b[1] + b[3] && b[1] < a[1] + a[3])));
  const lines = new Map();
  for (const [from, p] of wires)
    for (let k = 0; k + 3 < p.length; k += 2) {
      const [x, y, u, v] = p.slice(k, k + 4), flat = y === v;
      if (!flat && x !== u) shared++;
      const key = flat ? "h" + y : "v" + x, a = flat ? Math.min(x, u) : Math.min(y, v), b = flat ? Math.max(x, u) : Math.max(y, v);
      if (!lines.has(key)) lines.set(key, []);
      lines.get(key).push([a, b, from]);
    }
  for (const [key, list] of lines) {
    list.sort((a, b) => a[0] - b[0]);
    for (let k = 1; k < list.length; k++) shared += list[k][0] <= list[k - 1][1] && list[k][2] !== list[k - 1][2];
    const place = Number(key.slice(1)), flat = key[0] === "h";
    for (const [x, y, w, h] of boxes) {
      const [low, high, from, to] = flat ? [y, y + h, x, x + w] : [x, x + w, y, y + h];
      if (place > low && place < high) through += list.filter(([a, b]) => a < to && b > from).length;
    }
  }
  same(`${what}: boxes that overlap, wires on wires, wires through boxes`, [overlap, shared, through], [0, 0, 0]);
}

// Of each PE the multiplexers that are in use are drawn: where the mapping's routes end in it, and begin.
async function checkMuxes(page, what, mapping) {
  const drawn = await page.evaluate(`[...document.querySelectorAll("#fabric [data-mux]")].map((e) => e.dataset.mux).sort()`), should = new Set();
  const pes = new Set(mapping.clusters.map((c) => c.pe));
  for (const edge of mapping.edges) for (const port of edge.route && edge.route.length ? [edge.route[0], edge.route[edge.route.length - 1]] : []) if (pes.has(port.replace(/\.\w+$/, ""))) should.add(port);
  same(`${what}: the multiplexers in PEs`, drawn, [...should].sort());
}

// Names from afar: as many letters as can be read, and none on another.
async function checkNames(page, what) {
  const names = await page.evaluate(`(() => { loomView.pictures().fabric.fit(); return [...document.querySelectorAll("#fabric text.big")].map((t) => [getComputedStyle(t), t.getBoundingClientRect(), t.textContent]).filter(([s]) => s.display !== "none" && s.visibility !== "hidden").map(([, b, text]) => [b.left, b.top, b.right, b.bottom, text]); })()`);
  let over = 0;
  names.forEach((a, i) => names.slice(0, i).forEach((b) => (over += a[0] < b[2] - 1 && b[0] < a[2] - 1 && a[1] < b[3] - 3 && b[1] < a[3] - 3)));
  check(`${what}: there are names from afar`, names.length > 15, names.length);
  check(`${what}: they are high enough to be read`, names.every((a) => a[3] - a[1] >= 9), Math.min(...names.map((a) => a[3] - a[1])));
  same(`${what}: names that lie on others`, over, 0);
}

async function silent(page, what) {
  same(`${what}: the page says nothing, and asks for nothing`, page.said, []);
}

// ---- pages -----------------------------------------------------------------------------------------

function mapped(kernel, fabric) {
  const [mlir, kase] = golden(kernel), dir = at(`${kernel}.${fabric}`);
  said("map", mlir, "--adg", fabric, "-o", dir);
  said("emit", "view", dir, "--case", kase, "-o", dir);
  return { dir, kase, file: `${dir}/${kernel}.html`, mapping: JSON.parse(fs.readFileSync(`${dir}/${kernel}.map.json`)) };
}

async function checkMapped(browser, m, what, frames, every) {
  const page = await browser.open(m.file, 1500, 950);
  const most = Math.max(...frames) + 2, cycles = cyclesOf(m.dir, m.kase, most), firings = firingsOf(m.dir, m.kase, most);
  await checkFrames(page, what, cycles, firings, frames);
  await checkRoutes(page, what, m.mapping, every);
  await checkStatistics(page, what, m.dir, m.kase);
  await checkSteps(page, what, m.dir, m.kase);
  await silent(page, what);
  await page.close();
}

const WHY_KERNELS = ["gcd", "collatz", "isqrt", "popcount"];

async function checkAnswers(browser, m, what, file) {
  const page = await browser.open(file || m.file, 1500, 950);
  await checkWhy(page, what, m.dir, m.kase);
  await silent(page, what);
  await page.close();
}

async function checkCounts(browser, m, what, kernel) {
  const page = await browser.open(m.file, 1500, 950);
  const adg = JSON.parse(said("adg", "show", "--json", `${m.dir}/${kernel}.fabric.mlir`));
  const dot = said("emit", "dot", `${m.dir}/${kernel}.dfg.mlir`);
  const n = await page.evaluate(`["node", "edge", "component", "channel"].map((k) => document.querySelectorAll('[data-kind="' + k + '"]').length)`);
  same(`${what}: nodes, edges, components, channels`, n, [(dot.match(/^n\d+ \[shape/gm) || []).length, (dot.match(/^n\d+ -> /gm) || []).length, adg.components.length, adg.channels.length]);
  await checkPlan(page, what);
  await checkNames(page, what);
  await checkMuxes(page, what, m.mapping);
  const lines = await page.evaluate(`document.querySelectorAll("#source .code").length`);
  check(`${what}: the source's lines`, lines >= fs.readFileSync(golden(kernel)[0], "utf8").trimEnd().split("\n").length);
  await page.evaluate(`loomView.theme("dark"); loomView.heat("stalls"); loomView.heat("tokens"); loomView.tab("timeline"); loomView.tab("memory"); loomView.jump(1); loomView.jump(-1)`);
  for (const key of ["l", "w", "i", "m", "h", "t", "f", "n", "p", "[", "]", "1", "1", "2", "2", "Escape", "ArrowRight", "End", "Home", "0", "+", "-"]) await page.evaluate(`document.body.dispatchEvent(new KeyboardEvent("keydown", { key: ${JSON.stringify(key)}, bubbles: true })) || 1`).catch((e) => check(`${what}: key ${key}`, false, e.message));
  await checkLoad(page, m, kernel);
  const svg = await page.evaluate(`new DOMParser().parseFromString(loomView.pictures().fabric.exported(), "image/svg+xml").documentElement.nodeName`);
  same(`${what}: SVG that is saved`, svg, "svg");
  await silent(page, what);
  await page.close();
}

// Memory after the whole run is what `loom sim --out` gives.
async function checkMemory(browser) {
  fs.writeFileSync(at("copy.mlir"), "func.func @copy(%a: memref<8xi32>, %b: memref<8xi32>) {\n  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n  %c8 = arith.constant 8 : index\n  scf.for %i = %c0 to %c8 step %c1 {\n    %x = memref.load %a[%i] : memref<8xi32>\n    %y = arith.muli %x, %x : i32\n    memref.store %y, %b[%i] : memref<8xi32>\n  }\n  return\n}\n");
  said("map", at("copy.mlir"), "--adg", "small", "-o", at("copy"));
  // From any cycle: what is under way then is stored all the same.
  for (const from of [0, 14, 17, 18, 19, 20, 21, 22, 24]) {
    said("emit", "view", at("copy"), "--args", "[3, 1, 4, 1, 5, 9, 2, 6], [0, 0, 0, 0, 0, 0, 0, 0]", "-o", at("copy"), "--", `--from=${from}`);
    const page = await browser.open(at("copy/copy.html"), 1200, 800);
    await page.evaluate(`loomView.goTo(1e9)`);
    const b = await page.evaluate(`loomView.memory(loomView.data.graph.memories.findIndex((m) => m.name.startsWith("b")))`);
    same(`memory at the end, from cycle ${from}`, b, ["9", "1", "16", "1", "25", "81", "4", "36"]);
    await silent(page, "copy");
    await page.close();
  }
}

// The same of a graph alone: of copy at the end, and behind each store; of histogram, worked out by hand.
async function checkGraphMemory(browser, file, counted) {
  const contents = (page, name) => page.evaluate(`loomView.memory(loomView.data.graph.memories.findIndex((m) => m.name.startsWith("${name}")))`);
  if (!counted) said("emit", "view", at("copy.mlir"), "--args", "[3, 1, 4, 1, 5, 9, 2, 6], [0, 0, 0, 0, 0, 0, 0, 0]", "-o", at("copied"));
  let page = await browser.open(file || at("copied/copy.html"), 1200, 800);
  await page.evaluate(`loomView.tab("memory"); loomView.goTo(1e9)`);
  same("memory of a graph at the end", await contents(page, "b"), ["9", "1", "16", "1", "25", "81", "4", "36"]);
  const times = await page.evaluate(`(() => { const m = loomView.data.graph.memories.findIndex((m) => m.name.startsWith("b")), seen = []; let last = ""; for (let t = 0; t < loomView.data.run.to; t++) { loomView.goTo(t); const is = loomView.memory(m).join(" "); if (is !== last) seen.push(is); last = is; } return seen; })()`);
  same("memory of a graph: what each store leaves", times, ["0 0 0 0 0 0 0 0", "9 0 0 0 0 0 0 0", "9 1 0 0 0 0 0 0", "9 1 16 0 0 0 0 0", "9 1 16 1 0 0 0 0", "9 1 16 1 25 0 0 0", "9 1 16 1 25 81 0 0", "9 1 16 1 25 81 4 0", "9 1 16 1 25 81 4 36"]);
  await silent(page, "memory of a graph");
  await page.close();
  if (!counted) said("emit", "view", golden("histogram")[0], "--args", `[1, 2, 1, 5], [${Array(256).fill(7).join()}]`, "-o", at("counted"));
  page = await browser.open(counted || at("counted/histogram.html"), 1200, 800);
  await page.evaluate(`loomView.goTo(1e9)`);
  same("memory of a graph: histogram", (await contents(page, "bins")).slice(0, 7), ["0", "2", "1", "0", "0", "1", "0"]);
  await page.close();
}

// The configuration, word by word before cycle 0: which component is marked is what `loom config` says of the
// image's slices.
async function checkLoad(page, m, kernel) {
  const slices = new Map();
  sets("emit", "trace", m.dir, "--case", m.kase, "-o", at("load"), "--", "--format=csv", "--load", "--count=1");
  for (const row of fs.readFileSync(at("load/load.csv"), "utf8").trim().split("\n").slice(1)) {
    const [from, to, name] = row.split(",");
    for (let t = Number(from); t <= Number(to); t++) slices.set(t, name);
  }
  const words = fs.readFileSync(`${m.dir}/${kernel}.config.bin`).length / 4;
  check("the load of a configuration: a cycle for each word, and the checksum", slices.size === words + 1 && slices.get(-1) === "checksum", slices.size);
  for (const t of [-words - 1, -words, -40, -2, -1]) {
    const is = await page.evaluate(`(() => { loomView.goTo(${t}); return [...document.querySelectorAll("#fabric [data-loads]")].map((e) => loomView.data.fabric.components[e.dataset.loads].name); })()`);
    same(`the load of a configuration in cycle ${t}`, is, slices.get(t) === "checksum" ? [] : [slices.get(t)]);
  }
  const ends = await page.evaluate(`[-3, 0].map((t) => (loomView.goTo(t), [Number(document.querySelector("#slider").min), Number(document.querySelector("#slider").value)]))`);
  same("the slider has the load only where it is shown", ends, [[-words - 1, -3], [0, 0]]);
  same("the load of a configuration: not in cycle 0", await page.evaluate(`(() => { loomView.goTo(0); return document.querySelectorAll("#fabric [data-loads], #fabric .loaded-before").length; })()`), 0);
}

// A FIFO before a unit that takes a token every three cycles; by hand: a token comes each cycle, one leaves
// when the unit's latch is empty at the start of a cycle. Tokens behind the cycles 0 to 11:
const FILLS = [1, 1, 1, 2, 3, 2, 2, 2, 1, 1, 1, 0];

async function checkFill(browser) {
  fs.writeFileSync(at("slow.mlir"), 'fabric.module @top(%a: !fabric.bits<8>) -> (!fabric.bits<8>) {\n  %q = fabric.fifo @q [depth = 4] (%a) : (!fabric.bits<8>) -> (!fabric.bits<8>)\n  %p = fabric.spatial_pe @pe inputs(%q) : (!fabric.bits<8>) -> (!fabric.bits<8>) attributes {instruction = "twice(in 0) -> (out 0)"} {\n    fabric.function_unit @twice(%x: i8) -> (i8) [latency = 3, interval = 3] {\n      %z = arith.addi %x, %x : i8\n      fabric.yield %z : i8\n    }\n    fabric.yield\n  }\n  fabric.yield %p : !fabric.bits<8>\n}\n');
  fs.writeFileSync(at("slow.json"), '{"args":[{"stream":{"type":"i8","data":[1,2,3,4,5]}}]}');
  for (const from of [0, 4]) {
    said("emit", "view", at("slow.mlir"), "--case", at("slow.json"), "-o", at("slow"), "--", `--from=${from}`);
    const page = await browser.open(at("slow/top.html"), 900, 700);
    const u = await page.evaluate(`loomView.data.machine.units.findIndex((u) => u.kind === "fifo")`);
    const fills = await page.evaluate(`[...Array(${12 - from}).keys()].map((k) => loomView.fill(${u}, ${from} + k))`);
    same(`tokens in a FIFO, from cycle ${from}`, fills, FILLS.slice(from));
    const all = await page.evaluate(`loomView.meanFill(${u}) * loomView.data.run.to * 4 - loomView.meanFill(${u}) * loomView.data.run.from * 4`);
    same(`tokens in a FIFO over all cycles, from cycle ${from}`, Math.round(all * 1e6) / 1e6, FILLS.slice(from).reduce((x, y) => x + y, 0));
    await page.evaluate(`loomView.heat("fill")`);
    await silent(page, "how full FIFOs are");
    await page.close();
  }
}

async function checkRefused(page, without) {
  const marked = await page.evaluate(`({ nodes: [...document.querySelectorAll(".node.unplaced")].map((e) => loomView.data.graph.nodes[e.dataset.id].name).sort(), text: document.querySelector("#tab").textContent, lines: document.querySelectorAll("#source h2").length && document.querySelector("#source h2").textContent, fabric: document.querySelectorAll("#fabric .component").length })`);
  same("a kernel that is refused: what is in the way is marked", marked.nodes, [...without].sort());
  check("a kernel that is refused: the page says why", marked.text.includes("MAP_NO_UNIT") && without.every((name) => marked.text.includes(name)) && marked.text.includes("the closest match is"), marked.text.slice(0, 200));
  check("a kernel that is refused: its source and the fabric", marked.lines === "golden/fir/kernel.mlir" && marked.fabric > 100, marked.lines);
}

// Marked are all channels to and from `table`, no other, and the results that the message names.
async function checkFull(page, table) {
  const marked = await page.evaluate(`(() => { const f = loomView.data.fabric, has = (d, port) => port >= d.port && port < d.port + d.ins + d.outs; const of = (e) => f.components.filter((d) => has(d, f.channels[e.dataset.id].from) || has(d, f.channels[e.dataset.id].to)).map((d) => d.name); const all = [...document.querySelectorAll("#fabric .channel[data-id]")], table = ${JSON.stringify(table)}; return { cut: all.filter((e) => e.classList.contains("cut")).map((e) => e.dataset.id).sort(), its: all.filter((e) => of(e).includes(table)).map((e) => e.dataset.id).sort(), edges: [...document.querySelectorAll(".edge.unrouted")].map((e) => loomView.data.graph.edges[e.dataset.id].name).sort() }; })()`);
  check("a table is full: it has channels", marked.its.length === 3, marked.its.join());
  same("a table is full: its channels are marked", marked.cut, marked.its);
  same("a table is full: what has no way is marked", marked.edges, ["difference", "sum"]);
}

async function checkOthers(browser) {
  // a kernel without hardware
  const [mlir, kase] = golden("gcd");
  said("emit", "view", mlir, "--case", kase, "-o", at("graph"));
  let page = await browser.open(at("graph/gcd.html"), 1000, 800);
  await page.evaluate(`loomView.goTo(40)`);
  check("a graph: one node fires in a frame", (await page.evaluate(`document.querySelectorAll("#graph .fires").length`)) === 1);
  await silent(page, "a graph");
  await page.close();
  // fabrics of many shapes
  for (const args of ["--topology mesh --rows 3 --cols 3 --fifo 2", "--topology star --rows 2 --cols 3", "temporal", "medium"]) {
    said("adg", ...args.split(" "), "-o", at("fabric.mlir"));
    said("emit", "view", at("fabric.mlir"), "-o", at("fabric"));
    page = await browser.open(at("fabric/fabric.html"), 1200, 900);
    await checkPlan(page, `the plan of ${args}`);
    if (args === "medium") await checkNames(page, args);
    await silent(page, args);
    await page.close();
  }
  // a deadlock: the cycle of waits that loom sim names
  const tools = "spec-tests/tools";
  const stuck = sets("sim", `${tools}/standing_fabric.mlir`, "--case", `${tools}/standing_case.json`).stderr;
  sets("emit", "view", `${tools}/standing_fabric.mlir`, "--case", `${tools}/standing_case.json`, "-o", at("stuck"));
  const file = fs.existsSync(at("stuck")) ? fs.readdirSync(at("stuck")).find((f) => f.endsWith(".html")) : null;
  check("a run that stands still: there is a page", file);
  if (file) {
    page = await browser.open(at("stuck/" + file), 1200, 900);
    const text = await page.evaluate(`document.querySelector("#tab").textContent`);
    const waits = await page.evaluate(`loomView.data.outcome.waits.map((w) => loomView.unit(w.unit).component)`);
    check("a run that stands still: who waits is told", waits.length > 1 && waits.every((w) => stuck.includes(w) && text.includes(w)), waits.join());
    await silent(page, "a run that stands still");
    await page.close();
  }
  // a graph that has no mapping
  fs.writeFileSync(at("many.mlir"), fs.readFileSync("spec-tests/24-mapping.md", "utf8").match(/#+ What came closest[\s\S]*?```mlir\n([\s\S]*?)```/)[1]);
  fs.writeFileSync(at("narrow.mlir"), fs.readFileSync("spec-tests/24-mapping.md", "utf8").match(/#+ What came closest[\s\S]*?```mlir file=narrow.mlir\n([\s\S]*?)```/)[1]);
  const none = sets("map", at("many.mlir"), "--adg", at("narrow.mlir"), "-o", at("none"), "--view");
  check("no mapping: status 3, and a page", none.status === 3 && fs.existsSync(at("none/f.html")), none.stderr);
  if (fs.existsSync(at("none/f.html"))) {
    page = await browser.open(at("none/f.html"), 1200, 900);
    const marked = await page.evaluate(`[...document.querySelectorAll(".edge.unrouted")].map((e) => loomView.data.graph.edges[e.dataset.id].name)`);
    same("no mapping: what has no way is marked", marked, JSON.parse(fs.readFileSync(at("none/f.map.json"))).unrouted.map((e) => e.name));
    // the one channel between the switches, that loom map names
    const cut = await page.evaluate(`[...document.querySelectorAll(".channel.cut")].map((e) => { const c = loomView.data.fabric.channels[e.dataset.id]; return loomView.data.fabric.components.filter((d) => (c.from >= d.port && c.from < d.port + d.ins + d.outs) || (c.to >= d.port && c.to < d.port + d.ins + d.outs)).map((d) => d.name).sort().join(" "); })`);
    same("no mapping: the cut is marked", cut, ["left right"]);
    await silent(page, "no mapping");
    await page.close();
  }
  // a kernel that is refused before any search: what is in the way, which the message names
  const refused = sets("map", "golden/fir/kernel.mlir", "--adg", "small", "-o", at("refused"), "--view");
  const without = [...refused.stderr.matchAll(/MAP_NO_UNIT.*needed by \d+ nodes?: (.*)/g)].flatMap((m) => m[1].split(", "));
  check("a kernel that is refused: status 3, and a page", refused.status === 3 && without.length > 3 && fs.existsSync(at("refused/fir.html")), refused.stderr.slice(0, 300));
  page = await browser.open(at("refused/fir.html"), 1200, 900);
  await checkRefused(page, without);
  await silent(page, "a kernel that is refused");
  await page.close();
  await checkEachMutant({ file: at("refused/fir.html") }, [["const n = nodeByName.get(u.node ?? u.memory);", "const n = nodeByName.get(u.memory);"], ["mapping.told ?", "mapping.said ?"]], async () => {
    const changed = await browser.open(at("mutant.html"), 1200, 900);
    await checkRefused(changed, without);
    await changed.close();
  });
  // a kernel for which the wires have no room: those of the table that the message names
  const routing = fs.readFileSync("spec-tests/27-routing.md", "utf8").match(/### A table with one row[\s\S]*?```mlir\n([\s\S]*?)```[\s\S]*?```mlir file=shared.mlir\n([\s\S]*?)```/);
  fs.writeFileSync(at("both.mlir"), routing[1]);
  fs.writeFileSync(at("shared.mlir"), routing[2]);
  const full = sets("map", at("both.mlir"), "--adg", at("shared.mlir"), "-o", at("full"), "--view");
  const table = full.stderr.match(/the table of (\w+) has 1 row/);
  check("a table is full: status 3, and a page", full.status === 3 && table && fs.existsSync(at("full/f.html")), full.stderr.slice(0, 300));
  page = await browser.open(at("full/f.html"), 1200, 900);
  await checkFull(page, table[1]);
  await silent(page, "a table is full");
  await page.close();
  await checkEachMutant({ file: at("full/f.html") }, [['"gather.in1", ', ""], ['"gather.out0"]', '"part.out0"]'], ['{"name": "sum", "from": "sum", "to": "return", "operand": 0},', ""]], async () => {
    const changed = await browser.open(at("mutant.html"), 1200, 900);
    await checkFull(changed, table[1]);
    await changed.close();
  });
  // a hostile name is text: of a function, in a file's text
  const name = `</script><img src=x onerror=alert(1)>'"\u00e9\u2028`, symbol = name.replace(/"/g, "\\22");
  fs.writeFileSync(at("hostile.mlir"), `handshake.func @"${symbol}"(%a: i32, ...) -> i32 {\n  // ${name}\n  %s = arith.addi %a, %a : i32\n  handshake.return %s : i32\n}\n`);
  for (const [file, inside] of [["hostile", "#source"]]) {
    said("emit", "view", at(file + ".mlir"), "-o", at(file));
    page = await browser.open(at(`${file}/${fs.readdirSync(at(file))[0]}`), 1000, 700);
    check(`a hostile name shows as text in ${inside}`, await page.evaluate(`document.querySelector("#title").textContent === "@" + ${JSON.stringify(name)} && !document.querySelector("img")`));
    check(`and what stands in ${inside}`, await page.evaluate(`document.querySelector("${inside}").textContent.includes(${JSON.stringify(name)}) && !document.querySelector("img")`));
    await page.evaluate(`loomView.select({ kind: "component", id: 1 }) || loomView.select({ kind: "node", id: 0 })`).catch(() => {});
    await silent(page, `a hostile name in ${file}`);
    await page.close();
  }
}

// Names of hardware likewise, drawn, told, in tips and found; and of a mapping onto it.
async function checkHostileFabric(browser, from, to) {
  const name = `</script><img src=x onerror=alert(1)>'"><img src=x onerror=alert(1)>\u00e9\u2028`, symbol = name.replace(/"/g, "\\22");
  const bits = "!fabric.bits<32>", many = (one, n) => Array(n).fill(one).join(", "); // ports: a PE large enough for its muxes
  fs.writeFileSync(at("evil.mlir"), `fabric.module @"${symbol}"(%a: !fabric.bits<32>, %b: !fabric.bits<32>) -> (!fabric.bits<32>) {\n  %p:8 = fabric.spatial_pe @"pe ${symbol}" inputs(${many("%a, %b", 8)}) : (${many(bits, 16)}) -> (${many(bits, 8)}) {\n    fabric.function_unit @"fu ${symbol}"(%x: i32, %y: i32) -> (i32) [latency = 1, interval = 1] {\n      %z = arith.addi %x, %y : i32\n      fabric.yield %z : i32\n    }\n    fabric.yield\n  }\n  fabric.yield %p#0 : !fabric.bits<32>\n}\n`);
  fs.writeFileSync(at("sum.mlir"), `handshake.func @"${symbol}"(%a: i32, %b: i32, ...) -> i32 {\n  %s = arith.addi %a, %b : i32\n  handshake.return %s : i32\n}\n`);
  said("map", at("sum.mlir"), "--adg", at("evil.mlir"), "-o", at("evil"));
  said("emit", "view", at("evil"), "--args", "1, 2", "-o", at("evil"));
  const file = at("evil/" + fs.readdirSync(at("evil")).find((f) => f.endsWith(".html")));
  if (from) fs.writeFileSync(file, fs.readFileSync(file, "utf8").replace(from, () => to));
  const page = await browser.open(file, 1000, 700);
  const told = await page.evaluate(`(() => { const id = loomView.data.fabric.components.findIndex((c) => c.name.startsWith("pe ")); loomView.select({ kind: "component", id }); const g = document.querySelector('.component[data-id="' + id + '"]'); g.dispatchEvent(new PointerEvent("pointerover", { bubbles: true })); const text = document.querySelector("#tab").textContent + document.querySelector("#tip").textContent, found = loomView.find(loomView.data.fabric.components[id].name); loomView.tab("timeline"); return { text, is: found && found.id === id, images: document.querySelectorAll("img").length, drawn: g.textContent, muxes: [...g.querySelectorAll("[data-mux]")].map((e) => e.dataset.mux.replace(/[.](in|out)[0-9]+$/, "")) }; })()`);
  check("a hostile name of hardware is told as text", told.text.split("pe " + name).length > 2 && told.is && told.images === 0, JSON.stringify(told).slice(0, 300));
  check("a hostile name of hardware is drawn as text", told.drawn.includes("</scr") || told.drawn.includes("pe <"), told.drawn);
  check("and so it is at muxes", told.muxes.length === 3 && told.muxes.every((n) => n === "pe " + name), told.muxes.join(", "));
  await silent(page, "a hostile name of hardware");
  await page.close();
}

// Numbers are written as LOOM writes them: all halves, and some of the longer ones.
function checkNumbers(what, from, to) {
  const file = "backends/view/page/text.js", text = fs.readFileSync(file, "utf8");
  if (from && !text.includes(from)) throw new Error(`${file} has no "${from}"`);
  const page = vm.createContext({ document: {} });
  vm.runInContext((from ? text.replace(from, to) : text) + "\nthis.valueText = valueText;", page);
  let seed = 4711n;
  const random = (bits) => BigInt.asUintN(bits, (seed = BigInt.asUintN(64, seed * 6364136223846793005n + 1442695040888963407n)) >> BigInt(64 - bits));
  for (const [type, bits] of [["f16", 16], ["bf16", 16], ["f32", 32], ["f64", 64]]) {
    const n = from ? 4096 : 1 << 16;
    // of those that are long most have few bits set, as halves have, or are tiny
    const pattern = (i) => (bits === 16 ? BigInt(i) * BigInt((1 << 16) / n) : i % 3 ? random(bits) : i % 2 ? random(11) : random(16) << BigInt(bits - 16));
    const data = Array.from({ length: n }, (_, i) => pattern(i));
    fs.writeFileSync(at("numbers.mlir"), `func.func @none(%a: memref<${n}x${type}>) {\n  return\n}\n`);
    fs.writeFileSync(at("numbers.json"), JSON.stringify({ args: [{ memref: { shape: [n], type, data: data.map((x) => "0x" + x.toString(16)) } }] }));
    said("run", at("numbers.mlir"), "--case", at("numbers.json"), "--engine", "ref", "--out", at("numbers.out.json"));
    const should = /"data": \[([^\]]*)\]/.exec(fs.readFileSync(at("numbers.out.json"), "utf8"))[1].split(",").map((x) => x.trim().replace(/"/g, ""));
    const kind = type === "bf16" ? { kind: "bf16", bits } : { kind: "float", bits };
    const differ = data.map((x, i) => [page.valueText(kind, x), should[i]]).filter(([is, so]) => is !== so);
    check(`${what}: ${n} numbers of ${type}`, should.length === n && differ.length === 0, `${differ.length} differ, ${differ[0]}`);
  }
}

// ---- mutants ---------------------------------------------------------------------------------------

const mutants = [
  ["moves = k > 0 && taken[k - 1] === time", "moves = k > 1 && taken[k - 1] === time"],
  ["moves ? valuesOf(i)[k - 1]", "moves ? valuesOf(i)[k]"],
  ["last = wrap(both ? last + delta", "last = wrap(both ? last - delta"],
  ["let times = 1;", "let times = 2;"],
  ["rest((digit >> 1) & 15, 4,", "rest((digit >> 1) & 15, 5,"],
  ["return times[countBefore(times, time)] === time".replace("return ", "=> "), "=> times[countBefore(times, time)] === time + 1"],
  ["if (times[middle] < time) low", "if (times[middle] <= time) low"],
  ["for (let k = 0; k + 1 < ports.length; k += 2) {\n    const c = channelBetween(ports[k], ports[k + 1]);\n    if (c !== undefined) m", "for (let k = 0; k + 3 < ports.length; k += 2) {\n    const c = channelBetween(ports[k], ports[k + 1]);\n    if (c !== undefined) m"],
  ["if (k + 2 < ports.length) m.hops.push([ports[k + 1], ports[k + 2]])", "if (k + 2 < ports.length) m.hops.push([ports[k], ports[k + 2]])"],
  ["m && m.gaps ? m.cycles / m.gaps : null", "m && m.gaps ? m.cycles / (m.gaps + 1) : null"],
  ["share.stalls[s.why[k]] += s.length[k]", "share.stalls[s.why[k]] += 1"],
  ["goTo(now - 1))", "goTo(now - 2))"],
];

const numberMutants = [
  ['Object.is(x, -0) ? "-0.0" : "0"', '"0"'],
  ["% 2 === 0) number = all", "% 2 === 2) number = all"],
  ["rest === 0.5 && n % 2 !== 0", "rest === 0.5"],
  ["e < -4 ||", "e < -7 ||"],
  ["< 2 ** format.least ? 1 :", "< 0 ? 1 :"],
];

// Of what is told of loops, in a page of its own.
const toldMutants = [
  ["list.unshift(units[from].component);", "list.length || list.unshift(units[from].component);"],
  ["sum += step.cycles + registers.length;", "sum += step.cycles;"],
  ["inner.measured.iterations / loop.measured.iterations", "inner.measured.entries / loop.measured.iterations"],
];
// Where the run and the mapper call a loop after different nodes.
const namedApart = [["l.cluster !== undefined && l.cluster === nodes[node].loop", "l.cluster === -1"]];

async function checkToldMutants(browser, m) {
  await checkEachMutant(m, [["if (isFree) taken.push(box);", ""], ["Math.max(10, Math.min(20, h * scale", "Math.min(20, Math.max(h * scale"]], async () => {
    const page = await browser.open(at("mutant.html"), 1500, 950);
    await checkNames(page, "mutant");
    await page.close();
  });
  await checkEachMutant(m, toldMutants, () => checkAnswers(browser, m, "mutant", at("mutant.html")));
}

// A page with one thing changed, for each: what `act` finds wrong with it is counted, and must be something.
async function checkEachMutant(m, list, act) {
  const whole = fs.readFileSync(m.file, "utf8");
  for (const [from, to] of list) {
    if (!whole.includes(from)) {
      check(`mutant: the page has "${from}"`, false);
      continue;
    }
    fs.writeFileSync(at("mutant.html"), whole.replace(from, () => to));
    quiet = true;
    wrong = 0;
    try {
      await act();
    } catch (e) {
      wrong++;
    }
    quiet = false;
    check(`mutant "${to}" is found out`, wrong > 0);
  }
}

async function checkMutants(browser, m) {
  const cycles = cyclesOf(m.dir, m.kase, 420), firings = firingsOf(m.dir, m.kase, 420);
  await checkEachMutant(m, mutants, async () => {
    const page = await browser.open(at("mutant.html"), 1500, 950);
    await checkFrames(page, "mutant", cycles, firings, [0, 7, 60, 401]);
    await checkRoutes(page, "mutant", m.mapping, 9);
    await checkStatistics(page, "mutant", m.dir, m.kase);
    await silent(page, "mutant");
    await page.close();
  });
}

// ---- how quick it is -------------------------------------------------------------------------------

const PLAY = (frames) => `new Promise((done) => { const times = []; let n = 0, last = performance.now(); function next(t) { const now = performance.now(); times.push(now - last); last = now; if (++n > ${frames}) return done(times.slice(1)); loomView.goTo(loomView.now() + 1); requestAnimationFrame(next); } requestAnimationFrame(next); })`;
const mean = (list) => list.reduce((a, b) => a + b, 0) / list.length;

async function bench(browser) {
  const row = (...cells) => console.log(cells.map((cell, k) => cell.padEnd([26, 22, 30, 0][k])).join(""));
  for (const fabric of ["medium", "large"]) {
    const m = mapped("matmul", fabric), page = await browser.open(m.file, 1500, 950);
    const ready = Number(await page.evaluate(`document.documentElement.dataset.ready`));
    await page.evaluate(`loomView.goTo(5000)`);
    const times = await page.evaluate(PLAY(90));
    row(`matmul on ${fabric}`, `drawn after ${ready} ms`, `${(1000 / mean(times)).toFixed(0)} frames/s`, `${(fs.statSync(m.file).size / 1e6).toFixed(2)} MB with 100,000 cycles`);
    await page.close();
  }
  // 2,000 nodes: additions in a row, each with a constant of its own
  let text = "func.func @many(%x: i32) -> i32 {\n";
  for (let k = 0; k < 1000; k++) text += `  %c${k} = arith.constant ${k} : i32\n  %v${k + 1} = arith.addi ${k ? "%v" + k : "%x"}, %c${k} : i32\n`;
  fs.writeFileSync(at("many.mlir"), text + "  return %v1000 : i32\n}\n");
  const start = Date.now();
  said("emit", "view", at("many.mlir"), "-o", at("many"));
  const emitted = Date.now() - start, page = await browser.open(at("many/many.html"), 1500, 950);
  const ready = Number(await page.evaluate(`document.documentElement.dataset.ready`));
  const pan = await page.evaluate(`new Promise((done) => { const times = []; let n = 0, last = performance.now(); function next() { const now = performance.now(); times.push(now - last); last = now; if (++n > 40) return done(times.slice(1)); loomView.pictures().graph.move(3, 5); requestAnimationFrame(next); } requestAnimationFrame(next); })`);
  const select = await page.evaluate(`(() => { const t = performance.now(); loomView.select({ kind: "node", id: 900 }); return performance.now() - t; })()`);
  row("a graph of 2,000 nodes", `drawn after ${ready} ms`, `${(1000 / mean(pan)).toFixed(0)} frames/s while it is moved`, `selects in ${select.toFixed(0)} ms, laid out in ${emitted} ms`);
  await page.close();
}

// ---- the pictures of the manual --------------------------------------------------------------------

async function pictures(browser, dir) {
  const m = mapped("matmul", "medium");
  let page = await browser.open(m.file, 1200, 760);
  await page.evaluate(`loomView.goTo(5003); (all => loomView.select({ kind: "loop", id: all.indexOf(all.reduce((a, b) => ((b.iterations || 0) > (a.iterations || 0) ? b : a))) }))(loomView.data.outcome.loops)`);
  await page.picture(`${dir}/view-matmul.png`);
  await page.evaluate(`loomView.tab("timeline")`);
  await page.picture(`${dir}/view-timeline.png`);
  await page.close();
  const [mlir, kase] = golden("fir");
  said("emit", "view", mlir, "--case", kase, "-o", at("graph"));
  page = await browser.open(at("graph/fir.html"), 1280, 800);
  await page.evaluate(`loomView.goTo(300)`);
  await page.picture(`${dir}/view-graph.png`);
  await page.close();
}

(async () => {
  fs.rmSync(scratch, { recursive: true, force: true });
  fs.mkdirSync(scratch, { recursive: true });
  const browser = await openBrowser(chromium, scratch);
  try {
    if (mode === "--bench") return await bench(browser);
    if (mode === "--pictures") return await pictures(browser, target);
    const histogram = mapped("histogram", "medium");
    await checkMapped(browser, histogram, "histogram on medium", [0, 1, 7, 60, 300, 900, 901], 3);
    await checkMapped(browser, mapped("fir", "large"), "fir on large", [0, 12, 77, 400, 401], 11);
    await checkMapped(browser, mapped("dot", "temporal"), "dot on temporal", [0, 5, 50, 200], 2);
    for (const kernel of WHY_KERNELS) await checkAnswers(browser, mapped(kernel, "large"), `${kernel} on large`);
    await checkCounts(browser, histogram, "histogram on medium", "histogram");
    await checkMemory(browser);
    await checkGraphMemory(browser);
    await checkOthers(browser);
    checkNumbers("as LOOM writes them");
    for (const [from, to] of numberMutants) {
      quiet = true;
      wrong = 0;
      checkNumbers("mutant", from, to);
      quiet = false;
      check(`mutant "${to}" is found out`, wrong > 0);
    }
    await checkHostileFabric(browser);
    quiet = true;
    wrong = 0;
    await checkHostileFabric(browser, /const escaped = [^;]*;/, "const escaped = (text) => String(text);").catch(() => wrong++);
    quiet = false;
    check('mutant "names are not escaped" is found out', wrong > 0);
    await checkFill(browser);
    await checkMutants(browser, histogram);
    await checkToldMutants(browser, mapped("collatz", "large"));
    const apart = mapped("substring_search", "large");
    await checkAnswers(browser, apart, "substring_search on large");
    await checkEachMutant(apart, namedApart, () => checkAnswers(browser, apart, "mutant", at("mutant.html")));
    await checkEachMutant({ file: at("copied/copy.html") }, [["first - 1, k)]);", "first - 1, 0)]);"], ["isStore ? p * (1 + wide) + 1", "isStore ? p * (1 + wide)"]], () => checkGraphMemory(browser, at("mutant.html"), at("counted/histogram.html")));
    await checkEachMutant({ file: at("counted/histogram.html") }, [["const answers = sentAt(results[isStore ? loads + p", "const answers = sentAt(results[isStore ? p"], ["done.sort((a, b) => a[0] - b[0])", "done.sort((a, b) => b[0] - a[0])"]], () => checkGraphMemory(browser, at("copied/copy.html"), at("mutant.html")));
    await checkEachMutant(histogram, [["routes[r].ports.at(at)", "routes[r].ports.at(0)"], ['put(ends((cluster.operands || [])', 'put(ends((cluster.operands || []).slice(1)']], async () => {
      const page = await browser.open(at("mutant.html"), 1500, 950);
      await checkMuxes(page, "mutant", histogram.mapping);
      await page.close();
    });
    await checkEachMutant(histogram, [["loadedAt(time + lead)", "loadedAt(time + lead + 1)"], ["if (time < run.from) frame.load", "if (time <= run.from) frame.load"], ["now < run.from ? firstTime() : run.from;", "firstTime();"]], async () => {
      const page = await browser.open(at("mutant.html"), 1500, 950);
      await checkLoad(page, histogram, "histogram");
      await page.close();
    });
  } finally {
    await browser.close();
  }
  console.log(`${passed} passed, ${failed} failed`);
})().catch((e) => {
  console.log(`FAIL view_check: ${e.stack}\n${passed} passed, ${failed + 1} failed`);
  process.exit(1);
});
