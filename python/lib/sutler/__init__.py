"""Sutler: the rules of a wargame as text, checked, asked of positions, and explained.

>>> import sutler
>>> rules = sutler.open("rulesets/soldier_kings")
>>> position = rules.setup("opening")
>>> position.ask("supply", of="F3")["state"]
'out_of_supply'
"""

from ._sutler import (
    ArrowBatch,
    ArrowSchema,
    ArrowStream,
    Many,
    Position,
    Rules,
    check,
    explain_code,
    open,
)
from ._types import Drawing, Finding, Refused, Told

__all__ = [
    "ArrowBatch",
    "ArrowSchema",
    "ArrowStream",
    "Drawing",
    "Finding",
    "Many",
    "Position",
    "Refused",
    "Rules",
    "Told",
    "check",
    "explain_code",
    "open",
]
