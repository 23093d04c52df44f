// The list of places where a name is used, by keys: the place that is chosen is brought into view, and named to a screen reader. The
// language client does neither.
import { ViewPlugin } from "@codemirror/view";

let named = 0;

export const listed = ViewPlugin.define((view) => {
  const tell = ({ target }) => {
    const list = target.closest(".cm-lsp-reference-panel");
    const chosen = list?.querySelector("[aria-selected]");
    if (!chosen) return;
    chosen.id ||= `place-${++named}`;
    list.setAttribute("aria-activedescendant", chosen.id);
    chosen.scrollIntoView({ block: "nearest" });
  };
  // What the list does with a key is done before it comes here.
  for (const name of ["focusin", "keydown"]) view.dom.addEventListener(name, tell);
  return {};
});
