// The list of generations: only the rows in view are in the page.
"use strict";

(() => {
  const HEIGHT = 46; // of a row, as explorer.css has it
  const MORE = 6; // rows above and below the view

  class List {
    // `label(row)` gives a row's two lines and its state; `open(row)` is called for a chosen one.
    constructor(place, label, open) {
      this.place = place;
      this.label = label;
      this.open = open;
      this.rows = new Uint32Array(0);
      this.at = 0;
      this.opened = -1;
      this.space = explorer.create("div", { className: "space", role: "presentation" });
      place.append(this.space);
      let waiting = false;
      const later = () => {
        if (waiting) return;
        waiting = true;
        requestAnimationFrame(() => { waiting = false; this.draw(); });
      };
      place.addEventListener("scroll", later, { passive: true });
      new ResizeObserver(later).observe(place);
      place.addEventListener("click", (event) => {
        const line = event.target.closest(".row");
        if (line) this.choose(Number(line.dataset.at));
      });
    }

    show(rows, opened) {
      const before = this.rows;
      this.rows = rows;
      this.space.style.height = `${rows.length * HEIGHT}px`;
      this.opened = opened;
      const place = opened < 0 ? -1 : this.find(opened);
      if (place >= 0) this.at = place;
      else if (before !== rows) this.at = 0;
      this.reveal();
      this.draw();
    }

    // The place of a row of the index among the rows shown (they ascend), -1 where it is not.
    find(row) {
      let low = 0;
      let high = this.rows.length - 1;
      while (low <= high) {
        const middle = (low + high) >> 1;
        if (this.rows[middle] === row) return middle;
        if (this.rows[middle] < row) low = middle + 1;
        else high = middle - 1;
      }
      return -1;
    }

    move(step) {
      if (!this.rows.length) return -1;
      this.at = Math.max(0, Math.min(this.rows.length - 1, this.at + step));
      this.reveal();
      this.draw();
      return this.rows[this.at];
    }

    choose(at) {
      this.at = at;
      this.draw();
      if (at < this.rows.length) this.open(this.rows[at]);
    }

    reveal() {
      const top = this.at * HEIGHT;
      const view = this.place.clientHeight;
      if (top < this.place.scrollTop) this.place.scrollTop = top;
      else if (top + HEIGHT > this.place.scrollTop + view) {
        this.place.scrollTop = top + HEIGHT - view;
      }
    }

    draw() {
      const first = Math.max(0, Math.floor(this.place.scrollTop / HEIGHT) - MORE);
      const seen = Math.ceil(this.place.clientHeight / HEIGHT) + 2 * MORE;
      const last = Math.min(this.rows.length, first + seen);
      const lines = [];
      for (let at = first; at < last; at++) lines.push(this.line(at));
      this.space.replaceChildren(...lines);
      if (this.at >= first && this.at < last) {
        this.place.setAttribute("aria-activedescendant", `row-${this.at}`);
      } else this.place.removeAttribute("aria-activedescendant");
    }

    line(at) {
      const row = this.rows[at];
      const { first, second, state } = this.label(row);
      const head = explorer.create("span", { className: "first" });
      explorer.text.append(head, first);
      const mark = explorer.create("span", { className: "state", textContent: state });
      mark.dataset.state = state;
      const more = explorer.create("span", { className: "second" });
      explorer.text.append(more, second);
      const line = explorer.create("div", { className: "row", id: `row-${at}`, role: "option" },
        head, mark, more);
      line.dataset.at = at;
      line.style.top = `${at * HEIGHT}px`;
      line.classList.toggle("at", at === this.at);
      line.setAttribute("aria-selected", String(row === this.opened));
      line.setAttribute("aria-posinset", String(at + 1));
      line.setAttribute("aria-setsize", String(this.rows.length));
      return line;
    }
  }

  explorer.List = List;
})();
