// Two rulesets side by side: whose answers flip under a variant, or under another reading.
import { button, el, options } from "../dom.js";

export class Compare {
  name = "Compare";
  #page;
  #against = el("select", { id: "against", onchange: () => this.#page.compare() });
  #out = el("div", { id: "flips", role: "status" });
  #node = el("div", {}, el("h2", {}, "Compare"), el("div", { class: "row" }, el("label", { for: "against" }, "Against"), this.#against), this.#out);

  constructor(page) {
    this.#page = page;
  }

  get node() {
    return this.#node;
  }

  /** What the position can be compared under: other rulesets, other readings. */
  refresh() {
    const { opened } = this.#page.game;
    if (!opened) return;
    const names = opened.names.filter((name) => name !== opened.name).map((name) => [`rules ${name}`, `the ruleset ${name}`]);
    const readings = Object.entries(opened.schema.properties.rulings?.properties ?? {}).flatMap(([ruling, schema]) => {
      const values = schema.enum ?? [true, false];
      return values.map((value) => [`ruling ${JSON.stringify([ruling, value])}`, `${ruling.replaceAll("_", " ")}: ${String(value).replaceAll("_", " ")}`]);
    });
    const chosen = this.#against.value;
    options(this.#against, [["", "nothing"], ...names, ...readings]);
    if ([...this.#against.options].some((one) => one.value === chosen)) this.#against.value = chosen;
  }

  /** The units whose answers are others, and their answers there. */
  async flips(frame, trace, json) {
    const [kind, ...rest] = this.#against.value.split(" ");
    const name = rest.join(" ");
    if (!kind || !trace) return this.#tell(null, frame);
    const ask = (ask) => ask({ call: "draw", show: { trace }, form: "frame" });
    let other;
    try {
      if (kind === "rules") other = await this.#page.game.under(name, json, ask);
      else {
        const [ruling, reading] = JSON.parse(name);
        const data = JSON.parse(json);
        data.rulings = { ...data.rulings, [ruling]: reading };
        other = await this.#page.game.aside({ call: "position", json: JSON.stringify(data) }, ask);
      }
    } catch (error) {
      this.#out.replaceChildren(el("p", { class: "no" }, error.message));
      return new Map();
    }
    return this.#tell(other, frame);
  }

  #tell(other, frame) {
    const now = new Map(frame.units.map((unit) => [unit.id, unit]));
    const flips = new Map((other?.units ?? []).filter((unit) => now.has(unit.id) && now.get(unit.id).yes !== unit.yes).map((unit) => [unit.id, unit]));
    if (!other) {
      this.#out.replaceChildren(el("p", {}, "Choose a variant or another reading; units whose answers flip get a dashed frame."));
      return flips;
    }
    const word = (unit, words) => (unit.yes === null ? "not asked" : words[unit.yes ? 0 : 1]);
    const rows = [...flips.values()].map((unit) => el("tr", {}, el("td", {}, button(unit.id, () => this.#page.choose(unit.id, { show: true }), { class: "place" })), el("td", {}, word(now.get(unit.id), frame.words)), el("td", {}, `${word(unit, other.words)}: ${unit.why ?? ""}`)));
    const head = el("tr", {}, ...["unit", "here", "there"].map((name) => el("th", { scope: "col" }, name)));
    this.#out.replaceChildren(el("p", {}, flips.size === 1 ? "1 answer flips" : `${flips.size} answers flip`), ...(flips.size ? [el("table", {}, el("thead", {}, head), el("tbody", {}, ...rows))] : []));
    return flips;
  }
}
