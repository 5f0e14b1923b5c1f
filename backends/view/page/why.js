// why.js -- describes the selection in words: above all why a loop takes as many cycles as it does.
//
// A loop cannot begin iterations more often than its longest recurrence allows: each needs a
// result of the one before it. The steps of that recurrence are listed with the cycles that each takes; where the run
// is slower than that, what its units waited for is shown.

const chip = (kind, id, text) => element("a", { class: "pick", href: "#", onclick: (e) => (e.preventDefault(), select({ kind, id })) }, text);
const nodeChip = (n) => chip("node", n, nodes[n].name);
const edgeChip = (e) => chip("edge", e, "%" + edges[e].name);
const componentChip = (c) => chip("component", c, components[c].name);
const line = (...parts) => element("p", {}, ...parts);

// Cycles from an edge's token to that of the next edge of a recurrence: those of the unit between. A lane of a memory gives
// its done token in the next cycle, whenever the element comes.
function stepOf(e, next) {
  const i = inputOfEdge.get(e);
  if (i === undefined) return null;
  const u = inputs[i].unit, unit = units[u];
  const isLane = unit.kind === "load" || unit.kind === "store", isDone = isLane && typeOfEdge(next).type === "none";
  const cycles = unit.kind === "fire" || unit.kind === "mux" || (isLane && !isDone) ? unit.latency : 1;
  return { unit: u, cycles };
}

// The components where tokens of an edge are registered on their route: FIFOs and outputs of switches, a cycle each.
function registersOn(e) {
  const list = [];
  for (let i = inputOfEdge.get(e); i !== undefined && list.length < units.length; ) {
    const from = machine.outputs[inputs[i].output];
    if (units[from].kind !== "fifo") break;
    list.unshift(units[from].component);
    i = units[from].input;
  }
  return list;
}

const unitWord = { load: "load lane", store: "store lane", fire: "", mux: "" };

function recurrenceList(recurrence, total, tokens) {
  const list = element("ol");
  let sum = 0, routing = 0, early = false;
  for (const [i, e] of recurrence.entries()) {
    const step = stepOf(e, recurrence[(i + 1) % recurrence.length]), registers = registersOn(e);
    if (!step) {
      list.append(element("li", { class: "dim" }, edgeChip(e), " inside a unit"));
      continue;
    }
    sum += step.cycles + registers.length;
    routing += registers.length;
    const u = units[step.unit], c = u.component, what = unitWord[u.kind] ?? u.kind;
    early = early || u.early_out;
    list.append(element("li", { "data-cycles": step.cycles + registers.length }, edgeChip(e), " → ", nodeChip(edges[e].to), " ", element("span", { class: "dim" }, `${(u.op || "").replace(/^[a-z]+\./, "") || what}${c !== null && c !== undefined ? " in " : ""}`), c !== null && c !== undefined ? componentChip(c) : "", ": ", element("b", {}, step.cycles === 0 ? "in the same cycle" : plural(step.cycles, "cycle"), u.early_out ? " at most, by its quotient" : ""), ...(registers.length ? [` after ${plural(registers.length, "cycle")} on the way, in `, ...listed([...new Set(registers)].map(componentChip))] : [])));
  }
  if (sum !== total) list.append(element("li", { class: "dim" }, `the mapper counts ${total}: it adds what these do not show`));
  return [list, line(`Together ${plural(total, "cycle")}${routing ? `, ${routing} of them in registers of the way,` : ""} for ${plural(tokens, "token")} that ${tokens === 1 ? "goes" : "go"} round: an iteration every ${(total / tokens).toFixed(total % tokens ? 2 : 0)} cycles ${early ? "at most" : "at best"}.`)];
}

// The longest waits of units over the window: [{ unit, share, stall }].
function worstStalls(of, most) {
  const rows = [];
  for (const u of of) {
    const s = stallsOf(u), sums = new Map();
    for (let k = 0; k < s.from.length; k++) {
      const key = s.why[k] + ":" + s.input[k];
      sums.set(key, (sums.get(key) || 0) + s.length[k]);
    }
    for (const [key, cycles] of sums) {
      const [why, input] = key.split(":").map(Number);
      rows.push({ unit: u, share: cycles / span, stall: { why, input: input ? input - 1 : null } });
    }
  }
  return rows.sort((a, b) => b.share - a.share || a.unit - b.unit).slice(0, most);
}

