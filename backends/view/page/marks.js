// marks.js -- the selection, and the parts of source, graph and fabric that belong to it.
//
// A selection is a kind and a number. `marksOf` collects what is marked: nodes, edges, lines, components,
// channels, and the connections in switches and PEs that a route takes (`hops`: an input port and an output
// port of one component).

let selection = null;
let marks = emptyMarks();

function emptyMarks() {
  return { nodes: new Set(), edges: new Set(), lines: new Set(), components: new Set(), channels: new Set(), hops: [], waits: [] };
}

function markNode(m, n, deep) {
  m.nodes.add(n);
  if (nodes[n].at) m.lines.add(lineKey(nodes[n].at[0], nodes[n].at[1]));
  if (deep && componentOfNode[n] !== null && fabric) m.components.add(componentOfNode[n]);
}

function markRoute(m, r) {
  const ports = routes[r].ports;
  for (let k = 0; k + 1 < ports.length; k += 2) {
    const c = channelBetween(ports[k], ports[k + 1]);
    if (c !== undefined) m.channels.add(c);
    if (k + 2 < ports.length) m.hops.push([ports[k + 1], ports[k + 2]]);
  }
}

function markEdge(m, e, deep) {
  m.edges.add(e);
  const r = routeOfEdge.get(e);
  if (r !== undefined) markRoute(m, r);
  if (deep) markNode(m, edges[e].from, true), markNode(m, edges[e].to, true);
}

// Is a loop limited by the room for tokens, rather than by its recurrence?
function waitsForRoom(loop) {
  if (!loop.waits || !loop.waits.some((w) => w.room)) return false;
  const bound = loop.recurrence ? loop.recurrence.latency / loop.recurrence.tokens : 0;
  return loop.expected.cycles / loop.expected.turns > bound;
}

// The edges of the recurrence that sets the interval of a loop.
function recurrenceOf(loop) {
  if (waitsForRoom(loop)) return loop.waits.map((w) => edgeByName.get(w.edge ?? w.room)).filter((e) => e !== undefined);
  if (loop.recurrence) return loop.recurrence.edges.map((name) => edgeByName.get(name)).filter((e) => e !== undefined);
  if (loop.waits && loop.waits.length) return loop.waits.filter((w) => w.edge).map((w) => edgeByName.get(w.edge)).filter((e) => e !== undefined);
  return [];
}

function marksOf(s) {
  const m = emptyMarks();
  if (!s) return m;
  if (s.kind === "node") markNode(m, s.id, true);
  else if (s.kind === "edge") markEdge(m, s.id, true);
  else if (s.kind === "line") {
    m.lines.add(s.id);
    for (const n of nodesOfLine.get(s.id) || []) markNode(m, n, true);
  } else if (s.kind === "component") {
    m.components.add(s.id);
    for (const n of nodesOfComponent[s.id]) markNode(m, n, false);
    if (!nodesOfComponent[s.id].size)
      routes.forEach((r, i) => {
        if (r.ports.some((p) => componentOfPort[p] === s.id)) {
          markRoute(m, i);
          if (r.edge !== null && r.edge !== undefined) m.edges.add(r.edge);
        }
      });
  } else if (s.kind === "channel") {
    m.channels.add(s.id);
    for (const r of routesOfChannel.get(s.id) || []) {
      if (routes[r].edge !== null && routes[r].edge !== undefined) markEdge(m, routes[r].edge, true);
      else markRoute(m, r);
    }
  } else if (s.kind === "loop") {
    const loop = loops[s.id], recurrence = recurrenceOf(loop);
    for (const e of recurrence) markEdge(m, e, true);
    if (loop.node !== null && loop.node !== undefined) markNode(m, loop.node, !recurrence.length);
    if (!recurrence.length && loop.cluster !== undefined) nodes.forEach((n, i) => n.loop === loop.cluster && n.box && markNode(m, i, true));
  } else if (s.kind === "waits") {
    for (const w of outcome.waits) {
      m.waits.push(w.unit);
      for (const n of nodesOfUnit[w.unit]) markNode(m, n, true);
      if (units[w.unit].component !== null && units[w.unit].component !== undefined) m.components.add(units[w.unit].component);
      if (w.input !== null && inputs[w.input].edge !== null) markEdge(m, inputs[w.input].edge, false);
      else if (w.input !== null && routeOfInput.has(w.input)) markRoute(m, routeOfInput.get(w.input));
    }
  } else if (s.kind === "failed") {
    for (const n of unplaced) markNode(m, n, false);
    for (const e of unrouted) markEdge(m, e, true);
  }
  return m;
}

// The units that belong to the selection.
function unitsOfSelection() {
  if (!selection || !machine) return [];
  if (selection.kind === "component") return unitsOfComponent.get(selection.id) || [];
  if (selection.kind === "edge") {
    const i = inputOfEdge.get(selection.id);
    return i === undefined ? [] : [machine.outputs[inputs[i].output], inputs[i].unit];
  }
  if (selection.kind === "waits") return outcome.waits.map((w) => w.unit);
  if (selection.kind === "loop") {
    const found = [];
    for (const e of recurrenceOf(loops[selection.id])) {
      const i = inputOfEdge.get(e);
      if (i !== undefined && !found.includes(inputs[i].unit)) found.push(inputs[i].unit);
    }
    if (loops[selection.id].unit !== undefined && !found.includes(loops[selection.id].unit)) found.unshift(loops[selection.id].unit);
    return found;
  }
  return [...new Set([...marks.nodes].flatMap((n) => [...unitsOfNode[n]]))];
}

function timesOfSelection() {
  if (!run || !selection) return [];
  if (!inCycles) return [...marks.nodes].map((n) => nodeFiredAt(n));
  return unitsOfSelection().map((u) => firedAt(u));
}
