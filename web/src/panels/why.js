// Why the chosen unit or space has its answer: taken apart, with the clauses and their lines in the
// rules; what would restore its line, and what would cut it.
import { changes, cut, remedy } from "../changes.js";
import { button, el } from "../dom.js";
import { oddsOf } from "./odds.js";

/** What stands in the brackets of a line; a line of others can be long, and is gone through once. */
function lists(line) {
  const found = [];
  for (let end = line.indexOf("]"), last = -1; end >= 0; last = end, end = line.indexOf("]", end + 1)) {
    const piece = line.slice(last + 1, end);
    const begin = piece.lastIndexOf("[");
    if (begin >= 0) found.push(piece.slice(begin + 1));
  }
  return found;
}

/** The line of the rules that carries out a clause: the first that cites it, apart from suites. */
export function lineOf(store, clause) {
  const bare = clause.includes("-") ? clause.slice(clause.indexOf("-") + 1) : clause;
  const cites = (line) => line.includes(bare) && lists(line).some((list) => list.split(",").some((one) => [bare, clause].includes(one.trim())));
  const files = [...store.files].filter(([path]) => path.endsWith(".sut"));
  files.sort(([a], [b]) => Number(a.includes("suite")) - Number(b.includes("suite")));
  for (const [path, text] of files) {
    const at = text.split("\n").findIndex((line) => cites(line));
    if (at >= 0) return { path, line: at + 1 };
  }
  return null;
}

/** A clause with its printed text, as a way to its line. */
export function clauseRow(page, { id, text }) {
  const place = lineOf(page.store, id);
  const go = place && button(id, () => page.texts.goTo(place.path, place.line), { class: "place", "aria-label": `${id}: go to its line in the rules` });
  return el("div", {}, el("dt", {}, go ?? id), el("dd", {}, text));
}

function stages(explanation) {
  if (explanation.route.length < 2) return null;
  const rows = explanation.route.map((stage) => el("tr", {}, el("td", {}, stage.space), el("td", {}, stage.length), el("td", {}, stage.gate), el("td", {}, stage.clause ?? "")));
  const head = el("tr", {}, ...["space", "length", "gate", "clause"].map((name) => el("th", { scope: "col" }, name)));
  return el("table", {}, el("caption", {}, "The line, space by space"), el("thead", {}, head), el("tbody", {}, ...rows));
}

export class Why {
  name = "Why";
  #page;
  #node = el("div");
  #turn = 0;

  constructor(page) {
    this.#page = page;
  }

  get node() {
    return this.#node;
  }

  async refresh() {
    const page = this.#page;
    const { chosen, trace } = page.asked;
    const turn = ++this.#turn;
    if (chosen && !trace) {
      const odds = await oddsOf(page.game, chosen);
      if (turn !== this.#turn) return;
      this.#node.replaceChildren(el("h2", {}, chosen), el("p", {}, "These rules have no trace to ask."), ...odds);
      return;
    }
    if (!chosen) {
      this.#node.replaceChildren(el("h2", {}, "Why"), el("p", {}, "Choose a unit or a space on the map. Drag a unit, and its line follows."));
      return;
    }
    let found;
    try {
      found = await page.game.ask({ call: "explain", trace, of: chosen });
    } catch (error) {
      if (turn !== this.#turn) return;
      this.#node.replaceChildren(el("h2", {}, chosen), el("p", {}, error.message), ...(await oddsOf(page.game, chosen)));
      return;
    }
    const odds = await oddsOf(page.game, chosen);
    if (turn !== this.#turn) return;
    const { explanation, text } = found;
    const more = el("div");
    this.#node.replaceChildren(
      el("h2", { id: "answer" }, `${explanation.id}: `, el("span", { class: explanation.yes ? "yes" : "no" }, explanation.state)),
      el("div", { class: "row" }, explanation.yes ? button("What would cut it", () => this.#threat(more)) : button("What would restore it", () => this.#whyNot(more)), button("Only its line", () => page.board.only(chosen)), button("All lines", () => page.board.only(null))),
      more,
      el("pre", { tabindex: 0, "aria-label": "the reasons in words" }, text),
      ...(explanation.clauses.length ? [el("h3", {}, "By these clauses"), el("dl", {}, ...explanation.clauses.map((clause) => clauseRow(page, clause)))] : []),
      stages(explanation) ?? "",
      ...odds,
    );
  }

  async #whyNot(node) {
    const { chosen, trace } = this.#page.asked;
    await this.#laid(node, { call: "why_not", trace, of: chosen }, { trace, units: [chosen], why_not: chosen }, ({ why_not: found }) => {
      const rows = [...found.remedies, ...(found.removal ? [found.removal] : [])];
      if (rows.length === 0) return el("p", {}, "no change would restore it");
      return changes(this.#page, rows.map((row) => remedy(this.#page, row)));
    });
  }

  async #threat(node) {
    const { chosen, trace } = this.#page.asked;
    await this.#laid(node, { call: "threat", trace, of: [chosen] }, { trace, units: [chosen], threat: [chosen] }, ({ threat: found }) => {
      if (found.cuts.length === 0) return el("p", {}, "no single change would cut it");
      return changes(this.#page, found.cuts.map((row) => cut(row)));
    });
  }

  /** Asks, says the short answer and the long one, and lays its marks over the map. */
  #laid(node, call, show, short) {
    return this.#page.doing(() => this.#asked(node, call, show, short));
  }

  async #asked(node, call, show, short) {
    node.replaceChildren(el("p", { role: "status" }, "asking…"));
    try {
      const found = await this.#page.game.ask(call);
      // A drawing of a thing that is no unit has no line of its own.
      const units = this.#page.frame.units.some((unit) => unit.id === this.#page.asked.chosen) ? show.units : [];
      this.#page.board.marks(await this.#page.game.ask({ call: "draw", show: { ...show, units }, form: "svg" }));
      node.replaceChildren(short(found), el("details", {}, el("summary", {}, "in full"), el("pre", { tabindex: 0, "aria-label": "in full" }, found.text)));
    } catch (error) {
      node.replaceChildren(el("p", {}, error.message));
    }
  }
}
