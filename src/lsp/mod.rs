//! A language server: what an editor asks about a ruleset while it is being written.
//!
//! Takes messages of the protocol as JSON; gives messages back. Reads files through the door of
//! [`crate::project`], open texts first, and writes none. Knows no pipe and no thread: a command or
//! a page passes the messages. Decides nothing about rules: it checks, and asks the views that the
//! commands have.

mod actions;
mod bless;
mod calls;
mod colours;
mod commands;
mod complete;
mod coverage;
mod find;
mod fold;
mod hints;
mod hover;
mod index;
mod layout;
#[cfg(feature = "cli")]
mod mutants;
mod place;
mod publish;
mod rename;
mod scene;
mod scripted;
mod spell;
mod store;
mod symbols;
mod unit;

use crate::arrange::Arrange as _;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::halt::Halt;
use crate::project::Parsed;
use place::Encoding;
use store::{Files, Open, Store};
use unit::{Asked, Unit, WordCache};

/// Why a request has no answer.
pub(crate) struct Refusal {
    code: i32,
    message: String,
}

impl Refusal {
    /// The request does not say what it must.
    fn params(message: &str) -> Refusal {
        Refusal { code: -32602, message: message.to_owned() }
    }

    /// The editor does not wait for it any more.
    fn cancelled() -> Refusal {
        Refusal { code: -32800, message: "the request was cancelled".to_owned() }
    }

    /// The request is understood and cannot be carried out.
    fn failed(message: impl Into<String>) -> Refusal {
        Refusal { code: -32803, message: message.into() }
    }
}

type Answer = Result<Value, Refusal>;

/// A language server for rulesets, without input and output of its own.
///
/// ```
/// use serde_json::json;
///
/// let text = "edition 1\nruleset tiny \"Tiny\" prefix T\ndefine far = raech\n";
/// let mut server = sutler::Server::of_texts([("rules.sut", text)]);
/// server.message(&json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {} }));
/// let opened = server.message(&json!({
///     "jsonrpc": "2.0",
///     "method": "textDocument/didOpen",
///     "params": { "textDocument": {
///         "uri": "file:///rules.sut", "languageId": "sutler", "version": 1, "text": text,
///     } },
/// }));
/// let found = &opened[0]["params"]["diagnostics"][0];
/// assert_eq!(found["code"], "E0201");
/// ```
pub struct Server {
    store: Store,
    units: BTreeMap<PathBuf, Unit>,
    /// Units whose texts have changed since they were read.
    stale: Vec<PathBuf>,
    /// Units whose fixes are not tried yet.
    untried: Vec<PathBuf>,
    words: WordCache,
    /// Whether names were looked up once.
    looked: bool,
    parsed: Parsed,
    /// Whether nobody waits any more for what is being done.
    halt: Halt,
    /// What was published last, by file.
    published: BTreeMap<PathBuf, Vec<Value>>,
    roots: Vec<PathBuf>,
    encoding: Encoding,
    started: bool,
    shut: bool,
    ended: bool,
}

impl std::fmt::Debug for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Server").field("open", &self.store.open.keys()).finish_non_exhaustive()
    }
}

impl Server {
    /// A server that reads what is not open from the disk.
    #[must_use]
    pub fn new() -> Server {
        Server::over(Files::Disk)
    }

    /// A server over texts in memory by path, as [`crate::Rules::of_texts`] takes them; no disk is
    /// touched.
    #[must_use]
    pub fn of_texts<P, T>(texts: impl IntoIterator<Item = (P, T)>) -> Server
    where
        P: AsRef<Path>,
        T: Into<Vec<u8>>,
    {
        let texts = texts.into_iter().map(|(path, text)| (path.as_ref().into(), text.into()));
        Server::over(Files::Memory(texts.collect()))
    }

