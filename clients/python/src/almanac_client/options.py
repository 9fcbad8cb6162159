"""Options of the streams, by name."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, Literal, TypedDict

from ._advice import advice
from ._machine import Effect, Input, Machine
from .cursors import CursorStore


class StreamTuning(TypedDict, total=False):
    """Limits of the buffer and of batches, and the retries of a stream. The defaults suit most programs."""

    buffer_items: int
    """Messages that are kept before the consumer takes them: 1,024 unless given. Nothing is read beyond that. Prices and
    predictions have no such bound: the newest of each pair, or of each country and indicator, is kept."""
    buffer_bytes: int
    """Their characters: 4 Mi unless given. Not for prices and predictions."""
    batch_items: int
    """Most items of a batch: 256 unless given."""
    backoff_first: float
    """Longest pause before the first attempt after a loss, s: 1 unless given."""
    backoff_max: float
    """Longest pause before any attempt, s: 30 unless given."""
    max_attempts: int | None
    """Attempts in a row that may fail. Without it the stream goes on trying for ever."""
    on_step: Callable[[Input, Machine, list[Effect]], None] | None
    """Called after each step of the state machine. `machine.state` is the new state. What it raises ends the stream."""


class EventsOptions(StreamTuning, total=False):
    """Filters of the events, the place to begin at, and the tuning."""

    countries: list[str] | None
    families: list[str] | None
    types: list[str] | None
    cursor: str | None
    """Where to begin if the store has no cursor: a cursor, `earliest` or `latest`. Left out: live from now."""
    start: str | int | None
    """Where to begin instead of at a cursor, while the store has none: a sequence, as a number or as text, or a time such as
    `2026-09-01T08:00:00Z` or `2026-09-01`, which means the first event recorded at or after it."""
    store: CursorStore | None
    """Where the cursor is kept. Left out: nowhere."""
    on_lost_place: Literal["fail", "resume"]
    """What to do when the place is lost, for example because the events have expired: fail unless given."""
    on_moved: Callable[[str, str], None] | None
    """Called with the code and the new cursor when the stream continues elsewhere. What it raises ends the stream."""


class PricesOptions(StreamTuning, total=False):
    """The pairs, of which there must be one at least, and the tuning."""

    commodities: list[dict[str, str]] | None
    """For example `[{"commodity": "XAU", "currency": "EUR"}]`."""
    fx: list[dict[str, Any]] | None
    """For example `[{"base": "EUR", "currencies": ["USD"]}]`; without `currencies` all that are served."""


class PredictionsOptions(StreamTuning, total=False):
    """Filters of the predictions, and the tuning."""

    countries: list[str] | None
    indicators: list[str] | None


def check_counts(options: Mapping[str, Any]) -> None:
    """Raise a `ValueError` for a bound of nothing: the stream would give nothing, or end at its first loss."""
    for name in ("buffer_items", "buffer_bytes", "batch_items", "max_attempts"):
        value = options.get(name)
        if value is not None and (not isinstance(value, int) or value < 1):
            raise ValueError(f"{name} must be an integer of 1 or more: {value!r}")


def check_names(stream: str, given: Iterable[str], known: Collection[str]) -> None:
    """Raise a `TypeError` for an option that the stream does not have."""
    for name in given:
        if name not in known:
            raise TypeError(f"{stream}() has no option {name!r}. {advice(name, sorted(known))}")
