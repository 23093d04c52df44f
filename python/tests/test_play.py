"""Many games: as the command line plays them, and with a function that decides."""

from __future__ import annotations

import json

import pytest
import sutler
from conftest import same

TINY = """edition 1
ruleset tiny "Tiny" prefix T
sides Red, Blue
clock turn has march of each side
kind area, areas is space
kind road, roads is link
kind army, armies is unit
mark tired of army "has marched" until end of turn
define beside of area = 1
phase marches in march of owner {
  may   mark tired for own armies
}
map m {
  space area A
  space area B
  link road A to B
}
setup opening on m {
  put army R of Red in A
  put army B1 of Blue in B
}
"""


@pytest.mark.parametrize("name", ["malaya", "soldier_kings", "sgs"])
@pytest.mark.parametrize("policy", ["random", "first"])
def test_games_are_those_of_the_command_line(cli, opened, name, policy):
    rules = opened[name]
    setup = rules.setups[-1]
    words = [f"rulesets/{name}", "--setup", setup, "--games", "4", "--turns", "2", "--seed", "9", "--policy", policy]
    records = []
    found = rules.play(4, turns=2, seed=9, policy=policy, like=setup, each=records.append)
    _, *lines, summary = map(json.loads, cli("play", *words, "--format", "jsonl", ok=False).splitlines())
    assert same(records, lines) and same(found, summary)
    assert str(found).split() == cli("play", *words, ok=False).split()
    later = []
    rules.play(2, first=3, turns=2, seed=9, policy=policy, like=rules.setup(setup), jobs=2, each=later.append)
    assert later == records[2:]


def test_questions_at_the_end(cli, opened):
    rules = opened["soldier_kings"]
    words = ["rulesets/soldier_kings", "--setup", "opening", "--games", "3", "--turns", "1", "--side", "France"]
    words += ["--ask", "land_move", "--ask", "out_of_supply", "--of", "army", "--format", "json"]
    found = rules.play(3, turns=1, like="opening", ask=["land_move", "out_of_supply"], of="army", side="France")
    assert same(found, json.loads(cli("play", *words)))
    with pytest.raises(sutler.Refused) as refused:
        rules.play(1, like="opening", ask="land_mov", of="army")
    assert refused.value.code == "E0201"


@pytest.mark.parametrize("name", ["malaya", "soldier_kings"])
def test_a_function_decides(opened, name):
    rules, seen = opened[name], []

    def first(offer, position):
        seen.append(offer)
        assert position.rules.hash == rules.hash and offer["ways"]
        return 0 if offer["must"] else None

    by_word, by_function = [], []
    words = rules.play(3, turns=3, policy="first", each=by_word.append)
    found = rules.play(3, turns=3, policy=first, each=by_function.append, jobs=4)
    assert by_function == by_word and seen
    assert found["policy"] == "first" and found["summary"] == words["summary"]
    taken = []
    rules.play(2, turns=2, policy=lambda offer, _: len(offer["ways"]) - 1, each=taken.append)
    again = []
    rules.play(2, turns=2, policy=lambda offer, _: len(offer["ways"]) - 1, each=again.append)
    assert taken == again and [r["position"] for r in taken] != [r["position"] for r in by_word[:2]]


def test_what_is_offered_and_what_comes_of_it():
    rules = sutler.open({"rules.sut": TINY})
    offers = []

    def red(offer, position):
        (way,) = offer["ways"]
        offers.append((offer["must"], way["phase"], way["thing"], position.space_of(way["thing"])))
        return 0 if way["thing"] == "R" else None

    found = rules.play(2, turns=2, policy=red)
    assert offers == [(False, "marches", "R", "A"), (False, "marches", "B1", "B")] * 4
    means = {row["name"]: (row["least"], row["most"]) for row in found["summary"]["means"]}
    # Of two armies one, in each of two turns.
    assert means["marches: tired set"] == (2, 2)


def test_what_a_function_raises_ends_the_run(kings):
    calls = []

    def breaks(offer, _):
        calls.append(offer)
        raise KeyError("no plan")

    with pytest.raises(KeyError, match="no plan"):
        kings.play(5, turns=2, policy=breaks)
    assert len(calls) == 1
    for answer, error in [(99, IndexError), ("0", ValueError), (-1, ValueError)]:
        with pytest.raises(error, match="a policy g"):
            kings.play(5, turns=2, policy=lambda *_: answer)
    ended = []

    def stops(record):
        ended.append(record["game"])
        if len(ended) == 2:
            raise StopIteration

    with pytest.raises(StopIteration):
        kings.play(50, turns=1, each=stops, jobs=2)
    assert ended == [1, 2]


def test_a_policy_is_a_file_as_the_command_takes_it(cli, tmp_path):
    folder = tmp_path / "tiny"
    folder.mkdir()
    (folder / "rules.sut").write_text(TINY)
    rules = sutler.open(folder)
    file = tmp_path / "army.policy"
    for share in [0, 30, 100]:
        file.write_text(f"policy army\ntake army in marches when not tired then {share}\n")
        words = ["--games", "30", "--turns", "3", "--policy", str(file), "--format", "json"]
        printed = json.loads(cli("play", str(folder), *words))
        for policy in [file, str(file)]:
            assert same(rules.play(30, turns=3, policy=policy), printed)
        assert printed["policy"].startswith("army ")


def test_a_policy_that_cannot_be_read_or_played_is_refused(kings, tmp_path):
    with pytest.raises(FileNotFoundError, match="bold"):
        kings.play(1, policy="bold")
    file = tmp_path / "wrong.policy"
    file.write_text("policy wrong\ntake armi then 0\n")
    with pytest.raises(sutler.Refused, match="armi") as refused:
        kings.play(1, policy=file)
    finding = refused.value.findings[0]
    assert finding.file == str(file) and finding.line == 2


def test_what_cannot_be_played_is_refused(kings):
    for call in [
        lambda: kings.play(0),
        lambda: kings.play(1, turns=0),
        lambda: kings.play(1, first=0),
        lambda: kings.play(10**9),
        lambda: kings.play(1, policy=3),
    ]:
        with pytest.raises(ValueError):
            call()
    still = sutler.open({"rules.sut": TINY.replace("clock turn has march of each side\n", "").split("mark tired")[0]})
    assert not still.has_clock
    with pytest.raises(sutler.Refused):
        still.play(1)
    with pytest.raises(sutler.Refused, match="Franc"):
        kings.play(1, side="Franc")
