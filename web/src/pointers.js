// Units dragged by a pointer or a finger, the map moved by one, and scaled by two or by the wheel.

/** A pointer that moves less than this has clicked. */
const STILL = 5;

export class Pointers {
  #board;
  #pointers = new Map();

  constructor(board, container) {
    this.#board = board;
    container.addEventListener("pointerdown", (event) => this.#down(event));
    container.addEventListener("pointermove", (event) => this.#move(event));
    for (const name of ["pointerup", "pointercancel"]) container.addEventListener(name, (event) => this.#up(event));
    container.addEventListener("wheel", (event) => {
      event.preventDefault();
      board.view.zoom(Math.exp(-event.deltaY / 400), event.clientX, event.clientY);
    }, { passive: false });
  }

  #down(event) {
    const board = this.#board;
    if (!board.scene || event.button > 0) return;
    this.#pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    const group = event.target.closest?.(".unit");
    event.currentTarget.setPointerCapture(event.pointerId);
    if (this.#pointers.size > 1) return this.#cancel();
    board.held = { id: group?.dataset.id ?? null, group, from: { x: event.clientX, y: event.clientY }, loose: false, space: -1 };
  }

  #move(event) {
    const board = this.#board;
    const last = this.#pointers.get(event.pointerId);
    if (!last) return;
    const now = { x: event.clientX, y: event.clientY };
    if (this.#pointers.size === 2) this.#pinch(event.pointerId, now);
    this.#pointers.set(event.pointerId, now);
    if (this.#pointers.size !== 1 || !board.held) return;
    const { from, group } = board.held;
    if (!board.held.loose && Math.hypot(now.x - from.x, now.y - from.y) < STILL) return;
    const begins = !board.held.loose;
    board.held.loose = true;
    if (!group) return board.view.move(now.x - last.x, now.y - last.y);
    if (begins) group.parentNode.append(group);
    group.classList.add("held");
    const point = board.view.point(now.x, now.y);
    if (board.scene.table) {
      const start = board.view.point(from.x, from.y);
      group.setAttribute("transform", `translate(${point.x - start.x} ${point.y - start.y})`);
      return;
    }
    group.setAttribute("transform", `translate(${(point.x - 16).toFixed(1)} ${(point.y - 8).toFixed(1)})`);
    board.over(board.nearest(point));
  }

  #pinch(id, now) {
    const board = this.#board;
    const [other] = [...this.#pointers].filter(([key]) => key !== id).map(([, at]) => at);
    const before = this.#pointers.get(id);
    const [old, next] = [Math.hypot(before.x - other.x, before.y - other.y), Math.hypot(now.x - other.x, now.y - other.y)];
    board.view.move((now.x - before.x) / 2, (now.y - before.y) / 2);
    if (old > 0) board.view.zoom(next / old, (now.x + other.x) / 2, (now.y + other.y) / 2);
  }

  #up(event) {
    const board = this.#board;
    if (!this.#pointers.delete(event.pointerId) || !board.held || this.#pointers.size > 0) return;
    const held = board.held;
    if (event.type === "pointercancel") return this.#cancel();
    board.held = null;
    held.group?.classList.remove("held");
    if (!held.loose) {
      const space = board.scene.spaces[board.nearest(board.view.point(event.clientX, event.clientY))];
      if (held.id || space) board.say("choose", { id: held.id ?? space.id });
      if (held.id) board.focus(held.id);
    } else if (held.id && board.scene.table) {
      const [from, to] = [board.view.point(held.from.x, held.from.y), board.view.point(event.clientX, event.clientY)];
      const { scale } = board.scene.table;
      board.say("lay", { id: held.id, dx: ((to.x - from.x) * 10) / scale, dy: ((from.y - to.y) * 10) / scale });
    } else if (held.id) {
      board.aim(-1);
      board.say("drop", { id: held.id, space: board.scene.spaces[held.space].id });
    }
  }

  /** Ends a drag without a move. */
  #cancel() {
    const board = this.#board;
    const held = board.held;
    board.held = null;
    held?.group?.classList.remove("held");
    if (held?.id && held.loose) {
      board.aim(-1);
      board.say("cancel", { id: held.id });
    }
  }
}
