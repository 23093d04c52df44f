// How fast the built page is, in Chromium on this machine: `node measure.mjs`. Prints, asserts nothing.
import { begin, choose, ready, unit } from "./test/browser.mjs";
import { wide } from "./wide.mjs";

const place = await begin();
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

async function shipped(game, id, reach) {
  const page = await place.open();
  await choose(page, game);
  await dragged(page, game, id, reach);
}

async function large() {
  const page = await place.open();
  await page.setInputFiles("#files", { name: "plains.sut", mimeType: "text/plain", buffer: Buffer.from(wide()) });
  await page.waitForFunction(() => sutler.game.opened?.names.includes("plains"), null, { timeout: 60000 });
  await ready(page);
  await dragged(page, "100 x 100 hexes, 200 units", "U100", "");
}

async function dragged(page, game, id, reach) {
  if (reach) await page.selectOption("#side", reach);
  await ready(page);
  const box = await (await unit(page, id)).boundingBox();
  const spots = await page.evaluate(() => {
    const { view, scene } = sutler.board;
    const { left, top } = document.getElementById("board").getBoundingClientRect();
    return scene.anchors.map(({ x, y }) => ({ x: left + (x - view.x) * view.scale, y: top + (y - view.y) * view.scale }));
  });
  const near = spots.filter((at) => Math.hypot(at.x - box.x, at.y - box.y) < 300 && at.x > 450 && at.x < 1000 && at.y > 200 && at.y < 800);
  await page.evaluate(() => {
    globalThis.times = { answer: [], drawing: [], lines: [], painted: [] };
    // From the pointer to the lines: the last move that chose another space, and the frame that answers it.
    let moved = 0;
    sutler.board.addEventListener("drag", () => (moved = performance.now()), { capture: true });
    const ask = sutler.game.ask.bind(sutler.game);
    sutler.game.ask = async (call, budget) => {
      const begun = performance.now();
      const found = await ask(call, budget);
      if (call.call === "drag") times.answer.push(performance.now() - begun);
      return found;
    };
    const framed = sutler.shown.framed.bind(sutler.shown);
    sutler.shown.framed = (frame) => {
      const begun = performance.now();
      framed(frame);
      const [done, from] = [performance.now(), moved];
      times.drawing.push(done - begun);
      times.lines.push(done - from);
      // A message that is sent from a frame comes when the frame is painted.
      requestAnimationFrame(() => {
        const painted = new MessageChannel();
        painted.port1.onmessage = () => times.painted.push(performance.now() - from);
        painted.port2.postMessage(0);
      });
    };
  });
  await page.mouse.move(box.x + 6, box.y + 6);
  await page.mouse.down();
  for (const { x, y } of near.slice(0, 60)) {
    await page.mouse.move(x, y);
    await page.waitForFunction(() => sutler.idle);
  }
  const times = await page.evaluate(() => new Promise((done) => setTimeout(() => done(times), 100)));
  await page.mouse.up();
  const name = `${game}, ${id}${reach ? `, reach of ${reach}` : ""}`;
  console.log(`${name}: ${times.answer.length} spaces; least, middle, and slowest of ten`);
  for (const [what, all] of Object.entries({ "the answer of the engine": times.answer, "drawing it": times.drawing, "from the pointer to the lines": times.lines, "from the pointer to the painted lines": times.painted })) {
    const sorted = [...all].sort((a, b) => a - b);
    row(`  ${what}`, [0, 0.5, 0.9].map((part) => sorted[Math.floor(sorted.length * part)]));
  }
  await page.context().close();
}

await first();
await shipped("malaya", "J12", "");
await shipped("malaya", "J12", "Japan");
await shipped("soldier_kings", "F1", "");
await large();
await place.close();
