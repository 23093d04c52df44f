// Starts `sutler lsp`, and shows what its commands answer.
const vscode = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

let client;
/** The open maps: by panel, what each of them draws, and whether it follows the cursor. */
const maps = new Map();
/** How long a key or a step of the cursor waits for the next before the maps are drawn, in milliseconds. */
const PAUSE = 120;

function program(context) {
  const set = vscode.workspace.getConfiguration('sutler').get('server.path');
  if (set) return set;
  const name = process.platform === 'win32' ? 'sutler.exe' : 'sutler';
  const bundled = context.asAbsolutePath(`server/${name}`);
  return require('fs').existsSync(bundled) ? bundled : name;
}

function place(uri, where) {
  return { textDocument: { uri }, ...where };
}

async function draw(panel) {
  const shown = maps.get(panel);
  const turn = (shown.turn = (shown.turn ?? 0) + 1);
  const { uri, where, follows } = shown;
  try {
    const { title, svg } = await client.sendRequest('sutler/map', place(uri, where));
    // An answer that came too late is none, nor is one for a map that was closed.
    if (maps.get(panel)?.turn !== turn) return;
    panel.title = `Map: ${title}`;
    panel.webview.html = `<!DOCTYPE html><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>body { background: #fff; } svg { max-width: 100%; height: auto; }</style>${svg}`;
  } catch (error) {
    // While the rules have errors, or the cursor stands where nothing is to be drawn, the last drawing stays.
    if (maps.get(panel)?.turn === turn && !(follows && shown.drawn)) panel.title = `Map (${error.message})`;
    return;
  }
  shown.drawn = true;
}

function openMap(uri, where, follows = false) {
  const [old] = follows ? [...maps].find(([, shown]) => shown.follows) ?? [] : [];
  const panel = old ?? vscode.window.createWebviewPanel('sutlerMap', 'Map', { viewColumn: vscode.ViewColumn.Beside, preserveFocus: follows }, {});
  maps.set(panel, { ...maps.get(panel), uri, where, follows });
  if (!old) panel.onDidDispose(() => maps.delete(panel));
  return draw(panel);
}

/** Where the cursor of an editor stands. */
function here(editor) {
  const { line, character } = editor.selection.active;
  return { position: { line, character } };
}

/** Draws once it was asked for and then left alone for a while: all maps, or the one that follows the cursor. */
function later(of) {
  let timer;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const editor = vscode.window.activeTextEditor;
      for (const [panel, shown] of maps) {
        if (shown.follows && editor?.document.languageId === 'sutler') {
          Object.assign(shown, { uri: editor.document.uri.toString(), where: here(editor) });
        }
        if (of(shown)) draw(panel);
      }
    }, PAUSE);
  };
}

async function show(command, argument, result) {
  switch (command) {
    case 'sutler.runCase': {
      if (result.passed) return vscode.window.showInformationMessage(result.message);
      const failures = result.cases.flatMap((c) => c.failures);
      const text = failures.map((f) => [f.message, f.why].filter(Boolean).join('\n')).join('\n\n');
      return page(`${result.message}\n\n${text}\n`);
    }
    case 'sutler.bless':
      // The server asks for the edit itself.
      return vscode.window.showInformationMessage(result.message);
    case 'sutler.mutants': {
      const rows = result.mutants.map((one) => `${one.owner}: ${one.what}\n  it would show in ${one.witness ?? one.advice}`);
      if (rows.length === 0) return vscode.window.showInformationMessage(result.message);
      return page(`${result.message}\n\n${rows.join('\n')}\n`);
    }
    case 'sutler.why':
      return page(`${result.message}\n`);
    case 'sutler.clause': {
      const all = [...result.lines, ...result.cases].map(
        (l) => client.protocol2CodeConverter.asLocation(l));
      const uri = vscode.Uri.parse(argument.uri);
      const at = vscode.window.activeTextEditor?.selection.active ?? new vscode.Position(0, 0);
      return vscode.commands.executeCommand('editor.action.showReferences', uri, at, all);
    }
    default:
      return undefined;
  }
}

/** What the cases reach of a file: a stripe in the margin of each line that has something to reach. */
const reached = (colour, name) => vscode.window.createTextEditorDecorationType({
  isWholeLine: true,
  overviewRulerLane: vscode.OverviewRulerLane.Left,
  overviewRulerColor: new vscode.ThemeColor(colour),
  borderStyle: `none none none ${name}`,
  borderWidth: '0 0 0 3px',
  borderColor: new vscode.ThemeColor(colour),
});
const margins = { all: reached('testing.coveredBorder', 'solid'), none: reached('testing.uncoveredBorder', 'double') };

