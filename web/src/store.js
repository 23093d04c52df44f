// What is open: the files of a ruleset by path. Kept in the browser, saved as files, and carried by
// a link.
import { unzipped } from "./zip.js";

/** What was changed is kept by the game it was changed in, so that no other takes its place. */
const KEPT = "sutler.files.";
const LAST = "sutler.game";
/** No link makes the page unpack more than this. */
const MOST = 8_000_000;
/** Files that are named as those of cases are. */
const SUITE = /(^|\/)suite[^/]*\.sut$/;
/** What stands outermost in a file that nothing but cases needs. */
const ASKS = new Set(["edition", "case", "mistake"]);

/** Whether a file holds cases alone, which the map does not need. */
export function isSuite(path, text) {
  if (!SUITE.test(path)) return false;
  let depth = 0;
  const bare = text.replace(/"[^"\n]*"|#[^\n]*/g, "");
  for (const line of bare.split("\n")) {
    const word = depth <= 0 && /^\s*([a-z_]+)/.exec(line)?.[1];
    if (word && !ASKS.has(word)) return false;
    depth += line.split("{").length - line.split("}").length;
  }
  return true;
}

export class Store extends EventTarget {
  /** The game it was opened as: a shipped one, `own`, or one that a link brought. */
  game = "";
  files = new Map();
  /** The texts as they were when they were opened from where they come from. */
  #whole = "";

  /** Replaces everything; what was changed in this game before is taken instead, if there is any. */
  open(game, texts, { fresh = false } = {}) {
    const plain = Object.fromEntries(Object.entries(texts).filter(([, text]) => typeof text === "string"));
    this.#whole = JSON.stringify(plain);
    const kept = fresh ? null : this.kept(game);
    this.game = game;
    this.files = new Map(Object.entries(kept ?? plain));
    if (fresh) this.#forget(game);
    this.#remember(LAST, game);
    this.dispatchEvent(new Event("opened"));
  }

  /** Whether anything was changed since it was opened. */
  get changed() {
    return JSON.stringify(this.texts()) !== this.#whole;
  }

  /** Changes one file. */
  write(path, text) {
    if (this.files.get(path) === text) return;
    this.files.set(path, text);
    this.#remember(KEPT + this.game, JSON.stringify(this.texts()));
    this.dispatchEvent(new CustomEvent("changed", { detail: path }));
  }

  /** All texts, or those without the suites, which nothing but cases needs. */
  texts({ suites = true } = {}) {
    return Object.fromEntries([...this.files].filter(([path, text]) => suites || !isSuite(path, text)));
  }

  /** All texts as they were when they were opened. */
  came({ suites = true } = {}) {
    const all = Object.entries(JSON.parse(this.#whole || "{}"));
    return Object.fromEntries(all.filter(([path, text]) => suites || !isSuite(path, text)));
  }

  /** What was changed in a game. */
  kept(game) {
    try {
      const texts = JSON.parse(localStorage.getItem(KEPT + game));
      return texts && Object.values(texts).every((text) => typeof text === "string") ? texts : null;
    } catch {
      return null;
    }
  }

  /** The games in which something was changed. */
  all() {
    try {
      return Object.keys(localStorage).filter((key) => key.startsWith(KEPT)).map((key) => key.slice(KEPT.length)).sort();
    } catch {
      return [];
    }
  }

  /** The game that was open last. */
  get last() {
    try {
      return localStorage.getItem(LAST);
    } catch {
      return null;
    }
  }

  /** Keeps the files of a game that has no other place. */
  keep() {
    this.#remember(KEPT + this.game, JSON.stringify(this.texts()));
  }

  #forget(game) {
    try {
      localStorage.removeItem(KEPT + game);
    } catch {
      // Nothing is kept where nothing may be.
    }
  }

  #remember(key, text) {
    try {
      localStorage.setItem(key, text);
    } catch {
      this.dispatchEvent(new Event("unkept"));
    }
  }
}

async function through(stream, bytes, most = Infinity) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Blob(parts).arrayBuffer();
    size += value.length;
    if (size > most) throw new Error("the link holds too much");
    parts.push(value);
  }
}

/** A value as the fragment of a link. */
export async function packed(value) {
  const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(JSON.stringify(value)));
  let text = "";
  for (const byte of new Uint8Array(bytes)) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The value of a fragment. */
export async function unpacked(fragment) {
  const text = atob(fragment.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(text, (char) => char.charCodeAt(0));
  const json = new TextDecoder().decode(await through(new DecompressionStream("deflate-raw"), bytes, MOST));
  return JSON.parse(json);
}

/** What is read as a file of a ruleset: a table may live in a sheet, of which the one that is a text is read. */
const OURS = /\.(sut|rhai|csv)$/;

/** Files that were chosen, as texts by path; the folder that was chosen is no part of the paths, nor is one that holds all of an
 * archive. */
export async function read(list) {
  const texts = {};
  for (const file of list) {
    const path = file.webkitRelativePath ? file.webkitRelativePath.split("/").slice(1).join("/") : file.name;
    if (file.size >= MOST) continue;
    if (OURS.test(path)) texts[path] = await file.text();
    else if (/\.zip$/.test(path)) Object.assign(texts, inside(await unzipped(await file.arrayBuffer(), (path) => OURS.test(path), MOST)));
  }
  return texts;
}

/** Texts without the folder that holds all of them. */
function inside(texts) {
  const paths = Object.keys(texts);
  const [folder] = paths[0]?.split("/") ?? [];
  const held = paths.every((path) => path.startsWith(`${folder}/`));
  return held ? Object.fromEntries(paths.map((path) => [path.slice(folder.length + 1), texts[path]])) : texts;
}

/** Saves a text, or bytes, as a file. */
export function save(name, content, type = "text/plain") {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}
