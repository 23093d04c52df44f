// The position under other rules beside the one that is shown.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { begin, choose, done, ready } from "./browser.mjs";

let place;
before(async () => (place = await begin()));
after(() => place.close());

/** What a second map is chosen by. */
const HOUSE = JSON.stringify(["rules", "house"]);

test("a variant is set beside the rules, and the answers that flip are shown", async () => {
  const page = await place.open();
  await page.click("#tab-2");
  await page.selectOption("#against", HOUSE);
  await ready(page);
  const flips = await page.locator("#board .unit.flips").count();
  assert.match(await page.textContent("#flips"), new RegExp(flips === 1 ? "1 answer flips" : `${flips} answers flip`));
  // Told by the engine itself, one after the other.
  const told = await page.evaluate(async () => {
    const yes = (frame) => new Map(frame.units.map((unit) => [unit.id, unit.yes]));
    const here = yes(sutler.frame);
    const house = await sutler.game.beside({ rules: "house" });
    await house.place(sutler.positions.json);
    const there = yes(await house.ask({ call: "draw", show: { trace: "supply" }, form: "frame" }));
    await house.close();
    return [...here].filter(([id, answer]) => there.get(id) !== answer).map(([id]) => id).sort();
  });
  assert.ok(told.length > 0, "the variant flips something");
  for (const map of ["#board", "#beside"]) {
    const shown = await page.locator(`${map} .unit.flips`).evaluateAll((all) => all.map((one) => one.dataset.id).sort());
    assert.deepEqual(shown, told, `marked on ${map}`);
  }
  const named = await page.locator("#flips tbody tr td:first-child").allTextContents();
  assert.deepEqual(named.sort(), told, "each is named in the list");
  await done(page);
});

test("two maps move together, a drag on either moves both, and spaces are compared where their reach is shown", async () => {
  const page = await place.open();
  await page.selectOption("#side", "France");
  await page.click("#tab-2");
  await page.selectOption("#against", HOUSE);
  await ready(page);
  assert.equal(await page.textContent("#there-name"), "the ruleset house");
  const views = () => page.evaluate(() => [sutler.board.view, sutler.beside.board.view].map(({ x, y, scale }) => [x, y, scale]));
  await page.mouse.move(...Object.values(await page.evaluate(() => { const { left, top } = document.getElementById("beside").getBoundingClientRect(); return { x: left + 80, y: top + 80 }; })));
  await page.mouse.wheel(0, -300);
  await page.waitForTimeout(400);
  const [one, other] = await views();
  assert.deepEqual(one, other);
  // Each space whose stand differs is marked on both maps and named, and no other.
  const told = await page.evaluate(async () => {
    const show = { trace: "supply", side: "France" };
    const house = await sutler.game.beside({ rules: "house" });
    await house.place(sutler.positions.json);
    const there = (await house.ask({ call: "draw", show, form: "frame" })).reach;
    await house.close();
    const here = (await sutler.game.ask({ call: "draw", show, form: "frame" })).reach;
    const none = (row) => (row && row[0] !== "" ? row[0].startsWith("-") : null);
    const shut = (row) => (row ? row[0].includes("#") : null);
    return sutler.board.ids.filter((_, at) => none(here[at]) !== none(there[at]) || shut(here[at]) !== shut(there[at])).sort();
  });
  assert.ok(told.length > 0, "the variant flips spaces");
  for (const map of ["#board", "#beside"]) {
    const marked = await page.locator(`${map} .flipping polygon`).evaluateAll((all) => all.map((one) => one.dataset.id).sort());
    assert.deepEqual(marked, told, `marked on ${map}`);
  }
  const named = await page.locator("#flips tbody tr td:first-child").allTextContents();
  for (const id of told) assert.ok(named.includes(id), id);
  const { wide, room } = await page.evaluate(() => ({ wide: document.getElementById("panels").scrollWidth, room: document.getElementById("panels").clientWidth }));
  assert.ok(wide <= room, `the list is ${wide} wide, and there are ${room}`);
  // By keys on the second map.
  const id = await page.evaluate(() => sutler.frame.units[0].id);
  await page.evaluate((id) => sutler.shown.choose(id, { show: true }), id);
  await ready(page);
  const was = await page.evaluate((id) => sutler.positions.data.units.find((one) => one.id === id).space, id);
  await page.focus(`#beside .unit[data-id="${id}"]`);
  await page.keyboard.press("m");
  for (const key of ["ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"]) await page.keyboard.press(key);
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction(() => sutler.idle);
  await page.keyboard.press("Enter");
  await ready(page);
  const now = await page.evaluate((id) => sutler.positions.data.units.find((one) => one.id === id).space, id);
  assert.notEqual(now, was);
  const places = await page.evaluate((id) => ["#board", "#beside"].map((map) => document.querySelector(`${map} .unit[data-id="${id}"]`).dataset.at), id);
  assert.equal(places[0], places[1]);
  assert.equal(await page.evaluate(() => document.activeElement.closest(".board").id), "beside");
  await page.uncheck("#two-maps");
  await ready(page);
  assert.equal(await page.locator("#beside").count(), 0);
  await done(page);
});

test("the rules as they came are set beside the rules as they are written now", async () => {
  const page = await place.open();
  await choose(page, "winter_road");
  await page.click("#tab-2");
  assert.equal(await page.locator("#against option", { hasText: "as they came" }).count(), 0);
  await page.evaluate(() => sutler.editor.replace(0, sutler.editor.text.length, sutler.editor.text.replace("otherwise 2", "otherwise 1")));
  await page.waitForFunction(() => document.querySelector("#against").textContent.includes("as they came"));
  await ready(page);
  await page.selectOption("#against", { label: "the rules as they came" });
  await ready(page);
  const rows = await page.locator("#flips tbody tr").allTextContents();
  assert.ok(rows.length > 0 && rows.every((row) => /cut_off/.test(row) && /supplied/.test(row)), rows.join("\n"));
  const url = await page.evaluate(() => sutler.links.make());
  const other = await place.open({}, new URL(url).hash);
  await other.waitForFunction(() => sutler.idle);
  await done(other);
  await done(page);
});

test("two maps on a phone, one below the other", async () => {
  const page = await place.open({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await page.tap("[data-view=answers]");
  await page.tap("#tab-2");
  await page.selectOption("#against", HOUSE);
  await ready(page);
  await page.tap("[data-view=map]");
  const boxes = await page.evaluate(() => ["board", "beside"].map((id) => document.getElementById(id).getBoundingClientRect().toJSON()));
  for (const { width, height, right } of boxes) assert.ok(width > 350 && height > 150 && right <= 390, JSON.stringify(boxes));
  assert.ok(boxes[1].top >= boxes[0].bottom);
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390);
  await done(page);
});
