"""Positions and answers as Arrow tables: what is asked, and what is wrong with what comes in."""

from __future__ import annotations

import json
import random
import threading

import pytest
import sutler
from conftest import SHIPPED, asked

pa = pytest.importorskip("pyarrow")


def moved(position, dice, moves=12):
    """Another position: some units elsewhere or off the map, some spaces with other sides."""
    position = position.copy()
    units, spaces, sides = position.units, position.spaces, position.rules.sides
    for unit in dice.sample(units, min(moves, len(units))):
        try:
            position.move(unit, dice.choice([*spaces, None]))
        except sutler.Refused:
            pass  # it has left the game
    for space in dice.sample(spaces, min(moves, len(spaces))):
        position.control(space, dice.choice([*sides, None]))
    return position


def table(many, positions):
    return pa.record_batch(many.table(positions))


def flags(answers):
    """For each row what `Position.flags` says: those that have an answer."""
    names = [name for name in answers.schema.names if name.endswith(".yes")]
    rows = answers.select(names).to_pylist()
    return [{n.removesuffix(".yes"): v for n, v in row.items() if v is not None} for row in rows]


@pytest.mark.parametrize("name", SHIPPED)
def test_answers_are_those_of_positions_and_of_the_command_line(cli, opened, name, tmp_path):
    rules, dice = opened[name], random.Random(name)
    for setup, trace, side in asked(rules):
        like = rules.setup(setup).viewer(side)
        positions = [moved(like, dice) for _ in range(70)]
        many = rules.many(trace, like=setup, side=side)
        batch = table(many, positions)
        answers = pa.record_batch(many.ask(batch))
        assert answers.column("error").null_count == len(positions)
        found = flags(answers)
        assert found == [position.flags(trace) for position in positions]
        file = tmp_path / "positions.jsonl"
        file.write_text("".join(json.dumps(p.as_dict()) + "\n" for p in positions))
        words = [f"rulesets/{name}", "--trace", trace, "--positions", str(file)]
        words += ["--side", side] if side else []
        head, *lines = map(json.loads, cli("batch", *words).splitlines())
        yes = head["answers"][0]
        states = [{id: state == yes for id, state in line["states"].items()} for line in lines]
        assert found == states
        row = dice.randrange(len(positions))
        assert many.position(batch, row) == positions[row]


@pytest.mark.parametrize("name", SHIPPED)
def test_lengths_are_those_of_positions(opened, name):
    rules, dice = opened[name], random.Random(name)
    for setup, trace, side in asked(rules):
        positions = [moved(rules.setup(setup).viewer(side), dice) for _ in range(3)]
        many = rules.many(trace, like=setup, side=side, lengths=True)
        answers = pa.record_batch(many.ask(many.table(positions)))
        assert flags(answers) == [position.flags(trace) for position in positions]
        for row, position in zip(answers.to_pylist(), positions):
            for one in position.ask(trace)["units"]:
                assert row[f"{one['id']}.length"] == one["distance"]


def test_a_table_may_say_little(kings):
    batch = pa.record_batch({"F3.space": ["Hanover", "Ile_de_France", None]})
    answers = pa.record_batch(kings.ask_many(batch, "supply", like="opening"))
    assert answers.column("F3.yes").to_pylist() == [False, True, None]
    assert answers.column("F1.yes").to_pylist() == [True] * 3
    assert answers.schema.metadata[b"sutler.trace"] == b"supply"
    assert answers.schema.metadata[b"sutler.hash"] == kings.hash.encode()
    assert answers.schema.equals(pa.schema(kings.many("supply", like="opening").answers()))


def test_many_rows_and_odd_numbers_of_them(kings):
    like, dice = kings.setup("opening"), random.Random(1)
    spaces = like.spaces
    for rows in [0, 1, 63, 64, 65, 4095, 4097, 9000]:
        columns = {f"{u}.space": dice.choices([*spaces, None], k=rows) for u in ["F3", "F1", "A1"]}
        columns["Hesse.control"] = dice.choices([*kings.sides, None], k=rows)
        batch = pa.record_batch({n: pa.array(c, pa.string()) for n, c in columns.items()})
        answers = pa.record_batch(kings.ask_many(batch, like="opening"))
        assert answers.num_rows == rows
        for row in dice.sample(range(rows), min(rows, 4)):
            position = like.copy()
            for unit in ["F3", "F1", "A1"]:
                position.move(unit, columns[f"{unit}.space"][row])
            position.control("Hesse", columns["Hesse.control"][row])
            assert flags(answers.slice(row, 1)) == [position.flags()]


