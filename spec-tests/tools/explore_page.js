// explore_page.js -- checks the HTML page of an exploration in a browser.
//
//     node explore_page.js CHROMIUM SCRATCH PAGE MAPPED FRONT
//
// Are there MAPPED points, FRONT of them on the Pareto front and in its table? Do the arrow keys move along the front, and
// does the page describe the selected point? Are pruned points shown on demand, and points coloured by an axis? It must not
// use the network or throw an exception, and it must have a dark mode.
"use strict";
const { openBrowser } = require("./browser.js");
const [program, scratch, file, mapped, front] = process.argv.slice(2);

(async () => {
  const browser = await openBrowser(program, scratch);
  const page = await browser.open(file, 1200, 700);
  let passed = 0, failed = 0;
  const is = (what, a, b) => (a === b ? passed++ : (failed++, console.log(`FAIL ${what}: ${a}, not ${b}`)));
  const count = (selector) => page.evaluate(`document.querySelectorAll(${JSON.stringify(selector)}).length`);
  const press = (key) => page.evaluate(`document.dispatchEvent(new KeyboardEvent("keydown", {key: "${key}", bubbles: true}))`);
  is("points", await count("circle.mapped"), Number(mapped));
  is("the front", await count("circle.front"), Number(front));
  is("its table", await count("#table tbody tr"), Number(front));
  is("one is picked from the beginning, on the front", await count("circle.front.picked"), 1);
  await press("ArrowRight");
  is("a point is picked", await count("circle.front.picked"), 1);
  const first = await page.evaluate("picked.point");
  is("its folder", await page.evaluate(`document.querySelector("#about a").getAttribute("href")`), `points/${first}/`);
  is("how to watch each kernel", await page.evaluate(`[...document.querySelectorAll("#about code")].filter((e) =>
    e.textContent.startsWith("loom emit view pruned/points/${first}/") && e.textContent.includes(".map.json --case ")).length === data.kernels.length`), true);
  is("its command", await page.evaluate(`document.querySelector("#about").textContent.includes("--point ${first}")`), true);
  const walk = [];
  for (let i = 0; i < Number(front); i++) await press("ArrowLeft");
  for (let i = 0; i < Number(front); i++) {
    walk.push(await page.evaluate("picked.point"));
    await press("ArrowRight");
  }
  is("the keys go along the front", new Set(walk).size, Number(front));
  await page.evaluate(`document.querySelector("#x").value = "time"; document.querySelector("#x").onchange()`);
  is("other axes", await count("circle.mapped"), Number(mapped));
  await page.evaluate(`document.querySelector("#pruned").click()`);
  is("those pruned", await page.evaluate(`document.querySelectorAll("circle.pruned").length === pruned.length && pruned.length > 0`), true);
  await page.evaluate(`document.querySelector("#colour").value = axes[0]; document.querySelector("#colour").onchange()`);
  is("a colour for each value", await page.evaluate(`new Set([...document.querySelectorAll("circle.legend")].map((e) => e.style.fill)).size`),
    await page.evaluate("new Set([...mapped, ...pruned].map((r) => r.settings[axes[0]])).size"));
  await page.evaluate(`document.querySelector("#table tbody tr").click()`);
  is("a row of the table picks", await page.evaluate("picked.point"), await page.evaluate("best[0].point"));
  const ink = () => page.evaluate("getComputedStyle(document.body).backgroundColor");
  const light = await ink();
  await page.call("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: "dark" }] });
  is("the dark", (await ink()) !== light, true);
  is("what it said", page.said.join("; "), "");
  await browser.close();
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed ? 1 : 0);
})();
