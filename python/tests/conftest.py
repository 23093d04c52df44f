"""What all tests share: the shipped rulesets, and the command line to compare with."""

from __future__ import annotations

import json
import os
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
