// player.js -- plays the run, forwards and backwards.

let now = run ? run.from : 0;
let playing = null; // the handle of the next frame
let speed = 4; // frames a second

const lastTime = () => run.to - 1;

function goTo(time) {
  if (!run) return;
  now = Math.max(firstTime(), Math.min(lastTime(), Math.round(time) || 0));
  showFrame();
}

// Goes to the next or previous firing of the selection; if there is none, of any unit.
function jump(direction) {
  let lists = timesOfSelection(), best = null;
  if (!lists.length) lists = inCycles ? units.map((u, i) => firedAt(i)) : [];
  if (!lists.length) return goTo(now + direction);
  for (const times of lists) {
    const k = direction > 0 ? countBefore(times, now + 1) : countBefore(times, now) - 1;
    if (k < 0 || k >= times.length) continue;
    if (best === null || (direction > 0 ? times[k] < best : times[k] > best)) best = times[k];
  }
  if (best !== null) goTo(best);
}

// A tab in the background gets no frames: replay pauses there, instead of jumping ahead afterwards.
const LONGEST_FRAME = 500; // milliseconds
function play(on) {
  if (!run) return;
  if (playing) cancelAnimationFrame(playing);
  playing = null;
  const button = byId("play");
  button.textContent = on ? "■" : "▶";
  button.setAttribute("aria-pressed", String(on));
  if (!on) return showTabIfLive();
  if (now >= lastTime()) now = run.from;
  let before = performance.now(), owed = 0;
  const step = (at) => {
    owed += (Math.min(at - before, LONGEST_FRAME) * speed) / 1000;
    before = at;
    const whole = Math.floor(owed);
    owed -= whole;
    if (whole) goTo(now + whole);
    if (now >= lastTime()) return play(false);
    playing = requestAnimationFrame(step);
  };
  playing = requestAnimationFrame(step);
}

function frameText(frame) {
  if (!inCycles) {
    const fires = [...frame.nodes].map((n) => nodes[n].name).join(", ");
    return fires ? `fires: ${fires}` : "";
  }
  if (frame.load !== undefined) return `word ${grouped(frame.time + lead)} of ${grouped(lead)} of the configuration: ${frame.load ? frame.load.name : "checksum"}`;
  const counts = [0, 0, 0, 0];
  for (const [, stall] of frame.stalls) counts[stall.why]++;
  return `${frame.units.length} fire` + counts.map((n, k) => (n ? `, ${n} ${WHY[k]}` : "")).join("");
}

const toStart = () => goTo(now === run.from ? firstTime() : run.from);

function showFrame() {
  const frame = frameAt(now);
  byId("slider").min = now < run.from ? firstTime() : run.from; // a load may be longer than the run
  byId("slider").value = now;
  if (document.activeElement !== byId("cycle")) byId("cycle").value = now;
  byId("events").textContent = frameText(frame);
  playSource(frame);
  playGraph(frame);
  playFabric(frame);
  showTabIfLive();
}

function makePlayer() {
  if (!run) return;
  const button = (id, text, title, act) => element("button", { id, title, "aria-label": title, onclick: act }, text);
  const what = inCycles ? "cycle" : "firing";
  byId("player").append(
    element("span", { class: "group" }, button("reset", "|◀", "to the start (Home); again: to where the configuration is loaded", () => toStart()), button("previous", "◀•", "firing before of the selection (p)", () => jump(-1)), button("back", "◀|", "back (←)", () => goTo(now - 1)), button("play", "▶", "play (space)", () => play(!playing)), button("step", "|▶", "step (→)", () => goTo(now + 1)), button("next", "•▶", "next firing of the selection (n)", () => jump(1)), button("end", "▶|", "to the end (End)", () => goTo(lastTime()))),
    element("label", {}, what + " ", element("input", { id: "cycle", type: "number", min: firstTime(), max: lastTime(), onchange: (e) => goTo(Number(e.target.value)) })),
    element("input", { id: "slider", type: "range", min: run.from, max: lastTime(), step: 1, "aria-label": what, oninput: (e) => goTo(Number(e.target.value)) }),
    element("select", { id: "speed", "aria-label": "speed", onchange: (e) => (speed = Number(e.target.value)) }, ...[1, 2, 4, 10, 30, 100, 1000, 10000].map((n) => element("option", { value: n, selected: n === 4 }, `${n} a second`))),
    element("span", { id: "events" }),
  );
}
