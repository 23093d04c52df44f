// A turn-based game's server that asks the rules: who is supplied after a move, and why. It has no
// search of its own. `node server.mjs FOLDER_OF_RULES [PORT]`
import { createServer } from "node:http";
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { Refused, load } from "sutler";

const [folder, port = "8100"] = process.argv.slice(2);

function texts(at) {
  return Object.fromEntries(readdirSync(at).flatMap((name) => {
    const path = join(at, name);
    if (statSync(path).isDirectory()) return Object.entries(texts(path));
    return /\.(sut|rhai)$/.test(name) ? [[relative(folder, path), readFileSync(path, "utf8")]] : [];
  }));
}

const sutler = await load();
const game = sutler.open(texts(folder)).game();
/** The matches that are being played, by their numbers. */
const matches = new Map();

const routes = {
  /** Begins a match from a setup. */
  "POST /matches": ({ setup }) => {
    const id = String(matches.size + 1);
    matches.set(id, game.setup(setup ?? null));
    return { match: id, state: status(matches.get(id)) };
  },
  /** Moves a unit; a move that leaves it without supply is refused, with the reasons. */
  "POST /move": ({ match, unit, to }) => {
    const position = found(match);
    const tried = position.copy().move(unit, to);
    const row = tried.answer(unit);
    if (!row.yes) {
      const { text } = tried.explain(unit);
      tried.close();
      return { refused: `${unit} would be ${row.state}`, why: text };
    }
    matches.set(match, tried);
    position.close();
    return { moved: unit, to, state: status(tried) };
  },
  "GET /why": ({ match, unit }) => ({ why: found(match).explain(unit).text }),
  "GET /map": ({ match }) => ({ svg: found(match).draw() }),
  /** The whole match, to be kept in a database; `POST /load` takes it back. */
  "GET /save": ({ match }) => ({ position: found(match).json() }),
  "POST /load": ({ match, position }) => {
    matches.set(match, game.position(position));
    return { match };
  },
};

function found(match) {
  const position = matches.get(match);
  if (!position) throw new RangeError(`there is no match ${match}`);
  return position;
}

function status(position) {
  return Object.fromEntries(position.ask().units.map((row) => [row.id, row.state]));
}

const server = createServer(async (request, response) => {
  const url = new URL(request.url, "http://server");
  let body = "";
  for await (const part of request) body += part;
  const answer = (code, value) => response.writeHead(code, { "content-type": "application/json" }).end(JSON.stringify(value));
  try {
    const route = routes[`${request.method} ${url.pathname}`];
    if (!route) return answer(404, { wrong: "there is no such call" });
    return answer(200, route({ ...Object.fromEntries(url.searchParams), ...(body ? JSON.parse(body) : {}) }));
  } catch (error) {
    // What the rules refuse says what to do instead.
    const help = error instanceof Refused ? error.faults.map((fault) => fault.help).filter(Boolean) : [];
    return answer(400, { wrong: error.message, help });
  }
});
server.listen(Number(port), "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}`));
