// The client library of Visual Studio Code against `sutler lsp`. Needs `npm install` in
// `editors/vscode`, and the program, which is `target/debug/sutler` or what SUTLER names.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';

const root = new URL('../..', import.meta.url).pathname;
const program = resolve(process.env.SUTLER ?? join(root, 'target/debug/sutler'));
const require = createRequire(join(root, 'editors/vscode/package.json'));
const installed = existsSync(join(root, 'editors/vscode/node_modules/vscode-languageserver-protocol'));
const skip = !installed ? 'not installed' : existsSync(program) ? false : `no ${program}`;

test('a session of the client library', { skip }, async () => {
  const protocol = require('vscode-languageserver-protocol/node');
  const cwd = mkdtempSync(join(tmpdir(), 'sutler-protocol-'));
  assert.equal(spawnSync(program, ['new', 'game'], { cwd }).status, 0);
  const file = join(cwd, 'game/rules.sut');
  const uri = pathToFileURL(file).href;
  const text = readFileSync(file, 'utf8').replace('not lost', 'not lots');
  const server = spawn(program, ['lsp'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const client = protocol.createProtocolConnection(
    new protocol.StreamMessageReader(server.stdout),
    new protocol.StreamMessageWriter(server.stdin),
  );
  const shown = new Promise((found) => {
    client.onNotification(protocol.PublishDiagnosticsNotification.type, (params) => {
      if (params.uri === uri) found(params.diagnostics);
    });
  });
  client.listen();
  const started = await client.sendRequest(protocol.InitializeRequest.type, {
    processId: process.pid, rootUri: pathToFileURL(join(cwd, 'game')).href, capabilities: {},
  });
  assert.equal(started.serverInfo.name, 'sutler');
  await client.sendNotification(protocol.InitializedNotification.type, {});
  await client.sendNotification(protocol.DidOpenTextDocumentNotification.type, {
    textDocument: { uri, languageId: 'sutler', version: 1, text },
  });
  assert.equal((await shown)[0].code, 'E0201');
  const line = text.split('\n').findIndex((l) => l.includes('not lots'));
  const position = { line, character: text.split('\n')[line].indexOf('lots') };
  const offered = await client.sendRequest(protocol.CompletionRequest.type, { textDocument: { uri }, position });
  assert.ok(offered.items.some((i) => i.label === 'lost'));
  const edits = await client.sendRequest(protocol.DocumentFormattingRequest.type, {
    textDocument: { uri }, options: { tabSize: 2, insertSpaces: true },
  });
  assert.deepEqual(edits, []);
  const map = client.sendRequest('sutler/map', { textDocument: { uri }, name: 'opening' });
  await assert.rejects(map, /has errors/);
  await client.sendNotification(protocol.DidChangeTextDocumentNotification.type, {
    textDocument: { uri, version: 2 }, contentChanges: [{ text: text.replace('lots', 'lost') }],
  });
  const drawn = await client.sendRequest('sutler/map', { textDocument: { uri }, name: 'opening' });
  assert.match(drawn.svg, /^<svg/);
  await client.sendRequest(protocol.ShutdownRequest.type);
  await client.sendNotification(protocol.ExitNotification.type);
  const [code] = await once(server, 'exit');
  assert.equal(code, 0);
});
