"""Times tables of positions against other ways to ask the same; all answers are compared first.

``python bench.py`` asks 4,096 positions of 60 units on 120 areas, from an Arrow record batch to the
answers of all units: by ``ask_many``, by ``sutler batch`` over JSON lines (named in ``SUTLER``, or
built beside the package), and by hand with networkx, with scipy's search of each position and with
numpy and scipy for all positions at once, where these are there. All ways take turns on one thread,
and a ratio is the median of the ratios of single rounds.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

import pyarrow as pa
import sutler

AREAS, UNITS, REACH = 120, 60, (3, 5)
RULES = """edition 1
ruleset bench "Areas" prefix B
sides Red against Blue
dimension areas (area)
kind area, areas is space {
  has depot yes or no
}
kind road, roads is link
kind army, armies is unit {
  has led yes or no
}
define source_here of area = depot and friendly
table reach of army gives areas by first match {
  row led when led then %d
  otherwise %d
}
trace supply of army "supply line" {
  called supplied else cut_off
  source depot where source_here
  leg march
    over    roads
    from    anywhere
    through no enemy army here
    into    anywhere
    within  reach
}
""" % (REACH[1], REACH[0])


class Game:
    """A map, its units and the positions of a table, all with one seed."""

    def __init__(self, seed: int, positions: int) -> None:
        dice = random.Random(seed)
        places = [(dice.random(), dice.random()) for _ in range(AREAS)]

        def far(a: int, b: int) -> float:
            return (places[a][0] - places[b][0]) ** 2 + (places[a][1] - places[b][1]) ** 2

        self.areas = [f"A{n}" for n in range(AREAS)]
        near = {
            (min(a, b), max(a, b))
            for a in range(AREAS)
            for b in sorted(range(AREAS), key=lambda b: far(a, b))[1:5]
        }
        self.links = sorted(near)
        self.depots = sorted(dice.sample(range(AREAS), 10))
        self.owner = [dice.choice(["Red", "Blue"]) for _ in range(AREAS)]
        self.units = [f"U{n}" for n in range(UNITS)]
        self.sides = ["Red" if n % 2 else "Blue" for n in range(UNITS)]
        self.led = [n % 5 == 0 for n in range(UNITS)]
        self.stands = [[dice.randrange(AREAS) for _ in range(positions)] for _ in range(UNITS)]

    def texts(self) -> dict[str, str]:
        spaces = "".join(
            f"  space area {name}{' with depot' if at in self.depots else ''}\n"
            for at, name in enumerate(self.areas)
        )
        links = "".join(f"  link road A{a} to A{b}\n" for a, b in self.links)
        control = "".join(
            f"  given control is {side} in {', '.join(n for n, o in zip(self.areas, self.owner) if o == side)}\n"
            for side in ["Red", "Blue"]
        )
        puts = "".join(
            f"  put army {unit} of {side} in A0{' with led' if led else ''}\n"
            for unit, side, led in zip(self.units, self.sides, self.led)
        )
        return {
            "rules.sut": RULES,
            "map.sut": f"edition 1\nmap country {{\n{spaces}{links}}}\n",
            "setups.sut": f"edition 1\nsetup opening on country {{\n{control}{puts}}}\n",
        }

    def table(self) -> pa.RecordBatch:
        words = pa.array(self.areas)
        columns = [
            pa.DictionaryArray.from_arrays(pa.array(column, pa.int32()), words) for column in self.stands
        ]
        return pa.record_batch(columns, names=[f"{unit}.space" for unit in self.units])


def of_arrow(rules: sutler.Rules, table: pa.RecordBatch):
    many = rules.many("supply")

    def ask():
        return pa.record_batch(many.ask(table))

    def answers(found) -> list[list[bool]]:
        return [found.column(f"{unit}.yes").to_pylist() for unit in many.things]

    return ask, answers


def of_lines(program: str, game: Game, folder: Path):
    for name, text in game.texts().items():
        (folder / name).write_text(text)
    lines = folder / "positions.jsonl"
    with lines.open("w") as out:
        for row in zip(*game.stands):
            units = [{"id": unit, "space": f"A{at}"} for unit, at in zip(game.units, row)]
            out.write(json.dumps({"schema": 1, "setup": "opening", "units": units}) + "\n")
    words = [program, "batch", str(folder), "--positions", str(lines), "--jobs", "1"]

    def ask():
        return subprocess.run(words, check=True, capture_output=True).stdout

    def answers(found) -> list[list[bool]]:
        rows = [json.loads(line)["states"] for line in found.splitlines()[1:]]
        return [[row[unit] == "supplied" for row in rows] for unit in game.units]

    return ask, answers


def of_networkx(game: Game, table: pa.RecordBatch):
    import networkx as nx

    both = [*game.links, *((b, a) for a, b in game.links)]
    own = {side: [d for d in game.depots if game.owner[d] == side] for side in ["Red", "Blue"]}

    def ask():
        columns = [column.indices.to_numpy().tolist() for column in table.columns]
        found = [[] for _ in game.units]
        for row in zip(*columns):
            for side in ["Red", "Blue"]:
                enemies = {at for at, of in zip(row, game.sides) if of != side}
                ends = set(own[side])
                graph = nx.DiGraph((a, b) for a, b in both if a in ends or a not in enemies)
                graph.add_edges_from(("home", depot) for depot in ends)
                far = nx.single_source_shortest_path_length(graph, "home", cutoff=REACH[1] + 1)
                for unit, (at, of, led) in enumerate(zip(row, game.sides, game.led)):
                    if of == side:
                        found[unit].append(far.get(at, 99) - 1 <= REACH[led])
        return found

    return ask, lambda found: found


def of_csgraph(game: Game, table: pa.RecordBatch):
    """A search for each position and side, by scipy's graphs: from a node of its own to the depots,
    and on from all areas where no enemy stands."""
    import numpy as np
    from scipy import sparse
    from scipy.sparse import csgraph

    a, b = np.array(game.links).T
    out, to = np.r_[a, b], np.r_[b, a]
    order = np.argsort(out, kind="stable")
    out, to = out[order], to[order]
    is_of = {side: np.array([of == side for of in game.sides]) for side in ["Red", "Blue"]}
    depots = {side: np.array([d for d in game.depots if game.owner[d] == side]) for side in is_of}
    reach = np.array([REACH[led] for led in game.led])

    def ask():
        stands = np.stack([column.indices.to_numpy() for column in table.columns])
        found = np.zeros(stands.shape, dtype=bool)
        for row in range(stands.shape[1]):
            at = stands[:, row]
            for side, own in is_of.items():
                goes_on = np.ones(AREAS, dtype=bool)
                goes_on[at[~own]] = False
                goes_on[depots[side]] = True
                kept = goes_on[out]
                ends = np.append(to[kept], depots[side])
                many = np.bincount(out[kept], minlength=AREAS + 1)
                many[AREAS] = len(depots[side])
                starts = np.r_[0, np.cumsum(many)]
                graph = sparse.csr_matrix(
                    (np.ones(len(ends)), ends, starts), shape=(AREAS + 1, AREAS + 1)
                )
                far = csgraph.dijkstra(graph, indices=AREAS, unweighted=True, limit=REACH[1] + 1)
                found[own, row] = far[at[own]] - 1 <= reach[own]
        return found

    return ask, lambda found: found.tolist()


def of_scipy(game: Game, table: pa.RecordBatch):
    import numpy as np
    from scipy import sparse

    a, b = np.array(game.links).T
    ones = np.ones(2 * len(a), dtype=np.int32)
    steps = sparse.csr_matrix((ones, (np.r_[a, b], np.r_[b, a])), shape=(AREAS, AREAS))

    def ask():
        stands = np.stack([column.indices.to_numpy() for column in table.columns])
        rows = np.arange(stands.shape[1])
        found = np.zeros(stands.shape, dtype=bool)
        for side in ["Red", "Blue"]:
            closed = np.zeros((stands.shape[1], AREAS), dtype=bool)
            for unit, of in enumerate(game.sides):
                if of != side:
                    closed[rows, stands[unit]] = True
            reached = np.zeros_like(closed)
            reached[:, [d for d in game.depots if game.owner[d] == side]] = True
            spreads = reached.copy()
            for step in range(REACH[1] + 1):
                if step in REACH:
                    for unit, (of, led) in enumerate(zip(game.sides, game.led)):
                        if of == side and REACH[led] == step:
                            found[unit] = reached[rows, stands[unit]]
                reached |= (steps @ spreads.T.astype(np.int32)).T > 0
                spreads |= reached & ~closed
        return found

    return ask, lambda found: found.tolist()


def main() -> int:
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--positions", type=int, default=4096)
    words.add_argument("--rounds", type=int, default=7)
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--test", action="store_true", help="compares the answers, and times nothing")
    given = words.parse_args()
    game = Game(given.seed, given.positions)
    table = game.table()
    built = Path(__file__).resolve().parents[1] / "target" / "release" / "sutler"
    program = os.environ.get("SUTLER") or (str(built) if built.exists() else shutil.which("sutler"))
    with tempfile.TemporaryDirectory() as folder:
        ways = {"ask_many": of_arrow(sutler.open(game.texts()), table)}
        if program:
            ways["sutler batch"] = of_lines(program, game, Path(folder))
        by_hand = [("networkx", of_networkx), ("scipy.csgraph", of_csgraph), ("scipy at once", of_scipy)]
        for name, way in by_hand:
            try:
                ways[name] = way(game, table)
            except ImportError:
                print(f"{name} is not there")
        expected = None
        for name, (ask, answers) in ways.items():
            found = answers(ask())
            expected = expected or found
            if found != expected:
                wrong = next(u for u, pair in enumerate(zip(found, expected)) if pair[0] != pair[1])
                row = next(r for r, pair in enumerate(zip(found[wrong], expected[wrong])) if pair[0] != pair[1])
                print(f"{name} answers otherwise than ask_many: row {row}, {game.units[wrong]}")
                return 1
        yes = sum(map(sum, expected))
        print(f"{given.positions} positions, {given.positions * UNITS} answers, {yes} yes: all the same")
        if given.test:
            return 0
        taken: dict[str, list[float]] = {name: [] for name in ways}
        for _ in range(given.rounds):
            for name, (ask, _) in ways.items():
                begun = time.perf_counter()
                ask()
                taken[name].append(time.perf_counter() - begun)
        for name, times in taken.items():
            ratio = statistics.median(t / own for t, own in zip(times, taken["ask_many"]))
            each = statistics.median(times) / given.positions * 1e6
            print(f"{name:14} {each:10.3f} microseconds a position {ratio:10.1f} times as long")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
