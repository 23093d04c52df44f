// Ten Crowns by hand, from the text of its clauses: node ten_crowns.js MAP POSITIONS [supply], a line of answers for each
// position; with `supply` who is in supply, and no more.
"use strict";
const fs = require("fs");

// ---- the printed map and charts
const map = JSON.parse(fs.readFileSync(process.argv[2], "utf8"));
const index = (names) => new Map(names.map((name, at) => [name, at]));
const areas = map.areas.length;
const areaAt = index(map.areas.map((area) => area.id));
const sides = map.sides.length;
const sideAt = index(map.sides);
const NOBODY = -1;
const FAR = 1e9;
const side = (name) => (name === null || name === undefined ? NOBODY : sideAt.get(name));
const home = map.areas.map((area) => side(area.home));
const sea = map.areas.map((area) => area.terrain === "sea");
const mountain = map.areas.map((area) => area.terrain === "mountain");
const neighbours = (kind) => {
  const rows = map.areas.map(() => []);
  for (const link of map.links) {
    if (link.kind !== kind) continue;
    const [a, b] = [areaAt.get(link.from), areaAt.get(link.to)];
    rows[a].push({ ...link, to: b });
    rows[b].push({ ...link, to: a });
  }
  return rows;
};
const rivers = neighbours("river");
const posts = neighbours("post_road").map((row) => row.map((road) => ({ to: road.to, keeper: side(road.keeper) })));
const seaways = neighbours("seaway");
const tracks = neighbours("track").map((row, at) =>
  row.map(({ to, pass }) => ({
    to,
    pass,
    unbridged: rivers[at].some((river) => river.to === to && !river.bridged),
    posted: posts[at].some((road) => road.to === to),
  })),
);
const SEASONS = ["winter", "thaw", "spring", "summer", "autumn", "frost"];
const GATHERING = {
  barren: [1, 1, 2, 2, 2, 1],
  poor: [2, 2, 3, 4, 5, 3],
  fair: [3, 3, 5, 7, 8, 5],
  rich: [5, 4, 8, 10, 12, 7],
};
const GROUND = { plain: 1, hills: 2, forest: 2, mountain: 3, sea: 1 };
const WALLS = [0, 3, 5, 8];
const DEMAND = { the_opening: [24, 24], the_widening: [26, 30], the_reckoning: [28, 32] };
// The highest faces for snow and for mud.
const SKY = { winter: [4, 4], thaw: [0, 3], spring: [0, 1], summer: [0, 1], autumn: [0, 3], frost: [2, 4] };

// ---- dice
const atLeast = (dice, need) => {
  let ways = [1];
  for (let die = 0; die < dice; die += 1) {
    const next = new Array(ways.length + 6).fill(0);
    ways.forEach((count, total) => {
      for (let face = 1; face <= 6; face += 1) next[total + face] += count;
    });
    ways = next;
  }
  return ways.reduce((sum, count, total) => sum + (total >= need ? count : 0), 0);
};
const fraction = (ways, of) => {
  const gcd = (a, b) => (b === 0 ? a : gcd(b, a % b));
  const by = gcd(ways, of);
  return of === by ? ways / by : `${ways / by}/${of / by}`;
};

