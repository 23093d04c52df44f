// Answers, drawings and messages of the page are those of the command line, byte for byte.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
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
    const { setups, main } = await page.evaluate(() => sutler.game.opened);
    for (const setup of setups.slice(0, 3)) {
      await page.evaluate((setup) => sutler.begin(setup), setup);
      await ready(page);
      const position = ["--setup", setup];
      const show = { trace: main };
      const svg = await ask({ call: "draw", show, form: "svg" });
      assert.ok(svg === sutler("map", rules, ...position, "--format", "svg"), `${setup}: the drawing`);
      assert.equal(await ask({ call: "draw", show, form: "text" }), sutler("map", rules, ...position), `${setup}: the sketch`);
      if (!main) continue;
      const trace = await ask({ call: "trace", trace: main });
      assert.deepEqual(trace, JSON.parse(sutler("trace", rules, ...position, "--format", "json")), `${setup}: the answers`);
      const no = trace.units.filter((row) => !row.yes).slice(0, 4).map((row) => row.id);
      const texts = [];
      for (const of of no) texts.push((await ask({ call: "explain", trace: main, of })).text);
      if (no.length) assert.equal(texts.join("\n"), sutler("explain", rules, ...no, ...position), `${setup}: the reasons`);
      // What stands in the panel is that text.
      if (no.length) {
        await page.evaluate((id) => sutler.choose(id), no[0]);
        await ready(page);
        assert.equal(await page.textContent("#panel-0 pre"), texts[0]);
      }
      const json = await page.evaluate(() => sutler.positions.json);
      const file = join(folder, "position.json");
      writeFileSync(file, json);
      assert.deepEqual(trace, JSON.parse(sutler("trace", rules, "--position", file, "--format", "json")), `${setup}: the same from the position as JSON`);
    }
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
    await page.evaluate(() => sutler.check());
    const at = join(folder, `g${nth}`);
    for (const [path, text] of Object.entries({ ...texts, "rules.sut": texts["rules.sut"] + more })) {
      mkdirSync(dirname(join(at, path)), { recursive: true });
      writeFileSync(join(at, path), text);
    }
    const printed = JSON.parse(sutler("check", at, "--format", "json")).diagnostics;
    const plain = (fault) => JSON.parse(JSON.stringify(fault).replaceAll(`${at}/`, ""));
    const shown = await page.evaluate(async () => (await sutler.checker.check(sutler.store.texts())).faults);
    assert.deepEqual(shown.map(plain), printed.map(plain));
    const places = await page.locator("#problems li b").allTextContents();
    assert.deepEqual(places, printed.slice(0, 100).map((fault) => `${fault.severity} ${fault.code}`));
  }
});

test("cases come out as test prints them", async () => {
  await choose(page, "blockade_siege");
  const rows = await page.evaluate(() => sutler.checker.run(sutler.store.texts(), sutler.game.opened.name));
  const printed = JSON.parse(sutler("test", "rulesets/blockade_siege", "--format", "json"));
  const plain = ({ ruleset: _, ...row }) => ({ ...row, file: row.file.split("/").at(-1) });
  assert.deepEqual(rows.map(plain), printed.cases.filter((row) => row.ruleset === "blockade_siege").map(plain));
});
