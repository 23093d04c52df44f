// Units that are moved on a map: the answers follow while one is held, and dropping it is one step of undo.

export class Drag {
  /** The unit that is held. */
  unit = null;
  #page;
  #wish = null;
  #following = null;

  constructor(page) {
    this.#page = page;
  }

  /** Follows a unit; of places that come faster than answers the last is asked. */
  follow(id, space) {
    const { beside } = this.#page;
    this.unit = id;
    this.#wish = { id, space };
    this.#following ??= this.#page.doing(async () => {
      while (this.#wish) {
        const { id, space } = this.#wish;
        this.#wish = null;
        const call = { call: "drag", unit: id, to: space, show: this.#page.shown.wanted };
        const [frame, there] = await Promise.all([this.#page.game.ask(call), beside.drag(call)]);
        if (there) beside.framed(frame, there);
        this.#page.shown.framed(frame);
      }
    }).finally(() => (this.#following = null));
    return this.#following;
  }

  /** Answers what is done with the units of a map. */
  watch(board) {
    const on = (name, run) => board.addEventListener(name, ({ detail }) => run(detail));
    on("drag", ({ id, space }) => this.follow(id, space));
    on("drop", ({ id, space }) => this.drop(id, space, board));
    on("cancel", ({ id }) => this.cancel(id));
    on("lay", ({ id, dx, dy }) => this.lay(id, dx, dy));
    on("lifted", ({ id }) => this.#page.say(`${id} is held: arrows move it, Enter puts it down, Escape takes it back`));
    on("choose", ({ id }) => this.#page.shown.choose(id));
  }

  async drop(id, space, board = this.#page.board) {
    await this.follow(id, space);
    this.unit = null;
    await this.#page.doing(async () => {
      this.#page.asked.chosen = id;
      this.#page.positions.push(await this.#page.game.json(), `${id} to ${space}`);
      await this.#page.shown.show();
    });
    board.focus(id);
  }

  async cancel(id) {
    const unit = this.#page.positions.data.units.find((one) => one.id === id);
    // A base was shown elsewhere and never laid there.
    if (unit?.at) return this.#page.doing(() => this.#page.shown.show());
    await this.follow(id, unit?.space ?? null);
    this.unit = null;
    return this.#page.shown.framed(this.#page.frame);
  }

  /** Lays a base of a table elsewhere: to the nearest tenth. */
  lay(id, dx, dy) {
    const { positions } = this.#page;
    const unit = positions.data.units.find((one) => one.id === id);
    if (!unit?.at) return;
    const tenths = (text, by) => {
      const [over, under = 1] = text.split("/").map(Number);
      const value = Math.round((over / under + by) * 10);
      return value % 10 === 0 ? String(value / 10) : `${value}/10`;
    };
    const data = positions.data;
    const now = data.units.find((one) => one.id === id);
    now.at = [tenths(unit.at[0], dx), tenths(unit.at[1], dy)];
    this.#page.asked.chosen = id;
    this.#page.shown.propose(JSON.stringify(data), `${id} laid elsewhere`).then(() => this.#page.board.focus(id));
  }
}
