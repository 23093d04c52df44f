// A large game to measure with: hexes with zones of control, an overland leg with costs, and roads.

const RULES = `edition 1
ruleset plains "Plains" prefix PL
sides Red against Blue
clock turn has action of each side
dimension points (point)
kind hex, hexes is space {
  has terrain one of clear, wood, hill
  has depot yes or no
}
kind road, roads is link
kind counter, counters is unit {
  has arm one of foot, horse
  has reach in points from 0 to 99
}
table entry of counter gives points by first match {
  when terrain here is hill and arm is horse then 4
  when terrain here is hill                  then 3
  when terrain here is wood                  then 2
  otherwise 1
}
define free of hex = any friendly counter here or not (any enemy counter here or any enemy counter adjacent)
define on_road of hex = any road here
trace supply of counter {
  called supplied else unsupplied
  source depot where (depot and friendly)
  leg overland
    over    hexsides
    from    anywhere
    through free
    into    free and on_road
    cost    entry
    within  reach
  leg road
    over    roads
    from    free
    through free
    into    anywhere
    within  unlimited
}
`;

/** The game on so many columns and rows, with so many units that reach so far at most. */
export function wide({ columns = 100, rows = 100, units = 200, reach = 16, seed = 7 } = {}) {
  const below = (count) => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    return Math.floor((seed / 2 ** 32) * count);
  };
  const label = (column, row) => [column, row].map((at) => String(at).padStart(3, "0")).join("");
  const range = (count) => Array.from({ length: count }, (_, at) => at);
  const step = Math.floor((reach * 3) / 4);
  const crossing = (at) => at % step === Math.floor(step / 2);
  const legend = { ".": "clear", w: "wood", h: "hill", D: "clear, depot" };
  const lines = [`map field {`, `  grid hexes pointy odd rows right from ${label(0, 0)}`];
  for (const [sign, means] of Object.entries(legend)) lines.push(`  legend "${sign}" with terrain ${means}`);
  const depots = [];
  for (const row of range(rows)) {
    const signs = range(columns).map((column) => {
      if (!crossing(row) || !crossing(column) || below(4) > 0) return "......wwwh"[below(10)];
      depots.push([label(column, row), column < columns / 2 ? "Red" : "Blue"]);
      return "D";
    });
    lines.push(`  row "${signs.join(" ")}"`);
  }
  // Here and there a stretch of a road is missing.
  const road = (hexes) => {
    for (let at = 0; at < hexes.length; at += 25) {
      const piece = hexes.slice(at, at + (below(10) < 3 ? 22 : 25));
      if (piece.length > 1) lines.push(`  link road ${piece.join(" to ")}`);
    }
  };
  for (const row of range(rows).filter(crossing)) road(range(columns).map((column) => label(column, row)));
  for (const column of range(columns).filter(crossing)) road(range(rows).map((row) => label(column, row)));
  lines.push("}", "setup start on field {");
  for (const [hex, side] of depots) lines.push(`  given control of hex ${hex} is ${side}`);
  for (const at of range(units)) {
    const from = below(below(5) === 0 ? columns : columns / 2);
    const [side, column] = at % 2 === 0 ? ["Red", from] : ["Blue", columns - 1 - from];
    const facts = `arm ${["foot", "horse"][below(2)]}, reach ${reach - below(reach / 2)}`;
    lines.push(`  put counter U${at} of ${side} in hex ${label(column, below(rows))} with ${facts}`);
  }
  return `${RULES}${lines.join("\n")}\n}\n`;
}
