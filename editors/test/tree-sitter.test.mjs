// The grammar for tree-sitter reads every text, and the TextMate grammar colours the words that it finds.
// Needs the program tree-sitter, on the path or named by TREE_SITTER.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import test from 'node:test';
import { texts, written } from './texts.mjs';
import { scopes } from './textmate.mjs';

const program = process.env.TREE_SITTER ?? 'tree-sitter';
const cwd = new URL('../tree-sitter-sutler', import.meta.url).pathname;
const run = (...args) => spawnSync(program, args, { cwd, encoding: 'utf8', maxBuffer: 1 << 28 });
const all = texts();
const paths = written(all);
const there = run('--version').status === 0;
const skip = there ? false : 'no tree-sitter on the path';

test('every text is read', { skip }, () => {
  const { stdout } = run('parse', '-q', ...paths.keys());
  const wrong = stdout.split('\n').filter((line) => /ERROR|MISSING/.test(line))
    .map((line) => line.replace(/^\S+/, (path) => paths.get(path)));
  assert.deepEqual(wrong, []);
});

test('each word with a meaning has a colour, and no name has one of a word', { skip }, () => {
  const { stdout, status } = run('query', 'queries/highlights.scm', ...paths.keys());
  assert.equal(status, 0);
  const wrong = [];
  let lines;
  let place;
  let checked = 0;
  for (const line of stdout.split('\n')) {
    if (paths.has(line)) {
      place = paths.get(line);
      lines = scopes(all.get(place));
      continue;
    }
    const hit = /capture: (?:\d+ - )?`?([\w.]+)`?, start: \((\d+), (\d+)\).*text: `(.*)`/.exec(line);
    if (!hit) continue;
    const [, capture, row, column, text] = hit;
    const scope = lines[+row].find((s) => s.from <= +column && +column < s.to)?.scope ?? '';
    const word = /^(keyword|storage)/.test(scope);
    const value = /^(constant\.language|support)/.test(scope);
    checked += 1;
    if (capture === 'keyword' ? !word && !value : capture !== 'operator' && word) {
      wrong.push(`${place}:${+row + 1}:${+column + 1}: \`${text}\` is ${capture}, and here ${scope || 'plain'}`);
    }
  }
  assert.ok(checked > 10_000, `only ${checked} words`);
  assert.deepEqual(wrong, []);
});
