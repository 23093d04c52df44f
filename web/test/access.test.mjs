// Who cannot see the map or use a mouse: no serious finding of axe, in light, dark and small, with
// each panel open.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { begin, choose, ready, type } from "./browser.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
let place;
before(async () => (place = await begin()));
after(() => place.close());

async function serious(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
  return violations.filter(({ impact }) => ["serious", "critical"].includes(impact)).map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(" | ")}`);
}

const PAGES = [
  ["light", {}],
  ["dark", { colorScheme: "dark" }],
  ["small", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
];
for (const [name, options] of PAGES) {
  test(`no serious finding: ${name}`, async () => {
    // The page's own rules allow no script that is not its own; axe is one.
    const page = await place.open({ ...options, bypassCSP: true });
    await choose(page, "winter_road");
    await page.evaluate(() => sutler.look("rules"));
    await type(page, "\ndefine lonely of army = freindly\n");
    await page.waitForSelector("#problems li.error");
    await ready(page);
    await page.evaluate(() => sutler.shown.choose(sutler.frame.units[0].id));
    for (const view of ["rules", "map", "answers"]) {
      await page.evaluate((view) => sutler.look(view), view);
      assert.deepEqual(await serious(page), [], view);
    }
    for (let nth = 0; nth < 6; nth++) {
      await page.evaluate((nth) => sutler.tab(sutler.panels[nth].name), nth);
      assert.deepEqual(await serious(page), [], `panel ${nth}`);
    }
    // What the language client shows beside the text.
    await page.evaluate(() => {
      sutler.look("rules");
      const { text, view } = sutler.editor;
      view.dispatch({ selection: { anchor: text.indexOf("\ntrace ") + 9 } });
      view.focus();
    });
    await page.keyboard.press("Shift+F12");
    await page.waitForSelector(".cm-lsp-reference");
    await page.focus(".cm-content");
    await page.keyboard.press("F2");
    await page.waitForSelector(".rename input");
    assert.deepEqual(await serious(page), [], "where a name is used, and another name for it");
    await page.keyboard.press("Escape");
    // Two maps, and a step of the tutorial.
    await page.evaluate(() => sutler.look("answers") ?? sutler.tab("Compare"));
    await page.selectOption("#against", { label: "the ruleset long_reins" });
    await ready(page);
    for (const view of ["map", "answers"]) {
      await page.evaluate((view) => sutler.look(view), view);
      assert.deepEqual(await serious(page), [], `two maps, ${view}`);
    }
    await page.selectOption("#game", "tutorial");
    await page.waitForFunction(() => sutler.store.game === "step01");
    await ready(page);
    assert.deepEqual(await serious(page), [], "a step of the tutorial");
    await page.context().close();
  });
}

test("every unit has a name that says what it is, where, and how it stands", async () => {
  const page = await place.open();
  const names = await page.locator(".unit").evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")));
  assert.equal(names.length, await page.evaluate(() => sutler.frame.units.length));
  for (const name of names) assert.match(name, /^\w+ \w+( \(.*\))?( of \w+)? in \w+(, \w+: .+)?$/);
  await page.context().close();
});
