// Nothing that the language gives a meaning is left without a colour.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { root, texts } from './texts.mjs';
import { scopes } from './textmate.mjs';

const words = readFileSync(join(root, 'grammar/words.pest'), 'utf8');
const reserved = new Set(/reserved = @\{([^}]*)\}/.exec(words)[1].match(/"[a-z]+"/g)
  .map((w) => w.slice(1, -1)));
const items = new Set(/item_word = @\{([^}]*)\}/.exec(readFileSync(join(root, 'grammar/items.pest'), 'utf8'))[1]
  .match(/"[a-z]+"/g).map((w) => w.slice(1, -1)));
const declaring = /^(?:ruleset|ruling|option|clock|kind|track|mark|given|count|define|exception|choice|table|trace|die|test|phase|hook|map|setup)\s+(\w+)/;

/// Each token of a text, by a lexer of its own: from, to, what it is.
function tokens(line, inMistake) {
  const found = [];
  const lexer = /(?<comment>#.*)|(?<string>"[^"]*")|(?<cites>\[[^\]\n]*\])|(?<number>\b\d+(?:d\d+|\/\d+)?\b)|(?<word>[A-Za-z]\w*)/g;
  for (const hit of line.matchAll(lexer)) {
    const [what, text] = Object.entries(hit.groups).find(([, value]) => value !== undefined);
    found.push({ what, text, from: hit.index, first: hit.index === 0 && !inMistake });
  }
  return found;
}

const wanted = {
  comment: /^comment/,
  string: /^string/,
  cites: /^(punctuation\.definition|constant\.other)\.clause/,
  number: /^constant|^entity\.name|^punctuation/,
};

for (const [place, text] of texts()) {
  test(place, () => {
    const lines = text.split('\n');
    scopes(text).forEach((spans, at) => {
      const scope = (from) => spans.find((s) => s.from <= from && from < s.to)?.scope ?? '';
      const where = (token) => `${place}, line ${at + 1}: \`${token.text}\` is ${scope(token.from) || 'plain'}`;
      for (const token of tokens(lines[at])) {
        const said = scope(token.from);
        if (wanted[token.what]) assert.match(said, wanted[token.what], where(token));
        if (token.what === 'word' && reserved.has(token.text)) assert.notEqual(said, '', where(token));
        if (token.first && items.has(token.text)) assert.match(said, /^storage/, where(token));
      }
      const declared = declaring.exec(lines[at]);
      if (declared) {
        const from = declared[0].length - declared[1].length;
        assert.match(scope(from), /^entity\.name/, where({ text: declared[1], from }));
      }
    });
  });
}
