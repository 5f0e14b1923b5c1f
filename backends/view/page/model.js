// model.js -- reads the data block, and finds which of its parts belong to each other.
//
//     node   of the graph          unit       of the machine: what fires
//     edge   of the graph          input      of the machine: takes the tokens of an edge
//     line   of the source         component  of the fabric; `port` numbers run through all of them
//
// A mapping tells where each node is. Without one the graph is that of the hardware itself, and its nodes and
// edges are found through the units.

const data = JSON.parse(byId("data").textContent);
const graph = data.graph || null;
const fabric = data.fabric || null;
const machine = data.machine || null;
const mapping = data.mapping || null;
const outcome = data.outcome || null;
const nodes = graph ? graph.nodes : [];
const edges = graph ? graph.edges : [];
const components = fabric ? fabric.components : [];
const channels = fabric ? fabric.channels : [];
const units = machine ? machine.units : [];
const inputs = machine ? machine.inputs : [];
const sources = data.sources || [];

const named = (list) => new Map(list.map((one, i) => [one.name, i]));
const nodeByName = named(nodes), edgeByName = named(edges), componentByName = named(components);
const typeOfEdge = (e) => graph.results[edges[e].result];

// ---- ports and channels ----------------------------------------------------------------------------

const componentOfPort = [];
components.forEach((c, i) => {
  for (let k = 0; k < c.ins + c.outs; k++) componentOfPort[c.port + k] = i;
});
const isOutput = (port) => {
  const c = components[componentOfPort[port]];
  return port >= c.port + c.ins;
};
function portName(port) {
  const c = components[componentOfPort[port]], k = port - c.port;
  return c.name + (k < c.ins ? ".in" + k : ".out" + (k - c.ins));
}
const channelOf = new Map(channels.map((c, i) => [c.from * 1e6 + c.to, i]));
const channelBetween = (from, to) => channelOf.get(from * 1e6 + to);

// "pe_1.out0@3", with or without a tag.
function portByName(text) {
  const name = text.replace(/@\d+$/, "");
  const dot = name.lastIndexOf("."), c = components[componentByName.get(name.slice(0, dot))];
  const port = name.slice(dot + 1);
  if (!c) return undefined;
  return port.startsWith("in") ? c.port + Number(port.slice(2)) : c.port + c.ins + Number(port.slice(3));
}

// ---- routes ----------------------------------------------------------------------------------------

// The routes that the image configures; of an incomplete mapping, those that were found.
const routes = data.routes
  ? data.routes.slice()
  : mapping && mapping.edges && fabric && graph
    ? mapping.edges.filter((e) => e.route && e.route.length).map((e) => ({ input: null, edge: edgeByName.get(e.name) ?? null, ports: e.route.map(portByName) }))
    : [];
const routeOfInput = new Map();
routes.forEach((r, i) => {
  if (r.input !== null && r.input !== undefined) routeOfInput.set(r.input, i);
});

// ---- nodes and units -------------------------------------------------------------------------------

const nodesOfUnit = units.map(() => new Set());
const unitsOfNode = nodes.map(() => new Set());
const componentOfNode = nodes.map(() => null);
function isAt(node, unit) {
  nodesOfUnit[unit].add(node);
  unitsOfNode[node].add(unit);
}
const isMemory = (node) => nodes[node].class === "memory";

