// The npm package: packed, installed into an empty folder, asked there, typed, and served from.
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { brotliCompressSync, constants } from "node:zlib";
import { begin, root, sutler } from "./browser.mjs";

const npm = join(root, "npm");
let folder;

before(() => {
  assert.ok(existsSync(join(npm, "sutler.wasm")), "the package is not built: run `node npm/build.mjs`");
  folder = mkdtempSync(join(tmpdir(), "sutler-npm-"));
  const run = (args, cwd) => execFileSync("npm", [...args, "--loglevel=error"], { cwd, encoding: "utf8" });
  const [{ filename, files }] = JSON.parse(run(["pack", "--ignore-scripts", "--json", "--pack-destination", folder], npm));
  assert.deepEqual(files.map(({ path }) => path).sort(), ["README.md", "codes.json", "engine.js", "examples/server.mjs", "index.d.ts", "index.js", "package.json", "sutler.wasm"]);
  writeFileSync(join(folder, "package.json"), '{"private": true, "type": "module"}');
  run(["install", "--offline", "--no-audit", "--no-fund", join(folder, filename)], folder);
});
after(() => rmSync(folder, { recursive: true }));

/** What a script prints in the folder that has nothing but the package. */
function script(name, text) {
  writeFileSync(join(folder, name), text);
  return execFileSync(process.execPath, [name], { cwd: folder, encoding: "utf8", maxBuffer: 1 << 27 });
}

const OPEN = `
import { readFileSync, readdirSync } from "node:fs";
import { Refused, load } from "sutler";
const at = ${JSON.stringify(join(root, "rulesets/soldier_kings"))};
const texts = Object.fromEntries(readdirSync(at).filter((name) => name.endsWith(".sut")).map((name) => [name, readFileSync(at + "/" + name, "utf8")]));
const sutler = await load();
`;

test("the engine is no larger to load than a page can take", () => {
  const loaded = brotliCompressSync(readFileSync(join(npm, "sutler.wasm")), { params: { [constants.BROTLI_PARAM_LGWIN]: 24 } });
  assert.ok(loaded.length <= 1_200_000, `${loaded.length} bytes`);
});

test("the engine holds no path of the machine that built it", () => {
  const module = readFileSync(join(npm, "sutler.wasm"));
  for (const path of [root, homedir()]) assert.ok(!module.includes(`${path}/`), path);
});

test("it opens, asks, moves, explains and draws as the command does", () => {
  const out = JSON.parse(script("ask.mjs", `${OPEN}
const rules = sutler.open(texts);
const game = rules.game();
const position = game.setup("opening");
const before = position.ask();
const svg = position.draw();
const values = position.values("land_move", "army").values;
const why = position.explain("F3").text;
const moved = position.copy().move("F3", "Ile_de_France").answer("F3");
const same = game.position(position.json()).ask();
const winter = position.copy().given("season is winter").json().includes("winter");
const played = position.copy().play({ seed: 7, firstWay: true });
const cases = game.runCases(0, 3).map((row) => row.status);
let refused;
try { position.move("F3", "Ile_de_Frnace"); } catch (error) { refused = [error instanceof Refused, error.faults[0].code, error.faults[0].help]; }
position.close();
let closed;
try { position.ask(); } catch (error) { closed = error.message; }
console.log(JSON.stringify({ values, sound: rules.isSound, names: rules.names, before, svg, why, moved, same: JSON.stringify(same) === JSON.stringify(before), winter, whole: played.whole, steps: played.steps.length, cases, refused, closed, code: await sutler.explainCode("E0201"), none: await sutler.explainCode("x"), spaces: game.tracesOfSpaces, wrong: sutler.check({ "rules.sut": "edition 1\\nrules" })[0].severity }));
`));
  assert.deepEqual(out.before, JSON.parse(sutler("trace", "rulesets/soldier_kings", "--setup", "opening", "--format", "json")));
  assert.deepEqual(out.values, JSON.parse(sutler("ask", "rulesets/soldier_kings", "land_move", "--of", "army", "--setup", "opening", "--format", "json")));
  assert.equal(out.why, sutler("explain", "rulesets/soldier_kings", "F3", "--setup", "opening"));
  assert.ok(out.svg === sutler("map", "rulesets/soldier_kings", "--setup", "opening", "--format", "svg"));
  assert.equal(out.moved.yes, true);
  assert.deepEqual([out.sound, out.same, out.winter, out.whole], [true, true, true, true]);
  assert.deepEqual(out.cases, ["passed", "passed", "passed"]);
  assert.deepEqual(out.refused, [true, "E1052", "write `Ile_de_France`"]);
  assert.match(out.closed, /is not open/);
  assert.equal(out.code, sutler("explain-code", "E0201"));
  assert.deepEqual([out.none, out.wrong, out.spaces], [null, "error", []]);
  assert.ok(out.steps > 0 && out.names.includes("house"));
});