// ---- a position: who is where, and how nations stand
const read = (text) => {
  const said = JSON.parse(text);
  const facts = (name) => said.sides?.[name]?.facts ?? {};
  const now = { viewer: side(said.viewer), campaign: said.world.campaign, weather: said.world.weather };
  now.season = said.world.turn.slice(0, -5);
  now.earlyFrost = said.rulings?.early_frost ?? false;
  now.camp = map.sides.map((name) => facts(name).camp ?? "apart");
  now.subsidised = map.sides.map((name) => facts(name).subsidised ?? false);
  // An area that nothing is said of is held by the nation whose land it is.
  now.control = map.areas.map(({ id }, at) => (said.spaces[id] ? side(said.spaces[id].control) : home[at]));
  now.magazine = map.areas.map(({ id }) => said.spaces[id]?.facts?.magazine ?? false);
  now.ravaged = map.areas.map(({ id }) => said.spaces[id]?.facts?.ravaged ?? false);
  const leaders = new Map(said.units.filter((unit) => unit.kind === "leader").map((unit) => [unit.id, unit.facts.class]));
  now.units = said.units
    .filter((unit) => unit.kind !== "leader")
    .map((unit) => ({
      id: unit.id,
      owner: side(unit.side),
      at: unit.space === null ? NOBODY : areaAt.get(unit.space),
      corps: unit.kind === "corps" || unit.kind === "hussar",
      hussar: unit.kind === "hussar",
      train: unit.kind === "train",
      fleet: unit.kind === "fleet",
      strength: unit.facts.strength ?? 0,
      guns: unit.facts.guns ?? 0,
      inside: unit.facts.inside ?? false,
      turnsOut: unit.facts.turns_out ?? 0,
      leader: unit.facts.leader ? leaders.get(unit.facts.leader) : null,
    }));
  now.corps = now.units.filter((unit) => unit.corps);
  return now;
};

// 1b: opposed camps are at war; one camp, or one nation, are friends. A nation is a bit.
const relations = (now) => {
  const bits = (holds) =>
    now.camp.map((_, a) => now.camp.reduce((mask, _, b) => (holds(a, b) ? mask | (1 << b) : mask), 0));
  const engaged = (a) => now.camp[a] !== "apart";
  now.foes = bits((a, b) => engaged(a) && engaged(b) && now.camp[a] !== now.camp[b]);
  now.friends = bits((a, b) => a === b || (engaged(a) && now.camp[a] === now.camp[b]));
};
const among = (mask, nation) => nation !== NOBODY && (mask >> nation) % 2 !== 0;

// What stands where: brigades and guns of each nation, and bits of those who are there at all.
const count = (now) => {
  const perSide = () => map.areas.map(() => new Array(sides).fill(0));
  const masks = () => new Array(areas).fill(0);
  Object.assign(now, { field: perSide(), inside: masks(), brigades: perSide(), guns: perSide() });
  Object.assign(now, { present: masks(), afield: masks(), riders: masks(), trains: masks() });
  for (const unit of now.units) {
    if (unit.at === NOBODY) continue;
    const bit = 1 << unit.owner;
    if (unit.fleet) now.guns[unit.at][unit.owner] += unit.guns;
    if (unit.train) now.trains[unit.at] |= bit;
    if (!unit.corps) continue;
    now.present[unit.at] |= bit;
    now.brigades[unit.at][unit.owner] += unit.strength;
    if (unit.inside) {
      now.inside[unit.at] += unit.strength;
    } else {
      now.field[unit.at][unit.owner] += unit.strength;
      now.afield[unit.at] |= bit;
      if (unit.hussar) now.riders[unit.at] |= bit;
    }
  }
};
const total = (row, mask) => row.reduce((sum, value, nation) => (among(mask, nation) ? sum + value : sum), 0);

// Section 5: sieges and blockades are the same for whoever asks.
const sieges = (now) => {
  const each = (of) => map.areas.map(of);
  const holderFoes = (at) => (now.control[at] === NOBODY ? 0 : now.foes[now.control[at]]);
  const holderFriends = (at) => (now.control[at] === NOBODY ? 0 : now.friends[now.control[at]]);
  now.needed = each(({ walls }, at) => WALLS[walls] + now.inside[at]);
  now.besiegers = each((_, at) => total(now.field[at], holderFoes(at)));
  now.besieged = each(({ walls }, at) => walls >= 1 && now.besiegers[at] >= now.needed[at]);
  now.pressure = each((_, at) => Math.min(4, Math.max(0, Math.floor((now.besiegers[at] - now.needed[at]) / 2))));
  now.blockaded = each(({ port, walls }, at) => {
    const off = seaways[at].reduce((sum, { to }) => sum + total(now.guns[to], holderFoes(at)), 0);
    return port && off > 2 * walls + total(now.guns[at], holderFriends(at));
  });
  const season = SEASONS.indexOf(now.season);
  now.passesClosed = now.season === "winter" || (now.earlyFrost && now.season === "frost");
  now.forage = each((area, at) => {
    const whole = GATHERING[area.yield][season];
    return now.ravaged[at] ? Math.floor(whole / 2) : whole;
  });
};

