// The page: rules on the left, the map that answers them on the right.
import { Beside } from "./beside.js";
import { Board } from "./board.js";
import { Checker } from "./checker.js";
import { at, button, el, later, options } from "./dom.js";
import { Editor, byteMap } from "./editor.js";
import { Ended } from "./engine.js";
import { Game } from "./game.js";
import { Language } from "./language/language.js";
import { Cases } from "./panels/cases.js";
import { Compare } from "./panels/compare.js";
import { State } from "./panels/state.js";
import { Tables } from "./panels/tables.js";
import { Turn } from "./panels/turn.js";
import { Why } from "./panels/why.js";
import { Positions } from "./position.js";
import { fixed, problems } from "./problems.js";
import { Store, packed, read, save, unpacked } from "./store.js";
import { Tutorial, stepOf, tabOf } from "./tutorial.js";
import { zipped } from "./zip.js";

const GAMES = {
  winter_road: "Winter road, the game of the tutorial",
  soldier_kings: "Soldier Kings",
  malaya: "Malaya",
  sgs: "SGS: three depots",
  blockade_siege: "Blockade and siege",
  twilight: "Twilight of the sun king",
};
/** The steps of the tutorial, in the list of games. */
const TUTORIAL = ["tutorial", "Tutorial: an evening in ten steps"];
/** What the first visit shows. */
const FIRST = "soldier_kings";

class Page {
  store = new Store();
  game = new Game();
  checker = new Checker();
  positions = new Positions();
  board = new Board(at("board"));
  language = new Language(this);
  editor = new Editor(at("editor"), (path) => this.language.plugin(path));
  /** What is asked: the trace, the side whose reach is shown, the unit or space that was chosen. */
  asked = { trace: null, side: "", chosen: null };
  frame = { units: [], control: [] };
  beside = new Beside(this);
  compared = new Compare(this);
  tutorial = new Tutorial(this);
  panels = [new Why(this), new State(this), this.compared, new Turn(this), new Cases(this), new Tables(this), this.tutorial];
  #faults = [];
  #shown = "";
  #fitted = "";
  #turn = 0;
  #work = 0;

  /** Whether nothing is being worked out. */
  get idle() {
    return this.#work === 0;
  }

  /** Does something and says what went wrong with it. */
  async doing(run) {
    this.#work += 1;
    try {
      return await run();
    } catch (error) {
      this.say(error.message);
      if (!(error instanceof Ended) && !error.faults) console.error(error);
      return undefined;
    } finally {
      this.#work -= 1;
    }
  }

  say(words) {
    at("message").replaceChildren(...(words ? [el("p", {}, words)] : []));
    clearTimeout(this.silence);
    this.silence = setTimeout(() => at("message").replaceChildren(), 9000);
  }

  // ---- rules

  /** Opens a shipped game, or a step of the tutorial. */
  async ship(name, options = {}) {
    const step = name === "tutorial" ? { number: 1 } : stepOf(name);
    if (step) return this.tutorial.open(step.number, { ...step, ...options });
    const texts = await (await fetch(`games/${name}.json`)).json();
    this.store.open(name, texts, options);
  }

  /** After other files were opened. */
  async opened() {
    this.editor.reset();
    if (tabOf(this, this.tutorial)) this.look(innerWidth > 900 ? "map" : "answers");
    this.games();
    this.files();
    const paths = [...this.store.files.keys()];
    this.read(paths.find((path) => path === "rules.sut") ?? paths[0]);
    this.positions.setup = null;
    this.asked = { trace: null, side: "", chosen: null };
    this.beside.against = "";
    this.#shown = this.#fitted = "";
    // The map comes first: the check reads the suites too, and has time.
    await this.doing(() => this.rules(null));
    await this.check();
  }

  games() {
    const step = stepOf(this.store.game);
    const own = this.store.all().concat(this.store.game).filter((name) => name && !(name in GAMES) && !stepOf(name));
    const rows = [TUTORIAL, ...Object.entries(GAMES), ...[...new Set(own)].map((name) => [name, name === "own" ? "Your files" : name === "own-before" ? "Your files before these" : "From a link"])];
    options(at("game"), rows, step ? TUTORIAL[0] : this.store.game);
    at("fresh").hidden = !((this.store.game in GAMES || step) && this.store.changed);
  }

