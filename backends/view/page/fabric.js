// fabric.js -- draws the fabric: its components in place, what they are configured to, and the routes of tokens.
//
// Each channel is one path, each component one box. Inside a switch a line leads from each input to the
// outputs that it is connected to; inside a PE lines lead from its ports to the unit in use.

let fabricPicture = null;

const linePath = (p) => {
  let d = `M${p[0]} ${p[1]}`;
  for (let k = 2; k < p.length; k += 2) d += `L${p[k]} ${p[k + 1]}`;
  return d;
};
const isPe = (c) => c.kind.endsWith("_pe");
const isSwitch = (c) => c.kind.endsWith("_sw");
const isStore = (c) => c.kind.endsWith("memory");

// Where a port is: at the end of its channel. An output with several channels has several places.
const portPlaces = new Map();
channels.forEach((c, i) => {
  if (!portPlaces.has(c.from)) portPlaces.set(c.from, []);
  portPlaces.get(c.from).push([c.path[0], c.path[1], i]);
  portPlaces.set(c.to, [[c.path[c.path.length - 2], c.path[c.path.length - 1], i]]);
});
const placeOnChannel = (port, channel) => (portPlaces.get(port) || []).find((p) => p[2] === channel) || (portPlaces.get(port) || [])[0];

// A curve inside a box from one of its sides to another.
function insidePath(c, a, b) {
  const [x, y, w, h] = c.box, mx = x + w / 2, my = y + h / 2;
  const pull = (p) => [p[0] + (mx - p[0]) * 0.6, p[1] + (my - p[1]) * 0.6];
  const ca = pull(a), cb = pull(b);
  return `M${a[0]} ${a[1]}C${ca[0]} ${ca[1]} ${cb[0]} ${cb[1]} ${b[0]} ${b[1]}`;
}

// The pieces of a route inside of components: [component, path].
function hopsOfRoute(r) {
  const ports = routes[r].ports, found = [];
  for (let k = 1; k + 1 < ports.length; k += 2) {
    const into = channelBetween(ports[k - 1], ports[k]), out = channelBetween(ports[k + 1], ports[k + 2]);
    const a = placeOnChannel(ports[k], into), b = placeOnChannel(ports[k + 1], out);
    if (a && b) found.push([componentOfPort[ports[k]], insidePath(components[componentOfPort[ports[k]]], a, b)]);
  }
  return found;
}

const clusterOfPe = new Map(((mapping && mapping.clusters) || []).map((c) => [c.pe, c]));

// The inside of a spatial PE in use: the box of its unit, and a multiplexer for each operand and a demultiplexer for
// each result, by the port that it selects: { box, muxes: port -> [x, y, "in" or "out"] }; null if there is no room.
const symbolOfPe = lazily(components.length, (id) => {
  const c = components[id], cluster = clusterOfPe.get(c.name), [x, y, w, h] = c.box;
  if (c.kind !== "spatial_pe" || !cluster || w < 84 || h < 60) return null;
  const box = [x + w * 0.27, y + h * 0.24, w * 0.46, h * 0.64], muxes = new Map();
  const ends = (names, at) => [...new Set(names.map((e) => routeOfEdge.get(e)).filter((r) => r !== undefined).map((r) => routes[r].ports.at(at)))].filter((port) => componentOfPort[port] === id);
  const put = (ports, side) => ports.forEach((port, k) => muxes.set(port, [side === "in" ? box[0] : box[0] + box[2], box[1] + (box[3] * (k + 0.5)) / ports.length, side]));
  put(ends((cluster.operands || []).map((name) => edgeByName.get(name)), -1), "in");
  put(ends(edges.map((e, i) => ((cluster.results || []).includes(graph.results[e.result].name) ? i : -1)).filter((i) => i >= 0), 0), "out");
  return { box, muxes };
});

function drawUnit(id) {
  const symbol = symbolOfPe(id);
  if (!symbol) return "";
  let out = `<rect class="unit-box detail" x="${symbol.box[0]}" y="${symbol.box[1]}" width="${symbol.box[2]}" height="${symbol.box[3]}" rx="3"/>`;
  for (const [port, [x, y, side]] of symbol.muxes) {
    const c = components[id], far = side === "in" ? x - 5 : x + 5, name = portName(port).split(".").pop().replace("in", "i").replace("out", "o");
    out += `<path class="mux detail" data-mux="${escaped(portName(port))}" d="M${far} ${y - 6}L${x} ${y - 3}V${y + 3}L${far} ${y + 6}Z"><title>${side === "in" ? `takes input ${port - c.port} of ${c.ins}` : `gives to output ${port - c.port - c.ins} of ${c.outs}`}</title></path><text class="port-name" x="${side === "in" ? x + 2 : x - 2}" y="${y + 2}" text-anchor="${side === "in" ? "start" : "end"}">${name}</text>`;
  }
  return out;
}

