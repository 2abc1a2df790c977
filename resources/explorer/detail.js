// The opened generation: its question, its text, what every scorer said of it and why.
"use strict";

(() => {
  const FOLDED = 3000; // characters of thinking that are shown unfolded
  const { create } = explorer;

  class Detail {
    // `names(key, word)` gives the word as people read it.
    constructor(place, facets, names, actions) {
      this.place = place;
      this.facets = facets;
      this.names = names;
      this.actions = actions;
      this.raw = false;
      this.turn = 0;
      this.row = -1;
    }

    close() {
      this.turn++;
      this.row = -1;
      this.place.hidden = true;
      this.place.replaceChildren();
    }

    again() {
      if (this.row >= 0) this.show(this.row);
    }

    async show(row) {
      const turn = ++this.turn;
      this.row = row;
      this.place.hidden = false;
      this.place.setAttribute("aria-busy", "true");
      const { columns } = this.facets.index;
      const word = (name) => columns[name].words[columns[name].values[row]];
      let found;
      try {
        found = await Promise.all([explorer.chunk(word("chunk")), explorer.chunk(word("problem_chunk"))]);
      } catch (error) {
        found = error;
      }
      if (turn !== this.turn) return; // another was opened meanwhile
      this.place.setAttribute("aria-busy", "false");
      if (found instanceof Error) {
        this.place.replaceChildren(this.head(row), create("p", { className: "notice",
          textContent: `This generation cannot be shown: ${found.message}` }));
        return;
      }
      const [chunk, problems] = found;
      const own = chunk.rows[columns.place.values[row]];
      const problem = problems.rows[columns.problem_place.values[row]];
      const [benchmark, setting, , lang] = this.facets.key(row);
      const how = this.facets.index.head.settings[benchmark][setting];
      const answerLang = this.language(own, "answering", how.expected || lang);
      this.place.replaceChildren(
        this.head(row),
        this.problem(problem, problems, how.task, lang),
        this.response(own, chunk, this.language(own, "thinking", how.expected || lang), answerLang),
        this.verdicts(own, chunk, how, answerLang, lang),
        this.languages(own),
        this.facts(row, own, problem),
      );
      this.place.scrollTop = 0;
    }

    language(own, part, other) {
      const label = own.labels ? own.labels[part].strict : "und";
      return ["und", "mixed"].includes(label) ? other : label;
    }

    head(row) {
      const [benchmark, setting, model, lang, id, sample] = this.facets.key(row);
      const title = create("h2", {});
      explorer.text.append(title, `${id}, ${this.names("lang", lang)}`);
      const about = create("p", { className: "about" });
      explorer.text.append(about, `${this.names("model", model)}, setting ${setting}, sample ${sample}`);
      const state = create("span", { className: "state", textContent: this.facets.word("state", row) });
      state.dataset.state = state.textContent;
      const button = (text, action) => {
        const node = create("button", { type: "button", textContent: text });
        node.addEventListener("click", action);
        return node;
      };
      const raw = button("Raw text", this.actions.raw);
      raw.setAttribute("aria-pressed", String(this.raw));
      const same = create("a", { textContent: "All answers to this problem",
        href: `#${explorer.selection.query({ benchmark: [benchmark], id: [id] }, null)}` });
      const link = create("a", { textContent: "Link to this generation",
        href: `#${explorer.selection.query({}, this.facets.key(row))}` });
      return create("header", {}, title, about, state,
        create("div", { className: "buttons" }, button("Previous (k)", this.actions.previous),
          button("Next (j)", this.actions.next), raw, button("Close (Esc)", this.actions.close)),
        create("p", { className: "links" }, same, " ", link));
    }

    section(name, ...children) {
      const node = create("section", {}, create("h3", { textContent: name }), ...children);
      node.setAttribute("aria-label", name);
      return node;
    }

    text(chunk, at, lang, raw = this.raw) {
      if (at === null || at === undefined) return create("p", { className: "none", textContent: "none" });
      const node = create("div", { className: "text", dir: "auto" });
      if (lang) node.lang = lang;
      if (!explorer.text.source(chunk.texts[at], chunk.formulas)) {
        return create("p", { className: "none", textContent: "empty" });
      }
      explorer.text.fill(node, chunk.texts[at], chunk.formulas, raw);
      return node;
    }

    folded(name, open, ...children) {
      return create("details", { className: "folded", open }, create("summary", { textContent: name }),
        ...children);
    }

    problem(problem, chunk, task, lang) {
      const choice = task === "choose" ? problem.choice : null;
      const flawed = task === "detect" || task === "identify" ? problem.flawed : null;
      const parts = [this.text(chunk, choice ? choice.question : problem.question, lang)];
      if (choice) {
        const list = create("ol", { className: "options" });
        choice.options.forEach((one, at) => {
          const key = "ABCD"[at] === choice.key;
          const line = create("li", { className: key ? "key" : "" }, this.text(chunk, one, lang));
          if (key) line.append(create("span", { className: "note", textContent: "the key" }));
          list.append(line);
        });
        parts.push(list);
      }
      if (flawed) {
        const errors = create("ol", {}, ...flawed.errors.map((one) => create("li", {},
          create("span", { textContent: `step ${one.step}, ${one.type.replaceAll("_", " ")}` }),
          this.text(chunk, one.text, lang))));
        parts.push(create("h4", { textContent: "Flawed solution" }),
          this.text(chunk, flawed.solution, lang),
          create("h4", { textContent: "Its errors" }), errors);
      }
      parts.push(create("h4", { textContent: "Exact answer" }), this.text(chunk, problem.answer, lang));
      if (problem.solution !== null) {
        parts.push(this.folded("Reference solution, as its source writes it", false,
          this.text(chunk, problem.solution, lang)));
      }
      return this.section("Question", ...parts);
    }

    response(own, chunk, thinkingLang, answerLang) {
      const parts = [];
      if (own.flags.includes("text not released")) {
        parts.push(create("p", { className: "notice", textContent: "The model's own text was not "
          + "released. What stands here is what the released file gives of it, in its judge's words." }));
      }
      if (own.thinking !== null) {
        const size = explorer.text.source(chunk.texts[own.thinking], chunk.formulas).length;
        parts.push(this.folded(`Thinking, ${size.toLocaleString("en")} characters`, size <= FOLDED,
          this.text(chunk, own.thinking, thinkingLang)));
      } else parts.push(create("p", { className: "none", textContent: "No thinking is shown." }));
      parts.push(create("h4", { textContent: "Answer" }), this.text(chunk, own.answer, answerLang));
      if (own.received !== null) parts.push(this.received(own, chunk));
      return this.section("Response", ...parts);
    }

    received(own, chunk) {
      const held = (at) => at === null ? ""
        : explorer.text.source(chunk.texts[at], chunk.formulas);
      const whole = Array.isArray(own.received)
        ? own.received[0] + held(own.thinking) + own.received[1] + held(own.answer) + own.received[2]
        : held(own.received);
      const node = create("div", { className: "text", dir: "auto" });
      const part = this.folded("As received, with the marks around its parts", false, node);
      part.addEventListener("toggle", () => {
        if (part.open && !node.hasChildNodes()) explorer.text.fill(node, whole, [], true);
      });
      return part;
    }

    verdicts(own, chunk, how, answerLang, lang) {
      const parts = own.verdicts.map((one) => {
        const roles = [one.scorer === how.shown ? "shown in tables" : "",
          one.scorer === how.strict ? "strict protocol" : ""].filter(Boolean).join(", ");
        const head = create("h4", {});
        explorer.text.append(head, `${one.scorer}: ${one.status}${roles ? ` (${roles})` : ""}`);
        const rows = [["Extracted", this.text(chunk, one.extracted, answerLang)],
          ["Gold", this.text(chunk, one.gold, lang)]];
        if (one.rewrites.length) rows.push(["Rewrites", this.plain(one.rewrites.join("\n"))]);
        rows.push(...this.judged(one.judge, chunk));
        if (Object.keys(one.provenance).length) rows.push(["From", this.json(one.provenance)]);
        return create("div", { className: "verdict" }, head, this.table(rows));
      });
      return this.section("Verdicts", ...parts);
    }

    judged(judge, chunk) {
      if (!judge) return [];
      const rows = [["Decision", this.plain(judge.decision || "none")]];
      const { decision, reason, raw, ...more } = judge;
      if (judge.confidence !== undefined) rows.push(["Confidence", this.plain(String(judge.confidence))]);
      delete more.confidence;
      if (reason !== undefined) rows.push(["Reason", this.text(chunk, reason, "")]);
      if (raw !== undefined) rows.push(["Reply", this.text(chunk, raw, "", true)]);
      if (Object.keys(more).length) rows.push(["More", this.json(more)]);
      return rows;
    }

    languages(own) {
      if (!own.labels) return this.section("Languages", create("p", { className: "none",
        textContent: "The languages of this setting are not told." }));
      const body = ["thinking", "answering"].map((part) => {
        const one = own.labels[part];
        const scripts = Object.entries(one.scripts).map(([name, n]) => `${name} ${n}`).join(", ");
        return create("tr", {}, create("th", { scope: "row", textContent: part }),
          ...[one.paper, one.strict, String(one.p), scripts].map((text) =>
            explorer.text.append(create("td", {}), text)));
      });
      const heads = ["", "paper", "strict", "p", "letters by script"].map((text) =>
        create("th", { scope: "col", textContent: text }));
      const flags = (own.labels.flags || []).join(", ");
      return this.section("Languages",
        create("table", {}, create("thead", {}, create("tr", {}, ...heads)), create("tbody", {}, ...body)),
        ...(flags ? [this.plain(`Flags: ${flags}`)] : []));
    }

    facts(row, own, problem) {
      const { columns } = this.facets.index;
      const value = (name) => columns[name].values[row].toLocaleString("en");
      return this.section("Facts", this.table([
        ["Tokens", this.plain(`${value("prompt_tokens")} of the prompt, ${value("completion_tokens")} new`)],
        ["Finish", this.plain(this.facets.word("finish", row))],
        ["Seed", this.plain(own.seed === null ? "none" : String(own.seed))],
        ["Engine", this.plain(own.engine)],
        ["Sent", this.json(own.sent)],
        ["Flags", this.plain(own.flags.join(", ") || "none")],
        ["Response from", this.json(own.provenance)],
        ["Problem from", this.json(problem.provenance)],
        ...(problem.subdomain ? [["Subdomain", this.plain(problem.subdomain)]] : []),
      ]));
    }

    plain(text) {
      return explorer.text.append(create("div", { className: "text plain", dir: "auto" }), text);
    }

    json(value) {
      const lines = Object.entries(value).map(([key, one]) =>
        `${key}: ${typeof one === "string" ? one : JSON.stringify(one)}`);
      return this.plain(lines.join("\n") || "none");
    }

    table(rows) {
      return create("table", {}, create("tbody", {}, ...rows.map(([name, node]) =>
        create("tr", {}, create("th", { scope: "row", textContent: name }), create("td", {}, node)))));
    }
  }

  explorer.Detail = Detail;
})();