WORD_TYPES = [
    pa.string(),
    pa.large_string(),
    pa.string_view(),
    pa.dictionary(pa.int8(), pa.string()),
    pa.dictionary(pa.uint8(), pa.string()),
    pa.dictionary(pa.int16(), pa.large_string()),
    pa.dictionary(pa.uint32(), pa.string()),
    pa.dictionary(pa.int64(), pa.string()),
]


@pytest.mark.parametrize("of", WORD_TYPES, ids=str)
def test_words_of_all_types(kings, of):
    words = ["Hanover", "Ile_de_France", None, "Austrian_Netherlands", "Hese"] * 3
    column = pa.array(words, pa.string()).cast(of)
    for start, rows in [(0, 15), (1, 9), (6, 3)]:
        batch = pa.record_batch({"F3.space": column}).slice(start, rows)
        plain = pa.record_batch({"F3.space": pa.array(words, pa.string())}).slice(start, rows)
        asked = [pa.record_batch(kings.ask_many(b, like="opening")) for b in (batch, plain)]
        assert asked[0].equals(asked[1])


def test_a_bad_row_takes_nothing_from_the_others(kings):
    words = ["Hanover", "Hese", "Ile_de_France", "", None]
    sides = ["France", "France", "Nobody", "France", "France"]
    batch = pa.record_batch({"F3.space": words, "Hesse.control": sides})
    answers = pa.record_batch(kings.ask_many(batch, like="opening"))
    errors = answers.column("error").to_pylist()
    assert [bool(error) for error in errors] == [False, True, True, True, False]
    one = errors[1]
    assert (one["code"], one["batch"], one["row"], one["column"]) == ("E1052", 0, 1, "F3.space")
    assert "Hese" in one["message"] and "write `Hesse`" in one["message"]
    assert errors[2]["column"] == "Hesse.control"
    good = answers.filter(pa.compute.is_null(answers.column("error")))
    alone = pa.record_batch(kings.ask_many(batch.take(pa.array([0, 4])), like="opening"))
    assert good.equals(alone)
    assert all(v is None for n, v in answers.slice(1, 1).to_pylist()[0].items() if n.endswith(".yes"))
    with pytest.raises(sutler.Refused, match="row 1, column `F3.space`"):
        kings.many(like="opening").position(batch, 1)


def test_cells_of_all_sorts_at_random(kings):
    like, dice = kings.setup("opening"), random.Random(11)
    words = pa.array([*dice.sample(like.spaces, 30), None, "nowhere", ""])
    many = kings.many("supply", like="opening")
    for _ in range(12):
        rows = dice.choice([1, 70, 255, 256, 257, 600, 5000])
        columns, said = {}, {}
        for unit in dice.sample(like.units, 5):
            keys = [dice.choice([None, *range(-1, len(words) + 1)]) for _ in range(rows)]
            if dice.random() < 0.5:
                keys = [dice.choice([0, 1, 2, 30]) for _ in range(rows)]
            sort = dice.choice([pa.int8(), pa.int16(), pa.int32(), pa.int64()])
            columns[unit] = pa.DictionaryArray.from_arrays(pa.array(keys, sort), words, safe=False)
            said[unit] = keys
        batch = pa.record_batch({f"{unit}.space": column for unit, column in columns.items()})
        answers = pa.record_batch(many.ask(batch))
        errors = answers.column("error").is_valid().to_pylist()
        for row in range(rows):
            lies = [k is not None and (k in (-1, 31, 32) or k >= len(words)) for k in (said[u][row] for u in said)]
            assert errors[row] == any(lies)
        for row in dice.sample(range(rows), min(rows, 5)):
            if not errors[row]:
                position = like.copy()
                for unit, keys in said.items():
                    position.move(unit, None if keys[row] is None else words[keys[row]].as_py())
                assert flags(answers.slice(row, 1)) == [position.flags("supply")]