// The ends of a route inside of PEs and memories: from the port to the multiplexer of the unit, or to the middle.
function endsOfRoute(r) {
  const ports = routes[r].ports, found = [];
  if (ports.length < 2) return found;
  const n = ports.length;
  for (const [port, channel] of [[ports[0], channelBetween(ports[0], ports[1])], [ports[n - 1], channelBetween(ports[n - 2], ports[n - 1])]]) {
    const c = components[componentOfPort[port]], p = placeOnChannel(port, channel);
    if (!p || (!isPe(c) && !isStore(c))) continue;
    const [x, y, w, h] = c.box, symbol = symbolOfPe(componentOfPort[port]), mux = symbol && symbol.muxes.get(port);
    if (mux) {
      const at = [mux[0] + (mux[2] === "in" ? -5 : 5), mux[1]], out = mux[2] === "in" ? -12 : 12;
      found.push([componentOfPort[port], `M${p[0]} ${p[1]}C${(p[0] + at[0]) / 2} ${p[1]} ${at[0] + out} ${at[1]} ${at[0]} ${at[1]}`]);
      continue;
    }
    const inner = [Math.min(Math.max(p[0], x + 14), x + w - 14), Math.min(Math.max(p[1], y + 22), y + h - 14)];
    found.push([componentOfPort[port], `M${p[0]} ${p[1]}L${inner[0]} ${inner[1]}`]);
  }
  return found;
}

function classOfPe(id) {
  const rank = ["arithmetic", "access", "control"];
  const own = [...nodesOfComponent[id]].map((n) => nodes[n].class);
  return rank.find((c) => own.includes(c)) || "";
}

function drawComponent(c, id) {
  const [x, y, w, h] = c.box, used = componentsInUse.has(id), kind = isPe(c) ? "pe" : isSwitch(c) ? "switch" : isStore(c) ? "store" : "other";
  const own = [...nodesOfComponent[id]].map((n) => nodes[n].name), most = Math.floor(((symbolOfPe(id) ? w * 0.46 : w) - 6) / 6.7);
  const cluster = clusterOfPe.get(c.name);
  let out = `<g class="component ${kind} ${c.kind}${used ? " in-use" : ""}" data-kind="component" data-id="${id}"><rect class="body ${kind === "pe" && used ? classOfPe(id) : ""}" x="${x}" y="${y}" width="${w}" height="${h}" rx="${kind === "switch" ? 2 : 5}"/>`;
  const small = w < 40 || h < 20;
  const short = { add_tag: "+tag", del_tag: "−tag", map_tag: "tag", fifo: "fifo" + (c.depth ? " " + c.depth : "") }[c.kind];
  if (used) out += drawUnit(id);
  if (small) out += `<text class="name detail" style="font-size:7px" x="${x + w / 2}" y="${y + h / 2 + 2.5}" text-anchor="middle">${escaped(short || shortened(c.name, 8))}</text>`;
  else {
    const flat = h < 36, what = own.join(", ");
    if (!flat || !own.length) out += `<text class="name detail" x="${x + w / 2}" y="${flat ? y + h / 2 + 3 : y + 11}" text-anchor="middle">${escaped(shortened(c.name, Math.floor((w - 4) / 5.4)))}</text>`;
    if (kind !== "switch" && own.length) {
      out += `<text class="what detail" x="${x + w / 2}" y="${y + h / 2 + 4}" text-anchor="middle">${escaped(shortened(what, most))}</text>`;
      const unit = cluster ? cluster.unit : (unitsOfComponent.get(id) || []).map((u) => units[u].op || units[u].kind).join(", ");
      if (h > 50) out += `<text class="unit detail" x="${x + w / 2}" y="${y + h / 2 + 17}" text-anchor="middle">${escaped(shortened(unit.replace(/[a-z]+\./g, ""), Math.floor((symbolOfPe(id) ? w * 0.46 : w) / 5.6)))}</text>`;
    } else if (kind === "pe" && c.units && h > 40) out += `<text class="unit detail" x="${x + w / 2}" y="${y + h / 2 + 6}" text-anchor="middle">${c.units} unit${c.units > 1 ? "s" : ""}</text>`;
  }
  return out + "</g>";
}

