"""The timer of a stream."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


class Deadline:
    """A deadline that each message moves on. A timer that is due before it stays, and looks again: a new one costs more."""

    def __init__(self, on_passed: Callable[[], None]) -> None:
        self._on_passed = on_passed
        self._at: float | None = None
        self._timer: asyncio.TimerHandle | None = None

    def set(self, seconds: float) -> None:
        loop = asyncio.get_running_loop()
        self._at = loop.time() + seconds
        if self._timer is not None and self._timer.when() <= self._at:
            return
        if self._timer is not None:
            self._timer.cancel()
        self._timer = loop.call_at(self._at, self._look)

    def clear(self) -> None:
        self._at = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _look(self) -> None:
        self._timer = None
        if self._at is None:
            return
        left = self._at - asyncio.get_running_loop().time()
        if left > 0:
            self.set(left)
        else:
            self._at = None
            self._on_passed()
