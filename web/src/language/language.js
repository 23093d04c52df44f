// What may stand here, what a word means, where it is written and used, and the layout: the client of CodeMirror, which asks the language
// server in the engine. The server is begun with the first question.
import { CompletionContext, autocompletion } from "@codemirror/autocomplete";
import { LSPClient, findReferencesKeymap, formatKeymap, hoverTooltips, jumpToDefinitionKeymap, serverCompletionSource, signatureHelp } from "@codemirror/lsp-client";
import { keymap } from "@codemirror/view";
import { Engine, Refused } from "../engine.js";
import { colouring } from "./colours.js";
import { columns } from "./columns.js";
import { Files, ROOT, uriOf } from "./files.js";
import { listed } from "./listed.js";
import { renaming } from "./rename.js";
import { Transport } from "./transport.js";

/** What is typed of a name, or of the number of a clause. */
const TYPED = /^[\p{L}\p{N}_.-]*$/u;
/** Requests end with the budget of the engine, which is shorter for each and counts from when it is asked. */
const PATIENCE = 120_000;
/** What is answered from all files: where a name is used, and how often. */
const EVERYWHERE = ["textDocument/hover", "textDocument/references", "textDocument/rename"];
/** Where the client says nothing if there is nothing. */
const SILENT = ["textDocument/definition", "textDocument/references"];

class Client extends LSPClient {
  request(method, params) {
    if (EVERYWHERE.includes(method)) this.workspace.suites(true);
    return super.request(method, params);
  }
}

export class Language {
  engine = new Engine();
  client;
  #page;
  #transport = null;

  constructor(page) {
    this.#page = page;
    const workspace = (client) => new Files(client, page, () => this.#begin());
    this.client = new Client({ rootUri: ROOT, timeout: PATIENCE, workspace, extensions: this.#extensions() });
    this.engine.addEventListener("ended", () => this.#transport && (this.#transport.ended = true));
    page.store.addEventListener("opened", () => {
      this.#transport?.close();
      this.client.workspace.reset();
    });
  }

  /** For the editor of a file. */
  plugin(path) {
    return [this.client.plugin(uriOf(path), "sutler"), colouring(() => this.request(path, "textDocument/semanticTokens/full", {}))];
  }

  /** A file is shown. */
  shown(path) {
    this.client.workspace.show(path);
  }

  /** The answer to a question about a file; nothing where there is none. */
  async request(path, method, params) {
    return this.answer(path, method, params).catch(() => null);
  }

  /** The same, or why it is refused. */
  async answer(path, method, params) {
    this.client.sync();
    const asked = this.client.request(method, { textDocument: { uri: uriOf(path) }, ...params });
    return asked.catch((error) => Promise.reject(new Refused([error])));
  }

  #begin() {
    if (this.#transport && !this.#transport.ended) return;
    if (this.#transport) this.client.disconnect();
    this.#transport = new Transport(this.engine, {
      answered: (method, result) => this.#answered(method, result),
      ended: (error) => this.#page.say(error.message),
    });
    this.client.connect(this.#transport);
  }

  #answered(method, result) {
    const empty = !result || (Array.isArray(result) && result.length === 0);
    if (empty && SILENT.includes(method)) this.#page.say("nothing that is written here has another place");
  }

  #extensions() {
    const keys = keymap.of([...findReferencesKeymap, ...formatKeymap, ...jumpToDefinitionKeymap]);
    return [hoverTooltips(), signatureHelp(), columns, listed, autocompletion({ override: [offered] }), keys, renaming(this.#page, this)];
  }
}

/** What may stand here, asked for or while a word or a number is typed: the client by itself asks behind a space as well, where a list
 * would take the next Enter, and not behind a digit. */
async function offered(context) {
  if (!context.explicit && !context.matchBefore(/[\p{L}\p{N}_.[-]$/u)) return null;
  const found = await serverCompletionSource(new CompletionContext(context.state, context.pos, true, context.view));
  return found?.options.length ? { ...found, validFor: TYPED } : null;
}
