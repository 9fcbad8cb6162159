"""Batches of a stream, and their items one by one."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class StreamBatch(Generic[T]):
    """Items that belong together, in order, with the place behind them."""

    items: list[T]
    cursor: str | None
    """Cursor behind the last item; None on streams without cursors."""
    is_caught_up: bool
    """Whether everything on record had been sent by the end of this batch. Such a batch may have no items."""
    _acknowledge: Callable[[int], None]

    def ack(self, count: int | None = None) -> None:
        """Save the cursor behind the first `count` items, or behind all. Call it once they have been processed."""
        self._acknowledge(len(self.items) if count is None else count)


def one_by_one(batch: StreamBatch[T]) -> Generator[T, None, None]:
    """Yield each item. At the end, those are acknowledged after which another one, or the end, was asked for."""
    processed = 0
    try:
        for item in batch.items:
            yield item
            processed += 1
    finally:
        # Also where the loop is left: the item at which it is left may not be processed.
        if processed > 0 or not batch.items:
            batch.ack(processed)