    fn over(files: Files) -> Server {
        Server {
            store: Store::new(files),
            units: BTreeMap::new(),
            stale: Vec::new(),
            untried: Vec::new(),
            words: WordCache::default(),
            looked: false,
            parsed: Parsed::default(),
            halt: Halt::default(),
            published: BTreeMap::new(),
            roots: Vec::new(),
            encoding: Encoding::default(),
            started: false,
            shut: false,
            ended: false,
        }
    }

    /// Takes one message; gives what is to be sent, in order. Any value is taken: what is no
    /// message of the protocol is answered as such.
    pub fn message(&mut self, message: &Value) -> Vec<Value> {
        let mut out = self.take(message);
        out.extend(self.settle());
        out
    }

    /// The same with texts of JSON.
    pub fn message_text(&mut self, message: &str) -> Vec<String> {
        match serde_json::from_str(message) {
            Ok(message) => self.message(&message).iter().map(Value::to_string).collect(),
            Err(error) => {
                let error = json!({ "code": -32700, "message": error.to_string() });
                vec![json!({ "jsonrpc": "2.0", "id": null, "error": error }).to_string()]
            }
        }
    }

    /// Whether the editor has asked it to end.
    #[must_use]
    pub fn is_ended(&self) -> bool {
        self.ended
    }

    /// Whether the editor has asked it to shut down, as it must before it asks it to end.
    #[must_use]
    pub fn is_shut_down(&self) -> bool {
        self.shut
    }