// How areas look to a nation.
const viewOf = (now, nation) => {
  const [foes, friends] = [now.foes[nation], now.friends[nation]];
  const each = (of) => map.areas.map(of);
  const view = { nation, foes, friends };
  view.ours = each((_, at) => among(friends, now.control[at]));
  view.faced = each((_, at) => (now.afield[at] & foes) !== 0);
  view.barred = each(
    ({ walls }, at) => view.faced[at] || (walls >= 1 && among(foes, now.control[at]) && !now.besieged[at]),
  );
  view.screened = each(
    (_, at) => tracks[at].some(({ to }) => (now.riders[to] & foes) !== 0) && (now.present[at] & friends) === 0,
  );
  view.crowd = each((_, at) => total(now.brigades[at], friends));
  view.against = each((_, at) => total(now.field[at], foes));
  view.openPort = each(({ port }, at) => port && view.ours[at] && !now.besieged[at] && !now.blockaded[at]);
  view.openSea = each(
    ({ ice }, at) =>
      sea[at] && !(ice && now.season === "winter") && total(now.guns[at], foes) <= total(now.guns[at], friends),
  );
  view.source = each(
    ({ capital }, at) => (capital || now.magazine[at]) && view.ours[at] && !now.besieged[at],
  );
  view.relay = each((_, at) => (now.trains[at] & friends) !== 0 && !view.faced[at]);
  return view;
};

// ---- lines of supply, section 2
// 2d: what an area costs that is entered overland.
const haul = (now, { to, posted }) => {
  if (posted) return 1;
  return GROUND[map.areas[to].terrain] + (now.weather === "fair" || mountain[to] ? 0 : 1);
};
// The parts of a line in order; a part opens in an area, passes through others and closes in one.
const anywhere = () => true;
const partsOf = (now, view, unit) => {
  const clear = (at) => !view.barred[at];
  const open = ({ pass }) => !pass || !now.passesClosed;
  const dry = ({ to }) => !mountain[to] || now.weather !== "snow";
  const post = {
    ways: posts.map((row) => row.filter(({ keeper }) => among(view.friends, keeper))),
    cost: () => 1,
    budget: FAR,
    opens: clear,
    passes: clear,
    closes: anywhere,
  };
  const overland = {
    ways: tracks.map((row) => row.filter((way) => open(way) && dry(way) && (unit.hussar || !way.unbridged))),
    cost: (way) => haul(now, way),
    budget: reach(unit),
    opens: anywhere,
    passes: (at) => clear(at) && !view.screened[at],
    closes: anywhere,
  };
  const ride = { ...overland, ways: tracks.map((row) => row.filter(open)), cost: () => 1, budget: 3 };
  const voyage = {
    ways: seaways,
    cost: () => 1,
    budget: 4,
    opens: (at) => view.openPort[at],
    passes: (at) => view.openSea[at],
    closes: (at) => view.openPort[at],
  };
  return { first: unit.hussar ? [overland, ride] : [overland], then: [voyage, post] };
};
// The stages of the shortest line. What waits is an area in a part of the line, with what the part has spent.
const lineOf = (now, view, unit) => {
  const { first, then } = partsOf(now, view, unit);
  const parts = [...first, ...then];
  const best = new Map();
  const buckets = [];
  const wait = (part, at, spent, length) => {
    const spends = parts[part].budget === FAR ? (spent === 0 ? 0 : 1) : spent;
    const key = (part * areas + at) * 8 + spends;
    if ((best.get(key) ?? FAR) <= length) return;
    best.set(key, length);
    (buckets[length] ??= []).push([part, at, spends, length]);
  };
  const begin = (at, length) => first.forEach((_, part) => wait(part, at, 0, length));
  begin(unit.at, 0);
  for (let length = 0; length < buckets.length; length += 1) {
    for (const [part, at, spent] of buckets[length] ?? []) {
      const { ways, cost, budget, passes, closes } = parts[part];
      if (closes(at)) {
        if (view.source[at]) return length;
        if (view.relay[at]) begin(at, length);
        for (let next = Math.max(part + 1, first.length); next < parts.length; next += 1) {
          if (parts[next].opens(at)) wait(next, at, 0, length);
        }
      }
      if (spent > 0 && !passes(at)) continue;
      for (const way of ways[at]) {
        const step = cost(way);
        if (step < FAR && spent + step <= budget) wait(part, way.to, spent + step, length + step);
      }
    }
  }
  return FAR;
};
const reach = (unit) => ({ first: 6, second: 5, third: 4 })[unit.leader] ?? 3;
const supply = (now, view, unit) => {
  const { owner, at } = unit;
  if (at === NOBODY || (now.camp[owner] === "apart" && home[at] !== owner)) return [false, null];
  if (unit.inside && now.inside[at] <= map.areas[at].holds) return [true, null];
  const length = lineOf(now, view, unit);
  return length === FAR ? [false, null] : [true, length];
};

