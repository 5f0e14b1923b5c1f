// browser.js -- a headless Chromium, driven over its pipe: no package, no port, no network.
//
//     const browser = await openBrowser("/usr/bin/chromium", scratch);
//     const page = await browser.open("/tmp/page.html", 1500, 950);
//     await page.evaluate("1 + 1");
//     page.said                          what it wrote to its console, threw, or asked the network for
//     await browser.close();
//
// What it is told and answers is the DevTools protocol: JSON objects with a zero byte behind each.
"use strict";
const { spawn } = require("child_process");
const fs = require("fs");
const zlib = require("zlib");
const { pathToFileURL } = require("url");

async function openBrowser(program, scratch) {
  const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--no-first-run", "--disable-extensions", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars", `--user-data-dir=${scratch}/profile`];
  const child = spawn(program, [...flags, "about:blank"], { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
  const waiting = new Map(), listeners = [];
  let last = 0, kept = Buffer.alloc(0);
  child.stdio[4].on("data", (bytes) => {
    kept = Buffer.concat([kept, bytes]);
    for (let end; (end = kept.indexOf(0)) >= 0; kept = kept.subarray(end + 1)) {
      const message = JSON.parse(kept.subarray(0, end).toString());
      if (message.id) waiting.get(message.id)(message), waiting.delete(message.id);
      else for (const listener of listeners) listener(message);
    }
  });
  const send = (method, params, sessionId) =>
    new Promise((resolve, reject) => {
      const id = ++last;
      waiting.set(id, (m) => (m.error ? reject(new Error(`${method}: ${m.error.message}`)) : resolve(m.result)));
      child.stdio[3].write(JSON.stringify({ id, method, params, sessionId }) + "\0");
    });

  async function open(file, width, height) {
    const { targetId } = await send("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await send("Target.attachToTarget", { targetId, flatten: true });
    const call = (method, params) => send(method, params, sessionId);
    const page = { said: [], call };
    const loaded = new Promise((resolve) =>
      listeners.push((m) => {
        if (m.sessionId !== sessionId) return;
        if (m.method === "Runtime.consoleAPICalled") page.said.push("console: " + m.params.args.map((a) => a.value).join(" "));
        if (m.method === "Runtime.exceptionThrown") page.said.push("threw: " + m.params.exceptionDetails.exception?.description);
        if (m.method === "Log.entryAdded") page.said.push("log: " + m.params.entry.text);
        if (m.method === "Network.requestWillBeSent" && !/^(file|data|blob):/.test(m.params.request.url)) page.said.push("asked for " + m.params.request.url);
        if (m.method === "Page.loadEventFired") resolve();
      }),
    );
    for (const domain of ["Page", "Runtime", "Log", "Network"]) await call(domain + ".enable");
    await call("Network.emulateNetworkConditions", { offline: true, latency: 0, downloadThroughput: -1, uploadThroughput: -1 });
    await call("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: false });
    page.evaluate = async (expression) => {
      const { result, exceptionDetails } = await call("Runtime.evaluate", { expression, returnByValue: true, awaitPromise: true });
      if (exceptionDetails) throw new Error(exceptionDetails.exception?.description || exceptionDetails.text);
      return result.value;
    };
    page.picture = async (path) => fs.writeFileSync(path, smaller(Buffer.from((await call("Page.captureScreenshot", { format: "png" })).data, "base64")));
    page.close = () => send("Target.closeTarget", { targetId });
    await call("Page.navigate", { url: pathToFileURL(file).href });
    await loaded;
    await call("Page.bringToFront"); // others are given no frames
    return page;
  }

  const close = () =>
    new Promise((resolve) => {
      child.on("exit", resolve);
      send("Browser.close").catch(() => {});
      setTimeout(() => child.kill("SIGKILL"), 3000).unref();
    });
  return { open, close };
}

// ---- pictures --------------------------------------------------------------------------------------

// The pixels of a PNG as browsers write it: 8 bits, 3 or 4 channels.
function pixelsOf(png) {
  const width = png.readUInt32BE(16), height = png.readUInt32BE(20), n = png[25] === 6 ? 4 : 3, parts = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) if (png.toString("latin1", at + 4, at + 8) === "IDAT") parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  const raw = zlib.inflateSync(Buffer.concat(parts)), row = width * n, out = Buffer.alloc(row * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < row; x++) {
      const left = x >= n ? out[y * row + x - n] : 0, up = y ? out[(y - 1) * row + x] : 0, corner = x >= n && y ? out[(y - 1) * row + x - n] : 0;
      const p = left + up - corner, near = [left, up, corner].reduce((a, b) => (Math.abs(p - b) < Math.abs(p - a) ? b : a));
      out[y * row + x] = raw[y * (row + 1) + 1 + x] + [0, left, up, (left + up) >> 1, near][raw[y * (row + 1)]];
    }
  return { width, height, n, out };
}

const CRC = Int32Array.from({ length: 256 }, (_, i) => {
  for (let k = 0; k < 8; k++) i = i & 1 ? (i >>> 1) ^ 0xedb88320 : i >>> 1;
  return i;
});
function chunk(type, body) {
  const all = Buffer.concat([Buffer.alloc(4), Buffer.from(type), body, Buffer.alloc(4)]);
  all.writeUInt32BE(body.length, 0);
  let crc = -1;
  for (const byte of all.subarray(4, -4)) crc = (crc >>> 8) ^ CRC[(crc ^ byte) & 255];
  all.writeInt32BE(~crc, all.length - 4);
  return all;
}

// The same picture with 256 colours, the most frequent ones: a third of the bytes.
function smaller(png) {
  const { width, height, n, out } = pixelsOf(png), count = new Map(), rows = Buffer.alloc((width + 1) * height);
  const keyAt = (i) => ((out[i] & 0xf8) << 16) | ((out[i + 1] & 0xf8) << 8) | (out[i + 2] & 0xf8);
  for (let i = 0; i < out.length; i += n) count.set(keyAt(i), (count.get(keyAt(i)) || 0) + 1);
  const palette = [...count].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, 256).map(([key]) => key), index = new Map(palette.map((key, k) => [key, k]));
  const far = (a, b) => [16, 8, 0].reduce((sum, s) => sum + (((a >> s) & 255) - ((b >> s) & 255)) ** 2, 0);
  const nearest = (key) => {
    if (!index.has(key)) index.set(key, palette.reduce((best, one, k) => (far(one, key) < far(palette[best], key) ? k : best), 0));
    return index.get(key);
  };
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) rows[y * (width + 1) + 1 + x] = nearest(keyAt((y * width + x) * n));
  const head = Buffer.alloc(13), colours = Buffer.from(palette.flatMap((key) => [16, 8, 0].map((s) => ((key >> s) & 255) | (((key >> s) & 255) >> 5))));
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([png.subarray(0, 8), chunk("IHDR", head), chunk("PLTE", colours), chunk("IDAT", zlib.deflateSync(rows, { level: 9 })), chunk("IEND", Buffer.alloc(0))]);
}

module.exports = { openBrowser };
