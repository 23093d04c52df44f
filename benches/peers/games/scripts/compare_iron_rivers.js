// node compare_iron_rivers.js RULESET N SEED [SUTLER] deals N positions of the setups of The Iron Rivers anew, asks `sutler` and
// `iron_rivers.js` the same of each, and compares all answers of `batch`; lengths and amounts, which `ask` works out position by
// position, are compared of every eighth parcel. The first difference is named with its position; the exit code is 1.
"use strict";
const fs = require("fs");
const os = require("os");
const path = require("path");
const { execFileSync } = require("child_process");

const [ruleset, count, seed, sutler = "sutler"] = process.argv.slice(2);
const SIDES = ["Karsk", "Velmar"];
const MONTHS = ["october", "november", "december", "january", "february"];
const PARCEL = 250;

// ---- the map and the setups as JSON, from their files

function readMap() {
  const text = fs.readFileSync(path.join(ruleset, "map.sut"), "utf8");
  const [legend, hexes, links, controls] = [{}, new Map(), [], []];
  let row = 0;
  const facts = (words) =>
    Object.fromEntries((words ?? "").split(", ").filter(Boolean).map((word) => {
      const [name, value] = word.split(" ");
      return [name, value === undefined ? true : Number.isNaN(Number(value)) ? value : Number(value)];
    }));
  for (const line of text.split("\n")) {
    const [, sign, ground] = line.match(/^ +legend "(.)" with ground (\w+)/) ?? [];
    if (sign) legend[sign] = ground;
    const [, signs] = line.match(/^ +row "(.*)"/) ?? [];
    if (signs) {
      row += 1;
      signs.split(" ").forEach((each, column) => {
        const id = String(column + 1).padStart(2, "0") + String(row).padStart(2, "0");
        hexes.set(id, { id, ground: legend[each] });
      });
    }
    const [, id, said] = line.match(/^ +space hex (\d+)(?: ".*")? with (.*)/) ?? [];
    if (id) Object.assign(hexes.get(id), facts(said));
    const [, kind, way, what] = line.match(/^ +link (\w+) ([\d to]+?)(?: with (.*))?$/) ?? [];
    if (kind) way.split(" to ").forEach((to, i, all) => i > 0 && links.push({ kind, from: all[i - 1], to, facts: facts(what) }));
    const [, side, held] = line.match(/^ +given control is (\w+) in (.*)/) ?? [];
    if (side) controls.push(...held.split(", ").map((each) => [each, side]));
  }
  return { hexes: [...hexes.values()], links, control: Object.fromEntries(controls) };
}

function readUnits() {
  const text = fs.readFileSync(path.join(ruleset, "setups.sut"), "utf8");
  return text.split(/^setup /m).slice(1).map((setup) =>
    [...setup.matchAll(/^ +put (\w+) (\w+) ".*?" of (\w+)(?: in hex (\d+))? with (.*)$/gm)].map(([, kind, id, side, space, words]) => {
      const facts = {};
      for (const word of words.split(", ")) {
        const [name, ...value] = word.split(" ");
        facts[name] = value.length === 0 ? true : value[0] === "hex" ? value[1] : Number.isNaN(Number(value[0])) ? value[0] : Number(value[0]);
      }
      return { id, kind, side, space: space ?? null, facts };
    })).filter((units) => units.length > 0);
}

// ---- positions dealt anew

let state = BigInt(seed) * 2654435761n + 1n;
function below(n) {
  state = (state * 6364136223846793005n + 1442695040888963407n) & ((1n << 64n) - 1n);
  return Number((state >> 33n) % BigInt(n));
}
const one = (list) => list[below(list.length)];
const maybe = (percent) => below(100) < percent;

function near(map, id, far) {
  const clamp = (value, least, most) => String(Math.min(most, Math.max(least, value))).padStart(2, "0");
  const by = () => below(2 * far + 1) - far;
  return clamp(Number(id.slice(0, 2)) + by(), 1, 40) + clamp(Number(id.slice(2)) + by(), 1, 25);
}

