// Counters lie on the page where the drawing of the command puts them: at rest, while a unit is held, and after it is dropped.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { GAMES, begin, choose, done, drag, ready } from "./browser.mjs";

let place;
before(async () => (place = await begin()));
after(() => place.close());

/** How the counters of the page and those of the engine's drawing of the same position differ; how many were compared, and how many of
 * them were made smaller or stand for several units. */
function compared(page, but = "") {
  return page.evaluate(async (but) => {
    const svg = await sutler.game.ask({ call: "draw", show: sutler.shown.wanted, form: "svg" });
    const drawing = new DOMParser().parseFromString(svg, "image/svg+xml");
    const moved = (node) => {
      const [, x, y, , size] = /translate\(([-\d.]+) ([-\d.]+)\)( scale\(([\d.]+)\))?/.exec(node?.getAttribute("transform") ?? "") ?? [0, 0, 0, 0, 1];
      return { x: Number(x), y: Number(y), size: Number(size ?? 1) };
    };
    const out = { count: 0, small: 0, shared: 0, far: [] };
    const known = new Map();
    for (const group of drawing.querySelectorAll("#units > g")) {
      const ids = group.querySelector("title").textContent.split("; ").map((words) => words.split(/[ :]/)[1]);
      const plate = group.querySelectorAll("rect")[ids.length > 1 ? 1 : 0];
      const { x, y, size } = moved(group.querySelector("g"));
      const wide = Number(plate.getAttribute("width"));
      const words = group.querySelector("text").textContent;
      for (const id of ids) known.set(id, { x: x + size * Number(plate.getAttribute("x")), y: y + size * Number(plate.getAttribute("y")), size, wide, words, shared: ids.length > 1 });
    }
    for (const { id } of sutler.frame.units) {
      if (id === but) continue;
      const group = document.querySelector(`#board .unit[data-id="${id}"]`);
      const [here, there] = [moved(group), known.get(id)];
      out.count += 1;
      out.small += there?.size < 1 ? 1 : 0;
      out.shared += there?.shared ? 1 : 0;
      const wide = Number(group.querySelector(".body").getAttribute("width"));
      const words = group.querySelector("text").textContent;
      const same = there && Math.abs(here.x - there.x) <= 1 && Math.abs(here.y - there.y) <= 1 && Math.abs(wide * here.size - there.wide * there.size) <= 1 && words === there.words;
      if (!same) out.far.push(JSON.stringify({ id, here: { ...here, wide, words }, there }));
    }
    return out;
  }, but);
}

// On a table of miniatures the page shows the bases of the drawing itself.
for (const name of GAMES.filter((name) => name !== "twilight")) {
  test(`${name}: every counter lies where the drawing puts it, during a drag and after it`, async () => {
    const page = await place.open();
    await choose(page, name);
    let count = 0;
    for (const setup of await page.evaluate(() => sutler.game.opened.setups)) {
      await page.evaluate((setup) => sutler.shown.begin(setup), setup);
      await ready(page);
      for (const side of ["", ...(await page.evaluate(() => sutler.game.opened.sides.slice(0, 1)))]) {
        await page.selectOption("#side", side);
        await ready(page);
        const all = await compared(page);
        assert.deepEqual(all.far, [], `${setup}, reach of ${side || "nobody"}`);
        count += all.count;
      }
      if (await page.evaluate(() => sutler.frame.units.length < 3)) continue;
      // Into the space that has the most units, from another; or away from it, where all are in one.
      const [id, to] = await page.evaluate(() => {
        const many = new Map();
        for (const { space } of sutler.frame.units) many.set(space, (many.get(space) ?? 0) + 1);
        const [most] = [...many].sort((a, b) => b[1] - a[1])[0];
        const other = sutler.frame.units.find(({ space }) => space !== most);
        return other ? [other.id, sutler.board.ids[most]] : [sutler.frame.units[0].id, sutler.board.ids.find((_, at) => at !== most)];
      });
      await drag(page, id, [to], false);
      assert.deepEqual((await compared(page, id)).far, [], `${setup}: while ${id} is held over ${to}`);
      await page.mouse.up();
      await ready(page);
      assert.deepEqual((await compared(page)).far, [], `${setup}: with ${id} in ${to}`);
    }
    assert.ok(count > 0);
    await done(page);
  });
}

test("where a space has too little room, counters are made smaller, then shared, as in the drawing", async () => {
  const page = await place.open();
  const seen = { small: 0, shared: 0 };
  for (const name of ["soldier_kings", "malaya", "blockade_siege"]) {
    await choose(page, name);
    const setup = name === "malaya" ? "december" : undefined;
    if (setup) await page.evaluate((setup) => sutler.shown.begin(setup), setup);
    await ready(page);
    for (const many of [3, 5, 8, 12, 20, 29]) {
      const json = await page.evaluate((many) => {
        const data = sutler.positions.data;
        const { space } = data.units.find((unit) => unit.space);
        for (const unit of data.units.filter((one) => one.space).slice(0, many)) unit.space = space;
        return JSON.stringify(data);
      }, many);
      await page.evaluate((json) => sutler.shown.propose(json, "crowded"), json);
      await ready(page);
      const all = await compared(page);
      assert.deepEqual(all.far, [], `${name}: ${many} in one space`);
      seen.small += all.small;
      seen.shared += all.shared;
    }
  }
  assert.ok(seen.small > 20 && seen.shared > 20, JSON.stringify(seen));
  await done(page);
});
