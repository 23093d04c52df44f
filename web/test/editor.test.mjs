// The rules as text: what each word means has its colour, a name is found and changed wherever it is used, and the row of a table says
// its columns.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { begin, choose, done, explained, ready } from "./browser.mjs";

let place;
before(async () => (place = await begin()));
after(() => place.close());

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
  await page.waitForSelector(".cm-lsp-reference");
  const places = await page.locator(".cm-lsp-reference-panel > div").evaluateAll((rows) => {
    let file = "";
    return rows.flatMap((row) => {
      if (row.className === "cm-lsp-reference-file") file = row.textContent;
      return row.className === "cm-lsp-reference" ? [`${file}:${parseInt(row.textContent)}`] : [];
    });
  });
  const lines = Object.entries(before).flatMap(([path, text]) => text.split("\n").flatMap((line, at) => (/\benemy_occupied\b/.test(line.split("#")[0]) ? [`${path}:${at + 1}`] : [])));
  assert.deepEqual([...places].sort(), lines.sort());
  // By keys: the list has the focus, and Enter goes to the place that is chosen, in another file too.
  assert.ok(await page.evaluate(() => document.activeElement.matches(".cm-lsp-reference-panel")));
  const spoken = () => page.evaluate(() => document.getElementById(document.activeElement.getAttribute("aria-activedescendant"))?.textContent);
  assert.equal(parseInt(await spoken()), Number(places[0].split(":")[1]));
  await page.keyboard.press("ArrowDown");
  assert.equal(parseInt(await spoken()), Number(places[1].split(":")[1]));
  await page.keyboard.press("End");
  assert.ok(await page.evaluate(() => {
    const [chosen, list] = [".cm-lsp-reference[aria-selected]", ".cm-lsp-reference-panel"].map((one) => document.querySelector(one).getBoundingClientRect());
    return chosen.bottom <= list.bottom + 1;
  }), "the place that is chosen is in view");
  await page.keyboard.press("Enter");
  const [path, line] = places.at(-1).split(":");
  await page.waitForFunction(([path, line]) => sutler.editor.path === path && sutler.editor.view.hasFocus && sutler.editor.view.state.doc.lineAt(sutler.editor.view.state.selection.main.head).number === Number(line), [path, line]);
  await page.evaluate(() => sutler.texts.read("rules.sut"));
  await page.focus(".cm-lsp-reference-panel");
  await page.keyboard.press("Escape");
  assert.equal(await page.locator(".cm-lsp-reference-panel").count(), 0);
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
  await page.waitForSelector(".cm-lsp-active-parameter");
  assert.equal(await page.textContent(".cm-lsp-signature-tooltip"), "row terrain | by_infantry | by_armour");
  assert.equal(await page.textContent(".cm-lsp-active-parameter"), "by_infantry");
  await done(page);
});

/** What a language server that has all texts answers about a place of a file. */
function told(page, method, piece, more = {}) {
  return page.evaluate(async ([method, piece, more]) => {
    const { engine } = sutler.language;
    const { server } = await engine.ask({ call: "serve", texts: sutler.store.texts() });
    const before = sutler.editor.text.slice(0, sutler.editor.text.indexOf(piece) + 1).split("\n");
    const params = { textDocument: { uri: `file:///${sutler.editor.path}` }, position: { line: before.length - 1, character: before.at(-1).length }, ...more };
    const send = (id, method, params) => engine.ask({ call: "message", server, message: { jsonrpc: "2.0", id, method, params } });
    await send(1, "initialize", { capabilities: {} });
    const [{ result }] = (await send(2, method, params)).filter(({ id }) => id === 2);
    await engine.ask({ call: "close", rules: null, game: null, position: null, server });
    return result;
  }, [method, piece, more]);
}

/** Rests the pointer on a piece of the text. */
async function hover(page, piece) {
  await cursor(page, piece, 1);
  return explained(page, () => page.evaluate(() => sutler.editor.view.coordsAtPos(sutler.editor.view.state.selection.main.head)));
}

test("a name is renamed in the cases as well, and each file takes it back", async () => {
  const page = await place.open();
  const before = await page.evaluate(() => sutler.store.texts());
  assert.match(before["suite.sut"], /\bhome_area\b/);
  await cursor(page, "home_area", 2);
  await page.keyboard.press("F2");
  await page.waitForSelector(".rename input");
  assert.equal(await page.inputValue(".rename input"), "home_area");
  await page.keyboard.type("own_area");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => /own_area now/.test(document.querySelector("#message").textContent));
  await ready(page);
  const after = await page.evaluate(() => sutler.store.texts());
  for (const [path, text] of Object.entries(before)) assert.equal(after[path], text.replaceAll(/\bhome_area\b/g, "own_area"), path);
  for (const path of ["suite.sut", "rules.sut"]) {
    await page.evaluate((path) => sutler.texts.read(path), path);
    await page.click(".cm-content");
    await page.keyboard.press("Control+z");
    assert.equal(await page.evaluate((path) => sutler.store.files.get(path), path), before[path], path);
  }
  await done(page);
});

