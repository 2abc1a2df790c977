// What can be filtered: a code a row for each facet, and the counts that follow the other facets.
"use strict";

(() => {
  const NAMES = {
    benchmark: "Benchmark", setting: "Setting", model: "Model", lang: "Question's language",
    state: "Outcome", status: "Status", kind: "Kind", subset: "Subset",
    disagree: "Judge and rule disagree", target: "Thinks in the question's language",
    thinking: "Language of thinking", answers: "Answers in the question's language",
    answering: "Language of answering", finish: "Finish", sample: "Sample",
  };
  const PLAIN = ["benchmark", "setting", "model", "lang", "state", "kind", "subset", "disagree",
    "finish"];

  class Facets {
    constructor(index) {
      this.index = index;
      this.all = new Map();
      for (const key of Object.keys(NAMES)) this.all.set(key, { key, name: NAMES[key] });
      for (const key of PLAIN) {
        const column = index.columns[key];
        this.set(key, column.values, column.words);
      }
      const samples = index.columns.sample.values;
      const most = samples.reduce((high, one) => Math.max(high, one), 0);
      this.set("sample", samples, Array.from({ length: most + 1 }, (_, at) => String(at)));
      this.ids = index.columns.id;
      this.scorers = Object.keys(index.columns).filter((name) => name.startsWith("status:"))
        .map((name) => name.slice("status:".length));
      this.take(null, null);
    }

    // Codes and words of a facet; a number of rows by word, whatever is filtered.
    set(key, codes, words) {
      const facet = this.all.get(key);
      const totals = new Uint32Array(words.length);
      for (let row = 0; row < this.index.size; row++) totals[codes[row]]++;
      Object.assign(facet, { codes, words, totals, counts: new Uint32Array(words.length) });
    }

    // Whose status is meant, and which reading of languages; null: the run's protocol.
    take(scorer, reading) {
      if (this.scorer !== scorer) {
        const [codes, words] = this.statuses(scorer);
        this.set("status", codes, words);
        this.scorer = scorer;
      }
      const which = reading || this.index.head.protocol;
      if (this.reading === which) return;
      this.reading = which;
      for (const [part, match] of [["thinking", "target"], ["answering", "answers"]]) {
        const column = this.index.columns[`${part}_${which}`];
        this.set(part, column.values, column.words);
        this.set(match, this.matches(column), ["", "on", "off"]);
      }
    }

    // Whether a label is the question's language: 1 on, 2 off, 0 not told.
    matches(column) {
      const langs = this.index.columns.lang;
      const same = langs.words.map((word) => column.words.indexOf(word));
      const found = new Uint8Array(this.index.size);
      for (let row = 0; row < found.length; row++) {
        const label = column.values[row];
        if (column.words[label]) found[row] = label === same[langs.values[row]] ? 1 : 2;
      }
      return found;
    }

    statuses(scorer) {
      const columns = this.index.columns;
      if (!this.scorers.length) return [new Uint8Array(this.index.size), [""]];
      const named = columns[`status:${scorer || this.scorers[0]}`];
      if (scorer) {
        return named ? [named.values, named.words]
          : [new Uint8Array(this.index.size), columns[`status:${this.scorers[0]}`].words];
      }
      const found = new Uint8Array(this.index.size);
      const { benchmark, setting } = columns;
      const shown = benchmark.words.map((name) => setting.words.map((one) => {
        const how = (this.index.head.settings[name] || {})[one];
        return how && columns[`status:${how.shown}`].values;
      }));
      for (let row = 0; row < found.length; row++) {
        found[row] = shown[benchmark.values[row]][setting.values[row]][row];
      }
      return [found, named.words];
    }

    // The codes of ids that the values name: whole, or a part where no id is equal.
    idCodes(values) {
      const allowed = new Uint8Array(this.ids.words.length);
      for (const value of values) {
        const whole = this.ids.words.indexOf(value);
        if (whole >= 0) allowed[whole] = 1;
        else this.ids.words.forEach((word, at) => { if (word.includes(value)) allowed[at] = 1; });
      }
      return allowed;
    }

    // How many questions rows answer: problems in a language. Rows stand in their order.
    questions(rows) {
      const { benchmark, id, lang } = this.index.columns;
      let found = 0;
      let last = -1;
      for (const row of rows) {
        if (last < 0 || id.values[row] !== id.values[last] || lang.values[row] !== lang.values[last]
          || benchmark.values[row] !== benchmark.values[last]) found += 1;
        last = row;
      }
      return found;
    }

    // The rows that the values select, in order; counts of each facet follow the other facets.
    select(values) {
      const every = [...this.all.values()];
      const active = [];
      for (const facet of every) {
        facet.counts.fill(0);
        const chosen = values[facet.key];
        if (!chosen) continue;
        const allowed = new Uint8Array(facet.words.length);
        for (const one of chosen) {
          const at = facet.words.indexOf(one);
          if (at >= 0) allowed[at] = 1;
        }
        active.push({ codes: facet.codes, allowed, counts: facet.counts });
      }
      if (values.id) {
        active.push({ codes: this.ids.values, allowed: this.idCodes(values.id), counts: null });
      }
      const found = new Uint32Array(this.index.size);
      let size = 0;
      for (let row = 0; row < this.index.size; row++) {
        let missed = null;
        let misses = 0;
        for (const one of active) {
          if (!one.allowed[one.codes[row]]) {
            missed = one;
            if (++misses > 1) break;
          }
        }
        if (misses === 0) {
          found[size++] = row;
          for (const facet of every) facet.counts[facet.codes[row]]++;
        } else if (misses === 1 && missed.counts) {
          missed.counts[missed.codes[row]]++;
        }
      }
      return found.subarray(0, size);
    }

    // What the address names and this run does not have.
    unknown(values) {
      const found = [];
      for (const [key, chosen] of Object.entries(values)) {
        for (const one of chosen) {
          const known = key === "id" ? this.ids.words.some((word) => word.includes(one))
            : key === "scorer" ? this.scorers.includes(one)
              : key === "reading" ? ["paper", "strict"].includes(one)
                : one && this.all.get(key).words.includes(one);
          if (!known) found.push(`This run has no ${key} “${one}”.`);
        }
      }
      return found;
    }

    word(key, row) {
      const facet = this.all.get(key);
      return facet.words[facet.codes[row]];
    }

    key(row) {
      const columns = this.index.columns;
      return ["benchmark", "setting", "model", "lang", "id"]
        .map((name) => columns[name].words[columns[name].values[row]])
        .concat(String(columns.sample.values[row]));
    }

    // The row with a key, -1 where none has it.
    row(key) {
      const columns = this.index.columns;
      if (key.length !== 6 || !/^\d+$/.test(key[5])) return -1;
      const names = ["benchmark", "setting", "model", "lang", "id"];
      const codes = names.map((name, at) => columns[name].words.indexOf(key[at]));
      if (codes.includes(-1)) return -1;
      const values = names.map((name) => columns[name].values);
      const sample = Number(key[5]);
      for (let row = 0; row < this.index.size; row++) {
        if (columns.sample.values[row] === sample
          && values.every((one, at) => one[row] === codes[at])) return row;
      }
      return -1;
    }
  }

  explorer.Facets = Facets;
})();