def test_spaces_of_another_map_are_unknown(kings, opened):
    other = opened["malaya"].setup().spaces[0]
    batch = pa.record_batch({"F3.space": [other, "Hanover"]})
    answers = pa.record_batch(kings.ask_many(batch, like="opening"))
    assert [bool(e) for e in answers.column("error").to_pylist()] == [True, False]


def test_columns_are_refused_before_anything_is_asked(kings):
    position = kings.setup("opening")
    for columns, says in [
        ({"F3.space": [1, 2]}, "int64|Int64"),
        ({"F3.space": [1.5, None]}, "Float64"),
        ({"F33.space": ["Hesse"]}, "F33"),
        ({"Hese.control": ["France"]}, "Hese"),
        ({"F3.spce": ["Hesse"]}, "F3.spce"),
        ({"weather": ["wet"]}, "weather"),
        ({"F33.strength": [3]}, "no unit is called `F33`"),
        ({"F3.strength": [1.5]}, "Float64"),
        ({"F3.space": [["Hesse"]]}, "List"),
    ]:
        with pytest.raises(sutler.Refused, match=says):
            kings.ask_many(pa.record_batch(columns), like=position)
        with pytest.raises(sutler.Refused, match=says):
            kings.ask_many(pa.table(columns), like=position)
    twice = pa.record_batch([pa.array(["Hesse"])] * 2, names=["F3.space"] * 2)
    with pytest.raises(sutler.Refused, match="two columns"):
        kings.ask_many(twice)
    with pytest.raises(sutler.Refused, match="no trace"):
        kings.ask_many(pa.record_batch({"F3.space": ["Hesse"]}), "suply")
    with pytest.raises((TypeError, ValueError)):
        kings.ask_many([1, 2])
    with pytest.raises(sutler.Refused, match="other rules"):
        kings.ask_many(twice, like=kings.variant("house").setup("opening"))


def test_a_side_asks_about_spaces(opened):
    sgs = opened["sgs"]
    batch = pa.record_batch({"n": pa.array([1])})
    with pytest.raises(sutler.Refused, match="E1051"):
        sgs.ask_many(batch, "reach", keep="n")
    answers = pa.record_batch(sgs.ask_many(batch, "reach", side="Red", keep="n"))
    assert flags(answers) == [sgs.setup().viewer("Red").flags("reach")]


def test_a_dictionary_that_lies(kings):
    words = pa.array(["Hanover", "Ile_de_France", None, "Hanover", "Hese"])
    keys = pa.array([0, 1, 2, 3, 4, 99, -1, None, 1], pa.int32())
    lies = pa.DictionaryArray.from_arrays(keys, words, safe=False)
    answers = pa.record_batch(kings.ask_many(pa.record_batch({"F3.space": lies}), like="opening"))
    errors = answers.column("error").to_pylist()
    assert [bool(e) for e in errors] == [False] * 4 + [True] * 3 + [False] * 2
    assert "dictionary" in errors[5]["message"] and "dictionary" in errors[6]["message"]
    yes = answers.column("F3.yes").to_pylist()
    assert yes == [False, True, None, False, None, None, None, None, True]


def test_offsets_that_lead_nowhere_and_words_that_are_none(kings):
    data = b"HanoverHesse\xff\xfe"
    offsets = pa.array([0, 7, 2, 12, 14], pa.int32()).buffers()[1]
    column = pa.StringArray.from_buffers(4, offsets, pa.py_buffer(data))
    answers = pa.record_batch(kings.ask_many(pa.record_batch({"F3.space": column}), like="opening"))
    errors = answers.column("error").to_pylist()
    assert errors[0] is None
    assert [bool(e) for e in errors] == [False, True, True, True]
    assert "UTF-8" in errors[3]["message"]