function drawPorts() {
  let out = "";
  for (const [port, places] of portPlaces) {
    const c = components[componentOfPort[port]], [x, y, w, h] = c.box, k = port - c.port;
    for (const [px, py] of places) {
      out += `<rect class="port detail" x="${px - 1.5}" y="${py - 1.5}" width="3" height="3"/>`;
      if (w < 40) continue;
      const name = k < c.ins ? "i" + k : "o" + (k - c.ins);
      const at = px === x ? [px + 3, py + 2, "start"] : px === x + w ? [px - 3, py + 2, "end"] : py === y ? [px, py + 7, "middle"] : [px, py - 3, "middle"];
      out += `<text class="port-name" x="${at[0]}" y="${at[1]}" text-anchor="${at[2]}">${name}</text>`;
    }
  }
  return out;
}

function labelFromAfar(c, id) {
  const [x, y, w, h] = c.box, own = [...nodesOfComponent[id]].map((n) => nodes[n].name), isBare = !componentsInUse.size && (isPe(c) || isSwitch(c) || isStore(c));
  if (isSwitch(c) ? !isBare : !own.length && !isBare) return "";
  return `<text class="big" data-x="${x + w / 2}" data-y="${y + h}" data-w="${w}" data-h="${h}" text-anchor="middle">${escaped(shortened(isBare ? c.name : own.join(", "), 10))}</text>`;
}

// Zoomed out, names of components in use have the same size on the screen at any scale: inside the box if they
// fit, else below it; a name that would overlap another is hidden.
function labelsFromAfar(scale) {
  const taken = [];
  for (const text of byId("fabric").querySelectorAll("text.big")) {
    const { x, y, w, h } = text.dataset, letters = text.textContent.length, size = Math.max(10, Math.min(20, h * scale, (w * scale - 4) / (0.62 * letters)));
    const inside = letters * size * 0.62 < w * scale && size <= h * scale, wide = letters * size * 0.62 + 2, top = inside ? (y - h / 2) * scale - size / 2 : y * scale + 1;
    const box = [x * scale - wide / 2, top, x * scale + wide / 2, top + size];
    const isFree = !taken.some((t) => t[0] < box[2] && box[0] < t[2] && t[1] < box[3] && box[1] < t[3]);
    if (isFree) taken.push(box);
    text.style.visibility = isFree ? "" : "hidden";
    text.style.fontSize = size / scale + "px";
    text.style.strokeWidth = 3 / scale + "px";
    text.setAttribute("x", x);
    text.setAttribute("y", (top + size * 0.82) / scale);
  }
}

function drawFabric() {
  if (!fabric) return;
  fabricPicture = new Picture(byId("fabric"), fabric.width, fabric.height);
  let idle = "", used = "", inside = "";
  channels.forEach((c, i) => {
    const text = `<path class="channel${routesOfChannel.has(i) ? " in-use" : ""}${cut.has(i) ? " cut" : ""}" data-kind="channel" data-id="${i}" d="${linePath(c.path)}"/>`;
    if (routesOfChannel.has(i) || cut.has(i)) used += text;
    else idle += text;
  });
  routes.forEach((r, i) => {
    for (const [, d] of hopsOfRoute(i)) inside += `<path class="inside detail" d="${d}"/>`;
    for (const [, d] of endsOfRoute(i)) inside += `<path class="inside detail" d="${d}"/>`;
  });
  fabricPicture.content.innerHTML = idle + used + components.map(drawComponent).join("") + inside + [isPe, isStore, isSwitch, (c) => !isPe(c) && !isStore(c) && !isSwitch(c)].map((is) => components.map((c, id) => (is(c) ? labelFromAfar(c, id) : "")).join("")).join("");
  fabricPicture.details = drawPorts;
  fabricPicture.onScale = labelsFromAfar;
  if (!componentsInUse.size) byId("fabric").classList.add("bare");
  const legend = machine ? [["--used", "in use"], ["--fire", "fires"], ["--starved", "no operand"], ["--blocked", "no room"], ["--wait-memory", "memory"], ["--token", "token"]].slice(0, run ? 6 : 1) : [];
  if (cut.size) legend.push(["--blocked", "the cut: all of it is taken"]);
  if (legend.length) byId("fabric").append(element("div", { class: "legend", id: "fabric-legend" }, ...legend.map(([colour, text]) => element("span", {}, element("s", { style: `background:var(${colour})` }), text))));
}

