"""What the compiled module hands out besides its own classes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Finding:
    """What is wrong or worth knowing, where, and what to write.

    Lines and columns count from 1, columns in characters; they are None where there is no place.
    ``str()`` of it is for reading.
    """

    #: Such as ``E0201``; ``sutler.explain_code`` says more. None for a call that is wrong in itself.
    code: str | None
    #: ``error``, ``warning`` or ``note``.
    severity: str
    message: str
    file: str | None
    line: int | None
    column: int | None
    help: str | None
    notes: tuple[str, ...]
    #: All places, the primary one first, each with bytes (``start``, ``end``), lines and columns.
    labels: tuple[dict[str, Any], ...] = field(hash=False)
    #: What to write instead: ``file``, ``start``, ``end``, ``replacement``, ``applies``; or None.
    suggestion: dict[str, Any] | None = field(hash=False)
    #: All of it in words.
    text: str = field(repr=False, default="")

    @property
    def is_error(self) -> bool:
        """Whether the text cannot be used as it is."""
        return self.severity == "error"

    def __str__(self) -> str:
        return self.text


def _finding(record: dict[str, Any]) -> Finding:
    labels = record["labels"]
    place = next((label for label in labels if label["primary"]), labels[0] if labels else {})
    return Finding(
        code=record["code"],
        severity=record["severity"],
        message=record["message"],
        file=place.get("file"),
        line=place.get("line"),
        column=place.get("column"),
        help=record["help"],
        notes=tuple(record["notes"]),
        labels=tuple(labels),
        suggestion=record["suggestion"],
        text=record["text"],
    )


class Refused(ValueError):
    """A call has no answer; ``findings`` say why, and where.

    ``code``, ``file``, ``line`` and ``column`` are those of the first.
    """

    def __init__(self, text: str, findings: list[Finding]) -> None:
        super().__init__(text, findings)
        self.findings = findings

    def __str__(self) -> str:
        return str(self.args[0])

    @property
    def _first(self) -> Finding | None:
        return self.findings[0] if self.findings else None

    @property
    def code(self) -> str | None:
        """The code of the first finding."""
        return self._first.code if self._first else None

    @property
    def file(self) -> str | None:
        """The file of the first finding."""
        return self._first.file if self._first else None

    @property
    def line(self) -> int | None:
        """The line of the first finding, from 1."""
        return self._first.line if self._first else None

    @property
    def column(self) -> int | None:
        """The column of the first finding, from 1."""
        return self._first.column if self._first else None


def _refused(message: str, help: str) -> Refused:
    """A call that is wrong in itself: what is wrong, and what to do."""
    text = f"error: {message}\n  help: {help}"
    record = {"code": None, "severity": "error", "message": message, "help": help, "text": text}
    return Refused(text, [_finding(record | {"labels": [], "notes": [], "suggestion": None})])


def _same(rules: Any, sent: str) -> Any:
    """Rules of the hash that was sent along with them."""
    if rules.hash == sent:
        return rules
    message = (
        f"the rules `{rules.name}` are others here: their hash is {rules.hash}, and {sent} was sent"
    )
    raise _refused(
        message, "give all processes the same files, or open texts, which are sent along"
    )


def _reopened(source: Any, name: str | None, sent: str) -> Any:
    """Rules that another process opened: what they are there, they are here."""
    from . import open

    return _same(open(source, name), sent)


class Told(dict[str, Any]):
    """Data that also reads as text: ``str()`` of it is what the command line prints."""

    def __init__(self, data: dict[str, Any], text: str) -> None:
        super().__init__(data)
        self.text = text

    def __str__(self) -> str:
        return self.text

    def __reduce__(self) -> tuple[Any, ...]:
        return (Told, (dict(self), self.text))


class Drawing(str):
    """A picture as SVG text, which a notebook shows."""

    def _repr_svg_(self) -> str:
        return str(self)
