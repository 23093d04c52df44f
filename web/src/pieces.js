// The pieces of the map that move: counters, lines, and how spaces stand to a side.
import { draw } from "./dom.js";
import { HEIGHT, MARK, width } from "./places.js";

const LANE = 4.6;
const CLEAR = 10.5;

/** What a reader hears of a unit. */
export function spoken(scene, frame, unit, flips) {
  const side = unit.side === null ? "" : ` of ${scene.sides[unit.side].name}`;
  const title = unit.title && unit.title !== unit.id ? ` (${unit.title})` : "";
  const state = unit.yes === null || !frame.words ? "" : `, ${frame.words[unit.yes ? 0 : 1]}: ${unit.why}`;
  return `${unit.kind} ${unit.id}${title}${side} in ${scene.spaces[unit.space].id}${state}${flips ? "; its answer flips" : ""}`;
}

/** A counter: the colour of the side, the id, and a plus or a cross; of a pile how many units it is for. */
export function counter(scene, unit, place) {
  const colour = unit.side === null ? scene.nobody : scene.sides[unit.side].colour;
  const mark = unit.yes === null ? 0 : MARK / 10;
  const whole = width(place) / 10;
  const high = HEIGHT / 10;
  const plate = (x, y, name) => draw("rect", { class: name, x, y, width: whole, height: high, rx: 2.5, fill: colour, stroke: "#fffdf6" });
  const parts = [
    draw("rect", { class: "flipped", x: -3.5, y: -3.5, width: whole + 7, height: high + 7, rx: 3 }),
    ...(place.units.length > 1 ? [plate(2, -2, "under")] : []),
    plate(0, 0, "body"),
    draw("text", { x: (whole - mark) / 2 + (mark ? 0.6 : 0), y: 11.1, "font-size": 10, class: "b m w" }, place.words),
  ];
  if (mark) {
    const [middle, arm] = [whole - mark - 1 + 5.75, unit.yes ? 3.6 : 2.8];
    const sign = unit.yes
      ? `M${middle} ${7.5 - arm}v${2 * arm}M${middle - arm} 7.5h${2 * arm}`
      : `M${middle - arm} ${7.5 - arm}l${2 * arm} ${2 * arm}M${middle - arm} ${7.5 + arm}l${2 * arm} ${-2 * arm}`;
    parts.push(
      draw("rect", { x: whole - mark - 1, y: 1.5, width: 11.5, height: 12, rx: 1, fill: unit.yes ? "#fffdf6" : "#171310" }),
      draw("path", { d: sign, stroke: unit.yes ? "#26221c" : "#ffffff", "stroke-width": 2, fill: "none" }),
    );
  }
  return parts;
}

function toward(from, to, far) {
  const all = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  return { x: from.x + ((to.x - from.x) * far) / all, y: from.y + ((to.y - from.y) * far) / all };
}

function aside(from, to, far) {
  const all = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  return { x: ((to.y - from.y) * far) / all, y: ((from.x - to.x) * far) / all };
}

/** The spaces of a unit's line: its route, or itself and where it is stopped. */
function way(unit) {
  if (unit.yes) return unit.route ?? [];
  return unit.yes === false && unit.stop !== null && unit.stop !== unit.space ? [unit.space, unit.stop] : [];
}

/** The lines of all units, side by side where they share a link. */
export function lines(scene, units, only) {
  const shown = units.filter((unit) => !only || only === unit.id);
  const lanes = new Map();
  const key = (a, b) => (a < b ? `${a} ${b}` : `${b} ${a}`);
  for (const unit of shown) {
    const spaces = way(unit);
    spaces.slice(1).forEach((to, at) => {
      const row = lanes.get(key(spaces[at], to)) ?? [];
      row.push(unit.id);
      lanes.set(key(spaces[at], to), row);
    });
  }
  const made = { shafts: [], ends: [] };
  for (const unit of shown) {
    const spaces = way(unit);
    const corners = [];
    spaces.slice(1).forEach((to, at) => {
      const [a, b] = [spaces[at], to];
      const [from, end] = [scene.anchors[a], scene.anchors[b]];
      const row = lanes.get(key(a, b));
      const middle = (2 * row.indexOf(unit.id) - (row.length - 1)) * (LANE / 2);
      const shift = aside(from, end, a < b ? middle : -middle);
      const begin = at === 0 ? toward(from, end, CLEAR) : from;
      const stop = at + 2 === spaces.length ? toward(end, from, CLEAR) : end;
      corners.push({ x: begin.x + shift.x, y: begin.y + shift.y }, { x: stop.x + shift.x, y: stop.y + shift.y });
    });
    if (corners.length > 1) {
      const { shaft, end } = line(scene, unit, corners);
      made.shafts.push(shaft);
      made.ends.push(end);
    }
  }
  return made;
}

