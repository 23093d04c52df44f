// The texts that the grammars are held to: all rulesets, what `sutler new` begins with, the examples of the documents.
import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const root = new URL('../..', import.meta.url).pathname;

function files(folder, ends) {
  return readdirSync(join(root, folder)).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(join(root, path)).isDirectory()) return files(path, ends);
    return path.endsWith(ends) ? [path] : [];
  });
}

/// Each text by its place; one shows every form of a change of lines. A block `sutler wrong`, and one that is laid out wrong on purpose, is no text of the language.
export function texts() {
  const found = new Map();
  for (const path of files('rulesets', '.sut')) found.set(path, readFileSync(join(root, path), 'utf8'));
  found.set('editors/test/changes.sut', readFileSync(join(root, 'editors/test/changes.sut'), 'utf8'));
  for (const path of files('src/scaffold', '.sut')) {
    const text = readFileSync(join(root, path), 'utf8');
    found.set(path, text.replace('{name}', 'first').replace('{title}', 'First').replace('{prefix}', 'FI'));
  }
  for (const path of [...files('docs', '.md'), ...files('src/diag/codes', '.md')]) {
    const page = readFileSync(join(root, path), 'utf8');
    for (const block of page.matchAll(/^```(sutler( prelude| right)?|file \S+\.sut)\n([^]*?)^```/gm)) {
      const line = page.slice(0, block.index).split('\n').length;
      // Files of other sorts follow `# file hooks/NAME.rhai` or `# file NAME.csv` in one block.
      const text = block[3].split(/^# file .*\.(?:rhai|csv)\n/m)[0];
      if (!/^\S+ +\S+ *=\S|^  [^"|#]*"[^"\n]*$/m.test(text)) found.set(`${path}:${line}`, text);
    }
  }
  return found;
}

/// The texts as files of a folder, for a program that reads files; gives the path of each with its place.
export function written(all) {
  const folder = mkdtempSync(join(tmpdir(), 'sutler-texts-'));
  return new Map([...all].map(([place, text], at) => {
    const path = join(folder, `${at}.sut`);
    writeFileSync(path, text);
    return [path, place];
  }));
}