function stallList(of, most) {
  const rows = worstStalls(of, most).filter((r) => r.share > 0.005);
  if (!rows.length) return null;
  return element("ol", {}, ...rows.map((r) => element("li", {}, chip("component", units[r.unit].component, unitName(r.unit)), ` ${percent(r.share)} of the cycles: ${stallText(r.unit, r.stall)}`)));
}

const cyclesText = (x) => (Number.isInteger(x) ? String(x) : x.toFixed(2));
function intervalOf(loop) {
  const m = loop.measured;
  return m && m.gaps ? m.cycles / m.gaps : null;
}
function expectedOf(loop) {
  const m = loop.measured, e = loop.expected;
  if (m && m.expected) return { cycles: m.expected / m.turns, about: m.about };
  if (e && e.cycles) {
    const shared = e.shared || 0;
    return { cycles: e.cycles < shared * e.turns ? shared : e.cycles / e.turns, about: e.conditional ? "~" : shared > 1 ? ">" : "" };
  }
  return null;
}
// The nodes and the room that are waited for, without repetitions: each register on a route has an entry.
const circleOf = (loop) => loop.waits.filter((w) => w.node || w.room).filter((w, k, all) => !k || w.node !== all[k - 1].node || w.room !== all[k - 1].room);

// The iterations and cycles of the loops directly inside a loop, for each iteration of it.
function insideOf(loop) {
  const rows = innerLoops(loop).filter((inner) => inner.measured && intervalOf(inner) !== null && loop.measured.iterations);
  return rows.map((inner) => {
    const times = inner.measured.iterations / loop.measured.iterations;
    return { inner, times, cycles: times * intervalOf(inner) };
  });
}
const boundOf = (loop) => (loop.recurrence ? loop.recurrence.latency / loop.recurrence.tokens : loop.measured ? loop.measured.bound : null);

function whyLoop(loop) {
  const out = [], achieved = intervalOf(loop), bound = boundOf(loop), expected = expectedOf(loop), recurrence = recurrenceOf(loop);
  out.push(element("h3", {}, "loop ", loop.node !== null && loop.node !== undefined ? nodeChip(loop.node) : loop.name, loop.place ? ` at ${loop.place}` : ""));
  if (achieved !== null) out.push(element("p", { class: "why" }, `An iteration every ${cyclesText(achieved)} cycles${expected ? `; expected: ${expected.about === ">" ? "at least " : expected.about === "~" ? "about " : ""}${cyclesText(expected.cycles)}` : ""}.`));
  else if (expected) out.push(element("p", { class: "why" }, `Expected: an iteration every ${cyclesText(expected.cycles)} cycles${expected.about === ">" ? ", or more" : ""}.`));
  else if (loop.measured) out.push(line(`${plural(loop.measured.iterations, "iteration")} in ${plural(loop.measured.entries, "entry").replace("entrys", "entries")}: ${innerLoops(loop).length ? "not each of them enters a loop inside, so they are not timed" : "too few in a row for an interval"}.`));
  const columns = element("div", { class: "columns" });
  const left = element("div"), right = element("div"), inside = insideOf(loop);
  const filled = inside.reduce((sum, row) => sum + row.cycles, 0), isFilled = achieved !== null && filled > 0.5 * achieved;
  for (const { inner, times, cycles } of inside) left.append(line(element("b", {}, isFilled ? "Why: " : "Inside: "), "an iteration of it has ", cyclesText(times), " of loop ", chip("loop", inner.number, inner.name), `, one every ${cyclesText(intervalOf(inner))} cycles: about ${Math.round(cycles)} cycles${achieved !== null && cycles > 1.05 * achieved ? ", in part beside the next one's" : ""}.`));
  if (loop.recurrence) {
    const is = !isFilled && (achieved === null || achieved < bound * 1.02 + 0.01);
    left.append(line(element("b", {}, is ? "Why: " : "No less than this: "), "the next iteration needs what this one gives. The longest such recurrence:"), ...recurrenceList(loop.recurrence.edges.map((name) => edgeByName.get(name)).filter((e) => e !== undefined), loop.recurrence.latency, loop.recurrence.tokens));
  }
  if (waitsForRoom(loop)) {
    const told = circleOf(loop).map((w) => element("span", {}, w.room ? "room for " : "", w.node ? nodeChip(nodeByName.get(w.node)) : edgeChip(edgeByName.get(w.room))));
    left.append(line(element("b", {}, "Why: "), "tokens wait for room: there are too few places where paths of different lengths meet. Each of these waits for the one before it, round in a cycle:"), line(...told.flatMap((t, k) => (k ? [" → ", t] : [t]))));
  } else if (!loop.recurrence && loop.measured && bound <= 1) left.append(line("It has no recurrence: nothing of an iteration is needed by the next one."));
  if (loop.expected && loop.expected.shared > 1) left.append(line(element("b", {}, "Shared: "), `${loop.expected.shared} results of each iteration take turns at one channel or PE, so it takes ${loop.expected.shared} cycles or more.`));
  const open = loop.expected && loop.expected.open;
  if (open && open.fifos && open.fifos.length) left.append(line(element("b", {}, "What would help: "), `an iteration every ${cyclesText(open.cycles / open.turns)} cycles with FIFOs of ${open.fifos.map((f) => `${plural(f.places, "place")} for ${f.edge}`).join(", ")}.`));
  const of = inCycles ? unitsOfSelection() : [];
  const waits = of.length ? stallList(of, 7) : null;
  if (waits) right.append(line(element("b", {}, recurrence.length ? "In the run, units on that recurrence waited:" : "In the run its units waited:")), waits);
  columns.append(left, right);
  out.push(columns);
  return out;
}

