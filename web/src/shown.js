// What the map shows: the rules that answer, a position of them, and what is asked of it.
import { at, el, options } from "./dom.js";

export class Shown {
  #page;
  /** What is drawn of the map, and which map was made to fit last. */
  #drawn = "";
  #fitted = "";
  /** Grows with each drawing: what an older one still waits for is void. */
  #turn = 0;

  constructor(page) {
    this.#page = page;
  }

  /** Begins anew, with other rules. */
  reset() {
    this.#drawn = this.#fitted = "";
  }

  /** Opens the rules for the map; with an error in them the last ones stay. */
  async rules(name = this.#page.game.opened?.name) {
    const { game, positions } = this.#page;
    const note = at("note");
    let opened;
    try {
      opened = await game.open(this.#page.store.texts({ suites: false }), name);
      note.hidden = true;
    } catch (error) {
      const faults = error.faults ?? [];
      note.hidden = false;
      note.textContent = game.opened ? "There is an error in the rules. The map shows them as they were before it." : `There is an error in the rules: ${faults[0]?.message ?? error.message}`;
      return;
    }
    options(at("ruleset"), opened.names, opened.name);
    at("ruleset-label").hidden = opened.names.length < 2;
    options(at("setup"), opened.setups.map((one) => [one, one.replaceAll("_", " ")]), positions.setup ?? undefined);
    const traces = opened.traces.map((one) => one.name);
    this.#page.asked.trace = traces.includes(this.#page.asked.trace) ? this.#page.asked.trace : opened.main;
    options(at("trace"), traces.length ? traces : [["", "none"]], this.#page.asked.trace ?? "");
    this.#page.asked.side = opened.sides.includes(this.#page.asked.side) ? this.#page.asked.side : "";
    options(at("side"), [["", "nobody"], ...opened.sides], this.#page.asked.side);
    const json = positions.json;
    const placed = positions.setup !== null && json && (await game.place(json).catch(() => null));
    if (placed) await this.show();
    else await this.begin(opened.setups.includes(positions.setup) ? positions.setup : undefined);
  }

  /** Begins with a setup, or with the first that has units. */
  async begin(name) {
    const { game } = this.#page;
    const { opened } = game;
    if (opened.setups.length === 0) return this.#page.say("these rules have no setup, so that there is nothing to show");
    const json = await game.setup(name ?? null);
    this.#fitted = "";
    const first = name ?? (await this.#first(json));
    this.#page.positions.begin(first, json);
    at("setup").value = first;
    await this.show();
  }

  /** Which setup was begun where none was named. */
  async #first(json) {
    for (const name of this.#page.game.opened.setups) {
      if ((await this.#page.game.aside({ call: "setup", name }, (ask) => ask({ call: "json" }))) === json) return name;
    }
    return this.#page.game.opened.setups[0];
  }

  /** Shows another position, if the engine takes it. */
  propose(json, what) {
    const { game, positions } = this.#page;
    return this.#page.doing(async () => {
      try {
        await game.place(json);
        positions.push(await game.json(), what);
      } catch (error) {
        const [fault] = error.faults ?? [];
        this.#page.say([error.message, fault?.help].filter(Boolean).join("\n"));
        await game.place(positions.json);
      }
      await this.show();
    });
  }

  /** The same with a sentence stated of the one that is shown. */
  given(sentence) {
    return this.#page.doing(async () => {
      const json = await this.#page.game.aside({ call: "position", json: this.#page.positions.json }, async (ask) => {
        await ask({ call: "given", sentences: [sentence] });
        return ask({ call: "json" });
      });
      await this.propose(json, sentence);
    });
  }

  /** What is drawn over the map. */
  get wanted() {
    return { trace: this.#page.asked.trace || null, side: this.#page.asked.side || null };
  }

  /** Draws the position. */
  async show() {
    const { game, positions, board } = this.#page;
    if (!game.opened || !positions.json) return;
    const turn = ++this.#turn;
    const data = positions.data;
    await game.place(positions.json);
    const drawn = JSON.stringify([game.opened.hash, data.map, data.spaces, game.opened.name]);
    const scene = drawn === this.#drawn ? null : await game.ask({ call: "draw", form: "scene" });
    if (scene || data.units?.some((unit) => unit.at)) {
      const svg = await game.ask({ call: "draw", form: "svg" });
      if (turn !== this.#turn) return;
      const map = `${game.opened.name} ${data.map}`;
      board.open(svg, scene ?? (await game.ask({ call: "draw", form: "scene" })), { fit: map !== this.#fitted });
      this.#fitted = map;
      this.#drawn = drawn;
    }
    const frame = await this.#ask({ call: "draw", show: this.wanted, form: "frame" });
    if (turn !== this.#turn || !frame) return;
    board.marks(null);
    this.framed(frame);
    this.names();
    if (this.#page.asked.chosen) this.select(this.#page.asked.chosen);
    await this.compare();
    await this.answers();
    this.steps();
  }

  /** A frame; a trace of spaces needs a side that asks, and takes the first. */
  async #ask(call) {
    const { game } = this.#page;
    try {
      return await game.ask(call);
    } catch (error) {
      const viewer = game.opened.sides[0];
      if (error.faults?.[0]?.code !== "E1051" || !viewer) throw error;
      await game.ask({ call: "viewer", side: this.#page.asked.side || viewer });
      return game.ask(call);
    }
  }

  /** Draws an answer to a position. */
  framed(frame) {
    this.#page.frame = frame;
    this.#page.board.show(frame, this.#page.beside.flips);
    const asked = frame.units.filter((unit) => unit.yes !== null);
    const yes = asked.filter((unit) => unit.yes).length;
    const chosen = asked.find((unit) => unit.id === (this.#page.drag.unit ?? this.#page.asked.chosen));
    const all = frame.words && asked.length ? `${yes} ${frame.words[0]}, ${asked.length - yes} ${frame.words[1]}` : "";
    at("counts").textContent = [all, chosen && `${chosen.id} is ${frame.words[chosen.yes ? 0 : 1]}: ${chosen.why}`].filter(Boolean).join(". ");
  }

  /** Offers the names that can be looked for. */
  names() {
    const units = (this.#page.frame.bases ?? this.#page.frame.units).map((unit) => unit.id);
    at("names").replaceChildren(...[...units, ...this.#page.board.ids].map((value) => el("option", { value })));
  }

  /** Says what can be undone. */
  steps() {
    const { undo, redo } = this.#page.positions.steps;
    for (const [id, what] of [["undo", undo], ["redo", redo]]) {
      at(id).disabled = what === null;
      at(id).title = what ?? "";
    }
  }

  async compare() {
    await this.#page.doing(async () => {
      this.#page.compared.refresh();
      await this.#page.beside.compare(this.#page.frame, this.wanted, this.#page.positions.json);
      this.framed(this.#page.frame);
    });
  }

  async answers() {
    for (const panel of this.#page.panels) await panel.refresh();
  }

  /** Marks what is asked about, on both maps. */
  select(id, options = {}) {
    this.#page.board.select(id, options);
    this.#page.beside.board?.select(id);
  }

  /** Takes a unit or a space as what is asked about. */
  choose(id, options = {}) {
    return this.#page.doing(async () => {
      this.#page.asked.chosen = id;
      this.#page.board.marks(null);
      this.select(id, options);
      this.framed(this.#page.frame);
      await this.answers();
    });
  }
}
