// The columns of a table are shown wherever the cursor comes to one of its rows; the language client by itself shows them only behind the
// signs that part them.
import { showSignatureHelp } from "@codemirror/lsp-client";
import { ViewPlugin } from "@codemirror/view";

/** How long the cursor must have rested. */
const PAUSE = 150;

export const columns = ViewPlugin.define((view) => {
  let timer;
  const ask = () => {
    const line = view.state.doc.lineAt(view.state.selection.main.head);
    if (view.hasFocus && /^\s+row\b/.test(line.text.slice(0, 200))) showSignatureHelp(view);
  };
  return {
    update(update) {
      if (!update.docChanged && !update.selectionSet) return;
      clearTimeout(timer);
      timer = setTimeout(ask, PAUSE);
    },
    destroy: () => clearTimeout(timer),
  };
});
