// Whose answers are others under other rules, or under another reading.

/** Nobody's. */
export const NONE = { units: new Map(), spaces: new Map() };

/** How a space stands to the lines of the side that is shown: whether one begins there, and whether one may pass. */
function stand(row) {
  const sign = row?.[0] ?? "";
  return sign === "" ? "" : `${sign.startsWith("-") ? "none" : "some"} ${sign.includes("#")}`;
}

/** The units and spaces whose answers differ in two frames, by their ids, with both answers. The spaces of a frame are in the order of
 * the ids of its scene. */
export function flips([here, ids], [there, others]) {
  const units = new Map();
  const now = new Map(here.units.map((unit) => [unit.id, unit]));
  for (const other of there.units) {
    const unit = now.get(other.id);
    if (unit && unit.yes !== other.yes) units.set(other.id, { here: unit, there: other });
  }
  const spaces = new Map();
  const rows = new Map(there.reach?.map((row, at) => [others[at], row]) ?? []);
  here.reach?.forEach((row, at) => {
    const other = rows.get(ids[at]);
    if (other !== undefined && stand(row) !== stand(other)) spaces.set(ids[at], { here: row, there: other });
  });
  return { units, spaces };
}
