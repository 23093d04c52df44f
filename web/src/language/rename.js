// Another name for what stands under the cursor, in all files. The language client's own command takes the word under the cursor for the
// name; the server is asked what the name is, and may say why it has to stay: labels of clauses and titles of cases are no single words.
import { LSPPlugin } from "@codemirror/lsp-client";
import { keymap, showDialog } from "@codemirror/view";

/** Asks for the other name of an old one; nothing where the author has thought better of it. */
async function asked(view, old) {
  const input = { name: "name", value: old, "aria-label": `another name for ${old}` };
  const { result } = showDialog(view, { label: `Another name for ${old}`, input, submitLabel: "Rename", focus: true, class: "rename" });
  const form = await result;
  view.focus();
  return form?.elements.namedItem("name").value.trim();
}

/** Makes the edits of an answer in all files; how many there are, in how many files. */
function made(client, mapping, edit) {
  const files = Object.entries(edit?.changes ?? {}).filter(([, edits]) => edits.length);
  for (const [uri, edits] of files) {
    const at = (place) => mapping.mapPosition(uri, place);
    const changes = edits.map(({ range, newText }) => ({ from: at(range.start), to: at(range.end), insert: newText }));
    client.workspace.updateFile(uri, { changes, userEvent: "rename" });
  }
  return [files.reduce((sum, [, edits]) => sum + edits.length, 0), files.length];
}

async function rename(view, page, language) {
  const { client } = language;
  const { path } = page.editor;
  const position = LSPPlugin.get(view).toPosition(view.state.selection.main.head);
  const found = await language.answer(path, "textDocument/prepareRename", { position });
  if (!found) return page.say("nothing that is written here has a name");
  const old = found.placeholder;
  const name = await asked(view, old);
  if (!name || name === old) return undefined;
  client.sync();
  const [places, files] = await client.withMapping(async (mapping) => made(client, mapping, await language.answer(path, "textDocument/rename", { position, newName: name })));
  const count = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;
  return page.say(`${old} is ${name} now, in ${count(places, "place")} of ${count(files, "file")}; each file takes it back by undo`);
}

/** The key that asks for another name. */
export function renaming(page, language) {
  const run = (view) => {
    page.doing(() => rename(view, page, language));
    return true;
  };
  return keymap.of([{ key: "F2", run, preventDefault: true }]);
}
