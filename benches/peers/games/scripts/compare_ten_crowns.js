// Ten Crowns asked twice: node compare_ten_crowns.js RULESET N SEED [SUTLER] deals N positions from the setups of the
// ruleset, asks `sutler` and the script by hand, and names the first answer that differs, with its position; exit code 1.
"use strict";
const fs = require("fs");
const os = require("os");
const path = require("path");
const { execFileSync } = require("child_process");

const [ruleset, count, seed, sutler = "sutler"] = process.argv.slice(2);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "ten_crowns_"));
process.on("exit", () => fs.rmSync(folder, { recursive: true, force: true }));
const run = (program, args) => execFileSync(program, args, { encoding: "utf8", maxBuffer: 2 ** 30, stdio: ["ignore", "pipe", "inherit"] });
const file = (name) => path.join(folder, name);
// The first positions are asked question by question, one parcel in ten by packs of answers, and all others by the two
// traces of corps, which are answered fastest.
const FIRST = 20;
const PARCEL = 500;
const FULL = 10;

// What the script calls it, what the rules call it.
const QUESTIONS = {
  corps: {
    supplied: "supplied",
    line: "length of supply",
    home: "length of way_home",
    reach: "reach",
    wear: "wear",
    edge: "edge",
    engaged: "engaged",
    loses_two: "chance of two_lost in attrition",
    loses_none: "chance of none_lost in attrition",
    routed: "chance of routed in clash",
    stands: "chance of stands in clash",
  },
  area: {
    remitted: "remitted",
    remittance: "length of remittance",
    forage: "forage",
    crowd: "crowd",
    needed: "needed",
    besieged: "besieged",
    blockaded: "blockaded",
    pressure: "pressure",
    carried: "chance of carried in storm",
    open_port: "open_port",
    open_sea: "open_sea",
    barred: "barred",
    screened: "screened",
    open_source: "open_source",
    seat: "seat",
    foes: "foes",
    for_concord: "chance of for_concord in counsel",
    for_compact: "chance of for_compact in counsel",
    snow: "chance of snow in sky",
    mud: "chance of mud in sky",
  },
  side: {
    income: "income",
    strain: "strain",
  },
  world: {
    season: "season",
    passes_closed: "passes_closed",
    concord: "keys_of_concord",
    compact: "keys_of_compact",
    leaning: "leaning",
    verdict: "verdict",
  },
};
// Several answers in one number, by a table that a variant adds: what holds counts as much, or each point of it. What may
// be less than nothing is raised.
const PACKS = {
  corps: [
    ["supplied", 1, "when supplied"],
    ["engaged", 2, "when engaged"],
    ["line", 10, "per length of supply"],
    ["home", 1000, "per length of way_home"],
    ["reach", 100000, "per reach"],
    ["wear", 1000000, "per wear"],
    ["edge", 10000000, "per edge + 5", 5],
  ],
  area: [
    ["besieged", 1, "when besieged"],
    ["blockaded", 2, "when blockaded"],
    ["open_port", 4, "when open_port"],
    ["open_sea", 8, "when open_sea"],
    ["barred", 16, "when barred"],
    ["screened", 32, "when screened"],
    ["open_source", 64, "when open_source"],
    ["seat", 128, "when seat"],
    ["forage", 1000, "per forage"],
    ["pressure", 100000, "per pressure"],
    ["needed", 1000000, "per needed"],
    ["crowd", 100000000, "per crowd"],
    ["foes", 100000000000, "per 1000 * foes"],
  ],
  side: [
    ["income", 1, "per income"],
    ["strain", 1000, "per strain"],
  ],
};
const TRACES = { supply: ["corps", "supplied"], way_home: ["corps", "home"] };
const SLOW_TRACES = { remittance: ["area", "remitted"] };

