"""Where a stream's messages come from, and what becomes of them. Made by the client."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from ._machine import Effect, Input, Machine
from .cursors import CursorStore

T = TypeVar("T")
Address = Callable[[], Awaitable[tuple[str, dict[str, str]]]]
"""Returns address and headers of a new connection. Requests a ticket where tickets are used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamSource(Generic[T]):
    """The fields with a default are the options of `options.py`, which explains them."""

    subscribe: dict[str, Any]
    """The subscribe message, without the cursor."""
    address: Address
    uses_tickets: bool
    item: Callable[[dict[str, Any]], T]
    cursor: str | None = None
    store: CursorStore | None = None
    on_lost_place: str = "fail"
    on_moved: Callable[[str, str], None] | None = None
    buffer_items: int = 1024
    buffer_bytes: int = 4 * 1024 * 1024
    batch_items: int = 256
    backoff_first: float = 1.0
    backoff_max: float = 30.0
    max_attempts: int | None = None
    on_step: Callable[[Input, Machine, list[Effect]], None] | None = None
