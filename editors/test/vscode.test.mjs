// The extension in Visual Studio Code itself, served to Chromium by code-server: a fault is shown as one types, a name is explained, and
// the map of a setup stands beside its text. Needs what npm calls `code-server` (CODE_SERVER names its `out/node/entry.js`), the
// program (SUTLER, or `target/release/sutler`), Chromium (SUTLER_CHROMIUM), `npm ci` in `web` and `npm install` in `editors/vscode`.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';

const root = new URL('../..', import.meta.url).pathname;
const program = resolve(process.env.SUTLER ?? join(root, 'target/release/sutler'));
const entry = process.env.CODE_SERVER ?? '';
const extension = join(root, 'editors/vscode');
const { version } = JSON.parse(readFileSync(join(extension, 'package.json'), 'utf8'));
const needed = [entry, program, join(extension, 'node_modules/vscode-languageclient'), join(root, 'web/node_modules/playwright-core')];
const missing = needed.find((path) => !existsSync(path));
const skip = missing === undefined ? false : missing === '' ? 'CODE_SERVER names no code-server' : `no ${missing}`;

let server, browser, folder, url;

function freePort() {
  return new Promise((resolve) => {
    const one = createServer().listen(0, '127.0.0.1', () => {
      const { port } = one.address();
      one.close(() => resolve(port));
    });
  });
}

before(async () => {
  if (skip) return;
  const home = mkdtempSync(join(tmpdir(), 'sutler-vscode-'));
  folder = join(home, 'game');
  assert.equal(spawnSync(program, ['new', 'game'], { cwd: home }).status, 0);
  cpSync(extension, join(home, `extensions/sutler.sutler-${version}`), { recursive: true });
  const settings = {
    'sutler.server.path': program,
    'security.workspace.trust.enabled': false,
    'workbench.startupEditor': 'none',
    'chat.commandCenter.enabled': false,
    'window.restoreWindows': 'none',
    'telemetry.telemetryLevel': 'off',
  };
  mkdirSync(join(home, 'data/User'), { recursive: true });
  writeFileSync(join(home, 'data/User/settings.json'), JSON.stringify(settings));
  writeFileSync(join(home, 'config.yaml'), '');
  const port = await freePort();
  const args = [entry, '--auth', 'none', '--bind-addr', `127.0.0.1:${port}`, '--config', join(home, 'config.yaml'), '--user-data-dir', join(home, 'data'),
    '--extensions-dir', join(home, 'extensions'), '--disable-telemetry', '--disable-update-check', '--disable-getting-started-override'];
  server = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise((started) => server.stdout.on('data', (data) => /listening on http/.test(data) && started()));
  const { chromium } = createRequire(join(root, 'web/package.json'))('playwright-core');
  browser = await chromium.launch({ executablePath: process.env.SUTLER_CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
  url = `http://127.0.0.1:${port}/?folder=${encodeURIComponent(folder)}`;
});

after(async () => {
  await browser?.close();
  server?.kill();
});

/// Opens a file of the game in the explorer.
async function open(page, file) {
  await page.locator('.explorer-folders-view .monaco-list-row', { hasText: file }).dblclick();
  await page.waitForSelector(`.tab.active[data-resource-name="${file}"]`);
  await page.waitForSelector('.monaco-editor .view-line');
}

/// Runs a command of the palette.
async function command(page, name) {
  await page.keyboard.press('F1');
  await page.waitForSelector('.quick-input-widget input');
  await page.keyboard.type(name);
  await page.waitForSelector(`.quick-input-list .monaco-list-row >> text=${name}`);
  await page.keyboard.press('Enter');
}

/// Goes to a line and a column, from 1.
async function goTo(page, line, column) {
  await page.keyboard.press('Control+g');
  await page.waitForSelector('.quick-input-widget input');
  await page.keyboard.type(`${line}:${column}`);
  await page.keyboard.press('Enter');
}

test('a fault, a hover and the map in Visual Studio Code', { skip, timeout: 180000 }, async () => {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(url);
  await page.waitForSelector('.monaco-workbench', { timeout: 60000 });
  await open(page, 'rules.sut');
  const text = readFileSync(join(folder, 'rules.sut'), 'utf8').split('\n');
  // A word that is not known is underlined as it is typed, and the status bar counts it.
  const line = text.findIndex((one) => one.startsWith('define depot'));
  await goTo(page, line + 1, text[line].indexOf('lost') + 1);
  await page.keyboard.type('x');
  await page.waitForSelector('.squiggly-error', { timeout: 60000 });
  await page.keyboard.press('F8');
  await page.waitForSelector('.marker-widget');
  assert.match(await page.textContent('.marker-widget'), /xlost/);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+z');
  await page.waitForSelector('.squiggly-error', { state: 'detached' });
  // The word under the cursor is explained.
  await goTo(page, line + 1, text[line].indexOf('lost') + 2);
  await command(page, 'Show or Focus Hover');
  await page.waitForSelector('.monaco-hover-content');
  assert.match(await page.textContent('.monaco-hover-content'), /define lost/);
  await page.keyboard.press('Escape');
  // The map of the setup stands beside its text, and follows it.
  await open(page, 'setups.sut');
  const setups = readFileSync(join(folder, 'setups.sut'), 'utf8').split('\n');
  await goTo(page, setups.findIndex((one) => one.startsWith('setup')) + 1, 1);
  await command(page, 'Sutler: draw the map');
  await page.waitForSelector('.tab:has-text("Map: opening")');
  const inner = page.frameLocator('iframe.webview').frameLocator('iframe');
  await inner.locator('svg').waitFor();
  assert.match(await inner.locator('svg').textContent(), /First/);
  const boxes = await page.evaluate(() => ['.monaco-editor', 'iframe.webview'].map((one) => document.querySelector(one).getBoundingClientRect().toJSON()));
  assert.ok(boxes[1].left >= boxes[0].right - 2, 'the map stands beside the text');
  // It follows the cursor into a case, and stays where nothing is to be drawn.
  await open(page, 'suite.sut');
  const suite = readFileSync(join(folder, 'suite.sut'), 'utf8').split('\n');
  const [at, title] = suite.map((one, at) => [at, /^case "(.*?)"/.exec(one)?.[1]]).findLast(([, title]) => title);
  await goTo(page, at + 3, 3);
  await page.waitForSelector(`.tab:has-text("Map: ${title.slice(0, 20)}")`);
  await goTo(page, 1, 1);
  await page.waitForTimeout(500);
  assert.equal(await page.locator(`.tab:has-text("Map: ${title.slice(0, 20)}")`).count(), 1);
  await goTo(page, at + 3, 3);
  await page.keyboard.press('Control+b');
  await page.waitForTimeout(500);
  await page.screenshot({ path: process.env.SUTLER_SHOT ?? join(folder, '../vscode.png') });
});