# Few sets of facts are asked as tables of their own, many are asked position by position.
@pytest.mark.parametrize("sets", ["few", "many"])
def test_facts(kings, sets):
    like, dice = kings.setup("opening"), random.Random(2)
    rows = 300
    columns = {
        "F3.space": dice.choices([*like.spaces, None], k=rows),
        "F3.leader": dice.choices(["Frederick", "Broglie", None], k=rows),
        "F3.strength": dice.choices([1, 7], k=rows),
        "season": dice.choices(["spring", "winter"], k=rows),
        "Hanover.port": dice.choices([True, False], k=rows),
    }
    if sets == "few":
        for name in ["F3.strength", "season", "Hanover.port"]:
            columns[name] = [columns[name][0]] * rows
    batch = pa.record_batch(columns)
    many = kings.many("supply", like="opening")
    answers = pa.record_batch(many.ask(batch))
    errors = answers.column("error").to_pylist()
    seen = set()
    for row in range(rows):
        value = like.as_dict()
        unit = next(u for u in value["units"] if u["id"] == "F3")
        unit["space"] = columns["F3.space"][row]
        unit.setdefault("facts", {})["leader"] = columns["F3.leader"][row]
        unit["facts"]["strength"] = columns["F3.strength"][row]
        value.setdefault("world", {})["season"] = columns["season"][row]
        space = value.setdefault("spaces", {}).setdefault("Hanover", {})
        space.setdefault("facts", {})["port"] = columns["Hanover.port"][row]
        try:
            expected = kings.position(value)
        except sutler.Refused as refused:
            assert errors[row]["code"] == refused.code
            seen.add("refused")
            continue
        assert errors[row] is None
        assert flags(answers.slice(row, 1)) == [expected.flags("supply")]
        assert many.position(batch, row) == expected
        seen.add(expected.flags("supply").get("F3"))
    assert True in seen and False in seen and "refused" not in seen


def test_facts_alone_on_few_and_many_rows(opened):
    malaya = opened["malaya"]
    like = malaya.setup()
    unit = like.units[0]
    for rows in [3, 200]:
        batch = pa.record_batch(
            {
                f"{unit}.steps": [row % 3 for row in range(rows)],
                "penang_captured": [row % 2 == 0 for row in range(rows)],
                "japan_lost": pa.array([row % 5 for row in range(rows)], pa.uint8()),
            }
        )
        answers = pa.record_batch(malaya.ask_many(batch, like=like))
        for row, (error, found) in enumerate(zip(answers.column("error").to_pylist(), flags(answers))):
            value = like.as_dict()
            next(u for u in value["units"] if u["id"] == unit).setdefault("facts", {})["steps"] = row % 3
            value.setdefault("world", {}).update(penang_captured=row % 2 == 0, japan_lost=row % 5)
            try:
                expected = malaya.position(value).flags()
            except sutler.Refused as refused:
                assert error["code"] == refused.code
            else:
                assert error is None and found == expected


def test_facts_that_are_wrong_name_their_column(kings):
    batch = pa.record_batch(
        {
            "F3.strength": pa.array([5, 99, 5, None, 5]),
            "season": ["winter", "winter", "wet", "winter", None],
        }
    )
    answers = pa.record_batch(kings.ask_many(batch, like="opening"))
    errors = answers.column("error").to_pylist()
    assert [e and e["column"] for e in errors] == [None, "F3.strength", "season", "F3.strength", "season"]
    assert errors[1]["code"] == "E0809" and errors[2]["code"] == "E0806"
    huge = pa.record_batch({"F3.strength": pa.array([2**63], pa.uint64())})
    assert pa.record_batch(kings.ask_many(huge, like="opening")).column("error").to_pylist()[0]
    wrong = pa.record_batch({"F3.strength": ["five"]})
    error = pa.record_batch(kings.ask_many(wrong, like="opening")).column("error").to_pylist()[0]
    assert error["column"] == "F3.strength"


def test_the_schema_is_that_of_tables(opened):
    for rules in opened.values():
        for setup in rules.setups:
            plain = pa.schema(rules.schema(setup))
            position = rules.setup(setup)
            assert plain.names == [f"{u}.space" for u in position.units] + [
                f"{s}.control" for s in position.spaces
            ]
            whole = pa.schema(rules.schema(setup, facts=True))
            assert whole.names[: len(plain.names)] == plain.names
            assert len(set(whole.names)) == len(whole.names)
            if not rules.traces:
                continue
            try:
                many = rules.many(like=position)
            except sutler.Refused:
                continue
            assert table(many, [position]).schema.equals(plain)
            empty = pa.record_batch([pa.array([], f.type) for f in whole], schema=whole)
            assert pa.record_batch(many.ask(empty)).num_rows == 0


