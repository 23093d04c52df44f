// The Iron Rivers, answered by hand: written from the clauses of its rulebook, for positions that stand one a line.
// node iron_rivers.js MAP.json POSITIONS.jsonl prints a line of answers for each position.
"use strict";
const fs = require("fs");

const SIDES = ["Karsk", "Velmar"];
const TURNS = ["october", "november", "december", "january", "february"].flatMap((m) => [`${m}_1`, `${m}_2`]);
const SKIES = ["dry", "mud", "frost", "hard_frost"];
const FAR = Infinity;

// ---- the map: hexes with their neighbours, and what lies on the side between

const ones = (list) => list.map((to) => [to, 1]);

function readMap(file) {
  const { hexes, links } = JSON.parse(fs.readFileSync(file, "utf8"));
  const at = new Map(hexes.map((hex, i) => [hex.id, i]));
  const sides = hexes.map(() => new Map());
  const rails = SIDES.map(() => hexes.map(() => []));
  for (const [i, { id }] of hexes.entries()) {
    const [column, row] = [Number(id.slice(0, 2)), Number(id.slice(2))];
    const lower = column % 2 === 0 ? 0 : -1;
    const around = [[0, -1], [0, 1], [-1, lower], [-1, lower + 1], [1, lower], [1, lower + 1]];
    for (const [dc, dr] of around) {
      const to = at.get(String(column + dc).padStart(2, "0") + String(row + dr).padStart(2, "0"));
      if (to !== undefined) sides[i].set(to, { to, river: null, bridge: null, road: false });
    }
  }
  for (const { kind, from, to, facts } of links) {
    for (const [a, b] of [[at.get(from), at.get(to)], [at.get(to), at.get(from)]]) {
      const side = sides[a].get(b);
      if (kind === "river") side.river = facts.broad ? "broad" : "stream";
      if (kind === "bridge") side.bridge = facts.light ? "light" : "sound";
      if (kind === "road") side.road = true;
      if (kind === "rail") SIDES.forEach((name, s) => (facts.gauge_of ?? name) === name && rails[s][a].push(b));
    }
  }
  const near = sides.map((side) => [...side.values()]);
  return { hexes, at, near, rails: rails.map((side) => side.map(ones)), beside: near.map((row) => ones(row.map(({ to }) => to))) };
}

const map = readMap(process.argv[2]);
const { hexes, near, beside } = map;

// ---- lines

/// Lengths of the shortest lines to each hex, from `starts`, pairs of a hex and a length already behind it. No more than `limit` is
/// spent on the way; `steps` gives the next hexes with their costs, and only `open` hexes are passed through.
function lines(starts, limit, steps, open) {
  const length = new Float64Array(hexes.length).fill(FAR);
  const behind = new Float64Array(hexes.length).fill(FAR);
  const spent = [starts.flat()]; // by points spent: hexes, each with the length behind it
  for (let used = 0; used < spent.length; used += 1) {
    const now = spent[used] ?? [];
    for (let i = 0; i < now.length; i += 2) {
      const [at, before] = [now[i], now[i + 1]];
      if (before >= behind[at]) continue;
      behind[at] = before;
      length[at] = Math.min(length[at], before + used);
      if (used > 0 && !open(at)) continue;
      for (const [to, cost] of steps(at)) {
        if (cost < FAR && used + cost <= limit && before < behind[to]) (spent[used + cost] ??= []).push(to, before);
      }
    }
  }
  return length;
}

/// The same where a line begins again in each hex of `relays`.
function relayed(ends, relays, search) {
  const known = new Map(ends);
  for (;;) {
    const length = search([...known]);
    const nearer = relays.filter((at) => length[at] < (known.get(at) ?? FAR));
    if (nearer.length === 0) return length;
    for (const at of nearer) known.set(at, length[at]);
  }
}

// ---- one position