function deal(map, setups) {
  // A third of the pieces in most positions, for they take as long as there are pieces; all of them in one of ten.
  const [all, share] = [structuredClone(one(setups)), maybe(10) ? 100 : 35];
  const units = all.filter(() => maybe(share));
  const staffs = units.filter(({ kind }) => kind === "headquarters").map(({ id }) => id);
  const trucks = units.filter(({ kind }) => kind === "truck").map(({ id }) => id);
  const any = () => one(map.hexes).id;
  const stands = new Set(units.map(({ id }) => id));
  for (const unit of units) {
    const { facts, kind } = unit;
    for (const name of ["army", "column"]) if (name in facts && !stands.has(facts[name])) facts[name] = null;
    if (maybe(70)) unit.space = maybe(8) ? null : maybe(85) ? near(map, unit.space ?? any(), 3) : any();
    if (maybe(60)) facts.objective = near(map, unit.space ?? any(), 4);
    if (maybe(10)) facts.arm = one(["foot", "horse", "motor", "tank"]);
    if (maybe(20)) Object.assign(facts, { reserve: maybe(30), due: `${one(MONTHS)}_${1 + below(2)}`, entry: maybe(20) ? null : any() });
    facts.marches = maybe(40);
    if (kind === "headquarters") Object.assign(facts, { range: below(8), rating: below(6), group: facts.group ? !maybe(20) : maybe(20) });
    if (kind === "truck") facts.loads = below(5);
    if (kind !== "troop" && kind !== "engineer") continue;
    Object.assign(facts, { steps: below(7), turns_out: maybe(60) ? 0 : below(5) });
    if (maybe(40)) facts.seniority = 1 + below(9);
    if (maybe(20)) facts.army = maybe(10) || staffs.length === 0 ? null : one(staffs);
    if (maybe(50)) facts.column = maybe(10) || trucks.length === 0 ? null : one(trucks);
    if (maybe(50)) facts.aim = near(map, unit.space ?? any(), 1);
  }
  const aims = units.map(({ space }) => space).filter(Boolean);
  for (const { facts, kind } of units) if ((kind === "troop" || kind === "engineer") && aims.length > 0 && maybe(30)) facts.aim = one(aims);
  const spaces = {};
  for (const [id, side] of Object.entries(map.control)) spaces[id] = { control: maybe(5) ? one([...SIDES, null]) : side };
  for (let i = 0; i < 20; i += 1) spaces[any()] = { control: one([...SIDES, null]) };
  for (const { space } of units) if (space && maybe(15)) (spaces[space] ??= { control: map.control[space] ?? null }).facts = { pontoon: true };
  const world = {
    turn: `${one(MONTHS)}_${1 + below(2)}`, sky: one(["dry", "mud", "frost", "hard_frost"]), campaign: one(["autumn", "mud_war", "winter"]),
  };
  return { schema: 1, map: "orlen", rulings: { thick_ice: maybe(30) }, units, spaces, world };
}

// ---- both are asked

const TRACES = ["march", "orders", "rear", "supply", "fuel", "way_back"];
const QUESTIONS = [
  ["length of march", "piece"], ["length of orders", "troop"], ["length of rear", "headquarters"], ["length of supply", "troop"],
  ["length of fuel", "troop"], ["length of way_back", "troop"], ["allowance", "piece"], ["hearing", "troop"], ["seniors", "troop"],
  ["has_orders", "troop"], ["drawn", "troop"], ["fuelled", "troop"], ["burnt", "truck"], ["attack", "troop"], ["defence", "troop"],
  ["column of aim", "troop"], ["arriving", "piece"], ["worn", "troop"],
];
const WORLD = {
  month: "month", dry: "dry_to of forecast", mud: "mud_to of forecast", frost: "frost_to of forecast", held: "held", demanded: "demanded",
  verdict: "verdict",
};

function lines(program, call) {
  try {
    return execFileSync(program, call, { encoding: "utf8", maxBuffer: 1 << 30 }).trimEnd().split("\n").map((line) => JSON.parse(line));
  } catch (fault) {
    if (!fault.stdout) throw fault;
    process.stderr.write(fault.stderr ?? "");
    process.exit(2);
  }
}

/// Answers of `sutler`, a list with one object a position for each name that the script gives.
function ours(file, withAmounts) {
  const of = (call, part) => lines(sutler, [...call, "--positions", file]).slice(1).map((line) => line[part] ?? line);
  const found = {};
  for (const side of SIDES) found[`trains_${side}`] = of(["batch", ruleset, "--trace", "trains", "--side", side], "states");
  for (const trace of TRACES) found[trace] = of(["batch", ruleset, "--trace", trace], "states");
  if (!withAmounts) return found;
  for (const [question, kind] of QUESTIONS) found[question] = of(["ask", ruleset, question, "--of", kind], "values");
  for (const [name, question] of Object.entries(WORLD)) found[`world ${name}`] = of(["ask", ruleset, question], "values");
  return found;
}

/// Where two answers of one name differ: the thing, with both. A column is that of the hex that a troop attacks; the others have none.
function difference(name, theirs, mine) {
  const things = name === "column of aim" ? [] : Object.keys(theirs);
  for (const id of new Set([...things, ...Object.keys(mine)])) {
    const [a, b] = [theirs[id] ?? null, mine[id] ?? null];
    if (a !== b) return `${name} of ${id}: sutler says ${JSON.stringify(a)}, the script ${JSON.stringify(b)}`;
  }
  return null;
}

const map = readMap();
const setups = readUnits();
const place = fs.mkdtempSync(path.join(os.tmpdir(), "iron_rivers-"));
process.on("exit", () => fs.rmSync(place, { recursive: true, force: true }));
const [mapFile, file] = [path.join(place, "map.json"), path.join(place, "positions.jsonl")];
fs.writeFileSync(mapFile, JSON.stringify(map));
let compared = 0;
for (let done = 0; done < Number(count); done += PARCEL) {
  const positions = Array.from({ length: Math.min(PARCEL, Number(count) - done) }, () => JSON.stringify(deal(map, setups)));
  fs.writeFileSync(file, positions.join("\n") + "\n");
  const mine = lines(process.execPath, [path.join(__dirname, "iron_rivers.js"), mapFile, file]);
  for (const [name, theirs] of Object.entries(ours(file, (done / PARCEL) % 8 === 0))) {
    const [, world] = name.match(/^world (.*)/) ?? [];
    mine.forEach((answers, at) => {
      const said = world ? { world: answers.world[world] } : answers[name];
      const differs = difference(name, theirs[at], said);
      compared += Object.keys(said).length;
      if (differs === null) return;
      console.log(`position ${done + at + 1} of seed ${seed}: ${differs}\n${positions[at]}`);
      process.exit(1);
    });
  }
}
console.log(`${count} positions, ${compared} answers, no difference`);