// ---- the map and the setups, as `sutler` exports them
const rows = (name) => {
  const [head, ...lines] = fs.readFileSync(file(`sheets/${name}.csv`), "utf8").trimEnd().split("\n").map((line) => line.split(","));
  return lines.map((cells) => Object.fromEntries(head.map((key, at) => [key, cells[at] ?? ""])));
};
run(sutler, ["sheet", "out", ruleset, "--out", file("sheets"), "--only", "continent", "--only", "setup_"]);
const game = file("game");
const packed = path.join(game, "packed.sut");
fs.cpSync(ruleset, game, { recursive: true });
const heads = Object.entries(PACKS).map(([of, list]) => {
  const lines = list.map(([, worth, how]) => `  ${how} then ${Math.min(worth, 1e8)}\n`);
  return `table packed_${of} of ${of} gives pips by sum of matches {\n${lines.join("")}}\n`;
});
fs.writeFileSync(packed, `edition 1\nruleset packed "Packed" prefix PK extends ten_crowns\n${heads.join("")}`);
const number = (text) => Number(text || 0);
const areas = rows("map_continent").map((row) => ({
  id: row.space,
  terrain: row.terrain,
  yield: row.yield || "barren",
  home: row.home || null,
  capital: row.capital === "yes",
  port: row.port === "yes",
  ice: row.ice === "yes",
  key: number(row.key),
  tax: number(row.tax),
  walls: number(row.walls),
  holds: number(row.holds),
}));
const sides = [...new Set(areas.flatMap(({ home }) => home ?? []))];
const links = rows("links_continent").map((row) => ({
  kind: row.link,
  from: row.from,
  to: row["to 1"],
  pass: row.pass === "yes",
  bridged: row.bridged === "yes",
  keeper: row.keeper || null,
}));
fs.writeFileSync(file("map.json"), JSON.stringify({ sides, areas, links }));
const setups = ["opening", "widening", "reckoning"].map((name) => {
  const log = run(sutler, ["run", ruleset, "--setup", name, "--first-way", "--seed", "1", "--format", "jsonl"]);
  return JSON.parse(log.slice(0, log.indexOf("\n"))).position;
});

// ---- positions dealt at random
let state = Number(seed) >>> 0;
const random = () => {
  state = (state + 0x6d2b79f5) >>> 0;
  let t = Math.imul(state ^ (state >>> 15), state | 1);
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
};
const below = (most) => Math.floor(random() * most);
const one = (list) => list[below(list.length)];
const chance = (of) => random() < of;
const land = areas.filter(({ terrain }) => terrain !== "sea").map(({ id }) => id);
const wet = areas.filter(({ terrain, port }) => terrain === "sea" || port).map(({ id }) => id);
const SEASONS = ["winter", "thaw", "spring", "summer", "autumn", "frost"];
// Half of the units stand where others stand, so that they meet.
const placed = (unit, crowded) => {
  if (chance(0.04)) return null;
  if (unit.kind === "fleet") return one(wet);
  const at = crowded.length > 0 && chance(0.5) ? one(crowded) : one(land);
  crowded.push(at);
  return at;
};
const dealtUnit = (unit, crowded, leaders) => {
  if (unit.kind === "leader") return { ...unit, facts: { class: one(["third", "second", "first"]) } };
  const dealt = { id: unit.id, kind: unit.kind, side: chance(0.1) ? one(sides) : unit.side, space: placed(unit, crowded), facts: {} };
  if (unit.kind === "fleet") dealt.facts = { guns: 1 + below(9) };
  if (unit.kind !== "fleet" && unit.kind !== "train") {
    dealt.facts = { strength: 1 + below(chance(0.2) ? 12 : 5), inside: dealt.space !== null && chance(0.2), turns_out: chance(0.5) ? 0 : below(6) };
    if (chance(0.4)) dealt.facts.leader = one(leaders);
  }
  return dealt;
};
const dealt = () => {
  const setup = one(setups);
  const crowded = [];
  const leaders = setup.units.filter(({ kind }) => kind === "leader").map(({ id }) => id);
  const sideFacts = (name) => {
    const camp = chance(0.25) ? one(["apart", "concord", "compact"]) : (setup.sides[name].facts.camp ?? "apart");
    return { facts: { camp, subsidised: chance(0.2) } };
  };
  const spaces = {};
  for (const { id, home, terrain } of areas) {
    if (terrain === "sea" || chance(0.4)) continue;
    const control = chance(0.4) ? (chance(0.2) ? null : one(sides)) : (setup.spaces?.[id]?.control ?? home);
    spaces[id] = { control, facts: { magazine: chance(0.25), ravaged: chance(0.2) } };
  }
  const units = setup.units.filter(({ kind }) => kind === "leader" || chance(0.5));
  return {
    schema: 1,
    map: "continent",
    viewer: one(sides),
    rulings: { early_frost: chance(0.5) },
    world: {
      turn: `${one(SEASONS)}_${1761 + below(3)}`,
      weather: one(["fair", "mud", "snow"]),
      campaign: one(["the_opening", "the_widening", "the_reckoning"]),
    },
    sides: Object.fromEntries(sides.map((name) => [name, sideFacts(name)])),
    spaces,
    units: units.map((unit) => dealtUnit(unit, crowded, leaders)),
  };
};

