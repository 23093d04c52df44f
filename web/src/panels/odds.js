// The odds of the tests of a unit or a space, as bars.
import { el } from "../dom.js";

/** What a test can come to: each outcome with its chance, and a bar as long as that. */
function bars(roll, caption) {
  const rows = roll.odds.map(({ what, chance, percent, without }) => {
    const bar = el("span", { class: "bar-of", style: `width: ${percent}%`, "aria-hidden": "true" });
    const alone = without ? ` (without the retry ${without.percent} %)` : "";
    return el("tr", {}, el("th", { scope: "row" }, what), el("td", { class: "bars" }, bar), el("td", { class: "chance" }, `${percent} %`, el("br"), `${chance}${alone}`));
  });
  return el("table", { class: "odds" }, el("caption", {}, caption), el("tbody", {}, ...rows));
}

/** The odds of all tests that a thing can be put to; nothing where there are none. */
export async function oddsOf(game, thing) {
  const parts = [];
  for (const test of game.opened.tests) {
    let found;
    try {
      found = await game.ask({ call: "odds", test, of: [thing] });
    } catch (error) {
      // A test of another kind of thing says nothing of this one.
      if (error.faults?.[0]?.code === "E1052") continue;
      parts.push(el("p", {}, `${test}: ${error.message}`));
      continue;
    }
    const { odds: report, text } = found;
    for (const one of report.odds) {
      for (const roll of one.rolls ?? []) parts.push(bars(roll, `${test}, ${roll.row}: ${roll.test}, ${roll.dice}`));
      parts.push(bars(one, `${test}: ${report.dice}`));
    }
    parts.push(el("details", {}, el("summary", {}, "in full"), el("pre", { tabindex: 0, "aria-label": `the odds of ${test}` }, text)));
  }
  return parts.length ? [el("h3", {}, "Odds of its tests"), ...parts] : [];
}
