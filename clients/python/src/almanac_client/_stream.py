"""The shell around the machine: it feeds the machine inputs, and carries out its effects."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator
from contextlib import closing
from dataclasses import replace
from typing import Any, Generic, TypeVar

from ._batch import StreamBatch, one_by_one
from ._buffer import MessageBuffer
from ._connection import Connection
from ._deadline import Deadline
from ._frames import read_frame
from ._machine import Effect, Input, Machine, MachineOptions, step
from ._source import StreamSource
from .errors import StreamError

T = TypeVar("T")

# Share of the buffer that may be used when reading goes on, and when a closed connection is opened again.
_ROOM = {"paused": 0.75, "parked": 0.5}


class AsyncStream(Generic[T]):
    """A stream that survives lost connections. The first pull opens it, and the end of the loop over it closes it."""

    def __init__(self, source: StreamSource[T]) -> None:
        self._source = source
        self._machine = Machine(source.cursor)
        self._options: MachineOptions | None = None
        self._buffer: MessageBuffer[T] = MessageBuffer(source.buffer_items, source.buffer_bytes, source.key)
        self._connection = Connection(source.address, self._feed, self._take_frame, self._break)
        self._deadline = Deadline(lambda: self._feed({"on": "timeout"}))
        self._changed = asyncio.Event()
        # Length of the frame that is being taken.
        self._frame_size = 0
        self._failure: dict[str, Any] | None = None
        # An error of this program: of a callback, a converter, the store, or what `ticket` returned.
        self._fault: Exception | None = None
        # Items delivered into the buffer, taken from it by the consumer, and of these acknowledged.
        self._delivered = 0
        self._taken = 0
        self._acknowledged = 0

    @property
    def state(self) -> str:
        return self._machine.state

    @property
    def is_caught_up(self) -> bool:
        """Whether the stream is live: everything on record has been received."""
        return self._machine.caught_up

    async def __aiter__(self) -> AsyncGenerator[T, None]:
        """Each item by itself. Items are acknowledged at the end of their batch, and where the loop ends."""
        batches = self._batches(self._most_by_item)
        try:
            async for batch in batches:
                with closing(one_by_one(batch)) as items:
                    for item in items:
                        yield item
        finally:
            await batches.aclose()

    def batches(self) -> AsyncGenerator[StreamBatch[T], None]:
        """Items as they have arrived, to be acknowledged by `batch.ack()`. Resumes at the store's cursor."""
        return self._batches(self._source.batch_items)

    async def _batches(self, most: int) -> AsyncGenerator[StreamBatch[T], None]:
        self._load()
        try:
            while (batch := await self._pull(most)) is not None:
                yield batch
        finally:
            await self.aclose()

    async def aclose(self) -> None:
        """Close the connection. The consumer's loop ends."""
        try:
            self._step({"on": "stop"})
        finally:
            await self._connection.wait_closed()

    @property
    def _most_by_item(self) -> int:
        """Most items of a batch that is read item by item: one where the others would become outdated meanwhile."""
        return self._source.batch_items if self._source.key is None else 1

    def _load(self) -> None:
        """Find out where to begin. Needs no event loop, so that a store's `load` can run in the thread of the program."""
        if self._options is not None:
            raise RuntimeError("A stream is read once. Open another one.")
        source = self._source
        saved = source.store.load() if source.store else None
        self._options = MachineOptions(
            cursor=saved or source.cursor,
            uses_tickets=source.uses_tickets,
            on_lost_place=source.on_lost_place,
            max_attempts=source.max_attempts,
            first_ms=source.backoff_first * 1000,
            max_ms=source.backoff_max * 1000,
        )
        if self._machine.state == "idle":
            self._machine = Machine(self._options.cursor)

    async def _pull(self, most: int) -> StreamBatch[T] | None:
        if self._machine.state == "idle":
            self._feed({"on": "start"})
        while not self._buffer:
            if self._fault is not None:
                raise self._fault
            if self._failure is not None:
                raise StreamError(**self._failure)
            if self._is_stopped():
                return None
            self._changed.clear()
            await self._changed.wait()
        return None if self._is_stopped() else self._take(most)

    def _is_stopped(self) -> bool:
        """Whether the consumer has stopped the stream. A fault ends it too, but lets what is in the buffer be taken."""
        return self._machine.state == "closed" and self._fault is None

    def _take(self, most: int) -> StreamBatch[T]:
        taken = self._buffer.take(most)
        first, cursors = self._taken, taken.cursors
        self._taken += len(taken.items)
        room = _ROOM.get(self._machine.state)
        if room is not None and not self._buffer.is_above(room):
            self._feed({"on": "low"})

        def acknowledge(count: int) -> None:
            # An index of -1 would be the end of the batch, behind items that are not acknowledged.
            behind = cursors[-1] if count == len(taken.items) else cursors[count - 1] if count > 0 else None
            self._acknowledge(first + count, behind)

        return StreamBatch(taken.items, cursors[-1], taken.is_caught_up, acknowledge)

    def _acknowledge(self, through: int, cursor: str | None) -> None:
        if through < self._acknowledged:
            return
        self._acknowledged = through
        # Behind the last item the machine may know a later place, from a checkpoint.
        self._save(self._machine.cursor if self._acknowledged == self._delivered else cursor)

    def _save(self, cursor: str | None) -> None:
        if cursor is not None and self._source.store is not None:
            self._source.store.save(cursor)

    def _take_frame(self, data: str | bytes) -> None:
        self._frame_size = len(data)
        self._feed(read_frame(data))
        if self._buffer.is_above(1):
            self._feed({"on": "full"})

    def _feed(self, given: Input) -> None:
        """Take an input. What a callback raises goes to the consumer: in a task or a timer it would only be logged."""
        try:
            self._step(given)
        except Exception as error:
            self._break(error)

    def _break(self, error: Exception) -> None:
        """End the stream by an error of this program. The consumer gets it after what is in the buffer.

        Nothing more is received, because the message at fault would be left out.
        """
        self._fault = self._fault or error
        self._step({"on": "stop"})
        self._changed.set()

    def _step(self, given: Input) -> None:
        if self._options is None:
            # Never started: there is nothing to close.
            if given["on"] == "stop":
                self._machine = replace(self._machine, state="closed")
            return
        before = self._machine.state
        self._machine, effects = step(self._machine, given, self._options, random.random())
        # The deadline belongs to the state that was left.
        if self._machine.state != before:
            self._deadline.clear()
        for effect in effects:
            self._perform(effect)
        # After a fault the consumer gets that one error, and not what the callback raises at the end.
        if self._source.on_step and self._fault is None:
            self._source.on_step(given, self._machine, effects)

    def _perform(self, effect: Effect) -> None:
        match effect["do"]:
            case "connect":
                self._connection.open()
            case "close":
                self._connection.close()
            case "pause":
                self._connection.pause()
            case "resume":
                self._connection.resume()
            case "subscribe":
                place = {}
                if effect["cursor"] is not None:
                    place = {"cursor": effect["cursor"]}
                elif self._source.start is not None:
                    place = {"start": str(self._source.start)}
                self._connection.send({"action": "subscribe", **self._source.subscribe, **place})
            case "timer":
                self._deadline.set(effect["ms"] / 1000)
            case "deliver":
                self._delivered += 1
                self._buffer.add(self._source.item(effect["message"]), effect["cursor"], self._frame_size)
                self._changed.set()
            case "mark":
                self._buffer.mark(effect["cursor"], effect["caught_up"])
                self._changed.set()
                if self._acknowledged == self._delivered:
                    self._save(effect["cursor"])
            case "moved":
                if self._source.on_moved:
                    self._source.on_moved(effect["code"], effect["cursor"])
            case "fail":
                self._failure = {name: value for name, value in effect.items() if name != "do"}
                self._changed.set()
            case "finish":
                self._changed.set()