const boxRect = ([x, y, w, h], extra) => `<rect ${extra} x="${x}" y="${y}" width="${w}" height="${h}" rx="5"/>`;

function markFabric() {
  if (!fabricPicture) return;
  let out = "";
  for (const c of marks.channels) out += `<path class="mark" data-marked-channel="${c}" d="${linePath(channels[c].path)}"/>`;
  const wanted = new Set(marks.hops.map(([a, b]) => a + ">" + b));
  const seen = new Set();
  routes.forEach((r, i) => {
    const ports = r.ports, used = r.edge !== null && r.edge !== undefined ? marks.edges.has(r.edge) : false;
    if (!used && !marks.hops.length) return;
    for (let k = 1; k + 1 < ports.length; k += 2) {
      const key = ports[k] + ">" + ports[k + 1];
      if (!wanted.has(key) || seen.has(key)) continue;
      seen.add(key);
      const a = placeOnChannel(ports[k], channelBetween(ports[k - 1], ports[k])), b = placeOnChannel(ports[k + 1], channelBetween(ports[k + 1], ports[k + 2]));
      out += `<path class="mark" data-marked-hop="${key}" d="${insidePath(components[componentOfPort[ports[k]]], a, b)}"/>`;
    }
    if (used) for (const [, d] of endsOfRoute(i)) out += `<path class="mark" d="${d}"/>`;
  });
  for (const c of marks.components) out += boxRect(components[c].box, `class="mark box" data-marked-component="${c}"`);
  const waiting = marks.waits.map((u) => units[u].component).filter((c) => c !== null && c !== undefined).map((c) => components[c].box);
  if (waiting.length > 1) out += `<path class="wait-circle" d="M${waiting.map((b) => `${b[0] + b[2] / 2} ${b[1] + b[3] / 2}`).join("L")}${outcome.circular ? "Z" : ""}"/>`;
  fabricPicture.marked.innerHTML = out;
}

const tokenText = (i, token) => valueText(inputs[i].edge === null ? { kind: "integer", bits: 65 } : typeOfEdge(inputs[i].edge), token.value());

// A token that arrives is drawn on its route for the whole cycle, one that waits at the port.
function playFabric(frame) {
  if (!fabricPicture) return;
  let boxes = "", wires = "", dots = "";
  const stalled = new Map();
  for (const [u, stall] of frame.stalls) if (units[u].component !== null) stalled.set(units[u].component, stall.why);
  for (const u of frame.units) stalled.delete(units[u].component);
  for (const u of new Set(frame.units.map((u) => units[u].component))) if (u !== null && u !== undefined) boxes += boxRect(components[u].box, `class="fires" data-fires="${u}"`);
  if (frame.load !== undefined)
    components.forEach((c, id) => {
      if (c.words && c.words[0] <= frame.time + lead) boxes += boxRect(c.box, c === frame.load ? `class="loads" data-loads="${id}"` : 'class="loaded-before"');
    });
  for (const [c, why] of stalled) boxes += boxRect(components[c].box, `class="stall w${why}" data-stall="${c}"`);
  for (const [i, token] of frame.tokens) {
    const r = routeOfInput.get(i);
    if (r === undefined) continue;
    const ports = routes[r].ports, n = ports.length, last = channelBetween(ports[n - 2], ports[n - 1]);
    if (token.moves)
      for (let k = routes[r].first || 0; k + 1 < n; k += 2) {
        const c = channelBetween(ports[k], ports[k + 1]);
        wires += `<path class="moves" d="${linePath(channels[c].path)}"/>`;
      }
    const at = placeOnChannel(ports[n - 1], last), e = inputs[i].edge;
    dots += `<circle class="token${token.moves ? "" : " waits"}" data-token="${i}" cx="${at[0]}" cy="${at[1]}" r="${fabricPicture.level.startsWith("far") ? 10 : 4.5}"/>`;
    if (token.moves && !fabricPicture.level.startsWith("far") && (e === null || typeOfEdge(e).kind !== "none"))
      dots += `<text class="value" x="${at[0] + 6}" y="${at[1] - 5}">${escaped(tokenText(i, token))}</text>`;
  }
  fabricPicture.live.innerHTML = boxes + wires + dots;
}