// ---- both are asked, and every answer is compared
const lines = (text) => text.trimEnd().split("\n").map((line) => JSON.parse(line));
const differs = (at, position, question, thing, theirs, ours) => {
  console.log(`position ${at}: ${question} of ${thing} is ${JSON.stringify(theirs)} by the rules and ${JSON.stringify(ours)} by hand`);
  console.log(JSON.stringify(position));
  process.exit(1);
};
let compared = 0;
const compare = (positions, first) => {
  fs.writeFileSync(file("positions.jsonl"), positions.map((position) => `${JSON.stringify(position)}\n`).join(""));
  const hand = lines(run(process.execPath, [path.join(__dirname, "ten_crowns.js"), file("map.json"), file("positions.jsonl")]));
  const check = (answers, question, get) =>
    answers.forEach((answer, at) => {
      if (answer.error) throw new Error(JSON.stringify(answer.error));
      for (const [thing, theirs] of Object.entries(answer.values ?? answer.states)) {
        const ours = get(hand[at], thing);
        compared += 1;
        if (theirs !== ours) differs(first + at, positions[at], question, thing, theirs, ours);
      }
    });
  const full = first === 1 || Math.ceil((first - FIRST) / PARCEL) % FULL === 1;
  for (const [trace, [of, key]] of Object.entries(full ? { ...TRACES, ...SLOW_TRACES } : TRACES)) {
    const [head, ...answers] = lines(run(sutler, ["batch", ruleset, "--positions", file("positions.jsonl"), "--trace", trace]));
    check(answers, trace, (by, thing) => {
      const value = by[of][thing][key];
      return head.answers[value === null || value === false ? 1 : 0];
    });
  }
  for (const [of, list] of full ? Object.entries(PACKS) : []) {
    const asked = ["ask", packed, `packed_${of}`, "--of", of, "--positions", file("positions.jsonl"), "--format", "json"];
    check(lines(run(sutler, asked)).slice(1), `packed_${of}`, (by, thing) =>
      list.reduce((sum, [key, worth, , raised = 0]) => sum + worth * (by[of][thing][key] + raised), 0),
    );
  }
  for (const [of, questions] of first === 1 ? Object.entries(QUESTIONS) : []) {
    for (const [key, question] of Object.entries(questions)) {
      const kind = of === "world" ? [] : ["--of", of];
      const asked = ["ask", ruleset, question, ...kind, "--positions", file("positions.jsonl"), "--format", "json"];
      check(lines(run(sutler, asked)).slice(1), question, (by, thing) => by[of][thing][key]);
    }
  }
};
for (let first = 1; first <= Number(count); ) {
  const many = Math.min(first === 1 ? FIRST : PARCEL, Number(count) - first + 1);
  compare(Array.from({ length: many }, dealt), first);
  first += many;
  process.stderr.write(`${first - 1} positions, ${compared} answers\n`);
}
console.log(`${count} positions, ${compared} answers, no difference`);
