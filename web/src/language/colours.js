// Colours of the rules: the first of a line at once, and as soon as the language server has answered each word as what it means there.
import { StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, ViewPlugin } from "@codemirror/view";

/** The types of the server's tokens, by their numbers, each with its class. */
const CLASSES = ["tok-word", "tok-kind", "tok-fact", "tok-name", "tok-rule", "tok-value", "tok-kind", "tok-name", "tok-rule", "tok-number", "tok-string", "tok-comment", "tok-clause"];
const MARKS = CLASSES.map((name) => Decoration.mark({ class: name }));
/** A text that is longer has the colours of its signs alone. */
const LONGEST = 400_000;
/** How long typing must have stopped before the server is asked. */
const PAUSE = 180;

const coloured = StateEffect.define();

const field = StateField.define({
  create: () => Decoration.none,
  update(marks, transaction) {
    for (const effect of transaction.effects) if (effect.is(coloured)) return effect.value;
    return marks.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** The tokens of a server as marks over a text; each says where it stands from the one before it. */
function marks(doc, data) {
  const found = [];
  let [line, column] = [0, 0];
  for (let at = 0; at + 4 < data.length; at += 5) {
    const [lines, columns, size, type] = data.slice(at, at + 4);
    column = lines ? columns : column + columns;
    line += lines;
    if (line >= doc.lines) break;
    const { from, to } = doc.line(line + 1);
    const end = Math.min(from + column + size, to);
    if (MARKS[type] && from + column < end) found.push(MARKS[type].range(from + column, end));
  }
  return Decoration.set(found, true);
}

/** Asks for the tokens of a file while it is shown: `request` gives them, or nothing where there are none. */
export function colouring(request) {
  const plugin = ViewPlugin.define((view) => {
    let timer;
    let asked = null;
    const ask = async () => {
      const { doc } = view.state;
      if (doc.length > LONGEST || !view.dom.isConnected) return;
      asked = doc;
      const data = (await request())?.data;
      if (data && view.state.doc === doc) view.dispatch({ effects: coloured.of(marks(doc, data)) });
    };
    const soon = () => {
      clearTimeout(timer);
      timer = setTimeout(ask, PAUSE);
    };
    soon();
    return { update: ({ state }) => state.doc !== asked && soon(), destroy: () => clearTimeout(timer) };
  });
  return [field, plugin];
}
