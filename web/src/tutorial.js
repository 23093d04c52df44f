// The tutorial: the text of a step beside its rules. What a step says to write can be written by a button.
import { at, button, el } from "./dom.js";

/** A step is opened like a game, by such a name; what its reader changes is kept by it. */
const NAME = /^step(\d\d)(_finished)?$/;

/** The number of the step that is open under a name; nothing if it is no step. */
export function stepOf(game) {
  const found = NAME.exec(game);
  return found ? { number: Number(found[1]), finished: Boolean(found[2]) } : null;
}

/** What a block makes of a text; nothing if the lines that it looks for are not there, or are there twice. */
export function written({ what, find, text }, old) {
  if (what === "file") return text;
  if (what === "add") return `${(old ?? "").trimEnd()}\n\n${text}`;
  if (old === undefined || !find) return null;
  const parts = `\n${old}`.split(`\n${find}`);
  return parts.length === 2 ? parts.join(`\n${text}`).slice(1) : null;
}

const DOES = { now: "Write it", add: "Write it below", file: "Write the file", slip: "Write it, to see what comes" };

/** Where the page has what the text asks a terminal. */
const HERE = "The files that the step begins with stand on the left. What the text asks in a terminal is on this page too: `check` is the list below the rules, `map` and `trace` are the map, `explain`, `why-not` and `threat` are in Why, `test` is in Cases, `run` in Turn, `fmt` is Shift+Alt+F, `diff` and `impact` in Compare. Undo in the rules takes back what a button wrote.";

/** Text with words of code between backticks. */
function coded(text) {
  return text.split("`").map((part, nth) => (nth % 2 ? el("code", {}, part) : part));
}

export class Tutorial {
  name = "Tutorial";
  #page;
  #steps = null;
  #node = el("div", { id: "tutorial" });

  constructor(page) {
    this.#page = page;
  }

  get node() {
    return this.#node;
  }

  refresh() {}

  /** Opens a step: the files that it begins with, or those that it ends with. */
  async open(number, { finished = false, fresh = false } = {}) {
    this.#steps ??= await (await fetch("tutorial.json")).json();
    const step = this.#steps[number - 1] ?? this.#steps[0];
    const name = `step${String(this.#steps.indexOf(step) + 1).padStart(2, "0")}${finished ? "_finished" : ""}`;
    this.#page.store.open(name, finished ? step.after : step.before, { fresh });
  }

  /** Shows the text of the step that is open; says whether one is. */
  show() {
    const open = stepOf(this.#page.store.game);
    const step = open && this.#steps?.[open.number - 1];
    if (!step) {
      this.#node.replaceChildren();
      return false;
    }
    const go = (number, options) => this.#page.doing(() => this.open(number, options));
    const ways = (more) => el("div", { class: "row" },
      button("Previous step", () => go(open.number - 1), { disabled: open.number === 1, class: "previous" }),
      button("Next step", () => go(open.number + 1), { disabled: open.number === this.#steps.length, class: "next" }),
      ...more);
    const finished = open.finished
      ? button("Back to my files of this step", () => go(open.number), { id: "unfinished" })
      : button("Show the finished step", () => go(open.number, { finished: true, fresh: true }), { id: "finished" });
    const list = el("select", { id: "steps", onchange: ({ target }) => go(Number(target.value)) }, ...this.#steps.map(({ title }, nth) => el("option", { value: nth + 1, selected: nth + 1 === open.number }, title)));
    this.#node.replaceChildren(
      el("h2", { id: "step", tabindex: -1 }, step.title),
      el("p", {}, el("label", { for: "steps" }, "Step "), list),
      ways([finished]),
      el("p", { class: "help" }, ...coded(HERE)),
      ...step.text.map((block) => this.#block(block)),
      ways([]),
    );
    return true;
  }

  #block(node) {
    if (typeof node === "string") return document.createTextNode(node);
    const inner = () => node.inner.map((one) => this.#block(one));
    switch (node.tag) {
      case "pre": return this.#code(node);
      case "details": return el("details", {}, el("summary", {}, node.summary), ...inner());
      case "table": return el("div", { class: "wide" }, el("table", {}, el("tbody", {}, ...inner())));
      case "link":
        if (node.step) return button(node.inner.join(""), () => this.#page.doing(() => this.open(node.step)), { class: "place" });
        return node.href ? el("a", { href: node.href, target: "_blank", rel: "noopener" }, ...inner()) : el("em", {}, ...inner());
      default: return el(node.tag, {}, ...inner());
    }
  }

  /** A block of text, with its file, and a button where it is to be written. */
  #code(node) {
    const { what, path, text } = node;
    const of = path && el("p", { class: "of" }, what === "find" ? `Find in ${path}:` : `${path}:`);
    const pre = el("pre", { tabindex: 0, "aria-label": path || "an example" }, text.trimEnd());
    const rules = /\.(sut|rhai)$/.test(path) && what in DOES && (what !== "slip" || node.find);
    const does = rules && button(DOES[what], () => this.#write(node), { class: "does" });
    return el("div", { class: `code ${what}` }, of || "", pre, does || "");
  }

  /** Writes what a block says to write, as one step of undo. */
  #write(node) {
    const { store, editor } = this.#page;
    const old = store.files.get(node.path);
    const text = written(node, old);
    if (text === null) return this.#page.say(`the lines that this looks for are not in ${node.path}: they were changed already, or in another way`);
    if (old === undefined) {
      store.write(node.path, text);
      this.#page.texts.list();
      return this.#page.texts.read(node.path);
    }
    this.#page.texts.edit(node.path, [{ range: whole(old), newText: text }]);
    const line = text.split("\n").findIndex((line, at) => line !== old.split("\n")[at]) + 1;
    return editor.line(Math.max(1, line));
  }
}

/** The range of a whole text, as an editor counts. */
function whole(text) {
  const lines = text.split("\n");
  return { start: { line: 0, character: 0 }, end: { line: lines.length - 1, character: lines.at(-1).length } };
}

/** The tab of the tutorial is there while a step is open. */
export function tabOf(page, panel) {
  const nth = page.panels.indexOf(panel);
  const shown = panel.show();
  at(`tab-${nth}`).hidden = !shown;
  if (shown) page.tab(panel.name);
  else if (at(`tab-${nth}`).getAttribute("aria-selected") === "true") page.tab("Why");
  return shown;
}
