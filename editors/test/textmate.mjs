// The scopes that the TextMate grammar gives to a text.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import onig from 'vscode-oniguruma';
import textmate from 'vscode-textmate';

const require = createRequire(import.meta.url);
const path = new URL('../vscode/syntaxes/sutler.tmLanguage.json', import.meta.url);
await onig.loadWASM(readFileSync(require.resolve('vscode-oniguruma/release/onig.wasm')).buffer);
const registry = new textmate.Registry({
  onigLib: Promise.resolve({
    createOnigScanner: (patterns) => new onig.OnigScanner(patterns),
    createOnigString: (text) => new onig.OnigString(text),
  }),
  loadGrammar: async () => textmate.parseRawGrammar(readFileSync(path, 'utf8'), 'sutler.tmLanguage.json'),
});
const grammar = await registry.loadGrammar('source.sutler');

/// For each line its tokens: from, to, and the innermost scope ('' where there is none).
export function scopes(text) {
  let stack = textmate.INITIAL;
  return text.split('\n').map((line) => {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, stack);
    stack = ruleStack;
    return tokens.map((t) => ({
      from: t.startIndex,
      to: t.endIndex,
      text: line.slice(t.startIndex, t.endIndex),
      scope: t.scopes.length > 1 ? t.scopes.at(-1) : '',
    }));
  });
}
