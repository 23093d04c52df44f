// Answers calls line by line: `node lines.mjs sutler_wasm.wasm < calls.jsonl > answers.jsonl`.
import { readFileSync } from "node:fs";
import { Sutler } from "./sutler.mjs";

const sutler = await Sutler.load(readFileSync(process.argv[2]));
const calls = readFileSync(0, "utf8").split("\n").filter((line) => line !== "");
for (const line of calls) process.stdout.write(`${sutler.text(JSON.parse(line))}\n`);
