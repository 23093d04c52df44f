// What an author takes along: links, files, what was typed, the page without a network, and on paper.
import assert from "node:assert/strict";
import { text } from "node:stream/consumers";
import { after, before, test } from "node:test";
import { begin, choose, done, drag, ready, type, unit } from "./browser.mjs";

let place;
before(async () => (place = await begin()));
after(() => place.close());

test("on paper there is the map and the answer, and nothing to press", async () => {
  const page = await place.open();
  await unit(page, "F1");
  await page.emulateMedia({ media: "print" });
  assert.equal(await page.isVisible("#board"), true);
  assert.equal(await page.isVisible("#answer"), true);
  // The way to a line of the rules is the number of its clause, which is printed.
  assert.equal(await page.locator("button:not(.place):visible").count(), 0);
  assert.equal(await page.isVisible("#editor"), false);
  await done(page);
});

test("a link carries rules and position into a fresh browser", async () => {
  const page = await place.open();
  await choose(page, "winter_road");
  await type(page, "\n# a line of my own\n");
  await ready(page);
  const [id] = await page.evaluate(() => sutler.frame.units.map((one) => one.id));
  const spaces = await page.evaluate(() => sutler.board.scene.spaces.map((space) => space.id));
  await drag(page, id, [spaces.at(-1)]);
  const url = await page.evaluate(() => sutler.links.make());
  const json = await page.evaluate(() => sutler.positions.json);
  const other = await place.open({}, new URL(url).hash);
  await other.waitForFunction((json) => sutler.positions.json === json, json);
  assert.match(await other.evaluate(() => sutler.store.files.get("rules.sut")), /a line of my own/);
  assert.equal(await other.textContent("#counts"), await page.textContent("#counts"));
  await done(other);
  await done(page);
});

test("what was typed is there after the page was closed, and a link does not take its place", async () => {
  const context = await place.browser.newContext({ viewport: { width: 1440, height: 900 } });
  const first = await context.newPage();
  await first.goto(place.url);
  await ready(first);
  await choose(first, "winter_road");
  await type(first, "\n# mine\n");
  await ready(first);
  const hash = new URL(await first.evaluate(() => sutler.links.make())).hash;
  await type(first, "\n# mine too\n");
  await ready(first);
  await first.close();
  const second = await context.newPage();
  await second.goto(place.url + hash);
  await ready(second);
  assert.doesNotMatch(await second.evaluate(() => sutler.store.files.get("rules.sut")), /mine too/);
  await choose(second, "winter_road");
  assert.match(await second.evaluate(() => sutler.store.files.get("rules.sut")), /mine too/);
  await second.click("#fresh");
  await ready(second);
  assert.doesNotMatch(await second.evaluate(() => sutler.store.files.get("rules.sut")), /mine/);
  await context.close();
});

test("files are opened from a disk and saved to it, a position too", async () => {
  const page = await place.open();
  await choose(page, "winter_road");
  const texts = await page.evaluate(() => sutler.store.texts());
  const saved = async (click) => {
    const [download] = await Promise.all([page.waitForEvent("download"), click()]);
    return [download.suggestedFilename(), await text(await download.createReadStream())];
  };
  assert.deepEqual(await saved(() => page.click("#save")), ["rules.sut", texts["rules.sut"]]);
  const [id] = await page.evaluate(() => sutler.frame.units.map((one) => one.id));
  const spaces = await page.evaluate(() => sutler.board.scene.spaces.map((space) => space.id));
  await drag(page, id, [spaces.at(-1)]);
  await page.click("#tab-1");
  const [name, json] = await saved(() => page.click("text=Save this position"));
  assert.equal(json, await page.evaluate(() => sutler.positions.json));
  const mine = Object.entries(texts).map(([path, text]) => ({ name: path.split("/").at(-1), mimeType: "text/plain", buffer: Buffer.from(`${text}\n# mine\n`) })).filter((file) => file.name.endsWith(".sut"));
  await page.setInputFiles("#files", mine);
  await page.waitForFunction(() => sutler.store.game === "own");
  await ready(page);
  assert.match(await page.evaluate(() => sutler.editor.text), /# mine/);
  await choose(page, "winter_road");
  await page.setInputFiles("#files", { name, mimeType: "application/json", buffer: Buffer.from(json) });
  await page.waitForFunction((json) => sutler.positions.json === json, json);
  await page.setInputFiles("#files", { name: "wrong.json", mimeType: "application/json", buffer: Buffer.from('{"schema": 1, "map": "nowhere"}') });
  await page.waitForSelector("#message p");
  assert.equal(await page.evaluate(() => sutler.positions.json), json);
  await done(page);
});

test("without a network it does all of it again", async () => {
  const page = await place.open();
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(async () => (await caches.keys()).length > 0 && navigator.serviceWorker.controller);
  await page.context().setOffline(true);
  await page.reload();
  await ready(page);
  await choose(page, "malaya");
  assert.match(await page.textContent("#counts"), /supplied/);
  await choose(page, "soldier_kings");
  await drag(page, "F1", ["Magdeburg"]);
  assert.match(await page.textContent("#answer"), /F1: out_of_supply/);
  await done(page);
});
