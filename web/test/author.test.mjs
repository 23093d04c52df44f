// An author at the page: a mistake and its fix, a unit dragged until its line is cut, a ruling
// flipped, a case made, a link, no network, a phone.
import assert from "node:assert/strict";
import { text } from "node:stream/consumers";
import { after, before, test } from "node:test";
import { begin, choose, drag, ready, spot, type, unit } from "./browser.mjs";

let place;
before(async () => (place = await begin()));
after(() => place.close());

async function done(page) {
  assert.deepEqual(page.complaints, []);
  await page.context().close();
}

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
  await page.waitForTimeout(300);
  const word = await page.evaluate(() => sutler.editor.view.coordsAtPos(sutler.editor.text.length - 3));
  await page.mouse.move(word.left + 60, word.top - 60);
  await page.mouse.move(word.left, (word.top + word.bottom) / 2, { steps: 3 });
  await page.waitForSelector(".cm-lsp-hover-tooltip");
  assert.match(await page.textContent(".cm-lsp-hover-tooltip"), /lonely/);
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
  await page.evaluate(() => sutler.choose("Burgundy"));
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

/** What a second map is chosen by. */
const HOUSE = JSON.stringify(["rules", "house"]);

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
  await page.evaluate((id) => sutler.choose(id, { show: true }), id);
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
  const url = await page.evaluate(() => sutler.link());
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
  await page.evaluate((id) => sutler.choose(id), id);
  await ready(page);
  const table = page.locator("table.odds", { hasText: test }).first();
  const rows = await table.locator("tr").evaluateAll((rows) => rows.map((row) => [row.querySelector(".bars").clientWidth, row.querySelector(".bar-of").getBoundingClientRect().width, parseFloat(row.querySelector(".chance").textContent)]));
  assert.ok(rows.length > 1);
  assert.ok(Math.abs(rows.reduce((sum, [, , percent]) => sum + percent, 0) - 100) < 0.1);
  const longest = rows.reduce((a, b) => (b[2] > a[2] ? b : a));
  for (const [, long, percent] of rows) assert.ok(Math.abs(long - Math.max(1, (longest[1] * percent) / longest[2])) < 2, `${long} pixels for ${percent} %`);
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
  await page.evaluate(() => sutler.read("rules.sut"));
  await page.click("#paint");
  await page.waitForSelector("#cases table");
  assert.match(await page.textContent("#cases"), /cases reach, of all files/);
  await page.evaluate(() => sutler.goTo("rules.sut", sutler.editor.text.split("\n").findIndex((line) => line.startsWith("trace ")) + 1));
  await page.waitForSelector(".cm-reached .reached");
  assert.match(await page.locator(".cm-reached .reached").first().getAttribute("aria-label"), /reached \d+ times/);
  await type(page, "\n");
  assert.equal(await page.locator(".cm-reached .reached").count(), 0, "of another text nothing is known");
  await done(page);
});

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

test("a link carries rules and position into a fresh browser", async () => {
  const page = await place.open();
  await choose(page, "winter_road");
  await type(page, "\n# a line of my own\n");
  await ready(page);
  const [id] = await page.evaluate(() => sutler.frame.units.map((one) => one.id));
  const spaces = await page.evaluate(() => sutler.board.scene.spaces.map((space) => space.id));
  await drag(page, id, [spaces.at(-1)]);
  const url = await page.evaluate(() => sutler.link());
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
  const hash = new URL(await first.evaluate(() => sutler.link())).hash;
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
