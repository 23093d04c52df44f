// Completion, what a word means, where it is written, and the layout: asked of the language server,
// which runs in the engine. It is begun with the first question.
import { autocompletion } from "@codemirror/autocomplete";
import { hoverTooltip, keymap } from "@codemirror/view";
import { naming } from "./asked.js";
import { colouring } from "./colours.js";
import { el } from "./dom.js";
import { Engine, Refused } from "./engine.js";

const ROOT = "file:///game/";
const KINDS = { 3: "function", 5: "property", 6: "variable", 7: "class", 10: "enum", 13: "enum", 14: "keyword", 18: "text", 20: "constant", 21: "constant" };
const isSuite = (path) => /(^|\/)suite[^/]*\.sut$/.test(path);

export class Language {
  engine = new Engine();
  #store;
  #server = null;
  #generation = -1;
  #suites = false;
  /** What the server has of each file. */
  #sent = new Map();
  #next = 1;

  constructor(store) {
    this.#store = store;
    store.addEventListener("opened", () => (this.#server = null));
  }

  #message(message) {
    return this.engine.ask({ call: "message", server: this.#server, message: { jsonrpc: "2.0", ...message } }, 8000);
  }

  #tell(method, params) {
    return this.#message({ method, params });
  }

  /** A server that knows the texts as they are now; suites are left out where none is shown. */
  async #ready(path) {
    const suites = isSuite(path);
    if (this.#server === null || this.#generation !== this.engine.generation || suites !== this.#suites) {
      if (this.#server !== null && this.#generation === this.engine.generation) {
        await this.engine.ask({ call: "close", rules: null, game: null, position: null, server: this.#server });
      }
      const { server } = await this.engine.ask({ call: "serve", texts: {} });
      [this.#server, this.#generation, this.#suites] = [server, this.engine.generation, suites];
      this.#sent.clear();
      await this.#message({ id: 0, method: "initialize", params: { capabilities: {}, rootUri: ROOT } });
    }
    for (const [name, text] of Object.entries(this.#store.texts({ suites }))) {
      const old = this.#sent.get(name);
      if (old === text) continue;
      this.#sent.set(name, text);
      const uri = ROOT + encodeURI(name);
      if (old === undefined) await this.#tell("textDocument/didOpen", { textDocument: { uri, languageId: "sutler", version: 1, text } });
      else await this.#tell("textDocument/didChange", { textDocument: { uri, version: this.#next++ }, contentChanges: [{ text }] });
    }
  }

  /** The answer to a question about a file; nothing where there is none. */
  async request(path, method, params) {
    return this.answer(path, method, params).catch(() => null);
  }

  /** The same, or why it is refused. */
  async answer(path, method, params) {
    await this.#ready(path);
    const id = this.#next++;
    const out = await this.#message({ id, method, params: { textDocument: { uri: ROOT + encodeURI(path) }, ...params } });
    const { result, error } = out.find((one) => one.id === id) ?? {};
    if (error) throw new Refused([error]);
    return result ?? null;
  }

  /** A file and a line of the game from what the server names. */
  place(uri) {
    return uri.startsWith(ROOT) ? decodeURI(uri.slice(ROOT.length)) : null;
  }
}

function position(doc, at) {
  const line = doc.lineAt(at);
  return { line: line.number - 1, character: at - line.from };
}

function offset(doc, { line, character }) {
  if (line >= doc.lines) return doc.length;
  const found = doc.line(line + 1);
  return Math.min(found.from + character, found.to);
}

/** Markdown as lines of text: nothing in it becomes an element. */
function plain(markdown) {
  return markdown.replaceAll(/^```\w*\n?/gm, "").replaceAll("**", "").replaceAll("`", "").trim();
}

function words(contents) {
  return plain(typeof contents === "string" ? contents : (contents?.value ?? ""));
}

/** What the editor asks of the server. */
export function asking(page, language) {
  const here = (state, at) => [page.editor.path, { position: position(state.doc, at) }];
  const complete = async (context) => {
    const typed = context.matchBefore(/[\p{L}\p{N}_.-]*/u);
    if (!context.explicit && typed.from === typed.to) return null;
    const [path, at] = here(context.state, context.pos);
    const found = await language.request(path, "textDocument/completion", at);
    const items = Array.isArray(found) ? found : found?.items;
    if (!items?.length || context.aborted) return null;
    const from = items[0].textEdit ? offset(context.state.doc, items[0].textEdit.range.start) : typed.from;
    const options = items.map((item) => ({ label: item.label, apply: item.textEdit?.newText ?? item.label, type: KINDS[item.kind], detail: item.detail, info: item.documentation ? () => el("div", {}, words(item.documentation)) : undefined, sortText: item.sortText }));
    return { from, options, validFor: /^[\p{L}\p{N}_.-]*$/u };
  };
  const hover = hoverTooltip(async (view, at) => {
    const [path, where] = here(view.state, at);
    const found = await language.request(path, "textDocument/hover", where);
    if (!found) return null;
    const { doc } = view.state;
    const range = found.range ? [offset(doc, found.range.start), offset(doc, found.range.end)] : [at, at];
    return { pos: range[0], end: range[1], create: () => ({ dom: el("div", { class: "hover" }, words(found.contents)) }) };
  });
  const define = (view) => {
    const [path, at] = here(view.state, view.state.selection.main.head);
    language.request(path, "textDocument/definition", at).then((found) => {
      const one = Array.isArray(found) ? found[0] : found;
      const file = one && language.place(one.uri ?? one.targetUri);
      if (file) page.goTo(file, (one.range ?? one.targetRange).start.line + 1);
      else page.say("nothing that is written here has another place");
    });
    return true;
  };
  const layout = (view) => {
    language.request(page.editor.path, "textDocument/formatting", { options: { tabSize: 2, insertSpaces: true } }).then((edits) => {
      const { doc } = view.state;
      const changes = (edits ?? []).map(({ range, newText }) => ({ from: offset(doc, range.start), to: offset(doc, range.end), insert: newText }));
      if (changes.length) view.dispatch({ changes, userEvent: "format" });
    });
    return true;
  };
  const tokens = () => page.editor.path && language.request(page.editor.path, "textDocument/semanticTokens/full", {});
  return [naming(page, language, here), colouring(tokens), autocompletion({ override: [complete] }), hover, keymap.of([{ key: "F12", run: define }, { key: "Shift-Alt-f", run: layout }])];
}
