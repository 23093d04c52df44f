// An author at the page: a mistake and its fix, words completed and explained, tables and cases, a turn.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { begin, choose, done, drag, explained, ready, type } from "./browser.mjs";

let place;
before(async () => (place = await begin()));
after(() => place.close());

test("a mistake is seen as one types, and the offered fix takes it away", async () => {
  const page = await place.open();
  await choose(page, "winter_road");
  const text = await page.evaluate(() => sutler.editor.text);
  await type(page, "\ndefine lonely of army = not any freindly army here\n");
  await page.waitForSelector("#problems li.error");
  await ready(page);
  assert.match(await page.textContent("#verdict"), /1 error/);
  await page.waitForSelector("#note:not([hidden])");
  assert.match(await page.textContent("#note"), /map shows them as they were before/);
  const said = await page.textContent("#problems li.error");
  assert.match(said, /E\d{4}/);
  assert.match(said, /freindly/);
  assert.ok(await page.locator(".cm-lintRange-error").count());
  await page.click("#problems li.error .fix");
  await page.waitForFunction(() => /no faults|warning/.test(document.querySelector("#verdict").textContent));
  await ready(page);
  assert.match(await page.evaluate(() => sutler.editor.text), /any friendly army here/);
  await page.waitForSelector("#note", { state: "hidden" });
  // All of it is undone by the keys of every editor.
  await page.click(".cm-content");
  for (let n = 0; n < 4; n++) await page.keyboard.press("Control+z");
  assert.equal(await page.evaluate(() => sutler.editor.text), text);
  await done(page);
});

test("words are completed, a word is explained, and its place is found", async () => {
  const page = await place.open();
  await choose(page, "winter_road");
  await type(page, "\ndefine lonely of army = not any friendly army here\ndefine alone of army = lon");
  await page.keyboard.press("Control+Space");
  await page.waitForSelector(".cm-tooltip-autocomplete li >> text=lonely", { timeout: 60000 });
  // The list takes no key in its first moments, so that none is taken by mistake.
  await page.waitForTimeout(150);
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => sutler.editor.text.endsWith("define alone of army = lonely"));
  await ready(page);
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("F12");
  await page.waitForFunction(() => {
    const { state } = sutler.editor.view;
    return state.doc.lineAt(state.selection.main.from).text.startsWith("define lonely");
  });
  await page.evaluate(() => sutler.editor.line(sutler.editor.view.state.doc.lines));
  const word = () => page.evaluate(() => sutler.editor.view.coordsAtPos(sutler.editor.text.length - 3));
  assert.match(await explained(page, word), /lonely/);
  await done(page);
});

test("what a code means is a click away", async () => {
  const page = await place.open();
  await choose(page, "winter_road");
  await type(page, "\ndefine lonely of army = freindly\n");
  await page.waitForSelector("#problems li");
  await page.click("#problems li >> text=What it means");
  await page.waitForSelector("#problems pre");
  assert.match(await page.textContent("#problems pre"), /wrong:/);
  await done(page);
});

test("a table is written as a table: the text has it, and undo takes it back", async () => {
  const page = await place.open();
  await choose(page, "malaya");
  const before = await page.evaluate(() => sutler.store.files.get("rules.sut"));
  await page.click("#tab-5");
  await page.selectOption("#table", "rules.sut entry_cost");
  assert.deepEqual(await page.locator(".cells thead th").allTextContents(), ["terrain here", "infantry", "armour", "rows"]);
  const cell = page.getByLabel("jungle, armour", { exact: true });
  assert.equal(await cell.inputValue(), "4");
  await cell.fill("12");
  await cell.press("Tab");
  await ready(page);
  const after = await page.evaluate(() => sutler.store.files.get("rules.sut"));
  assert.match(after, /row {5}jungle +\| 2 +\| 12\n/);
  assert.equal(after.replace(/(jungle +\| 2 +\| )12/, "$14"), before, "nothing else is touched");
  assert.equal(await page.getByLabel("jungle, armour", { exact: true }).inputValue(), "12");
  // What a cell may not say is said, and the table stays.
  await page.getByLabel("jungle, armour", { exact: true }).fill("no_such_thing");
  await page.keyboard.press("Tab");
  await page.waitForSelector("#problems li.error");
  assert.equal(await page.getByLabel("jungle, armour", { exact: true }).inputValue(), "no_such_thing");
  await page.click(".cm-content");
  for (let n = 0; n < 2; n++) await page.keyboard.press("Control+z");
  await ready(page);
  assert.equal(await page.evaluate(() => sutler.store.files.get("rules.sut")), before);
  await page.getByLabel("take out jungle").click();
  await page.waitForFunction((before) => sutler.store.files.get("rules.sut").length < before.length, before);
  await page.getByLabel("another row below swamp").click();
  await page.waitForFunction(() => (sutler.store.files.get("rules.sut").match(/row {5}swamp {6}\| 3/g) ?? []).length === 2);
  await done(page);
});

