// Answers, drawings and messages of the page are those of the command line, byte for byte.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { GAMES, begin, choose, ready, sutler } from "./browser.mjs";

let place, page, folder;
before(async () => {
  place = await begin();
  page = await place.open();
  folder = mkdtempSync(join(tmpdir(), "sutler-page-"));
});
after(async () => {
  rmSync(folder, { recursive: true });
  await place.close();
});

const ask = (call) => page.evaluate((call) => sutler.game.ask(call), call);

for (const name of GAMES) {
  test(`${name}: what the page answers and draws is what the commands print`, async () => {
    await choose(page, name);
    const rules = `rulesets/${name}`;
    const { setups, main, sides, traces, tests } = await page.evaluate(() => sutler.game.opened);
    for (const setup of setups) {
      await page.evaluate((setup) => sutler.shown.begin(setup), setup);
      await ready(page);
      const position = ["--setup", setup];
      const show = { trace: main };
      const svg = await ask({ call: "draw", show, form: "svg" });
      assert.ok(svg === sutler("map", rules, ...position, "--format", "svg"), `${setup}: the drawing`);
      assert.equal(await ask({ call: "draw", show, form: "text" }), sutler("map", rules, ...position), `${setup}: the sketch`);
      if (!main) continue;
      const trace = await ask({ call: "trace", trace: main });
      assert.deepEqual(trace, JSON.parse(sutler("trace", rules, ...position, "--format", "json")), `${setup}: the answers`);
      // The reasons of all units, yes and no, as one run of the command tells them.
      const ids = trace.units.map((row) => row.id);
      const no = trace.units.filter((row) => !row.yes).map((row) => row.id);
      const texts = await page.evaluate(async ([trace, ids]) => {
        const all = [];
        for (const of of ids) all.push((await sutler.game.ask({ call: "explain", trace, of })).text);
        return all;
      }, [main, ids]);
      if (ids.length) assert.equal(texts.join("\n"), sutler("explain", rules, ...ids, ...position), `${setup}: the reasons`);
      // What stands in the panel is that text.
      for (const id of [no[0], ids.find((id) => !no.includes(id))].filter(Boolean)) {
        await page.evaluate((id) => sutler.shown.choose(id), id);
        await ready(page);
        assert.equal(await page.textContent("#panel-0 pre"), texts[ids.indexOf(id)]);
      }
      for (const test of tests) {
        const odds = await ask({ call: "odds", test }).then(({ text }) => text, () => "");
        assert.equal(odds, sutler("odds", rules, ...position, "--test", test), `${setup}: the odds of ${test}`);
      }
      for (const of of ids.slice(0, 2)) {
        const { reach, text } = await ask({ call: "reach", trace: main, of });
        assert.equal(text, sutler("reach", rules, of, ...position), `${setup}: where ${of} can get to`);
        const { reaches } = await ask({ call: "reach_all", trace: main });
        assert.deepEqual(reaches[of], Object.fromEntries(reach.spaces.map(({ space, length }) => [space, length])));
      }
      for (const of of no.slice(0, 1)) {
        const { text } = await ask({ call: "why_not", trace: main, of });
        assert.equal(text, sutler("why-not", rules, of, ...position), `${setup}: what would restore ${of}`);
        const drawn = join(folder, "why.svg");
        sutler("why-not", rules, of, ...position, "--svg", drawn);
        const laid = await ask({ call: "draw", show: { trace: main, units: [of], why_not: of }, form: "svg" });
        assert.ok(laid === readFileSync(drawn, "utf8"), `${setup}: that, drawn`);
      }
      for (const { name: other, spaces } of traces.filter((one) => one.name !== main)) {
        const of = spaces ? ["--side", sides[0]] : [];
        if (spaces) await ask({ call: "viewer", side: sides[0] });
        const found = await ask({ call: "trace", trace: other });
        assert.deepEqual(found, JSON.parse(sutler("trace", rules, ...position, "--trace", other, ...of, "--format", "json")), `${setup}: ${other}`);
        if (spaces) await ask({ call: "viewer", side: null });
      }
      const json = await page.evaluate(() => sutler.positions.json);
      const file = join(folder, "position.json");
      writeFileSync(file, json);
      assert.deepEqual(trace, JSON.parse(sutler("trace", rules, "--position", file, "--format", "json")), `${setup}: the same from the position as JSON`);
    }
  });
}