// ---- lines of one part and no limit: breadth first, backward from where they end
const flood = (ends, ways, passes) => {
  const length = new Array(areas).fill(FAR);
  const queue = map.areas.map((_, at) => at).filter(ends);
  queue.forEach((at) => (length[at] = 0));
  for (const at of queue) {
    if (length[at] > 0 && !passes(at)) continue;
    for (const to of ways(at)) {
      if (length[to] !== FAR) continue;
      length[to] = length[at] + 1;
      queue.push(to);
    }
  }
  return length;
};
// 6g: back to a capital or magazine of friends without the enemy in the field.
const wayHome = (now, view) =>
  flood(
    (at) => (map.areas[at].capital || now.magazine[at]) && view.ours[at] && !view.faced[at],
    (at) => tracks[at].map(({ to }) => to),
    anywhere,
  );
// 7b: money goes to the nation's own capital by posts of friends and between open ports.
const remittance = (now, view) => {
  const held = (at) => view.ours[at] && !view.faced[at];
  const sails = (at) => sea[at] || view.openPort[at];
  const length = flood(
    (at) => map.areas[at].capital && home[at] === view.nation && now.control[at] === view.nation && held(at),
    (at) => [
      ...posts[at].filter(({ keeper }) => among(view.friends, keeper)).map(({ to }) => to),
      ...seaways[at].map(({ to }) => to).filter((to) => sails(at) && sails(to)),
    ],
    (at) => held(at) || view.openSea[at],
  );
  return length.map((stages, at) => (held(at) ? stages : FAR));
};

// ---- what follows for corps, areas and nations
const wear = (now, view, unit, fed) => {
  let worse = unit.turnsOut + Math.max(0, unit.turnsOut - 1);
  if (unit.at !== NOBODY) {
    const [crowd, food] = [view.crowd[unit.at], now.forage[unit.at]];
    if (crowd > food) worse += 2;
    if (crowd > 2 * food) worse += 2;
    if (mountain[unit.at]) worse += 1;
  }
  if (now.season === "winter" && !unit.hussar && !among(view.friends, home[unit.at] ?? NOBODY)) worse += 1;
  if (fed) worse -= 1;
  return Math.min(9, Math.max(0, worse));
};
const edge = (view, unit) => {
  const grade = { first: 2, second: 1 }[unit.leader] ?? 0;
  if (unit.at === NOBODY) return grade - 1;
  const [us, them] = [view.crowd[unit.at], view.against[unit.at]];
  return grade - (them > us ? 1 : 0) - (them >= 2 * us ? 1 : 0);
};
const ofCorps = (now, views, ways, unit) => {
  const view = views[unit.owner];
  const [fed, length] = supply(now, view, unit);
  const [worse, better] = [wear(now, view, unit, fed), edge(view, unit)];
  const back = unit.at === NOBODY ? FAR : ways[unit.owner][unit.at];
  return {
    supplied: fed,
    line: length,
    home: back === FAR ? null : back,
    reach: reach(unit),
    wear: worse,
    edge: better,
    engaged: unit.at !== NOBODY && !unit.inside && view.faced[unit.at],
    loses_two: fraction(atLeast(1, 10 - worse), 6),
    loses_none: fraction(6 - atLeast(1, 7 - worse), 6),
    routed: fraction(6 - atLeast(1, 2 - better), 6),
    stands: fraction(atLeast(1, 4 - better), 6),
  };
};
const ofArea = (now, view, money, keys, at) => {
  const storm = now.pressure[at];
  const [snow, mud] = SKY[now.season];
  const leaning = Math.sign(keys[0] - keys[1]);
  return {
    remitted: money[at] < FAR,
    remittance: money[at] < FAR ? money[at] : null,
    forage: now.forage[at],
    crowd: view.crowd[at],
    needed: now.needed[at],
    besieged: now.besieged[at],
    blockaded: now.blockaded[at],
    pressure: storm,
    carried: fraction(atLeast(2, 9 - storm), 36),
    open_port: view.openPort[at],
    open_sea: view.openSea[at],
    barred: view.barred[at],
    screened: view.screened[at],
    open_source: view.ours[at] && !now.besieged[at],
    seat: map.areas[at].capital && home[at] === now.control[at] && !view.faced[at],
    foes: view.against[at],
    for_concord: fraction(atLeast(1, 6 - leaning), 6),
    for_compact: fraction(6 - atLeast(1, 2 - leaning), 6),
    snow: fraction(snow, 6),
    mud: fraction(mud - snow, 6),
  };
};
const keysOf = (now, camp) =>
  map.areas.reduce((sum, { key }, at) => (now.camp[now.control[at]] === camp ? sum + key : sum), 0);
