// Files in and out: an archive of all of them, and a table that lives in a sheet.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { isSuite } from "../src/store.js";
import { unzipped, zipped } from "../src/zip.js";
import { begin, choose, done, ready } from "./browser.mjs";

let place, folder;
before(async () => {
  place = await begin();
  folder = mkdtempSync(join(tmpdir(), "sutler-files-"));
});
after(async () => {
  rmSync(folder, { recursive: true });
  await place.close();
});

test("where the browser writes no folder, all files are saved as an archive, and it is opened again", async () => {
  const page = await place.open();
  await choose(page, "winter_road");
  const texts = await page.evaluate(() => {
    delete globalThis.showDirectoryPicker;
    sutler.store.write("suite.sut", `${sutler.store.files.get("suite.sut")}# für später\n`);
    return sutler.store.texts();
  });
  await ready(page);
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#save-all")]);
  assert.equal(download.suggestedFilename(), "winter_road.zip");
  const path = join(folder, "winter_road.zip");
  await download.saveAs(path);
  const bytes = readFileSync(path);
  assert.deepEqual(await unzipped(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), () => true, 1e7), texts);
  await page.setInputFiles("#files", path);
  await page.waitForFunction(() => sutler.store.game === "own");
  await ready(page);
  assert.deepEqual(await page.evaluate(() => sutler.store.texts()), texts);
  assert.equal(await page.textContent("#verdict"), "no faults");
  // One that is damaged is said to be so, and what was open stays.
  writeFileSync(path, bytes.subarray(0, bytes.length - 40));
  await page.setInputFiles("#files", path);
  await page.waitForFunction(() => /no archive/.test(document.querySelector("#message").textContent));
  assert.deepEqual(await page.evaluate(() => sutler.store.texts()), texts);
  await page.context().close();
});

test("archives of other programs are read, and ours by them", async (t) => {
  const python = (code) => execFileSync("python3", ["-c", code], { cwd: folder, encoding: "utf8" });
  try {
    python("import zipfile");
  } catch {
    return t.skip("no python3");
  }
  const texts = { "game/rules.sut": "edition 1\n".repeat(500), "game/hooks/a.rhai": "1" };
  writeFileSync(join(folder, "ours.zip"), Buffer.from(await zipped(texts).arrayBuffer()));
  assert.equal(python("import zipfile; z = zipfile.ZipFile('ours.zip'); print(z.testzip(), *z.namelist())").trim(), "None game/rules.sut game/hooks/a.rhai");
  python("import zipfile; a = zipfile.ZipFile('ours.zip'); z = zipfile.ZipFile('theirs.zip', 'w', zipfile.ZIP_DEFLATED); [z.writestr(n, a.read(n)) for n in a.namelist()]; z.close()");
  const bytes = readFileSync(join(folder, "theirs.zip"));
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
  assert.deepEqual(await unzipped(buffer, () => true, 1e6), texts);
  await assert.rejects(unzipped(buffer, () => true, 4000), /too much/);
  for (let cut = 0; cut < bytes.length; cut += 7) await unzipped(buffer.slice(cut), () => true, 1e6).catch((error) => assert.match(error.message, /archive|invalid|truncat|corrupt|decompress|inflate|junk|trailing|stream/i));
});

test("a table that lives in a sheet is read with the rules beside it", async () => {
  const page = await place.open();
  const rules = `edition 1
ruleset other "The other road" prefix OR
sides Crown against League
dimension steps (step)
kind area, areas is space
kind army, armies is unit {
  has strength in steps from 1 to 9
}
table weight of army gives steps by first match {
  from "weight.csv"
}
define heavy of army = weight at least 2
map field {
  space area Hill
}
setup opening on field {
  put army First of Crown in Hill with strength 5
}
`;
  const file = (name, text) => ({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
  await page.setInputFiles("#files", [file("rules.sut", rules), file("weight.csv", "when,steps\nstrength at least 5,3\notherwise,1\n")]);
  await page.waitForFunction(() => sutler.store.game === "own");
  await ready(page);
  assert.doesNotMatch(await page.textContent("#verdict"), /error/, await page.textContent("#problems"));
  const values = await page.evaluate(() => sutler.game.ask({ call: "values", of: "army", question: "weight" }));
  assert.match(values.text, /3/);
  // A changed cell of the sheet is a changed rule.
  await page.evaluate(() => sutler.texts.read("weight.csv"));
  await page.evaluate(() => sutler.editor.replace(0, sutler.editor.text.length, sutler.editor.text.replace(",3", ",4")));
  await page.waitForFunction(async () => /4/.test((await sutler.game.ask({ call: "values", of: "army", question: "weight" })).text));
  await page.evaluate(() => sutler.editor.replace(0, sutler.editor.text.length, sutler.editor.text.replace("strength", "strenght")));
  await page.waitForSelector("#problems li.error");
  assert.match(await page.textContent("#problems li.error"), /strenght/);
  await done(page);
});

test("a file of cases is one that holds nothing else", () => {
  const head = 'edition 1\n# map of nothing\ncase "of a { map" {\n  map m\n}\n';
  assert.ok(isSuite("suite.sut", head) && isSuite("part/suite_two.sut", head));
  assert.ok(!isSuite("rules.sut", head) && !isSuite("suite.sut.bak", head));
  for (const rule of ['map m "M" {\n}\n', '  setup s "S" {\n}\n', "}\nmap m {\n", 'define a "ends in \\" = 1 # "\n']) assert.ok(!isSuite("suite.sut", head + rule), rule);
  // A text ends at its quote, whatever stands before that.
  assert.ok(!isSuite("suite.sut", 'case "ends in \\" {\n}\nmap m "M" {\n}\n'));
});
