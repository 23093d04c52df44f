"""Positions of a Spark data frame asked as tables; needs ``pyspark`` 4 and ``pyarrow``.

A task that fails is tried again by Spark from its beginning, and what it had given before is
dropped: nothing is lost, and nothing is there twice. Rules travel with their hash, and a worker that
finds others where they are said to be refuses to answer.
"""

from __future__ import annotations

import pickle
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from . import Many, Position, Rules
from .flips import Flips

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator


@lru_cache(maxsize=4)
def _opened(sent: bytes) -> Many:
    """Opened once in each worker, whatever number of tasks it gets."""
    rules: Rules
    rules, question = pickle.loads(sent)
    return rules.many(**question)


class _Asking:
    """What ``mapInArrow`` calls for each task."""

    def __init__(self, sent: bytes, keep: list[str], schema: pa.Schema) -> None:
        self.sent, self.keep, self.schema = sent, keep, schema

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        batches = iter(batches)
        for first in batches:
            # A stream, so that errors count its batches.
            all = pa.RecordBatchReader.from_batches(first.schema, chain([first], batches))
            for answers in _opened(self.sent).ask(all, keep=self.keep):
                yield pa.record_batch(answers).cast(self.schema)


class _Whole:
    """Hands each row on as the columns that it came from.

    The columns of a position have a dot in their names, which ``mapInArrow`` takes for a part of a
    column; so a row travels as one column with parts.
    """

    def __init__(
        self, work: Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]
    ) -> None:
        self.work = work

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return self.work(pa.RecordBatch.from_struct_array(batch.column(0)) for batch in batches)


def _mapped(frame: Any, work: Any, schema: pa.Schema) -> Any:
    from pyspark.sql.functions import struct
    from pyspark.sql.pandas.types import from_arrow_schema

    row = struct(*(_quoted(name) for name in frame.columns)).alias("row")
    return frame.select(row).mapInArrow(_Whole(work), from_arrow_schema(schema))


def ask_many(
    frame: Any,
    rules: Rules,
    trace: str | None = None,
    *,
    like: str | Position | None = None,
    side: str | None = None,
    lengths: bool = False,
    keep: str | Iterable[str] | None = None,
) -> Any:
    """Asks a trace of all rows of a Spark data frame: see ``Rules.ask_many``.

    The rules are opened once in each worker. ``batch`` and ``row`` of an ``error`` count within a
    task; name a column in ``keep`` to find the row again.

    Args:
        frame: a ``pyspark.sql.DataFrame`` with columns as in ``Rules.schema``.

    Returns:
        A ``pyspark.sql.DataFrame`` of the answers, worked out when it is read. Spark has no
        unsigned numbers, so that lengths and places are signed ones of 64 bits.
    """
    from pyspark.sql.pandas.types import to_arrow_schema

    keep = [keep] if isinstance(keep, str) else list(keep or ())
    question: dict[str, Any] = {"trace": trace, "like": like, "side": side, "lengths": lengths}
    answers = pa.schema(rules.many(**question).answers())
    kept = to_arrow_schema(frame.select(*(_quoted(name) for name in keep)).schema)
    schema = pa.schema([*kept, *(field.with_type(_signed(field.type)) for field in answers)])
    asking = _Asking(pickle.dumps((rules, question)), keep, schema)
    return _mapped(frame, asking, schema)


def count(frame: Any, flips: Flips) -> Any:
    """Counts what variants answer otherwise, over all rows of a data frame: see ``Flips.count``.

    Each task counts, and hands on a row a variant; these are added up here.

    Args:
        frame: a ``pyspark.sql.DataFrame`` with columns as in ``Rules.schema``.
        flips: what is compared.

    Returns:
        The ``pyarrow.Table`` that ``Flips.count`` gives for the same positions.
    """
    from pyspark.sql.pandas.types import to_arrow_schema

    keys = [] if flips.key is None else [_quoted(flips.key)]
    schema = flips.schema(to_arrow_schema(frame.select(*keys).schema))
    return flips.total([_mapped(frame, flips, schema).toArrow()], schema)


def _signed(of: pa.DataType) -> pa.DataType:
    """The type that Spark has for it; without parts that are never null, which its readers trip over."""
    if pa.types.is_struct(of):
        parts = [of.field(at) for at in range(of.num_fields)]
        return pa.struct([pa.field(part.name, _signed(part.type)) for part in parts])
    return pa.int64() if pa.types.is_unsigned_integer(of) else of


def _quoted(name: str) -> str:
    """A column of a name with a dot in it."""
    return f"`{name.replace('`', '``')}`"
