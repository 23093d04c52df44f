// Full traces by hand: typed arrays, a queue for the roads, a heap for the country. Asked over the pipe, a line a round.
"use strict";
const data = JSON.parse(require("fs").readFileSync(process.argv[2], "utf8"));
const near = Int32Array.from(data.near);
const hexes = near.length / 6;
const cost = data.cost.map((c) => Uint8Array.from(c));
const roads = data.roads.map((r) => Int32Array.from(r));
const NEVER = 0x7fffffff;
const held = [new Uint8Array(hexes), new Uint8Array(hexes)];
const free = new Uint8Array(hexes);
const reached = new Uint8Array(hexes);
const best = new Int32Array(hexes);
const queue = new Int32Array(hexes);

class Heap {
  constructor() {
    this.keys = [];
    this.hexes = [];
  }
  push(key, hex) {
    const { keys, hexes } = this;
    let at = keys.length;
    keys.push(key);
    hexes.push(hex);
    while (at > 0) {
      const up = (at - 1) >> 1;
      if (keys[up] <= key) break;
      keys[at] = keys[up];
      hexes[at] = hexes[up];
      at = up;
    }
    keys[at] = key;
    hexes[at] = hex;
  }
  pop() {
    const { keys, hexes } = this;
    this.key = keys[0];
    this.hex = hexes[0];
    const key = keys.pop();
    const hex = hexes.pop();
    const size = keys.length;
    if (size === 0) return;
    let at = 0;
    for (;;) {
      let down = 2 * at + 1;
      if (down >= size) break;
      if (down + 1 < size && keys[down + 1] < keys[down]) down += 1;
      if (keys[down] >= key) break;
      keys[at] = keys[down];
      hexes[at] = hexes[down];
      at = down;
    }
    keys[at] = key;
    hexes[at] = hex;
  }
}
const heap = new Heap();

function ask(position, answers) {
  const { units, control } = position;
  held[0].fill(0);
  held[1].fill(0);
  for (const unit of units) held[unit[0]][unit[3]] = 1;
  for (let side = 0; side < 2; side += 1) {
    const own = held[side];
    const enemy = held[1 - side];
    free.fill(1);
    for (let hex = 0; hex < hexes; hex += 1) {
      if (enemy[hex] === 0) continue;
      free[hex] = 0;
      for (let way = 6 * hex; way < 6 * hex + 6; way += 1) if (near[way] >= 0) free[near[way]] = 0;
    }
    for (let hex = 0; hex < hexes; hex += 1) free[hex] |= own[hex];
    reached.fill(0);
    const ends = [];
    let first = 0;
    let last = 0;
    for (const depot of data.depots) {
      if (control[depot] !== side + 1) continue;
      reached[depot] = 1;
      queue[last++] = depot;
    }
    while (first < last) {
      const hex = queue[first++];
      if (free[hex] === 1 && roads[hex].length > 0) ends.push(hex);
      for (const next of roads[hex]) {
        if (reached[next] === 1) continue;
        reached[next] = 1;
        if (free[next] === 1) queue[last++] = next;
      }
    }
    for (let horse = 0; horse < 2; horse += 1) {
      let longest = 0;
      for (const unit of units) if (unit[0] === side && unit[1] === horse && unit[2] > longest) longest = unit[2];
      best.fill(NEVER);
      for (const end of ends) {
        best[end] = 0;
        heap.push(0, end);
      }
      const costs = cost[horse];
      while (heap.keys.length > 0) {
        heap.pop();
        const { key, hex } = heap;
        if (key > best[hex]) continue;
        const whole = key + costs[hex];
        if (whole > longest) continue;
        for (let way = 6 * hex; way < 6 * hex + 6; way += 1) {
          const next = near[way];
          if (next >= 0 && whole < best[next]) {
            best[next] = whole;
            if (free[next] === 1) heap.push(whole, next);
          }
        }
      }
      for (let at = 0; at < units.length; at += 1) {
        const unit = units[at];
        if (unit[0] === side && unit[1] === horse) answers[at] = best[unit[3]] <= unit[2] ? 1 : 0;
      }
    }
  }
}

const all = data.positions.map((p) => new Uint8Array(p.units.length));
require("readline")
  .createInterface({ input: process.stdin })
  .on("line", (line) => {
    const [what, which] = line.split(" ");
    const at = Number(which);
    const start = process.hrtime.bigint();
    ask(data.positions[at], all[at]);
    const time = process.hrtime.bigint() - start;
    process.stdout.write((what === "time" ? String(time) : all[at].join("")) + "\n");
  });
