"""Positions of a Ray dataset asked as tables; needs ``ray[data]`` and ``pyarrow``.

A worker that dies is started anew by Ray, and is given again what it had not answered: nothing is
lost, and nothing is there twice. Rules travel with their hash, and a worker that finds others where
they are said to be refuses to answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa

from . import Position, Rules
from .flips import ROWS, Flips

if TYPE_CHECKING:
    from collections.abc import Iterable


class _Asking:
    """Rules opened once in each worker."""

    def __init__(
        self, rules: Rules, keep: str | Iterable[str] | None, question: dict[str, Any]
    ) -> None:
        self.many = rules.many(**question)
        self.keep = keep

    def __call__(self, table: Any) -> Any:
        return pa.table(self.many.ask(table, keep=self.keep))


class _Counting:
    """A comparison of variants, opened once in each worker."""

    def __init__(self, flips: Flips) -> None:
        self.flips = flips

    def __call__(self, table: Any) -> Any:
        counted = list(self.flips(table.to_batches()))
        return pa.Table.from_batches(counted, self.flips.schema(table.schema))


def ask_many(
    dataset: Any,
    rules: Rules,
    trace: str | None = None,
    *,
    like: str | Position | None = None,
    side: str | None = None,
    lengths: bool = False,
    keep: str | Iterable[str] | None = None,
    workers: int = 1,
    batch_size: int = 4096,
) -> Any:
    """Asks a trace of all rows of a Ray dataset: see ``Rules.ask_many``.

    The rules are opened once in each worker, from the same folder or the same texts. ``batch`` and
    ``row`` of an ``error`` count within what a worker is given; name a column in ``keep`` to find
    the row again.

    Args:
        dataset: a ``ray.data.Dataset`` with columns as in ``Rules.schema``.
        workers: how many processes answer.
        batch_size: how many rows a process takes at once.

    Returns:
        A ``ray.data.Dataset`` of the answers, worked out when it is read.
    """
    question = {"trace": trace, "like": like, "side": side, "lengths": lengths}
    return _mapped(dataset, _Asking, (rules, keep, question), workers, batch_size)


def count(dataset: Any, flips: Flips, *, workers: int = 1, batch_size: int = ROWS) -> Any:
    """Counts what variants answer otherwise, over all rows of a Ray dataset: see ``Flips.count``.

    Workers count, and hand on a row a variant for each batch; these are added up here. Blocks of a
    dataset are what workers share among themselves: ``dataset.repartition(n)`` makes more of them.

    Args:
        dataset: a ``ray.data.Dataset`` with columns as in ``Rules.schema``.
        flips: what is compared; a worker that dies is started anew, and is sent it again.
        workers: how many processes answer.
        batch_size: how many rows a process takes at once.

    Returns:
        The ``pyarrow.Table`` that ``Flips.count`` gives for the same positions.
    """
    schema = flips.schema(pa.schema(dataset.schema().base_schema))
    counted = _mapped(dataset, _Counting, (flips,), workers, batch_size)
    return flips.total(counted.iter_batches(batch_size=None, batch_format="pyarrow"), schema)


def _mapped(
    dataset: Any, worker: type, given: tuple[Any, ...], workers: int, batch_size: int
) -> Any:
    from ray.data import ActorPoolStrategy

    return dataset.map_batches(
        worker,
        fn_constructor_args=given,
        batch_format="pyarrow",
        batch_size=batch_size,
        compute=ActorPoolStrategy(size=workers),
    )