def test_all_facts_of_the_schema_are_read(opened):
    for rules in opened.values():
        if not rules.traces:
            continue
        position = rules.setup()
        whole = pa.schema(rules.schema(position, facts=True))
        facts = [f for f in whole if not f.name.endswith((".space", ".control"))]
        try:
            many = rules.many(like=position)
        except sutler.Refused:
            continue
        for field in random.Random(3).sample(facts, min(40, len(facts))):
            sort = field.type
            value = True if pa.types.is_boolean(sort) else 1 if pa.types.is_integer(sort) else "no such word"
            batch = pa.record_batch({field.name: pa.array([value]).cast(sort)})
            error = pa.record_batch(many.ask(batch)).column("error").to_pylist()[0]
            assert error is None or error["column"] == field.name


def test_a_stream_is_answered_batch_by_batch(kings):
    made = []

    def batches():
        for number in range(4):
            made.append(number)
            yield pa.record_batch({"F3.space": ["Hanover", "Hese" if number == 2 else "Ile_de_France"]})

    schema = pa.schema({"F3.space": pa.string()})
    stream = pa.RecordBatchReader.from_batches(schema, batches())
    answers = kings.ask_many(stream, like="opening")
    reader = answers.to_pyarrow()
    assert len(made) < 2
    reader.read_next_batch()
    assert len(made) <= 2
    errors = [e for b in reader for e in b.column("error").to_pylist() if e]
    assert [(e["batch"], e["row"], e["column"]) for e in errors] == [(2, 1, "F3.space")]
    with pytest.raises(sutler.Refused, match="taken"):
        pa.table(answers)
    whole = pa.Table.from_batches([pa.record_batch({"F3.space": ["Hanover"]})] * 3)
    assert pa.table(kings.ask_many(whole, like="opening")).num_rows == 3
    assert [len(batch) for batch in kings.ask_many(whole, like="opening")] == [1, 1, 1]


def test_a_stream_that_breaks_says_so(kings):
    def batches():
        yield pa.record_batch({"F3.space": ["Hanover"]})
        raise RuntimeError("the disk is gone")

    stream = pa.RecordBatchReader.from_batches(pa.schema({"F3.space": pa.string()}), batches())
    answers = iter(kings.ask_many(stream, like="opening"))
    assert len(next(answers)) == 1
    with pytest.raises(Exception, match="the disk is gone"):
        next(answers)


def test_what_is_kept_goes_into_the_answers(kings):
    batch = pa.record_batch({"game": [7, 8], "F3.space": ["Hanover", "Hese"], "note": [["x"], None]})
    answers = pa.record_batch(kings.ask_many(batch, like="opening", keep=["game", "note"]))
    assert answers.column("game").to_pylist() == [7, 8]
    assert answers.column("note").equals(batch.column("note"))
    with pytest.raises(sutler.Refused, match="keep"):
        kings.ask_many(batch, keep=["game", "note", "nothing"])
    own = pa.record_batch({"error": [1]})
    with pytest.raises(sutler.Refused, match="error"):
        kings.ask_many(own, keep="error")


def test_threads_share_what_is_prepared(kings):
    like = kings.setup("opening")
    many = kings.many(like=like)
    dice = random.Random(5)
    batches = [
        pa.record_batch({"F3.space": dice.choices(like.spaces, k=500), "F1.strength": [n] * 500})
        for n in range(1, 5)
    ]
    expected = [pa.record_batch(many.ask(batch)) for batch in batches]
    wrong = []

    def work(at: int) -> None:
        try:
            for _ in range(5):
                assert pa.record_batch(many.ask(batches[at])).equals(expected[at])
                assert pa.record_batch(kings.ask_many(batches[at], like=like)).equals(expected[at])
        except BaseException as error:  # noqa: BLE001
            wrong.append(error)

    threads = [threading.Thread(target=work, args=(at,)) for at in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=120)
    assert not wrong and not any(thread.is_alive() for thread in threads)


