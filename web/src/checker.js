// What is wrong with the rules, found in a worker of its own so that the map never waits for it;
// cases are run there too.
import { Ended, Engine } from "./engine.js";

export class Checker {
  engine = new Engine();
  #rules = null;
  #generation = -1;
  #texts = null;

  /** All faults of the texts. */
  async check(texts) {
    const opened = await this.engine.ask({ call: "open", texts }, 15000);
    if (this.#rules !== null && this.#generation === this.engine.generation) {
      await this.engine.ask({ call: "close", rules: this.#rules, game: null, position: null });
    }
    this.#rules = opened.rules;
    this.#generation = this.engine.generation;
    this.#texts = texts;
    return opened;
  }

  /** What a code means. */
  explain(code) {
    return this.engine.ask({ call: "code", code });
  }

  /** Runs cases of a ruleset, a few at a time; `wanted` says which, `told` hears how far it is. */
  async run(texts, name, wanted = () => true, told = () => {}) {
    if (this.#texts !== texts || this.#generation !== this.engine.generation) await this.check(texts);
    const { game } = await this.engine.ask({ call: "game", rules: this.#rules, name });
    const all = await this.engine.ask({ call: "cases", game });
    const rows = [];
    let from = 0;
    while (from < all.length) {
      if (!wanted(all[from])) {
        from += 1;
        continue;
      }
      let to = from + 1;
      while (to < all.length && to < from + 20 && wanted(all[to])) to += 1;
      rows.push(...(await this.engine.ask({ call: "run_cases", game, from, to }, 30000)));
      from = to;
      told(rows.length, all.length);
    }
    await this.engine.ask({ call: "close", rules: null, game, position: null });
    return rows;
  }
}

export { Ended };
