// The rules as text: which file is shown, what is wrong in all of them, and changes that others make in them.
import { at, options } from "./dom.js";
import { byteMap } from "./editor.js";
import { fixed, problems } from "./problems.js";

export class Texts {
  #page;
  #faults = [];

  constructor(page) {
    this.#page = page;
  }

  /** Lists the files. */
  list() {
    options(at("file"), [...this.#page.store.files.keys()].sort(), this.#page.editor.path);
  }

  /** Shows a file. */
  read(path) {
    const { store, editor } = this.#page;
    if (path === undefined || !store.files.has(path)) return;
    editor.open(path, store.files.get(path));
    at("file").value = path;
    editor.faults(this.#faults);
  }

  /** Goes to a line of a file, which counts from 1. */
  goTo(path, line) {
    const { editor } = this.#page;
    this.#page.look("rules");
    if (editor.path !== path) this.read(path);
    editor.line(line);
  }

  /** Finds what is wrong in all files. */
  async check() {
    const texts = this.#page.store.texts();
    at("verdict").textContent = "checking…";
    const opened = await this.#page.doing(() => this.#page.checker.check(texts));
    if (!opened) {
      at("verdict").textContent = "the check was ended";
      return;
    }
    this.#faults = opened.faults;
    const errors = opened.faults.filter((fault) => fault.severity === "error").length;
    const others = opened.faults.length - errors;
    const count = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;
    at("verdict").textContent = opened.faults.length === 0 ? "no faults" : [errors && count(errors, "error"), others && count(others, "warning")].filter(Boolean).join(", ");
    at("problems").replaceChildren(...problems(this.#page, opened.faults));
    at("fix-all").hidden = !opened.faults.some((fault) => fault.suggestion?.applies === "always");
    this.#page.editor.faults(opened.faults);
  }

  /** The faults whose fix cannot change what was meant. */
  always() {
    return this.#faults.filter((fault) => fault.suggestion?.applies === "always");
  }

  /** Takes the fixes of faults; the text is kept as one step of undo. */
  fix(faults) {
    const { store, editor } = this.#page;
    const texts = store.texts();
    const done = fixed(texts, faults, byteMap);
    for (const [path, text] of Object.entries(done)) {
      if (text === texts[path]) continue;
      if (path !== editor.path) this.read(path);
      editor.replace(0, editor.text.length, text);
      store.write(path, text);
    }
  }

  /** Makes the edits of a language server in a file, each as one step of undo. */
  edit(path, edits) {
    const { editor } = this.#page;
    if (path !== editor.path) this.read(path);
    const place = ({ line, character }) => editor.offset(line, character);
    const made = edits.map(({ range, newText }) => [place(range.start), place(range.end), newText]);
    for (const [from, to, text] of made.sort(([a], [b]) => b - a)) editor.put(from, to, text);
    this.#page.store.write(path, editor.text);
  }
}
