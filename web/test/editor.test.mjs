// The rules as text: what each word means has its colour, a name is found and changed wherever it is used, and the row of a table says
// its columns.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { begin, choose, ready } from "./browser.mjs";

let place;
before(async () => (place = await begin()));
after(() => place.close());

async function done(page) {
  assert.deepEqual(page.complaints, []);
  await page.context().close();
}

/** Puts the cursor behind so many characters of a piece of the text. */
function cursor(page, piece, behind = 0) {
  return page.evaluate(([piece, behind]) => {
    const anchor = sutler.editor.text.indexOf(piece) + behind;
    sutler.editor.view.dispatch({ selection: { anchor }, scrollIntoView: true });
    sutler.editor.view.focus();
  }, [piece, behind]);
}

test("each word has the colour of what it means there", async () => {
  const page = await place.open();
  await choose(page, "winter_road");
  await page.evaluate(() => sutler.look("rules"));
  await page.waitForSelector(".tok-kind");
  const shown = await page.evaluate(() => {
    const found = {};
    for (const one of document.querySelectorAll(".cm-content [class^=tok-]")) {
      const name = one.className;
      (found[name] ??= new Set()).add(one.textContent);
    }
    return Object.fromEntries(Object.entries(found).map(([name, all]) => [name, [...all]]));
  });
  // Held against the server itself.
  const told = await page.evaluate(async () => {
    const types = ["keyword", "type", "property", "variable", "function", "enumMember"];
    const { data } = await sutler.language.request("rules.sut", "textDocument/semanticTokens/full", {});
    const lines = sutler.editor.text.split("\n");
    const found = {};
    for (let at = 0, line = 0, column = 0; at < data.length; at += 5) {
      column = data[at] ? data[at + 1] : column + data[at + 1];
      line += data[at];
      (found[types[data[at + 3]]] ??= new Set()).add(lines[line].slice(column, column + data[at + 2]));
    }
    return Object.fromEntries(Object.entries(found).map(([name, all]) => [name, [...all]]));
  });
  for (const [name, type] of [["tok-kind", "type"], ["tok-fact", "property"], ["tok-value", "enumMember"]]) {
    assert.ok(shown[name]?.length > 0, name);
    for (const word of shown[name]) assert.ok(told[type].includes(word), `${word} is ${type}`);
  }
  assert.ok(shown["tok-word"].length > 5);
  // Words that one types have theirs too.
  await cursor(page, "\n\n");
  await page.keyboard.insertText("\ndefine lonely of army = not any friendly army here");
  await page.waitForFunction(() => [...document.querySelectorAll(".cm-line")].some((line) => line.textContent.startsWith("define lonely") && line.querySelector(".tok-kind")?.textContent === "army"));
  await done(page);
});

test("where a name is used is listed, and it is renamed in all files", async () => {
  const page = await place.open();
  const before = await page.evaluate(() => sutler.store.texts());
  await cursor(page, "enemy_occupied", 2);
  await page.keyboard.press("Shift+F12");
  await page.waitForSelector("#uses li");
  const places = await page.locator("#uses li button").allTextContents();
  const lines = Object.entries(before).flatMap(([path, text]) => text.split("\n").flatMap((line, at) => (/\benemy_occupied\b/.test(line.split("#")[0]) ? [`${path}:${at + 1}`] : [])));
  assert.deepEqual(places.sort(), lines.sort());
  // By keys: the first place has the focus.
  assert.ok(await page.evaluate(() => document.activeElement.closest("#uses") !== null));
  await page.keyboard.press("Escape");
  assert.equal(await page.locator("#uses").count(), 0);
  await page.keyboard.press("F2");
  await page.waitForSelector(".rename input");
  await page.keyboard.press("Control+a");
  await page.keyboard.type("held_by_enemy");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => /held_by_enemy now, in 4 places of 2 files/.test(document.querySelector("#message").textContent));
  await ready(page);
  assert.equal(await page.textContent("#verdict"), "no faults");
  const after = await page.evaluate(() => sutler.store.texts());
  for (const [path, text] of Object.entries(before)) assert.equal(after[path], text.replaceAll(/\benemy_occupied\b/g, "held_by_enemy"), path);
  // A name that another rule has is refused with the reason, and nothing is changed.
  await cursor(page, "held_by_enemy", 2);
  await page.keyboard.press("F2");
  await page.waitForSelector(".rename input");
  await page.keyboard.press("Control+a");
  await page.keyboard.type("home_area");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => /home_area/.test(document.querySelector("#message").textContent));
  assert.deepEqual(await page.evaluate(() => sutler.store.texts()), after);
  await done(page);
});

test("the row of a table says its columns, and which one is next", async () => {
  const page = await place.open();
  await choose(page, "malaya");
  await cursor(page, "row     jungle     |           0", 30);
  await page.keyboard.press("ArrowRight");
  await page.waitForSelector(".cm-tooltip.hover b");
  assert.equal(await page.textContent(".cm-tooltip.hover"), "row terrain | by_infantry | by_armour");
  assert.equal(await page.textContent(".cm-tooltip.hover b"), "by_infantry");
  await done(page);
});
