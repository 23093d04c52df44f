// Neovim, without a window, as a client of `sutler lsp`. Needs nvim and the program, which is
// `target/debug/sutler` or what SUTLER names.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import test from 'node:test';

const root = new URL('../..', import.meta.url).pathname;
const program = resolve(process.env.SUTLER ?? join(root, 'target/debug/sutler'));
const nvim = spawnSync('nvim', ['--version']).status === 0;
const skip = !nvim ? 'no nvim' : existsSync(program) ? false : `no ${program}`;

test('Neovim shows, fixes, finds and lays out', { skip }, () => {
  const cwd = mkdtempSync(join(tmpdir(), 'sutler-nvim-'));
  const folder = join(cwd, 'game');
  const made = spawnSync(program, ['new', 'game'], { cwd, encoding: 'utf8' });
  assert.equal(made.status, 0, made.stderr);
  const script = join(root, 'editors/test/neovim.lua');
  const ran = spawnSync('nvim', ['--headless', '-u', 'NONE', '-i', 'NONE', '-n', '-S', script], {
    encoding: 'utf8',
    timeout: 120_000,
    env: { ...process.env, SUTLER: program, SUTLER_FOLDER: folder },
  });
  assert.equal(ran.status, 0, ran.stderr);
  assert.match(ran.stdout + ran.stderr, /\bok\b/);
});
