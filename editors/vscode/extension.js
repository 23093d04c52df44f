// Starts `sutler lsp`, and shows what its commands answer.
const vscode = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

let client;
/** The open maps: by panel, what each of them draws. */
const maps = new Map();

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
  const { uri, where } = maps.get(panel);
  try {
    const { title, svg } = await client.sendRequest('sutler/map', place(uri, where));
    panel.title = `Map: ${title}`;
    panel.webview.html = `<!DOCTYPE html><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>body { background: #fff; } svg { max-width: 100%; height: auto; }</style>${svg}`;
  } catch (error) {
    // While the rules have errors the last drawing stays.
    panel.title = `Map (${error.message})`;
  }
}

function openMap(uri, where) {
  const side = vscode.ViewColumn.Beside;
  const panel = vscode.window.createWebviewPanel('sutlerMap', 'Map', side, {});
  maps.set(panel, { uri, where });
  panel.onDidDispose(() => maps.delete(panel));
  return draw(panel);
}

async function show(command, argument, result) {
  switch (command) {
    case 'sutler.runCase': {
      if (result.passed) return vscode.window.showInformationMessage(result.message);
      const failures = result.cases.flatMap((c) => c.failures);
      const text = failures.map((f) => [f.message, f.why].filter(Boolean).join('\n')).join('\n\n');
      return page(`${result.message}\n\n${text}\n`);
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

async function page(content) {
  const document = await vscode.workspace.openTextDocument({ content, language: 'plaintext' });
  return vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preview: true });
}

async function activate(context) {
  const options = {
    documentSelector: [{ language: 'sutler' }],
    synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher('**/*.{sut,rhai}') },
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
      if (!editor) return undefined;
      const { line, character } = editor.selection.active;
      return openMap(editor.document.uri.toString(), { position: { line, character } });
    }),
    vscode.commands.registerCommand('sutler.restart', () => client.restart()),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (document.languageId === 'sutler') maps.forEach((_, panel) => draw(panel));
    }),
  );
  await client.start();
}

function deactivate() {
  return client?.stop();
}

module.exports = { activate, deactivate };
