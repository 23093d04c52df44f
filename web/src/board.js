// The map: drawn by the engine once, with the pieces that move above it.
import { parts } from "./adopt.js";
import { draw } from "./dom.js";
import { NONE } from "./flips.js";
import { Keys } from "./keys.js";
import { Reach, counter, lines, possible, spoken } from "./pieces.js";
import { places } from "./places.js";
import { Pointers } from "./pointers.js";
import { View } from "./view.js";

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
  /** The counters by the ids of their units. */
  units = new Map();
  /** The unit that is being dragged, with where it is held. */
  held = null;
  #selected = null;
  #only = null;

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
    new Pointers(this, container);
    new Keys(this, this.#over);
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
    const boxes = [...this.units.values()].map((group) => group.getBBox());
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
    const spots = places(scene, frame);
    const old = this.units;
    this.units = new Map();
    for (const unit of frame.units) {
      const group = old.get(unit.id) ?? draw("g", { class: "unit", role: "button", tabindex: -1, "data-id": unit.id });
      const place = spots.get(unit.id);
      const state = JSON.stringify([unit.side, unit.yes, place.words, place.units.length]);
      if (group.dataset.state !== state) {
        group.replaceChildren(draw("title"), ...counter(scene, unit, place));
        group.dataset.state = state;
      }
      const words = spoken(scene, frame, unit, flips.units.has(unit.id));
      if (group.getAttribute("aria-label") !== words) {
        group.setAttribute("aria-label", words);
        group.firstChild.textContent = words;
      }
      group.classList.toggle("flips", flips.units.has(unit.id));
      group.classList.toggle("selected", unit.id === this.#selected);
      if (this.held?.id !== unit.id || !this.held.loose) this.#put(group, place);
      this.units.set(unit.id, group);
      if (!group.parentNode) this.#layer.units.append(group);
    }
    for (const [id, group] of old) if (!this.units.has(id)) group.remove();
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
    this.units = new Map(groups.map((group) => [group.dataset.id, group]));
    this.#layer.units.replaceChildren(...groups);
    for (const name of ["lines", "ends", "reach", "badges", "spaces"]) this.#layer[name].replaceChildren();
    this.#tabs();
  }

  /** What is shown of the position. */
  get frame() {
    return this.#frame;
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
    for (const [name, group] of this.units) group.classList.toggle("selected", name === id);
    const space = this.ids.indexOf(id);
    this.#layer.spaces.replaceChildren(...(space < 0 ? [] : [draw("polygon", { class: "chosen", points: this.#outline(space) })]));
    this.#tabs();
    const unit = this.#frame?.units.find((one) => one.id === id);
    const anchor = this.#scene.anchors[unit ? unit.space : space];
    if (show && anchor) this.view.show(anchor, 0.8);
  }

  /** Moves the focus to a unit. */
  focus(id) {
    this.units.get(id)?.focus({ preventScroll: true });
  }

  #put(group, { x, y, size }) {
    const [left, top] = [x, y].map((tenths) => (tenths / 10).toFixed(1));
    group.setAttribute("transform", `translate(${left} ${top})${size === 100 ? "" : ` scale(${size / 100})`}`);
    group.dataset.at = `${left} ${top}`;
  }

  /** One unit takes part in the order of the tab key; arrows go from it to the others. */
  #tabs() {
    const chosen = this.units.get(this.#selected) ?? this.units.values().next().value;
    for (const group of this.units.values()) group.setAttribute("tabindex", group === chosen ? 0 : -1);
  }

  /** The space nearest to a point of the map. */
  nearest({ x, y }) {
    let [best, far] = [-1, Infinity];
    this.#scene.anchors.forEach((anchor, at) => {
      const distance = (anchor.x - x) ** 2 + (anchor.y - y) ** 2;
      if (distance < far) [best, far] = [at, distance];
    });
    return best;
  }

  /** Marks the space over which a unit is held; none to take the mark away. */
  aim(space) {
    this.#layer.spaces.replaceChildren(...(space < 0 ? [] : [draw("polygon", { class: "target", points: this.#outline(space) })]));
  }

  /** Says that the unit that is held is over a space, if it is another one. */
  over(space) {
    if (space === this.held.space) return;
    this.held.space = space;
    this.aim(space);
    this.say("drag", { id: this.held.id, space: this.#scene.spaces[space].id });
  }

  say(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}
