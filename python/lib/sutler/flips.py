"""What variants answer otherwise than their rules, counted over positions; needs ``pyarrow``.

``Flips`` does the work wherever the positions are: in this process (``Flips.count``), on Ray
(``sutler.ray.count``) and under Spark (``sutler.spark.count``). Whoever asks some of the positions
hands on only counts, and counts are added up in any order to the same table.
"""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from . import Position, Rules
from ._bits import Answers, answers, encoded, first
from ._types import _refused, _same

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

#: Positions that are held at once.
ROWS = 65_536


@dataclass
class _Count:
    """What became of some positions under a variant."""

    positions: int = 0
    errors: int = 0
    answers: int = 0
    yes: int = 0
    gained: int = 0
    lost: int = 0
    flipped: int = 0
    #: The least key of a position with a flip, and the place of the first thing that flips there.
    first: tuple[Any, int] | None = None

    def add(self, other: _Count) -> None:
        for name in ("positions", "errors", "answers", "yes", "gained", "lost", "flipped"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        if other.first is not None and (self.first is None or other.first < self.first):
            self.first = other.first


class _Ready:
    """Rules and variants opened, and the question prepared for each of them."""

    def __init__(
        self, rules: Rules, variants: Mapping[str, Rules | str], question: dict[str, Any]
    ) -> None:
        # A variant that is opened together with the rules comes by its hash.
        opened = {
            name: _same(rules.variant(name), given) if isinstance(given, str) else given
            for name, given in variants.items()
        }
        like = question["like"]
        self.own = rules.many(**question)
        self.variants = {}
        for name, variant in opened.items():
            if isinstance(like, Position):
                question = question | {"like": variant.position(like.as_dict())}
            self.variants[name] = (variant.hash, variant.many(**question))
        self.things: list[str] = self.own.things
        for name, (_, many) in self.variants.items():
            if many.things != self.things:
                other = sorted({*many.things} ^ {*self.things})
                message = (
                    f"`{name}` asks about other things than `{rules.name}`: {', '.join(other)}"
                )
                raise _refused(
                    message, "compare rules whose trace is about the same units or spaces"
                )


@lru_cache(maxsize=4)
def _ready(sent: bytes) -> _Ready:
    """Opened once in each process, whatever number of shards it gets."""
    return _Ready(*pickle.loads(sent))


class Flips:
    """How often variants answer otherwise than the rules they are compared with.

    It can be pickled; another process opens the same rules, and refuses any of another hash.

    Args:
        rules: what the variants are compared with.
        variants: their names, if they were opened together with the rules, or ``Rules`` by name.
        trace: its name; the main one, if none is named.
        like: the name of a setup, or a position: what a table does not say is as there.
        side: the side that asks, where the trace is about spaces.
        key: a column that names a position; the least key with a flip is told as ``first``.
        ignore: columns that are no part of a position.
        each: whether to count each thing by itself.
    """

    def __init__(
        self,
        rules: Rules,
        variants: Iterable[str] | Mapping[str, Rules],
        trace: str | None = None,
        *,
        like: str | Position | None = None,
        side: str | None = None,
        key: str | None = None,
        ignore: str | Iterable[str] = (),
        each: bool = False,
    ) -> None:
        question: dict[str, Any] = {"trace": trace, "like": like, "side": side, "lengths": False}
        sent: dict[str, Rules | str]
        if isinstance(variants, Mapping):
            sent = dict(variants)
            if not all(isinstance(variant, Rules) for variant in sent.values()):
                raise TypeError(
                    "variants are names, or Rules by name: open texts with `sutler.open`"
                )
        else:
            names = [variants] if isinstance(variants, str) else variants
            sent = {name: rules.variant(name).hash for name in names}
        given = (rules, sent, question)
        self._ready = _Ready(*given)
        self._sent = pickle.dumps(given)
        self.key = key
        self.ignore = [ignore] if isinstance(ignore, str) else list(ignore)
        self.each = each

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_ready"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._ready = _ready(self._sent)

    @property
    def hashes(self) -> dict[str, str]:
        """The hash of each variant, in their order."""
        return {name: hash for name, (hash, _) in self._ready.variants.items()}

    @property
    def things(self) -> list[str]:
        """The ids of what is asked about."""
        return list(self._ready.things)

    def schema(self, positions: pa.Schema) -> pa.Schema:
        """The columns of the counts of positions with such columns."""
        key = pa.int64() if self.key is None else positions.field(self.key).type
        if pa.types.is_dictionary(key):
            key = key.value_type
        fields = [("variant", pa.string()), ("hash", pa.string())]
        fields += [("thing", pa.string())] if self.each else []
        counts = ("positions", "errors", "answers", "yes", "gained", "lost", "flipped")
        fields += [(name, pa.int64()) for name in counts]
        return pa.schema([*fields, ("first", key), ("first_thing", pa.string())])

    def count(self, positions: Any) -> pa.Table:
        """The counts of an Arrow table, a reader, a record batch, or a data frame.

        Returns:
            A ``pyarrow.Table``, a row a variant, or with ``each`` a row a variant and thing:
            ``positions``, of which ``errors`` have an error; ``answers``, of which ``yes`` are the
            variant's yes; ``gained`` and ``lost``, those that only the variant or only the rules
            say yes to; ``flipped``, positions with any of these; ``first``, the least key of them,
            and ``first_thing``, what flips there.
        """
        if hasattr(positions, "__arrow_c_array__"):
            positions = pa.Table.from_batches([pa.record_batch(positions)])
        reader = pa.RecordBatchReader.from_stream(positions)
        return self.total(self(reader), self.schema(reader.schema))

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """The counts of some record batches, as one: what ``mapInArrow`` asks of a function."""
        counts, schema = self._nothing(), None
        for batch in batches:
            schema = self.schema(batch.schema)
            for start in range(0, len(batch), ROWS):
                self._shard(batch.slice(start, ROWS), counts)
        if schema is not None:
            yield self._written(counts, schema)

    def total(self, counted: Iterable[Any], schema: pa.Schema) -> pa.Table:
        """Adds up counts of shards, whoever counted them; ``schema`` is that of the counts.

        Raises:
            Refused: a shard was counted by other rules than these.
        """
        counts = self._nothing()
        for part in counted:
            for row in part.to_pylist():
                self._add(counts, row)
        return pa.Table.from_batches([self._written(counts, schema)])

    def _nothing(self) -> dict[tuple[str, int | None], _Count]:
        things: Iterable[int | None] = range(len(self._ready.things)) if self.each else [None]
        return {(name, thing): _Count() for name in self._ready.variants for thing in things}

    def _add(self, counts: dict[tuple[str, int | None], _Count], row: dict[str, Any]) -> None:
        name, things = row.pop("variant"), self._ready.things
        if self.hashes.get(name) != row["hash"]:
            message = f"a shard was counted by other rules: `{name}` of hash {row['hash']}"
            raise _refused(
                message, "give all processes the same files, or open texts, which are sent along"
            )
        first, thing, at = row.pop("first"), row.pop("first_thing"), row.pop("thing", None)
        row.pop("hash")
        least = None if first is None else (first, things.index(thing))
        counts[name, things.index(at) if self.each else None].add(_Count(**row, first=least))

    def _shard(self, batch: pa.RecordBatch, counts: dict[tuple[str, int | None], _Count]) -> None:
        keys = None if self.key is None else batch.column(self.key)
        if keys is not None and pa.types.is_dictionary(keys.type):
            keys = keys.dictionary_decode()
        columns = [
            name for name in batch.schema.names if name != self.key and name not in self.ignore
        ]
        batch = encoded(batch.select(columns))
        own = answers(self._ready.own, batch)
        for name, (_, many) in self._ready.variants.items():
            other = answers(many, batch)
            for thing, count in self._compared(own, other, len(batch), keys):
                counts[name, thing].add(count)

    def _compared(
        self, own: Answers, other: Answers, rows: int, keys: Any
    ) -> Iterator[tuple[int | None, _Count]]:
        errors = (own.errors | other.errors).bit_count()
        whole, flips, flipped = _Count(rows, errors), [], 0
        for thing, (was, now) in enumerate(zip(own.yes, other.yes, strict=True)):
            valid = own.valid[thing] & other.valid[thing]
            flip = (was ^ now) & valid
            flips.append(flip)
            count = _Count(rows, errors, valid.bit_count(), (now & valid).bit_count())
            count.gained, count.lost = (flip & now).bit_count(), (flip & was).bit_count()
            count.flipped = flip.bit_count()
            if self.each:
                count.first = first(keys, rows, flip, {thing: flip})
                yield thing, count
            whole.add(count)
            flipped |= flip
        if not self.each:
            whole.positions, whole.errors, whole.flipped = rows, errors, flipped.bit_count()
            whole.first = first(keys, rows, flipped, dict(enumerate(flips)))
            yield None, whole

    def _written(
        self, counts: dict[tuple[str, int | None], _Count], schema: pa.Schema
    ) -> pa.RecordBatch:
        rows = []
        for (name, thing), count in counts.items():
            first, at = count.first or (None, None)
            row = vars(count) | {"variant": name, "hash": self.hashes[name], "first": first}
            row["first_thing"] = None if at is None else self._ready.things[at]
            row["thing"] = None if thing is None else self._ready.things[thing]
            rows.append(row)
        columns = [pa.array([row[field.name] for row in rows], field.type) for field in schema]
        return pa.record_batch(columns, schema=schema)