function line(scene, unit, corners) {
  const colour = unit.side === null ? scene.nobody : scene.sides[unit.side].colour;
  const points = corners.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
  const [before, tip] = corners.slice(-2);
  const halo = draw("polyline", { points, stroke: "#fffdf6", "stroke-width": 5.4 });
  const stroke = draw("polyline", { points, stroke: colour, "stroke-width": 3, "stroke-dasharray": unit.yes ? "none" : "5 4" });
  const shaft = draw("g", { fill: "none", "stroke-linejoin": "round" }, halo, stroke);
  if (unit.yes) {
    const base = toward(tip, before, 9);
    const side = aside(base, tip, 5.2);
    const head = [tip, { x: base.x + side.x, y: base.y + side.y }, { x: base.x - side.x, y: base.y - side.y }];
    const points = head.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
    return { shaft, end: draw("polygon", { points, fill: colour, stroke: "#fffdf6" }) };
  }
  const side = aside(tip, before, 7.5);
  const ends = { x1: tip.x + side.x, y1: tip.y + side.y, x2: tip.x - side.x, y2: tip.y - side.y };
  const bars = [["#fffdf6", 6.5], ["#171310", 3.6]].map(([stroke, width]) => draw("line", { ...ends, stroke, "stroke-width": width }));
  return { shaft, end: draw("g", {}, ...bars) };
}

/** A line that there could be, and rings around what would be changed for it. */
export function possible(route, rings) {
  const points = route.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
  const way = route.length > 1 ? [["halo", 10], ["way", 5]].map(([name, wide]) => draw("polyline", { class: name, points, "stroke-width": wide })) : [];
  const round = rings.flatMap(({ x, y }) => [["halo", 7], ["ring", 3.5]].map(([name, wide]) => draw("circle", { class: name, cx: x.toFixed(1), cy: y.toFixed(1), r: 19, "stroke-width": wide })));
  return [...way, ...round];
}

/** How spaces stand to the side that is shown: an area and a badge for each, made once. */
export class Reach {
  #areas;
  #badges;
  #made = [];
  #signs = [];

  constructor(areas, badges) {
    this.#areas = areas;
    this.#badges = badges;
  }

  /** Begins anew, on another map. */
  reset() {
    this.#made = [];
    this.#signs = [];
    this.#areas.replaceChildren();
    this.#badges.replaceChildren();
  }

  /** Shows what has changed. */
  show(scene, frame) {
    if (!frame.reach) return this.#made.length ? this.reset() : undefined;
    if (this.#made.length === 0) this.#made = scene.spaces.map((space, at) => this.#space(scene, space, at));
    frame.reach.forEach((row, at) => {
      const [sign, words] = row ?? ["", ""];
      const key = `${sign} ${words}`;
      if (this.#signs[at] === key) return;
      this.#signs[at] = key;
      const { area, badge, title, box, text, x } = this.#made[at];
      area.setAttribute("class", `reach ${sign.includes("#") ? "shut" : sign === "-" ? "unreached" : "reached"}`);
      const wide = 6 + 6 * sign.length;
      title.textContent = `${scene.spaces[at].id}: ${words}`;
      box.setAttribute("width", wide);
      text.setAttribute("x", x + 10 + wide / 2);
      text.textContent = sign;
      badge.setAttribute("visibility", sign ? "visible" : "hidden");
    });
    return undefined;
  }

  #space(scene, space, at) {
    const { x, y } = scene.anchors[at];
    const points = space.outline.map(([px, py]) => `${px / 10},${py / 10}`).join(" ");
    const area = draw("polygon", { points });
    const title = draw("title");
    const box = draw("rect", { x: x + 10, y: y - 7, height: 14, rx: 3, fill: "#fffdf6", stroke: "#26221c" });
    const text = draw("text", { y: y + 3.8, "font-size": 10.5, class: "b m" });
    const badge = draw("g", {}, title, box, text);
    this.#areas.append(area);
    this.#badges.append(badge);
    return { area, badge, title, box, text, x };
  }
}
