// The page as a whole: its address, its parts, its keys.
"use strict";

(() => {
  const at = (id) => document.getElementById(id);
  const narrow = window.matchMedia("(max-width: 60rem)");
  let facets, filters, list, detail;
  let state = { values: {}, open: null, notices: [] };
  let rows = null;
  let selected = null; // the values that `rows` was made from

  function names(key, word) {
    const { head } = facets.index;
    if (key === "model") return head.models[word] || word;
    if (["lang", "thinking", "answering"].includes(key) && head.languages[word]) {
      const [name, own] = head.languages[word];
      return `${name}${own && own !== name ? ` (${own})` : ""}, ${word}`;
    }
    if (key === "status") return word.replaceAll("_", " ");
    return word;
  }

  function label(row) {
    const [, setting, model, lang, id, sample] = facets.key(row);
    const status = facets.word("status", row).replaceAll("_", " ");
    const told = facets.word("answering", row);
    const languages = told ? `, ${facets.word("thinking", row)} → ${told}` : "";
    return {
      first: `${id} ${lang}${sample === "0" ? "" : ` #${sample}`}`,
      second: `${names("model", model)}, ${setting}: ${status}${languages}`,
      state: facets.word("state", row),
    };
  }

  // Take a new state, as part of the history or in place of the last entry.
  function go(values, open, replace) {
    const query = explorer.selection.query(values, open);
    const address = query ? `#${query}` : window.location.pathname;
    if (replace) window.history.replaceState(null, "", address);
    else if (`#${query}` !== (window.location.hash || "#")) window.history.pushState(null, "", address);
    read();
  }

  function read() {
    state = explorer.selection.parse(window.location.hash.slice(1));
    show();
  }

  function show() {
    const { values } = state;
    const notices = [...state.notices];
    const known = facets.scorers.includes((values.scorer || [])[0]) ? values.scorer[0] : null;
    const reading = ["paper", "strict"].includes((values.reading || [])[0]) ? values.reading[0] : null;
    facets.take(known, reading);
    notices.push(...facets.unknown(values));
    const now = JSON.stringify(values);
    if (selected !== now) {
      rows = facets.select(values);
      selected = now;
    }
    const { head } = facets.index;
    const format = (n) => n.toLocaleString("en");
    at("count").textContent = `${format(rows.length)} of ${format(head.shown)} generations`;
    const asked = facets.questions(rows);
    at("questions").textContent = asked < rows.length ? `to ${format(asked)} questions` : "";
    filters.show(values);
    const row = state.open ? facets.row(state.open) : -1;
    if (state.open && row < 0) notices.push(`This page has no generation ${state.open.join("/")}.`);
    if (head.shown < head.total) {
      notices.push(`The page shows ${format(head.shown)} of the run's ${format(head.total)} generations, `
        + "an even choice: counts are not those of the tables.");
    }
    document.body.classList.toggle("opened", row >= 0);
    if (row >= 0 && detail.row !== row) detail.show(row);
    else if (row < 0 && detail.row >= 0) detail.close();
    list.show(rows, row);
    if (row >= 0 && list.find(row) < 0) notices.push("The opened generation is not among the selected.");
    at("notices").replaceChildren(...notices.map((text) =>
      explorer.text.append(explorer.create("p", { className: "notice" }), text)));
    if (document.activeElement !== at("id-box")) at("id-box").value = (values.id || []).join(",");
  }

  function open(row, replace) {
    go(state.values, facets.key(row), replace);
    if (narrow.matches) at("detail").focus({ preventScroll: true });
  }

  function close() {
    if (!state.open) return;
    go(state.values, null, false);
    at("list").focus({ preventScroll: true });
  }

  function move(step) {
    const row = list.move(step);
    if (row >= 0 && state.open) open(row, true);
  }

  function raw() {
    detail.raw = !detail.raw;
    detail.again();
  }

  function keys(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || at("help").open) return;
    const typing = event.target.matches("input:not([type=checkbox]), select, textarea");
    const inList = event.target === at("list");
    const control = event.target.matches("button, a, summary, input");
    const actions = {
      Escape: () => { if (typing) at("list").focus(); else close(); },
      j: () => move(1),
      k: () => move(-1),
      r: raw,
      "/": () => { at("id-box").focus(); at("id-box").select(); },
      "?": () => at("help").showModal(),
      ArrowDown: inList && (() => move(1)),
      ArrowUp: inList && (() => move(-1)),
      PageDown: inList && (() => move(10)),
      PageUp: inList && (() => move(-10)),
      Home: inList && (() => move(-Infinity)),
      End: inList && (() => move(Infinity)),
      Enter: !control && (() => { if (list.rows.length) list.choose(list.at); }),
    };
    const action = actions[event.key];
    if (!action || (typing && event.key !== "Escape")) return;
    event.preventDefault();
    action();
  }

  async function start() {
    facets = new explorer.Facets(await explorer.index());
    const { head } = facets.index;
    explorer.text.append(at("statement"), head.statement);
    explorer.text.append(at("run"), `Scale: ${head.scale}. Protocol: ${head.protocol}. Seed: ${head.seed}. `
      + "Outcomes are of the strict protocol.");
    const change = (values) => go(values, state.open, false);
    filters = new explorer.Filters(at("facets"), facets, names, change);
    list = new explorer.List(at("list"), label, (row) => open(row, false));
    detail = new explorer.Detail(at("detail"), facets, names, {
      previous: () => move(-1), next: () => move(1), close, raw });
    at("clear").addEventListener("click", () => { at("id-box").value = ""; change({}); });
    at("help-button").addEventListener("click", () => at("help").showModal());
    at("id-box").addEventListener("input", (event) => {
      const text = event.target.value.trim();
      go({ ...state.values, id: text ? text.split(",").filter(Boolean) : [] }, state.open, true);
    });
    document.addEventListener("keydown", keys);
    window.addEventListener("popstate", read);
    window.addEventListener("hashchange", read);
    window.addEventListener("beforeprint", () => {
      for (const one of at("detail").querySelectorAll("details")) one.open = true;
    });
    read();
    document.body.dataset.ready = "yes";
    // When the rows are painted, for those who measure.
    requestAnimationFrame(() => setTimeout(() => performance.mark("rows")));
  }

  start().catch((error) => {
    at("count").textContent = `The page cannot be shown: ${error.message}`;
  });
})();
