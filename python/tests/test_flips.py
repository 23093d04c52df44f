"""What variants answer otherwise, counted: against positions asked one by one, and however it is split."""

from __future__ import annotations

import pickle
import random
import shutil

import pytest
import sutler
from conftest import ROOT, some_positions, with_variants

pa = pytest.importorskip("pyarrow")
from sutler.flips import Flips  # noqa: E402


def counted_slowly(kings, batch, names, each):
    """The same counts from `Position.flags`, row by row."""
    many = kings.many("supply", like="opening")
    rows = {}
    for name in names:
        variant = kings.variant(name)
        for row in range(len(batch)):
            key = batch.column("n")[row].as_py()
            asked = None
            try:
                position = many.position(batch, row, keep="n")
                was = position.flags("supply")
                now = variant.position(position.as_dict()).flags("supply")
                asked = [(thing, was.get(thing), now.get(thing)) for thing in many.things]
            except sutler.Refused:
                pass
            for at in many.things if each else [None]:
                count = rows.setdefault((name, at), dict.fromkeys(ZERO, 0) | {"first": None, "first_thing": None})
                count["positions"] += 1
                count["errors"] += asked is None
                here = [(t, a, b) for t, a, b in asked or [] if a is not None and at in (None, t)]
                count["answers"] += len(here)
                count["yes"] += sum(b for _, _, b in here)
                count["gained"] += sum(b and not a for _, a, b in here)
                count["lost"] += sum(a and not b for _, a, b in here)
                flipped = [t for t, a, b in here if a != b]
                count["flipped"] += bool(flipped)
                if flipped and (count["first"] is None or key < count["first"]):
                    count |= {"first": key, "first_thing": flipped[0]}
    return rows


ZERO = ["positions", "errors", "answers", "yes", "gained", "lost", "flipped"]


@pytest.mark.parametrize("each", [False, True])
def test_counts_are_those_of_positions(each):
    kings, names = with_variants("bold", "blockade", "alone")
    batch = some_positions(kings, 150, seed=3, wrong=0.002)
    flips = Flips(kings, names, "supply", like="opening", key="n", each=each)
    found, seen = flips.count(batch), set()
    expected = counted_slowly(kings, batch, names, each)
    assert found.num_rows == len(expected) == len(names) * (len(flips.things) if each else 1)
    for row in found.to_pylist():
        assert row.pop("hash") == kings.variant(row["variant"]).hash
        own = expected[row.pop("variant"), row.pop("thing", None)]
        assert row == own
        seen.update(name for name in ("gained", "lost", "errors") if own[name])
    assert seen == {"gained", "lost", "errors"}


def test_however_it_is_split():
    kings, names = with_variants("bold", "alone")
    batch = some_positions(kings, 1000, seed=4, wrong=0.001)
    flips = Flips(kings, names, "supply", like="opening", key="n", each=True)
    whole = flips.count(batch)
    dice = random.Random(1)
    for _ in range(3):
        cuts = sorted({0, 1000, *dice.sample(range(1, 1000), 5)})
        parts = [batch.slice(a, b - a) for a, b in zip(cuts, cuts[1:])]
        dice.shuffle(parts)
        assert flips.count(pa.Table.from_batches(parts)).equals(whole)
        shards = [part for part in parts for part in pickle.loads(pickle.dumps(flips))([part])]
        assert flips.total(shards, whole.schema).equals(whole)
    # Positions as texts, among them one that is no text at all.
    texts = {name: batch.column(name) for name in batch.schema.names}
    texts |= {name: column.cast(pa.string()) for name, column in texts.items() if name != "n"}
    assert flips.count(pa.table(texts)).equals(whole)
    wrong = [
        b"\xff" if n == 7 else (word or "Nowhere").encode() for n, word in enumerate(texts["F3.space"].to_pylist())
    ]
    texts["F3.space"] = pa.array(wrong, pa.binary()).view(pa.string())
    errors = flips.count(pa.table(texts)).column("errors")[0].as_py()
    unmapped = sum(word is None for word in batch.column("F3.space").to_pylist())
    before = whole.column("errors")[0].as_py()
    assert before < errors <= before + unmapped + 1
    words = pa.array([f"g{n:04}" for n in range(1000)])
    for keys in (words, words.dictionary_encode()):
        named = batch.set_column(0, "n", keys)
        firsts = flips.count(named).column("first").to_pylist()
        assert firsts == [None if n is None else f"g{n:04}" for n in whole.column("first").to_pylist()]
    as_it_stands = flips.count(pa.table({"n": [5, 6]}))
    assert set(as_it_stands.column("answers").to_pylist()) == {2} and set(
        as_it_stands.column("errors").to_pylist()
    ) == {0}
    nothing = flips.count(batch.slice(0, 0))
    assert nothing.num_rows == whole.num_rows and sum(nothing.column("positions").to_pylist()) == 0


def test_variants_are_named_or_given_and_columns_left_out():
    kings, names = with_variants("bold", "alone")
    batch = some_positions(kings, 200, seed=5)
    like = kings.setup("opening")
    by_name = Flips(kings, names, like=like, key="n").count(batch)
    given = {name: kings.variant(name) for name in names}
    assert Flips(kings, given, like="opening", key="n").count(batch).equals(by_name)
    noted = batch.append_column("note", pa.array(["x"] * 200))
    assert Flips(kings, names, like="opening", key="n", ignore="note").count(noted).equals(by_name)
    with pytest.raises(sutler.Refused, match="note"):
        Flips(kings, names, like="opening", key="n").count(noted)
    unnamed = Flips(kings, "bold", like="opening", ignore="n").count(batch)
    assert unnamed.drop(["first", "first_thing"]).equals(by_name.drop(["first", "first_thing"]).slice(0, 1))
    assert unnamed.column("first").null_count == 1
    with pytest.raises(sutler.Refused, match="bald"):
        Flips(kings, ["bald"])
    with pytest.raises(TypeError, match="sutler.open"):
        Flips(kings, {"bold": "override row led of land_move was 2 now 3"})


def test_other_rules_are_refused(tmp_path, opened):
    kings, names = with_variants("bold")
    batch = some_positions(kings, 10, seed=6)
    flips = Flips(kings, names, like="opening", key="n")
    (shard,) = flips([batch])
    foreign = shard.set_column(1, "hash", pa.array([kings.hash]))
    with pytest.raises(sutler.Refused, match="other rules"):
        flips.total([shard, foreign], shard.schema)
    with pytest.raises(sutler.Refused, match="other things"):
        Flips(kings, {"malaya": opened["malaya"]}, "supply")
    # The files of another machine say something else than those that were sent.
    folder = tmp_path / "kings"
    shutil.copytree(ROOT / "rulesets" / "soldier_kings", folder)
    here = sutler.open(folder)
    sent = [pickle.dumps(what) for what in (here, here.setup("opening"), Flips(here, ["house"]))]
    assert [pickle.loads(what) is not None for what in sent[:2]] == [True] * 2
    text = (folder / "rules.sut").read_text()
    (folder / "rules.sut").write_text(text.replace("leader is Frederick then 3", "leader is Frederick then 4"))
    for what in sent:
        with pytest.raises(sutler.Refused, match=f"{here.hash} was sent"):
            pickle.loads(what)
