"""What all tests share: the shipped rulesets, and the command line to compare with."""

from __future__ import annotations

import json
import os
import random
import subprocess
from pathlib import Path

import pytest
import sutler

ROOT = Path(__file__).resolve().parents[2]
SHIPPED = ["blockade_siege", "malaya", "sgs", "soldier_kings", "twilight"]


def command() -> str | None:
    """The command line: named in SUTLER, or built beside the package."""
    built = ROOT / "target" / "release" / "sutler"
    return os.environ.get("SUTLER") or (str(built) if built.exists() else None)


@pytest.fixture(scope="session")
def cli():
    """Runs the command line and gives what it prints."""
    program = command()
    if program is None:
        pytest.skip("the command line is not built; name it in SUTLER")

    def run(*words: str, input: str | None = None, ok: bool = True) -> str:
        done = subprocess.run([program, *words], cwd=ROOT, input=input, capture_output=True, text=True)
        if ok and done.returncode != 0:
            raise AssertionError(done.stderr + done.stdout)
        return done.stdout

    return run


@pytest.fixture(scope="session")
def opened():
    """The shipped rulesets, each opened once."""
    return {name: sutler.open(ROOT / "rulesets" / name) for name in SHIPPED}


@pytest.fixture(scope="session")
def kings(opened):
    return opened["soldier_kings"]


def asked(rules):
    """All that can be asked of the setups of a ruleset: setup, trace, side."""
    for setup in rules.setups:
        for trace in rules.traces:
            sides = rules.sides if trace in rules.traces_of_spaces else [None]
            for side in sides:
                yield setup, trace, side


def same(left, right) -> bool:
    """Whether data and the JSON of it are the same."""
    return json.loads(json.dumps(left)) == right


VARIANTS = {
    "bold": "override row led of land_move was 2 now 3",
    "timid": "override row frederick of land_move was 3 now 2",
    "blockade": "override through of march of supply was not enemy_occupied now no enemy force here",
    "alone": "override define home_area of area = terrain is land and own and not lost_source",
}


def with_variants(*names):
    """Soldier Kings from texts, with variants of a line each, and their names."""
    folder = ROOT / "rulesets" / "soldier_kings"
    texts = {file: (folder / file).read_text() for file in ("map.sut", "rules.sut", "setups.sut")}
    for name in names:
        head = f'edition 1\nruleset {name} "{name}" prefix V extends soldier_kings\n'
        texts[f"{name}.sut"] = head + VARIANTS[name] + "\n"
    return sutler.open(texts), list(names)


def some_positions(rules, rows, seed, wrong=0.0):
    """A record batch of positions by number `n`: some units elsewhere or off the map, some words unknown."""
    import pyarrow as pa

    like, dice = rules.setup("opening"), random.Random(seed)
    words = [*like.spaces, "Nowhere"]
    columns = {"n": pa.array(range(rows), pa.int64())}
    for unit in like.units:
        at = like.space_of(unit)
        stays = None if at is None else words.index(at)
        keys = [stays if dice.random() < 0.6 else dice.choice([None, *range(len(words) - 1)]) for _ in range(rows)]
        keys = [len(words) - 1 if dice.random() < wrong else key for key in keys]
        columns[f"{unit}.space"] = pa.DictionaryArray.from_arrays(pa.array(keys, pa.int16()), pa.array(words))
    return pa.record_batch(columns)
