// The position that is shown: each one that was, so that all can be undone.

export class Positions extends EventTarget {
  /** The setup it began with; none for one from a link. */
  setup = null;
  #all = [];
  #at = -1;

  /** Begins anew. */
  begin(setup, json) {
    this.setup = setup;
    this.#all = [{ json, what: "the start" }];
    this.#at = 0;
    this.#changed();
  }

  /** The position after a change, with what was done. */
  push(json, what) {
    if (json === this.json) return;
    this.#all.length = this.#at + 1;
    this.#all.push({ json, what });
    this.#at += 1;
    this.#changed();
  }

  undo() {
    if (this.#at > 0) this.#at -= 1;
    this.#changed();
  }

  redo() {
    if (this.#at + 1 < this.#all.length) this.#at += 1;
    this.#changed();
  }

  get json() {
    return this.#all[this.#at]?.json ?? "";
  }

  get data() {
    return JSON.parse(this.json || "{}");
  }

  /** What undo would take back, and redo bring again. */
  get steps() {
    return { undo: this.#at > 0 ? this.#all[this.#at].what : null, redo: this.#all[this.#at + 1]?.what ?? null };
  }

  #changed() {
    this.dispatchEvent(new Event("changed"));
  }
}
