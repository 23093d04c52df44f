// The engine as a module of WebAssembly: built by cargo, made small by binaryen.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(here);

/** A short name for what bytes hold. */
export function hash(bytes) {
  return createHash("sha256").update(bytes).digest("hex").slice(0, 16);
}

/** The module as cargo builds it. */
function compiled() {
  const at = process.argv.indexOf("--engine");
  const given = at > 0 ? process.argv[at + 1] : process.env.SUTLER_ENGINE;
  if (given) return readFileSync(given);
  const target = join(root, "target/wasm");
  const args = ["build", "--quiet", "--release", "--locked", "--target", "wasm32-unknown-unknown", "--target-dir", target];
  execFileSync("cargo", args, { cwd: join(root, "wasm"), stdio: "inherit" });
  return readFileSync(join(target, "wasm32-unknown-unknown/release/sutler_wasm.wasm"));
}

/** The module made small; kept by what it was made of, for that takes a minute. */
export function engine() {
  const raw = compiled();
  if (process.argv.includes("--quick")) return raw;
  const kept = join(here, "node_modules/.cache/sutler", `${hash(raw)}.wasm`);
  if (!existsSync(kept)) {
    mkdirSync(dirname(kept), { recursive: true });
    const from = `${kept}.raw`;
    writeFileSync(from, raw);
    const features = ["bulk-memory", "sign-ext", "nontrapping-float-to-int", "mutable-globals", "reference-types", "multivalue", "simd"];
    // More passes take minutes, and what they leave is larger once it is compressed.
    const args = ["-O1", "--strip-debug", "--strip-producers", ...features.map((name) => `--enable-${name}`), from, "-o", `${kept}.new`];
    execFileSync(process.execPath, [join(here, "node_modules/binaryen/bin/wasm-opt"), ...args], { stdio: "inherit" });
    copyFileSync(`${kept}.new`, kept);
    rmSync(from);
    rmSync(`${kept}.new`);
  }
  return readFileSync(kept);
}