test("a case that fails is blessed, and what the cases reach is painted in the margin", async () => {
  const page = await place.open();
  await choose(page, "winter_road");
  const suite = await page.evaluate(() => sutler.store.files.get("suite.sut"));
  const broken = suite.replace("length of supply of First is 2 regions", "length of supply of First is 7 regions");
  assert.notEqual(broken, suite);
  await page.evaluate((text) => sutler.store.write("suite.sut", text), broken);
  await ready(page);
  await page.click("#tab-4");
  await page.click("#run-cases");
  await page.waitForSelector("#cases .bless");
  await page.click("#cases .bless");
  await page.waitForSelector("#cases p.yes");
  await ready(page);
  assert.equal(await page.evaluate(() => sutler.store.files.get("suite.sut")), suite);
  await page.evaluate(() => sutler.texts.read("rules.sut"));
  await page.click("#paint");
  await page.waitForSelector("#cases table");
  assert.match(await page.textContent("#cases"), /cases reach, of all files/);
  await page.evaluate(() => sutler.texts.goTo("rules.sut", sutler.editor.text.split("\n").findIndex((line) => line.startsWith("trace ")) + 1));
  await page.waitForSelector(".cm-reached .reached");
  assert.match(await page.locator(".cm-reached .reached").first().getAttribute("aria-label"), /reached \d+ times/);
  await type(page, "\n");
  assert.equal(await page.locator(".cm-reached .reached").count(), 0, "of another text nothing is known");
  await done(page);
});

test("a case is made of what is shown, runs, and fails once the rules say otherwise", async () => {
  const page = await place.open();
  await choose(page, "winter_road");
  const answers = await page.evaluate(() => sutler.frame.units.map((one) => [one.id, one.yes]));
  const [id] = answers.find(([, yes]) => yes);
  const spaces = await page.evaluate(() => sutler.board.scene.spaces.map((space) => space.id));
  const now = await page.evaluate((id) => sutler.positions.data.units.find((one) => one.id === id).space, id);
  await drag(page, id, [spaces.find((space) => space !== now)]);
  await page.click("#tab-4");
  await page.fill("#case-title", 'as "shown" <b>here</b>');
  await page.click("#make-case");
  await page.waitForSelector("#cases p.yes");
  assert.match(await page.textContent("#cases"), /1 passed, 0 failed/);
  const suite = await page.evaluate(() => sutler.store.files.get("suite.sut"));
  assert.match(suite, new RegExp(`given space of ${id} is`));
  assert.match(suite, /case "as 'shown' <b>here<\/b>"/);
  await ready(page);
  assert.match(await page.textContent("#verdict"), /no faults|warning/);
  await page.evaluate((id) => sutler.store.write("suite.sut", sutler.store.files.get("suite.sut").replace(/(expect now \w+ of \w+ is )(\w+)(?![\s\S]*expect now)/, (_, head, word) => head + sutler.frame.words.find((one) => one !== word))), id);
  await ready(page);
  await page.click("#run-cases");
  await page.waitForSelector("#cases p.no >> text=1 failed");
  await done(page);
});

test("a turn is played with dice and orders, step by step", async () => {
  const page = await place.open();
  await page.click("#tab-3");
  await page.click("#play");
  await page.waitForSelector("#turn p");
  await ready(page);
  for (let n = 0; n < 20 && (await page.locator("#orders").count()); n++) {
    await page.click("#orders");
    await ready(page);
  }
  assert.match(await page.textContent("#turn"), /the turn is over/);
  assert.ok((await page.locator("#turn li").count()) > 0);
  await page.locator("#turn li button").first().click();
  await ready(page);
  assert.equal(await page.isDisabled("#undo"), false);
  await done(page);
});
