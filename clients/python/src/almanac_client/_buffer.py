"""Messages that were received and not yet taken by the consumer."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
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
    """Bounded by its user, who asks `is_above` and stops reading.

    With `key` it holds the newest item of each key, in the place of the one that it replaces. The server bounds the keys of a
    subscription, so reading never has to stop: what waits would become outdated.
    """

    def __init__(self, max_items: int, max_bytes: int, key: Callable[[T], Hashable] | None = None) -> None:
        # By the item's key. Without keys each entry has one of its own.
        self._entries: OrderedDict[Hashable, _Entry[T]] = OrderedDict()
        self._bytes = 0
        self._max_items, self._max_bytes = max_items, max_bytes
        self._key = key

    def __len__(self) -> int:
        return len(self._entries)

    def is_above(self, share: float) -> bool:
        """Whether this share of the bound, or more, is used; 1: all of it."""
        if self._key is not None:
            return False
        return len(self._entries) >= self._max_items * share or self._bytes >= self._max_bytes * share

    def add(self, item: T, cursor: str | None, size: int) -> None:
        key = object() if self._key is None else self._key(item)
        replaced = self._entries.get(key)
        self._entries[key] = _Entry((item,), cursor, size)
        self._bytes += size - (replaced.size if replaced else 0)

    def mark(self, cursor: str, is_caught_up: bool) -> None:
        """Note a cursor behind everything so far."""
        if self._entries:
            key = next(reversed(self._entries))
            last = self._entries[key]
            self._entries[key] = replace(last, cursor=cursor, is_caught_up=is_caught_up or last.is_caught_up)
        elif is_caught_up:
            self._entries[object()] = _Entry((), cursor, 0, True)

    def take(self, most: int) -> Taken[T]:
        """Take the oldest items, up to the point where the stream was caught up."""
        items: list[T] = []
        cursors: list[str | None] = []
        is_caught_up = False
        while self._entries and len(items) < most and not is_caught_up:
            _, entry = self._entries.popitem(last=False)
            items.extend(entry.items)
            cursors.append(entry.cursor)
            self._bytes -= entry.size
            is_caught_up = entry.is_caught_up
        return Taken(items, cursors, is_caught_up)
