// The map: drawn by the engine once, with the pieces that move above it. Units are dragged by
// pointer, by touch and by keys.
import { parts } from "./adopt.js";
import { draw } from "./dom.js";
import { NONE } from "./flips.js";
import { Reach, counter, lines, places, possible, spoken } from "./pieces.js";
import { View } from "./view.js";

/** A pointer that moves less than this has clicked. */
const STILL = 5;
/** Where the arrows point. */
const WAYS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };

export class Board extends EventTarget {
  view;
  #frame = null;
  #scene = null;
  // Static layers lie apart from those that move, so that a drag paints only what it changes.
  #base = draw("svg", { class: "base", "aria-hidden": "true" });
  #between = draw("svg", { class: "middle", "aria-hidden": "true" });
  #nodes = draw("svg", { class: "base", "aria-hidden": "true" });
  #over = draw("svg", { class: "over", role: "group", "aria-label": "Map" });
  #layer = {};
  #reach;
  #units = new Map();
  #selected = null;
  #only = null;
  /** The unit that is being dragged, with where it is held. */
  #held = null;
  #pointers = new Map();

  constructor(container) {
    super();
    const layers = [this.#base, this.#between, this.#nodes, this.#over];
    container.append(...layers);
    for (const name of ["reach", "lines", "flipping", "spaces", "ends", "badges", "marks", "could", "units"]) {
      this.#layer[name] = draw("g", { class: name, "aria-hidden": name === "units" ? null : "true" });
      (["reach", "lines"].includes(name) ? this.#between : this.#over).append(this.#layer[name]);
    }
    this.#reach = new Reach(this.#layer.reach, this.#layer.badges);
    this.view = new View(container, layers);
    container.addEventListener("pointerdown", (event) => this.#down(event));
    container.addEventListener("pointermove", (event) => this.#move(event));
    for (const name of ["pointerup", "pointercancel"]) container.addEventListener(name, (event) => this.#up(event));
    container.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.view.zoom(Math.exp(-event.deltaY / 400), event.clientX, event.clientY);
    }, { passive: false });
    this.#over.addEventListener("keydown", (event) => this.#key(event));
    this.#over.addEventListener("focusin", ({ target }) => this.#focused(target));
  }

  /** The map of a position, as the engine draws it. */
  open(svg, scene, { fit, name = "" }) {
    const anchors = scene.spaces.map(({ anchor: [x, y] }) => ({ x: x / 10, y: y / 10 }));
    this.#scene = { ...scene, anchors };
    this.#ids = scene.spaces.map((space) => space.id);
    const found = parts(svg);
    const below = scene.table
      ? [...found.rest, found.ground, found.zones]
      : [...found.rest.filter((node) => node.localName !== "text"), found.spaces, found.links];
    this.#base.replaceChildren(...below.filter(Boolean));
    this.#nodes.replaceChildren(...[found.nodes, found.names].filter(Boolean));
    this.legend = found.legend ?? null;
    this.#bases = scene.table ? [...(found.units?.children ?? [])] : [];
    this.#over.setAttribute("aria-label", `${name ? `Map under ${name}` : "Map"}: ${scene.title}`);
    this.#reach.reset();
    this.#box = found.box;
    this.#fit = fit;
  }

  #bases = [];
  #ids = [];
  #box = [0, 0, 1, 1];
  /** Whether the next frame is the first of a map. */
  #fit = false;

  /** Shows the whole map, or what of it can be read around a point. */
  whole(around = null) {
    const scene = this.#scene;
    if (scene) this.view.fit(scene.table ? this.#box[2] : scene.width / 10, scene.table ? this.#box[3] : scene.height / 10, around);
  }

  /** Where to look first: the part of a table around its bases, or the middle of all units of a map. */
  #around() {
    if (!this.#scene.table) return this.#middle(this.#frame);
    const boxes = [...this.#units.values()].map((group) => group.getBBox());
    if (boxes.length === 0) return null;
    const [left, top] = [Math.min(...boxes.map((box) => box.x)), Math.min(...boxes.map((box) => box.y))];
    const right = Math.max(...boxes.map((box) => box.x + box.width));
    const bottom = Math.max(...boxes.map((box) => box.y + box.height));
    const room = this.#scene.table.scale / 2;
    return { x: (left + right) / 2, y: (top + bottom) / 2, width: right - left + room, height: bottom - top + room };
  }

  /** The middle of all units. */
  #middle(frame) {
    const spots = frame.units.map((unit) => this.#scene.anchors[unit.space]);
    const mean = (name) => spots.reduce((sum, spot) => sum + spot[name], 0) / spots.length;
    return spots.length ? { x: mean("x"), y: mean("y") } : null;
  }

  /** What changes from one position to the next. */
  show(frame, flips = NONE) {
    this.#frame = frame;
    const scene = this.#scene;
    if (scene.table) this.#table(frame);
    if (this.#fit) {
      this.#fit = false;
      this.whole(this.#around());
    }
    if (scene.table) return;
    const spots = places(scene, frame.units);
    const old = this.#units;
    this.#units = new Map();
    for (const unit of frame.units) {
      const group = old.get(unit.id) ?? draw("g", { class: "unit", role: "button", tabindex: -1, "data-id": unit.id });
      const state = JSON.stringify([unit.side, unit.yes]);
      if (group.dataset.state !== state) {
        group.replaceChildren(draw("title"), ...counter(scene, unit));
        group.dataset.state = state;
      }
      const words = spoken(scene, frame, unit, flips.units.has(unit.id));
      if (group.getAttribute("aria-label") !== words) {
        group.setAttribute("aria-label", words);
        group.firstChild.textContent = words;
      }
      group.classList.toggle("flips", flips.units.has(unit.id));
      group.classList.toggle("selected", unit.id === this.#selected);
      if (this.#held?.id !== unit.id || !this.#held.loose) this.#put(group, spots.get(unit.id));
      this.#units.set(unit.id, group);
      if (!group.parentNode) this.#layer.units.append(group);
    }
    for (const [id, group] of old) if (!this.#units.has(id)) group.remove();
    this.#lines();
    this.#reach.show(scene, frame);
    this.#flipping(flips.spaces);
    this.#tabs();
  }

  /** Marks the spaces whose answers flip. */
  #flipping(spaces) {
    if (spaces.size === 0 && !this.#layer.flipping.firstChild) return;
    const ids = [...spaces.keys()].map((id) => this.ids.indexOf(id)).filter((space) => space >= 0);
    this.#layer.flipping.replaceChildren(...ids.map((space) => draw("polygon", { class: "flipped", "data-id": this.ids[space], points: this.#outline(space) })));
  }

  #outline(space) {
    return this.#scene.spaces[space].outline.map(([x, y]) => `${x / 10},${y / 10}`).join(" ");
  }

  #lines() {
    const { shafts, ends } = lines(this.#scene, this.#frame.units, this.#only);
    this.#layer.lines.replaceChildren(...shafts);
    this.#layer.ends.replaceChildren(...ends);
  }

  #table(frame) {
    const groups = this.#bases.map((made, at) => {
      const base = frame.bases[at];
      const group = draw("g", { class: "unit base", role: "button", tabindex: -1, "data-id": base.id, "aria-label": `${base.kind} ${base.id} at ${base.stand}` }, made);
      group.classList.toggle("selected", base.id === this.#selected);
      return group;
    });
    this.#units = new Map(groups.map((group) => [group.dataset.id, group]));
    this.#layer.units.replaceChildren(...groups);
    for (const name of ["lines", "ends", "reach", "badges", "spaces"]) this.#layer[name].replaceChildren();
    this.#tabs();
  }

  /** Where the spaces are. */
  get scene() {
    return this.#scene;
  }

  /** The spaces by their ids, in the order of the scene. */
  get ids() {
    return this.#ids;
  }

  /** Shows the map as it was shown first, in the room that there is now. */
  refit() {
    if (this.#scene && this.#frame) this.whole(this.#around());
  }

  /** Lays the marks of an answer over the map; none to take them away. */
  marks(svg) {
    const found = svg ? parts(svg).marks : null;
    this.#layer.marks.replaceChildren(...(found ? [found] : []));
    this.could(null);
  }

  /** Draws over the map a line that there could be, and rings around what would be changed for it; nothing to take them away. */
  could(made) {
    const spots = (ids) => ids.map((id) => this.#scene?.anchors[this.ids.indexOf(id)]).filter(Boolean);
    this.#layer.could.replaceChildren(...(made ? possible(spots(made.route), spots(made.rings)) : []));
  }

  /** Draws the line of one unit alone, or of all. */
  only(id) {
    this.#only = id;
    if (this.#frame && !this.#scene.table) this.#lines();
  }

  /** Marks a unit or a space as the one that is asked about. */
  select(id, { show = false } = {}) {
    this.#selected = id;
    for (const [name, group] of this.#units) group.classList.toggle("selected", name === id);
    const space = this.ids.indexOf(id);
    this.#layer.spaces.replaceChildren(...(space < 0 ? [] : [draw("polygon", { class: "chosen", points: this.#outline(space) })]));
    this.#tabs();
    const unit = this.#frame?.units.find((one) => one.id === id);
    const anchor = this.#scene.anchors[unit ? unit.space : space];
    if (show && anchor) this.view.show(anchor, 0.8);
  }

  /** Moves the focus to a unit. */
  focus(id) {
    this.#units.get(id)?.focus({ preventScroll: true });
  }

  #put(group, { x, y }) {
    const [left, top] = [x.toFixed(1), y.toFixed(1)];
    group.setAttribute("transform", `translate(${left} ${top})`);
    group.dataset.at = `${left} ${top}`;
  }

  /** One unit takes part in the order of the tab key; arrows go from it to the others. */
  #tabs() {
    const chosen = this.#units.get(this.#selected) ?? this.#units.values().next().value;
    for (const group of this.#units.values()) group.setAttribute("tabindex", group === chosen ? 0 : -1);
  }

  /** The space nearest to a point of the map. */
  #nearest({ x, y }) {
    let [best, far] = [-1, Infinity];
    this.#scene.anchors.forEach((anchor, at) => {
      const distance = (anchor.x - x) ** 2 + (anchor.y - y) ** 2;
      if (distance < far) [best, far] = [at, distance];
    });
    return best;
  }

  #down(event) {
    if (!this.#scene || event.button > 0) return;
    this.#pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    const group = event.target.closest?.(".unit");
    event.currentTarget.setPointerCapture(event.pointerId);
    if (this.#pointers.size > 1) return this.#cancel();
    this.#held = { id: group?.dataset.id ?? null, group, from: { x: event.clientX, y: event.clientY }, loose: false, space: -1 };
  }

  #move(event) {
    const last = this.#pointers.get(event.pointerId);
    if (!last) return;
    const now = { x: event.clientX, y: event.clientY };
    if (this.#pointers.size === 2) this.#pinch(event.pointerId, now);
    this.#pointers.set(event.pointerId, now);
    if (this.#pointers.size !== 1 || !this.#held) return;
    const { from, group } = this.#held;
    if (!this.#held.loose && Math.hypot(now.x - from.x, now.y - from.y) < STILL) return;
    const begins = !this.#held.loose;
    this.#held.loose = true;
    if (!group) return this.view.move(now.x - last.x, now.y - last.y);
    if (begins) group.parentNode.append(group);
    group.classList.add("held");
    const point = this.view.point(now.x, now.y);
    if (this.#scene.table) {
      const start = this.view.point(from.x, from.y);
      group.setAttribute("transform", `translate(${point.x - start.x} ${point.y - start.y})`);
      return;
    }
    group.setAttribute("transform", `translate(${(point.x - 16).toFixed(1)} ${(point.y - 8).toFixed(1)})`);
    this.#over_space(this.#nearest(point));
  }

  #over_space(space) {
    if (space === this.#held.space) return;
    this.#held.space = space;
    this.#layer.spaces.replaceChildren(draw("polygon", { class: "target", points: this.#outline(space) }));
    this.#say("drag", { id: this.#held.id, space: this.#scene.spaces[space].id });
  }

  #pinch(id, now) {
    const [other] = [...this.#pointers].filter(([key]) => key !== id).map(([, at]) => at);
    const before = this.#pointers.get(id);
    const [old, next] = [Math.hypot(before.x - other.x, before.y - other.y), Math.hypot(now.x - other.x, now.y - other.y)];
    this.view.move((now.x - before.x) / 2, (now.y - before.y) / 2);
    if (old > 0) this.view.zoom(next / old, (now.x + other.x) / 2, (now.y + other.y) / 2);
  }

  #up(event) {
    if (!this.#pointers.delete(event.pointerId) || !this.#held || this.#pointers.size > 0) return;
    const held = this.#held;
    if (event.type === "pointercancel") return this.#cancel();
    this.#held = null;
    held.group?.classList.remove("held");
    if (!held.loose) {
      const space = this.#scene.spaces[this.#nearest(this.view.point(event.clientX, event.clientY))];
      if (held.id || space) this.#say("choose", { id: held.id ?? space.id });
      if (held.id) this.focus(held.id);
    } else if (held.id && this.#scene.table) {
      const [from, to] = [this.view.point(held.from.x, held.from.y), this.view.point(event.clientX, event.clientY)];
      const { scale } = this.#scene.table;
      this.#say("lay", { id: held.id, dx: ((to.x - from.x) * 10) / scale, dy: ((from.y - to.y) * 10) / scale });
    } else if (held.id) {
      this.#layer.spaces.replaceChildren();
      this.#say("drop", { id: held.id, space: this.#scene.spaces[held.space].id });
    }
  }

  /** Ends a drag without a move. */
  #cancel() {
    const held = this.#held;
    this.#held = null;
    held?.group?.classList.remove("held");
    if (held?.id && held.loose) {
      this.#layer.spaces.replaceChildren();
      this.#say("cancel", { id: held.id });
    }
  }

  #say(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  #focused(target) {
    const id = target.closest?.(".unit")?.dataset.id;
    const unit = this.#frame?.units.find((one) => one.id === id);
    if (unit && target.matches(":focus-visible")) this.view.show(this.#scene.anchors[unit.space]);
  }

  /** Arrows go to the nearest unit that way, or take a held one to the nearest space that way. */
  #key(event) {
    const id = event.target.closest?.(".unit")?.dataset.id;
    const used = () => {
      event.preventDefault();
      event.stopPropagation();
    };
    if (event.key === "+" || event.key === "-") return used(), this.view.zoom(event.key === "+" ? 1.25 : 0.8);
    if (!id) return undefined;
    if (this.#scene.table) return this.#key_of_table(event, id, used);
    const unit = this.#frame.units.find((one) => one.id === id);
    const held = this.#held?.keys ? this.#held : null;
    if (event.key in WAYS) {
      used();
      const here = this.#scene.anchors[held ? held.space : unit.space];
      if (held) {
        const to = this.#toward(here, WAYS[event.key], this.#scene.anchors.map((anchor, at) => [anchor, at]));
        if (to !== undefined) {
          this.#over_space(to);
          this.view.show(this.#scene.anchors[to]);
        }
        return undefined;
      }
      const others = this.#frame.units.filter((one) => one.id !== id).map((one) => [this.#scene.anchors[one.space], one.id]);
      const same = others.filter(([, other]) => this.#frame.units.find((one) => one.id === other).space === unit.space).map(([, other]) => other);
      const next = this.#toward(here, WAYS[event.key], others) ?? same[0];
      if (next !== undefined) {
        this.#units.get(next).setAttribute("tabindex", 0);
        this.focus(next);
      }
    } else if (event.key === "Enter" || event.key === " ") {
      used();
      if (!held) return this.#say("choose", { id });
      this.#held = null;
      this.#layer.spaces.replaceChildren();
      this.#say("drop", { id, space: this.#scene.spaces[held.space].id });
    } else if (event.key.toLowerCase() === "m" && !held) {
      used();
      this.#held = { id, group: this.#units.get(id), keys: true, loose: false, space: unit.space };
      this.#say("lifted", { id });
    } else if (event.key === "Escape" && held) {
      used();
      this.#held = null;
      this.#layer.spaces.replaceChildren();
      this.#say("cancel", { id });
    }
    return undefined;
  }

  /** On a table arrows go to the nearest base that way, or take a held one a measure further, with Shift a tenth of it. */
  #key_of_table(event, id, used) {
    const group = this.#units.get(id);
    const held = this.#held?.keys ? this.#held : null;
    const way = WAYS[event.key];
    if (way && held) {
      used();
      const far = event.shiftKey ? 0.1 : 1;
      held.dx += way[0] * far;
      held.dy -= way[1] * far;
      const pixels = this.#scene.table.scale / 10;
      group.setAttribute("transform", `translate(${held.dx * pixels} ${-held.dy * pixels})`);
    } else if (way) {
      used();
      const middle = (node) => {
        const { x, y, width, height } = node.getBBox();
        return { x: x + width / 2, y: y + height / 2 };
      };
      const others = [...this.#units].filter(([other]) => other !== id).map(([other, node]) => [middle(node), other]);
      const next = this.#toward(middle(group), way, others);
      if (next !== undefined) this.focus(next);
    } else if (event.key === "Enter" || event.key === " ") {
      used();
      if (!held) return this.#say("choose", { id });
      this.#held = null;
      this.#say("lay", { id, dx: held.dx, dy: held.dy });
    } else if (event.key.toLowerCase() === "m" && !held) {
      used();
      this.#held = { id, group, keys: true, loose: false, dx: 0, dy: 0 };
      this.#say("lifted", { id });
    } else if (event.key === "Escape" && held) {
      used();
      this.#held = null;
      group.removeAttribute("transform");
    }
    return undefined;
  }

  /** Of places the nearest in a direction, within a right angle around it. */
  #toward(here, [dx, dy], all) {
    let [best, far] = [undefined, Infinity];
    for (const [{ x, y }, what] of all) {
      const [ax, ay] = [x - here.x, y - here.y];
      const [ahead, beside] = [ax * dx + ay * dy, Math.abs(ax * dy) + Math.abs(ay * dx)];
      if (ahead > 1 && beside <= ahead * 1.1 && ahead + beside * 1.5 < far) [best, far] = [what, ahead + beside * 1.5];
    }
    return best;
  }
}
