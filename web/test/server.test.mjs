// The language server in the page says what `sutler lsp` says, answer by answer, over all shipped rulesets; and a check in the page finds
// in changed rules what the command finds.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { after, before, test } from "node:test";
import { tables } from "../src/table.js";
import { GAMES, begin, program, root, sutler } from "./browser.mjs";

let place, page, folder;
/** What a test that failed has left. */
const running = [];
before(async () => {
  place = await begin();
  page = await place.open();
  folder = mkdtempSync(join(tmpdir(), "sutler-server-"));
});
after(async () => {
  for (const one of running) one.kill();
  rmSync(folder, { recursive: true });
  await place.close();
});

/** The texts of a game by path. */
function texts(name) {
  const top = join(root, "rulesets", name);
  const found = {};
  const walk = (at) => {
    for (const one of readdirSync(at).sort()) {
      const path = join(at, one);
      if (statSync(path).isDirectory()) walk(path);
      else if (/\.(sut|rhai)$/.test(one)) found[relative(top, path)] = readFileSync(path, "utf8");
    }
  };
  walk(top);
  return found;
}

/** Writes files into a folder of their own. */
function written(at, texts) {
  for (const [path, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(at, path)), { recursive: true });
    writeFileSync(join(at, path), text);
  }
  return at;
}

/** `sutler lsp` over a folder; messages go one by one. */
function native() {
  const server = spawn(program(), ["lsp"], { stdio: ["pipe", "pipe", "inherit"] });
  running.push(server);
  let rest = Buffer.alloc(0);
  let heard = () => {};
  server.stdout.on("data", (part) => {
    rest = Buffer.concat([rest, part]);
    for (;;) {
      const head = rest.indexOf("\r\n\r\n");
      const length = head < 0 ? 0 : Number(/Content-Length: (\d+)/.exec(rest.subarray(0, head))[1]);
      if (head < 0 || rest.length < head + 4 + length) return;
      const message = JSON.parse(rest.subarray(head + 4, head + 4 + length));
      rest = rest.subarray(head + 4 + length);
      heard(message);
    }
  });
  const send = (message) => {
    const text = JSON.stringify({ jsonrpc: "2.0", ...message });
    server.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  };
  return {
    send,
    ask: (message) => new Promise((found) => {
      heard = (answer) => answer.id === message.id && found(answer);
      send(message);
    }),
    close: () => server.stdin.end(),
  };
}

/** What is asked of a file: all that an editor asks by itself, and what it asks at places all over the text. */
function questions(path, text, uri) {
  const lines = text.split("\n");
  const document = { textDocument: { uri } };
  const whole = { start: { line: 0, character: 0 }, end: { line: lines.length, character: 0 } };
  const all = ["documentSymbol", "semanticTokens/full", "foldingRange", "codeLens"].map((name) => [`textDocument/${name}`, document]);
  all.push(["textDocument/inlayHint", { ...document, range: whole }], ["textDocument/formatting", { ...document, options: { tabSize: 2, insertSpaces: true } }]);
  for (let nth = 0; nth < 24; nth++) {
    const line = Math.floor(((nth + 0.5) * lines.length) / 24);
    const words = [...lines[line].matchAll(/\w+/g)];
    if (words.length === 0) continue;
    const at = { ...document, position: { line, character: words[nth % words.length].index + 1 } };
    for (const name of ["hover", "definition", "completion", "documentHighlight", "prepareRename", "signatureHelp"]) all.push([`textDocument/${name}`, at]);
    if (nth % 4 === 0) all.push(["textDocument/references", { ...at, context: { includeDeclaration: true } }]);
  }
  for (const [, name] of text.matchAll(/^setup (\w+)/gm)) all.push(["sutler/map", { ...document, name }]);
  return all;
}