function bars(u) {
  const s = shareOf(u), bar = element("span", { class: "bar" });
  bar.append(element("b", { style: `width:${100 * s.fires}%;background:var(--fire)` }));
  s.stalls.forEach((x, k) => bar.append(element("b", { style: `width:${100 * x}%;background:var(${WHY_COLOURS[k]})` })));
  return element("span", {}, bar, ` fires ${percent(s.fires)}`, ...s.stalls.map((x, k) => (x > 0.0005 ? `, ${WHY[k]} ${percent(x)}` : "")));
}

function describeUnits(list) {
  if (!inCycles || !list.length) return [];
  const rows = list.map((u) => element("tr", {}, element("td", {}, units[u].kind, " ", (units[u].op || "").replace(/^[a-z]+\./, "")), element("td", {}, bars(u)), element("td", {}, nowText(u))));
  return [element("table", {}, ...rows), stallList(list, 3)].filter(Boolean);
}

function nowText(u) {
  if (happens(firedAt(u), now)) return "fires now";
  const stall = stallAt(u, now);
  return stall ? `${stallText(u, stall)} (cycles ${stall.from} to ${stall.from + stall.length - 1})` : "idle now";
}

function routeText(r) {
  return routes[r].ports.map(portName).join(" → ") + (routes[r].tags && routes[r].tags.some((t) => t !== null) ? `   (tags ${[...new Set(routes[r].tags.filter((t) => t !== null))].join(", ")})` : "");
}

function tokensText(e) {
  const i = inputOfEdge.get(e);
  if (!inCycles || i === undefined) return null;
  const taken = takenAt(i), k = countBefore(taken, now + 1), type = typeOfEdge(e);
  const shown = [];
  for (let t = Math.max(0, k - 3); t < Math.min(taken.length, k + 5); t++) shown.push(`${taken[t]}: ${valueText(type, valuesOf(i)[t])}${t === k - 1 ? "  ◂" : ""}`);
  return line(`${plural(taken.length, "token")} in this window, one every ${taken.length > 1 ? ((taken[taken.length - 1] - taken[0]) / (taken.length - 1)).toFixed(2) : "-"} cycles.  Near cycle ${now}:  ${shown.join("   ")}`);
}