def test_data_frames(kings):
    expected = [False, True, None]
    words = ["Hanover", "Ile_de_France", None]
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"F3.space": words})
    for given in [frame, frame.with_columns(polars.col("F3.space").cast(polars.Categorical))]:
        answers = polars.DataFrame(kings.ask_many(given, like="opening"))
        assert answers["F3.yes"].to_list() == expected
    pandas = pytest.importorskip("pandas")
    for given in [pandas.Series(words), pandas.Series(words, dtype="category")]:
        answers = pa.table(kings.ask_many(pandas.DataFrame({"F3.space": given}), like="opening"))
        assert answers.column("F3.yes").to_pylist() == expected


def test_moves_are_those_of_positions_with_removed_units(kings):
    like = kings.setup("opening").remove("F3")
    batch = pa.record_batch({"F3.space": pa.array([None, "Hesse"], pa.string())})
    answers = pa.record_batch(kings.ask_many(batch, like=like))
    errors = answers.column("error").to_pylist()
    assert errors[0] is None and "left the game" in errors[1]["message"]
    assert flags(answers)[0] == like.flags()
    # The same after a column whose words are known, and in as many rows that they are looked up together.
    words = pa.array(["Hesse", "Hanover"] * 400).dictionary_encode()
    batch = pa.record_batch({"F1.space": words, "F3.space": words})
    answers = pa.record_batch(kings.ask_many(batch, like=like))
    assert answers.column("error").null_count == 0


def test_what_is_no_table_is_refused(kings):
    many = kings.many(like="opening")
    batch = pa.record_batch({"F3.space": ["Hesse"]})
    array, stream = batch.__arrow_c_array__(), pa.table(batch).__arrow_c_stream__()

    class Twice:
        def __arrow_c_array__(self, requested_schema=None):
            return array

    class Again:
        def __arrow_c_stream__(self, requested_schema=None):
            return stream

    assert len(many.ask(Twice())) == 1 and len(next(many.ask(Again()))) == 1
    with pytest.raises(sutler.Refused, match="handed over already"):
        many.ask(Twice())
    with pytest.raises(ValueError):
        list(many.ask(Again()))
    holes = pa.StructArray.from_arrays([pa.array(["Hesse"])], ["F3.space"], mask=pa.array([True]))
    with pytest.raises(ValueError):
        many.ask(holes)
    with pytest.raises(ValueError):
        many.ask(pa.array([1]))
    for sort in [pa.binary(), pa.list_(pa.string()), pa.timestamp("us"), pa.float64()]:
        for name in ["F3.space", "Hesse.control", "F3.strength", "season"]:
            with pytest.raises(sutler.Refused, match=name):
                many.ask(pa.record_batch([pa.array([None], sort)], names=[name]))


TOO_LARGE = """edition 1
ruleset tiny "Tiny" prefix T
sides Red against Blue
dimension steps (step)
kind area, areas is space {
  has depot yes or no
  has height in steps from 0 to 1000000000
}
kind road, roads is link
kind army, armies is unit
table reach of army gives steps by first match {
  when height of space at least 1 then height of space * 1000000000 * 1000000000
  otherwise 2
}
trace supply of army "supply line" {
  called supplied else cut_off
  source depot where depot
  leg march
    over    roads
    from    anywhere
    through anywhere
    into    anywhere
    within  reach
}
map m {
  space area A with depot
  space area B
  space area C with height 1000000000
  link road A to B to C
}
setup opening on m {
  put army U of Red in C
  put army V of Blue in B
}
"""


def test_a_position_that_cannot_be_worked_out_takes_nothing_from_the_others():
    rules = sutler.open({"rules.sut": TOO_LARGE})
    batch = pa.record_batch({"U.space": ["A", "C", "B", None] * 50})
    answers = pa.record_batch(rules.ask_many(batch))
    errors = answers.column("error").to_pylist()
    assert [error and error["code"] for error in errors] == [None, "E1002", None, None] * 50
    assert answers.column("U.yes").to_pylist() == [True, None, True, None] * 50
    assert answers.column("V.yes").to_pylist() == [True, None, True, True] * 50
    alone = pa.record_batch(rules.ask_many(pa.record_batch({"V.space": ["A"]})))
    assert alone.column("error").to_pylist()[0]["code"] == "E1002"
