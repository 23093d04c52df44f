"""Questions and tests over columns, and Parquet files that another library wrote."""

import random

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import sutler


def by_chance(rules, rows, seed):
    """A table of positions by chance, with a column of its own."""
    dice = random.Random(seed)
    spaces = [name.removesuffix(".control") for name in rules.schema().names if name.endswith(".control")]
    units = [name for name in rules.schema().names if name.endswith(".space")]
    columns = {name: [dice.choice([*spaces, None]) for _ in range(rows)] for name in units}
    columns[f"{spaces[0]}.control"] = [dice.choice([*rules.sides, None]) for _ in range(rows)]
    return pa.table({"game": list(range(rows)), **columns})


@pytest.mark.parametrize("name", ["soldier_kings", "malaya"])
@pytest.mark.parametrize("written", [{}, {"use_dictionary": False}, {"row_group_size": 7}, {"compression": "none"}])
def test_the_command_answers_a_parquet_file_as_ask_many_does(cli, opened, tmp_path, name, written):
    rules = opened[name]
    table = by_chance(rules, 90, 3)
    pq.write_table(table, tmp_path / "in.parquet", **written)
    files = ["--positions", str(tmp_path / "in.parquet"), "--out", str(tmp_path / "out.parquet"), "--keep", "game"]
    cli("batch", f"rulesets/{name}", *files)
    found = pq.read_table(tmp_path / "out.parquet")
    wanted = pa.table(rules.ask_many(table, keep="game"))
    assert found.column_names == wanted.column_names
    assert found.to_pylist() == wanted.to_pylist()
    said = {key: value for key, value in pq.read_schema(tmp_path / "out.parquet").metadata.items()}
    assert said[b"sutler.hash"] == rules.hash.encode()

    cli("ask", f"rulesets/{name}", "1 + 1", *files)
    assert pq.read_table(tmp_path / "out.parquet").column("world.value").to_pylist() == [2] * 90


def test_a_question_over_columns_is_that_of_each_position(opened):
    for name, of, question in [
        ("soldier_kings", "force", "land_move"),
        ("soldier_kings", "army", "any enemy army here"),
        ("malaya", "counter", "strength / 2"),
        ("malaya", "space", "control"),
    ]:
        rules = opened[name]
        table = by_chance(rules, 12, 5)
        many = rules.many(question=question, of=of)
        answers = pa.table(many.ask(table, keep="game"))
        for row, batch in enumerate(table.to_batches(max_chunksize=1)):
            position = many.position(batch, 0, keep="game")
            for said in position.values(question, of=of)["values"]:
                found = answers.column(f"{said['id']}.value")[row].as_py()
                exact = said["value"]
                if isinstance(found, float):
                    over, _, under = str(exact).partition("/")
                    exact = int(over) / int(under or 1)
                assert found == exact, (name, question, row, said)


def test_odds_over_columns_are_exact(opened):
    rules = opened["malaya"]
    table = by_chance(rules, 12, 5)
    many = rules.many(test="attrition")
    answers = pa.table(many.ask(table, keep="game"))
    for row, batch in enumerate(table.to_batches(max_chunksize=1)):
        for said in many.position(batch, 0, keep="game").odds("attrition")["odds"]:
            for chance in said["odds"]:
                over, _, under = chance["chance"].partition("/")
                found = answers.column(f"{said['id']}.{chance['what']}")[row].as_py()
                assert found == pytest.approx(int(over) / int(under or 1))


def test_one_thing_is_asked_at_a_time(opened):
    rules = opened["malaya"]
    table = pa.table({"J1.space": ["0203"]})
    for asked, says in [
        ({"trace": "supply", "question": "1 + 1"}, "one thing"),
        ({"question": "1 + 1", "test": "attrition"}, "one thing"),
        ({"test": "attrition", "of": "counter"}, "`of` is for a question"),
        ({"question": "1 + 1", "lengths": True}, "only a trace has lengths"),
        ({"question": "strngth", "of": "counter"}, "strength"),
        ({"test": "attrtion"}, "attrition"),
    ]:
        with pytest.raises(sutler.Refused, match=says):
            rules.ask_many(table, **asked)
