// text.js -- elements, numbers, and columns of packed numbers.
//
// All text that came from a design goes into the page as text nodes or through `escaped`: a name may be
// anything, the end of a script too.

const byId = (id) => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";

function element(name, attributes, ...children) {
  const e = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {}))
    if (key.startsWith("on")) e.addEventListener(key.slice(2), value);
    else if (value !== null && value !== false) e.setAttribute(key, value === true ? "" : value);
  e.append(...children.filter((c) => c !== null && c !== undefined));
  return e;
}

const escaped = (text) =>
  String(text).replace(/[&<>"']/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" })[c]);

// So many letters of a name that fit, the last one `…`.
const shortened = (text, most) => (text.length > most ? text.slice(0, Math.max(1, most - 1)) + "…" : text);

const grouped = (n) => String(n).replace(/\B(?=(\d{3})+(?!\d))/g, " ");
const percent = (x) => (100 * x).toFixed(x > 0 && x < 0.1 ? 1 : 0) + "%";
const plural = (n, word) => `${grouped(n)} ${word}${n === 1 ? "" : "s"}`;

// ---- columns (backends/view/view.h says how they are packed) -------------------------------------

const DIGITS = new Uint8Array(128);
for (let i = 0; i < 64; i++)
  DIGITS["ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".charCodeAt(i)] = i;

// Calls `each(number, times)`; a number of more than 49 bits is a BigInt.
function unpack(text, each) {
  let at = 0;
  function rest(number, bits, more) {
    while (more) {
      const digit = DIGITS[text.charCodeAt(at++)];
      if (bits < 45) number += (digit & 31) * 2 ** bits;
      else number = BigInt(number) + (BigInt(digit & 31) << BigInt(bits));
      bits += 5;
      more = digit & 32;
    }
    return number;
  }
  while (at < text.length) {
    const digit = DIGITS[text.charCodeAt(at++)];
    const number = rest((digit >> 1) & 15, 4, digit & 32);
    let times = 1;
    if (digit & 1) {
      const more = DIGITS[text.charCodeAt(at++)];
      times += Number(rest(more & 31, 5, more & 32));
    }
    each(number, times);
  }
}

function unpackTimes(text, from) {
  const times = [];
  let last = from;
  unpack(text, (delta, n) => {
    for (; n > 0; n--) times.push((last += delta));
  });
  return Float64Array.from(times);
}

// Numbers where they are exact, else BigInts: all are bits without a sign.
function unpackValues(text) {
  const values = [];
  let last = 0;
  const wrap = (v) => {
    if (typeof v === "number" && v >= 0 && v <= Number.MAX_SAFE_INTEGER) return v;
    const big = BigInt.asUintN(64, BigInt(v));
    return big <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(big) : big;
  };
  unpack(text, (zigzag, n) => {
    let delta;
    if (typeof zigzag === "number") delta = zigzag % 2 ? -(zigzag + 1) / 2 : zigzag / 2;
    else delta = zigzag & 1n ? -((zigzag + 1n) >> 1n) : zigzag >> 1n;
    for (; n > 0; n--) {
      const both = typeof last === "number" && typeof delta === "number";
      last = wrap(both ? last + delta : BigInt(last) + BigInt(delta));
      values.push(last);
    }
  });
  return values;
}

// ---- values --------------------------------------------------------------------------------------

const scratch = new DataView(new ArrayBuffer(8));

// The bits of a token, as its type is written.
function valueText(type, bits) {
  if (!type || type.kind === "none") return "0";
  const big = BigInt(bits);
  if (type.bits === 1) return String(big & 1n);
  if (type.kind === "integer" || type.kind === "index") return String(type.bits > 64 ? big : BigInt.asIntN(type.bits || 64, big));
  if (type.kind === "float" && type.bits === 64) {
    scratch.setBigUint64(0, big);
    return floatText(scratch.getFloat64(0), (x) => x, 15);
  }
  if (type.kind === "float" && type.bits === 32) {
    scratch.setUint32(0, Number(big & 0xffffffffn));
    return floatText(scratch.getFloat32(0), Math.fround, 6);
  }
  if (type.kind === "bf16") {
    scratch.setUint32(0, Number(big & 0xffffn) * 65536);
    return floatText(scratch.getFloat32(0), Math.fround, 3);
  }
  if (type.kind === "float" && type.bits === 16) {
    const h = Number(big & 0xffffn), e = (h >> 10) & 31, m = h & 1023, s = h >> 15 ? -1 : 1;
    return floatText(e === 31 ? (m ? NaN : s * Infinity) : e ? s * 2 ** (e - 15) * (1 + m / 1024) : s * m * 2 ** -24, Math.fround, 4);
  }
  return "0x" + big.toString(16);
}

// As few digits as read back to the same number.
function floatText(x, rounded, least) {
  if (!Number.isFinite(x)) return String(x).replace("Infinity", "inf").toLowerCase();
  for (let digits = least; digits < 17; digits++) if (rounded(Number(x.toPrecision(digits))) === x) return String(Number(x.toPrecision(digits)));
  return String(x);
}
