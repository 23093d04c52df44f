// Sutler for programs in JavaScript: rules opened from texts, positions asked, changed and asked
// again. One module of WebAssembly, no dependencies; the same answers as the command `sutler`.
import { Refused, Sutler as Engine } from "./engine.js";

export { Refused };

/** Loads the library; of its own module, where no other is named. */
export async function load(wasm = new URL("sutler.wasm", import.meta.url)) {
  return new Sutler(await Engine.load(await bytes(wasm)));
}

async function bytes(wasm) {
  if (!(wasm instanceof URL) && typeof wasm !== "string") return wasm;
  const url = new URL(wasm, globalThis.document?.baseURI ?? import.meta.url);
  if (url.protocol === "file:" && globalThis.process?.versions?.node) {
    const { readFile } = await import("node:fs/promises");
    return readFile(url);
  }
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} cannot be read: ${response.status}`);
  return response.arrayBuffer();
}

/** Handles that nothing holds any more are ended in the library too. */
const lost = new FinalizationRegistry(({ engine, call }) => engine.ask(call));

/** What is open in the library, by its number. */
class Handle {
  #engine;
  #what;
  #number;

  constructor(engine, what, number) {
    this.#engine = engine;
    this.#what = what;
    this.#number = number;
    lost.register(this, { engine, call: this.#end() }, this);
  }

  #end() {
    return { call: "close", rules: null, game: null, position: null, [this.#what]: this.#number };
  }

  ask(call) {
    return this.#engine.ask({ ...call, [this.#what]: this.#number });
  }

  close() {
    lost.unregister(this);
    this.#engine.ask(this.#end());
  }
}

export class Sutler {
  #engine;
  #codes = null;

  constructor(engine) {
    this.#engine = engine;
  }

  /** Opens texts by path: `{"rules.sut": "edition 1\n..."}`. Never fails: see `faults`. */
  open(texts) {
    return new Rules(this.#engine, this.#engine.ask({ call: "open", texts }));
  }

  /** All that is wrong with texts. */
  check(texts) {
    const rules = this.open(texts);
    rules.close();
    return rules.faults;
  }

  /** What a code such as `E0201` means; null for what is none. The explanations are a file of their
   * own, read when the first is asked for. */
  async explainCode(code) {
    this.#codes ??= JSON.parse(new TextDecoder().decode(await bytes(new URL("codes.json", import.meta.url))));
    const text = Object.hasOwn(this.#codes, code) ? this.#codes[code] : null;
    return text && this.#engine.ask({ call: "code", text });
  }
}

export class Rules {
  #engine;
  #handle;

  constructor(engine, { rules, names, faults }) {
    this.#engine = engine;
    this.#handle = new Handle(engine, "rules", rules);
    this.names = names;
    this.faults = faults;
  }

  get isSound() {
    return !this.faults.some((fault) => fault.severity === "error");
  }

  /** The ruleset, or a variant by its name. */
  game(name = null) {
    return new Game(this.#engine, this.#handle.ask({ call: "game", name }));
  }

  close() {
    this.#handle.close();
  }
}

export class Game {
  #engine;
  #handle;

  constructor(engine, { game, ...head }) {
    this.#engine = engine;
    this.#handle = new Handle(engine, "game", game);
    Object.assign(this, head);
    const { main, clock, traces, tests } = this.#handle.ask({ call: "about" });
    this.mainTrace = main;
    this.tests = tests;
    this.hasClock = clock;
    this.tracesOfSpaces = traces.filter((trace) => trace.spaces).map((trace) => trace.name);
  }

  #position({ position }) {
    return new Position(this.#engine, this, position);
  }

  /** The position of a setup; of the first that has units where none is named. */
  setup(name = null) {
    return this.#position(this.#handle.ask({ call: "setup", name }));
  }

  /** A position from its JSON, as text or as data. */
  position(json) {
    const text = typeof json === "string" ? json : JSON.stringify(json);
    return this.#position(this.#handle.ask({ call: "position", json: text }));
  }

  /** The JSON Schema of positions. */
  schema() {
    return this.#handle.ask({ call: "schema" });
  }

  /** The cases of the suites. */
  cases() {
    return this.#handle.ask({ call: "cases" });
  }

  /** Runs cases by their places; all of them where none are named. */
  runCases(from = 0, to = this.cases().length) {
    return this.#handle.ask({ call: "run_cases", from, to });
  }

  close() {
    this.#handle.close();
  }
}

export class Position {
  #engine;
  #handle;

  constructor(engine, game, position) {
    this.#engine = engine;
    this.#handle = new Handle(engine, "position", position);
    this.game = game;
  }

  /** The position as JSON text; `game.position` reads it. */
  json() {
    return this.#handle.ask({ call: "json" });
  }

  copy() {
    return new Position(this.#engine, this.game, this.#handle.ask({ call: "copy" }).position);
  }

  /** The answers of a trace, of the main one where none is named. */
  ask(trace = null) {
    return this.#handle.ask({ call: "trace", trace });
  }

  /** The answer for one unit or space. */
  answer(of, trace = null) {
    const row = this.ask(trace).units.find(({ id }) => id === of);
    if (!row) throw new RangeError(`${of} is not asked about in this position`);
    return row;
  }

  /** Why a unit or a space has its answer. */
  explain(of, trace = null) {
    return this.#handle.ask({ call: "explain", trace, of });
  }

  /** What would give it a line. */
  whyNot(of, trace = null) {
    return this.#handle.ask({ call: "why_not", trace, of });
  }

  /** Where its lines can end by the legs of a trace, whether or not a source is there. */
  reach(of, trace = null) {
    return this.#handle.ask({ call: "reach", trace, of });
  }

  /** The same for all in numbers: by id the spaces that it reaches, each with how far that is. */
  reachAll(trace = null) {
    return this.#handle.ask({ call: "reach_all", trace }).reaches;
  }

  /** What would cut these things, or all. */
  threat(of = [], trace = null) {
    return this.#handle.ask({ call: "threat", trace, of: [of].flat() });
  }

  /** What a test can come to for these things, or for all that it is about. */
  odds(test, of = []) {
    return this.#handle.ask({ call: "odds", test, of: [of].flat() });
  }

  /** Any condition or amount of each thing of a kind, or of the world where none is named. */
  values(question, of = null) {
    return this.#handle.ask({ call: "values", question, of });
  }

  /** Puts a unit into a space; off the map for null. */
  move(unit, to) {
    this.#handle.ask({ call: "move", unit, to });
    return this;
  }

  /** Gives a space to a side; to nobody for null. */
  control(space, side) {
    this.#handle.ask({ call: "control", space, side });
    return this;
  }

  /** Takes a unit out of the game. */
  remove(unit) {
    this.#handle.ask({ call: "remove", unit });
    return this;
  }

  /** Says which side asks about spaces. */
  viewer(side) {
    this.#handle.ask({ call: "viewer", side });
    return this;
  }

  /** States facts in the words of the rules: `season is winter`. */
  given(...sentences) {
    this.#handle.ask({ call: "given", sentences: sentences.flat() });
    return this;
  }

  /** Plays a turn with dice and orders, and leaves the position as it is then. */
  play({ turn = 1, seed = null, dice = [], orders = [], firstWay = false } = {}) {
    const lines = orders.map((order) => JSON.stringify(order)).join("\n");
    return this.#handle.ask({ call: "play", turn, seed, dice, orders: lines, first_way: firstWay });
  }

  /** The position drawn, as SVG where nothing else is said. */
  draw({ form = "svg", trace = this.game.mainTrace, side = null, units = [], whyNot = null, threat = null } = {}) {
    return this.#handle.ask({ call: "draw", form, show: { trace, side, units, why_not: whyNot, threat } });
  }

  close() {
    this.#handle.close();
  }
}
