// The page: rules on the left, the map that answers them on the right.
import { Beside } from "./beside.js";
import { Board } from "./board.js";
import { Checker } from "./checker.js";
import { Disk } from "./disk.js";
import { at, el } from "./dom.js";
import { Drag } from "./drag.js";
import { Editor } from "./editor.js";
import { Ended } from "./engine.js";
import { Game } from "./game.js";
import { list, reopen } from "./games.js";
import { Language } from "./language/language.js";
import { Links } from "./links.js";
import { Cases } from "./panels/cases.js";
import { Compare } from "./panels/compare.js";
import { State } from "./panels/state.js";
import { Tables } from "./panels/tables.js";
import { Turn } from "./panels/turn.js";
import { Why } from "./panels/why.js";
import { Positions } from "./position.js";
import { Shown } from "./shown.js";
import { Store } from "./store.js";
import { Texts } from "./texts.js";
import { Tutorial, tabOf } from "./tutorial.js";
import { tabs, wire } from "./wire.js";

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
  texts = new Texts(this);
  shown = new Shown(this);
  drag = new Drag(this);
  links = new Links(this);
  disk = new Disk(this);
  beside = new Beside(this);
  compared = new Compare(this);
  tutorial = new Tutorial(this);
  panels = [new Why(this), new State(this), this.compared, new Turn(this), new Cases(this), new Tables(this), this.tutorial];
  #work = 0;
  #silence;

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
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => at("message").replaceChildren(), 9000);
  }

  /** After other files were opened. */
  async opened() {
    this.editor.reset();
    if (tabOf(this, this.tutorial)) this.look(innerWidth > 900 ? "map" : "answers");
    list(this);
    this.texts.list();
    const paths = [...this.store.files.keys()];
    this.texts.read(paths.find((path) => path === "rules.sut") ?? paths[0]);
    this.positions.setup = null;
    this.asked = { trace: null, side: "", chosen: null };
    this.beside.against = "";
    this.shown.reset();
    // The map comes first: the check reads the suites too, and has time.
    await this.doing(() => this.shown.rules(null));
    await this.texts.check();
    await this.links.arrive();
  }

  /** Brings a part of the page in front where there is room for one alone. */
  look(view) {
    at("rules").parentElement.dataset.view = view;
    for (const one of document.querySelectorAll("[data-view][aria-pressed]")) one.setAttribute("aria-pressed", String(one.dataset.view === view));
  }

  /** Shows a panel. */
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

const page = new Page();
tabs(page);
wire(page);
list(page);
page.doing(async () => {
  if (!(await page.links.open())) await reopen(page);
});
if ("serviceWorker" in navigator) navigator.serviceWorker.register("offline.js").catch(() => null);
/** For a console, and for tests: calls of the engine as the page makes them. */
globalThis.sutler = page;
