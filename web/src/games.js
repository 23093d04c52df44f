// The games that come with the page, and the list of all that can be opened.
import { at, options } from "./dom.js";
import { stepOf } from "./tutorial.js";

const GAMES = {
  winter_road: "Winter road, the game of the tutorial",
  soldier_kings: "Soldier Kings",
  malaya: "Malaya",
  sgs: "SGS: three depots",
  blockade_siege: "Blockade and siege",
  twilight: "Twilight of the sun king",
};
/** The steps of the tutorial, in the list of games. */
const TUTORIAL = ["tutorial", "Tutorial: an evening in ten steps"];
/** What the first visit shows. */
const FIRST = "soldier_kings";
/** What others are called. */
const CALLED = { own: "Your files", "own-before": "Your files before these" };

/** Whether a game comes with the page. */
export function ships(name) {
  return name in GAMES;
}

/** Opens a shipped game, or a step of the tutorial. */
export async function ship(page, name, options = {}) {
  const step = name === TUTORIAL[0] ? { number: 1 } : stepOf(name);
  if (step) return page.tutorial.open(step.number, { ...step, ...options });
  const texts = await (await fetch(`games/${name}.json`)).json();
  page.store.open(name, texts, options);
}

/** Opens what is chosen from the list. */
export function choose(page, name) {
  if (ships(name) || name === TUTORIAL[0]) return ship(page, name);
  return page.store.open(name, page.store.kept(name) ?? {});
}

/** Opens what was open last, or else the game of the first visit. */
export function reopen(page) {
  const { last } = page.store;
  if (last && !ships(last) && !stepOf(last) && page.store.kept(last)) return page.store.open(last, page.store.kept(last));
  return ship(page, last && (ships(last) || stepOf(last)) ? last : FIRST);
}

/** Lists the games. */
export function list({ store }) {
  const step = stepOf(store.game);
  const own = store.all().concat(store.game).filter((name) => name && !ships(name) && !stepOf(name));
  const rows = [TUTORIAL, ...Object.entries(GAMES), ...[...new Set(own)].map((name) => [name, CALLED[name] ?? "From a link"])];
  options(at("game"), rows, step ? TUTORIAL[0] : store.game);
  fresh({ store });
}

/** Whether the game can be taken back to how it came. */
export function fresh({ store }) {
  at("fresh").hidden = !((ships(store.game) || stepOf(store.game)) && store.changed);
}
