// The map by keys: arrows go from unit to unit, and take one that is held from space to space.

/** Where the arrows point. */
const WAYS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };

export class Keys {
  #board;

  constructor(board, map) {
    this.#board = board;
    map.addEventListener("keydown", (event) => this.#key(event));
    map.addEventListener("focusin", ({ target }) => this.#focused(target));
  }

  #focused(target) {
    const board = this.#board;
    const id = target.closest?.(".unit")?.dataset.id;
    const unit = board.frame?.units.find((one) => one.id === id);
    if (unit && target.matches(":focus-visible")) board.view.show(board.scene.anchors[unit.space]);
  }

  /** Arrows go to the nearest unit that way, or take a held one to the nearest space that way. */
  #key(event) {
    const board = this.#board;
    const id = event.target.closest?.(".unit")?.dataset.id;
    const used = () => {
      event.preventDefault();
      event.stopPropagation();
    };
    if (event.key === "+" || event.key === "-") return used(), board.view.zoom(event.key === "+" ? 1.25 : 0.8);
    if (!id) return undefined;
    if (board.scene.table) return this.#table(event, id, used);
    const unit = board.frame.units.find((one) => one.id === id);
    const held = board.held?.keys ? board.held : null;
    if (event.key in WAYS) {
      used();
      const here = board.scene.anchors[held ? held.space : unit.space];
      if (held) {
        const to = toward(here, WAYS[event.key], board.scene.anchors.map((anchor, at) => [anchor, at]));
        if (to !== undefined) {
          board.over(to);
          board.view.show(board.scene.anchors[to]);
        }
        return undefined;
      }
      const others = board.frame.units.filter((one) => one.id !== id).map((one) => [board.scene.anchors[one.space], one.id]);
      const same = others.filter(([, other]) => board.frame.units.find((one) => one.id === other).space === unit.space).map(([, other]) => other);
      const next = toward(here, WAYS[event.key], others) ?? same[0];
      if (next !== undefined) {
        board.units.get(next).setAttribute("tabindex", 0);
        board.focus(next);
      }
    } else if (event.key === "Enter" || event.key === " ") {
      used();
      if (!held) return board.say("choose", { id });
      board.held = null;
      board.aim(-1);
      board.say("drop", { id, space: board.scene.spaces[held.space].id });
    } else if (event.key.toLowerCase() === "m" && !held) {
      used();
      board.held = { id, group: board.units.get(id), keys: true, loose: false, space: unit.space };
      board.say("lifted", { id });
    } else if (event.key === "Escape" && held) {
      used();
      board.held = null;
      board.aim(-1);
      board.say("cancel", { id });
    }
    return undefined;
  }

  /** On a table arrows go to the nearest base that way, or take a held one a measure further, with Shift a tenth of it. */
  #table(event, id, used) {
    const board = this.#board;
    const group = board.units.get(id);
    const held = board.held?.keys ? board.held : null;
    const way = WAYS[event.key];
    if (way && held) {
      used();
      const far = event.shiftKey ? 0.1 : 1;
      held.dx += way[0] * far;
      held.dy -= way[1] * far;
      const pixels = board.scene.table.scale / 10;
      group.setAttribute("transform", `translate(${held.dx * pixels} ${-held.dy * pixels})`);
    } else if (way) {
      used();
      const middle = (node) => {
        const { x, y, width, height } = node.getBBox();
        return { x: x + width / 2, y: y + height / 2 };
      };
      const others = [...board.units].filter(([other]) => other !== id).map(([other, node]) => [middle(node), other]);
      const next = toward(middle(group), way, others);
      if (next !== undefined) board.focus(next);
    } else if (event.key === "Enter" || event.key === " ") {
      used();
      if (!held) return board.say("choose", { id });
      board.held = null;
      board.say("lay", { id, dx: held.dx, dy: held.dy });
    } else if (event.key.toLowerCase() === "m" && !held) {
      used();
      board.held = { id, group, keys: true, loose: false, dx: 0, dy: 0 };
      board.say("lifted", { id });
    } else if (event.key === "Escape" && held) {
      used();
      board.held = null;
      group.removeAttribute("transform");
    }
    return undefined;
  }
}

/** Of places the nearest in a direction, within a right angle around it. */
function toward(here, [dx, dy], all) {
  let [best, far] = [undefined, Infinity];
  for (const [{ x, y }, what] of all) {
    const [ax, ay] = [x - here.x, y - here.y];
    const [ahead, beside] = [ax * dx + ay * dy, Math.abs(ax * dy) + Math.abs(ay * dx)];
    if (ahead > 1 && beside <= ahead * 1.1 && ahead + beside * 1.5 < far) [best, far] = [what, ahead + beside * 1.5];
  }
  return best;
}
