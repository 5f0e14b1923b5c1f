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

// A name cut to `most` letters, of which the last is then `…`.
const shortened = (text, most) => (text.length > most ? text.slice(0, Math.max(1, most - 1)) + "…" : text);

const grouped = (n) => String(n).replace(/\B(?=(\d{3})+(?!\d))/g, " ");
const percent = (x) => (100 * x).toFixed(x > 0 && x < 0.1 ? 1 : 0) + "%";
const plural = (n, word) => `${grouped(n)} ${word}${n === 1 ? "" : "s"}`;

// ---- columns (backends/view/view.h describes the coding) -----------------------------------------

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
  const format = formats[type.kind === "float" ? type.bits : type.kind];
  if (format) return floatText(format, floatValue(format, big & ((1n << BigInt(format.bits)) - 1n)));
  return "0x" + big.toString(16);
}

// `digits`: decimals of so many digits survive a trip through the format; `enough`: so many tell any two values apart;
// `fraction`: bits; `least`: exponent of the least normal number. LOOM prints likewise (passes/run/value.c): as few
// digits as read back to the same bits.
const formats = {
  16: { bits: 16, digits: 3, enough: 5, fraction: 10, least: -14 },
  bf16: { bits: 16, digits: 2, enough: 4, fraction: 7, least: -126 },
  32: { bits: 32, digits: 6, enough: 9, fraction: 23, least: -126 },
  64: { bits: 64, digits: 15, enough: 17, fraction: 52, least: -1022 },
};

function floatValue({ bits, fraction, least }, big) {
  const width = BigInt(fraction), e = Number((big >> width) & ((1n << BigInt(bits - 1 - fraction)) - 1n)), m = Number(big & ((1n << width) - 1n));
  const size = e === 3 - 2 * least ? (m ? NaN : Infinity) : e ? (2 ** fraction + m) * 2 ** (e - 1 + least - fraction) : m * 2 ** (least - fraction);
  return big >> BigInt(bits - 1) ? -size : size;
}

// The nearest number of a format, of two the even one.
function rounded({ fraction, least }, x) {
  scratch.setFloat64(0, x);
  const unit = 2 ** (Math.max(((scratch.getUint16(0) >> 4) & 0x7ff) - 1023, least) - fraction), n = Math.floor(x / unit), rest = x / unit - n;
  return (rest > 0.5 || (rest === 0.5 && n % 2 !== 0) ? n + 1 : n) * unit;
}

// As C prints with %g: of two equally near decimals the even one, where JavaScript takes the larger.
function generalText(x, digits) {
  let [number, exponent] = x.toExponential(digits - 1).split("e");
  const all = x.toExponential(60), e = Number(exponent);
  if (/^\.?50*e/.test(all.slice(number.length)) && Number(all[number.length - 1]) % 2 === 0) number = all.slice(0, number.length);
  const short = (text) => (text.includes(".") ? text.replace(/\.?0*$/, "") : text);
  if (e < -4 || e >= digits) return short(number) + (e < 0 ? "e-" : "e+") + String(Math.abs(e)).padStart(2, "0");
  const figures = "0".repeat(Math.max(-e, 0)) + number.replace(/[-.]/g, ""), whole = Math.max(e, 0) + 1;
  return (x < 0 ? "-" : "") + short(figures.slice(0, whole) + "." + figures.slice(whole));
}

function floatText(format, x) {
  if (x === 0) return Object.is(x, -0) ? "-0.0" : "0";
  if (!Number.isFinite(x)) return String(x).replace("Infinity", "inf").toLowerCase();
  if (Number.isInteger(x) && Math.abs(x) < 1e7) return String(x);
  for (let digits = Math.abs(x) < 2 ** format.least ? 1 : format.digits; ; digits++) {
    const text = generalText(x, digits);
    if (digits >= format.enough || rounded(format, Number(text)) === x) return text;
  }
}
