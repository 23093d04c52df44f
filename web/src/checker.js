// What is wrong with the rules, found in a worker of its own so that the map never waits for it;
// cases are run there too.
import { Ended, Engine } from "./engine.js";

export class Checker {
  engine = new Engine();
  #rules = null;
  #generation = -1;
  #texts = null;
  #codes = null;

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

  /** What a code means; the explanations are fetched when the first is asked for. */
  async explain(code) {
    this.#codes ??= fetch("codes.json").then((response) => response.json());
    const text = (await this.#codes.catch(() => (this.#codes = null)))?.[code];
    return text ? this.engine.ask({ call: "code", text }) : null;
  }

  /** Asks a language server that has all texts, suites too. */
  async #served(texts, method, params, budget = 60000) {
    const { server } = await this.engine.ask({ call: "serve", texts });
    const message = (id, method, params) => this.engine.ask({ call: "message", server, message: { jsonrpc: "2.0", id, method, params } }, budget);
    try {
      await message(0, "initialize", { capabilities: {} });
      const answer = (await message(1, method, params)).find((one) => one.id === 1);
      if (answer.error) throw new Error(answer.error.message);
      return answer.result;
    } finally {
      await this.engine.ask({ call: "close", rules: null, game: null, position: null, server }).catch(() => null);
    }
  }

  /** What of a file the cases reach, line by line. */
  coverage(texts, path) {
    return this.#served(texts, "sutler/coverage", { textDocument: { uri: `file:///${encodeURI(path)}` } });
  }

  /** The edit with which a case passes, as changes of files by path. */
  async bless(texts, path, title) {
    const argument = { uri: `file:///${encodeURI(path)}`, title };
    const { message, edit } = await this.#served(texts, "workspace/executeCommand", { command: "sutler.bless", arguments: [argument] });
    const changes = Object.entries(edit?.changes ?? {}).map(([uri, edits]) => [decodeURI(uri.slice("file:///".length)), edits]);
    return { message, changes };
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