/** A server in the page and one of the command over the same texts, and how the messages of both are compared. */
async function both(name, all) {
  const top = written(join(folder, name), all);
  const server = native();
  const handle = await page.evaluate(async (texts) => {
    const { server } = await sutler.language.engine.ask({ call: "serve", texts });
    globalThis.told = async (messages) => {
      const out = [];
      for (const message of messages) out.push(...(await sutler.language.engine.ask({ call: "message", server, message: { jsonrpc: "2.0", ...message } }, 60000)));
      return out;
    };
    return server;
  }, all);
  const [here, there] = ["file:///", `file://${top}/`];
  // Mutants are found by the command alone: they take longer than a page waits.
  const plain = ({ result, error }) => JSON.stringify(result ?? error ?? null).replaceAll(there, here).replaceAll(',"sutler.mutants"', "").replaceAll('"sutler.mutants",', "");
  const tell = async (message) => {
    await page.evaluate((message) => told([message]), message);
    server.send(JSON.parse(JSON.stringify(message).replaceAll(here, there)));
  };
  const start = (rootUri) => ({ id: 0, method: "initialize", params: { capabilities: {}, rootUri } });
  const [mine] = await page.evaluate((message) => told([message]), start(here));
  assert.equal(plain(mine), plain(await server.ask(start(there))));
  let last = 0;
  return {
    tell,
    open: (path) => tell({ method: "textDocument/didOpen", params: { textDocument: { uri: here + path, languageId: "sutler", version: 1, text: all[path] } } }),
    /** Asks both and compares the answers; gives those of the page. */
    async ask(questions, what) {
      const asked = questions.map(([method, params]) => ({ id: ++last, method, params }));
      const answers = await page.evaluate((messages) => told(messages), asked);
      for (const message of asked) {
        const other = await server.ask(JSON.parse(JSON.stringify(message).replaceAll(here, there)));
        const lenses = (answer) => (message.method.endsWith("codeLens") ? { ...answer, result: answer.result?.filter((lens) => lens.command.command !== "sutler.mutants") } : answer);
        assert.equal(plain(lenses(answers.find((one) => one.id === message.id))), plain(lenses(other)), `${what}: ${JSON.stringify(message)}`);
      }
      return asked.map(({ id }) => answers.find((one) => one.id === id));
    },
    close() {
      server.close();
      return page.evaluate((server) => sutler.language.engine.ask({ call: "close", rules: null, game: null, position: null, server }), handle);
    },
  };
}

for (const name of GAMES) {
  test(`${name}: the language server in the page says what the command says`, async () => {
    const all = texts(name);
    const servers = await both(name, all);
    for (const [path, text] of Object.entries(all).filter(([path]) => /\.sut$/.test(path) && !/suite/.test(path))) {
      await servers.open(path);
      await servers.ask(questions(path, text, `file:///${path}`), path);
    }
    await servers.close();
  });
}

/** How many commands of a file's lenses are called, spread over the file: calling all takes a minute for a game. */
const CALLED = 24;

for (const name of GAMES) {
  test(`${name}: cases run, blessed, drawn and explained in the page as by the command's server`, async () => {
    const all = texts(name);
    const servers = await both(name, all);
    const called = new Set();
    for (const path of Object.keys(all).filter((path) => /suite[^/]*\.sut$/.test(path))) {
      await servers.open(path);
      const [{ result }] = await servers.ask([["textDocument/codeLens", { textDocument: { uri: `file:///${path}` } }]], path);
      const commands = result.map(({ command }) => command).filter(({ command }) => command.startsWith("sutler.") && command !== "sutler.mutants");
      const each = Math.max(1, Math.floor(commands.length / CALLED));
      const some = commands.filter((_, nth) => nth % each === Math.floor(nth / each) % each).slice(0, CALLED + 6);
      for (const { command } of some) called.add(command);
      await servers.ask(some.map(({ command, arguments: given }) => ["workspace/executeCommand", { command, arguments: given }]), path);
    }
    assert.ok(called.has("sutler.runCase") && called.has("sutler.why"), [...called].join());
    await servers.close();
  });
}