units.forEach((u, i) => {
  if (u.node !== undefined && nodes[u.node]) isAt(u.node, i);
  else if (graph && !mapping && u.component !== undefined && u.component !== null && !["drain", "fifo", "load", "store"].includes(u.kind)) {
    const own = nodeByName.get(components[u.component].name.replace(/\//g, "$")); // a unit has the name of its component
    if (own !== undefined) isAt(own, i);
  }
  if (u.memory !== undefined && (u.kind === "load" || u.kind === "store")) isAt(graph.memories[u.memory].node, i);
});
if (machine)
  (machine.arguments || []).forEach((unit, argument) => {
    const node = nodes.findIndex((n, i) => n.class === "argument" && n.argument === argument);
    if (unit !== null && node >= 0) isAt(node, unit);
  });
inputs.forEach((input) => {
  if (input.edge === null) return;
  const edge = edges[input.edge], to = units[input.unit];
  if (to.kind !== "fifo" && to.kind !== "drain" && isMemory(edge.to) === (to.kind === "load" || to.kind === "store")) isAt(edge.to, input.unit);
  const from = machine.outputs[input.output];
  if (units[from].kind !== "fifo" && isMemory(edge.from) === (units[from].kind === "load" || units[from].kind === "store")) isAt(edge.from, from);
});
if (mapping && fabric)
  for (const cluster of mapping.clusters || []) {
    const at = componentByName.get(cluster.pe), inside = cluster.nodes.map((n) => nodeByName.get(n)).filter((n) => n !== undefined);
    const fires = new Set(inside.flatMap((n) => [...unitsOfNode[n]]));
    for (const n of inside) {
      componentOfNode[n] = at ?? null;
      for (const u of fires) if (units[u].component === at) isAt(n, u);
    }
  }
nodes.forEach((n, i) => {
  if (componentOfNode[i] === null)
    for (const u of unitsOfNode[i]) componentOfNode[i] = units[u].component ?? componentOfNode[i];
});

// Without a mapping: the edge whose tokens an input takes.
inputs.forEach((input) => {
  if (input.edge !== null || mapping) return;
  const to = nodesOfUnit[input.unit], from = nodesOfUnit[machine.outputs[input.output]];
  const fits = edges.findIndex((e) => to.has(e.to) && from.has(e.from) && !e.input);
  if (fits >= 0) {
    input.edge = fits;
    edges[fits].input = true;
    const r = routeOfInput.get(inputs.indexOf(input));
    if (r !== undefined) routes[r].edge = fits;
  }
});

// The longest route of each edge: that after its last FIFO.
const routeOfEdge = new Map();
routes.forEach((r, i) => {
  if (r.edge === null || r.edge === undefined) return;
  const known = routeOfEdge.get(r.edge);
  if (known === undefined || routes[known].ports.length < r.ports.length) routeOfEdge.set(r.edge, i);
});
const inputOfEdge = new Map();
inputs.forEach((input, i) => {
  if (input.edge !== null && units[input.unit].kind !== "fifo") inputOfEdge.set(input.edge, i);
});
// Nodes of one unit that take the same result take it through one input: a literal's token, and the
// operand that brings it.
const resultInUnit = (e, unit) => `${edges[e].from} ${edges[e].result} ${unit}`;
const inputOfResult = new Map([...inputOfEdge].map(([e, i]) => [resultInUnit(e, inputs[i].unit), i]));
edges.forEach((edge, e) => {
  for (const unit of inputOfEdge.has(e) ? [] : unitsOfNode[edge.to]) {
    const i = inputOfResult.get(resultInUnit(e, unit));
    if (i !== undefined) inputOfEdge.set(e, i);
  }
});
const routesOfChannel = new Map();
routes.forEach((r, i) => {
  for (let k = 0; k + 1 < r.ports.length; k += 2) {
    const c = channelBetween(r.ports[k], r.ports[k + 1]);
    if (!routesOfChannel.has(c)) routesOfChannel.set(c, []);
    routesOfChannel.get(c).push(i);
  }
});
const unitsOfComponent = new Map();
units.forEach((u, i) => {
  if (u.component === undefined || u.component === null) return;
  if (!unitsOfComponent.has(u.component)) unitsOfComponent.set(u.component, []);
  unitsOfComponent.get(u.component).push(i);
});
const nodesOfComponent = components.map(() => new Set());
componentOfNode.forEach((c, n) => {
  if (c !== null) nodesOfComponent[c].add(n);
});
units.forEach((u, i) => {
  if (u.component !== null && u.component !== undefined) for (const n of nodesOfUnit[i]) nodesOfComponent[u.component].add(n);
});
const componentsInUse = new Set();
for (const r of routes) for (const p of r.ports) componentsInUse.add(componentOfPort[p]);
for (const c of unitsOfComponent.keys()) componentsInUse.add(c);
nodesOfComponent.forEach((set, c) => {
  if (set.size) componentsInUse.add(c);
});

// ---- lines -----------------------------------------------------------------------------------------

const lineKey = (file, line) => file + ":" + line;
const nodesOfLine = new Map();
nodes.forEach((n, i) => {
  if (!n.at) return;
  const key = lineKey(n.at[0], n.at[1]);
  if (!nodesOfLine.has(key)) nodesOfLine.set(key, []);
  nodesOfLine.get(key).push(i);
});
const placeText = (n) => (n.at ? `${sources[n.at[0]].name.replace(/.*\//, "")}:${n.at[1]}` : "");

// ---- loops -----------------------------------------------------------------------------------------

// The name of a unit: its nodes, or its component.
function unitName(u) {
  const at = [...nodesOfUnit[u]].filter((n) => !isMemory(n) || nodesOfUnit[u].size === 1).map((n) => nodes[n].name);
  const c = units[u].component;
  return at.length ? at.join(" + ") : c !== undefined && c !== null ? components[c].name : "unit " + u;
}
const unitPlace = (u) => (units[u].component !== undefined && units[u].component !== null ? components[units[u].component].name : "");

// For each loop what the run measured, and what the mapper expects; of a graph alone just the loop. The
// run, the mapper and the graph may name a loop after different nodes: its cluster identifies it.
// `recurrence` and `waits`: as the mapper reports them.
const loops = [];
const clusters = graph ? graph.loops : [];
function newLoop(node) {
  const cluster = node === null || loops.some((l) => l.cluster === nodes[node].loop) ? undefined : nodes[node].loop;
  loops.push({ node, cluster, recurrence: null, waits: null, measured: null, expected: null });
  return loops[loops.length - 1];
}
const loopOf = (node) => loops.find((l) => l.node === node || (l.cluster !== undefined && l.cluster === nodes[node].loop)) || newLoop(node);
if (outcome)
  for (const l of outcome.loops) {
    const [node] = [...nodesOfUnit[l.unit]].sort((a, b) => a - b); // the first in the graph
    Object.assign(newLoop(node ?? null), { unit: l.unit, measured: l });
  }
if (mapping && mapping.loops)
  for (const l of mapping.loops) {
    const node = nodeByName.get(l.loop);
    if (node !== undefined) Object.assign(loopOf(node), { expected: l, waits: l.waits });
  }
if (mapping && mapping.recurrences)
  for (const r of mapping.recurrences) {
    const node = nodeByName.get(r.loop);
    if (node === undefined || (loopOf(node).recurrence && loopOf(node).recurrence.latency / loopOf(node).recurrence.tokens >= r.latency / r.tokens)) continue;
    loopOf(node).recurrence = r;
  }
for (const c of clusters) {
  const l = loops.find((one) => one.cluster === c.id) || loopOf(c.node);
  if (l.cluster === undefined) l.cluster = c.id;
}
// The loops directly inside a loop.
const innerLoops = (loop) => loops.filter((l) => l.cluster !== undefined && clusters.some((c) => c.id === l.cluster && c.parent === loop.cluster));
loops.forEach((l, i) => {
  l.number = i;
  l.name = l.node !== null && l.node !== undefined ? nodes[l.node].name : unitName(l.unit);
  l.place = l.node !== null && l.node !== undefined ? placeText(nodes[l.node]) : "";
});

// ---- failures --------------------------------------------------------------------------------------

const unplaced = new Set(), unrouted = new Set(), cut = new Set(); // cut: channels
if (mapping && mapping.incomplete) {
  for (const u of mapping.unplaced || []) {
    const n = nodeByName.get(u.node ?? u.memory);
    if (n !== undefined) unplaced.add(n);
  }
  for (const e of mapping.unrouted || []) {
    const id = edgeByName.get(e.name);
    if (id !== undefined) unrouted.add(id);
  }
  const ports = new Set((mapping.cut || []).map(portByName));
  channels.forEach((c, i) => {
    if (ports.has(c.from) || ports.has(c.to)) cut.add(i);
  });
}
