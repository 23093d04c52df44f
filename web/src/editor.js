// The rules as text: colours, what is wrong, and fixes on offer.
import { closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { HighlightStyle, StreamLanguage, bracketMatching, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState } from "@codemirror/state";
import { EditorView, drawSelection, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { margin, paint } from "./margin.js";

/** What is known of a text before the language server has said what each word means. */
const language = StreamLanguage.define({
  name: "sutler",
  token(stream) {
    const begins = stream.sol();
    if (stream.eatSpace()) return null;
    if (stream.match(/^#.*/)) return "comment";
    if (stream.match(/^"[^"]*"?/)) return "string";
    if (stream.match(/^\[[^\]]*\]?/)) return "meta";
    if (stream.match(/^\d+(\/\d+)?\b/)) return "number";
    // An item begins with its word at the left edge.
    if (stream.match(/^[\p{L}_][\p{L}\p{N}_]*/u)) return begins ? "keyword" : "variableName";
    stream.next();
    return null;
  },
  languageData: { commentTokens: { line: "#" } },
});

const colours = HighlightStyle.define([
  { tag: tags.keyword, class: "tok-head" },
  { tag: tags.string, class: "tok-string" },
  { tag: tags.comment, class: "tok-comment" },
  { tag: tags.meta, class: "tok-clause" },
  { tag: tags.number, class: "tok-number" },
]);

/** For a text the place of each byte among its characters. */
export function byteMap(text) {
  const plain = /^[\x00-\x7f]*$/.test(text);
  if (plain) return (byte) => Math.min(byte, text.length);
  const places = [];
  let at = 0;
  for (const char of text) {
    const size = char.codePointAt(0) < 0x80 ? 1 : char.codePointAt(0) < 0x800 ? 2 : char.codePointAt(0) < 0x10000 ? 3 : 4;
    for (let n = 0; n < size; n++) places.push(at);
    at += char.length;
  }
  return (byte) => places[byte] ?? text.length;
}

export class Editor extends EventTarget {
  #parent;
  #more;
  #path = null;
  /** A view of each file that was shown or changed, so that each keeps its undo and the place it was left at. */
  #views = new Map();
  #none;
  #left = new Map();

  /** `more` gives further extensions for a file. */
  constructor(parent, more = () => []) {
    super();
    this.#parent = parent;
    this.#more = more;
    this.#none = new EditorView({ parent, state: EditorState.create({ extensions: this.#extensions() }) });
    // What is listed below the text takes room from it, and not the line that one writes in.
    new ResizeObserver(() => {
      const { view } = this;
      if (view.hasFocus) view.dispatch({ effects: EditorView.scrollIntoView(view.state.selection.main.head) });
    }).observe(parent);
  }

  #extensions() {
    return [
      lineNumbers(), history(), drawSelection(), indentUnit.of("  "), bracketMatching(), closeBrackets(), highlightActiveLine(),
      highlightSelectionMatches(), lintGutter(), margin, language, syntaxHighlighting(colours),
      EditorView.lineWrapping, EditorView.contentAttributes.of({ "aria-label": "Rules", tabindex: "0" }),
      // Tab leaves the editor unless it indents on purpose, after Escape as everywhere in it.
      keymap.of([...closeBracketsKeymap, ...completionKeymap, ...lintKeymap, ...searchKeymap, ...historyKeymap, ...defaultKeymap, indentWithTab]),
    ];
  }

  #fresh(path, text) {
    const changed = EditorView.updateListener.of((update) => {
      if (update.docChanged) this.dispatchEvent(new CustomEvent("changed", { detail: { path, text: update.state.doc.toString() } }));
    });
    return EditorState.create({ doc: text, extensions: [...this.#extensions(), changed, this.#more(path)] });
  }

  /** Forgets all files. */
  reset() {
    for (const view of this.#views.values()) view.destroy();
    this.#views.clear();
    this.#left.clear();
    this.#path = null;
    this.#parent.replaceChildren(this.#none.dom);
  }

  /** The view of a file with a text, whether it is shown or not. */
  of(path, text) {
    const known = this.#views.get(path);
    if (!known) this.#views.set(path, new EditorView({ state: this.#fresh(path, text) }));
    else if (known.state.doc.toString() !== text) known.setState(this.#fresh(path, text));
    return this.#views.get(path);
  }

  /** Shows a file. */
  open(path, text) {
    const view = this.of(path, text);
    if (path !== this.#path) {
      if (this.#path !== null) this.#left.set(this.#path, this.view.scrollSnapshot());
      this.#path = path;
      this.#parent.replaceChildren(view.dom);
      view.dispatch({ effects: this.#left.get(path) ?? [] });
    }
    this.dispatchEvent(new CustomEvent("opened", { detail: path }));
  }

  get path() {
    return this.#path;
  }

  get text() {
    return this.view.state.doc.toString();
  }

  get view() {
    return this.#views.get(this.#path) ?? this.#none;
  }

  /** The place of a line, which counts from 0, and of a character in it. */
  offset(line, character) {
    const { doc } = this.view.state;
    return line < doc.lines ? Math.min(doc.line(line + 1).from + character, doc.line(line + 1).to) : doc.length;
  }

  /** Goes to a line, which counts from 1. */
  line(number) {
    const { doc } = this.view.state;
    const line = doc.line(Math.max(1, Math.min(number, doc.lines)));
    this.view.dispatch({ selection: { anchor: line.from, head: line.to }, effects: EditorView.scrollIntoView(line.from, { y: "center" }) });
    this.view.focus();
  }

  /** Puts other text in a place of the file, as one change that undo takes back. */
  put(from, to, insert) {
    this.view.dispatch({ changes: { from, to, insert }, selection: { anchor: from + insert.length }, userEvent: "input.fix" });
  }

  /** The same, and goes there. */
  replace(from, to, insert) {
    this.put(from, to, insert);
    this.view.focus();
  }

  /** Paints what the cases reach of the file that is shown. */
  reached(points) {
    paint(this.view, points);
  }

  /** Marks what is wrong in the file that is shown. */
  faults(faults) {
    const place = byteMap(this.text);
    const size = this.view.state.doc.length;
    const found = faults.flatMap((fault) => {
      const label = fault.labels.find((one) => one.primary && one.file === this.#path);
      if (!label) return [];
      const from = Math.min(place(label.start), size);
      const to = Math.min(Math.max(place(label.end), from), size);
      const fix = fault.suggestion?.file === this.#path ? fault.suggestion : null;
      const name = fix && (fix.replacement.trim() ? `write \`${fix.replacement.trim().slice(0, 60)}\`` : "take it out");
      const apply = () => this.replace(place(fix.start), place(fix.end), fix.replacement);
      const message = [`${fault.code}: ${fault.message}`, label.text, fault.help, ...fault.notes].filter(Boolean).join("\n");
      return [{ from, to, severity: fault.severity === "note" ? "info" : fault.severity, message, actions: fix ? [{ name, apply }] : [] }];
    });
    this.view.dispatch(setDiagnostics(this.view.state, found));
  }
}