class Position {
  constructor(position) {
    const world = position.world ?? {};
    this.sky = SKIES.indexOf(world.sky ?? "dry");
    this.turn = TURNS.indexOf(world.turn ?? TURNS[0]);
    this.campaign = world.campaign ?? "autumn";
    this.streamsFrozen = this.sky >= 2; // 2c
    this.broadsFrozen = this.sky === 3 || (this.streamsFrozen && position.rulings?.thick_ice === true); // 2d
    this.control = hexes.map(({ id }) => SIDES.indexOf(position.spaces[id]?.control));
    this.pontoon = hexes.map(({ id }) => position.spaces[id]?.facts?.pontoon === true);
    this.units = position.units.map(({ id, kind, side, space, facts }) => ({
      id, kind, side: SIDES.indexOf(side), at: space === null ? -1 : map.at.get(space), ...facts,
      troop: kind === "troop" || kind === "engineer", hex: (facts.objective ?? null) === null ? -1 : map.at.get(facts.objective),
      target: (facts.aim ?? null) === null ? -1 : map.at.get(facts.aim),
    }));
    this.byId = new Map(this.units.map((unit) => [unit.id, unit]));
    this.here = hexes.map(() => []);
    for (const unit of this.units) if (unit.at >= 0) this.here[unit.at].push(unit);
    this.kept = new Map();
    this.zone = SIDES.map((_, side) => this.zones(side));
    this.free = SIDES.map((_, side) => hexes.map((_, at) => this.isFree(at, side)));
    this.railed = SIDES.map((_, side) => this.trains(side));
  }

  once(key, work) {
    if (!this.kept.has(key)) this.kept.set(key, work());
    return this.kept.get(key);
  }
  troops(side) { return this.units.filter((unit) => unit.troop && unit.side === side); }
  enemies(at, side) { return this.here[at].some((unit) => unit.side !== side); }

  // 3a, 3b: the hexes in an enemy zone of control, as `side` sees them
  zones(side) {
    const zone = hexes.map(() => false);
    for (const { troop, side: owner, steps, at } of this.units) {
      if (!troop || owner === side || steps < 2 || at < 0) continue;
      for (const { to, river, bridge } of near[at]) if (!river || bridge || this.sky === 3) zone[to] = true;
    }
    return zone;
  }
  // 3c
  isFree(at, side) {
    return !this.enemies(at, side) && (!this.zone[side][at] || this.here[at].some((unit) => unit.side === side && unit.troop));
  }

  // 6a
  trains(side) {
    const open = (at) => this.control[at] === side && this.free[side][at];
    const yards = hexes.flatMap((hex, at) => (hex.yard_of === SIDES[side] && open(at) ? [[at, 0]] : []));
    return lines(yards, FAR, (at) => map.rails[side][at], open).map((length, at) => (open(at) ? length : FAR));
  }
  // 6b, 5c: where lines to the rear end
  rearEnds(side) {
    const ends = (hex, at) => (hex.station && this.railed[side][at] < FAR) || hex.edge_of === SIDES[side];
    return hexes.flatMap((hex, at) => (this.free[side][at] && ends(hex, at) ? [[at, 0]] : []));
  }

  // 4e, 4f: points for the river between two hexes; FAR where it bars the way
  crossing({ river, bridge }, to, { arm, kind }) {
    if (bridge === "sound" || (bridge === "light" && arm !== "tank") || !river) return 0;
    if (river === "stream" ? this.streamsFrozen || this.broadsFrozen : this.broadsFrozen) return 0;
    return river === "stream" && (kind === "engineer" || this.pontoon[to]) ? 2 : FAR;
  }
  // 4a, 4b, 2b, 2c: what a step costs
  cost(link, to, unit) {
    const over = this.crossing(link, to, unit);
    if (link.road) return 1 + over;
    const { ground } = hexes[to];
    if (this.streamsFrozen && ground === "marsh") return 2 + over;
    const { arm } = unit;
    const wheels = arm === "motor" || arm === "tank";
    const enter = {
      open: 2, town: 2, woods: wheels ? 6 : arm === "horse" ? 4 : 3, hills: wheels ? 6 : 4, marsh: wheels ? FAR : 6, lake: FAR,
    };
    return enter[ground] * (this.sky === 1 ? 2 : 1) + over;
  }
  // steps of a line that is followed from its end: what is paid is the hex nearer to the end
  back(unit, along) {
    const made = [];
    return (at) => (made[at] ??= near[at].filter(along).map((link) => [link.to, this.cost(link, at, unit)]));
  }