function whatIs(s) {
  if (!s) return [line(element("span", { class: "dim" }, "Click a line, a node, an edge, a unit, a channel or a loop: everything that belongs to it is marked, here and in the other panes. Press ? for keys.")), ...overview()];
  const title = (...parts) => element("h3", {}, ...parts);
  if (s.kind === "loop") return whyLoop(loops[s.id]);
  if (s.kind === "node") {
    const n = nodes[s.id], c = componentOfNode[s.id];
    return [
      title(n.name, "  ", element("span", { class: "dim" }, n.text + (n.at ? `  ${placeText(n)}` : ""))),
      unplaced.has(s.id) ? line(element("b", {}, mapping.refused ? "It is in the way: " : "It has no place: "), failureText()) : null,
      c !== null && fabric ? line("in ", componentChip(c), clusterOfPe.has(components[c].name) ? `, unit ${clusterOfPe.get(components[c].name).unit}` : "") : null,
      line("takes ", ...listed(n.operands.map(edgeChip))), line("gives ", ...listed(edges.map((e, i) => (e.from === s.id ? i : -1)).filter((i) => i >= 0).map(edgeChip))),
      ...describeUnits([...unitsOfNode[s.id]]), ...(run && !inCycles ? [line(`fires ${plural(nodeFiredAt(s.id).length, "time")}`)] : []), ...memoryOf(s.id),
    ];
  }
  if (s.kind === "edge") {
    const e = edges[s.id], r = routeOfEdge.get(s.id);
    return [
      title("%" + e.name, "  ", element("span", { class: "dim" }, typeOfEdge(s.id).type + (e.back ? ", back to an earlier node" : ""))),
      line("from ", nodeChip(e.from), " to ", nodeChip(e.to), `, operand ${e.operand}`),
      unrouted.has(s.id) ? line(element("b", {}, "It has no way: "), failureText()) : null,
      r !== undefined ? line(`${(routes[r].ports.length / 2) | 0} channels:  `, element("span", { id: "route" }, routeText(r))) : fabric && machine ? line("inside a unit: no channel") : null,
      tokensText(s.id),
    ];
  }
  if (s.kind === "component") {
    const c = components[s.id], through = routes.filter((r) => r.ports.some((p) => componentOfPort[p] === s.id));
    return [
      title(c.name, "  ", element("span", { class: "dim" }, `${c.kind.replace("_", " ")}${c.definition ? " @" + c.definition : ""}, ${plural(c.ins, "input")}, ${plural(c.outs, "output")}${c.depth ? `, ${c.depth} places` : ""}${c.latency ? `, answers after ${plural(c.latency, "cycle")}` : ""}`)),
      nodesOfComponent[s.id].size ? line("does ", ...listed([...nodesOfComponent[s.id]].map(nodeChip)), clusterOfPe.has(c.name) ? ` with unit ${clusterOfPe.get(c.name).unit}` : "") : line(componentsInUse.has(s.id) ? "only passes tokens on" : "not in use"),
      ...describeUnits(unitsOfComponent.get(s.id) || []),
      c.words ? line(`configured by ${plural(c.words[1], "word")}, ${c.words[1] > 1 ? `${grouped(c.words[0])} to ${grouped(c.words[0] + c.words[1] - 1)}` : `number ${grouped(c.words[0])}`} of ${grouped(fabric.words)}`) : null,
      isSwitch(c) || !nodesOfComponent[s.id].size ? connections(s.id, through) : line("ports: ", ...listed(through.map((r) => ends(s.id, r)).filter(Boolean))),
    ];
  }
  if (s.kind === "channel") {
    const c = channels[s.id], of = routesOfChannel.get(s.id) || [];
    const tokens = inCycles ? of.reduce((sum, r) => sum + (routes[r].input !== null ? takenAt(routes[r].input).length : 0), 0) : 0;
    return [
      title(`${portName(c.from)} → ${portName(c.to)}  `, element("span", { class: "dim" }, `${fabric.ports[c.from][0]} bits${fabric.ports[c.from][1] === null ? "" : ", tagged"}`)),
      of.length ? line("carries ", ...listed([...new Set(of.map((r) => routes[r].edge))].map((e) => (e === null || e === undefined ? "something" : edgeChip(e))))) : line("not in use"),
      inCycles && of.length ? line(`${plural(tokens, "transfer")} to operands in this window: ${percent(tokens / span)} of the cycles`) : null,
    ];
  }
  if (s.kind === "line") return [title(`line ${s.id.split(":")[1]}`), line("its nodes: ", ...listed((nodesOfLine.get(s.id) || []).map(nodeChip))), ...describeUnits(unitsOfSelection())];
  if (s.kind === "waits") return whyStuck();
  if (s.kind === "failed") return whyNot();
  return [];
}

function listed(chips) {
  return chips.length ? chips.flatMap((c, i) => (i ? [", ", c] : [c])) : ["nothing"];
}

function connections(id, through) {
  const pairs = new Map();
  for (const r of through)
    for (let k = 1; k + 1 < r.ports.length; k += 2) {
      if (componentOfPort[r.ports[k]] !== id) continue;
      const key = `${portName(r.ports[k]).split(".").pop()} → ${portName(r.ports[k + 1]).split(".").pop()}`;
      if (!pairs.has(key)) pairs.set(key, new Set());
      if (r.edge !== null && r.edge !== undefined) pairs.get(key).add(r.edge);
    }
  if (!pairs.size) return null;
  return element("table", {}, ...[...pairs].map(([key, of]) => element("tr", {}, element("td", {}, key), element("td", {}, ...listed([...of].map(edgeChip))))));
}

function ends(id, r) {
  const n = r.ports.length, e = r.edge;
  if (e === null || e === undefined) return null;
  const at = componentOfPort[r.ports[n - 1]] === id ? n - 1 : componentOfPort[r.ports[0]] === id ? 0 : -1;
  return at < 0 ? null : element("span", {}, portName(r.ports[at]).split(".").pop(), at ? " takes " : " gives ", edgeChip(e));
}