async function showCoverage() {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return;
  try {
    const found = await client.sendRequest('sutler/coverage', place(editor.document.uri.toString(), {}));
    const lines = new Map();
    for (const point of found.points) lines.set(point.line, [...(lines.get(point.line) ?? []), point]);
    const rows = [...lines].map(([line, points]) => {
      const missed = points.filter((point) => point.hits === 0);
      const words = (missed.length ? missed : points).map((point) => point.hits === 0 ? `${point.kind} ${point.name}: ${point.why ?? 'no case reaches it'}` : `${point.kind} ${point.name}: reached ${point.hits} times`);
      return { missed: missed.length > 0, range: editor.document.lineAt(line).range, hoverMessage: words.join('  \n') };
    });
    editor.setDecorations(margins.all, rows.filter((row) => !row.missed));
    editor.setDecorations(margins.none, rows.filter((row) => row.missed));
    const words = found.measures.map(({ kind, reached, all }) => `${kind} ${reached}/${all}`);
    vscode.window.setStatusBarMessage(`${found.cases} cases: ${words.join(', ')}`, 20000);
  } catch (error) {
    vscode.window.showErrorMessage(error.message);
  }
}

/** What the command line does with a folder, in a terminal. */
const COMMANDS = {
  check: 'what is wrong', test: 'run the cases', coverage: 'what the cases reach', mutate: 'which changes no case notices', sweep: 'which number matters most',
  lint: 'what is allowed and may not be meant', trace: 'who has a line', explain: 'why', 'why-not': 'what would restore a line',
  threat: 'what would cut lines', reach: 'where units can get to', map: 'draw the map', odds: 'what a test can come to', ask: 'any value of each thing', run: 'play turns', play: 'many games and what they come to', fuzz: 'play until something holds that never must', diff: 'compare with other rules', differ: 'the smallest position that two rulesets answer differently',
  impact: 'whose answers a change turns', doc: 'the rulebook', calendar: 'what happens when', fmt: 'lay out', schema: 'the form of positions',
  resolve: 'the full rules of a variant', batch: 'ask many positions', bench: 'how fast', ir: 'what it compiled to',
  new: 'begin a ruleset', migrate: 'rewrite an older edition', import: 'a map of another program', sheet: 'tables as sheets, and back',
  'explain-code': 'what a code means',
};

async function command(context) {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return;
  const picks = Object.entries(COMMANDS).map(([label, description]) => ({ label, description }));
  const picked = await vscode.window.showQuickPick(picks, { placeHolder: 'what to do with the ruleset of this file' });
  if (!picked) return;
  const folder = require('path').dirname(editor.document.uri.fsPath);
  const terminal = vscode.window.createTerminal({ name: `sutler ${picked.label}`, cwd: folder });
  terminal.show();
  const file = program(context);
  // Some are not about this folder, and some need more; the line waits for it.
  const of = ['new', 'import', 'sheet', 'explain-code'].includes(picked.label) ? '' : '. ';
  terminal.sendText(`${/\s/.test(file) ? `"${file}"` : file} ${picked.label} ${of}`, ['check', 'test', 'coverage', 'lint'].includes(picked.label));
}

async function page(content) {
  const document = await vscode.workspace.openTextDocument({ content, language: 'plaintext' });
  return vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preview: true });
}

async function activate(context) {
  const [typed, moved] = [later(() => true), later((shown) => shown.follows)];
  const options = {
    documentSelector: [{ language: 'sutler' }],
    synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher('**/*.{sut,rhai,csv,xlsx,ods}') },
    middleware: {
      executeCommand: async (command, args, next) => {
        if (command === 'sutler.map') {
          const [{ uri, ...where }] = args;
          return openMap(uri, where);
        }
        try {
          return await show(command, args[0], await next(command, args));
        } catch (error) {
          return vscode.window.showErrorMessage(error.message);
        }
      },
    },
  };
  const server = { command: program(context), args: ['lsp'] };
  client = new LanguageClient('sutler', 'Sutler', server, options);
  context.subscriptions.push(
    client,
    vscode.commands.registerCommand('sutler.showMap', () => {
      const editor = vscode.window.activeTextEditor;
      return editor && openMap(editor.document.uri.toString(), here(editor), true);
    }),
    vscode.commands.registerCommand('sutler.showCoverage', showCoverage),
    vscode.commands.registerCommand('sutler.command', () => command(context)),
    vscode.commands.registerCommand('sutler.restart', () => client.restart()),
    vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => textEditor.document.languageId === 'sutler' && moved()),
    vscode.window.onDidChangeActiveTextEditor((editor) => editor?.document.languageId === 'sutler' && moved()),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (document.languageId !== 'sutler') return;
      typed();
      // What was reached by other text is not painted beside this.
      for (const editor of vscode.window.visibleTextEditors.filter((one) => one.document === document)) {
        Object.values(margins).forEach((margin) => editor.setDecorations(margin, []));
      }
    }),
  );
  await client.start();
}

function deactivate() {
  return client?.stop();
}

module.exports = { activate, deactivate };