  files() {
    options(at("file"), [...this.store.files.keys()].sort(), this.editor.path);
  }

  read(path) {
    if (path === undefined || !this.store.files.has(path)) return;
    this.editor.open(path, this.store.files.get(path));
    at("file").value = path;
    this.editor.faults(this.#faults);
  }

  goTo(path, line) {
    this.look("rules");
    if (this.editor.path !== path) this.read(path);
    this.editor.line(line);
  }

  async check() {
    const texts = this.store.texts();
    at("verdict").textContent = "checking…";
    const opened = await this.doing(() => this.checker.check(texts));
    if (!opened) {
      at("verdict").textContent = "the check was ended";
      return;
    }
    this.#faults = opened.faults;
    const errors = opened.faults.filter((fault) => fault.severity === "error").length;
    const others = opened.faults.length - errors;
    const count = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;
    at("verdict").textContent = opened.faults.length === 0 ? "no faults" : [errors && count(errors, "error"), others && count(others, "warning")].filter(Boolean).join(", ");
    at("problems").replaceChildren(...problems(this, opened.faults));
    at("fix-all").hidden = !opened.faults.some((fault) => fault.suggestion?.applies === "always");
    this.editor.faults(opened.faults);
  }

  /** The faults whose fix cannot change what was meant. */
  always() {
    return this.#faults.filter((fault) => fault.suggestion?.applies === "always");
  }

  /** Takes the fixes of faults; the text is kept as one step of undo. */
  fix(faults) {
    const texts = this.store.texts();
    const done = fixed(texts, faults, byteMap);
    for (const [path, text] of Object.entries(done)) {
      if (text === texts[path]) continue;
      if (path !== this.editor.path) this.read(path);
      this.editor.replace(0, this.editor.text.length, text);
      this.store.write(path, text);
    }
  }

  /** Makes the edits of a language server in a file, each as one step of undo. */
  edit(path, edits) {
    if (path !== this.editor.path) this.read(path);
    const place = ({ line, character }) => this.editor.offset(line, character);
    const made = edits.map(({ range, newText }) => [place(range.start), place(range.end), newText]);
    for (const [from, to, text] of made.sort(([a], [b]) => b - a)) this.editor.put(from, to, text);
    this.store.write(path, this.editor.text);
  }

  /** Opens the rules for the map; with an error in them the last ones stay. */
  async rules(name = this.game.opened?.name) {
    const note = at("note");
    let opened;
    try {
      opened = await this.game.open(this.store.texts({ suites: false }), name);
      note.hidden = true;
    } catch (error) {
      const faults = error.faults ?? [];
      note.hidden = false;
      note.textContent = this.game.opened ? "There is an error in the rules. The map shows them as they were before it." : `There is an error in the rules: ${faults[0]?.message ?? error.message}`;
      return;
    }
    options(at("ruleset"), opened.names, opened.name);
    at("ruleset-label").hidden = opened.names.length < 2;
    options(at("setup"), [...opened.setups.map((one) => [one, one.replaceAll("_", " ")]), ...(this.positions.setup ? [] : [])], this.positions.setup ?? undefined);
    const traces = opened.traces.map((one) => one.name);
    this.asked.trace = traces.includes(this.asked.trace) ? this.asked.trace : opened.main;
    options(at("trace"), traces.length ? traces : [["", "none"]], this.asked.trace ?? "");
    this.asked.side = opened.sides.includes(this.asked.side) ? this.asked.side : "";
    options(at("side"), [["", "nobody"], ...opened.sides], this.asked.side);
    const json = this.positions.json;
    const placed = this.positions.setup !== null && json && (await this.game.place(json).catch(() => null));
    if (placed) await this.show();
    else await this.begin(opened.setups.includes(this.positions.setup) ? this.positions.setup : undefined);
  }

  // ---- positions

  /** Begins with a setup, or with the first that has units. */
  async begin(name) {
    const { opened } = this.game;
    if (opened.setups.length === 0) return this.say("these rules have no setup, so that there is nothing to show");
    const json = await this.game.setup(name ?? null);
    this.#fitted = "";
    const first = name ?? (await this.#first(json));
    this.positions.begin(first, json);
    at("setup").value = first;
    await this.show();
  }

  /** Which setup was begun where none was named. */
  async #first(json) {
    for (const name of this.game.opened.setups) {
      if ((await this.game.aside({ call: "setup", name }, (ask) => ask({ call: "json" }))) === json) return name;
    }
    return this.game.opened.setups[0];
  }

  /** Shows another position, if the engine takes it. */
  propose(json, what) {
    return this.doing(async () => {
      try {
        await this.game.place(json);
        this.positions.push(await this.game.json(), what);
      } catch (error) {
        const [fault] = error.faults ?? [];
        this.say([error.message, fault?.help].filter(Boolean).join("\n"));
        await this.game.place(this.positions.json);
      }
      await this.show();
    });
  }

  /** The same with a sentence stated of the one that is shown. */
  given(sentence) {
    return this.doing(async () => {
      const json = await this.game.aside({ call: "position", json: this.positions.json }, async (ask) => {
        await ask({ call: "given", sentences: [sentence] });
        return ask({ call: "json" });
      });
      await this.propose(json, sentence);
    });
  }

  get wanted() {
    return { trace: this.asked.trace || null, side: this.asked.side || null };
  }

  /** Draws the position. */
  async show() {
    if (!this.game.opened || !this.positions.json) return;
    const turn = ++this.#turn;
    const data = this.positions.data;
    await this.game.place(this.positions.json);
    const drawn = JSON.stringify([this.game.opened.hash, data.map, data.spaces, this.game.opened.name]);
    const scene = drawn === this.#shown ? null : await this.game.ask({ call: "draw", form: "scene" });
    if (scene || data.units?.some((unit) => unit.at)) {
      const svg = await this.game.ask({ call: "draw", form: "svg" });
      if (turn !== this.#turn) return;
      const map = `${this.game.opened.name} ${data.map}`;
      this.board.open(svg, scene ?? (await this.game.ask({ call: "draw", form: "scene" })), { fit: map !== this.#fitted });
      this.#fitted = map;
      this.#shown = drawn;
    }
    const frame = await this.#ask({ call: "draw", show: this.wanted, form: "frame" });
    if (turn !== this.#turn || !frame) return;
    this.board.marks(null);
    this.framed(frame);
    this.names();
    if (this.asked.chosen) this.select(this.asked.chosen);
    await this.compare();
    await this.answers();
    this.steps();
  }

  /** A frame; a trace of spaces needs a side that asks, and takes the first. */
  async #ask(call) {
    try {
      return await this.game.ask(call);
    } catch (error) {
      const viewer = this.game.opened.sides[0];
      if (error.faults?.[0]?.code !== "E1051" || !viewer) throw error;
      await this.game.ask({ call: "viewer", side: this.asked.side || viewer });
      return this.game.ask(call);
    }
  }

  framed(frame) {
    this.frame = frame;
    this.board.show(frame, this.beside.flips);
    const asked = frame.units.filter((unit) => unit.yes !== null);
    const yes = asked.filter((unit) => unit.yes).length;
    const chosen = asked.find((unit) => unit.id === (this.dragged ?? this.asked.chosen));
    const all = frame.words && asked.length ? `${yes} ${frame.words[0]}, ${asked.length - yes} ${frame.words[1]}` : "";
    at("counts").textContent = [all, chosen && `${chosen.id} is ${frame.words[chosen.yes ? 0 : 1]}: ${chosen.why}`].filter(Boolean).join(". ");
  }

  names() {
    const units = (this.frame.bases ?? this.frame.units).map((unit) => unit.id);
    at("names").replaceChildren(...[...units, ...this.board.ids].map((value) => el("option", { value })));
  }

  steps() {
    const { undo, redo } = this.positions.steps;
    for (const [id, what] of [["undo", undo], ["redo", redo]]) {
      at(id).disabled = what === null;
      at(id).title = what ?? "";
    }
  }

  async compare() {
    await this.doing(async () => {
      this.compared.refresh();
      await this.beside.compare(this.frame, this.wanted, this.positions.json);
      this.framed(this.frame);
    });
  }

  async answers() {
    for (const panel of this.panels) await panel.refresh();
  }

  /** Marks what is asked about, on both maps. */
  select(id, options = {}) {
    this.board.select(id, options);
    this.beside.board?.select(id);
  }

  choose(id, options = {}) {
    return this.doing(async () => {
      this.asked.chosen = id;
      this.board.marks(null);
      this.select(id, options);
      this.framed(this.frame);
      await this.answers();
    });
  }

  // ---- dragging

  #wish = null;
  #following = null;

  /** Follows a unit; of places that come faster than answers the last is asked. */
  follow(id, space) {
    this.dragged = id;
    this.#wish = { id, space };
    this.#following ??= this.doing(async () => {
      while (this.#wish) {
        const { id, space } = this.#wish;
        this.#wish = null;
        const begun = performance.now();
        const call = { call: "drag", unit: id, to: space, show: this.wanted };
        const [frame, there] = await Promise.all([this.game.ask(call), this.beside.drag(call)]);
        if (there) this.beside.framed(frame, there);
        this.framed(frame);
        this.lastFrame = performance.now() - begun;
      }
    }).finally(() => (this.#following = null));
    return this.#following;
  }

  /** Answers what is done with the units of a map. */
  watch(board) {
    const on = (name, run) => board.addEventListener(name, ({ detail }) => run(detail));
    on("drag", ({ id, space }) => this.follow(id, space));
    on("drop", ({ id, space }) => this.drop(id, space, board));
    on("cancel", ({ id }) => this.cancel(id));
    on("lay", ({ id, dx, dy }) => this.lay(id, dx, dy));
    on("lifted", ({ id }) => this.say(`${id} is held: arrows move it, Enter puts it down, Escape takes it back`));
    on("choose", ({ id }) => this.choose(id));
  }

  async drop(id, space, board = this.board) {
    await this.follow(id, space);
    this.dragged = null;
    await this.doing(async () => {
      this.asked.chosen = id;
      this.positions.push(await this.game.json(), `${id} to ${space}`);
      await this.show();
    });
    board.focus(id);
  }

  async cancel(id) {
    const unit = this.positions.data.units.find((one) => one.id === id);
    // A base was shown elsewhere and never laid there.
    if (unit?.at) return this.doing(() => this.show());
    await this.follow(id, unit?.space ?? null);
    this.dragged = null;
    return this.framed(this.frame);
  }

  /** Lays a base of a table elsewhere: to the nearest tenth. */
  lay(id, dx, dy) {
    const unit = this.positions.data.units.find((one) => one.id === id);
    if (!unit?.at) return;
    const tenths = (text, by) => {
      const [over, under = 1] = text.split("/").map(Number);
      const value = Math.round((over / under + by) * 10);
      return value % 10 === 0 ? String(value / 10) : `${value}/10`;
    };
    const data = this.positions.data;
    const now = data.units.find((one) => one.id === id);
    now.at = [tenths(unit.at[0], dx), tenths(unit.at[1], dy)];
    this.asked.chosen = id;
    this.propose(JSON.stringify(data), `${id} laid elsewhere`).then(() => this.board.focus(id));
  }

  // ---- links and files

  async link() {
    const { game, store, positions, asked } = this;
    const shipped = store.game in GAMES && !store.changed;
    const state = { schema: 1, game: shipped ? store.game : null, texts: shipped ? null : store.texts(), ruleset: game.opened?.name ?? null, setup: positions.setup, position: positions.json, against: this.beside.against, ...asked };
    const url = new URL(location.href);
    url.hash = await packed(state);
    return url.href;
  }

  /** Opens what a link carries; whether there was any. */
  async fromLink() {
    if (location.hash.length < 2) return false;
    const text = location.hash.slice(1);
    const state = await unpacked(text).catch(() => null);
    history.replaceState(null, "", location.pathname + location.search);
    if (state?.schema !== 1) {
      this.say("the link is damaged, or of another version of this page");
      return false;
    }
    const name = (value) => (typeof value === "string" ? value : null);
    this.pending = { ruleset: name(state.ruleset), setup: name(state.setup), position: name(state.position), trace: name(state.trace), side: name(state.side) ?? "", chosen: name(state.chosen), against: name(state.against) ?? "" };
    if (name(state.game) && state.game in GAMES) await this.ship(state.game, { aside: true });
    else {
      this.store.open(`link-${text.slice(-12)}`, state.texts && typeof state.texts === "object" ? state.texts : {});
      this.store.keep();
    }
    return true;
  }

  /** Puts what a link says of the position in place, after its rules were opened. */
  async arrive({ ruleset, setup, position, trace, side, chosen, against }) {
    const { opened } = this.game;
    if (!opened) return;
    if (ruleset && ruleset !== opened.name && opened.names.includes(ruleset)) await this.rules(ruleset);
    if (this.game.opened.traces.some((one) => one.name === trace)) this.asked.trace = at("trace").value = trace;
    if (this.game.opened.sides.includes(side)) this.asked.side = at("side").value = side;
    if (setup && this.game.opened.setups.includes(setup)) await this.begin(setup);
    this.asked.chosen = chosen;
    this.beside.against = against;
    if (position) await this.propose(position, "the link");
    else await this.show();
  }

  async own(list) {
    const json = list.length === 1 && /\.json$/.test(list[0].name) ? await list[0].text() : null;
    if (json) return this.propose(json, list[0].name);
    const texts = await read(list);
    if (Object.keys(texts).length === 0) return this.say("there is no file of a ruleset among these: their names end in `.sut`");
    const before = this.store.kept("own");
    if (before) {
      this.store.open("own-before", before, { fresh: true });
      this.store.keep();
    }
    this.store.open("own", texts, { fresh: true });
    this.store.keep();
    return undefined;
  }

  /** Saves the file that is shown. */
  saveFile() {
    save(this.editor.path?.split("/").at(-1) ?? "rules.sut", this.editor.text);
  }

  /** Saves all files: into a folder where the browser can write one, else as an archive, which can be opened again. */
  async saveAll() {
    const texts = this.store.texts();
    if (!globalThis.showDirectoryPicker) return save(`${this.game.opened?.name ?? "rules"}.zip`, zipped(texts), "application/zip");
    const root = await showDirectoryPicker({ mode: "readwrite" }).catch(() => null);
    if (!root) return undefined;
    for (const [path, text] of Object.entries(texts)) {
      const parts = path.split("/");
      let folder = root;
      for (const part of parts.slice(0, -1)) folder = await folder.getDirectoryHandle(part, { create: true });
      const file = await (await folder.getFileHandle(parts.at(-1), { create: true })).createWritable();
      await file.write(text);
      await file.close();
    }
    return this.say(`${Object.keys(texts).length} files are saved`);
  }

  /** Saves the position, or its drawing as the command draws it. */
  async savePosition(form) {
    if (form === "json") save("position.json", this.positions.json, "application/json");
    else save("map.svg", await this.game.ask({ call: "draw", show: this.wanted, form: "svg" }), "image/svg+xml");
  }

  // ---- the page itself

  look(view) {
    at("rules").parentElement.dataset.view = view;
    for (const one of document.querySelectorAll("[data-view][aria-pressed]")) one.setAttribute("aria-pressed", String(one.dataset.view === view));
  }

  tab(name) {
    for (const [nth, panel] of this.panels.entries()) {
      const on = panel.name === name;
      at(`tab-${nth}`).setAttribute("aria-selected", String(on));
      at(`tab-${nth}`).tabIndex = on ? 0 : -1;
      at(`panel-${nth}`).hidden = !on;
      if (on) panel.shown?.();
    }
  }
}

function tabs(page) {
  page.panels.forEach((panel, nth) => {
    const tab = button(panel.name, () => page.tab(panel.name), { role: "tab", id: `tab-${nth}`, "aria-controls": `panel-${nth}`, hidden: panel === page.tutorial });
    at("tabs").append(tab);
    at("panels").append(el("div", { role: "tabpanel", id: `panel-${nth}`, "aria-labelledby": `tab-${nth}`, tabindex: 0 }, panel.node));
  });
  at("tabs").addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    const shown = [...page.panels.keys()].filter((nth) => !at(`tab-${nth}`).hidden);
    const now = shown.findIndex((nth) => at(`tab-${nth}`).tabIndex === 0);
    const next = shown.at((now + by) % shown.length);
    page.tab(page.panels[next].name);
    at(`tab-${next}`).focus();
  });
  page.tab("Why");
}

function wire(page) {
  const { store, editor, positions, board } = page;
  const checked = later(250, () => page.check());
  const ruled = later(350, () => page.doing(() => page.rules()));
  editor.addEventListener("changed", ({ detail: { path, text } }) => store.write(path, text));
  editor.addEventListener("opened", ({ detail: path }) => page.language.shown(path));
  store.addEventListener("changed", ({ detail: path }) => {
    at("fresh").hidden = !((store.game in GAMES || stepOf(store.game)) && store.changed);
    checked();
    if (!/(^|\/)suite[^/]*\.sut$/.test(path)) ruled();
  });
  store.addEventListener("opened", () => page.doing(async () => {
    const { pending } = page;
    page.pending = null;
    await page.opened();
    if (pending) await page.arrive(pending);
  }));
  store.addEventListener("unkept", () => page.say("this browser keeps nothing: save your files"));
  page.watch(board);
  const on = (id, name, run) => at(id).addEventListener(name, run);
  const step = (run) => page.doing(async () => {
    run();
    await page.show();
  });
  on("undo", "click", () => step(() => positions.undo()));
  on("redo", "click", () => step(() => positions.redo()));
  on("game", "change", ({ target: { value } }) => page.doing(() => (value in GAMES || value === TUTORIAL[0] ? page.ship(value) : store.open(value, store.kept(value) ?? {}))));
  on("fresh", "click", () => page.doing(() => page.ship(store.game, { fresh: true })));
  on("file", "change", ({ target }) => page.read(target.value));
  on("ruleset", "change", ({ target }) => page.doing(() => page.rules(target.value)));
  on("setup", "change", ({ target }) => page.doing(() => page.begin(target.value)));
  on("trace", "change", ({ target }) => page.doing(() => ((page.asked.trace = target.value), page.show())));
  on("side", "change", ({ target }) => page.doing(() => ((page.asked.side = target.value), page.show())));
  on("find", "change", ({ target }) => {
    const id = target.value.trim();
    const known = (page.frame.bases ?? page.frame.units).some((unit) => unit.id === id) || board.ids.includes(id);
    if (known) page.choose(id, { show: true }).then(() => board.focus(id));
    else if (id) page.say(`there is no unit and no space \`${id}\``);
  });
  on("nearer", "click", () => board.view.zoom(1.25));
  on("farther", "click", () => board.view.zoom(0.8));
  on("whole", "click", () => board.whole());
  on("fix-all", "click", () => page.fix(page.always()));
  on("open-files", "click", () => at("files").click());
  on("open-folder", "click", () => at("folder").click());
  for (const id of ["files", "folder"]) on(id, "change", ({ target }) => {
    const files = [...target.files];
    // The same file can be chosen again.
    target.value = "";
    page.doing(() => page.own(files));
  });
  on("save", "click", () => page.saveFile());
  on("save-all", "click", () => page.doing(() => page.saveAll()));
  on("share", "click", () => page.doing(async () => {
    const url = await page.link();
    await navigator.clipboard?.writeText(url).catch(() => null);
    const field = el("input", { value: url, readonly: true, "aria-label": "the link" });
    at("message").replaceChildren(el("p", {}, "The link carries the rules and the position; it is copied. ", field));
    field.select();
  }));
  for (const one of document.querySelectorAll("[data-view][aria-pressed]")) one.addEventListener("click", () => page.look(one.dataset.view));
  addEventListener("hashchange", () => page.doing(() => page.fromLink()));
  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z" || event.target.closest("#editor, input")) return;
    event.preventDefault();
    step(() => (event.shiftKey ? positions.redo() : positions.undo()));
  });
}

const page = new Page();
tabs(page);
wire(page);
page.games();
page.doing(async () => {
  if (await page.fromLink()) return;
  const { last } = page.store;
  if (last && stepOf(last)) await page.ship(last);
  else if (last && !(last in GAMES) && page.store.kept(last)) page.store.open(last, page.store.kept(last));
  else await page.ship(last && last in GAMES ? last : FIRST);
});
if ("serviceWorker" in navigator) navigator.serviceWorker.register("offline.js").catch(() => null);
/** For a console, and for tests: calls of the engine as the page makes them. */
globalThis.sutler = page;
