// Links that carry rules, a position and a question behind the `#`.
import { at } from "./dom.js";
import { ship, ships } from "./games.js";
import { packed, unpacked } from "./store.js";

export class Links {
  #page;
  /** What a link says of the position, until its rules are opened. */
  #pending = null;

  constructor(page) {
    this.#page = page;
  }

  /** A link to what is shown. */
  async make() {
    const { game, store, positions, asked } = this.#page;
    const shipped = ships(store.game) && !store.changed;
    const state = { schema: 1, game: shipped ? store.game : null, texts: shipped ? null : store.texts(), ruleset: game.opened?.name ?? null, setup: positions.setup, position: positions.json, against: this.#page.beside.against, ...asked };
    const url = new URL(location.href);
    url.hash = await packed(state);
    return url.href;
  }

  /** Opens what a link carries; whether there was any. */
  async open() {
    const { store } = this.#page;
    if (location.hash.length < 2) return false;
    const text = location.hash.slice(1);
    const state = await unpacked(text).catch(() => null);
    history.replaceState(null, "", location.pathname + location.search);
    if (state?.schema !== 1) {
      this.#page.say("the link is damaged, or of another version of this page");
      return false;
    }
    const name = (value) => (typeof value === "string" ? value : null);
    this.#pending = { ruleset: name(state.ruleset), setup: name(state.setup), position: name(state.position), trace: name(state.trace), side: name(state.side) ?? "", chosen: name(state.chosen), against: name(state.against) ?? "" };
    if (name(state.game) && ships(state.game)) await ship(this.#page, state.game, { aside: true });
    else {
      store.open(`link-${text.slice(-12)}`, state.texts && typeof state.texts === "object" ? state.texts : {});
      store.keep();
    }
    return true;
  }

  /** Puts what a link says of the position in place, after its rules were opened. */
  async arrive() {
    if (!this.#pending) return;
    const { ruleset, setup, position, trace, side, chosen, against } = this.#pending;
    this.#pending = null;
    const { asked, beside, game, shown } = this.#page;
    const { opened } = game;
    if (!opened) return;
    if (ruleset && ruleset !== opened.name && opened.names.includes(ruleset)) await shown.rules(ruleset);
    if (game.opened.traces.some((one) => one.name === trace)) asked.trace = at("trace").value = trace;
    if (game.opened.sides.includes(side)) asked.side = at("side").value = side;
    if (setup && game.opened.setups.includes(setup)) await shown.begin(setup);
    asked.chosen = chosen;
    beside.against = against;
    if (position) await shown.propose(position, "the link");
    else await shown.show();
  }
}
