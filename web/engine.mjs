// The engine as a module of WebAssembly, as cargo builds it.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
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

/** The module; `--engine FILE.wasm` names one that is built already. */
export function engine() {
  const at = process.argv.indexOf("--engine");
  const given = at > 0 ? process.argv[at + 1] : process.env.SUTLER_ENGINE;
  if (given) return readFileSync(given);
  const target = join(root, "target/wasm");
  const args = ["build", "--quiet", "--release", "--locked", "--target", "wasm32-unknown-unknown", "--target-dir", target];
  execFileSync("cargo", args, { cwd: join(root, "wasm"), stdio: "inherit" });
  return readFileSync(join(target, "wasm32-unknown-unknown/release/sutler_wasm.wasm"));
}
