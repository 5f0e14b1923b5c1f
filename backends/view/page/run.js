// run.js -- a run: which units fire, which stall, and where tokens are, at any time.
//
// A frame is a cycle of the machine; of a graph alone, one firing. Columns are unpacked at their first
// use. A frame takes a binary search in each of them, so that any frame is as quick to show as the next one.

const run = data.run || null;
const inCycles = run !== null && run.time === "cycles";
const WHY = ["busy", "memory", "no operand", "no room"];
const WHY_COLOURS = ["--busy", "--wait-memory", "--starved", "--blocked"];

// How many of the sorted times are before `time`.
function countBefore(times, time) {
  let low = 0, high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] < time) low = middle + 1;
    else high = middle;
  }
  return low;
}
const happens = (times, time) => times[countBefore(times, time)] === time;

function lazily(count, make) {
  const made = new Array(count);
  return (i) => (made[i] === undefined ? (made[i] = make(i)) : made[i]);
}
const takenAt = lazily(inputs.length, (i) => unpackTimes(run.inputs[i].taken, run.from));
const usedAt = lazily(inputs.length, (i) => unpackTimes(run.inputs[i].used, run.from));
const valuesOf = lazily(inputs.length, (i) => (run.inputs[i].same !== undefined ? valuesOf(run.inputs[i].same) : unpackValues(run.inputs[i].values)));
const heldOf = lazily(inputs.length, (i) => unpackValues(run.inputs[i].held || ""));
// The k-th token of an input, counted from those that waited when the window began. Of these only the last is known,
// unless the input is a memory lane's.
function valueOf(i, k) {
  const before = run.inputs[i].before || 0, held = heldOf(i);
  return k < before ? (held.at(k - before) ?? held[0] ?? 0) : valuesOf(i)[k - before];
}
const firedAt = lazily(units.length, (u) => unpackTimes(run.units[u].fired, run.from));
const stallsOf = lazily(units.length, (u) => {
  const s = run.units[u].stalls;
  if (!s) return { from: [], length: [], why: [], input: [] };
  return { from: unpackTimes(s.from, run.from), length: unpackValues(s.length), why: unpackValues(s.why), input: unpackValues(s.input) };
});
const nodeFiredAt = lazily(nodes.length, (n) => {
  if (!inCycles) return unpackTimes(run.nodes[n], run.from);
  const of = [...unitsOfNode[n]];
  return of.length === 1 ? firedAt(of[0]) : Float64Array.from([...new Set(of.flatMap((u) => [...firedAt(u)]))].sort((a, b) => a - b));
});
const sentAt = lazily(graph ? graph.results.length : 0, (r) => unpackTimes(run.results[r].sent, run.from));
const sentValues = lazily(graph ? graph.results.length : 0, (r) => unpackValues(run.results[r].values));

// The stall of a unit in a cycle: { why, input, from, length }, or null.
function stallAt(u, time) {
  const s = stallsOf(u), k = countBefore(s.from, time + 1) - 1;
  if (k < 0 || s.from[k] + s.length[k] <= time) return null;
  return { why: s.why[k], input: s.input[k] ? s.input[k] - 1 : null, from: s.from[k], length: s.length[k] };
}

// The tokens of an input in a cycle: { moves: one arrives, waiting: how many are there after the cycle, value: of the
// one that arrives, else of the first that waits }; null: there are none.
function tokenAt(i, time) {
  const taken = takenAt(i), k = countBefore(taken, time + 1), moves = k > 0 && taken[k - 1] === time;
  const used = countBefore(usedAt(i), time + 1), before = run.inputs[i].before || 0;
  const waiting = before + k - used;
  if (!moves && waiting <= 0) return null;
  return { moves, waiting: Math.max(0, waiting), value: () => (moves ? valuesOf(i)[k - 1] : valueOf(i, used)) };
}

// How many tokens are in a FIFO after a cycle: those that it took, less those that all readers took.
const readersOf = lazily(units.length, (u) => inputs.map((one, i) => i).filter((i) => inputs[i].output === units[u].output));
const cameBy = (i, time) => (run.inputs[i].earlier || 0) + countBefore(takenAt(i), time + 1);
function fillAt(u, time) {
  const came = cameBy(units[u].input, time);
  return came - Math.min(came, ...readersOf(u).map((i) => cameBy(i, time)));
}
// The mean fill of a FIFO over the window, as a share of its places. Each token counts from when it came to the
// window's end, less the time after the last reader took it.
const meanFill = lazily(units.length, (u) => {
  if (units[u].kind !== "fifo") return 0;
  const readers = readersOf(u), end = run.from + span;
  const gone = readers.length ? Math.min(...readers.map((i) => cameBy(i, end))) : cameBy(units[u].input, end);
  const first = readers.length ? Math.min(...readers.map((i) => run.inputs[i].earlier || 0)) : 0;
  let sum = ((run.inputs[units[u].input].earlier || 0) - first) * span;
  for (const t of takenAt(units[u].input)) sum += end - t;
  for (let k = first; k < gone; k++)
    sum -= end - Math.max(...readers.map((i) => (k < (run.inputs[i].earlier || 0) ? run.from : takenAt(i)[k - (run.inputs[i].earlier || 0)])));
  return sum / span / units[u].latency;
});