test("the types say what the calls take and give", () => {
  writeFileSync(join(folder, "typed.ts"), `
import { load, Refused, type Fault, type Row } from "sutler";
const sutler = await load(new Uint8Array());
const rules = sutler.open({ "rules.sut": "" });
const faults: Fault[] = rules.faults;
const position = rules.game("house").setup();
const row: Row = position.move("F1", null).given("a is b", ["c is d"]).answer("F1", "supply");
const svg: string = position.draw({ side: "France" });
const frame: Record<string, unknown> = position.draw({ form: "frame", threat: ["F1"] });
const open: string = position.play({ seed: 1 }).open[0].thing;
if (new Error() instanceof Refused) console.log(faults, row.route[0], svg, frame, open);
// @ts-expect-error a name is a text
rules.game(1);
// @ts-expect-error there is no such form
position.draw({ form: "png" });
`);
  const tsc = join(root, "web/node_modules/typescript/bin/tsc");
  const compilerOptions = { noEmit: true, strict: true, target: "es2022", module: "nodenext", lib: ["es2022", "dom"], types: [] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["typed.ts"] }));
  const { status, stdout } = spawnSync(process.execPath, [tsc, "-p", "."], { cwd: folder, encoding: "utf8" });
  assert.equal(status, 0, stdout);
});

test("the example serves a match: a move that cuts a unit off is refused with the reasons", async () => {
  cpSync(join(folder, "node_modules/sutler/examples/server.mjs"), join(folder, "server.mjs"));
  const server = spawn(process.execPath, ["server.mjs", join(root, "rulesets/soldier_kings"), "0"], { cwd: folder });
  try {
    const url = await new Promise((resolve, reject) => {
      server.stdout.once("data", (data) => resolve(String(data).trim()));
      server.once("exit", reject);
    });
    const call = async (method, path, body) => {
      const response = await fetch(url + path, { method, body: body && JSON.stringify(body) });
      return [response.status, await response.json()];
    };
    const [, begun] = await call("POST", "/matches", { setup: "opening" });
    assert.equal(begun.state.F1, "supplied");
    const [, refused] = await call("POST", "/move", { match: "1", unit: "F1", to: "Magdeburg" });
    assert.equal(refused.refused, "F1 would be out_of_supply");
    assert.match(refused.why, /SK-22/);
    const [, moved] = await call("POST", "/move", { match: "1", unit: "F1", to: "Burgundy" });
    assert.equal(moved.state.F1, "supplied");
    const [status, wrong] = await call("POST", "/move", { match: "1", unit: "F1", to: "Burgundi" });
    assert.deepEqual([status, wrong.help], [400, ["write `Burgundy`"]]);
    const [, saved] = await call("GET", "/save?match=1");
    await call("POST", "/load", { match: "9", position: saved.position });
    const [, why] = await call("GET", "/why?match=9&unit=F1");
    assert.match(why.why, /F1 of France, in Burgundy: supplied/);
    assert.equal((await call("GET", "/why?match=8&unit=F1"))[0], 400);
  } finally {
    server.kill();
  }
});

test("the same package answers in a page", async () => {
  const place = await begin();
  try {
    const page = await place.browser.newPage();
    const serve = (name, contentType) => page.route(`**/package/${name}`, (route) => route.fulfill({ contentType, body: readFileSync(join(folder, "node_modules/sutler", name)) }));
    for (const name of ["index.js", "engine.js"]) await serve(name, "text/javascript");
    await serve("sutler.wasm", "application/wasm");
    await page.route("**/empty", (route) => route.fulfill({ contentType: "text/html", body: "<!doctype html><title>x</title>" }));
    await page.goto(`${place.url}empty`);
    const hash = await page.evaluate(async () => {
      const { load } = await import("/package/index.js");
      const sutler = await load();
      const texts = await (await fetch("/games/soldier_kings.json")).json();
      return sutler.open(texts).game().setup("opening").ask().hash;
    });
    assert.equal(hash, JSON.parse(sutler("trace", "rulesets/soldier_kings", "--setup", "opening", "--format", "json")).hash);
  } finally {
    await place.close();
  }
});