/** Rules with one word left out, doubled, or put in place of another, by numbers that are always the same. */
function changed(text, seed) {
  let state = seed;
  const below = (count) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
  // What stands in quotes or behind `#` is nothing but text.
  const plain = text.replace(/"[^"\n]*"|#[^\n]*/g, (piece) => " ".repeat(piece.length));
  const words = [...plain.matchAll(/[\w.]+/g)];
  const [one, other] = [words[below(words.length)], words[below(words.length)]];
  const instead = ["", `${one[0]} ${one[0]}`, other[0], `${one[0]}x`][below(4)];
  return text.slice(0, one.index) + instead + text.slice(one.index + one[0].length);
}

for (const [nth, name] of GAMES.entries()) {
  test(`${name}: what is wrong with changed rules is said in the same words`, async () => {
    const all = Object.fromEntries(Object.entries(texts(name)).filter(([path]) => !/suite/.test(path)));
    const paths = Object.keys(all).filter((path) => /\.sut$/.test(path));
    let faults = 0;
    for (let at = 0; at < 8; at++) {
      const path = at % 3 === 2 ? paths[at % paths.length] : "rules.sut";
      const wrong = { ...all, [path]: changed(all[path], 7919 * (nth + 1) + at) };
      const top = written(join(folder, `${name}-${at}`), wrong);
      const printed = JSON.parse(sutler("check", top, "--format", "json")).diagnostics;
      const shown = await page.evaluate(async (texts) => (await sutler.checker.check(texts)).faults, wrong);
      const plain = (list) => JSON.parse(JSON.stringify(list).replaceAll(`${top}/`, ""));
      assert.deepEqual(plain(shown), plain(printed), `${path}, ${at}`);
      faults += printed.length;
    }
    assert.ok(faults > 4, `${faults} faults`);
  });
}

test("a table is shown cell by cell as the command writes it into a sheet", () => {
  let count = 0;
  for (const name of GAMES) {
    const out = join(folder, `${name}-sheets`);
    sutler("sheet", "out", `rulesets/${name}`, "--out", out);
    const own = Object.entries(texts(name)).filter(([path]) => path === "rules.sut");
    for (const table of own.flatMap(([, text]) => tables(text)).filter(({ noun }) => noun === "table")) {
      const [head, ...rows] = cells(readFileSync(join(out, `${table.name}.csv`), "utf8"));
      const clauses = head.indexOf("clauses");
      const plain = rows.map((row) => (clauses < 0 ? row : row.slice(0, clauses)));
      assert.deepEqual(table.rows.map(({ cells }) => shown(cells, table)), plain.map((row) => (table.down ? row : row.map(bare))), `${name}: ${table.name}`);
      count += 1;
    }
  }
  assert.ok(count > 50, `${count} tables`);
});

function bare(text) {
  return text.replace(/^\((.*)\)$/, "$1");
}

/** The cells of a row of the page in the columns of a sheet. */
function shown(cells, { down }) {
  const all = cells.map(({ text }) => text);
  if (down) return all;
  const [name, when, ...gives] = all;
  if (name === "otherwise") return ["", "", "", "otherwise", ...gives];
  const per = /^per (.*?)(?: beyond (.*))?$/.exec(when);
  return [name, per?.[1] ?? "", per?.[2] ?? "", per ? "" : bare(when), ...gives.map(bare)];
}

/** The rows of a file of CSV. */
function cells(text) {
  return text.trimEnd().split("\n").map((line) => {
    const row = [""];
    let quoted = false;
    for (const [nth, sign] of [...line].entries()) {
      if (sign === '"') {
        if (!quoted && line[nth - 1] === '"' && nth > 1) row[row.length - 1] += sign;
        quoted = !quoted;
      } else if (sign === "," && !quoted) row.push("");
      else row[row.length - 1] += sign;
    }
    return row;
  });
}
