// The page's address: which generations are selected, and which is open. The notation is that of
// scripts/babelmath/selection.py.
"use strict";

(() => {
  const KEYS = ["benchmark", "setting", "model", "lang", "kind", "subset", "state", "scorer",
    "status", "reading", "thinking", "answering", "target", "answers", "disagree", "finish", "id",
    "sample"];
  const SINGLE = ["scorer", "reading"];

  const encoded = (value) =>
    encodeURIComponent(value).replace(/[!'()*]/g, (one) =>
      `%${one.charCodeAt(0).toString(16).toUpperCase()}`);

  // {values: {key: [value]}, open: [benchmark, setting, model, lang, id, sample] or null, notices}
  function parse(text) {
    const found = { values: {}, open: null, notices: [] };
    for (const part of text ? text.split("&") : []) {
      const at = part.indexOf("=");
      const key = at < 0 ? part : part.slice(0, at);
      if (at < 0 || !(KEYS.includes(key) || key === "open")) {
        found.notices.push(`The address has a key that this page does not know: ${key}`);
        continue;
      }
      if (key in found.values || (key === "open" && found.open)) {
        found.notices.push(`The address has the key ${key} twice; the first counts.`);
        continue;
      }
      let values;
      try {
        values = part.slice(at + 1).split(key === "open" ? "/" : ",").map(decodeURIComponent);
      } catch {
        found.notices.push(`The address has a value of ${key} that cannot be read.`);
        values = [];
      }
      if (key === "open") {
        if (values.length === 1) values = values[0].split("/");
        found.open = values.length ? values : null;
        continue;
      }
      if (values.some((value) => !value)) found.notices.push(`An empty value of ${key} is left out.`);
      values = values.filter(Boolean);
      if (SINGLE.includes(key) && values.length > 1) {
        found.notices.push(`${key} takes one value; the first counts.`);
        values = values.slice(0, 1);
      }
      if (values.length) found.values[key] = values;
    }
    // The short form of an opened generation leaves the benchmark to the key of that name.
    if (found.open && found.open.length === 5 && (found.values.benchmark || []).length === 1) {
      found.open = [found.values.benchmark[0], ...found.open];
    }
    return found;
  }

  function query(values, open) {
    const parts = KEYS.filter((key) => (values[key] || []).length)
      .map((key) => `${key}=${values[key].map(encoded).join(",")}`);
    if (open) parts.push(`open=${open.map(encoded).join("/")}`);
    return parts.join("&");
  }

  explorer.selection = { KEYS, parse, query };
})();
