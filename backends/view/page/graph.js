// graph.js -- draws the dataflow graph: nested loops, nodes by class, edges as graph.c laid them out.

let graphPicture = null;

// The SVG path of a spline; p: x and y of its points in turn.
const splinePath = (p) => {
  if (p.length < 4) return "";
  let d = `M${p[0]} ${p[1]}`;
  for (let k = 2; k + 5 < p.length; k += 6) d += `C${p.slice(k, k + 6).join(" ")}`;
  return d;
};

function arrowHead(p) {
  const n = p.length, x = p[n - 2], y = p[n - 1];
  let dx = x - p[n - 4], dy = y - p[n - 3];
  const length = Math.hypot(dx, dy) || 1;
  dx /= length;
  dy /= length;
  return `M${x} ${y}L${x - 7 * dx + 3 * dy} ${y - 7 * dy - 3 * dx}L${x - 7 * dx - 3 * dy} ${y - 7 * dy + 3 * dx}Z`;
}

function nodeShape(n, extra) {
  const [x, y, w, h] = n.box;
  if (n.class === "memory") {
    const r = 5;
    return `<path ${extra} d="M${x} ${y + r}A${w / 2} ${r} 0 0 1 ${x + w} ${y + r}V${y + h - r}A${w / 2} ${r} 0 0 1 ${x} ${y + h - r}Z"/>`;
  }
  const round = n.class === "argument" || n.class === "return" ? h / 2 : 4;
  return `<rect ${extra} x="${x}" y="${y}" width="${w}" height="${h}" rx="${round}"/>`;
}

function drawGraph() {
  if (!graph) return;
  graphPicture = new Picture(byId("graph"), graph.width, graph.height);
  let out = "";
  for (const l of graph.loops) {
    const [x, y, w, h] = l.box, loop = loops.find((one) => one.cluster === l.id);
    out += `<g class="loop" data-kind="loop" data-id="${loop.number}"><rect x="${x}" y="${y}" width="${w}" height="${h}" rx="8"/><text class="sans" x="${x + 8}" y="${y + 14}">${escaped("loop " + loop.name + (loop.place ? "  " + loop.place : ""))}</text></g>`;
  }
  edges.forEach((e, i) => {
    if (!e.path || e.path.length < 4) return;
    const d = splinePath(e.path), n = e.path.length;
    const far = Math.abs(e.path[n - 2] - e.path[0]) + Math.abs(e.path[n - 1] - e.path[1]) > 4000; // it would have thousands of dashes
    out += `<g class="edge${e.control ? " is-control" : ""}${e.back ? " is-back" : ""}${unrouted.has(i) ? " unrouted" : ""}${far ? " is-far" : ""}" data-kind="edge" data-id="${i}">${far ? "" : `<path class="hit" d="${d}"/>`}<path class="seen" d="${d}"/><path class="arrow" d="${arrowHead(e.path)}"/></g>`;
  });
  nodes.forEach((n, i) => {
    if (!n.box) return;
    const [x, y, w, h] = n.box, most = Math.floor((w - 8) / 7.4);
    out += `<g class="node ${n.class}${unplaced.has(i) ? " unplaced" : ""}" data-kind="node" data-id="${i}">${nodeShape(n, "")}<text class="name" x="${x + w / 2}" y="${y + h / 2 - 2}" text-anchor="middle">${escaped(shortened(n.name, most))}</text><text class="op" x="${x + w / 2}" y="${y + h / 2 + 11}" text-anchor="middle">${escaped(shortened(n.text, Math.floor((w - 6) / 6)))}</text></g>`;
  });
  graphPicture.content.innerHTML = out;
  byId("graph").append(element("div", { class: "legend" }, ...[["--control", "control"], ["--arithmetic", "arithmetic"], ["--access", "load, store"], ["--memory", "memory"]].map(([colour, text]) => element("span", {}, element("s", { style: `background:var(${colour});border:1px solid var(--faint)` }), text))));
}

function markGraph() {
  if (!graphPicture) return;
  let out = "";
  for (const e of marks.edges) if (edges[e].path) out += `<path class="mark" data-marked-edge="${e}" d="${splinePath(edges[e].path)}"/>`;
  for (const n of marks.nodes) if (nodes[n].box) out += nodeShape(nodes[n], `class="mark box" data-marked-node="${n}"`);
  graphPicture.marked.innerHTML = out;
}

function playGraph(frame) {
  if (!graphPicture) return;
  let out = "";
  for (const n of frame.nodes) if (nodes[n].box) out += nodeShape(nodes[n], `class="fires" data-fires="${n}"`);
  for (const [u, stall] of frame.stalls)
    for (const n of nodesOfUnit[u]) if (nodes[n].box && !frame.nodes.has(n) && !isMemory(n)) out += nodeShape(nodes[n], `class="stall w${stall.why}"`);
  const dot = (e, waits, value) => {
    const p = edges[e].path;
    if (!p || p.length < 4) return "";
    const k = waits ? p.length - 4 : Math.floor(p.length / 4) * 2, x = p[k], y = p[k + 1];
    return `<circle class="token${waits ? " waits" : ""}" cx="${x}" cy="${y}" r="4"/>` + (value === null ? "" : `<text class="value" x="${x + 6}" y="${y + 3}">${escaped(value)}</text>`);
  };
  for (const [i, token] of frame.tokens) {
    const e = inputs[i].edge;
    if (e === null || units[inputs[i].unit].kind === "fifo") continue;
    out += dot(e, !token.moves, typeOfEdge(e).kind === "none" ? null : valueText(typeOfEdge(e), token.value()));
  }
  for (const [r, value] of frame.edges)
    edges.forEach((e, i) => {
      if (e.result === r) out += dot(i, false, graph.results[r].kind === "none" ? null : valueText(graph.results[r], value));
    });
  graphPicture.live.innerHTML = out;
}
