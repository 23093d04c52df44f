// A turn played: dice from a seed, orders by choice, and the position after each moment.
import { button, el } from "../dom.js";

export class Turn {
  name = "Turn";
  #page;
  #seed = el("input", { id: "seed", type: "number", value: 1, min: 0, max: 4294967295 });
  #first = el("input", { id: "first-way", type: "checkbox" });
  #out = el("div", { id: "turn" });
  #node = el("div");
  #start = null;
  #orders = [];

  constructor(page) {
    this.#page = page;
  }

  get node() {
    return this.#node;
  }

  refresh() {
    if (!this.#page.game.opened?.clock) {
      this.#node.replaceChildren(el("h2", {}, "Turn"), el("p", {}, "These rules have no clock, so that no turn can pass."));
      return;
    }
    if (this.#node.childElementCount > 1 && this.#out.isConnected) return;
    this.#node.replaceChildren(
      el("h2", {}, "Turn"),
      el("div", { class: "row" }, el("label", { for: "seed" }, "Seed of the dice"), this.#seed, el("label", {}, this.#first, "decide by the first lawful way")),
      el("div", { class: "row" }, button("Play a turn", () => this.#begin(), { id: "play" })),
      this.#out,
    );
  }

  #begin() {
    this.#start = this.#page.positions.json;
    this.#orders = [];
    return this.#play();
  }

  /** Plays from the start of the turn with the orders so far. */
  #play() {
    return this.#page.doing(() => this.#played());
  }

  async #played() {
    // What is asked now is answered by what was chosen: it is asked once.
    for (const one of this.#out.querySelectorAll("#orders")) one.disabled = true;
    try {
      const seed = Math.trunc(Number(this.#seed.value)) || 0;
      const orders = this.#orders.map((order) => JSON.stringify(order)).join("\n");
      const call = { call: "play", turn: 1, seed, orders, first_way: this.#first.checked };
      const played = await this.#page.game.aside({ call: "position", json: this.#start }, (ask) => ask(call));
      await this.#tell(played);
    } catch (error) {
      this.#out.replaceChildren(el("p", { class: "no" }, error.message));
    }
  }

  async #tell(played) {
    const steps = played.steps.map((step) => {
      const name = step.side ? `${step.moment} of ${step.side}` : step.moment;
      return el("li", {}, button(`Show ${name}`, () => this.#page.shown.propose(step.position, `after ${name}`), { class: "place" }), el("pre", { tabindex: 0, "aria-label": name }, step.text));
    });
    const faults = played.faults.map((fault) => el("p", { class: "no" }, `${fault.code}: ${fault.message}`));
    const dice = played.dice.length ? el("p", {}, `dice: ${played.dice.join(", ")}`) : null;
    const end = played.whole ? el("p", { role: "status", class: "yes" }, steps.length ? "the turn is over" : "nothing happens in this turn") : el("p", { role: "status", class: "no" }, "the turn waits");
    this.#out.replaceChildren(end, ...faults, ...this.#open(played.open), ...(dice ? [dice] : []), el("ol", {}, ...steps));
    if (played.whole) await this.#page.shown.propose(played.position, "a turn played");
    else if (played.steps.length) await this.#page.shown.propose(played.steps.at(-1).position, "a turn begun");
  }

  /** What must be decided: for each thing its lawful ways. */
  #open(ways) {
    const things = new Map();
    for (const way of ways) things.set(way.thing, [...(things.get(way.thing) ?? []), way]);
    if (things.size === 0) return [];
    const rows = [...things].map(([thing, all], nth) => {
      const words = ({ thing: _, ...deed }) => Object.entries(deed).map(([name, value]) => `${name} ${value}`).join(" ");
      const select = el("select", { id: `way-${nth}` }, ...all.map((way, at) => el("option", { value: at }, words(way))));
      return { row: el("div", { class: "row" }, el("label", { for: `way-${nth}` }, `${thing} must`), select), order: () => all[Number(select.value)] };
    });
    const go = () => {
      this.#orders.push(...rows.map(({ order }) => order()));
      return this.#play();
    };
    return [el("h3", {}, "Somebody must decide"), ...rows.map(({ row }) => row), el("div", { class: "row" }, button("Give these orders", go, { id: "orders" }))];
  }
}