    /// Takes one message and leaves for [`Server::settle`] what several messages may change: where
    /// many wait, the text is checked once.
    pub fn take(&mut self, message: &Value) -> Vec<Value> {
        let Some(method) = message.get("method").and_then(Value::as_str) else {
            // An answer of the editor to what was asked of it.
            if message.get("result").is_some() || message.get("error").is_some() {
                return Vec::new();
            }
            let error = json!({ "code": -32600, "message": "a message has a `method`" });
            let id = message.get("id").cloned().unwrap_or(Value::Null);
            return vec![json!({ "jsonrpc": "2.0", "id": id, "error": error })];
        };
        let none = Value::Null;
        let params = message.get("params").unwrap_or(&none);
        match message.get("id") {
            None => {
                self.notified(method, params);
                Vec::new()
            }
            Some(id) => {
                // What is offered has been tried.
                let fixes = method == "textDocument/codeAction";
                let mut out = if fixes { self.settle() } else { self.settle_first() };
                let answer = self.request(method, params);
                let edit = answer.as_ref().ok().and_then(|result| result.get("edit")).cloned();
                out.push(match answer {
                    Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
                    Err(refusal) => {
                        let error = json!({ "code": refusal.code, "message": refusal.message });
                        json!({ "jsonrpc": "2.0", "id": id, "error": error })
                    }
                });
                // What a command changes the editor is asked to change.
                if let (Some(edit), "workspace/executeCommand") = (edit, method) {
                    let (id, params) = (format!("sutler {id}"), json!({ "edit": edit }));
                    let method = "workspace/applyEdit";
                    out.push(
                        json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }),
                    );
                }
                out
            }
        }
    }

    /// Checks what has changed, tries what the faults offer to write, and gives what is to be
    /// published.
    pub fn settle(&mut self) -> Vec<Value> {
        self.read_again(false)
    }

    /// Checks what has changed and gives what is to be published; fixes are left for
    /// [`Server::settle`], which takes longer.
    pub(crate) fn settle_first(&mut self) -> Vec<Value> {
        self.read_again(true)
    }

    /// Whether faults are published whose fixes are not tried yet.
    #[cfg(feature = "cli")]
    pub(crate) fn is_unsettled(&self) -> bool {
        !self.untried.is_empty()
    }

    fn read_again(&mut self, fixes_later: bool) -> Vec<Value> {
        let mut stale = std::mem::take(&mut self.stale);
        stale.arrange();
        stale.dedup();
        let untried = if fixes_later { Vec::new() } else { std::mem::take(&mut self.untried) };
        let untried = untried.into_iter().filter(|path| stale.binary_search(path).is_err());
        let all: Vec<(PathBuf, bool)> = untried.map(|path| (path, false)).collect();
        let all: Vec<_> =
            all.into_iter().chain(stale.into_iter().map(|path| (path, true))).collect();
        if all.is_empty() {
            return Vec::new();
        }
        for (path, changed) in all {
            let unit = Unit::read(&self.store, &path, (&self.parsed, fixes_later));
            let halted = !fixes_later && self.halt.is_set();
            if (fixes_later || halted) && !publish::all(&unit).is_empty() {
                self.untried.push(path.clone());
            }
            // What was shown of the same text stays until all of its fixes are tried.
            if changed || !halted {
                self.units.insert(path, unit);
            }
        }
        // The words of all files are read when a folder is opened, not behind its first key.
        if !self.looked {
            self.looked = true;
            self.units.values().for_each(|unit| _ = unit.index(&mut self.words));
        }
        self.publish()
    }

    /// Long work stops when this says so.
    #[cfg(feature = "cli")]
    pub(crate) fn halt_when(&mut self, halt: Halt) {
        self.parsed = Parsed::until(&halt);
        self.halt = halt;
    }

    fn notified(&mut self, method: &str, params: &Value) {
        let document = params.get("textDocument").unwrap_or(&Value::Null);
        let Some(uri) = document.get("uri").and_then(Value::as_str) else {
            return match method {
                "exit" => self.ended = true,
                "workspace/didChangeWatchedFiles" => self.files_changed(params),
                _ => {}
            };
        };
        let path = self.store.path(uri);
        match method {
            "textDocument/didOpen" => {
                self.store.learn(uri);
                let text = document.get("text").and_then(Value::as_str).unwrap_or_default();
                let version = document.get("version").cloned().unwrap_or(Value::Null);
                let open = Open { uri: uri.to_owned(), version, text: text.to_owned() };
                self.store.open.insert(path.clone(), open);
                self.changed(&path);
            }
            "textDocument/didChange" if self.store.change(&path, params, self.encoding) => {
                self.changed(&path);
            }
            "textDocument/didSave" => self.changed(&path),
            "textDocument/didClose" if self.store.open.remove(&path).is_some() => {
                self.changed(&path);
            }
            _ => {}
        }
    }

    fn files_changed(&mut self, params: &Value) {
        let changes = params.get("changes").and_then(Value::as_array).cloned().unwrap_or_default();
        for uri in changes.iter().filter_map(|c| c.get("uri").and_then(Value::as_str)) {
            let path = self.store.path(uri);
            self.changed(&path);
        }
    }

    /// Notes that a text is another one, for all that read it.
    fn changed(&mut self, path: &Path) {
        let folder = path.parent().unwrap_or(Path::new(""));
        // A sheet is read with the rules beside it.
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if crate::sheet::Form::of(&name).is_some() && self.units.contains_key(folder) {
            return self.stale.push(folder.to_path_buf());
        }
        if !is_of_a_ruleset(path) {
            return;
        }
        let own = self.unit_of(path);
        let reads = |unit: &Unit| unit.files.iter().any(|file| file == path);
        let others = self.units.iter().filter(|(key, unit)| **key != own && reads(unit));
        self.stale.extend(others.map(|(key, _)| key.clone()));
        // A file that stood alone may now belong to a folder, and the other way round.
        let other = if own == path { folder } else { path };
        self.units.remove(other);
        self.stale.retain(|key| key != other);
        self.untried.retain(|key| key != other);
        self.stale.push(own);
    }

    /// What a file is checked with: its folder if that has a head, else itself.
    fn unit_of(&self, path: &Path) -> PathBuf {
        let folder = path.parent().unwrap_or(Path::new(""));
        let folder = match path.extension() {
            Some(e) if e == "rhai" => folder.parent().unwrap_or(Path::new("")),
            _ => folder,
        };
        if self.store.is_file(&folder.join("rules.sut")) {
            folder.to_path_buf()
        } else {
            path.to_path_buf()
        }
    }

    /// The unit of a file, read now if it was not read yet.
    fn unit(&mut self, path: &Path) -> PathBuf {
        let key = self.unit_of(path);
        if !self.units.contains_key(&key) {
            let unit = Unit::read(&self.store, &key, (&self.parsed, false));
            if self.halt.is_set() {
                self.untried.push(key.clone());
            }
            self.units.insert(key.clone(), unit);
        }
        key
    }

    /// All units of the folders that are open in the editor.
    fn all_units(&mut self) {
        for root in self.roots.clone() {
            for folder in self.store.rulesets(&root) {
                self.unit(&folder.join("rules.sut"));
            }
        }
    }

    fn request(&mut self, method: &str, params: &Value) -> Answer {
        match method {
            "initialize" => return Ok(self.initialize(params)),
            "shutdown" => {
                self.shut = true;
                return Ok(Value::Null);
            }
            _ if !self.started => {
                let message = "`initialize` comes first".to_owned();
                return Err(Refusal { code: -32002, message });
            }
            "workspace/symbol" => return self.workspace_symbols(params),
            "completionItem/resolve" | "codeAction/resolve" => return Ok(params.clone()),
            _ => {}
        }
        let uri = ["/textDocument/uri", "/item/uri", "/arguments/0/uri"]
            .iter()
            .find_map(|at| params.pointer(at).and_then(Value::as_str));
        let path = uri.map(|uri| self.store.path(uri));
        self.document(method, params, path)
    }

    fn document(&mut self, method: &str, params: &Value, path: Option<PathBuf>) -> Answer {
        let Some(path) = path else {
            return if method.starts_with("textDocument/") {
                Err(Refusal::params("the request names no file"))
            } else {
                Err(unknown(method))
            };
        };
        // Of a script only the faults are known.
        if path.extension().is_none_or(|e| e != "sut") {
            return Ok(Value::Null);
        }
        let key = self.unit(&path);
        let Some(text) = self.store.text(&path).map(|t| t.into_owned()) else {
            return Err(Refusal::failed("the file cannot be read"));
        };
        let asked = Asked { path, text: text.into(), encoding: self.encoding };
        let Some(unit) = self.units.get(&key) else { return Ok(Value::Null) };
        let (words, halt) = (&mut self.words, &self.halt);
        let desk = Desk { store: &self.store, unit, words, halt, encoding: self.encoding };
        desk.answer(method, &asked, params)
    }

    fn initialize(&mut self, params: &Value) -> Value {
        self.started = true;
        let encodings = params.pointer("/capabilities/general/positionEncodings");
        let first = encodings.and_then(Value::as_array).and_then(|all| all.first());
        if first.and_then(Value::as_str) == Some("utf-8") {
            self.encoding = Encoding::Utf8;
        }
        let folders = params.get("workspaceFolders").and_then(Value::as_array);
        let folders = folders.into_iter().flatten().filter_map(|f| f.get("uri"));
        let mut uris: Vec<&str> = folders.filter_map(Value::as_str).collect();
        if uris.is_empty() {
            uris.extend(params.get("rootUri").and_then(Value::as_str));
        }
        if let Some(first) = uris.first() {
            self.store.learn(first);
        }
        self.roots = uris.into_iter().map(|uri| self.store.path(uri)).collect();
        json!({
            "capabilities": capabilities(self.encoding),
            "serverInfo": { "name": "sutler", "version": env!("CARGO_PKG_VERSION") },
        })
    }
}

