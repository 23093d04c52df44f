// Builds the page into `dist`: the engine, the scripts, the shipped games, the service worker.
// `node build.mjs --engine FILE.wasm` takes an engine that is built already; `--quick` leaves out
// what is compressed.
import { mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { build } from "esbuild";
import { codes, engine, hash } from "./engine.mjs";
import { tutorial } from "./tutorial.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(here);
const dist = join(here, "dist");
const GAMES = ["soldier_kings", "malaya", "sgs", "blockade_siege", "twilight"];

/** All files below a folder, as paths with `/`, sorted. */
function files(folder) {
  const found = [];
  for (const name of readdirSync(folder).sort()) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) found.push(...files(path));
    else found.push(path);
  }
  return found;
}

/** A game as the page opens it: its files by path. */
function game(folder) {
  const texts = {};
  for (const path of files(folder)) {
    const name = relative(folder, path).split("\\").join("/");
    if (/\.(sut|rhai|csv)$/.test(name)) texts[name] = readFileSync(path, "utf8");
  }
  return texts;
}

function put(name, content) {
  const path = join(dist, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

/** The files that are worth it, also compressed, for servers that send them so. */
function compress() {
  for (const path of files(dist).filter((path) => /\.(wasm|js|css|html|json)$/.test(path))) {
    const bytes = readFileSync(path);
    const quality = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 };
    writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params: quality }));
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
  }
}

async function page() {
  const module = engine();
  rmSync(dist, { recursive: true, force: true });
  put("sutler.wasm", module);
  put("codes.json", codes());
  for (const name of GAMES) put(`games/${name}.json`, JSON.stringify(game(join(root, "rulesets", name))));
  put("tutorial.json", JSON.stringify(tutorial(join(root, "docs/tutorial"), game)));
  put("games/winter_road.json", JSON.stringify(game(join(root, "docs/tutorial/step10"))));
  for (const path of files(join(here, "public"))) put(relative(join(here, "public"), path), readFileSync(path));
  const common = { bundle: true, minify: true, format: "esm", target: "es2022", legalComments: "none", outdir: dist, logLevel: "warning" };
  // The language client brings a parser of Markdown; what this server writes takes less, and no HTML.
  const alias = { marked: join(here, "src/markdown.js") };
  await build({ ...common, alias, entryPoints: [join(here, "src/page.js"), join(here, "src/engine.worker.js")] });
  // What the service worker keeps is named by what it holds, so that a new build replaces it.
  const names = files(dist).map((path) => relative(dist, path).split("\\").join("/"));
  const version = hash(names.map((name) => name + hash(readFileSync(join(dist, name)))).join());
  const define = { FILES: JSON.stringify(["./", ...names]), VERSION: JSON.stringify(version) };
  await build({ ...common, format: "iife", define, entryPoints: [join(here, "src/offline.js")] });
  if (process.argv.includes("--quick")) return;
  compress();
  for (const name of ["sutler.wasm", "page.js"]) {
    const size = (ending) => `${(statSync(join(dist, name + ending)).size / 1000).toFixed(0)} kB`;
    console.log(`${name}: ${size("")}, gzip ${size(".gz")}, brotli ${size(".br")}`);
  }
}

await page();
