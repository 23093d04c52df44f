"""The package says what the command line says, over all shipped rulesets."""

import json
import random

import pytest
import sutler
from conftest import SHIPPED, asked, same


@pytest.mark.parametrize("name", SHIPPED)
def test_answers_are_those_of_the_command_line(cli, opened, name):
    rules = opened[name]
    for setup, trace, side in asked(rules):
        words = [f"rulesets/{name}", "--setup", setup, "--trace", trace, "--format", "json"]
        words += ["--side", side] if side else []
        printed = json.loads(cli("trace", *words))
        position = rules.setup(setup).viewer(side)
        report = position.ask(trace)
        assert same(report, printed), (setup, trace, side)
        assert list(report) == list(printed), "fields stand in the same order"
        assert position.flags(trace) == {row["id"]: row["yes"] for row in printed["units"]}
        for row in printed["units"][:20]:
            assert same(position.ask(trace, of=row["id"]), row)


@pytest.mark.parametrize("name", SHIPPED)
def test_reasons_are_those_of_the_command_line(cli, opened, name):
    rules = opened[name]
    dice = random.Random(7)
    for setup, trace, side in asked(rules):
        position = rules.setup(setup).viewer(side)
        rows = position.ask(trace)["units"]
        for row in dice.sample(rows, min(2, len(rows))):
            words = [f"rulesets/{name}", row["id"], "--setup", setup, "--trace", trace]
            words += ["--side", side] if side else []
            calls = {"explain": position.explain, "why-not": position.why_not, "reach": position.reach}
            for command, call in calls.items():
                printed = json.loads(cli(command, *words, "--format", "json"))
                # The command line takes several things, and gives a list of as many.
                (printed,) = next(value for value in printed.values() if isinstance(value, list))
                assert same(call(row["id"], trace), printed), (command, words)
            # The command line breaks lines at the width of a terminal.
            text = cli("explain", *words)
            assert str(position.explain(row["id"], trace)).split() == text.split()
            assert str(position.reach(row["id"], trace)).split() == cli("reach", *words).split()


@pytest.mark.parametrize("name", SHIPPED)
def test_cases_are_those_of_the_command_line(cli, opened, name):
    rules = opened[name]
    printed = json.loads(cli("test", f"rulesets/{name}", "--format", "json"))
    ran = [row for variant in rules.names for row in rules.variant(variant).test()]
    assert {row["status"] for row in ran} == {"passed"}
    assert len(ran) == printed["passed"]
    assert len(rules.test()) == len(rules.cases()) > 0
    one = rules.cases()[0]["name"]
    assert rules.test(one) == [row for row in rules.test() if row["name"] == one]


def test_pictures_are_those_of_the_command_line(cli, kings):
    printed = cli("map", "rulesets/soldier_kings", "--setup", "opening", "--format", "json")
    assert same(kings.setup("opening").draw(form="json"), json.loads(printed))
    printed = cli("map", "rulesets/soldier_kings", "--setup", "opening", "--format", "svg")
    assert kings.setup("opening").draw().strip() == printed.strip()


@pytest.mark.parametrize("name", SHIPPED)
def test_odds_are_those_of_the_command_line(cli, opened, name):
    rules = opened[name]
    for setup in rules.setups[:3]:
        for test in rules.tests:
            words = [f"rulesets/{name}", "--setup", setup, "--test", test, "--format", "json"]
            try:
                found = rules.setup(setup).odds(test)
            except sutler.Refused as refused:
                assert refused.findings[0].message in cli("odds", *words, ok=False)
            else:
                assert same(found, json.loads(cli("odds", *words))), (setup, test)


def test_values_are_those_of_the_command_line(cli, opened):
    words = ["rulesets/soldier_kings", "land_move", "--of", "army", "--setup", "opening"]
    found = opened["soldier_kings"].setup("opening").values("land_move", "army")
    assert same(found, json.loads(cli("ask", *words, "--format", "json")))
    with pytest.raises(sutler.Refused) as refused:
        opened["soldier_kings"].setup("opening").values("land_mov", "army")
    assert refused.value.findings[0].code == "E0201"


@pytest.mark.parametrize("name", SHIPPED)
def test_turns_are_those_of_the_command_line(cli, opened, name, tmp_path):
    rules = opened[name]
    for setup in rules.setups[:2]:
        saved = tmp_path / f"{setup}.json"
        words = [f"rulesets/{name}", "--setup", setup, "--turns", "1", "--seed", "3", "--first-way"]
        log = cli("run", *words, "--format", "jsonl", "--save", str(saved), ok=False)
        played = rules.setup(setup).play(turn=1, seed=3, first_way=True)
        if played["whole"]:
            assert json.loads(played["position"]) == json.loads(saved.read_text())
        ours = [line for step in played["steps"] for line in step["log"]]
        lines = [json.loads(line) for line in log.splitlines()]
        assert [line for line in lines if line in ours] == ours