impl Default for Server {
    fn default() -> Server {
        Server::new()
    }
}

/// What a request about one file is answered from.
pub(crate) struct Desk<'a> {
    store: &'a Store,
    unit: &'a Unit,
    words: &'a mut WordCache,
    halt: &'a Halt,
    encoding: Encoding,
}

impl Desk<'_> {
    /// Refuses what was cancelled while it was done.
    fn waited_for(&self) -> Result<(), Refusal> {
        if self.halt.is_set() { Err(Refusal::cancelled()) } else { Ok(()) }
    }

    fn answer(self, method: &str, asked: &Asked<'_>, params: &Value) -> Answer {
        match method {
            "textDocument/codeAction" => self.actions(asked, params),
            "textDocument/completion" => self.complete(asked, params),
            "textDocument/hover" => self.hover(asked, params),
            "textDocument/definition" => self.definition(asked, params),
            "textDocument/references" => self.references(asked, params),
            "textDocument/documentHighlight" => self.highlights(asked, params),
            "textDocument/prepareRename" => self.can_rename(asked, params),
            "textDocument/rename" => self.rename(asked, params),
            "textDocument/documentSymbol" => Ok(symbols::outline(asked)),
            "textDocument/foldingRange" => Ok(fold::ranges(asked)),
            "textDocument/formatting" => layout::whole(asked),
            "textDocument/rangeFormatting" => layout::range(asked, params),
            "textDocument/onTypeFormatting" => layout::typed(asked, params),
            "textDocument/inlayHint" => self.hints(asked, params),
            "textDocument/signatureHelp" => self.signature(asked, params),
            "textDocument/codeLens" => self.lenses(asked),
            "textDocument/prepareCallHierarchy" => self.prepare_calls(asked, params),
            "callHierarchy/incomingCalls" => self.incoming(asked, params),
            "callHierarchy/outgoingCalls" => self.outgoing(asked, params),
            "sutler/map" => self.map(asked, params),
            "sutler/coverage" => self.coverage(asked),
            "workspace/executeCommand" => {
                let command = params.get("command").and_then(Value::as_str).unwrap_or_default();
                let argument = params.pointer("/arguments/0").unwrap_or(&Value::Null);
                self.command(asked, command, argument)
            }
            "textDocument/semanticTokens/full" => self.colours(asked, None),
            "textDocument/semanticTokens/range" => self.colours(asked, params.get("range")),
            _ => Err(unknown(method)),
        }
    }
}

