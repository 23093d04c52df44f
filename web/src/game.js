// The game that is shown: the rules opened in the engine, a position of them, and what is asked.
import { Engine } from "./engine.js";

/** A drag that takes longer than this is given up, and the engine begins anew. */
const BUDGET = 20000;

export class Game {
  engine = new Engine();
  /** What is open: numbers of handles, and the names of the game. */
  #open = null;
  #position = null;
  #generation = -1;
  #texts = null;
  #name = null;
  #json = null;

  /** Opens rules; the ones before stay if there is an error in these. Gives what a page has to know. */
  async open(texts, name) {
    const opened = await this.engine.ask({ call: "open", texts }, BUDGET);
    let game;
    try {
      game = await this.engine.ask({ call: "game", rules: opened.rules, name: opened.names.includes(name) ? name : null });
    } catch (error) {
      if (this.engine.generation === this.#generation || !this.#open) await this.#close({ rules: opened.rules });
      throw error;
    }
    const about = await this.engine.ask({ call: "about", game: game.game });
    const schema = await this.engine.ask({ call: "schema", game: game.game });
    const old = this.#open;
    const alive = this.#generation === this.engine.generation;
    // The position that is shown stays until another one is: somebody may be asking it.
    if (!alive) this.#position = null;
    this.#json = null;
    this.#generation = this.engine.generation;
    this.#texts = texts;
    this.#name = game.name;
    this.#open = { ...game, ...about, rules: opened.rules, names: opened.names, faults: opened.faults, schema };
    if (old && alive) await this.#close({ rules: old.rules, game: old.game });
    return this.#open;
  }

  get opened() {
    return this.#open;
  }

  #close(handles) {
    const { rules = null, game = null, position = null } = handles;
    return this.engine.ask({ call: "close", rules, game, position }).catch(() => null);
  }

  /** Begins anew after the worker was ended. */
  async #whole() {
    if (this.#generation === this.engine.generation || !this.#texts) return;
    const json = this.#json;
    this.#position = null;
    this.#open = null;
    await this.open(this.#texts, this.#name);
    if (json) await this.place(json);
  }

  /** The position of a setup, as JSON. */
  async setup(name) {
    await this.#whole();
    return this.#take(await this.engine.ask({ call: "setup", game: this.#open.game, name }));
  }

  /** Makes a position from JSON the one that is asked. */
  async place(json) {
    if (this.#json === json && this.#position && this.#generation === this.engine.generation) return json;
    if (this.#generation !== this.engine.generation && this.#texts) {
      this.#json = null;
      await this.#whole();
    }
    return this.#take(await this.engine.ask({ call: "position", game: this.#open.game, json }), json);
  }

  async #take({ position }, json) {
    const old = this.#position;
    this.#position = position;
    if (old !== null) await this.#close({ position: old });
    this.#json = json ?? (await this.engine.ask({ call: "json", position }));
    return this.#json;
  }

  /** The position as it is now. */
  async json() {
    this.#json = await this.ask({ call: "json" });
    return this.#json;
  }

  /** A call about the position. */
  async ask(call, budget = BUDGET) {
    await this.#whole();
    return this.engine.ask({ ...call, position: this.#position }, budget);
  }

  /** A call about the game. */
  async of(call, budget = BUDGET) {
    await this.#whole();
    return this.engine.ask({ ...call, game: this.#open.game }, budget);
  }

  /** A position of its own, asked and closed. */
  async aside(make, run) {
    await this.#whole();
    const { position } = await this.engine.ask({ ...make, game: this.#open.game });
    try {
      return await run((call, budget = BUDGET) => this.engine.ask({ ...call, position }, budget));
    } finally {
      await this.#close({ position });
    }
  }

  /** Positions under other rules: those of another ruleset that was opened with this one, or of the texts as they came; or under
   * another reading. Whoever asks for it closes it. */
  async beside({ rules: name, came, ruling }) {
    await this.#whole();
    if (ruling) return new Under(this.engine, { game: this.#open.game }, this.#open.sides[0], ruling);
    const rules = came ? (await this.engine.ask({ call: "open", texts: came })).rules : this.#open.rules;
    const { game, sides } = await this.engine.ask({ call: "game", rules, name: name ?? this.#name });
    return new Under(this.engine, { game, own: { game, rules: came ? rules : null } }, sides[0], null);
  }
}

/** A position under other rules or another reading. */
class Under {
  #engine;
  #game;
  #own;
  #viewer;
  #ruling;
  #position = null;

  constructor(engine, { game, own = null }, viewer, ruling) {
    this.#engine = engine;
    this.#game = game;
    this.#own = own;
    this.#viewer = viewer;
    this.#ruling = ruling;
  }

  /** Makes a position from JSON the one that is asked. */
  async place(json) {
    const data = JSON.parse(json);
    if (this.#ruling) data.rulings = { ...data.rulings, [this.#ruling[0]]: this.#ruling[1] };
    const { position } = await this.#engine.ask({ call: "position", game: this.#game, json: JSON.stringify(data) });
    await this.#close({ position: this.#position });
    this.#position = position;
  }

  ask(call) {
    return this.#engine.ask({ ...call, position: this.#position });
  }

  /** A frame; a trace of spaces needs a side that asks, as on the first map. */
  async frame(call) {
    try {
      return await this.ask(call);
    } catch (error) {
      if (error.faults?.[0]?.code !== "E1051" || !this.#viewer) throw error;
      await this.ask({ call: "viewer", side: call.show.side ?? this.#viewer });
      return this.ask(call);
    }
  }

  async close() {
    await this.#close({ position: this.#position, game: this.#own?.game ?? null, rules: this.#own?.rules ?? null });
  }

  #close(handles) {
    const { rules = null, game = null, position = null } = handles;
    return this.#engine.ask({ call: "close", rules, game, position }).catch(() => null);
  }
}
