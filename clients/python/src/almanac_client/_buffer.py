"""Messages that were received and not yet taken by the consumer."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Entry(Generic[T]):
    items: tuple[T, ...]
    cursor: str | None
    size: int
    is_caught_up: bool = False


@dataclass(frozen=True, slots=True)
class Taken(Generic[T]):
    """Content taken out at once: items, the cursor behind each, and whether the stream was live behind the last."""

    items: list[T]
    cursors: list[str | None]
    is_caught_up: bool


class MessageBuffer(Generic[T]):
    """Bounded by its user, who asks `is_above` and stops reading."""

    def __init__(self, max_items: int, max_bytes: int) -> None:
        self._entries: deque[_Entry[T]] = deque()
        self._bytes = 0
        self._max_items, self._max_bytes = max_items, max_bytes

    def __len__(self) -> int:
        return len(self._entries)

    def is_above(self, share: float) -> bool:
        """Whether this share of the bound, or more, is used; 1: all of it."""
        return len(self._entries) >= self._max_items * share or self._bytes >= self._max_bytes * share

    def add(self, item: T, cursor: str | None, size: int) -> None:
        self._entries.append(_Entry((item,), cursor, size))
        self._bytes += size

    def mark(self, cursor: str, is_caught_up: bool) -> None:
        """Note a cursor behind everything so far."""
        if self._entries:
            last = self._entries.pop()
            self._entries.append(replace(last, cursor=cursor, is_caught_up=is_caught_up or last.is_caught_up))
        elif is_caught_up:
            self._entries.append(_Entry((), cursor, 0, True))

    def take(self, most: int) -> Taken[T]:
        """Take the oldest items, up to the point where the stream was caught up."""
        items: list[T] = []
        cursors: list[str | None] = []
        is_caught_up = False
        while self._entries and len(items) < most and not is_caught_up:
            entry = self._entries.popleft()
            items.extend(entry.items)
            cursors.append(entry.cursor)
            self._bytes -= entry.size
            is_caught_up = entry.is_caught_up
        return Taken(items, cursors, is_caught_up)