/// A request that this server does not have.
fn unknown(method: &str) -> Refusal {
    Refusal { code: -32601, message: format!("`{method}` is no request of this server") }
}

/// Whether a file is read as part of a ruleset.
fn is_of_a_ruleset(path: &Path) -> bool {
    path.extension().is_some_and(|e| e == "sut" || e == "rhai")
}

fn capabilities(encoding: Encoding) -> Value {
    json!({
        "positionEncoding": encoding.name(),
        "textDocumentSync": { "openClose": true, "change": 2, "save": true },
        "codeActionProvider": { "codeActionKinds": ["quickfix", "source.fixAll"] },
        "completionProvider": { "triggerCharacters": [" ", "[", "\"", "|"] },
        "hoverProvider": true,
        "definitionProvider": true,
        "referencesProvider": true,
        "documentHighlightProvider": true,
        "renameProvider": { "prepareProvider": true },
        "documentSymbolProvider": true,
        "workspaceSymbolProvider": true,
        "foldingRangeProvider": true,
        "inlayHintProvider": true,
        "signatureHelpProvider": { "triggerCharacters": ["|", ","], "retriggerCharacters": ["|", ","] },
        "codeLensProvider": { "resolveProvider": false },
        "executeCommandProvider": { "commands": commands::COMMANDS },
        "callHierarchyProvider": true,
        "documentFormattingProvider": true,
        "documentRangeFormattingProvider": true,
        "documentOnTypeFormattingProvider": { "firstTriggerCharacter": "}", "moreTriggerCharacter": ["\n"] },
        "semanticTokensProvider": {
            "legend": { "tokenTypes": colours::TYPES, "tokenModifiers": colours::MODIFIERS },
            "full": true,
            "range": true,
        },
    })
}