const ofNation = (now, nation) => {
  const lost = map.areas.filter((area, at) => home[at] === nation && now.control[at] !== nation);
  const strain =
    lost.filter(({ key }) => key >= 1).length + (lost.some(({ capital }) => capital) ? 2 : 0) - (now.subsidised[nation] ? 1 : 0);
  return {
    income: map.areas.reduce((sum, { tax }, at) => (now.control[at] === nation && !now.besieged[at] ? sum + tax : sum), 0),
    strain: Math.min(5, Math.max(0, strain)),
  };
};
const ofGame = (now, keys) => {
  const won = keys.map((points, camp) => points >= DEMAND[now.campaign][camp]);
  return {
    season: now.season,
    passes_closed: now.passesClosed,
    concord: keys[0],
    compact: keys[1],
    leaning: Math.sign(keys[0] - keys[1]),
    verdict: won[0] === won[1] ? "draw" : won[0] ? "concord" : "compact",
  };
};
const answer = (now) => {
  relations(now);
  count(now);
  sieges(now);
  const views = map.sides.map((_, nation) => viewOf(now, nation));
  const ways = views.map((view) => wayHome(now, view));
  const view = views[now.viewer];
  const money = remittance(now, view);
  const keys = ["concord", "compact"].map((camp) => keysOf(now, camp));
  const table = (things, name, of) => Object.fromEntries(things.map((thing, at) => [name(thing), of(thing, at)]));
  return {
    corps: table(now.corps, ({ id }) => id, (unit) => ofCorps(now, views, ways, unit)),
    area: table(map.areas, ({ id }) => id, (_, at) => ofArea(now, view, money, keys, at)),
    side: table(map.sides, (name) => name, (_, nation) => ofNation(now, nation)),
    world: { world: ofGame(now, keys) },
  };
};

// The supply of corps on the map alone, as `sutler batch` answers it.
const supplied = (now) => {
  relations(now);
  count(now);
  sieges(now);
  const views = map.sides.map((_, nation) => viewOf(now, nation));
  const here = now.corps.filter(({ at }) => at !== NOBODY);
  return { states: Object.fromEntries(here.map((unit) => [unit.id, supply(now, views[unit.owner], unit)[0] ? "supplied" : "unsupplied"])) };
};

const asked = process.argv[4] === "supply" ? supplied : answer;
const out = [];
for (const text of fs.readFileSync(process.argv[3], "utf8").split("\n")) {
  if (text !== "") out.push(JSON.stringify(asked(read(text))));
}
process.stdout.write(`${out.join("\n")}\n`);