// Before cycle 0 the configuration is loaded, a word a cycle, and last its checksum: those cycles are negative.
const lead = inCycles && run.from === 0 && fabric && fabric.words ? fabric.words + 1 : 0;
const firstTime = () => (run ? run.from - lead : 0);
// The component whose word comes in a cycle of the load; null: the checksum.
const loadedAt = lazily(lead, (k) => components.find((c) => c.words && c.words[0] <= k && k < c.words[0] + c.words[1]) || null);

// A frame. `units`: those that fire; `stalls`: [unit, stall]; `tokens`: [input, token].
function frameAt(time) {
  const frame = { time, units: [], nodes: new Set(), stalls: [], tokens: [], edges: [] };
  if (!run) return frame;
  if (time < run.from) frame.load = loadedAt(time + lead);
  if (!inCycles) {
    nodes.forEach((n, i) => {
      if (happens(nodeFiredAt(i), time)) frame.nodes.add(i);
    });
    for (let r = 0; r < graph.results.length; r++)
      if (happens(sentAt(r), time)) frame.edges.push([r, sentValues(r)[countBefore(sentAt(r), time)]]);
    return frame;
  }
  for (let u = 0; u < units.length; u++) {
    if (happens(firedAt(u), time)) {
      frame.units.push(u);
      for (const n of nodesOfUnit[u]) frame.nodes.add(n);
    } else {
      const stall = stallAt(u, time);
      if (stall) frame.stalls.push([u, stall]);
    }
  }
  for (let i = 0; i < inputs.length; i++) {
    const token = tokenAt(i, time);
    if (token) frame.tokens.push([i, token]);
  }
  return frame;
}

// "no operand: waits for %x from pe_1_2".
function stallText(u, stall) {
  const name = stall.input === null ? "" : inputName(stall.input);
  if (stall.why === 0) return "busy: its interval is not over, or its PE is at another instruction";
  if (stall.input === null) return stall.why === 1 ? "memory: the lane has no room for another request" : WHY[stall.why];
  const own = inputs[stall.input].unit === u;
  if (own) return `${stall.why === 1 ? "memory" : "no operand"}: waits for ${name} from ${unitName(machine.outputs[inputs[stall.input].output])}`;
  return `${stall.why === 1 ? "memory: a lane has no room for " : "no room: "}${name}${stall.why === 1 ? "" : " has not been taken"} at ${unitName(inputs[stall.input].unit)}`;
}
function inputName(i) {
  const e = inputs[i].edge;
  return e !== null ? graph.results[edges[e].result].name : inputs[i].name || "input " + i;
}

// Memory m after `time`: contents as loads of the next cycle see them, and the last accesses.
function memoryAt(m, time) {
  const contents = memoryStart(m).slice(), last = [];
  if (!inCycles) return graphMemoryAt(m, time, contents);
  const stores = [];
  units.forEach((u, i) => {
    if (u.memory !== m || (u.kind !== "store" && u.kind !== "load")) return;
    const fired = firedAt(i), n = countBefore(fired, time + 1);
    for (let k = 0; u.kind === "store" && k < n; k++) stores.push([fired[k], i, k]);
    if (n > 0) last.push({ time: fired[n - 1], kind: u.kind, address: Number(valueOf(u.input, n - 1)), unit: i });
  });
  stores.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  for (const [, i, k] of stores) {
    contents[Number(valueOf(units[i].input, k))] = valueOf(units[i].input + 1, k);
  }
  last.sort((a, b) => b.time - a.time);
  return { contents, last };
}
// The same for a graph, from its tokens: a port's k-th answer (a load's data, a store's done token) belongs to its
// k-th operands. So the window must begin with the run.
function graphMemoryAt(m, time, contents) {
  const { node, stores, ports, extents } = graph.memories[m], { operands, results } = nodes[node], last = [], done = [];
  if (run.from) return { contents: [], last };
  const loads = ports.length - stores, wide = (operands.length - stores) / ports.length; // addresses of a port
  const token = (operand, k) => sentValues(edges[operands[operand]].result)[k];
  const address = (first, k) => [...Array(wide).keys()].reduce((sum, d) => sum * (wide > 1 ? extents[d] : 1) + Number(BigInt.asIntN(64, BigInt(token(first + d, k)))), 0);
  ports.forEach((at, p) => {
    const isStore = p < stores, first = isStore ? p * (1 + wide) + 1 : stores * (1 + wide) + (p - stores) * wide;
    const answers = sentAt(results[isStore ? loads + p : p - stores]), n = countBefore(answers, time + 1);
    for (let k = 0; isStore && k < n; k++) done.push([answers[k], address(first, k), token(first - 1, k)]);
    if (n) last.push({ time: answers[n - 1], kind: isStore ? "store" : "load", address: address(first, n - 1) });
  });
  for (const [, where, value] of done.sort((a, b) => a[0] - b[0])) contents[where] = value;
  return { contents, last: last.sort((a, b) => b.time - a.time) };
}
const memoryStart = lazily(graph ? graph.memories.length : 0, (m) => unpackValues(run.memories[m] || ""));

// Shares of the window: firings, and cycles of each kind of stall.
const span = run ? run.to - run.from : 1;
const shareOf = lazily(units.length, (u) => {
  const share = { fires: firedAt(u).length / span, stalls: [0, 0, 0, 0] }, s = stallsOf(u);
  for (let k = 0; k < s.from.length; k++) share.stalls[s.why[k]] += s.length[k] / span;
  return share;
});
