// The cases of the suite: run, and one more made of what is shown.
import { caseText, rulings, sentences } from "../case.js";
import { button, el } from "../dom.js";

const SUITE = "suite.sut";

export class Cases {
  name = "Cases";
  #page;
  #title = el("input", { id: "case-title", type: "text", value: "as shown on the page", maxlength: 120 });
  #out = el("div", { id: "cases", role: "status" });
  #node;

  constructor(page) {
    this.#page = page;
    this.#node = el("div", {},
      el("h2", {}, "Cases"),
      el("div", { class: "row" }, el("label", { for: "case-title" }, "Title"), this.#title),
      el("div", { class: "row" }, button("Make a case of what is shown", () => this.make(), { id: "make-case" }), button("Run all cases", () => this.run(), { id: "run-cases" }), button("Paint what they reach", () => this.paint(), { id: "paint" })),
      this.#out,
    );
  }

  get node() {
    return this.#node;
  }

  refresh() {}

  /** What is expected: the answer of the chosen thing, else of all whose answer is not that of the
   * setup, else of all. */
  async #expected(setup) {
    const { asked, frame, game, store } = this.#page;
    const { chosen, trace } = asked;
    const word = (unit) => `now ${trace} of ${unit.id} is ${frame.words[unit.yes ? 0 : 1]}`;
    const answered = frame.units.filter((unit) => unit.yes !== null);
    const unit = answered.find((one) => one.id === chosen);
    if (unit) return [word(unit)];
    if (chosen && trace) {
      const found = await game.ask({ call: "explain", trace, of: chosen }).catch(() => null);
      if (found) return [`now ${trace} of ${chosen} is ${found.explanation.state}`];
    }
    const before = await game.aside({ call: "setup", name: setup }, (ask) => ask({ call: "draw", show: { trace }, form: "frame" }));
    const was = new Map(before.units.map((one) => [one.id, one.yes]));
    const other = answered.filter((one) => was.get(one.id) !== one.yes);
    void store;
    return (other.length ? other : answered).map(word);
  }

  /** Appends a case to the suite and runs it; refused where no sentences lead to what is shown. */
  make() {
    return this.#page.doing(() => this.#make());
  }

  async #make() {
    const { game, positions, store, editor, asked } = this.#page;
    try {
      const setup = positions.setup ?? game.opened.setups[0];
      if (!setup || !asked.trace) throw new Error("a case needs a setup to begin with and a trace to ask");
      const now = positions.data;
      const start = JSON.parse(await game.aside({ call: "setup", name: setup }, (ask) => ask({ call: "json" })));
      const given = sentences(start, now);
      await this.#leads(setup, given, now);
      const expect = await this.#expected(setup);
      if (expect.length === 0) throw new Error("nothing that is shown has an answer to expect");
      const text = caseText({ title: this.#title.value, setup, rulings: rulings(start, now), given, expect });
      const old = store.files.get(SUITE) ?? "edition 1\n";
      const line = old.trimEnd().split("\n").length + 2;
      const whole = `${old.trimEnd()}\n\n${text}`;
      if (editor.path === SUITE) editor.replace(0, editor.text.length, whole);
      store.write(SUITE, whole);
      this.#page.texts.list();
      const rows = await this.#page.checker.run(store.texts(), game.opened.name, (head) => head.file === SUITE && head.line === line);
      this.#tell(rows, el("details", { open: true }, el("summary", {}, `appended to ${SUITE}, line ${line}`), el("pre", { tabindex: 0, "aria-label": "the case" }, text)));
    } catch (error) {
      this.#out.replaceChildren(el("p", { class: "no" }, error.message));
    }
  }

  /** Whether the sentences lead from the setup to what is shown, as the engine states them. */
  async #leads(setup, given, now) {
    const found = await this.#page.game.aside({ call: "setup", name: setup }, async (ask) => {
      await ask({ call: "given", sentences: given });
      return JSON.parse(await ask({ call: "json" }));
    });
    // Rulings are chosen by lines of their own.
    const plain = ({ rulings: _, ...rest }) => JSON.stringify(rest);
    if (plain(found) !== plain(now)) {
      throw new Error("no sentences of a case lead from the setup to what is shown: a unit has left the game, or something is said of it that a case cannot state");
    }
  }

  /** Runs all cases of the ruleset. */
  run() {
    return this.#page.doing(() => this.#run());
  }

  async #run() {
    const { checker, store, game } = this.#page;
    this.#out.replaceChildren(el("p", {}, "running…"));
    try {
      const told = (done, all) => this.#out.firstChild && (this.#out.firstChild.textContent = `running: ${done} of ${all}`);
      this.#tell(await checker.run(store.texts(), game.opened.name, () => true, told));
    } catch (error) {
      this.#out.replaceChildren(el("p", { class: "no" }, error.message));
    }
  }

  /** Paints in the margin of the file that is shown what the cases reach of it. */
  paint() {
    return this.#page.doing(async () => {
      const { checker, store, editor } = this.#page;
      this.#out.replaceChildren(el("p", {}, "running…"));
      try {
        const { cases, measures, points } = await checker.coverage(store.texts(), editor.path);
        editor.reached(points);
        const rows = measures.map(({ kind, reached, all }) => el("tr", {}, el("th", { scope: "row" }, kind), el("td", {}, `${reached} of ${all}`)));
        const missed = points.filter((point) => point.hits === 0);
        const list = missed.slice(0, 50).map(({ kind, name, line, why }) => el("li", {}, button(`${editor.path}:${line + 1}`, () => this.#page.texts.goTo(editor.path, line + 1), { class: "place" }), ` ${kind} ${name}: ${why ?? "no case reaches it"}`));
        this.#out.replaceChildren(el("p", {}, `${cases} cases reach, of all files:`), el("table", {}, el("tbody", {}, ...rows)), el("p", {}, missed.length ? `Not reached in ${editor.path}:` : `All of ${editor.path} is reached.`), el("ul", {}, ...list));
      } catch (error) {
        this.#out.replaceChildren(el("p", { class: "no" }, error.message));
      }
    });
  }

  /** Writes what came in place of what a case expected. */
  bless(row) {
    return this.#page.doing(async () => {
      const { checker, store } = this.#page;
      const { message, changes } = await checker.bless(store.texts(), row.file, row.name.replace(/, row \d+$/, ""));
      for (const [path, edits] of changes) this.#page.texts.edit(path, edits);
      this.#page.say(message);
      if (changes.length) await this.#run();
    });
  }

  #tell(rows, ...more) {
    const failed = rows.filter((row) => row.status === "failed");
    const words = `${rows.length - failed.length} passed, ${failed.length} failed`;
    const list = failed.slice(0, 50).map((row) => {
      const place = button(`${row.file}:${row.line}`, () => this.#page.texts.goTo(row.file, row.line), { class: "place" });
      const why = row.failures.map((one) => el("pre", { tabindex: 0, "aria-label": "why" }, [one.message, one.why, one.sketch].filter(Boolean).join("\n")));
      const bless = button("Bless it", () => this.bless(row), { class: "bless", title: "writes what came in place of what was expected" });
      return el("li", {}, el("b", {}, row.name), " ", place, " ", bless, ...why);
    });
    this.#out.replaceChildren(el("p", { class: failed.length || rows.length === 0 ? "no" : "yes" }, words), ...more, el("ul", {}, ...list));
  }
}