  // 5a
  hearing(unit) {
    const range = unit.army ? this.byId.get(unit.army).range : 0;
    return Math.min(9, Math.max(0, range - (this.sky === 1 ? 1 : 0)));
  }
  orders(unit) {
    const { side } = unit;
    const staff = this.byId.get(unit.army);
    if (!staff || staff.side !== side || staff.at < 0) return FAR;
    const limit = this.hearing(unit);
    return this.once(`orders ${side} ${unit.army} ${limit}`, () => {
      const groups = this.units.filter(({ kind, group, side: owner, at }) => kind === "headquarters" && group && owner === side && at >= 0);
      const open = (at) => !this.enemies(at, side);
      return relayed([[staff.at, 0]], groups.map(({ at }) => at), (ends) => lines(ends, limit, (at) => beside[at], open));
    })[unit.at];
  }
  // 5b
  seniors(unit) {
    return this.troops(unit.side).filter((o) => o.army === unit.army && o.seniority < unit.seniority && this.heard(o)).length;
  }
  heard(unit) { return unit.at >= 0 && this.orders(unit) < FAR; }
  hasOrders(unit) { return this.heard(unit) && this.seniors(unit) < this.byId.get(unit.army).rating; }

  // 5c, 5d
  rear(unit) {
    const { side, arm } = unit;
    return this.once(`rear ${side} ${arm}`, () => {
      const free = (at) => this.free[side][at];
      const groups = this.units.filter(({ kind, group, side: owner, at }) => kind === "headquarters" && group && owner === side && at >= 0 && free(at));
      return relayed(this.rearEnds(side), groups.map(({ at }) => at), (ends) => {
        const byRoad = lines(ends, FAR, this.back(unit, ({ road }) => road), free);
        const joints = hexes.flatMap((_, at) => (byRoad[at] < FAR && free(at) ? [[at, byRoad[at]]] : []));
        const wagons = lines(joints, 8, this.back(unit, () => true), free);
        if (!this.streamsFrozen) return wagons;
        const sledges = lines(joints, 12, (at) => near[at].map(({ to }) => [to, 2]), free);
        return wagons.map((length, at) => Math.min(length, sledges[at]));
      });
    })[unit.at];
  }

  // 7a, 7b
  supply(unit) {
    const { side, arm } = unit;
    return this.once(`supply ${side} ${arm} ${unit.kind === "engineer"}`, () => {
      const free = (at) => this.free[side][at];
      const staffs = this.units.filter((o) => o.kind === "headquarters" && o.side === side && o.at >= 0 && free(o.at) && this.rear(o) < FAR);
      return lines([...this.rearEnds(side), ...staffs.map(({ at }) => [at, 0])], 8, this.back(unit, () => true), free);
    })[unit.at];
  }
  // 7d
  forages(unit) {
    return unit.arm === "horse" && this.sky === 0 && unit.at >= 0 && hexes[unit.at].ground === "open" && !this.zone[unit.side][unit.at];
  }
  supplied(unit) { return unit.at >= 0 && (this.forages(unit) || this.supply(unit) < FAR); }