// ---- failures --------------------------------------------------------------------------------------

const WHY_NOT = {
  MAP_CONGESTED: "its routes compete for the same wires", MAP_NO_UNIT: "no function unit of the fabric can execute these nodes", MAP_PES: "there are fewer PEs with units for these nodes than nodes",
  MAP_MEMORY: "no memory of the fabric can hold this one", MAP_MEMORIES: "its memories do not all fit in those of the fabric", MAP_PORTS: "the fabric has too few ports", MAP_NO_WAY: "there is no route for it, for any placement",
  MAP_CUT: "too few wires lead from one part of the fabric to another", MAP_NO_PLACE: "no place is left for it", MAP_BUDGET: "the time of the search was up",
};
function failureText() {
  if (!mapping || !mapping.why) return "";
  const told = [...(mapping.told || "").matchAll(/error\[(\w+)\]/g)].map((m) => m[1]), codes = told.length ? [...new Set(told)] : [mapping.why];
  return codes.map((code) => `${WHY_NOT[code] ? WHY_NOT[code] + " " : ""}(${code})`).join("; ");
}
const whyNot = () => [
  element("h3", {}, mapping.refused ? `@${mapping.graph.name} cannot be mapped onto @${mapping.fabric.name}` : "No mapping was found"),
  line(element("b", {}, "Why: "), failureText(), mapping.refused ? ". That was counted, before any search." : ""),
  unplaced.size ? line(mapping.refused ? "In the way: " : "Without a place: ", ...listed([...unplaced].map(nodeChip))) : null,
  unrouted.size ? line("Without a way: ", ...listed([...unrouted].map(edgeChip))) : null,
  mapping.told ? element("pre", {}, mapping.told) : null,
];

function whyStuck() {
  const words = { operand: "waits for a token of ", space: "waits for room: not yet taken is ", "input ended": "has given all its tokens" };
  return [
    element("h3", {}, { deadlock: "Deadlock", leftover: "Tokens are left", trap: "The run trapped", limit: "The run was stopped" }[outcome.end] || "", ` after ${plural(outcome.cycles, "cycle")}`),
    outcome.waits.length ? line(element("b", {}, outcome.circular ? "Each waits for the next, and the last for the first:" : "Each waits for the next:")) : null,
    element("ol", {}, ...outcome.waits.map((w) => element("li", {}, units[w.unit].component !== null ? chip("component", units[w.unit].component, unitName(w.unit)) : unitName(w.unit), element("span", { class: "dim" }, ` in ${unitPlace(w.unit)} `), words[w.kind], w.input === null ? "" : inputs[w.input].edge !== null ? edgeChip(inputs[w.input].edge) : inputName(w.input), w.kind === "space" ? ` at ${unitName(inputs[w.input].unit)}` : ""))),
    outcome.text ? element("pre", {}, outcome.text) : null,
  ];
}

function overview() {
  const out = [];
  if (mapping && mapping.incomplete) out.push(line(element("b", {}, "No mapping was found: "), failureText(), " ", chip("failed", 0, "Why?")));
  if (outcome && outcome.end !== "good") out.push(line(chip("waits", 0, `The run ended badly: ${outcome.end}. Why?`)));
  const counts = [graph ? `${plural(nodes.length, "node")}, ${plural(edges.length, "edge")}, ${plural(loops.length, "loop")}` : null, fabric ? `${plural(components.length, "component")}, ${plural(channels.length, "channel")}${machine || routes.length ? `, of which ${componentsInUse.size} and ${routesOfChannel.size} in use` : ""}` : null, run ? `${run.time} ${grouped(run.from)} to ${grouped(run.to)} of ${grouped(run.total)}` : null];
  out.push(line(counts.filter(Boolean).join(";  ")));
  if (lead) out.push(line(`The configuration has ${plural(fabric.words, "word")}: it is loaded in ${plural(lead, "cycle")} before cycle 0. `, element("a", { class: "pick", href: "#", onclick: (e) => (e.preventDefault(), goTo(firstTime())) }, "Show")));
  for (const l of loops) {
    const achieved = intervalOf(l);
    if (achieved !== null) out.push(line("loop ", chip("loop", l.number, l.name), l.place ? ` at ${l.place}` : "", `: an iteration every ${cyclesText(achieved)} cycles. `, chip("loop", l.number, "Why?")));
  }
  return out;
}
