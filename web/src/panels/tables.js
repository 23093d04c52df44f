// The tables of the rules as tables: a cell that is written here is written in the text.
import { button, el, later, options } from "../dom.js";
import { cellEdit, tables } from "../table.js";

/** A table of others can have any number of rows; no more than these are shown. */
const MOST = 400;

export class Tables {
  name = "Tables";
  #page;
  #which = el("select", { id: "table", onchange: () => this.refresh() });
  #out = el("div", { class: "wide" });
  /** What the cells stand for: while that stays, they stay. */
  #shape = "";
  #node = el("div", {}, el("h2", {}, "Tables"), el("div", { class: "row" }, el("label", { for: "table" }, "Table"), this.#which), this.#out);

  constructor(page) {
    this.#page = page;
    // While the rules have an error no answers come, and the text may change all the same.
    page.store.addEventListener("changed", later(200, () => this.refresh()));
  }

  get node() {
    return this.#node;
  }

  #all() {
    const files = [...this.#page.store.files].filter(([path]) => path.endsWith(".sut"));
    return files.flatMap(([path, text]) => tables(text).map((table) => ({ path, table, key: `${path} ${table.name}` })));
  }

  shown() {
    this.refresh();
  }

  refresh() {
    // Nobody sees it while another question is open.
    if (this.#node.closest("[hidden]")) return;
    const all = this.#all();
    const chosen = all.find(({ key }) => key === this.#which.value) ?? all[0];
    options(this.#which, all.map(({ key, path, table }) => [key, `${table.name.replaceAll("_", " ")} (${path})`]), chosen?.key);
    this.#which.disabled = all.length === 0;
    if (!chosen) {
      this.#shape = "";
      this.#out.replaceChildren(el("p", {}, "These rules have no table."));
      return;
    }
    const shape = JSON.stringify([chosen.key, chosen.table.line, chosen.table.head, chosen.table.rows.map(({ cells }) => cells.length)]);
    if (shape === this.#shape) return this.#values(chosen.table);
    this.#shape = shape;
    this.#out.replaceChildren(...this.#table(chosen));
    return undefined;
  }

  /** Writes the values into the cells that are there; the one that is being written is left alone. */
  #values({ rows }) {
    for (const [row, { cells }] of rows.entries()) {
      for (const [at, { text }] of cells.entries()) {
        const input = this.#out.querySelector(`#cell-${row}-${at}`);
        if (input && input !== document.activeElement) input.value = text;
      }
    }
  }

  #table({ path, table, key }) {
    const { head, rows, title, line } = table;
    const called = (row) => rows[row].cells[0].text || rows[row].cells[1].text;
    const cell = (row, at, value) => {
      const name = `${called(row)}, ${head[at] ?? at + 1}`;
      if (value.fixed) return el("td", {}, value.text);
      const width = rows.slice(0, MOST).reduce((most, { cells }) => Math.max(most, cells[at]?.text.length ?? 0), 3) + 1;
      return el("td", {}, el("input", { id: `cell-${row}-${at}`, "aria-label": name, value: value.text, size: Math.min(width, 44), spellcheck: "false", onchange: ({ target }) => this.#write(key, row, at, target.value) }));
    };
    const more = (row) => called(row) === "otherwise" ? el("td") : el("td", {}, button("+", () => this.#again(key, row), { "aria-label": `another row below ${called(row)}` }), button("−", () => this.#without(key, row), { "aria-label": `take out ${called(row)}` }));
    const body = rows.slice(0, MOST).map(({ cells }, row) => el("tr", {}, ...cells.map((one, at) => cell(row, at, one)), more(row)));
    const heads = [...head, ""].map((name) => el("th", { scope: "col" }, name.replaceAll("_", " ") || el("span", { class: "unseen" }, "rows")));
    return [
      el("p", {}, title ? `${title} ` : "", button(`${path}:${line}`, () => this.#page.texts.goTo(path, line), { class: "place" }), rows.length > MOST ? `: ${MOST} of ${rows.length} rows` : ""),
      el("table", { class: "cells" }, el("caption", { class: "unseen" }, table.name), el("thead", {}, el("tr", {}, ...heads)), el("tbody", {}, ...body)),
    ];
  }

  /** The table as the text has it now: it may have changed since it was shown. */
  #now(key) {
    return this.#all().find((one) => one.key === key);
  }

  #write(key, row, at, value) {
    const now = this.#now(key);
    const cell = now?.table.rows[row]?.cells[at];
    // A line of its own would be another row, and a comment would hide what follows.
    const plain = value.replaceAll(/[\n\r#]/g, " ").trim();
    if (cell && plain !== cell.text) this.#put(now.path, cellEdit(cell, plain));
    else this.refresh();
  }

  #again(key, row) {
    const now = this.#now(key);
    const found = now?.table.rows[row];
    if (!found) return this.refresh();
    return this.#put(now.path, { from: found.to, to: found.to, insert: `\n${this.#page.store.files.get(now.path).slice(found.from, found.to)}` });
  }

  #without(key, row) {
    const now = this.#now(key);
    const found = now?.table.rows[row];
    if (!found) return this.refresh();
    return this.#put(now.path, { from: found.from - 1, to: found.to, insert: "" });
  }

  #put(path, { from, to, insert }) {
    const { editor } = this.#page;
    if (editor.path !== path) this.#page.texts.read(path);
    editor.put(from, to, insert);
    this.refresh();
  }
}