test("what has no word for a name is offered whole, and what keeps its name says why", async () => {
  const page = await place.open();
  await page.evaluate(() => sutler.texts.read("suite.sut"));
  const title = await page.evaluate(() => /^case "(.*)"/m.exec(sutler.editor.text)[1]);
  await cursor(page, `case "${title}"`, 9);
  await page.keyboard.press("F2");
  await page.waitForSelector(".rename input");
  assert.equal(await page.inputValue(".rename input"), title);
  await page.keyboard.press("Escape");
  await page.evaluate(() => sutler.texts.read("rules.sut"));
  await cursor(page, "ruleset soldier_kings", 9);
  await page.keyboard.press("F2");
  await page.waitForFunction(() => /soldier_kings|ruleset|folder/.test(document.querySelector("#message").textContent));
  assert.equal(await page.locator(".rename").count(), 0);
  await done(page);
});

test("a word is explained with what the cases show of it, and its place is found in another file", async () => {
  const page = await place.open();
  const said = await hover(page, "22.3a, 22.5e");
  const whole = (await told(page, "textDocument/hover", "22.3a, 22.5e")).contents.value;
  const [, cases] = /shown by (\d+) case/.exec(whole);
  assert.ok(Number(cases) > 0, whole);
  assert.ok(said.includes(`shown by ${cases} case`), said);
  // Words and code have their places, and no sign of Markdown is left.
  assert.ok(await page.locator(".cm-lsp-hover-tooltip strong code").count());
  assert.doesNotMatch(said, /\*\*|`/);
  await page.evaluate(() => sutler.texts.read("house.sut"));
  await cursor(page, "not enemy_occupied now", 6);
  await page.keyboard.press("F12");
  await page.waitForFunction(() => sutler.editor.path === "rules.sut" && sutler.editor.view.hasFocus);
  const line = await page.evaluate(() => sutler.editor.view.state.doc.lineAt(sutler.editor.view.state.selection.main.head).text);
  assert.match(line, /^define enemy_occupied/);
  // The way back is where one was.
  await page.evaluate(() => sutler.texts.read("house.sut"));
  assert.ok(await page.evaluate(() => sutler.editor.view.state.selection.main.head > 0));
  await cursor(page, "# One number", 4);
  await page.keyboard.press("F12");
  await page.waitForFunction(() => /has another place/.test(document.querySelector("#message").textContent));
  await done(page);
});

test("a file is laid out by a key, and a list opens where a word or a clause is begun", async () => {
  const page = await place.open();
  const text = await page.evaluate(() => sutler.editor.text);
  const messy = text.replace("define enemy_occupied of area =", "define   enemy_occupied  of area=");
  assert.notEqual(messy, text);
  await page.evaluate((text) => sutler.editor.replace(0, sutler.editor.text.length, text), messy);
  await page.keyboard.press("Shift+Alt+f");
  await page.waitForFunction((text) => sutler.editor.text === text, text);
  await ready(page);
  await page.click(".cm-content");
  await page.keyboard.press("Control+End");
  await page.keyboard.type("\ndefine alone of army = ");
  await page.waitForTimeout(400);
  assert.equal(await page.locator(".cm-tooltip-autocomplete").count(), 0, "no list behind a space");
  await page.keyboard.type("en");
  await page.waitForSelector(".cm-tooltip-autocomplete li >> text=enemy_occupied");
  await page.keyboard.press("Escape");
  await page.keyboard.type("emy_held [22.3");
  await page.waitForSelector(".cm-tooltip-autocomplete li >> text=22.3a");
  assert.match(await page.textContent(".cm-completionInfo"), /\w+ \w+ \w+/);
  await done(page);
});

test("a language server that is ended is begun anew by the next question", async () => {
  const page = await place.open();
  await hover(page, "enemy_occupied");
  await page.evaluate(() => sutler.language.engine.end("ended by hand"));
  await cursor(page, "enemy_occupied", 2);
  await page.keyboard.press("F12");
  await page.waitForFunction(() => sutler.editor.view.state.doc.lineAt(sutler.editor.view.state.selection.main.head).text.startsWith("define enemy_occupied"));
  await done(page);
});
