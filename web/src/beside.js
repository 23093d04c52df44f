// The position under other rules or another reading, beside the one that is shown: a second map that moves with the first, and whose
// answers flip on both.
import { Board } from "./board.js";
import { at, el } from "./dom.js";
import { NONE, flips } from "./flips.js";

export class Beside {
  /** What is compared with, as a pair of a sort and a name; nothing if it is empty. */
  against = "";
  /** What is called there. */
  title = "";
  /** Whether the second map is shown. */
  two = true;
  /** Whose answers flip. */
  flips = NONE;
  /** The frame there. */
  frame = null;
  /** Why there is none. */
  trouble = "";
  /** The second map, while it is shown. */
  board = null;
  #page;
  #there = null;
  #key = "";
  #drawn = "";

  constructor(page) {
    this.#page = page;
  }

  /** Asks there what is shown here. */
  async compare(frame, wanted, json) {
    this.trouble = "";
    try {
      await this.#place(json);
      this.framed(frame, this.#there && wanted.trace ? await this.#there.frame({ call: "draw", show: wanted, form: "frame" }) : null);
      await this.#draw(json);
    } catch (error) {
      this.trouble = error.message;
      this.framed(frame, null);
    }
    if (!this.frame) this.#away();
  }

  /** The answer there to a drag, if anything is compared. */
  drag(call) {
    return this.frame && this.#there ? this.#there.frame(call).catch(() => null) : null;
  }

  /** Takes what is shown here and there. */
  framed(here, there) {
    const ids = this.#page.board.ids;
    this.frame = there;
    this.flips = there ? flips([here, ids], [there, this.board?.ids ?? ids]) : NONE;
    this.#page.compared.tell(here, this);
    if (there && this.board) this.board.show(there, this.flips);
  }

  /** The position there: opened anew if the rules are others. */
  async #place(json) {
    const { game, store } = this.#page;
    const key = JSON.stringify([this.against, game.opened.game, game.engine.generation]);
    if (key !== this.#key) {
      await this.#there?.close();
      this.#there = null;
      this.#drawn = "";
      const [sort, name] = this.against ? JSON.parse(this.against) : [];
      if (sort) this.#there = await game.beside(sort === "came" ? { came: store.came({ suites: false }) } : { [sort]: name });
      this.#key = key;
    }
    await this.#there?.place(json);
  }

  async #draw(json) {
    if (!this.frame || !this.two) return this.#away();
    const { map, spaces, units } = JSON.parse(json);
    // On a table the drawing has the bases in it.
    const drawn = JSON.stringify([this.#key, map, spaces, units?.some((unit) => unit.at) ? units : null]);
    const first = !this.board;
    if (first) {
      const place = el("div", { class: "board", id: "beside" });
      at("there").append(place);
      this.board = new Board(place);
      this.#page.drag.watch(this.board);
      this.board.view.moved = (view) => this.#page.board.view.follow(view);
      this.#page.board.view.moved = (view) => this.board?.view.follow(view);
    }
    at("boards").classList.add("two");
    at("there").hidden = at("here-name").hidden = false;
    at("here-name").textContent = this.#page.game.opened.name;
    at("there-name").textContent = this.title;
    if (first || drawn !== this.#drawn) {
      const ask = (form) => this.#there.ask({ call: "draw", form });
      this.board.open(await ask("svg"), await ask("scene"), { fit: false, name: this.title });
      this.#drawn = drawn;
    }
    if (first) this.#page.board.refit();
    this.framed(this.#page.frame, this.frame);
    this.board.view.follow(this.#page.board.view);
    if (this.#page.asked.chosen) this.board.select(this.#page.asked.chosen);
  }

  /** Takes the second map away. */
  #away() {
    if (!this.board) return;
    this.#page.board.view.moved = null;
    at("beside").remove();
    at("boards").classList.remove("two");
    at("there").hidden = at("here-name").hidden = true;
    this.board = null;
    this.#page.board.refit();
  }
}