for (const name of GAMES) {
  test(`${name}: what would cut a line, and every drawing, is what the commands print and draw`, async () => {
    await choose(page, name);
    const rules = `rulesets/${name}`;
    const { setups, main, sides, traces } = await page.evaluate(() => sutler.game.opened);
    const { server, path } = await served(name);
    for (const setup of setups) {
      await page.evaluate((setup) => sutler.shown.begin(setup), setup);
      await ready(page);
      const position = ["--setup", setup];
      const map = (...more) => sutler("map", rules, ...position, ...more);
      const drawn = (form, show) => ask({ call: "draw", show, form });
      const same = (one, other, what) => assert.ok(one === other, `${setup}: ${what}`);
      assert.deepEqual(await drawn("json", { trace: main }), JSON.parse(map("--format", "json")), `${setup}: as data`);
      same((await lens(server, path, setup)).svg, map("--format", "svg"), "the map of the language server");
      if (!main) continue;
      for (const side of sides) {
        same(await drawn("svg", { trace: main, side }), map("--side", side, "--format", "svg"), `the reach of ${side}`);
        same(await drawn("text", { trace: main, side }), map("--side", side), `the reach of ${side}, as text`);
      }
      const { units } = await ask({ call: "trace", trace: main });
      const few = units.slice(0, 3).map((row) => row.id);
      if (few.length) same(await drawn("svg", { trace: main, units: few }), map("--units", few.join(), "--format", "svg"), "some lines");
      for (const { name: other } of traces.filter((one) => one.name !== main && !one.spaces)) {
        same(await drawn("svg", { trace: other }), map("--trace", other, "--format", "svg"), `the lines of ${other}`);
      }
      const yes = units.filter((row) => row.yes).slice(0, 2).map((row) => row.id);
      for (const of of [[], yes].slice(0, yes.length ? 2 : 1)) {
        const file = join(folder, "threat.svg");
        const asked = of.flatMap((id) => ["--unit", id]);
        const { threat, text } = await ask({ call: "threat", trace: main, of });
        same(text, sutler("threat", rules, ...position, ...asked, "--svg", file), `what would cut ${of.join() || "all"}`);
        const show = { trace: main, units: threat.units.map((row) => row.id), threat: of };
        same(await drawn("svg", show), readFileSync(file, "utf8"), `that, drawn`);
      }
    }
    await page.evaluate((server) => sutler.language.engine.ask({ call: "close", rules: null, game: null, position: null, server }), server);
  });
}

/** A language server over the files of a game, with one open. */
async function served(name) {
  return page.evaluate(async (name) => {
    const texts = await (await fetch(`games/${name}.json`)).json();
    const path = "rules.sut";
    const { engine } = sutler.language;
    const { server } = await engine.ask({ call: "serve", texts });
    await engine.ask({ call: "message", server, message: { jsonrpc: "2.0", id: 1, method: "initialize", params: { capabilities: {} } } });
    return { server, path };
  }, name);
}

/** What the language server draws of a setup. */
async function lens(server, path, name) {
  const [{ result, error }] = await page.evaluate(([server, path, name]) => sutler.language.engine.ask({ call: "message", server, message: { jsonrpc: "2.0", id: 2, method: "sutler/map", params: { textDocument: { uri: `file:///${path}` }, name } } }, 60000), [server, path, name]);
  assert.ok(result, error?.message);
  return result;
}

/** Writes files into a folder of their own. */
function written(at, texts) {
  for (const [path, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(at, path)), { recursive: true });
    writeFileSync(join(at, path), text);
  }
}

