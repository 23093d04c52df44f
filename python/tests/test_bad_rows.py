"""Rows that are wrong in every way, among others that are not; and tables longer than memory should hold."""

from __future__ import annotations

import ctypes
import random
import weakref

import pytest

pa = pytest.importorskip("pyarrow")

SCHEMA = pa.schema(
    {
        "F3.space": pa.dictionary(pa.int8(), pa.string()),
        "F1.space": pa.string_view(),
        "F2.space": pa.large_string(),
        "Hesse.control": pa.string(),
        "F1.strength": pa.int64(),
        "season": pa.string(),
    }
)
GOOD = {
    "F3.space": 0,
    "F1.space": "Ile_de_France",
    "F2.space": "Hanover",
    "Hesse.control": "France",
    "F1.strength": 5,
    "season": "winter",
}
WORDS = ["Hanover", "Ile_de_France", None, "Kuala_Lumpur", "Hese"]

# Column, what stands there, and what the error says.
BAD = [
    ("F3.space", 3, "no space is called `Kuala_Lumpur`"),
    ("F3.space", 4, "write `Hesse`"),
    ("F3.space", 5, "dictionary"),
    ("F3.space", 127, "dictionary"),
    ("F3.space", -1, "dictionary"),
    ("F1.space", "", "no space is called ``"),
    ("F1.space", "an id that is longer than twelve bytes", "no space"),
    ("F1.space", b"\xff\xfe", "UTF-8"),
    ("F2.space", "hanover", "write `Hanover`"),
    ("F2.space", b"Hano\xc3", "UTF-8"),
    ("Hesse.control", "Japan", "no side is called `Japan`"),
    ("F1.strength", 0, "0"),
    ("F1.strength", 2**40, "1099511627776"),
    ("F1.strength", None, "null"),
    ("season", "wet", "wet"),
    ("season", b"\xf0", "UTF-8"),
]


def texts(values, of):
    """A column of texts, which may be no UTF-8: nobody looks at the bytes on the way."""
    data = pa.array([v.encode() if isinstance(v, str) else v for v in values], pa.large_binary())
    if of == pa.string_view():
        return pa.array(data.to_pylist(), pa.binary_view()).view(of)
    return data.cast(pa.binary()).view(of) if of == pa.string() else data.view(of)


def batch(rows):
    columns = []
    for name, of in zip(SCHEMA.names, SCHEMA.types):
        values = [row[name] for row in rows]
        if pa.types.is_dictionary(of):
            keys = pa.array(values, of.index_type)
            columns.append(pa.DictionaryArray.from_arrays(keys, pa.array(WORDS), safe=False))
        elif pa.types.is_integer(of):
            columns.append(pa.array(values, of))
        else:
            columns.append(texts(values, of))
    return pa.record_batch(columns, schema=SCHEMA)


def answered(kings, batches):
    stream = pa.RecordBatchReader.from_batches(SCHEMA, iter(batches))
    return pa.table(kings.ask_many(stream, "supply", like="opening")).to_pylist()


@pytest.mark.parametrize("seed", range(4))
def test_each_bad_row_is_named_and_all_others_are_answered(kings, seed):
    dice = random.Random(seed)
    rows = [(dict(GOOD), None)] * dice.choice([20, 600])
    rows += [(GOOD | {column: value}, (column, says)) for column, value, says in BAD]
    rows += [(GOOD | {name: value}, None) for name, value in [("F3.space", 1), ("F3.space", 2), ("F3.space", None)]]
    rows += [(GOOD | {"Hesse.control": None, "F1.space": None}, None)]
    dice.shuffle(rows)
    cuts = sorted({0, len(rows), *dice.sample(range(len(rows)), 3)})
    parts = [rows[a:b] for a, b in zip(cuts, cuts[1:])]
    found = answered(kings, [batch([row for row, _ in part]) for part in parts])
    assert len(found) == len(rows)
    places = [(number, row, bad) for number, part in enumerate(parts) for row, (_, bad) in enumerate(part)]
    seen = 0
    for answer, (number, row, bad) in zip(found, places, strict=True):
        error = answer["error"]
        if bad is None:
            assert error is None
            continue
        seen += 1
        assert (error["batch"], error["row"], error["column"]) == (number, row, bad[0])
        assert bad[1] in error["message"] and error["code"] != ""
        assert all(value is None for name, value in answer.items() if name.endswith(".yes"))
    assert seen == len(BAD)
    good = [row for row, bad in rows if bad is None]
    assert [answer for answer in found if answer["error"] is None] == answered(kings, [batch(good)])


def test_views_that_lead_nowhere(kings):
    words = ["Ile_de_France", "Austrian_Netherlands", "Hanover"]
    plain = pa.array(words, pa.string_view())
    _, views, data = plain.buffers()
    lies = bytearray(views.to_pybytes())
    # The second says that its text is in a buffer that there is not, and beyond the end of that.
    for at, value in [(24, 7), (28, 2**31 - 1)]:
        lies[at : at + 4] = value.to_bytes(4, "little")
    column = pa.Array.from_buffers(pa.string_view(), 3, [None, pa.py_buffer(bytes(lies)), data])
    answers = pa.record_batch(kings.ask_many(pa.record_batch({"F3.space": column}), like="opening")).to_pylist()
    assert [row["error"] and row["error"]["row"] for row in answers] == [None, 1, None]
    assert [row["F3.yes"] for row in answers] == [True, None, False]


class Memory:
    """Memory of a column, that is missed when it is let go."""

    def __init__(self, keys: bytes) -> None:
        self.keys = ctypes.create_string_buffer(keys, len(keys))


def test_a_stream_is_let_go_while_it_is_answered(kings):
    """However long a stream is, few of its batches are held: counted one by one, so that no timing matters."""
    rows, batches = 256, 400
    words, dice = pa.array(kings.setup("opening").spaces), random.Random(1)
    alive, most = weakref.WeakSet(), 0

    def given():
        nonlocal most
        for _ in range(batches):
            memory = Memory(bytes(dice.randrange(len(words)) for _ in range(rows)))
            alive.add(memory)
            most = max(most, len(alive))
            keys = pa.foreign_buffer(ctypes.addressof(memory.keys), rows, base=memory)
            keys = pa.Array.from_buffers(pa.int8(), rows, [None, keys])
            del memory
            yield pa.record_batch({"F3.space": pa.DictionaryArray.from_arrays(keys, words)})

    schema = pa.schema({"F3.space": pa.dictionary(pa.int8(), pa.string())})
    stream = pa.RecordBatchReader.from_batches(schema, given())
    asked = sum(len(answers) for answers in kings.ask_many(stream, "supply", like="opening"))
    assert asked == rows * batches
    assert 0 < most <= 4 and not alive
