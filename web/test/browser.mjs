// A real browser with the built page, and the command line beside it.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { server } from "../serve.mjs";

const here = dirname(fileURLToPath(import.meta.url));
export const root = dirname(dirname(here));
export const GAMES = ["soldier_kings", "malaya", "sgs", "blockade_siege", "twilight"];
const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

/** Serves the page and starts a browser; `close` ends both. */
export async function begin() {
  const dist = join(dirname(here), "dist");
  if (!existsSync(join(dist, "index.html"))) throw new Error("the page is not built: run `npm run build`");
  const serving = server(dist).listen(0, "127.0.0.1");
  await new Promise((resolve) => serving.once("listening", resolve));
  const executablePath = process.env.SUTLER_CHROMIUM ?? "/usr/bin/chromium";
  const browser = await chromium.launch({ executablePath, args: FLAGS });
  const url = `http://localhost:${serving.address().port}/`;
  return {
    url,
    browser,
    /** A fresh browser with the page in it; what its console complains of ends the test. */
    async open(options = {}, hash = "") {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
      const page = await context.newPage();
      const complaints = [];
      page.on("pageerror", (error) => complaints.push(error.message));
      page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
      await page.goto(url + hash);
      await ready(page);
      return Object.assign(page, { complaints });
    },
    async close() {
      await browser.close();
      serving.closeAllConnections();
      serving.close();
    },
  };
}

/** Closes a page that had nothing to complain of. */
export async function done(page) {
  assert.deepEqual(page.complaints, []);
  await page.context().close();
}

/** Waits until the page has answered everything. */
export async function ready(page) {
  await page.waitForFunction(() => globalThis.sutler?.idle && sutler.game.opened && document.querySelector("#verdict").textContent !== "checking…" && document.querySelector("#verdict").textContent !== "", null, { timeout: 60000 });
}

/** Opens a shipped game. */
export async function choose(page, name) {
  await page.selectOption("#game", name);
  await page.waitForFunction((name) => sutler.store.game === name, name);
  await page.waitForFunction((name) => sutler.game.opened?.names.includes(name) || sutler.store.game !== name, name, { timeout: 60000 });
  await ready(page);
}

/** The counter of a unit on the map, made visible. */
export async function unit(page, id) {
  await page.evaluate((id) => sutler.shown.choose(id, { show: true }), id);
  await ready(page);
  return page.locator(`#board .unit[data-id="${id}"]`);
}

/** Where a space is on the screen. */
export function spot(page, id) {
  return page.evaluate((id) => {
    const view = sutler.board.view;
    const scene = sutler.board.scene;
    const anchor = scene.anchors[scene.spaces.findIndex((space) => space.id === id)];
    const { left, top } = document.getElementById("board").getBoundingClientRect();
    return { x: left + (anchor.x - view.x) * view.scale, y: top + (anchor.y - view.y) * view.scale };
  }, id);
}

/** Drags a unit by the mouse over spaces, and drops it in the last. */
export async function drag(page, id, spaces, drop = true) {
  const box = await (await unit(page, id)).boundingBox();
  await page.mouse.move(box.x + 6, box.y + box.height / 2);
  await page.mouse.down();
  for (const space of spaces) {
    const { x, y } = await spot(page, space);
    await page.mouse.move(x, y, { steps: 4 });
    await page.waitForFunction(() => sutler.idle);
  }
  if (drop) await page.mouse.up();
  await ready(page);
}

/** Rests the pointer on a place until what stands there is explained. Text may move once more while the rules are checked, so that the
 * place is asked for again. */
export async function explained(page, where) {
  for (let left = 5; ; left--) {
    const at = await where();
    await page.mouse.move(at.left + 40, at.top - 60);
    await page.mouse.move(at.left + 2, (at.top + at.bottom) / 2, { steps: 3 });
    const shown = page.waitForSelector(".cm-lsp-hover-tooltip", { timeout: left ? 6000 : 30000 });
    if (await shown.catch((error) => left === 0 && Promise.reject(error))) return page.textContent(".cm-lsp-hover-tooltip");
  }
}

/** Puts text at the end of the file that is shown, as a hand would. */
export async function type(page, text) {
  await page.click(".cm-content");
  await page.keyboard.press("Control+End");
  await page.keyboard.insertText(text);
}

/** The program, built if it is not there. */
export function program() {
  const program = process.env.SUTLER_CLI ?? join(root, "target/release/sutler");
  if (!existsSync(program)) execFileSync("cargo", ["build", "--release", "--quiet"], { cwd: root, stdio: "inherit" });
  return program;
}

/** The command line: what it prints, whatever it ends with. */
export function sutler(...args) {
  // The library breaks no lines.
  const env = { ...process.env, COLUMNS: "10000" };
  const { stdout, error } = spawnSync(program(), args, { cwd: root, env, encoding: "utf8", maxBuffer: 1 << 28 });
  if (error) throw error;
  return stdout;
}
