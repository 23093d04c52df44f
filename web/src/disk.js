// Files of the author's disk: opened and saved.
import { read, save } from "./store.js";
import { zipped } from "./zip.js";

export class Disk {
  #page;

  constructor(page) {
    this.#page = page;
  }

  /** Opens what was chosen: a position, or files of a ruleset. */
  async own(list) {
    const { store } = this.#page;
    const json = list.length === 1 && /\.json$/.test(list[0].name) ? await list[0].text() : null;
    if (json) return this.#page.shown.propose(json, list[0].name);
    const texts = await read(list);
    if (Object.keys(texts).length === 0) return this.#page.say("there is no file of a ruleset among these: their names end in `.sut`");
    const before = store.kept("own");
    if (before) {
      store.open("own-before", before, { fresh: true });
      store.keep();
    }
    store.open("own", texts, { fresh: true });
    store.keep();
    return undefined;
  }

  /** Saves the file that is shown. */
  saveFile() {
    const { editor } = this.#page;
    save(editor.path?.split("/").at(-1) ?? "rules.sut", editor.text);
  }

  /** Saves all files: into a folder where the browser can write one, else as an archive, which can be opened again. */
  async saveAll() {
    const texts = this.#page.store.texts();
    if (!globalThis.showDirectoryPicker) return save(`${this.#page.game.opened?.name ?? "rules"}.zip`, zipped(texts), "application/zip");
    const root = await showDirectoryPicker({ mode: "readwrite" }).catch(() => null);
    if (!root) return undefined;
    for (const [path, text] of Object.entries(texts)) {
      const parts = path.split("/");
      let folder = root;
      for (const part of parts.slice(0, -1)) folder = await folder.getDirectoryHandle(part, { create: true });
      const file = await (await folder.getFileHandle(parts.at(-1), { create: true })).createWritable();
      await file.write(text);
      await file.close();
    }
    return this.#page.say(`${Object.keys(texts).length} files are saved`);
  }

  /** Saves the position, or its drawing as the command draws it. */
  async savePosition(form) {
    if (form === "json") save("position.json", this.#page.positions.json, "application/json");
    else save("map.svg", await this.#page.game.ask({ call: "draw", show: this.#page.shown.wanted, form: "svg" }), "image/svg+xml");
  }
}
