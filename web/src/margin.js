// What the cases reach, painted in the margin of the text; gone as soon as the text is another.
import { RangeSet, StateEffect, StateField } from "@codemirror/state";
import { GutterMarker, gutter } from "@codemirror/view";
import { el } from "./dom.js";

const painted = StateEffect.define();

class Reached extends GutterMarker {
  constructor(points) {
    super();
    this.points = points;
  }

  toDOM() {
    const missed = this.points.filter((point) => point.hits === 0);
    const shown = missed.length ? missed : this.points;
    const words = shown.map(({ kind, name, hits, why }) => `${kind} ${name}: ${hits ? `reached ${hits} times` : (why ?? "no case reaches it")}`);
    return el("span", { class: missed.length ? "missed" : "reached", role: "img", "aria-label": words.join("; "), title: words.join("\n") }, missed.length ? "○" : "●");
  }
}

const field = StateField.define({
  create: () => RangeSet.empty,
  update(marks, transaction) {
    for (const effect of transaction.effects) if (effect.is(painted)) return effect.value;
    return transaction.docChanged ? RangeSet.empty : marks;
  },
});

/** The margin, for the extensions of an editor. */
export const margin = [field, gutter({ class: "cm-reached", markers: (view) => view.state.field(field) })];

/** Paints the points of a file. */
export function paint(view, points) {
  const lines = new Map();
  for (const point of points) {
    if (point.line < view.state.doc.lines) lines.set(point.line, [...(lines.get(point.line) ?? []), point]);
  }
  const marks = [...lines].sort(([a], [b]) => a - b).map(([line, all]) => new Reached(all).range(view.state.doc.line(line + 1).from));
  view.dispatch({ effects: painted.of(RangeSet.of(marks)) });
}
