"""Rules opened, positions changed, what is refused, and threads."""

import copy
import pickle
import threading
import time

import pytest
import sutler
from conftest import ROOT, SHIPPED

HEAD = 'edition 1\nruleset tiny "Tiny" prefix T\nsides Red, Blue\n'


def test_texts_are_rules():
    rules = sutler.open({"rules.sut": HEAD})
    assert (rules.name, rules.title, rules.sides) == ("tiny", "Tiny", ["Red", "Blue"])
    assert len(rules.hash) == 32
    assert rules.findings == []
    assert sutler.open({"rules.sut": HEAD.encode()}).hash == rules.hash


def test_a_fault_has_its_place():
    with pytest.raises(sutler.Refused) as caught:
        sutler.open({"rules.sut": HEAD + "define far = raech\n"})
    error = caught.value
    assert (error.file, error.line) == ("rules.sut", 4)
    assert error.code.startswith("E") and error.column >= 1
    assert "rules.sut:4" in str(error)
    assert sutler.explain_code(error.code)
    assert isinstance(error, ValueError)
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error) and again.findings == error.findings
    assert [f.code for f in sutler.check({"rules.sut": HEAD + "define far = raech\n"})]


def test_what_is_not_there_is_refused(tmp_path):
    with pytest.raises(sutler.Refused):
        sutler.open(tmp_path / "nothing")
    with pytest.raises(TypeError):
        sutler.open(3)
    assert sutler.explain_code("E9999") is None


def test_names_are_looked_up_with_the_nearest(kings):
    with pytest.raises(sutler.Refused, match="opening") as caught:
        kings.setup("openin")
    assert caught.value.code == "E1052"
    assert caught.value.findings[0].help == "write `opening`"
    position = kings.setup("opening")
    for call in [
        lambda: position.ask("suply"),
        lambda: position.ask(of="F33"),
        lambda: position.move("F3", "Hannover"),
        lambda: position.control("Hesse", "Franc"),
        lambda: position.draw(form="jpeg"),
        lambda: kings.variant("hous"),
        lambda: kings.test("no such case"),
    ]:
        with pytest.raises(sutler.Refused):
            call()


def test_a_position_is_json_and_back(opened):
    for rules in opened.values():
        for setup in rules.setups:
            position = rules.setup(setup)
            assert rules.position(position.json()) == position
            assert rules.position(position.as_dict()) == position


def test_a_fault_of_a_position_has_its_place(kings):
    with pytest.raises(sutler.Refused) as caught:
        kings.position('{"schema": 1, "setup": "opening",\n "units": [{"id": "F1", "space": "Hese"}]}')
    assert (caught.value.file, caught.value.line, caught.value.code) == ("position", 2, "E0805")


def test_changes_are_chained_and_answers_follow(kings):
    position = kings.setup("opening")
    before = position.copy()
    assert not position.flags()["F3"]
    assert position.move("F3", "Ile_de_France") is position
    assert position.flags()["F3"] and position.space_of("F3") == "Ile_de_France"
    assert not before.flags()["F3"] and before != position
    position.given("season is winter").control("Hesse", None).remove("F1")
    assert position.control_of("Hesse") is None
    assert position.as_dict()["world"] == {"season": "winter"}
    with pytest.raises(sutler.Refused):
        position.given("season is wet")
    assert kings.position(position.json()).flags() == position.flags()
    assert copy.deepcopy(position) == position


def test_variants(kings):
    assert kings.names[0] == "soldier_kings" and "house" in kings.names
    house = kings.variant("house")
    assert house.name == "house" and house.hash != kings.hash
    assert sutler.open(ROOT / "rulesets" / "soldier_kings", "house").hash == house.hash


def test_other_processes(kings):
    position = kings.setup("opening").move("F3", "Ile_de_France")
    again = pickle.loads(pickle.dumps(position))
    assert again == position and again.rules.hash == kings.hash
    house = pickle.loads(pickle.dumps(kings.variant("house")))
    assert house.name == "house"
    texts = sutler.open({"rules.sut": HEAD})
    assert pickle.loads(pickle.dumps(texts)).hash == texts.hash


def test_a_turn_is_played(kings):
    position = kings.setup("opening")
    played = position.play(seed=3, first_way=True)
    assert played["whole"] and played["steps"]
    assert kings.position(played["position"]) == position
    assert kings.setup("opening").play(seed=3, first_way=True) == played


