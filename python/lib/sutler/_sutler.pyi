"""Types of the compiled module. What each call gives is said there; here are its shapes."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from os import PathLike
from typing import Any, Literal, Protocol, TypedDict, overload

from ._types import Drawing, Finding, Told

class ArrowArrayExportable(Protocol):
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...

class ArrowStreamExportable(Protocol):
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

class Because(TypedDict, total=False):
    """Part of a condition that decided."""

    says: str
    through: list[str]

class _Row(TypedDict):
    id: str
    side: str | None
    space: str | None
    #: The word of the answer, such as ``supplied``.
    state: str
    #: Whether it is the yes of the trace.
    yes: bool
    #: The length of its line, as the trace counts it; None where there is no line.
    distance: int | None
    source: str | None
    #: The spaces of its line, its own first.
    route: list[str]
    clause: str | None
    #: The gate that stopped it, and the space where.
    gate: str | None
    stop: str | None

class Row(_Row, total=False):
    """The answer for one unit or space."""

    #: The crossings that its line goes straight on over: the kind of the links, and the space.
    crossings: list[dict[str, str]]
    because: list[Because]

class Report(TypedDict):
    """The answers of a trace, in the order of the position."""

    schema: int
    ruleset: str
    hash: str
    trace: str
    #: Its two answers, yes first.
    answers: list[str]
    units: list[Row]

class Case(TypedDict):
    name: str
    file: str
    #: From 1.
    line: int

class _CaseRow(Case):
    status: Literal["passed", "failed"]
    covers: list[str]

class CaseRow(_CaseRow, total=False):
    failures: list[dict[str, Any]]

class Step(TypedDict):
    moment: str
    side: str | None
    text: str
    log: list[dict[str, Any]]
    #: The position after it, as JSON text.
    position: str

class Offer(TypedDict):
    """What a player is offered."""

    #: Whether one of the ways has to be taken.
    must: bool
    #: Each as the order that takes it.
    ways: list[dict[str, Any]]

class Played(TypedDict):
    """A turn that was played, to its end or to what somebody must decide."""

    steps: list[Step]
    whole: bool
    #: The orders that would decide what must be decided.
    open: list[dict[str, Any]]
    faults: list[dict[str, Any]]
    dice: list[int]
    #: The position then, as JSON text.
    position: str

_Source = str | PathLike[str] | Mapping[str, str | bytes]

def open(source: _Source, name: str | None = None) -> Rules: ...
def check(source: _Source) -> list[Finding]: ...
def explain_code(code: str) -> str | None: ...

class Rules:
    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def hash(self) -> str: ...
    @property
    def findings(self) -> list[Finding]: ...
    @property
    def names(self) -> list[str]: ...
    @property
    def traces(self) -> list[str]: ...
    @property
    def traces_of_spaces(self) -> list[str]: ...
    @property
    def main_trace(self) -> str | None: ...
    @property
    def tests(self) -> list[str]: ...
    @property
    def sides(self) -> list[str]: ...
    @property
    def setups(self) -> list[str]: ...
    @property
    def maps(self) -> list[str]: ...
    @property
    def has_clock(self) -> bool: ...
    def variant(self, name: str) -> Rules: ...
    def setup(self, name: str | None = None) -> Position: ...
    def position(
        self, value: str | bytes | Mapping[str, Any], name: str = "position"
    ) -> Position: ...
    def json_schema(self) -> dict[str, Any]: ...
    def cases(self) -> list[Case]: ...
    def test(self, *names: str) -> list[CaseRow]: ...
    def many(
        self,
        trace: str | None = None,
        *,
        question: str | None = None,
        of: str | None = None,
        test: str | None = None,
        like: str | Position | None = None,
        side: str | None = None,
        lengths: bool = False,
    ) -> Many: ...
    @overload
    def ask_many(
        self,
        positions: ArrowArrayExportable,
        trace: str | None = None,
        *,
        question: str | None = None,
        of: str | None = None,
        test: str | None = None,
        like: str | Position | None = None,
        side: str | None = None,
        lengths: bool = False,
        keep: str | Iterable[str] | None = None,
    ) -> ArrowBatch: ...
    @overload
    def ask_many(
        self,
        positions: ArrowStreamExportable,
        trace: str | None = None,
        *,
        question: str | None = None,
        of: str | None = None,
        test: str | None = None,
        like: str | Position | None = None,
        side: str | None = None,
        lengths: bool = False,
        keep: str | Iterable[str] | None = None,
    ) -> ArrowStream: ...
    def play(
        self,
        games: int = 100,
        *,
        turns: int = 10,
        policy: str | PathLike[str] | Callable[[Offer, Position], int | None] | None = None,
        seed: int = 1,
        like: str | Position | None = None,
        ask: str | Iterable[str] | None = None,
        of: str | None = None,
        side: str | None = None,
        first: int = 1,
        jobs: int = 1,
        each: Callable[[dict[str, Any]], object] | None = None,
    ) -> Told: ...
    def schema(self, like: str | Position | None = None, *, facts: bool = False) -> ArrowSchema: ...

class Position:
    @property
    def rules(self) -> Rules: ...
    @property
    def units(self) -> list[str]: ...
    @property
    def spaces(self) -> list[str]: ...
    def space_of(self, unit: str) -> str | None: ...
    def control_of(self, space: str) -> str | None: ...
    @overload
    def ask(self, trace: str | None = None, of: None = None) -> Report: ...
    @overload
    def ask(self, trace: str | None = None, *, of: str) -> Row: ...
    @overload
    def ask(self, trace: str | None, of: str) -> Row: ...
    def flags(self, trace: str | None = None) -> dict[str, bool]: ...
    def explain(self, of: str, trace: str | None = None) -> Told: ...
    def why_not(self, of: str, trace: str | None = None) -> Told: ...
    def reach(self, of: str, trace: str | None = None) -> Told: ...
    def reach_all(self, trace: str | None = None) -> dict[str, dict[str, int]]: ...
    def threat(self, of: str | Iterable[str] | None = None, trace: str | None = None) -> Told: ...
    def odds(self, test: str, of: str | Iterable[str] | None = None) -> Told: ...
    def values(self, question: str, of: str | None = None) -> Told: ...
    def move(self, unit: str, to: str | None) -> Position: ...
    def control(self, space: str, side: str | None) -> Position: ...
    def remove(self, unit: str) -> Position: ...
    def viewer(self, side: str | None) -> Position: ...
    def ruling(self, ruling: str, reading: str) -> Position: ...
    def given(self, *sentences: str) -> Position: ...
    def play(
        self,
        turn: int = 1,
        *,
        seed: int | None = None,
        dice: Sequence[int] = ...,
        orders: str | Iterable[Mapping[str, Any]] | None = None,
        first_way: bool = False,
    ) -> Played: ...
    @overload
    def draw(
        self,
        trace: str | None = None,
        *,
        lines: bool = True,
        side: str | None = None,
        units: str | Iterable[str] | None = None,
        why_not: str | None = None,
        threat: str | Iterable[str] | None = None,
        form: Literal["svg"] = "svg",
    ) -> Drawing: ...
    @overload
    def draw(
        self,
        trace: str | None = None,
        *,
        lines: bool = True,
        side: str | None = None,
        units: str | Iterable[str] | None = None,
        why_not: str | None = None,
        threat: str | Iterable[str] | None = None,
        form: Literal["text"],
    ) -> str: ...
    @overload
    def draw(
        self,
        trace: str | None = None,
        *,
        lines: bool = True,
        side: str | None = None,
        units: str | Iterable[str] | None = None,
        why_not: str | None = None,
        threat: str | Iterable[str] | None = None,
        form: Literal["json", "scene", "frame"],
    ) -> dict[str, Any]: ...
    def _repr_svg_(self) -> str: ...
    def json(self) -> str: ...
    def as_dict(self) -> dict[str, Any]: ...
    def copy(self) -> Position: ...

class Many:
    @overload
    def ask(
        self, positions: ArrowArrayExportable, keep: str | Iterable[str] | None = None
    ) -> ArrowBatch: ...
    @overload
    def ask(
        self, positions: ArrowStreamExportable, keep: str | Iterable[str] | None = None
    ) -> ArrowStream: ...
    def schema(self, *, facts: bool = False) -> ArrowSchema: ...
    def answers(self) -> ArrowSchema: ...
    @property
    def things(self) -> list[str]: ...
    def table(self, positions: Sequence[Position]) -> ArrowBatch: ...
    def position(
        self, positions: ArrowArrayExportable, row: int, keep: str | Iterable[str] | None = None
    ) -> Position: ...

class ArrowBatch:
    @property
    def num_rows(self) -> int: ...
    @property
    def column_names(self) -> list[str]: ...
    @property
    def schema(self) -> ArrowSchema: ...
    def to_pyarrow(self) -> Any: ...
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...
    def __len__(self) -> int: ...

class ArrowStream:
    @property
    def schema(self) -> ArrowSchema: ...
    def to_pyarrow(self) -> Any: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...
    def __iter__(self) -> Iterator[ArrowBatch]: ...
    def __next__(self) -> ArrowBatch: ...

class ArrowSchema:
    @property
    def names(self) -> list[str]: ...
    def to_pyarrow(self) -> Any: ...
    def __arrow_c_schema__(self) -> object: ...
    def __len__(self) -> int: ...
