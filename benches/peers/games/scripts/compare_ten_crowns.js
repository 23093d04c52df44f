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
const PARCEL = 2000;

// What the script calls it, what the rules call it.
const QUESTIONS = {
  corps: {
    supplied: "now supplied",
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
  },
  side: {
    income: "income",
    strain: "strain",
    leaning: "leaning",
    for_concord: "chance of for_concord in counsel",
    for_compact: "chance of for_compact in counsel",
  },
  world: {
    season: "season",
    passes_closed: "passes_closed",
    concord: "keys_of_concord",
    compact: "keys_of_compact",
    verdict: "verdict",
    snow: "chance of snow in sky",
    mud: "chance of mud in sky",
  },
};
