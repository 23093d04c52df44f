// The engine as a module of WebAssembly, as cargo builds it.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** A short name for what bytes hold. */
export function hash(bytes) {
  return createHash("sha256").update(bytes).digest("hex").slice(0, 16);
}

/** The explanation of each code by its name, as Markdown. */
export function codes() {
  const folder = join(root, "src/diag/codes");
  const names = readdirSync(folder).filter((name) => name.endsWith(".md")).sort();
  return JSON.stringify(Object.fromEntries(names.map((name) => [name.slice(0, -".md".length), readFileSync(join(folder, name), "utf8")])));
}

/** What binaryen does to the module: passes after which it is smaller to load, where its own `-Oz` makes it larger. */
const PASSES = ["duplicate-function-elimination", "dae", "simplify-locals-nostructure", "coalesce-locals", "reorder-locals", "vacuum",
  "reorder-functions-by-name", "strip-debug", "strip-producers"];

/** A module with the same answers that is smaller to load. */
function smaller(from) {
  const wasmOpt = join(dirname(createRequire(import.meta.url).resolve("binaryen")), "bin/wasm-opt");
  const to = from.replace(/\.wasm$/, ".small.wasm");
  rmSync(to, { force: true });
  execFileSync(process.execPath, [wasmOpt, "--all-features", ...PASSES.map((pass) => `--${pass}`), from, "-o", to], { stdio: "inherit" });
  return readFileSync(to);
}

/** The flags of the compiler under which the module holds no path of the machine that built it. */
function flags() {
  const cargo = process.env.CARGO_HOME ?? join(homedir(), ".cargo");
  const given = process.env.CARGO_ENCODED_RUSTFLAGS?.split("\x1f") ?? process.env.RUSTFLAGS?.split(" ") ?? [];
  const anywhere = [`--remap-path-prefix=${root}=.`, `--remap-path-prefix=${cargo}=cargo`];
  return [...given.filter((flag) => flag !== ""), ...anywhere].join("\x1f");
}

/** The module; `--engine FILE.wasm` names one that is built already. */
export function engine() {
  const at = process.argv.indexOf("--engine");
  const given = at > 0 ? process.argv[at + 1] : process.env.SUTLER_ENGINE;
  if (given) return readFileSync(given);
  const target = join(root, "target/wasm");
  const args = ["build", "--quiet", "--release", "--locked", "--target", "wasm32-unknown-unknown", "--target-dir", target];
  // The names are taken off later: by them functions are put in order, so that like stands by like.
  const env = { ...process.env, CARGO_PROFILE_RELEASE_STRIP: "debuginfo", CARGO_ENCODED_RUSTFLAGS: flags() };
  execFileSync("cargo", args, { cwd: join(root, "wasm"), stdio: "inherit", env });
  return smaller(join(target, "wasm32-unknown-unknown/release/sutler_wasm.wasm"));
}
