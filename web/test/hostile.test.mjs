// Rules, positions and links that mean harm: none runs a script, hangs the page or loses a text.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { packed } from "../src/store.js";
import { begin, choose, explained, ready, type } from "./browser.mjs";

let place;
before(async () => (place = await begin()));
after(() => place.close());

const MARKUP = '<img src=x onerror="globalThis.hurt=1"><script>globalThis.hurt=2</script>';
/** A game whose every text is markup. */
const RULES = `edition 1
ruleset hurt "${MARKUP.replaceAll('"', "'")}" prefix H
sides Red, Blue
kind area is space
kind road, roads is link
kind army is unit
trace supply of army "<svg onload='globalThis.hurt=3'>" {
  called fed else starved
  source depot where any army here
  leg way
    over roads
    from anywhere
    through anywhere
    into anywhere
    within unlimited
}
map land "<svg/onload=globalThis.hurt=4>" {
  space area A "<b onmouseover='globalThis.hurt=5'>A</b>"
  space area B "</title><script>globalThis.hurt=6</script>"
  link road A to B
}
setup opening on land "<i>opening</i>" {
  put army U "</text></svg><iframe src='javascript:parent.hurt=7'></iframe>" of Red in A
}
`;

/** What stands on the page that a text of the rules could have put there. */
async function unharmed(page) {
  assert.equal(await page.evaluate(() => globalThis.hurt), undefined);
  const strange = "script:not([src]), iframe, img, object, embed, #board a, #board foreignObject, #board image, #board use, #board [onload], [onerror], [onmouseover], .cm-editor a, .cm-editor svg";
  assert.equal(await page.locator(strange).count(), 0);
  const inline = await page.evaluate(() => [...document.querySelectorAll("*")].filter((one) => one.getAttributeNames().some((name) => name.startsWith("on"))).length);
  assert.equal(inline, 0);
}

test("names that hold markup stay names, on the map as well", async () => {
  const hash = `#${await packed({ schema: 1, texts: { "rules.sut": RULES, [`${MARKUP}.sut`]: "edition 1\n" } })}`;
  const page = await place.open({}, hash);
  assert.match(await page.evaluate(() => sutler.editor.text), /onerror/);
  assert.deepEqual(await page.evaluate(() => sutler.frame.units.map((one) => one.id)), ["U"], await page.textContent("#problems"));
  await page.evaluate(() => sutler.shown.choose("U"));
  await ready(page);
  for (let nth = 0; nth < 6; nth++) await page.click(`#tab-${nth}`);
  await page.click("#tab-4");
  await page.click("#make-case");
  await page.waitForSelector("#cases p");
  await unharmed(page);
  assert.match(await page.locator(".unit title").first().textContent(), /<iframe/);
  await page.context().close();
});

test("what the language server says of such names is text, in every place that shows it", async () => {
  const link = "[x](javascript:globalThis.hurt=8)";
  const rules = RULES.replace('"<svg onload=', `"${link} &lt;b&gt; \`\`\` **y** <svg onload=`) + `clause 1 "${link} <img src=x onerror='globalThis.hurt=9'>"\ndefine gone of army = not any army here [1]\n`;
  const page = await place.open({}, `#${await packed({ schema: 1, texts: { "rules.sut": rules, [`${MARKUP.replaceAll("/", "")}.sut`]: "edition 1\n" } })}`);
  const at = (piece, behind) => page.evaluate(([piece, behind]) => {
    const anchor = sutler.editor.text.indexOf(piece) + behind;
    sutler.editor.view.dispatch({ selection: { anchor }, scrollIntoView: true });
    sutler.editor.view.focus();
    return sutler.editor.view.coordsAtPos(anchor).left && sutler.editor.view.coordsAtPos(anchor);
  }, [piece, behind]);
  for (const [piece, behind, said] of [["supply of army", 2, "<svg onload='globalThis.hurt=3'>"], ["[1]", 1, "<img src=x onerror='globalThis.hurt=9'>"]]) {
    const text = await explained(page, () => at(piece, behind));
    assert.ok(text.includes(said) && text.includes(link), text);
    const tags = await page.locator(".cm-lsp-hover-tooltip *").evaluateAll((all) => [...new Set(all.map((one) => one.localName))].filter((tag) => !["p", "pre", "code", "strong", "em", "span", "br"].includes(tag)));
    assert.deepEqual(tags, []);
    await unharmed(page);
    await page.mouse.move(5, 5);
    await page.waitForSelector(".cm-lsp-hover-tooltip", { state: "detached" });
  }
  // In the list of what may stand here, and of where a name is used.
  await at("[1]", 1);
  await page.keyboard.press("Control+Space");
  await page.waitForSelector(".cm-completionInfo");
  assert.ok((await page.textContent(".cm-completionInfo")).includes("onerror"));
  await unharmed(page);
  await page.keyboard.press("Escape");
  await at("supply of army", 2);
  await page.keyboard.press("Shift+F12");
  await page.waitForSelector(".cm-lsp-reference");
  assert.ok((await page.textContent(".cm-lsp-reference-panel")).includes("<svg onload"));
  await unharmed(page);
  await page.context().close();
});

