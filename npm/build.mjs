// Puts beside the sources what the package carries and git does not: the module, the calls of it
// and the explanations of codes. `node build.mjs --engine FILE.wasm` takes a module that is built already.
import { copyFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { codes, engine } from "../web/engine.mjs";

const here = dirname(fileURLToPath(import.meta.url));
copyFileSync(join(here, "../wasm/sutler.mjs"), join(here, "engine.js"));
writeFileSync(join(here, "sutler.wasm"), engine());
writeFileSync(join(here, "codes.json"), codes());
