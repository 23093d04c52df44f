// The rules of each game by hand, for lines of JSON: node batch.js DATA POSITIONS, a line of answers for each position.
"use strict";
const fs = require("fs");
const data = JSON.parse(fs.readFileSync(process.argv[2], "utf8"));
const spaces = data.spaces.length;
const units = data.units.length;
const FAR = 1e9;
const OFF = -1;
const spaceAt = new Map(data.spaces.map((id, at) => [id, at]));
const unitAt = new Map(data.units.map((id, at) => [id, at]));
const sideAt = new Map(data.sides.map((id, at) => [id, at]));
const owner = Int8Array.from(data.unit.owner, (o) => o - 1);
const ownerBit = Uint8Array.from(owner, (o) => (o < 0 ? 0 : 1 << o));
const is = (kind) => data.kinds.map((kinds) => kinds.includes(kind));
const asked = is(data.asked);
const where = (name, ...words) => data.space[name].map((word) => words.includes(word));
const links = (...kinds) => data.spaces.map((_, at) => [...new Set(kinds.flatMap((k) => data.links[k][at]))].sort((a, b) => a - b));
const has = (rows, from, to) => rows[from].includes(to);
const masks = () => new Uint8Array(spaces);

// A position, filled from each line.
const space = new Int16Array(units);
const control = new Int8Array(spaces);
const fact = new Array(units).fill(0);
const start = {
  space: Int16Array.from(data.unit.space, (s) => s - 1),
  control: Int8Array.from(data.space.control, (s) => s - 1),
  fact: data.varying === null ? new Array(units).fill(0) : data.unit[data.varying],
};
const queue = new Int32Array(spaces * 64);
const stand = (mask, counts) => {
  mask.fill(0);
  for (let unit = 0; unit < units; unit += 1) if (space[unit] !== OFF && counts(unit)) mask[space[unit]] |= ownerBit[unit];
};

// Breadth first from `ends`, as far as `most`.
const flood = (length, near, ends, most, passes) => {
  let first = 0;
  let last = 0;
  length.fill(FAR);
  for (let at = 0; at < spaces; at += 1) {
    if (ends(at)) {
      length[at] = 0;
      queue[last++] = at;
    }
  }
  while (first < last) {
    const at = queue[first++];
    const next = length[at] + 1;
    for (const to of near[at]) {
      if (length[to] !== FAR) continue;
      length[to] = next;
      if (next < most && passes(to)) queue[last++] = to;
    }
  }
};

// Dijkstra from `ends` with small costs: a bucket a cost. `ways[at]` are pairs of a space and what a step from there costs.
const march = (cost, ways, ends, most, passes) => {
  const buckets = Array.from({ length: most + 1 }, () => []);
  cost.fill(FAR);
  for (let at = 0; at < spaces; at += 1) {
    if (ends(at)) {
      cost[at] = 0;
      buckets[0].push(at);
    }
  }
  for (let now = 0; now <= most; now += 1) {
    for (const at of buckets[now]) {
      if (cost[at] !== now || (now > 0 && !passes(at))) continue;
      for (const [from, step] of ways[at]) {
        const whole = now + step;
        if (whole <= most && whole < cost[from]) {
          cost[from] = whole;
          buckets[whole].push(from);
        }
      }
    }
  }
};

