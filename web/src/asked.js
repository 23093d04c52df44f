// What is asked of the language server by a key and shown beside the text: where a name is used, another name for it, and which
// column of a table comes next.
import { StateEffect, StateField } from "@codemirror/state";
import { ViewPlugin, keymap, showDialog, showPanel, showTooltip } from "@codemirror/view";
import { button, el } from "./dom.js";

/** No list of places is longer. */
const MOST = 300;

const listed = StateEffect.define();

/** The list of places below the text; none while it is null. */
const list = StateField.define({
  create: () => null,
  update(shown, transaction) {
    for (const effect of transaction.effects) if (effect.is(listed)) return effect.value;
    return shown;
  },
  provide: (field) => showPanel.from(field, (make) => make),
});

function close(view) {
  view.dispatch({ effects: listed.of(null) });
  view.focus();
  return true;
}

/** A panel with a line for each place: the file, the number of the line, and what it says. */
function panel(page, places) {
  return (view) => {
    const rows = places.slice(0, MOST).map(({ path, line, text }) => el("li", {}, button(`${path}:${line + 1}`, () => page.goTo(path, line + 1), { class: "place" }), " ", text));
    const more = places.length > MOST ? [el("p", {}, `and ${places.length - MOST} more`)] : [];
    const head = el("div", { class: "row" }, el("b", {}, places.length === 1 ? "used in 1 place" : `used in ${places.length} places`), button("Close", () => close(view)));
    const dom = el("div", { id: "uses", role: "region", "aria-label": "Where it is used", tabindex: 0, onkeydown: (event) => event.key === "Escape" && close(view) }, head, el("ul", {}, ...rows), ...more);
    return { dom, mount: () => dom.querySelector("li button")?.focus() };
  };
}

function uses(page, language, here) {
  return (view) => {
    const [path, at] = here(view.state, view.state.selection.main.head);
    page.doing(async () => {
      const found = (await language.request(path, "textDocument/references", { ...at, context: { includeDeclaration: true } })) ?? [];
      const lines = new Map();
      const places = found.flatMap(({ uri, range }) => {
        const file = language.place(uri);
        if (!lines.has(file)) lines.set(file, page.store.files.get(file)?.split("\n"));
        const text = lines.get(file)?.[range.start.line];
        return text === undefined ? [] : [{ path: file, line: range.start.line, text: text.trim().slice(0, 160) }];
      });
      if (places.length === 0) return page.say("nothing that is written here has another place");
      return view.dispatch({ effects: listed.of(panel(page, places)) });
    });
    return true;
  };
}

function rename(page, language, here) {
  return (view) => {
    const [path, at] = here(view.state, view.state.selection.main.head);
    page.doing(async () => {
      const found = await language.answer(path, "textDocument/prepareRename", at);
      const { doc } = view.state;
      const place = ({ line, character }) => doc.line(line + 1).from + character;
      const range = found?.range ?? found;
      if (!range?.start) return page.say("nothing that is written here has a name");
      const old = found.placeholder ?? doc.sliceString(place(range.start), place(range.end));
      const { result } = showDialog(view, { label: `Another name for ${old}`, input: { name: "name", value: old, "aria-label": `another name for ${old}` }, submitLabel: "Rename", focus: true, class: "rename" });
      const form = await result;
      view.focus();
      const name = form?.elements.namedItem("name").value.trim();
      if (!name || name === old) return undefined;
      const edit = await language.answer(path, "textDocument/rename", { ...at, newName: name });
      const changes = Object.entries(edit?.changes ?? {});
      for (const [uri, edits] of changes) page.edit(language.place(uri), edits);
      if (page.editor.path !== path) page.read(path);
      const count = changes.reduce((sum, [, edits]) => sum + edits.length, 0);
      return page.say(`${old} is ${name} now, in ${count} ${count === 1 ? "place" : "places"} of ${changes.length} ${changes.length === 1 ? "file" : "files"}; each file takes it back by undo`);
    });
    return true;
  };
}

const signed = StateEffect.define();

/** What stands above the cursor in the row of a table. */
const signature = StateField.define({
  create: () => null,
  update(shown, transaction) {
    for (const effect of transaction.effects) if (effect.is(signed)) return effect.value;
    return transaction.docChanged || transaction.selection ? null : shown;
  },
  provide: (field) => showTooltip.from(field),
});

function tooltip(pos, { signatures, activeParameter = 0 }) {
  const [{ label, parameters = [] }] = signatures;
  const range = parameters[activeParameter]?.label;
  const [from, to] = Array.isArray(range) ? range : [label.indexOf(range ?? " "), label.indexOf(range ?? " ") + (range?.length ?? 0)];
  const parts = from >= 0 && to > from ? [label.slice(0, from), el("b", {}, label.slice(from, to)), label.slice(to)] : [label];
  return { pos, above: true, create: () => ({ dom: el("div", { class: "hover", role: "status" }, ...parts) }) };
}

/** Shows the columns of a table while one writes in a row of it. */
function columns(language, here) {
  return ViewPlugin.define((view) => {
    let timer;
    const ask = async () => {
      const { doc, selection } = view.state;
      const pos = selection.main.head;
      if (!view.hasFocus || !/^\s+row\b/.test(doc.lineAt(pos).text.slice(0, 200))) return;
      const found = await language.request(...flat(here(view.state, pos), "textDocument/signatureHelp"));
      if (found?.signatures?.length && view.state.doc === doc && view.state.selection.main.head === pos) {
        view.dispatch({ effects: signed.of(tooltip(pos, found)) });
      }
    };
    return {
      update(update) {
        if (!update.docChanged && !update.selectionSet) return;
        clearTimeout(timer);
        timer = setTimeout(ask, 150);
      },
      destroy: () => clearTimeout(timer),
    };
  });
}

function flat([path, at], method) {
  return [path, method, at];
}

/** The keys and what they show. */
export function naming(page, language, here) {
  const keys = [{ key: "Shift-F12", run: uses(page, language, here) }, { key: "F2", run: rename(page, language, here) }];
  return [list, signature, columns(language, here), keymap.of(keys)];
}