  // 8a
  fuel(unit) {
    const { side } = unit;
    const lorries = this.byId.get(unit.column);
    if (!this.motorised(unit) || unit.at < 0 || !lorries || lorries.side !== side || lorries.at < 0) return FAR;
    const free = (at) => this.free[side][at];
    if (!free(lorries.at)) return FAR;
    return this.once(`fuel ${side} ${lorries.at}`, () => {
      const marsh = (at) => hexes[at].ground === "marsh";
      const goes = (at, { to, road, river }) => road || (!river && this.sky !== 1 && !(marsh(at) && marsh(to)));
      return lines([[lorries.at, 0]], 3, (at) => near[at].filter((link) => goes(at, link)).map(({ to }) => [to, 1]), free);
    })[unit.at];
  }
  motorised(unit) { return unit.troop && (unit.arm === "motor" || unit.arm === "tank"); }
  // 8b
  drawn(unit) {
    const length = this.fuel(unit);
    if (length === FAR) return 0;
    return this.troops(unit.side).filter((o) => o.column === unit.column && this.fuel(o) <= length).length;
  }
  fuelled(unit) { return this.fuel(unit) < FAR && this.drawn(unit) <= this.byId.get(unit.column).loads; }
  // 8c
  burnt(truck) {
    return this.troops(truck.side).filter((o) => o.marches && o.column === truck.id && this.fuelled(o)).length;
  }

  // 4g, 4h
  allowance(unit) {
    if (unit.troop && unit.turns_out >= 3) return 0;
    if (this.motorised(unit) && !this.fuelled(unit)) return Math.min(unit.move, 2);
    if (unit.troop && (unit.turns_out >= 1 || !this.hasOrders(unit))) return Math.floor(unit.move / 2);
    return unit.move;
  }
  // 4a, 4c, 4d
  march(unit) {
    if (unit.hex < 0 || this.enemies(unit.hex, unit.side)) return FAR;
    const passes = (at) => !this.enemies(at, unit.side) && !this.zone[unit.side][at];
    const steps = (at) => near[at].map((link) => [link.to, this.cost(link, link.to, unit)]);
    return lines([[unit.at, 0]], this.allowance(unit), steps, passes)[unit.hex];
  }

  // 9f
  wayBack(unit) {
    const { side } = unit;
    return this.once(`back ${side}`, () => {
      const open = (at) => this.free[side][at] && hexes[at].ground !== "lake";
      const dry = ({ river, bridge }) => !river || bridge || this.broadsFrozen || (river === "stream" && this.streamsFrozen);
      const ends = this.rearEnds(side).filter(([at]) => open(at));
      return lines(ends, FAR, (at) => near[at].filter(dry).map(({ to }) => [to, 1]), open);
    })[unit.at];
  }

  // 9b, 7e, 7f
  attack(unit) {
    if (unit.turns_out >= 3) return 0;
    if (unit.turns_out >= 1) return Math.ceil(unit.steps / 2);
    return unit.arm === "tank" && this.fuelled(unit) ? 2 * unit.steps : unit.steps;
  }
  defence(unit) { return unit.turns_out >= 2 ? Math.ceil(unit.steps / 2) : unit.steps; }
  // 9b, 9c, 9d
  column(at, side) {
    const attackers = this.troops(side).filter(({ target }) => target === at);
    const defenders = this.here[at].filter((unit) => unit.troop && unit.side !== side);
    const [attack, defence] = [attackers.reduce((sum, o) => sum + this.attack(o), 0), defenders.reduce((sum, o) => sum + this.defence(o), 0)];
    let column = [4, 3, 2, 1, 1 / 2].findIndex((odds) => attack >= odds * defence);
    column = column < 0 ? 0 : 5 - column;
    const { ground } = hexes[at];
    if (["woods", "hills", "town"].includes(ground)) column -= 1;
    const close = near[at].flatMap(({ to, river }) => attackers.filter((o) => o.at === to).map((o) => ({ ...o, river })));
    if (!this.streamsFrozen && close.every(({ river }) => river)) column -= 1;
    if (this.sky === 1) column -= 1;
    const arms = (arm) => close.some((o) => o.arm === arm);
    if (ground !== "town" && arms("tank") && arms("foot")) column += 1;
    if (ground === "town" && close.some(({ kind }) => kind === "engineer")) column += 1;
    if (defenders.length > 0 && defenders.every(({ turns_out }) => turns_out > 0)) column += 1;
    return Math.min(7, Math.max(0, column));
  }