for (const name of GAMES) {
  test(`${name}: messages of the page and of its language server are those of check`, async () => {
    await choose(page, name);
    const texts = await page.evaluate(() => sutler.store.texts());
    // A name that is not there, in the middle of a line that is.
    const path = texts["rules.sut"] ? "rules.sut" : Object.keys(texts)[0];
    const [, word] = /\b(?:define|table) \w+ of (\w+)/.exec(Object.values(texts).join("\n"));
    const wrong = { ...texts, [path]: `${texts[path]}\ndefine lonely of ${word} = no_such_fact\n` };
    const at = join(folder, name);
    written(at, wrong);
    const printed = JSON.parse(sutler("check", at, "--format", "json")).diagnostics;
    assert.ok(printed.some((fault) => fault.message.includes("no_such_fact")), name);
    const plain = (fault) => JSON.parse(JSON.stringify(fault).replaceAll(`${at}/`, ""));
    const shown = await page.evaluate(async (texts) => (await sutler.checker.check(texts)).faults, wrong);
    assert.deepEqual(shown.map(plain), printed.map(plain));
    // The server says the same of each place, in the file of the place.
    const told = await page.evaluate(async ([texts, path]) => {
      const engine = sutler.language.engine;
      const { server } = await engine.ask({ call: "serve", texts });
      const send = (message) => engine.ask({ call: "message", server, message: { jsonrpc: "2.0", ...message } });
      await send({ id: 1, method: "initialize", params: { capabilities: {} } });
      const out = await send({ method: "textDocument/didOpen", params: { textDocument: { uri: `file:///${path}`, languageId: "sutler", version: 1, text: texts[path] } } });
      await engine.ask({ call: "close", rules: null, game: null, position: null, server });
      return out.flatMap(({ params }) => params.diagnostics.map(({ code, range, message }) => ({ code, file: params.uri.split("/").at(-1), line: range.start.line + 1, message })));
    }, [wrong, path]);
    const primary = (fault) => fault.labels.find((label) => label.primary);
    for (const fault of printed) {
      const { file, line } = primary(fault);
      const same = told.find((one) => one.code === fault.code && one.line === line && file.endsWith(one.file) && one.message.startsWith(fault.message));
      assert.ok(same, `${fault.code} ${fault.message} at ${file}:${line}`);
    }
    assert.equal(told.length, printed.length);
  });
}

test("messages of the page are those of check", async () => {
  await choose(page, "winter_road");
  const texts = await page.evaluate(() => sutler.store.texts());
  const wrong = ["\ndefine lonely of army = freindly\n", "\ntrace {\n", "\nsides Möön, 'x'\nkind army\n", "\n\u202edefine\n"];
  for (const [nth, more] of wrong.entries()) {
    await page.evaluate((text) => sutler.editor.replace(0, sutler.editor.text.length, text), texts["rules.sut"] + more);
    await page.waitForFunction((more) => sutler.store.files.get("rules.sut").endsWith(more), more);
    await page.waitForFunction(() => document.querySelectorAll("#problems li").length > 0 || /no faults/.test(document.querySelector("#verdict").textContent));
    await page.evaluate(() => sutler.texts.check());
    const at = join(folder, `g${nth}`);
    written(at, { ...texts, "rules.sut": texts["rules.sut"] + more });
    const printed = JSON.parse(sutler("check", at, "--format", "json")).diagnostics;
    const plain = (fault) => JSON.parse(JSON.stringify(fault).replaceAll(`${at}/`, ""));
    const shown = await page.evaluate(async () => (await sutler.checker.check(sutler.store.texts())).faults);
    assert.deepEqual(shown.map(plain), printed.map(plain));
    const places = await page.locator("#problems li b").allTextContents();
    assert.deepEqual(places, printed.slice(0, 100).map((fault) => `${fault.severity} ${fault.code}`));
  }
});

/** A suite that expects something else: every number is one more, the last of a row too, and what is not so is so. */
function doubted(text) {
  const wrong = (line) => line.replace(/ is not /, " is ").replace(/( is |\| +)(\d+)(?=( \w+)?$)/, (_, before, number) => before + (Number(number) + 1));
  return text.split("\n").map((line) => (/^ +(expect|row) /.test(line) ? wrong(line) : line)).join("\n");
}

// All cases of all rulesets and variants: in the engine they take less than a second for each game.
for (const name of GAMES) {
  test(`${name}: every case comes out as test prints it, and fails in the same words`, async () => {
    await choose(page, name);
    const texts = await page.evaluate(() => sutler.store.texts());
    const wrong = Object.fromEntries(Object.entries(texts).map(([path, text]) => [path, /suite/.test(path) ? doubted(text) : text]));
    const at = join(folder, "cases", name);
    written(at, wrong);
    for (const [where, given] of [[`rulesets/${name}`, texts], [at, wrong]]) {
      const printed = JSON.parse(sutler("test", where, "--format", "json"));
      const names = printed.rulesets.map(({ ruleset }) => ruleset);
      const rows = await page.evaluate(async ([texts, names]) => {
        const all = [];
        for (const ruleset of names) all.push(...(await sutler.checker.run(texts, ruleset)).map((row) => ({ ruleset, ...row })));
        return all;
      }, [given, names]);
      assert.deepEqual(rows, JSON.parse(JSON.stringify(printed.cases).replaceAll(`${where}/`, "")), where);
      const failed = rows.filter(({ status }) => status === "failed").length;
      assert.equal(failed, printed.failed);
      assert.ok(given === texts ? failed === 0 && rows.length > 400 : failed > 30, `${failed} of ${rows.length} failed`);
    }
  });
}
