// A folder of rules as long as one likes, all of it sound: for measuring. The same number gives the same bytes.

const HEAD = `edition 1
ruleset country "A long country" prefix CO

sides Crown, Duchy against League
clock turn has supply of each side, movement of each side
dimension regions (region), steps (step)
kind region, regions is space {
  has terrain one of plain, forest, hills, sea
  has town yes or no
  has feeds in steps from 0 to 9
}
kind road, roads is link
kind piece, pieces is unit
kind army, armies is piece {
  has strength in steps from 1 to 9
  has leader maybe a captain
  has veteran yes or no
}
kind captain, captains is unit
kind calendar, calendars is world {
  has season one of summer, winter
}
named captain Hale, Brandt
mark starving of army until end of turn   [1a]

section 1 "Supply"
clause a "An army draws supply from a friendly town in which enemies do not stand alone."
clause b "A supply line is as long as its table says."
define depot of region = town and friendly and not lost                   [1a]
define lost of region = any enemy piece here and no friendly piece here   [1a]
trace supply of army "supply line" [1a] {
  called  supplied else cut_off
  judged  in supply_check     [1a]
  lasts   until end of turn   [1a]
  source  depot where depot   [1a]
  leg march
    over    roads
    from    anywhere             [1a]
    through no enemy army here   [1a]
    into    anywhere             [1a]
    within  reach_0              [1b]
}
phase supply_check at start of supply of owner [1a] {
  judge supply for own armies
  do    mark starving for own armies where cut_off
}
`;

const TERRAIN = ['plain', 'forest', 'hills', 'sea'];

/// One chapter of rules: a clause, a condition, a table of which the next chapter reads the one before.
function chapter(nth) {
  const row = (at) => `  row r${at} when strength at least ${9 - at} and season is ${at % 2 ? 'summer' : 'winter'} then ${9 - at}`;
  return `
section ${nth + 2} "Chapter ${nth}"
clause a "What chapter ${nth} says of terrain."
clause b "What chapter ${nth} says of reach."
define open_${nth} of region = terrain is ${TERRAIN[nth % 3]} or any friendly army here   [${nth + 2}a]
define ready_${nth} of army = strength at least ${1 + (nth % 9)} and not starving   [${nth + 2}a]
table reach_${nth} of army gives regions by first match [${nth + 2}b] {
  row led when leader is not none then 3
${[0, 1, 2, 3, 4].map(row).join('\n')}
  otherwise ${nth % 4 + 1}
}
`;
}

function proof(nth) {
  return `
case "chapter ${nth} is shown" [${nth + 2}a, ${nth + 2}b] {
  setup opening
  given strength of A${nth % 50} | given leader of A${nth % 50} | expect A${nth % 50} is ready_${nth}
  row   9 | none | yes
  row   9 | Hale | yes
}
`;
}

function map(spaces) {
  const place = (nth) => `  space region R${nth} at (${nth % 40}, ${Math.floor(nth / 40)}) with terrain ${TERRAIN[nth % 3]}${nth % 7 ? '' : ', town'}, feeds ${nth % 9}`;
  const roads = Array.from({ length: spaces - 1 }, (_, nth) => `  link road R${nth} to R${nth + 1}`);
  return `edition 1\nmap land "The land" {\n${Array.from({ length: spaces }, (_, nth) => place(nth)).join('\n')}\n${roads.join('\n')}\n}\n`;
}

function setup(units, spaces) {
  const put = (nth) => `  put army A${nth} of ${nth % 2 ? 'League' : 'Crown'} in R${(nth * 7) % spaces} with strength ${1 + (nth % 9)}`;
  return `edition 1\nsetup opening on land {\n  given control is Crown in R0, R7\n${Array.from({ length: units }, (_, nth) => put(nth)).join('\n')}\n}\n`;
}

/// The texts of a country of so many lines, by their names.
export function country(lines) {
  const [spaces, units] = [Math.round(lines / 15), 200];
  const chapters = Math.floor((lines - 2 * spaces - units - 50) / (chapter(0).split('\n').length + proof(0).split('\n').length - 2));
  const all = Array.from({ length: chapters }, (_, nth) => nth);
  const half = Math.ceil(chapters / 2);
  return {
    'rules.sut': HEAD + all.slice(0, half).map(chapter).join(''),
    'more_rules.sut': `edition 1\n${all.slice(half).map(chapter).join('')}`,
    'map.sut': map(spaces),
    'setups.sut': setup(units, spaces),
    'suite.sut': `edition 1\n${all.slice(0, half).map(proof).join('')}`,
    'suite_second.sut': `edition 1\n${all.slice(half).map(proof).join('')}`,
  };
}
