// The left side: a list of checkable words for each facet, with counts that follow the others.
"use strict";

(() => {
  const OPEN = ["benchmark", "setting", "model", "lang", "state"];

  function create(tag, props, ...children) {
    const node = Object.assign(document.createElement(tag), props);
    node.append(...children);
    return node;
  }

  class Filters {
    // `change(values)` is called with the new values of all keys.
    constructor(place, facets, names, change) {
      this.facets = facets;
      this.names = names;
      this.change = change;
      this.values = {};
      this.parts = new Map();
      place.append(this.choice("reading", "Reading of languages", [
        ["", `the run's protocol (${facets.index.head.protocol})`],
        ["paper", "paper"], ["strict", "strict"]]));
      place.append(this.choice("scorer", "Scorer of the status", [
        ["", "the run's protocol"], ...facets.scorers.map((one) => [one, one])]));
      for (const facet of facets.all.values()) place.append(this.part(facet));
    }

    choice(key, name, options) {
      const select = create("select", { id: `choice-${key}` });
      for (const [value, text] of options) select.append(create("option", { value, textContent: text }));
      select.addEventListener("change", () => {
        this.change({ ...this.values, [key]: select.value ? [select.value] : [] });
      });
      this.parts.set(key, { select });
      return create("div", { className: "choice" },
        create("label", { htmlFor: select.id, textContent: name }), select);
    }

    part(facet) {
      const summary = create("summary", {}, create("span", { textContent: facet.name }));
      const chosen = create("span", { className: "chosen" });
      summary.append(" ", chosen);
      const list = create("div", { className: "words", role: "group" });
      list.setAttribute("aria-label", facet.name);
      const node = create("details", { className: "facet", open: OPEN.includes(facet.key) },
        summary, list);
      node.dataset.key = facet.key;
      this.parts.set(facet.key, { node, list, chosen, words: null, rows: [] });
      return node;
    }

    // One line a word that some row has; anew when the words themselves change.
    fill(facet, part) {
      part.words = facet.totals;
      part.list.replaceChildren();
      part.rows = [];
      facet.words.forEach((word, at) => {
        if (!word || !facet.totals[at]) return;
        const box = create("input", { type: "checkbox", value: word });
        const count = create("span", { className: "n" });
        const name = create("span", { className: "word" });
        explorer.text.append(name, this.names(facet.key, word));
        const line = create("label", {}, box, name, count);
        box.addEventListener("change", () => {
          const others = (this.values[facet.key] || []).filter((one) => one !== word);
          this.change({ ...this.values, [facet.key]: box.checked ? [...others, word] : others });
        });
        part.rows.push({ at, word, box, count, line });
        part.list.append(line);
      });
    }

    show(values) {
      this.values = values;
      for (const key of ["reading", "scorer"]) {
        const { select } = this.parts.get(key);
        select.value = (values[key] || [""])[0];
      }
      for (const facet of this.facets.all.values()) {
        const part = this.parts.get(facet.key);
        if (part.words !== facet.totals) this.fill(facet, part);
        const chosen = values[facet.key] || [];
        for (const one of part.rows) {
          one.box.checked = chosen.includes(one.word);
          one.count.textContent = facet.counts[one.at].toLocaleString("en");
          one.line.classList.toggle("none", !facet.counts[one.at]);
        }
        part.chosen.replaceChildren();
        explorer.text.append(part.chosen, chosen.map((one) => this.names(facet.key, one)).join(", "));
        part.node.hidden = part.rows.length < 2 && !chosen.length;
        if (chosen.length) part.node.open = true;
      }
    }
  }

  explorer.create = create;
  explorer.Filters = Filters;
})();
