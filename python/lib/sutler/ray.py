"""Positions of a Ray dataset asked as tables; needs ``ray[data]`` and ``pyarrow``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa

from . import Position, Rules

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
    from ray.data import ActorPoolStrategy

    question = {"trace": trace, "like": like, "side": side, "lengths": lengths}
    return dataset.map_batches(
        _Asking,
        fn_constructor_args=(rules, keep, question),
        batch_format="pyarrow",
        batch_size=batch_size,
        compute=ActorPoolStrategy(size=workers),
    )
