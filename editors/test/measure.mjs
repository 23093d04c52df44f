// How long `sutler lsp` takes for a key in a long folder: `node measure.mjs [LINES]`, 12,000 lines if none are named. Needs the
// program, `target/release/sutler` or what SUTLER names. Prints, asserts nothing but that the folder has no fault.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { country } from './country.mjs';

const root = new URL('../..', import.meta.url).pathname;
const program = resolve(process.env.SUTLER ?? join(root, 'target/release/sutler'));

/// A server, and what it sends.
class Session {
  #process = spawn(program, ['lsp'], { stdio: ['pipe', 'pipe', 'inherit'] });
  #rest = Buffer.alloc(0);
  #waiting = [];
  #next = 1;

  constructor() {
    this.#process.stdout.on('data', (part) => this.#take(part));
  }

  #take(part) {
    this.#rest = Buffer.concat([this.#rest, part]);
    for (;;) {
      const head = this.#rest.indexOf('\r\n\r\n');
      if (head < 0) return;
      const length = Number(/Content-Length: (\d+)/.exec(this.#rest.subarray(0, head))[1]);
      if (this.#rest.length < head + 4 + length) return;
      const message = JSON.parse(this.#rest.subarray(head + 4, head + 4 + length));
      this.#rest = this.#rest.subarray(head + 4 + length);
      this.#waiting = this.#waiting.filter(({ wanted, found }) => !wanted(message) || found(message));
    }
  }

  /// The next message of a sort.
  message(wanted) {
    return new Promise((resolve) => this.#waiting.push({ wanted, found: (message) => void resolve(message) }));
  }

  tell(method, params) {
    const text = JSON.stringify({ jsonrpc: '2.0', method, params });
    this.#process.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  }

  ask(method, params) {
    const id = this.#next++;
    const text = JSON.stringify({ jsonrpc: '2.0', id, method, params });
    const answer = this.message((message) => message.id === id);
    this.#process.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
    return answer;
  }

  /// The time on a processor so far, in milliseconds, where the system says it: on a busy machine that is what counts.
  cpu() {
    const tasks = `/proc/${this.#process.pid}/task`;
    if (!existsSync(tasks)) return NaN;
    const run = (task) => Number(readFileSync(`${tasks}/${task}/schedstat`, 'utf8').split(' ')[0]);
    return readdirSync(tasks).reduce((sum, task) => sum + run(task), 0) / 1e6;
  }

  async end() {
    await this.ask('shutdown');
    this.tell('exit');
  }
}

const lines = Number(process.argv[2] ?? 12000);
const texts = country(lines);
const folder = join(mkdtempSync(join(tmpdir(), 'sutler-measure-')), 'country');
mkdirSync(folder);
for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text);
const count = Object.values(texts).reduce((sum, text) => sum + text.split('\n').length - 1, 0);
const session = new Session();
await session.ask('initialize', { processId: null, rootUri: pathToFileURL(folder).href, capabilities: {} });
const uri = pathToFileURL(join(folder, 'rules.sut')).href;
let text = texts['rules.sut'];
let version = 0;
const told = () => session.message((message) => message.method === 'textDocument/publishDiagnostics' && message.params.uri === uri);

/// The time of something, in milliseconds: by the clock, and on a processor.
async function timed(run) {
  const [begun, before] = [performance.now(), session.cpu()];
  const found = await run();
  return [{ clock: performance.now() - begun, cpu: session.cpu() - before }, found];
}

/// The place of a byte; the texts are ASCII.
function place(at) {
  const before = text.slice(0, at).split('\n');
  return { line: before.length - 1, character: before.at(-1).length };
}

/// Puts text in a place.
function put(at, more) {
  const range = { start: place(at), end: place(at) };
  text = text.slice(0, at) + more + text.slice(at);
  session.tell('textDocument/didChange', { textDocument: { uri, version: ++version }, contentChanges: [{ range, text: more }] });
}

function row(name, times) {
  const of = (what, part) => {
    const sorted = times.map((one) => one[what]).sort((a, b) => a - b);
    return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))].toFixed(0).padStart(5);
  };
  console.log(`${name.padEnd(56)} ${of('cpu', 0.5)} ms on a processor, at most ${of('cpu', 1)}; by the clock ${of('clock', 0.5)}, at most ${of('clock', 1)}`);
}

const opening = told();
const [first, found] = await timed(async () => {
  session.tell('textDocument/didOpen', { textDocument: { uri, languageId: 'sutler', version, text } });
  return opening;
});
if (found.params.diagnostics.length) throw new Error(JSON.stringify(found.params.diagnostics[0]));
console.log(`${count} lines in ${Object.keys(texts).length} files; the first check ${first.cpu.toFixed(0)} ms on a processor, ${first.clock.toFixed(0)} by the clock`);

// A key that leaves the rules sound publishes nothing; what is answered behind it has waited for the check.
const sound = [];
const comment = text.indexOf('\nsection 40');
put(comment, '\n# ');
await session.ask('sutler/nothing', { textDocument: { uri } });
for (let nth = 0; nth < 20; nth++) {
  const at = text.indexOf('# ', comment) + 2 + nth;
  sound.push((await timed(async () => {
    put(at, 'a');
    return session.ask('sutler/nothing', { textDocument: { uri } });
  }))[0]);
}
row('a key in a comment, to the check', sound);

const rules = [];
const define = () => text.indexOf('not starving', text.indexOf('define ready_40'));
for (let nth = 0; nth < 20; nth++) {
  const at = define();
  rules.push((await timed(async () => {
    put(at, nth % 2 ? ' ' : '  ');
    return session.ask('sutler/nothing', { textDocument: { uri } });
  }))[0]);
}
row('a key in a rule that stays sound, to the check', rules);

// A word that is being typed is unknown; each key is another fault.
const broken = [];
let end = text.indexOf('\n', text.indexOf('define ready_41'));
end = text.lastIndexOf('   [', end);
for (const key of ' and veterann') {
  const waits = told();
  const [time, message] = await timed(() => {
    put(end++, key);
    return Promise.race([waits, session.ask('sutler/nothing', { textDocument: { uri } }).then(() => null)]);
  });
  if (message) broken.push(time);
}
row('a key of a word that is not known yet, to its message', broken);

const [completion, hover] = [[], []];
for (let nth = 0; nth < 10; nth++) {
  const position = place(end);
  put(end++, 'x');
  await session.ask('sutler/nothing', { textDocument: { uri } });
  completion.push((await timed(() => session.ask('textDocument/completion', { textDocument: { uri }, position })))[0]);
  const word = place(text.indexOf('starving', text.indexOf('define ready_42')) + 2);
  hover.push((await timed(() => session.ask('textDocument/hover', { textDocument: { uri }, position: word })))[0]);
}
row('completion behind a key', completion);
row('hover behind that', hover);
await session.end();
