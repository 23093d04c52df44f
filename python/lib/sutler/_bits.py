"""Answers to positions as numbers whose bits are positions, the first the lowest: fast to compare and to count."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass
class Answers:
    """The answers to some positions: a bit a position, for each thing."""

    errors: int
    yes: list[int]
    valid: list[int]


def encoded(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Texts as dictionaries: looked up once, and not by each variant anew."""
    columns = []
    for column in batch.columns:
        if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
            try:
                # Nobody has looked at the offsets before.
                column.validate(full=True)
                column = column.dictionary_encode()
            except pa.ArrowInvalid:
                pass
        columns.append(column)
    return pa.record_batch(columns, batch.schema.names) if columns else batch


def answers(many: Any, batch: pa.RecordBatch) -> Answers:
    answers = pa.record_batch(many.ask(batch))
    columns = [answers.column(f"{thing}.yes") for thing in many.things]
    errors = answers.column("error")
    valid = [bits(column.buffers()[0], column) for column in columns]
    yes = [bits(column.buffers()[1], column) for column in columns]
    return Answers(bits(errors.buffers()[0], errors), yes, valid)


def bits(buffer: Any, column: Any) -> int:
    """Bits of an Arrow column as one number, the first row the lowest: fast to compare and count."""
    whole = (1 << len(column)) - 1
    if buffer is None:
        return whole
    offset: int = column.offset
    return (int.from_bytes(buffer, "little") >> offset) & whole


def first(keys: Any, rows: int, flipped: int, flips: Mapping[int, int]) -> tuple[Any, int] | None:
    """The least key of the rows of some bits, and the first thing that flips in such a row."""
    if keys is None or not flipped:
        return None
    least = pc.min(keys.filter(column_of(flipped, rows)))
    if not least.is_valid:
        return None
    here = pc.equal(keys, least).fill_null(False)
    here = bits(here.buffers()[1], here)
    return least.as_py(), next(thing for thing, flip in flips.items() if flip & here)


def column_of(bits: int, rows: int) -> pa.BooleanArray:
    data = pa.py_buffer(bits.to_bytes((rows + 7) // 8, "little"))
    return pa.BooleanArray.from_buffers(pa.bool_(), rows, [None, data])
