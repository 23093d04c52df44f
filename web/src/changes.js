// Changes that would restore a line or cut one: each is drawn where it stands, and tried with a click.
import { button, el } from "./dom.js";

/** No list is longer; the words in full have all. */
const MOST = 12;

/** Puts units into a space, or off the map. */
const put = (ids, space) => (data) => data.units.filter((unit) => ids.includes(unit.id)).forEach((unit) => (unit.space = space));

/** Gives a space to a side. */
const give = (space, side) => (data) => ((data.spaces ??= {})[space] = { ...data.spaces[space], control: side });

/** A change that would restore a line: in words, where it is drawn, and what it makes of a position; nothing where no position says it. */
export function remedy(page, { change, words, units = [], space, route }) {
  const stand = (id) => page.frame.units.find((unit) => unit.id === id)?.space;
  const rings = [...units.map((id) => page.board.ids[stand(id)]), space].filter((id) => id !== undefined);
  const lead = `${space} controlled by `;
  const make = units.length ? put(units, null) : change === "control" && words.startsWith(lead) ? give(space, words.slice(lead.length)) : null;
  // A fact of the game is stated in these words.
  return { words, route: route.map((stage) => stage.space), rings, make, given: change === "world_fact" ? words : null };
}

/** The same of a change that would cut one. */
export function cut({ change, what, space }) {
  const words = { placed: `one more ${what} in ${space}`, moved: `${what} moved to ${space}`, turned: `${space} lost to ${what}` }[change] ?? `${space}: ${what}`;
  const make = change === "moved" ? put([what], space) : change === "turned" ? give(space, what) : null;
  return { words, route: [], rings: [space], make, given: null };
}

/** The list of some changes. */
export function changes(page, rows) {
  const shows = [];
  const show = (made, node) => {
    const on = node.getAttribute("aria-pressed") !== "true";
    for (const one of shows) one.setAttribute("aria-pressed", String(on && one === node));
    page.board.could(on ? made : null);
    // On a small screen the map is not beside the list.
    if (on && innerWidth <= 900) page.look("map");
  };
  const tried = ({ words, make, given }) => {
    if (given) return page.shown.given(given);
    const { data } = page.positions;
    make(data);
    return page.shown.propose(JSON.stringify(data), words);
  };
  const items = rows.slice(0, MOST).map((row) => {
    const node = button(row.words, () => show(row, node), { class: "place", "aria-pressed": "false", title: "draws it on the map" });
    shows.push(node);
    const more = row.make || row.given ? button("Try it", () => tried(row), { class: "try", "aria-label": `try it: ${row.words}` }) : null;
    return el("li", {}, node, " ", more);
  });
  const rest = rows.length > MOST ? [el("p", {}, `and ${rows.length - MOST} more, below in full`)] : [];
  return el("div", {}, el("ul", { class: "changes" }, ...items), ...rest);
}
