// The map under an author's hand: a unit dragged until its line is cut, a ruling flipped, what would restore a line, on a phone and by keys.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { begin, choose, done, drag, ready, spot, unit } from "./browser.mjs";

let place;
before(async () => (place = await begin()));
after(() => place.close());

test("a unit is dragged until its line is cut, and why is read with clauses and their lines", async () => {
  const page = await place.open();
  const before = await page.textContent("#counts");
  assert.match(before, /55 supplied, 14 out_of_supply/);
  await drag(page, "F1", ["Hanover", "Brandenburg", "Magdeburg"], false);
  // While it is held the answer is there already.
  assert.match(await page.textContent("#counts"), /F1 is out_of_supply/);
  await page.mouse.up();
  await ready(page);
  assert.match(await page.textContent("#answer"), /F1: out_of_supply/);
  const clause = page.locator("#panel-0 dt button").first();
  const id = (await clause.textContent()).replace(/^SK-/, "");
  await clause.click();
  const line = await page.evaluate(() => sutler.editor.view.state.doc.lineAt(sutler.editor.view.state.selection.main.from).text);
  assert.ok(line.includes(id), `${id} in ${line}`);
  await page.click("#undo");
  await ready(page);
  assert.match(await page.textContent("#counts"), /55 supplied, 14 out_of_supply/);
  assert.equal(await page.isDisabled("#undo"), true);
  await done(page);
});

test("what would restore a line and what would cut one is said and drawn", async () => {
  const page = await place.open();
  await unit(page, "F3");
  await page.click("text=What would restore it");
  await page.waitForSelector("#panel-0 ul li");
  assert.ok(await page.locator("#board .marks polygon").count());
  await unit(page, "F1");
  assert.equal(await page.locator("#board .marks polygon").count(), 0);
  await page.click("text=What would cut it");
  await page.waitForSelector("#panel-0 ul li");
  assert.ok(await page.locator("#board .marks polygon").count());
  await done(page);
});

test("each change that would restore a line is drawn where it stands, tried with a click, and taken back", async () => {
  const page = await place.open();
  await unit(page, "F3");
  await page.click("text=What would restore it");
  const row = page.locator(".changes li", { hasText: "a reach of 3" });
  await row.locator(".place").click();
  const { route } = await page.evaluate(async () => (await sutler.game.ask({ call: "why_not", trace: "supply", of: "F3" })).why_not.remedies.find((one) => one.change === "reach"));
  const points = await page.locator("#board .could .way").getAttribute("points");
  const anchors = await page.evaluate((ids) => ids.map((id) => sutler.board.scene.anchors[sutler.board.ids.indexOf(id)]).map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" "), route.map((stage) => stage.space));
  assert.equal(points, anchors);
  assert.equal(await row.locator(".place").getAttribute("aria-pressed"), "true");
  await row.locator(".place").click();
  assert.equal(await page.locator("#board .could *").count(), 0);
  // What is tried is so, and one step of undo; each of those that can be tried restores the line.
  const tries = await page.locator(".changes .try").count();
  assert.ok(tries > 4);
  for (let nth = 0; nth < tries; nth += 2) {
    if (nth > 0) await page.click("text=What would restore it");
    await page.locator(".changes .try").nth(nth).click();
    await page.waitForFunction(() => /: supplied/.test(document.querySelector("#answer")?.textContent));
    await ready(page);
    await page.click("#undo");
    await ready(page);
    assert.match(await page.textContent("#answer"), /F3: out_of_supply/);
  }
  // The same of what would cut one.
  await unit(page, "F1");
  await page.click("text=What would cut it");
  await page.locator(".changes li", { hasText: "B2 moved to Austrian_Netherlands" }).locator(".place").click();
  assert.equal(await page.locator("#board .could .ring").count(), 1);
  await page.locator(".changes li", { hasText: "B2 moved to Austrian_Netherlands" }).locator(".try").click();
  await page.waitForFunction(() => /F1: out_of_supply/.test(document.querySelector("#answer").textContent));
  await done(page);
});

test("a ruling, a season and control are flipped, the answers follow, and all is undone", async () => {
  const page = await place.open();
  const start = await page.evaluate(() => sutler.positions.json);
  await page.click("#tab-1");
  await page.selectOption("#fact-Rulings-whose_enemy", '"the_providers"');
  await ready(page);
  assert.match(await page.evaluate(() => sutler.positions.json), /the_providers/);
  await page.selectOption("#fact-The_game-season", '"winter"');
  await ready(page);
  await page.evaluate(() => sutler.shown.choose("Burgundy"));
  await ready(page);
  await page.selectOption("#fact-Burgundy-control", '"Prussia"');
  await ready(page);
  const data = await page.evaluate(() => sutler.positions.data);
  assert.deepEqual([data.world.season, data.rulings.whose_enemy, data.spaces.Burgundy.control], ["winter", "the_providers", "Prussia"]);
  for (let n = 0; n < 3; n++) {
    await page.click("#undo");
    await ready(page);
  }
  assert.equal(await page.evaluate(() => sutler.positions.json), start);
  await page.click("#redo");
  await ready(page);
  assert.match(await page.evaluate(() => sutler.positions.json), /the_providers/);
  await done(page);
});

