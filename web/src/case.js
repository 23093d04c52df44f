// What is shown as a case: the sentences that lead from a setup to the position, and what is so.

/** A value of a position in the words of rules. */
function said(value) {
  if (value === true) return "yes";
  if (value === false) return "no";
  return value === null ? "none" : String(value);
}

/** The facts of a thing that another position says otherwise; what is said of neither is the default. */
function facts(was = {}, now = {}, of) {
  const lines = [];
  for (const name of new Set([...Object.keys(was), ...Object.keys(now)])) {
    if (JSON.stringify(was[name]) === JSON.stringify(now[name])) continue;
    // What is no longer said has its default: no, 0, none. Which one, the engine says.
    const value = name in now ? said(now[name]) : typeof was[name] === "boolean" ? said(!was[name]) : typeof was[name] === "number" ? "0" : "none";
    lines.push(`${name}${of ? ` of ${of}` : ""} is ${value}`);
  }
  return lines;
}

/** The sentences that lead from one position to another, as `given` states them. */
export function sentences(was, now) {
  const lines = [];
  const before = new Map((was.units ?? []).map((unit) => [unit.id, unit]));
  for (const unit of now.units ?? []) {
    const old = before.get(unit.id) ?? {};
    if (unit.space !== old.space && !unit.at) lines.push(`space of ${unit.id} is ${unit.space ?? "none"}`);
    if (JSON.stringify([unit.at, unit.facing]) !== JSON.stringify([old.at, old.facing]) && unit.at) {
      lines.push(`${unit.id} at (${unit.at.join(", ")})${unit.facing ? ` facing ${unit.facing}` : ""}`);
    }
    if (unit.side !== old.side) lines.push(`side of ${unit.id} is ${unit.side ?? "none"}`);
    lines.push(...facts(old.facts, unit.facts, unit.id));
  }
  for (const id of new Set([...Object.keys(was.spaces ?? {}), ...Object.keys(now.spaces ?? {})])) {
    const [old, here] = [was.spaces?.[id] ?? {}, now.spaces?.[id] ?? {}];
    if ((old.control ?? null) !== (here.control ?? null)) lines.push(`control of ${id} is ${here.control ?? "none"}`);
    lines.push(...facts(old.facts, here.facts, id));
  }
  for (const id of new Set([...Object.keys(was.sides ?? {}), ...Object.keys(now.sides ?? {})])) {
    lines.push(...facts(was.sides?.[id]?.facts, now.sides?.[id]?.facts, id));
  }
  lines.push(...facts(was.world, now.world, ""));
  for (const trace of Object.keys(now.kept ?? {})) {
    for (const [id, answer] of Object.entries(now.kept[trace])) {
      if (was.kept?.[trace]?.[id] !== answer) lines.push(`${trace} of ${id} is ${answer}`);
    }
  }
  if (now.viewer && now.viewer !== was.viewer) lines.push(`viewer is ${now.viewer}`);
  return lines;
}

/** The readings of rulings that a case has to choose. */
export function rulings(was, now) {
  const rows = Object.entries(now.rulings ?? {}).filter(([name, reading]) => was.rulings?.[name] !== reading);
  return rows.map(([name, reading]) => (typeof reading === "boolean" ? `option ${name} is ${reading ? "on" : "off"}` : `ruling ${name} is ${reading}`));
}

/** A case as it is written. */
export function caseText({ title, setup, rulings, given, expect }) {
  const quoted = title.replaceAll("\\", "").replaceAll('"', "'").replaceAll(/\s+/g, " ").trim() || "as shown on the page";
  const lines = [`case "${quoted}" {`, `  setup ${setup}`];
  lines.push(...rulings.map((line) => `  ${line}`), ...given.map((line) => `  given ${line}`), ...expect.map((line) => `  expect ${line}`), "}");
  return `${lines.join("\n")}\n`;
}
