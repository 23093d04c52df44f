// What is wrong with the rules, as a list: where, what to write, what the code means.
import { button, el } from "./dom.js";

/** How many are listed. */
const MOST = 100;

export function problems(page, faults) {
  const rows = faults.slice(0, MOST).map((fault) => {
    const places = fault.labels.map((label) => button(`${label.file}:${label.line}:${label.column}`, () => page.texts.goTo(label.file, label.line), { class: "place" }));
    const fix = fault.suggestion;
    const text = fix && (fix.replacement.trim() ? `Write ${fix.replacement.trim().slice(0, 60)}` : "Take it out");
    const meaning = el("div", { class: "help" });
    const explain = async () => {
      const found = await page.checker.explain(fault.code);
      meaning.replaceChildren(el("pre", { tabindex: 0, "aria-label": fault.code }, found ?? "there is no explanation"));
    };
    return el("li", { class: fault.severity },
      el("b", {}, `${fault.severity} ${fault.code}`), ` ${fault.message} `, ...places,
      fault.help ? el("div", { class: "help" }, fault.help) : null,
      ...fault.notes.map((note) => el("div", { class: "help" }, note)),
      el("div", { class: "row" }, fix ? button(text, () => page.texts.fix([fault]), { class: "fix" }) : null, button("What it means", explain, { class: "place" })),
      meaning,
    );
  });
  if (faults.length > MOST) rows.push(el("li", {}, `and ${faults.length - MOST} more`));
  return rows.length ? [el("ul", {}, ...rows)] : [];
}

/** The texts with the fixes of faults in them, from the last to the first so that places hold; one
 * that touches another is left. */
export function fixed(texts, faults, byteMap) {
  const out = { ...texts };
  const fixes = faults.map((fault) => fault.suggestion).filter((fix) => fix && fix.file in out);
  fixes.sort((a, b) => b.start - a.start);
  const before = {};
  for (const fix of fixes) {
    if (before[fix.file] !== undefined && fix.end > before[fix.file]) continue;
    before[fix.file] = fix.start;
    const place = byteMap(texts[fix.file]);
    out[fix.file] = out[fix.file].slice(0, place(fix.start)) + fix.replacement + out[fix.file].slice(place(fix.end));
  }
  return out;
}