  // 10a, 10b
  arriving(unit) {
    const entry = unit.entry == null ? -1 : map.at.get(unit.entry);
    return unit.at < 0 && !unit.reserve && entry >= 0 && this.turn >= TURNS.indexOf(unit.due) && !this.enemies(entry, unit.side);
  }
  // 11b
  worn(unit) { return unit.steps < unit.full && this.hasOrders(unit) && this.supplied(unit); }

  // 2a, 12b
  world() {
    const month = TURNS[this.turn].split("_")[0];
    const [dry, mud, frost] = { october: [4, 6, 6], november: [2, 5, 6], december: [1, 2, 5], january: [0, 0, 3], february: [1, 3, 5] }[month];
    const held = hexes.reduce((sum, { value }, at) => sum + (this.control[at] === 0 ? value ?? 0 : 0), 0);
    const demanded = { autumn: 18, mud_war: 15, winter: 12 }[this.campaign];
    const verdict = held >= demanded ? "victory_of_Karsk" : held >= demanded - 4 ? "draw" : "victory_of_Velmar";
    return { month, dry, mud, frost, held, demanded, verdict };
  }
}

// ---- what is answered

const length = (value) => (value < FAR ? value : null);
const state = (value, yes, no) => (value ? yes : no);

function answers(p) {
  const on = (units, ask) => Object.fromEntries(units.filter(({ at }) => at >= 0).map((unit) => [unit.id, ask(unit)]));
  const all = (units, ask) => Object.fromEntries(units.map((unit) => [unit.id, ask(unit)]));
  const [troops, staffs] = [p.units.filter(({ troop }) => troop), p.units.filter(({ kind }) => kind === "headquarters")];
  const trains = SIDES.map((_, side) => Object.fromEntries(hexes.map(({ id }, at) => [id, state(p.railed[side][at] < FAR, "railed", "unrailed")])));
  return {
    trains_Karsk: trains[0],
    trains_Velmar: trains[1],
    march: on(p.units, (u) => state(p.march(u) < FAR, "arrives", "falls_short")),
    orders: on(troops, (u) => state(p.orders(u) < FAR, "in_earshot", "out_of_earshot")),
    rear: on(staffs, (u) => state(p.rear(u) < FAR, "in_touch", "out_of_touch")),
    supply: on(troops, (u) => state(p.supplied(u), "supplied", "cut_off")),
    fuel: on(troops, (u) => state(p.fuel(u) < FAR, "in_fuel", "out_of_fuel")),
    way_back: on(troops, (u) => state(p.wayBack(u) < FAR, "has_way_back", "pocketed")),
    "length of march": on(p.units, (u) => length(p.march(u))),
    "length of orders": on(troops, (u) => length(p.orders(u))),
    "length of rear": on(staffs, (u) => length(p.rear(u))),
    "length of supply": on(troops, (u) => (p.forages(u) ? null : length(p.supply(u)))),
    "length of fuel": on(troops, (u) => length(p.fuel(u))),
    "length of way_back": on(troops, (u) => length(p.wayBack(u))),
    allowance: all(p.units, (u) => p.allowance(u)),
    hearing: all(troops, (u) => p.hearing(u)),
    seniors: all(troops, (u) => p.seniors(u)),
    has_orders: all(troops, (u) => p.hasOrders(u)),
    drawn: all(troops, (u) => p.drawn(u)),
    fuelled: all(troops, (u) => p.fuelled(u)),
    burnt: all(p.units.filter(({ kind }) => kind === "truck"), (u) => p.burnt(u)),
    attack: all(troops, (u) => p.attack(u)),
    defence: all(troops, (u) => p.defence(u)),
    "column of aim": all(troops.filter(({ target }) => target >= 0), (u) => p.column(u.target, u.side)),
    arriving: all(p.units, (u) => p.arriving(u)),
    worn: all(troops, (u) => p.worn(u)),
    world: p.world(),
  };
}

const out = [];
for (const text of fs.readFileSync(process.argv[3], "utf8").split("\n")) {
  if (text !== "") out.push(JSON.stringify(answers(new Position(JSON.parse(text)))));
}
process.stdout.write(out.join("\n") + "\n");