test("an adopted drawing keeps shapes and text, and nothing else", async () => {
  const page = await place.open();
  await page.evaluate(() => {
    const evil = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 9 9" onload="globalThis.hurt=1">
      <script>globalThis.hurt=2</script><foreignObject><iframe xmlns="http://www.w3.org/1999/xhtml" src="javascript:parent.hurt=3"/></foreignObject>
      <g id="marks"><a xlink:href="javascript:globalThis.hurt=4"><text>x</text></a><image href="x" onerror="globalThis.hurt=5"/>
      <rect width="1" height="1" fill="url(https://example.invalid/x)" style="background:url(x);fill:url(x);stroke:red" onclick="globalThis.hurt=6"/>
      <animate attributeName="href" to="javascript:1"/><use href="#x"/></g></svg>`;
    sutler.board.marks(evil);
  });
  assert.equal(await page.locator("#board .marks rect").count(), 1);
  assert.deepEqual(await page.locator("#board .marks rect").evaluate((one) => one.getAttributeNames()), ["width", "height"]);
  await unharmed(page);
  await page.context().close();
});

test("links that are damaged, or hold what is no ruleset, are said to be so", async () => {
  const wrong = [
    "#%%%%", "#AAAA", `#${await packed("x".repeat(9_000_000))}`, `#${await packed({ schema: 9 })}`, `#${await packed(null)}`,
    `#${await packed({ schema: 1, game: "../../etc/passwd" })}`, `#${await packed({ schema: 1, texts: [1, 2], position: "{" })}`,
    `#${await packed({ schema: 1, game: "malaya", position: '{"schema": 1, "map": "malaya", "units": [{"id": "__proto__"}]}', chosen: "<b>" })}`,
    `#${await packed({ schema: 1, texts: { __proto__: "x", "rules.sut": 7 }, trace: 1, side: {} })}`,
  ];
  for (const hash of wrong) {
    const context = await place.browser.newContext();
    const page = await context.newPage();
    await page.goto(place.url + hash);
    await page.waitForFunction(() => globalThis.sutler?.idle && sutler.store.game !== "", null, { timeout: 60000 });
    await page.waitForFunction(() => sutler.idle && document.querySelector("#verdict").textContent !== "checking…");
    await unharmed(page);
    assert.equal(await page.evaluate(() => location.hash), "");
    // And the page works on.
    await choose(page, "winter_road");
    assert.match(await page.textContent("#counts"), /supplied/);
    await context.close();
  }
});

test("lines of any length and tables of any number of rows hold nothing up", async () => {
  const tiny = RULES.replaceAll(MARKUP.replaceAll('"', "'"), "plain");
  const many = Array.from({ length: 20000 }, (_, at) => `  row r${at} when any army here then 1\n`).join("");
  const long = [
    `# ${"[".repeat(300000)}\n`, `# ${"[".repeat(150000)}${"]".repeat(150000)}\n`, `x${" ".repeat(300000)}y\n`, `"${"a".repeat(300000)}\n`,
    `table t of area gives x by first match {\n${many}}\n`, `${"(".repeat(100000)}\n`, "table t of a\n".repeat(20000),
  ];
  for (const more of long) {
    const context = await place.browser.newContext();
    const page = await context.newPage();
    await page.goto(`${place.url}#${await packed({ schema: 1, texts: { "rules.sut": tiny + more } })}`);
    await page.waitForFunction(() => globalThis.sutler?.idle && sutler.store.game !== "" && !["", "checking…"].includes(document.querySelector("#verdict").textContent), null, { timeout: 60000 });
    assert.equal(await page.evaluate(() => sutler.store.files.get("rules.sut").length), tiny.length + more.length);
    await page.click("#tab-5");
    await page.waitForSelector("#panel-5 p");
    assert.ok((await page.locator(".cells tr").count()) < 1000);
    await page.click("#tab-0");
    if (await page.evaluate(() => sutler.frame.units.length)) {
      await page.evaluate(() => sutler.shown.choose("U"));
      await page.waitForFunction(() => /^U: /.test(document.querySelector("#answer")?.textContent));
    }
    await type(page, "\n# on");
    assert.match(await page.evaluate(() => sutler.store.files.get("rules.sut")), /# on$/);
    await context.close();
  }
});

test("an engine that does not answer in time is ended, and the text is kept", async () => {
  const page = await place.open();
  await choose(page, "winter_road");
  await type(page, "\n# what I typed\n");
  await ready(page);
  // A worker that never answers stands for a question without an end.
  const ended = await page.evaluate(async () => {
    const game = sutler.game.engine;
    const real = game.constructor;
    const dead = new real(() => new Worker("data:text/javascript,for(;;){}"));
    const asked = await dead.ask({ call: "about", game: 1 }, 300).catch((error) => error.message);
    // The page's own engine, ended in the middle of a question.
    const last = game.ask({ call: "about", game: 1 }).catch((error) => error.message);
    game.end("ended by hand");
    return [asked, await last];
  }).catch((error) => [error.message]);
  assert.match(ended.at(-1), /ended by hand/);
  assert.match(await page.evaluate(() => sutler.store.files.get("rules.sut")), /what I typed/);
  // The next question begins another, with the same rules and position.
  await page.evaluate(() => sutler.shown.choose(sutler.frame.units[0].id));
  await ready(page);
  assert.match(await page.textContent("#answer"), /: \w+/);
  assert.match(await page.evaluate(() => localStorage.getItem("sutler.files.winter_road")), /what I typed/);
  await page.context().close();
});

test("a check that takes too long is ended, and the page goes on", async () => {
  const page = await place.open();
  await choose(page, "winter_road");
  await page.evaluate(() => {
    const { engine } = sutler.checker;
    const ask = engine.ask.bind(engine);
    engine.ask = (call, budget) => ask(call, Math.min(budget ?? 1, 1));
  });
  await type(page, "\n# more\n");
  await page.waitForFunction(() => /ended/.test(document.querySelector("#verdict").textContent));
  assert.match(await page.evaluate(() => sutler.editor.text), /# more/);
  assert.match(await page.textContent("#counts"), /supplied/);
  await page.context().close();
});