def test_odds(opened):
    sgs = opened["sgs"]
    odds = sgs.setup("opening").odds("survival")
    assert odds["odds"] and odds["test"] == "survival"
    one = odds["odds"][0]
    assert sgs.setup("opening").odds("survival", one["id"])["odds"] == [one]
    assert one["id"] in str(odds)


def test_drawings(opened):
    for rules in opened.values():
        svg = rules.setup()._repr_svg_()
        assert svg.startswith("<svg")
        picture = rules.setup().draw()
        assert picture._repr_svg_() == picture and isinstance(picture, str)
    position = opened["soldier_kings"].setup("opening")
    assert position.draw(why_not="F3") != position.draw() != position.draw(lines=False)
    assert position.draw(threat=[]) != position.draw()
    assert "Hesse" in position.draw(form="text")
    assert position.draw(form="scene") and position.draw(form="frame")


def test_threats(kings):
    position = kings.setup("opening")
    one = position.threat("F1")
    assert [unit["id"] for unit in one["units"]] == ["F1"] and str(one)
    assert len(position.threat()["units"]) >= len(one["units"])


def test_schema_of_positions(kings):
    assert "opening" in kings.json_schema()["properties"]["setup"]["enum"]


def test_threads_share_a_position(kings):
    position = kings.setup("opening")
    spaces = position.spaces
    wrong = []

    def work(number: int) -> None:
        try:
            for turn in range(15):
                if number == 0:
                    position.move("F3", spaces[turn])
                else:
                    assert len(position.flags()) > 60
                    assert position.ask(of="F1")["id"] == "F1"
                    str(position), position.json(), position == position
        except BaseException as error:  # noqa: BLE001
            wrong.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=120)
    assert not wrong and not any(thread.is_alive() for thread in threads)


def test_other_threads_run_during_a_question(opened):
    ticks = 0
    stop = threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not stop.is_set():
            ticks += 1
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    try:
        most = 0
        for _ in range(5):
            start, before = time.perf_counter(), ticks
            opened["twilight"].test()
            if time.perf_counter() - start > 0.05:
                most = max(most, ticks - before)
        assert most >= 5
    finally:
        stop.set()
        thread.join()


def test_every_name_has_words(opened):
    for owner in (sutler.Rules, sutler.Position, sutler.Many, sutler.ArrowBatch, sutler.ArrowStream):
        for name in dir(owner):
            if not name.startswith("_"):
                assert getattr(owner, name).__doc__, f"{owner.__name__}.{name}"
    assert sorted(opened) == SHIPPED


def test_a_table_may_live_in_a_sheet():
    head = HEAD + "dimension steps (step)\nkind piece, pieces is unit {\n  has strength in steps from 0 to 9\n}\n"
    table = "table worth of piece gives steps by first match {\n%s}\n"
    rows = table % "  when strength is 3 then 2\n  otherwise 1\n"
    sheet = {"rules.sut": head + table % '  from "worth.csv"\n'}
    with pytest.raises(sutler.Refused):
        sutler.open(sheet)
    sheet["worth.csv"] = "when,steps\nstrength is 3,2\notherwise,1\n"
    assert sutler.open(sheet).hash == sutler.open({"rules.sut": head + rows}).hash


def test_reach_all(kings):
    position = kings.setup("opening")
    for _ in range(2):
        reaches = position.reach_all("supply")
        assert set(reaches) == {row["id"] for row in position.ask("supply")["units"]}
        for id in list(reaches)[:4]:
            alone = {row["space"]: row["length"] for row in position.reach(id, "supply")["spaces"]}
            assert reaches[id] == alone
        position.move("F3", "Ile_de_France")
    assert reaches["F3"]["Ile_de_France"] == 0
    with pytest.raises(sutler.Refused):
        position.reach_all("suply")


def test_reach(kings):
    position = kings.setup("opening").move("F3", "Ile_de_France")
    reach = position.reach("F3", "supply")
    rows = {row["space"]: row for row in reach["spaces"]}
    own = rows.pop("Ile_de_France")
    assert (own["length"], own["left"], own["way"]) == (0, 2, ["Ile_de_France"])
    assert rows and all(0 < row["length"] <= 2 and len(row["way"]) == row["length"] + 1 for row in rows.values())
    assert {source["source"]: source["length"] for source in reach["sources"]}["home"] == 0
    assert str(reach).startswith("F3 of France, from Ile_de_France: by `supply`\n")
    # A trace of other things, and a unit that there is not.
    for of, trace in [("Frederick", "supply"), ("F33", "supply"), ("F3", "suply")]:
        with pytest.raises(sutler.Refused):
            position.reach(of, trace)
