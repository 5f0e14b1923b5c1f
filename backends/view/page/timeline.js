// timeline.js -- cycles around now: a row for each unit of the selection, a cell for each cycle.
//
// Green where it fires, coloured by the cause where it stalls; so a recurrence that sets an interval can be
// seen as a staircase.

const COLUMN = 11, ROW = 17, LABEL = 190;

function timelineRows() {
  let of = unitsOfSelection().filter((u) => units[u].kind !== "input" && units[u].kind !== "drain");
  if (!of.length) of = units.map((u, i) => i).filter((i) => firedAt(i).length && !["input", "output", "drain", "fifo"].includes(units[i].kind)).sort((a, b) => firedAt(b).length - firedAt(a).length || a - b).slice(0, 12);
  return of.slice(0, 40);
}

function timeline() {
  if (!run) return [line("There is no run: give one with --case.")];
  if (!inCycles) return [line("The timeline is of hardware.")];
  const rows = timelineRows(), canvas = element("canvas", { id: "timeline", tabindex: -1, "aria-label": "timeline" });
  const wide = Math.max(400, byId("tab").clientWidth - 30), count = Math.floor((wide - LABEL) / COLUMN), ratio = window.devicePixelRatio || 1;
  const first = Math.max(run.from, Math.min(now - Math.floor(count / 3), run.to - count)), high = (rows.length + 1) * ROW + 4;
  canvas.width = wide * ratio;
  canvas.height = high * ratio;
  canvas.style.width = wide + "px";
  canvas.style.height = high + "px";
  const g = canvas.getContext("2d"), theme = getComputedStyle(document.documentElement), colour = (name) => theme.getPropertyValue(name);
  g.scale(ratio, ratio);
  g.font = "11px ui-monospace, 'DejaVu Sans Mono', monospace";
  g.textBaseline = "middle";
  for (let k = 0; k < count; k++)
    if ((first + k) % 10 === 0) {
      g.fillStyle = colour("--faint");
      g.fillText(String(first + k), LABEL + k * COLUMN, ROW / 2);
      g.fillStyle = colour("--line");
      g.fillRect(LABEL + k * COLUMN, ROW, 1, high);
    }
  rows.forEach((u, r) => {
    const y = (r + 1) * ROW;
    g.fillStyle = colour("--ink");
    g.fillText(shortened(unitName(u), 15), 0, y + ROW / 2);
    g.fillStyle = colour("--faint");
    g.fillText(shortened(unitPlace(u), 10), 115, y + ROW / 2);
    for (let k = 0; k < count && first + k < run.to; k++) {
      const stall = stallAt(u, first + k), fires = happens(firedAt(u), first + k);
      if (!stall && !fires) continue;
      g.fillStyle = colour(fires ? "--fire" : WHY_COLOURS[stall.why]);
      g.globalAlpha = fires ? 1 : 0.45;
      g.fillRect(LABEL + k * COLUMN + 1, y + (fires ? 2 : 6), COLUMN - 2, fires ? ROW - 4 : ROW - 12);
      g.globalAlpha = 1;
    }
  });
  g.strokeStyle = colour("--accent");
  g.lineWidth = 2;
  g.strokeRect(LABEL + (now - first) * COLUMN, ROW - 1, COLUMN, high - ROW);
  canvas.addEventListener("click", (e) => {
    const k = Math.floor((e.offsetX - LABEL) / COLUMN), r = Math.floor(e.offsetY / ROW) - 1;
    if (k >= 0) goTo(first + k);
    else if (rows[r] !== undefined && units[rows[r]].component !== null) select({ kind: "component", id: units[rows[r]].component });
  });
  canvas.addEventListener("pointermove", (e) => {
    const k = Math.floor((e.offsetX - LABEL) / COLUMN), u = rows[Math.floor(e.offsetY / ROW) - 1];
    if (u === undefined || k < 0) return showTip(null);
    const stall = stallAt(u, first + k);
    showTip(`cycle ${first + k}: ${unitName(u)} ${happens(firedAt(u), first + k) ? "fires" : stall ? stallText(u, stall) : "is idle"}`, e);
  });
  canvas.addEventListener("pointerleave", () => showTip(null));
  return [canvas];
}
