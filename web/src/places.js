// Where counters lie, by the rule of the drawing (`src/draw/stacks.rs`): in rows that stay inside the border of their space, smaller where
// they must be; and piled, all of a side that have the same answer, where even that has no room. All lengths are tenths of a pixel.

export const HEIGHT = 150;
/** How wide the box of an answer's mark is. */
export const MARK = 120;
const GAP = 20;
/** Rows on an area grow no wider than this, unless one alone is wider. */
const ROW = 840;
/** Ids longer than this are cut. */
const LONG = 12;
/** The sizes that are tried, in hundredths. */
const SIZES = [100, 85, 70, 60];
/** Between a counter and the border of its space. */
const CLEAR = 20;

/** How wide a letter is, in thousandths of the size of the text. */
const LETTERS = [[/[ijl'.,:;|!I]/, 340], [/[ ftr()\-/[\]]/, 420], [/[mwM…W%@]/, 1000], [/[a-z0-9_]/, 640], [/[A-Z]/, 790], [/[\0-\x7f]/, 840], [/(?![\u{600}-\u{10ffff}])\p{Alphabetic}/u, 800]];
const widths = new Map();

function letter(sign) {
  return LETTERS.find(([which]) => which.test(sign))?.[1] ?? 1100;
}

/** How wide words are on a counter. */
function wordsWidth(words) {
  let wide = widths.get(words);
  if (wide === undefined) {
    wide = Math.trunc(([...words].reduce((sum, sign) => sum + letter(sign), 0) * 108 + 999) / 1000);
    widths.set(words, wide);
  }
  return wide;
}

function single(unit) {
  const words = [...unit.id.replaceAll("_", " ")];
  return { units: [unit], words: words.length <= LONG ? words.join("") : `${words.slice(0, LONG - 1).join("")}…` };
}

/** How wide a counter is before it is made smaller. */
export function width({ units: [unit], words }) {
  return Math.max(wordsWidth(words) + 60, 200) + (unit.yes === null ? 0 : MARK);
}

/** One counter for all units of a side that have the same answer. */
function piles(scene, units) {
  const all = new Map();
  for (const unit of units) {
    const key = `${unit.side} ${unit.yes}`;
    const pile = all.get(key);
    if (pile) pile.units.push(unit);
    else all.set(key, single(unit));
  }
  for (const pile of all.values()) {
    if (pile.units.length > 1) pile.words = `${scene.sides[pile.units[0].side]?.letter ?? ""}×${pile.units.length}`;
  }
  return [...all.values()];
}

/** Where a shape without dents begins and ends at a height. */
function span(outline, y) {
  let [least, most] = [Infinity, -Infinity];
  outline.forEach(([ax, ay], nth) => {
    const [bx, by] = outline[(nth + 1) % outline.length];
    const [lx, ly, hx, hy] = ay <= by ? [ax, ay, bx, by] : [bx, by, ax, ay];
    if (y < ly || y > hy || ly === hy) return;
    const x = lx + Math.trunc(((hx - lx) * (y - ly)) / (hy - ly));
    least = Math.min(least, x);
    most = Math.max(most, x);
  });
  return least <= most ? [least, most] : null;
}

/** Where a row of this width begins between two heights; nothing where it has no room. */
function left({ outline, middle, most }, wide, top, bottom) {
  const [above, below] = [span(outline, top), span(outline, bottom)];
  if (!above || !below) return null;
  const [low, high] = [Math.max(above[0], below[0]) + CLEAR, Math.min(above[1], below[1]) - CLEAR - wide];
  if (low > high || wide > most) return null;
  return Math.min(Math.max(middle - Math.trunc(wide / 2), low), high);
}

/** Counters of this size in rows; nothing if they have no room. */
function packed(all, room, size) {
  const part = (length) => Math.trunc((length * size) / 100);
  const [height, gap] = [part(HEIGHT), part(GAP)];
  const wide = all.map((counter) => part(width(counter)));
  const found = [];
  for (let top = room.top; found.length < all.length; top += height + gap) {
    if (top + height > room.bottom) return null;
    // As many as have room side by side.
    let [sum, count, begin] = [-gap, 0, 0];
    for (let nth = found.length; nth < all.length; nth++) {
      sum += wide[nth] + gap;
      const at = left(room, sum, top, top + height);
      if (at === null) break;
      [count, begin] = [nth + 1 - found.length, at];
    }
    if (count === 0) return null;
    for (let nth = 0; nth < count; nth++) {
      const counter = all[found.length];
      found.push({ ...counter, x: begin, y: top, size });
      begin += wide[found.length - 1] + gap;
    }
  }
  return found;
}

/** One counter for all: how many there are. */
function heap(units, room) {
  const size = SIZES.at(-1);
  const counter = { units, words: `×${units.length}` };
  const part = (length) => Math.trunc((length * size) / 100);
  return [{ ...counter, size, x: room.middle - Math.trunc(part(width(counter)) / 2), y: Math.min(room.top, room.bottom - part(HEIGHT)) }];
}

function stack(scene, space, units, node) {
  const { outline, anchor: [middle, y] } = scene.spaces[space];
  const bottom = outline.reduce((most, [, at]) => Math.max(most, at), outline.length ? -Infinity : y) - CLEAR;
  const top = y + (node ? (scene.hexes ? 90 : 110) : -50);
  const room = { outline, middle, top, bottom, most: scene.hexes ? Infinity : ROW };
  const fits = (all) => {
    for (const size of SIZES) {
      const found = packed(all, room, size);
      if (found) return found;
    }
    return null;
  };
  return fits(units.map(single)) ?? fits(piles(scene, units)) ?? heap(units, room);
}

/** For each unit of a frame its counter: where it lies, how large it is, what is written on it, and with which units it shares it. */
export function places(scene, frame) {
  const stacks = new Map();
  for (const unit of frame.units) {
    if (stacks.has(unit.space)) stacks.get(unit.space).push(unit);
    else stacks.set(unit.space, [unit]);
  }
  const found = new Map();
  for (const [space, units] of stacks) {
    const node = !scene.hexes || frame.control[space] !== null || frame.reach !== null;
    for (const counter of stack(scene, space, units, node)) for (const unit of counter.units) found.set(unit.id, counter);
  }
  return found;
}