const games = {
  soldier_kings() {
    const land = where("terrain", "land");
    const { coastal } = data.space;
    const near = links("border");
    const [army, fleet, aboard] = [is("army"), is("fleet"), data.unit.aboard];
    const frederick = data.named.indexOf("Frederick") + 1;
    const [armies, ashore, fleets, others] = [masks(), masks(), masks(), masks()];
    const length = data.sides.map(() => new Int32Array(spaces));
    const reach = (leader) => (leader === 0 ? 1 : leader === frederick ? 3 : 2);
    return () => {
      stand(armies, (u) => army[u]);
      stand(ashore, (u) => army[u] && !aboard[u]);
      stand(fleets, (u) => fleet[u]);
      stand(others, (u) => !army[u] && !fleet[u]);
      data.camps.forEach(({ friends, enemies, neutrals }, side) => {
        const source = (at) => {
          const forces = armies[at] | fleets[at];
          const lost = forces & enemies && !(forces & (friends | neutrals));
          const home = land[at] && control[at] >= 0 && friends & (1 << control[at]) && !lost;
          return home || (coastal[at] && fleets[at] & friends && !((forces | others[at]) & enemies));
        };
        flood(length[side], near, source, 3, (at) => !(ashore[at] & enemies));
      });
      return (unit) => {
        const at = space[unit];
        const { friends } = data.camps[owner[unit]];
        const landing = coastal[at] && armies[at] & friends && fleets[at] & friends;
        return fleet[unit] || aboard[unit] || landing || length[owner[unit]][at] <= reach(fact[unit]);
      };
    };
  },

  blockade_siege() {
    const [rivers, bridges] = [links("river"), links("bridge")];
    const near = links("hexside", "river", "bridge").map((row, at) => row.filter((to) => !has(rivers, at, to) || has(bridges, at, to)));
    const [hub, formation, fortress] = [is("hub"), is("formation"), is("fortress")];
    const [hubs, walls, formations] = [masks(), masks(), masks()];
    const length = data.sides.map(() => new Int32Array(spaces));
    return () => {
      stand(hubs, (u) => hub[u]);
      stand(walls, (u) => fortress[u] && data.unit.stage[u] !== "surrendered");
      stand(formations, (u) => formation[u]);
      data.camps.forEach(({ own, enemies }, side) => {
        flood(length[side], near, (at) => hubs[at] & own, 5, (at) => !(formations[at] & enemies));
      });
      return (unit) => (fact[unit] && walls[space[unit]] & ownerBit[unit]) || length[owner[unit]][space[unit]] <= 5;
    };
  },

  malaya() {
    const near = links("hexside", "strait");
    const [straits, net] = [links("strait"), links("road", "rail")];
    const open = where("terrain", "clear", "cultivated", "city");
    const enter = (terrain) => ({ jungle: [2, 4], swamp: [3, FAR], mountain: [3, FAR], sea: [FAR, FAR] })[terrain] ?? [1, 1];
    const ways = [0, 1].map((armour) =>
      near.map((row, at) =>
        row
          .filter((from) => !has(straits, at, from))
          .map((from) => {
            const cost = enter(data.space.terrain[at])[armour];
            return [from, cost === FAR && has(net, at, from) ? 1 : cost];
          })
          .filter(([, cost]) => cost < FAR),
      ),
    );
    const zone = near.map((row, at) => row.filter((to) => !has(straits, at, to)));
    const enters = [data.spaces.map((_, at) => open[at] || data.space.terrain[at] === "swamp"), open];
    const armour = data.unit.class.map((c) => (c === "armour" ? 1 : 0));
    const east = where("port", "east_coast");
    const japan = sideAt.get("Japan");
    const [all, ofClass] = [masks(), [masks(), masks()]];
    const [free, joined] = [masks(), new Int32Array(spaces)];
    const cost = data.sides.map(() => [new Int32Array(spaces), new Int32Array(spaces)]);
    return () => {
      stand(all, () => true);
      ofClass.forEach((mask, c) => stand(mask, (u) => armour[u] === c));
      data.camps.forEach(({ own, enemies }, side) => {
        for (let at = 0; at < spaces; at += 1) free[at] = all[at] & enemies ? 0 : 1;
        ofClass.forEach((mask, c) => {
          for (let at = 0; at < spaces; at += 1) if (mask[at] & enemies) for (const to of zone[at]) if (enters[c][to]) free[to] = 0;
        });
        for (let at = 0; at < spaces; at += 1) if (all[at] & own) free[at] = 1;
        const line = (at) => free[at] === 1 && control[at] !== 1 - side;
        const source = (at) => (side === japan ? data.space.thai_road[at] || (east[at] && control[at] === japan) : data.space.naval_base[at]);
        flood(joined, net, (at) => source(at) && line(at), FAR, line);
        [0, 1].forEach((c) => {
          march(cost[side][c], ways[c], (at) => joined[at] < FAR && line(at) && net[at].length > 0, 12, (at) => free[at]);
        });
      });
      return (unit) => cost[owner[unit]][armour[unit]][space[unit]] <= data.unit.printed_move[unit];
    };
  },

  sgs() {
    const [roads, seas] = [links("path_link"), links("sea_link")];
    const d = data.space;
    const town = d.structure.map((s) => s !== "none_here");
    const wall = d.structure.map((s, at) => s !== "none_here" && (d.fortification[at] >= 1 || s === "fortress"));
    const openPort = d.port.map((p, at) => p && !d.blockaded[at] && !d.closed[at]);
    const sea = where("terrain", "sea");
    const wagon = data.unit.arm.map((a) => a === "logistics");
    const [afield, walled, wagons] = [masks(), masks(), masks()];
    const supplied = data.sides.map(() => new Uint8Array(spaces));
    const [left, live] = [[masks(), masks()], masks()];
    const walls = (u) => fact[u] && wall[space[u]];
    return () => {
      stand(afield, (u) => !walls(u));
      stand(walled, walls);
      stand(wagons, (u) => wagon[u]);
      data.camps.forEach(({ friends, enemies }, side) => {
        const theirs = (at) => walled[at] & enemies;
        const occupied = (at) => afield[at] & enemies || (theirs(at) && !(afield[at] & friends));
        const valid = (at) => d.allows_supply[at] && !occupied(at);
        const harbour = (at) => openPort[at] && !theirs(at) && valid(at);
        const openSea = (at) => sea[at] && !occupied(at);
        const relay = (at) => ((town[at] || d.port[at]) && !theirs(at)) || wagons[at] & friends;
        const source = (at) => !theirs(at) && d.operative[at] && (d.source_of[at] === side + 1 || d.source_of_both[at]);
        const waiting = [];
        left[0].fill(0);
        left[1].fill(0);
        live.fill(0);
        const begin = (at) => {
          live[at] = 1;
          [valid(at), harbour(at)].forEach((opens, bySea) => {
            if (!opens) return;
            left[bySea][at] = 4;
            waiting.push([at, bySea]);
          });
        };
        for (let at = 0; at < spaces; at += 1) if (source(at)) begin(at);
        for (let first = 0; first < waiting.length; first += 1) {
          const [at, bySea] = waiting[first];
          if (!live[at] && relay(at) && (bySea ? harbour(at) : valid(at))) {
            begin(at);
            continue;
          }
          const next = left[bySea][at] - 1;
          if (next === 0) continue;
          for (const to of bySea ? seas[at] : roads[at]) {
            if (left[bySea][to] >= next || !(bySea ? openSea(to) || harbour(to) : valid(to))) continue;
            left[bySea][to] = next;
            if (!bySea || openSea(to) || (relay(to) && !live[to])) waiting.push([to, bySea]);
          }
        }
        for (let at = 0; at < spaces; at += 1) supplied[side][at] = (left[0][at] && valid(at)) || (left[1][at] && harbour(at)) ? 1 : 0;
      });
      return (unit) => walls(unit) || supplied[owner[unit]][space[unit]];
    };
  },

  nets() {
    const tracks = links("track");
    const lines = ["line_a", "line_b", "line_c", "line_d"].map((l) => links(l));
    const { port, fort, depot_of: depotOf } = data.space;
    const marsh = where("terrain", "marsh");
    const { strength, mounted, train } = data.unit;
    const reach = strength.map((s, u) => (mounted[u] && s <= 4 ? 3 : s >= 7 ? 1 : 2));
    const [armies, strong] = [masks(), masks()];
    const length = new Int32Array(spaces);
    const [served, railed] = [masks(), data.sides.map(masks)];
    const way = data.sides.map(() => new Int32Array(spaces));
    return () => {
      stand(armies, () => true);
      stand(strong, (u) => strength[u] >= 2);
      data.camps.forEach(({ own, enemies }, side) => {
        const enemy = (at) => control[at] >= 0 && enemies & (1 << control[at]);
        const held = (at) => strong[at] & enemies;
        const barred = (at) => held(at) || (fort[at] && enemy(at));
        const clear = (at) => !(fort[at] && enemy(at)) && (!held(at) || armies[at] & own);
        const depot = (at) => depotOf[at] === side + 1 && !enemy(at);
        flood(length, tracks, (at) => depot(at) && !held(at), 6, clear);
        for (let at = 0; at < spaces; at += 1) served[at] = length[at] < FAR ? 1 : 0;
        flood(length, lines[side], (at) => depot(at) && clear(at), FAR, clear);
        for (let at = 0; at < spaces; at += 1) {
          railed[side][at] = length[at] < FAR && clear(at) ? 1 : 0;
          served[at] |= railed[side][at];
        }
        flood(length, lines[side], (at) => port[at] && control[at] === side && !held(at), 2, (at) => port[at] && !held(at));
        for (let at = 0; at < spaces; at += 1) if (length[at] < FAR && port[at] && !enemy(at)) served[at] = 1;
        flood(way[side], tracks, (at) => served[at] && !held(at), 3, (at) => !barred(at));
      });
      return (unit) => {
        const at = space[unit];
        return (train[unit] && !marsh[at] && railed[owner[unit]][at]) || way[owner[unit]][at] <= reach[unit];
      };
    };
  },

  command() {
    const near = links("hexside", "river");
    const [rivers, bridges] = [links("river"), links("bridge")];
    const { terrain, road } = data.space;
    const enter = (at, guns) => {
      if (guns && terrain[at] === "marsh") return FAR;
      return road[at] ? 1 : { clear: 1, rough: 2, wood: 2, marsh: 3, lake: FAR }[terrain[at]];
    };
    const ways = [false, true].map((guns) =>
      near.map((row, at) =>
        enter(at, guns) === FAR ? [] : row.filter((from) => !has(rivers, at, from) || has(bridges, at, from)).map((from) => [from, enter(at, guns)]),
      ),
    );
    const zone = near.map((row, at) => row.filter((to) => !has(rivers, at, to) && terrain[to] !== "wood"));
    const [troop, staff] = [is("troop"), is("staff")];
    const arms = ["foot", "horse", "guns"];
    const sort = data.units.map((_, u) => arms.indexOf(data.unit.arm[u]) + (data.unit.elite[u] ? 3 : 0));
    const [troops, steady, staffs, inZone] = [masks(), masks(), masks(), masks()];
    const cost = data.sides.map(() => arms.concat(arms).map(() => new Int32Array(spaces)));
    const used = data.sides.map((_, side) => [...new Set(sort.filter((_, u) => troop[u] && owner[u] === side))]);
    return () => {
      stand(troops, (u) => troop[u]);
      stand(steady, (u) => troop[u] && !fact[u]);
      stand(staffs, (u) => staff[u]);
      data.camps.forEach(({ own, enemies }, side) => {
        inZone.fill(0);
        for (let at = 0; at < spaces; at += 1) if (steady[at] & enemies) for (const to of zone[at]) inZone[to] = 1;
        for (const s of used[side]) {
          const [horse, elite] = [s % 3 === 1, s >= 3];
          const passes = (at) => {
            const theirs = troops[at] & enemies;
            return troops[at] & own || (!theirs && !inZone[at]) || (horse && !theirs) || (elite && !inZone[at]);
          };
          march(cost[side][s], ways[s % 3 === 2 ? 1 : 0], (at) => staffs[at] & own, horse ? 10 : elite ? 8 : 6, passes);
        }
      });
      return (unit) => !fact[unit] && cost[owner[unit]][sort[unit]][space[unit]] < FAR;
    };
  },
};

const ask = games[data.game]();
const named = new Map(data.named.map((name, at) => [name, at + 1]));
const code = (value) => (typeof value === "string" ? named.get(value) : value === null ? 0 : value);
const out = [];
let number = 0;
for (const text of fs.readFileSync(process.argv[3], "utf8").split("\n")) {
  number += 1;
  if (text === "") continue;
  const position = JSON.parse(text);
  space.set(start.space);
  control.set(start.control);
  for (let unit = 0; unit < units; unit += 1) fact[unit] = start.fact[unit];
  for (const unit of position.units) {
    const at = unitAt.get(unit.id);
    space[at] = unit.space === null ? OFF : spaceAt.get(unit.space);
    if (unit.facts !== undefined) fact[at] = code(unit.facts[data.varying]);
  }
  for (const [id, { control: side }] of Object.entries(position.spaces)) control[spaceAt.get(id)] = side === null ? -1 : sideAt.get(side);
  const yes = ask();
  const states = {};
  for (let unit = 0; unit < units; unit += 1) if (asked[unit] && space[unit] !== OFF) states[data.units[unit]] = data.answers[yes(unit) ? 0 : 1];
  out.push(JSON.stringify({ line: number, states }));
}
process.stdout.write(out.join("\n") + "\n");
