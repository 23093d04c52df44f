// How fast the built page is, in Chromium on this machine: `node measure.mjs`. Prints, asserts nothing.
import { begin, choose, ready, spot, unit } from "./test/browser.mjs";

const place = await begin();
const median = (all) => [...all].sort((a, b) => a - b)[Math.floor(all.length / 2)];
const row = (name, ms) => console.log(`${name.padEnd(56)} ${ms.map((one) => one.toFixed(1)).join(" / ")} ms`);

async function first() {
  const context = await place.browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  const times = [];
  for (let n = 0; n < 3; n++) {
    const begun = performance.now();
    await page.goto(place.url);
    await page.waitForSelector(".unit", { state: "attached" });
    times.push(performance.now() - begun);
    await ready(page);
  }
  await context.close();
  row("first visit, then two more, to the first answer", times);
}

async function dragged(game, id, reach) {
  const page = await place.open();
  await choose(page, game);
  if (reach) await page.selectOption("#side", reach);
  await ready(page);
  const box = await (await unit(page, id)).boundingBox();
  const ids = await page.evaluate(() => sutler.board.scene.spaces.map((space) => space.id));
  const spots = [];
  for (const space of ids) spots.push(await spot(page, space));
  const near = spots.filter((at) => Math.hypot(at.x - box.x, at.y - box.y) < 300 && at.x > 450 && at.x < 1000 && at.y > 200 && at.y < 800);
  await page.evaluate(() => {
    globalThis.asked = [];
    const ask = sutler.game.ask.bind(sutler.game);
    sutler.game.ask = async (call, budget) => {
      const begun = performance.now();
      const found = await ask(call, budget);
      if (call.call === "drag") asked.push(performance.now() - begun);
      return found;
    };
    const framed = sutler.framed.bind(sutler);
    globalThis.drawn = [];
    sutler.framed = (frame) => {
      const begun = performance.now();
      framed(frame);
      drawn.push(performance.now() - begun);
    };
  });
  await page.mouse.move(box.x + 6, box.y + 6);
  await page.mouse.down();
  for (const { x, y } of near.slice(0, 60)) {
    await page.mouse.move(x, y);
    await page.waitForFunction(() => sutler.idle);
  }
  const { asked, drawn } = await page.evaluate(() => ({ asked, drawn }));
  await page.mouse.up();
  row(`${game}, ${id} over ${asked.length} spaces${reach ? `, reach of ${reach}` : ""}: answer, drawing`, [median(asked), median(drawn)]);
  await page.context().close();
}

await first();
await dragged("malaya", "J12", "");
await dragged("malaya", "J12", "Japan");
await dragged("soldier_kings", "F1", "");
await place.close();
