// What is done on the page, and what follows from it.
import { at, button, el, later } from "./dom.js";
import { choose, fresh, ship } from "./games.js";

/** The panels as tabs, by keys too. */
export function tabs(page) {
  page.panels.forEach((panel, nth) => {
    const tab = button(panel.name, () => page.tab(panel.name), { role: "tab", id: `tab-${nth}`, "aria-controls": `panel-${nth}`, hidden: panel === page.tutorial });
    at("tabs").append(tab);
    at("panels").append(el("div", { role: "tabpanel", id: `panel-${nth}`, "aria-labelledby": `tab-${nth}`, tabindex: 0 }, panel.node));
  });
  at("tabs").addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    const shown = [...page.panels.keys()].filter((nth) => !at(`tab-${nth}`).hidden);
    const now = shown.findIndex((nth) => at(`tab-${nth}`).tabIndex === 0);
    const next = shown.at((now + by) % shown.length);
    page.tab(page.panels[next].name);
    at(`tab-${next}`).focus();
  });
  page.tab("Why");
}

function on(id, name, run) {
  at(id).addEventListener(name, run);
}

/** Another of the positions that were. */
function step(page, run) {
  return page.doing(async () => {
    run();
    await page.shown.show();
  });
}

/** What follows from a text, or from files that are opened. */
function store(page) {
  const { store, editor } = page;
  const checked = later(250, () => page.texts.check());
  const rules = () => JSON.stringify(store.texts({ suites: false }));
  let tried = "";
  const ruled = later(350, () => {
    if (rules() === tried) return;
    tried = rules();
    page.doing(() => page.shown.rules());
  });
  editor.addEventListener("changed", ({ detail: { path, text } }) => store.write(path, text));
  editor.addEventListener("opened", ({ detail: path }) => page.language.shown(path));
  store.addEventListener("changed", () => {
    fresh(page);
    checked();
    ruled();
  });
  store.addEventListener("opened", () => {
    tried = rules();
    page.doing(() => page.opened());
  });
  store.addEventListener("unkept", () => page.say("this browser keeps nothing: save your files"));
}

/** The bar above the rules. */
function files(page) {
  const { store } = page;
  on("game", "change", ({ target: { value } }) => page.doing(() => choose(page, value)));
  on("fresh", "click", () => page.doing(() => ship(page, store.game, { fresh: true })));
  on("file", "change", ({ target }) => page.texts.read(target.value));
  on("fix-all", "click", () => page.texts.fix(page.texts.always()));
  on("open-files", "click", () => at("files").click());
  on("open-folder", "click", () => at("folder").click());
  for (const id of ["files", "folder"]) on(id, "change", ({ target }) => {
    const files = [...target.files];
    // The same file can be chosen again.
    target.value = "";
    page.doing(() => page.disk.own(files));
  });
  on("save", "click", () => page.disk.saveFile());
  on("save-all", "click", () => page.doing(() => page.disk.saveAll()));
  on("share", "click", () => page.doing(async () => {
    const url = await page.links.make();
    await navigator.clipboard?.writeText(url).catch(() => null);
    const field = el("input", { value: url, readonly: true, "aria-label": "the link" });
    at("message").replaceChildren(el("p", {}, "The link carries the rules and the position; it is copied. ", field));
    field.select();
  }));
}

/** The bar above the map. */
function map(page) {
  const { positions, board } = page;
  page.drag.watch(board);
  on("undo", "click", () => step(page, () => positions.undo()));
  on("redo", "click", () => step(page, () => positions.redo()));
  on("ruleset", "change", ({ target }) => page.doing(() => page.shown.rules(target.value)));
  on("setup", "change", ({ target }) => page.doing(() => page.shown.begin(target.value)));
  on("trace", "change", ({ target }) => page.doing(() => ((page.asked.trace = target.value), page.shown.show())));
  on("side", "change", ({ target }) => page.doing(() => ((page.asked.side = target.value), page.shown.show())));
  on("find", "change", ({ target }) => {
    const id = target.value.trim();
    const known = (page.frame.bases ?? page.frame.units).some((unit) => unit.id === id) || board.ids.includes(id);
    if (known) page.shown.choose(id, { show: true }).then(() => board.focus(id));
    else if (id) page.say(`there is no unit and no space \`${id}\``);
  });
  on("nearer", "click", () => board.view.zoom(1.25));
  on("farther", "click", () => board.view.zoom(0.8));
  on("whole", "click", () => board.whole());
}

/** Whatever can be done on the page. */
export function wire(page) {
  store(page);
  files(page);
  map(page);
  const { positions } = page;
  for (const one of document.querySelectorAll("[data-view][aria-pressed]")) one.addEventListener("click", () => page.look(one.dataset.view));
  addEventListener("hashchange", () => page.doing(() => page.links.open()));
  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z" || event.target.closest("#editor, input")) return;
    event.preventDefault();
    step(page, () => (event.shiftKey ? positions.redo() : positions.undo()));
  });
}
