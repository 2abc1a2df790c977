// Texts of models as text. Nothing here reads markup: text nodes, and elements of the lists below.
"use strict";

(() => {
  const MATHML = "http://www.w3.org/1998/Math/MathML";
  // The lists of scripts/babelmath/explorer/formulas.py.
  const ELEMENTS = new Set(["math", "mrow", "mi", "mn", "mo", "mtext", "ms", "mspace", "mfrac",
    "msqrt", "mroot", "msub", "msup", "msubsup", "munder", "mover", "munderover", "mmultiscripts",
    "mprescripts", "none", "mtable", "mtr", "mtd", "mstyle", "mpadded", "menclose"]);
  const ATTRIBUTES = new Set(["accent", "accentunder", "columnalign", "columnlines",
    "columnspacing", "depth", "displaystyle", "fence", "form", "height", "largeop",
    "linethickness", "lspace", "mathvariant", "maxsize", "minsize", "movablelimits", "notation",
    "rowlines", "rowspacing", "rspace", "scriptlevel", "separator", "stretchy", "symmetric",
    "voffset", "width"]);

  // Characters that cannot be seen, or that would put others in another order. Joiners shape
  // letters and stay as they are.
  const HIDDEN = new RegExp("[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c"
    + "\\u115f\\u1160\\u17b4\\u17b5\\u180e\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164"
    + "\\ufeff\\uffa0\\ufff9-\\ufffb\\ufffe\\uffff]|[\\ud800-\\udfff]|[\\u{e0000}-\\u{e007f}]", "gu");
  const NAMES = { 0x00: "NUL", 0x0d: "CR", 0x1b: "ESC", 0xad: "SHY", 0x61c: "ALM", 0x200b: "ZWSP",
    0x200e: "LRM", 0x200f: "RLM", 0x202a: "LRE", 0x202b: "RLE", 0x202c: "PDF", 0x202d: "LRO",
    0x202e: "RLO", 0x2066: "LRI", 0x2067: "RLI", 0x2068: "FSI", 0x2069: "PDI", 0xfeff: "BOM" };
  const SLICE = 12000; // characters, or so many formulas times 40, put on the page at once

  function mark(char) {
    const code = char.codePointAt(0);
    const point = `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
    const span = document.createElement("span");
    span.className = "hidden-character";
    span.dir = "ltr";
    span.textContent = NAMES[code] || point;
    span.title = `${point}, a character that cannot be seen`;
    return span;
  }

  // Text with its hidden characters marked, appended to a node.
  function append(node, text) {
    let last = 0;
    for (const match of text.matchAll(HIDDEN)) {
      if (match.index > last) node.append(text.slice(last, match.index));
      node.append(mark(match[0]));
      last = match.index + match[0].length;
    }
    if (last < text.length) node.append(last ? text.slice(last) : text);
    return node;
  }

  function element(tree) {
    const [name, ...rest] = tree;
    if (!ELEMENTS.has(name)) return document.createTextNode("");
    const node = document.createElementNS(MATHML, name);
    for (const one of rest) {
      if (typeof one === "string") node.append(one);
      else if (Array.isArray(one)) node.append(element(one));
      else {
        for (const [key, value] of Object.entries(one)) {
          if (ATTRIBUTES.has(key)) node.setAttribute(key, value);
        }
      }
    }
    return node;
  }

  function formula([source, display, tree]) {
    if (!tree) {
      const span = document.createElement("span");
      span.className = "tex";
      span.dir = "ltr";
      span.title = "TeX that is not converted";
      return append(span, source);
    }
    const math = document.createElementNS(MATHML, "math");
    math.setAttribute("dir", "ltr");
    if (display) math.setAttribute("display", "block");
    math.append(element(tree));
    if (!display) return math;
    const box = document.createElement("span");
    box.className = "display";
    box.append(math);
    return box;
  }

  // The pieces of a text: strings no longer than a slice, and formulas.
  function* pieces(text, formulas, raw) {
    for (const one of typeof text === "string" ? [text] : text) {
      const whole = typeof one === "string" ? one : raw ? formulas[one][0] : null;
      if (whole === null) {
        yield formulas[one];
        continue;
      }
      for (let start = 0; start < whole.length;) {
        let end = Math.min(start + SLICE, whole.length);
        if (end < whole.length) {
          const line = whole.lastIndexOf("\n", end);
          if (line > start) end = line + 1;
          else if (/[\ud800-\udbff]/.test(whole[end - 1])) end--;
        }
        yield whole.slice(start, end);
        start = end;
      }
    }
  }

  // Fill a node with a text, a slice at a time, so that a long one leaves the page usable.
  async function fill(node, text, formulas, raw) {
    let weight = 0;
    let slice = document.createDocumentFragment();
    for (const one of pieces(text, formulas, raw)) {
      if (typeof one === "string") append(slice, one);
      else slice.append(formula(one));
      weight += typeof one === "string" ? one.length : 40 + one[0].length * 8;
      if (weight > SLICE) {
        node.append(slice);
        slice = document.createDocumentFragment();
        weight = 0;
        await new Promise((resolve) => setTimeout(resolve));
        if (!node.isConnected) return;
      }
    }
    node.append(slice);
  }

  // The characters of a text as it stands in its record.
  const source = (text, formulas) => typeof text === "string" ? text
    : text.map((one) => typeof one === "string" ? one : formulas[one][0]).join("");

  explorer.text = { append, fill, formula, source, ELEMENTS, ATTRIBUTES };
})();
