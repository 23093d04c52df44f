// Two rulesets side by side: whose answers flip under a variant, under another reading, or under the rules as they came.
import { button, el, options } from "../dom.js";

/** What is said of a unit: its answer in the word of the trace. */
function said(unit, words) {
  return unit.yes === null ? "not asked" : words[unit.yes ? 0 : 1];
}

export class Compare {
  name = "Compare";
  #page;
  #against = el("select", { id: "against", onchange: () => this.#chosen() });
  #two = el("input", { id: "two-maps", type: "checkbox", checked: true, onchange: () => this.#chosen() });
  #out = el("div", { id: "flips", role: "status" });
  #node = el("div", {},
    el("h2", {}, "Compare"),
    el("div", { class: "row" }, el("label", { for: "against" }, "Against"), this.#against),
    el("div", { class: "row" }, el("label", {}, this.#two, "two maps, side by side")),
    this.#out,
  );

  constructor(page) {
    this.#page = page;
  }

  get node() {
    return this.#node;
  }

  #chosen() {
    const { beside } = this.#page;
    beside.against = this.#against.value;
    beside.title = this.#against.selectedOptions[0]?.textContent ?? "";
    beside.two = this.#two.checked;
    return this.#page.doing(() => this.#page.shown.compare());
  }

  /** What the position can be compared under; what was chosen stays if it can be. */
  refresh() {
    const { game, store, beside } = this.#page;
    const { opened } = game;
    if (!opened) return;
    const row = (sort, value, title) => [JSON.stringify([sort, value]), title];
    const names = opened.names.filter((name) => name !== opened.name).map((name) => row("rules", name, `the ruleset ${name}`));
    const came = store.changed ? [row("came", opened.name, "the rules as they came")] : [];
    const readings = Object.entries(opened.schema.properties.rulings?.properties ?? {}).flatMap(([ruling, schema]) => {
      const values = schema.enum ?? [true, false];
      return values.map((value) => row("ruling", [ruling, value], `${ruling.replaceAll("_", " ")}: ${String(value).replaceAll("_", " ")}`));
    });
    const rows = [["", "nothing"], ...came, ...names, ...readings];
    const known = rows.find(([value]) => value === beside.against);
    if (!known) beside.against = "";
    beside.title = known?.[1] ?? "";
    options(this.#against, rows, beside.against);
  }

  /** Says whose answers flip. */
  tell(here, { frame, flips, trouble, against }) {
    if (trouble) return this.#out.replaceChildren(el("p", { class: "no" }, trouble));
    if (!against || !frame) {
      return this.#out.replaceChildren(el("p", {}, "Choose a variant, another reading, or, once you have changed them, the rules as they came. A second map shows the same position there; whose answers flip has a dashed frame on both."));
    }
    const id = (name) => el("td", {}, button(name, () => this.#page.shown.choose(name, { show: true }), { class: "place" }));
    const units = [...flips.units].map(([name, both]) => el("tr", {}, id(name), el("td", {}, said(both.here, here.words)), el("td", {}, `${said(both.there, frame.words)}: ${both.there.why ?? ""}`)));
    const spaces = [...flips.spaces].map(([name, both]) => el("tr", {}, id(name), el("td", {}, both.here?.[1] ?? "not asked"), el("td", {}, both.there?.[1] ?? "not asked")));
    const head = el("tr", {}, ...["whose", "here", "there"].map((name) => el("th", { scope: "col" }, name)));
    const count = units.length + spaces.length;
    const side = this.#page.asked.side ? [] : [el("p", {}, "With the reach of a side shown, spaces are compared too.")];
    const table = el("table", {}, el("caption", {}, "Whose answers flip"), el("thead", {}, head), el("tbody", {}, ...units, ...spaces));
    return this.#out.replaceChildren(el("p", {}, count === 1 ? "1 answer flips" : `${count} answers flip`), ...(count ? [table] : []), ...side);
  }
}
