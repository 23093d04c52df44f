// The files of the game as the workspace of the language client. All of them are in it, so that a name is changed in those that no
// editor shows; the server is sent the suites only while they are needed, for each key costs a check of all that it has.
import { ChangeSet, Text } from "@codemirror/state";
import { LSPPlugin, Workspace } from "@codemirror/lsp-client";
import { isSuite } from "../store.js";

/** What the names of all files begin with. */
export const ROOT = "file:///game/";

export function uriOf(path) {
  return ROOT + encodeURI(path);
}

/** The path of a file of the game; nothing for another. */
export function pathOf(uri) {
  return uri.startsWith(ROOT) ? decodeURI(uri.slice(ROOT.length)) : null;
}

class File {
  languageId = "sutler";
  version = 1;
  view = null;
  /** Whether the server has it. */
  sent = false;

  constructor(path, text) {
    this.path = path;
    this.uri = uriOf(path);
    this.text = text;
    this.doc = lines(text);
  }

  getView() {
    return this.view;
  }

  /** The text as it is now. */
  now(text) {
    if (this.text === text) return this.doc;
    const shown = this.view?.state.doc;
    return shown?.toString() === text ? shown : lines(text);
  }
}

function lines(text) {
  return Text.of(text.split(/\r\n?|\n/));
}

export class Files extends Workspace {
  files = [];
  #page;
  #alive;
  /** Whether the server has the suites, and whether it is to have them while one types. */
  #suites = false;
  #shown = false;

  /** `alive` begins a server where there is none. */
  constructor(client, page, alive) {
    super(client);
    this.#page = page;
    this.#alive = alive;
  }

  /** Forgets all files. */
  reset() {
    this.files = [];
    this.#suites = this.#shown = false;
  }

  /** A file is shown. */
  show(path) {
    this.#shown = this.#isSuite(path);
    this.suites(this.#shown);
  }

  /** Sends the suites to the server, or takes them from it. */
  suites(wanted) {
    if (wanted === this.#suites) return;
    this.#suites = wanted;
    for (const file of this.files.filter(({ path }) => this.#isSuite(path))) this.#send(file);
  }

  #isSuite(path) {
    return isSuite(path, this.#page.store.files.get(path) ?? "");
  }

  #send(file) {
    const wanted = this.#suites || !this.#isSuite(file.path);
    if (wanted === file.sent || !this.client.connected) return;
    file.sent = wanted;
    if (wanted) this.client.didOpen(file);
    else this.client.didClose(file.uri);
  }

  connected() {
    for (const file of this.files) {
      file.sent = false;
      this.#send(file);
    }
  }

  syncFiles() {
    this.#alive();
    const changed = [];
    for (const [path, text] of this.#page.store.files) {
      const file = this.getFile(uriOf(path));
      if (!file) this.#add(new File(path, text));
      else if (this.#update(file, text, changed)) file.version += 1;
    }
    // What was asked about all files is answered, and one types again.
    if (changed.length) this.suites(this.#shown);
    return changed.filter(({ file }) => file.sent);
  }

  #add(file) {
    this.files.push(file);
    this.#send(file);
    return file;
  }

  /** Takes the text of a file as it is now; whether it is another. */
  #update(file, text, changed) {
    const [prevDoc, doc] = [file.doc, file.now(text)];
    if (doc === prevDoc) return false;
    const plugin = file.view && LSPPlugin.get(file.view);
    const known = plugin?.syncedDoc === prevDoc && file.view.state.doc === doc;
    const changes = known ? plugin.unsyncedChanges : ChangeSet.of({ from: 0, to: prevDoc.length, insert: doc }, prevDoc.length);
    [file.text, file.doc] = [text, doc];
    plugin?.clear();
    if (doc.eq(prevDoc)) return false;
    if (file.sent) changed.push({ file, prevDoc, changes });
    return true;
  }

  openFile(uri, _, view) {
    const path = pathOf(uri);
    const file = this.getFile(uri) ?? this.#add(new File(path, this.#page.store.files.get(path) ?? view.state.doc.toString()));
    file.view = view;
    // The same text as the same value, so that what is typed is sent as it was typed.
    if (file.doc.eq(view.state.doc)) file.doc = view.state.doc;
  }

  closeFile(uri, view) {
    const file = this.getFile(uri);
    if (file?.view === view) file.view = null;
  }

  /** Makes a change of the server in a file, whether it is shown or not. */
  updateFile(uri, update) {
    const path = pathOf(uri);
    this.#page.editor.of(path, this.#page.store.files.get(path)).dispatch(update);
  }

  async displayFile(uri) {
    const { editor } = this.#page;
    this.#page.look("rules");
    this.#page.texts.read(pathOf(uri));
    if (editor.path !== pathOf(uri)) return null;
    editor.view.focus();
    return editor.view;
  }
}
