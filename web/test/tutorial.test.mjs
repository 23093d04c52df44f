// The tutorial on the page: each step has the text of its page and the files of its folder, and what its buttons write leads to the
// files of the next.
import assert from "node:assert/strict";
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { after, before, test } from "node:test";
import { begin, done, ready, root } from "./browser.mjs";

const FOLDER = join(root, "docs/tutorial");
const PAGES = readdirSync(FOLDER).filter((name) => /^\d\d-/.test(name)).sort();

let place;
before(async () => (place = await begin()));
after(() => place.close());

/** The rules of a step as its folder holds them. */
function folder(number) {
  const top = join(FOLDER, `step${String(number).padStart(2, "0")}`);
  const texts = {};
  const walk = (at) => readdirSync(at).sort().forEach((name) => {
    const path = join(at, name);
    if (statSync(path).isDirectory()) walk(path);
    else if (/\.(sut|rhai)$/.test(name)) texts[relative(top, path)] = readFileSync(path, "utf8");
  });
  walk(top);
  return texts;
}

const texts = (page) => page.evaluate(() => Object.fromEntries(Object.entries(sutler.store.texts()).sort()));

async function opened(page, name) {
  await page.waitForFunction((name) => sutler.store.game === name, name);
  await ready(page);
}

/** Lays a file out by the keys for it, as the last step asks. */
async function layOut(page, file) {
  await page.evaluate((file) => sutler.texts.read(file), file);
  await page.click(".cm-content");
  await page.keyboard.press("Shift+Alt+F");
  await page.waitForFunction((text) => sutler.store.files.get("rules.sut") === text, folder(10)[file]);
  await ready(page);
}

test("ten steps, each with its text and files; what the buttons write ends where the next begins", async () => {
  assert.equal(PAGES.length, 10);
  const page = await place.open();
  assert.equal(await page.isVisible("#tab-6"), false);
  await page.selectOption("#game", "tutorial");
  for (let number = 1; number <= 10; number++) {
    await opened(page, `step${String(number).padStart(2, "0")}`);
    const text = readFileSync(join(FOLDER, PAGES[number - 1]), "utf8");
    assert.equal(await page.textContent("#step"), /^# (.*)$/m.exec(text)[1]);
    const shown = await page.textContent("#tutorial");
    for (const [, heading] of text.matchAll(/^## (.*)$/gm)) assert.ok(shown.includes(heading.replaceAll("`", "")), heading);
    assert.deepEqual(await texts(page), folder(Math.max(1, number - 1)), `step ${number} begins as the one before ended`);
    assert.match(await page.textContent("#verdict"), /no faults|warning/);
    const buttons = page.locator("#tutorial .code:not(.slip) .does");
    for (let nth = 0; nth < (await buttons.count()); nth++) await buttons.nth(nth).evaluate((one) => one.click());
    await ready(page);
    assert.deepEqual(await page.locator("#message p").allTextContents(), []);
    if (number === 10) await layOut(page, "rules.sut");
    assert.deepEqual(await texts(page), folder(number), `step ${number} ends as its folder`);
    if (number < 10) await page.locator("#tutorial .next").first().click();
  }
  assert.equal(await page.locator("#tutorial .next").first().isDisabled(), true);
  await page.locator("#tutorial .previous").first().click();
  await opened(page, "step09");
  // What was written in a step is kept by it.
  assert.deepEqual(await texts(page), folder(9));
  await page.click("#fresh");
  await ready(page);
  assert.deepEqual(await texts(page), folder(8));
  await page.click("#finished");
  await opened(page, "step09_finished");
  assert.deepEqual(await texts(page), folder(9));
  await page.click("#unfinished");
  await opened(page, "step09");
  assert.deepEqual(await texts(page), folder(8));
  await page.reload();
  await opened(page, "step09");
  assert.match(await page.textContent("#step"), /^Step 9/);
  await page.selectOption("#game", "soldier_kings");
  await opened(page, "soldier_kings");
  assert.equal(await page.isVisible("#tab-6"), false);
  assert.equal(await page.getAttribute("#tab-0", "aria-selected"), "true");
  await done(page);
});

test("a mistake made on purpose shows the message of the text, and undo takes it back", async () => {
  const page = await place.open();
  await page.selectOption("#game", "tutorial");
  await opened(page, "step01");
  const before = await texts(page);
  await page.locator("#tutorial .code.slip .does").first().click();
  await page.waitForSelector("#problems li.error");
  assert.match(await page.textContent("#problems li.error"), /no side is called `Crwn`/);
  assert.match(await page.textContent("#tutorial"), /no side is called `Crwn`/);
  await page.click(".cm-content");
  await page.keyboard.press("Control+z");
  await page.waitForFunction(() => /no faults/.test(document.querySelector("#verdict").textContent));
  assert.deepEqual(await texts(page), before);
  // A link between steps is a way to the step.
  await page.locator("#tutorial .place").last().click();
  await opened(page, "step02");
  await done(page);
});

test("the tutorial on a phone, by keys, and without a network", async () => {
  const page = await place.open({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(async () => (await caches.keys()).length > 0 && navigator.serviceWorker.controller);
  await page.context().setOffline(true);
  await page.selectOption("#game", "tutorial");
  await opened(page, "step01");
  assert.equal(await page.isVisible("#step"), true);
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390);
  await page.locator("#tutorial .next").first().focus();
  await page.keyboard.press("Enter");
  await opened(page, "step02");
  assert.match(await page.textContent("#step"), /^Step 2/);
  await done(page);
});
