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
  #view;
  #path = null;
  /** The state of each file, so that each keeps its own undo. */
  #states = new Map();
  #extensions;

  constructor(parent, more = []) {
    super();
    const changed = EditorView.updateListener.of((update) => {
      if (update.docChanged) this.dispatchEvent(new CustomEvent("changed", { detail: { path: this.#path, text: this.text } }));
    });
    this.#extensions = [
      lineNumbers(), history(), drawSelection(), indentUnit.of("  "), bracketMatching(), closeBrackets(), highlightActiveLine(),
      highlightSelectionMatches(), lintGutter(), margin, language, syntaxHighlighting(colours), changed,
      EditorView.lineWrapping, EditorView.contentAttributes.of({ "aria-label": "Rules", tabindex: "0" }),
      // Tab leaves the editor unless it indents on purpose, after Escape as everywhere in it.
      keymap.of([...closeBracketsKeymap, ...completionKeymap, ...lintKeymap, ...searchKeymap, ...historyKeymap, ...defaultKeymap, indentWithTab]),
      ...more,
    ];
    this.#view = new EditorView({ parent, state: this.#fresh("") });
  }

  #fresh(text) {
    return EditorState.create({ doc: text, extensions: this.#extensions });
  }

  /** Forgets all files. */
  reset() {
    this.#states.clear();
    this.#path = null;
  }

  /** Shows a file. */
  open(path, text) {
    if (this.#path !== null) this.#states.set(this.#path, this.#view.state);
    this.#path = path;
    const kept = this.#states.get(path);
    this.#view.setState(kept && kept.doc.toString() === text ? kept : this.#fresh(text));
    this.dispatchEvent(new CustomEvent("opened", { detail: path }));
  }

  get path() {
    return this.#path;
  }

  get text() {
    return this.#view.state.doc.toString();
  }

  get view() {
    return this.#view;
  }

  /** The place of a line, which counts from 0, and of a character in it. */
  offset(line, character) {
    const { doc } = this.#view.state;
    return line < doc.lines ? Math.min(doc.line(line + 1).from + character, doc.line(line + 1).to) : doc.length;
  }

  /** Goes to a line, which counts from 1. */
  line(number) {
    const { doc } = this.#view.state;
    const line = doc.line(Math.max(1, Math.min(number, doc.lines)));
    this.#view.dispatch({ selection: { anchor: line.from, head: line.to }, effects: EditorView.scrollIntoView(line.from, { y: "center" }) });
    this.#view.focus();
  }

  /** Puts other text in a place of the file, as one change that undo takes back. */
  put(from, to, insert) {
    this.#view.dispatch({ changes: { from, to, insert }, selection: { anchor: from + insert.length }, userEvent: "input.fix" });
  }

  /** The same, and goes there. */
  replace(from, to, insert) {
    this.put(from, to, insert);
    this.#view.focus();
  }

  /** Paints what the cases reach of the file that is shown. */
  reached(points) {
    paint(this.#view, points);
  }

  /** Marks what is wrong in the file that is shown. */
  faults(faults) {
    const place = byteMap(this.text);
    const size = this.#view.state.doc.length;
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
    this.#view.dispatch(setDiagnostics(this.#view.state, found));
  }
}