test("what a test can come to is shown as bars, as long as the chances", async () => {
  const page = await place.open();
  await choose(page, "blockade_siege");
  const [test, id] = await page.evaluate(async () => {
    for (const test of sutler.game.opened.tests) {
      const { odds } = await sutler.game.ask({ call: "odds", test });
      if (odds.odds.length) return [test, odds.odds[0].id];
    }
    return [];
  });
  await page.evaluate((id) => sutler.shown.choose(id), id);
  await ready(page);
  const table = page.locator("table.odds", { hasText: test }).first();
  const rows = await table.locator("tr").evaluateAll((rows) => rows.map((row) => [row.querySelector(".bars").clientWidth, row.querySelector(".bar-of").getBoundingClientRect().width, parseFloat(row.querySelector(".chance").textContent)]));
  assert.ok(rows.length > 1);
  assert.ok(Math.abs(rows.reduce((sum, [, , percent]) => sum + percent, 0) - 100) < 0.1);
  const longest = rows.reduce((a, b) => (b[2] > a[2] ? b : a));
  for (const [, long, percent] of rows) assert.ok(Math.abs(long - Math.max(1, (longest[1] * percent) / longest[2])) < 2, `${long} pixels for ${percent} %`);
  await done(page);
});

test("on a phone, by touch", async () => {
  const page = await place.open({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 390, `${wide} pixels wide`);
  const touch = await page.context().newCDPSession(page);
  const send = (kind, points) => touch.send("Input.dispatchTouchEvent", { type: kind, touchPoints: points });
  const box = await (await unit(page, "F1")).boundingBox();
  const from = { x: box.x + 6, y: box.y + box.height / 2 };
  const to = await spot(page, "Brunswick");
  await send("touchStart", [from]);
  for (let n = 1; n <= 6; n++) await send("touchMove", [{ x: from.x + ((to.x - from.x) * n) / 6, y: from.y + ((to.y - from.y) * n) / 6 }]);
  await send("touchEnd", []);
  await ready(page);
  assert.equal(await page.evaluate(() => sutler.positions.data.units.find((one) => one.id === "F1").space), "Brunswick");
  // Two fingers scale the map.
  const scale = await page.evaluate(() => sutler.board.view.scale);
  await send("touchStart", [{ x: 150, y: 600, id: 1 }, { x: 250, y: 600, id: 2 }]);
  for (let n = 1; n <= 5; n++) await send("touchMove", [{ x: 150 - 10 * n, y: 600, id: 1 }, { x: 250 + 10 * n, y: 600, id: 2 }]);
  await send("touchEnd", []);
  assert.ok((await page.evaluate(() => sutler.board.view.scale)) > scale * 1.4);
  await page.tap("[data-view=answers]");
  assert.equal(await page.isVisible("#answer"), true);
  assert.match(await page.textContent("#answer"), /F1: /);
  await page.tap("[data-view=rules]");
  assert.equal(await page.isVisible(".cm-content"), true);
  await done(page);
});

test("by keys alone: a base of a table is lifted, laid elsewhere, and taken back", async () => {
  const page = await place.open();
  await choose(page, "twilight");
  const [id] = await page.evaluate(() => sutler.frame.bases.map((base) => base.id));
  const at = () => page.evaluate((id) => sutler.positions.data.units.find((one) => one.id === id).at, id);
  await page.focus("#find");
  await page.keyboard.type(id);
  await page.keyboard.press("Enter");
  await page.waitForFunction((id) => document.activeElement.dataset?.id === id, id);
  const was = await at();
  await page.keyboard.press("m");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Escape");
  await ready(page);
  assert.deepEqual(await at(), was);
  await page.keyboard.press("m");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Shift+ArrowUp");
  await page.keyboard.press("Enter");
  await page.waitForFunction((was) => JSON.stringify(sutler.positions.data.units.find((one) => one.id === was[0]).at) !== was[1], [id, JSON.stringify(was)]);
  await ready(page);
  const [x, y] = await at();
  const number = (text) => text.split("/").map(Number).reduce((over, under) => over / under);
  assert.equal(number(x), number(was[0]));
  assert.ok(Math.abs(number(y) - number(was[1]) - 1.1) < 1e-9, `${was[1]} to ${y}`);
  assert.equal(await page.evaluate(() => document.activeElement.dataset?.id), id);
  await page.keyboard.press("Control+z");
  await ready(page);
  assert.deepEqual(await at(), was);
  await page.focus(`#board .unit[data-id="${id}"]`);
  for (const key of ["ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"]) await page.keyboard.press(key);
  assert.ok(await page.evaluate(() => document.activeElement.closest(".unit")));
  await done(page);
});

test("by keys alone: a unit is found, lifted, moved and put down", async () => {
  const page = await place.open();
  await page.focus("#find");
  await page.keyboard.type("F1");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement.dataset?.id === "F1");
  await page.keyboard.press("ArrowRight");
  const next = await page.evaluate(() => document.activeElement.dataset.id);
  assert.ok(next && next !== "F1");
  await page.keyboard.press("Enter");
  await ready(page);
  assert.match(await page.textContent("#answer"), new RegExp(`^${next}: `));
  const was = await page.evaluate((id) => sutler.positions.data.units.find((one) => one.id === id).space, next);
  const space = () => page.evaluate((id) => sutler.positions.data.units.find((one) => one.id === id).space, next);
  await page.keyboard.press("m");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Escape");
  await ready(page);
  assert.equal(await space(), was);
  await page.keyboard.press("m");
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction(() => sutler.idle);
  await page.keyboard.press("Enter");
  await ready(page);
  assert.notEqual(await space(), was);
  await page.keyboard.press("Control+z");
  await ready(page);
  assert.equal(await space(), was);
  await done(page);
});
