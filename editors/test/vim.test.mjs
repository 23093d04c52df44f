// Vim colours the words that tree-sitter finds, and no name as a word. Needs vim and tree-sitter.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { texts, written } from './texts.mjs';

const program = process.env.TREE_SITTER ?? 'tree-sitter';
const editors = new URL('..', import.meta.url).pathname;
const there = [program, 'vim'].every((p) => spawnSync(p, ['--version']).status === 0);
const word = /^sutler(Reserved|Line|Slot|Item)$/;

test('each word has a colour', { skip: there ? false : 'no vim, or no tree-sitter' }, () => {
  const paths = written(new Map([...texts()].filter(([place]) => place.endsWith('.sut'))));
  const cwd = join(editors, 'tree-sitter-sutler');
  const query = spawnSync(program, ['query', 'queries/highlights.scm', ...paths.keys()],
    { cwd, encoding: 'utf8', maxBuffer: 1 << 28 });
  const found = [];
  let path;
  for (const line of query.stdout.split('\n')) {
    if (paths.has(line)) path = line;
    const hit = /capture: (?:\d+ - )?`?(keyword|variable|string|number)`?, start: \((\d+), (\d+)\).*text: `(.*)`/.exec(line);
    if (hit) found.push({ path, what: hit[1], row: +hit[2] + 1, column: +hit[3] + 1, text: hit[4] });
  }
  assert.ok(found.length > 10_000, `only ${found.length} words`);
  const folder = mkdtempSync(join(tmpdir(), 'sutler-vim-'));
  const asked = join(folder, 'asked');
  const said = join(folder, 'said');
  const script = join(folder, 'ask.vim');
  writeFileSync(asked, found.map((f) => `${f.path} ${f.row} ${f.column}`).join('\n'));
  writeFileSync(script, `set nocompatible
set runtimepath^=${join(editors, 'vim')}
filetype plugin indent on
syntax on
let said = []
let open = ''
for line in readfile('${asked}')
  let [path, row, column] = split(line)
  if path !=# open
    execute 'edit ' . path
    let open = path
  endif
  call add(said, synIDattr(synID(row, column, 1), 'name'))
endfor
call writefile(said, '${said}')
qall!
`);
  spawnSync('vim', ['-N', '-u', 'NONE', '-es', '-S', script], { input: '', timeout: 300_000 });
  const names = readFileSync(said, 'utf8').split('\n');
  const wanted = {
    keyword: (name) => word.test(name),
    variable: (name) => !word.test(name),
    string: (name) => name === 'sutlerString',
    number: (name) => name === 'sutlerNumber' || name === 'sutlerHex',
  };
  const wrong = found.filter((f, at) => !wanted[f.what](names[at]))
    .map((f) => `${paths.get(f.path)}:${f.row}:${f.column}: \`${f.text}\``);
  assert.deepEqual(wrong, []);
});
