"""The shell around the machine: socket, timer and buffer of one stream."""

from __future__ import annotations

import asyncio
import json
import random
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from ._frames import read_frame
from ._machine import Effect, Input, Machine, MachineOptions, step
from .cursors import CursorStore
from .errors import ProblemError, StreamError

T = TypeVar("T")

# Share of the buffer that may be used when reading goes on, and when a closed connection is opened again.
_RESUME_AT = 0.75
_REOPEN_AT = 0.5
_MAX_FRAME_BYTES = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Tuning:
    """How a stream keeps, batches and retries. The defaults suit most programs."""

    buffer_items: int = 1024
    """Messages that are kept before the consumer takes them. Nothing is read beyond that."""
    buffer_bytes: int = 4 * 1024 * 1024
    batch_items: int = 256
    backoff_first: float = 1.0
    """Longest pause before the first attempt, s."""
    backoff_max: float = 30.0
    max_attempts: int | None = None
    """Attempts in a row that may fail. None: the stream goes on trying for ever."""
    on_step: Callable[[Input, Machine, list[Effect]], None] | None = None
    """Called after each step of the state machine. `machine.state` is the new state."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source(Generic[T]):
    """Where a stream's messages come from, and what becomes of them. Made by the client."""

    subscribe: dict[str, Any]
    address: Callable[[], Awaitable[tuple[str, dict[str, str]]]]
    uses_tickets: bool
    item: Callable[[dict[str, Any]], T]
    cursor: str | None = None
    start: str | None = None
    """Where to begin while no cursor is known: a sequence or a time."""
    store: CursorStore | None = None
    on_lost_place: str = "fail"
    on_moved: Callable[[str, str], None] | None = None
    tuning: Tuning = field(default_factory=Tuning)


@dataclass(frozen=True, slots=True)
class _Entry(Generic[T]):
    items: tuple[T, ...]
    cursor: str | None
    size: int
    is_caught_up: bool = False


@dataclass(frozen=True, slots=True)
class Batch(Generic[T]):
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


class AsyncStream(Generic[T]):
    """A stream that survives lost connections. The first pull opens it, and the end of the loop over it closes it."""

    def __init__(self, source: Source[T]) -> None:
        self._source = source
        self._tuning = source.tuning
        self._machine = Machine(source.cursor)
        self._options: MachineOptions | None = None
        self._buffer: deque[_Entry[T]] = deque()
        self._bytes = 0
        self._frame_size = 0
        self._connection = 0
        self._reader: asyncio.Task[None] | None = None
        self._socket: ClientConnection | None = None
        self._outgoing: str | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._deadline: float | None = None
        self._changed = asyncio.Event()
        self._readable = asyncio.Event()
        self._readable.set()
        self._failure: dict[str, Any] | None = None
        self._fault: Exception | None = None
        self._taken = 0
        self._acknowledged = 0
        self._delivered = 0
        self._closing: set[asyncio.Task[None]] = set()

    @property
    def state(self) -> str:
        return self._machine.state

    @property
    def is_caught_up(self) -> bool:
        """Whether the stream is live: everything on record has been received."""
        return self._machine.caught_up

    async def __aiter__(self) -> AsyncGenerator[T, None]:
        """Each item by itself. It is acknowledged when the next one is asked for."""
        batches = self.batches()
        try:
            async for batch in batches:
                processed = 0
                try:
                    for item in batch.items:
                        yield item
                        processed += 1
                finally:
                    # Also where the loop is left: the item at which it is left may not be processed.
                    if processed > 0 or not batch.items:
                        batch.ack(processed)
        finally:
            await batches.aclose()

    async def batches(self) -> AsyncGenerator[Batch[T], None]:
        """Items as they have arrived, to be acknowledged by `batch.ack()`. Resumes at the store's cursor."""
        self._start()
        try:
            while (batch := await self._pull()) is not None:
                yield batch
        finally:
            await self.aclose()

    async def aclose(self) -> None:
        """Close the connection. The consumer's loop ends."""
        self._feed({"on": "stop"})
        while self._closing:
            await asyncio.gather(*self._closing, return_exceptions=True)

    def _start(self) -> None:
        if self._options is not None:
            raise RuntimeError("A stream is read once. Open another one.")
        source, tuning = self._source, self._tuning
        saved = source.store.load() if source.store else None
        self._options = MachineOptions(
            cursor=saved or source.cursor,
            uses_tickets=source.uses_tickets,
            on_lost_place=source.on_lost_place,
            max_attempts=tuning.max_attempts,
            first_ms=tuning.backoff_first * 1000,
            max_ms=tuning.backoff_max * 1000,
        )
        if self._machine.state == "idle":
            self._machine = Machine(self._options.cursor)
            self._feed({"on": "start"})

    async def _pull(self) -> Batch[T] | None:
        while not self._buffer:
            if self._fault is not None:
                raise self._fault
            if self._failure is not None:
                raise StreamError(**self._failure)
            if self._machine.state == "closed":
                return None
            self._changed.clear()
            await self._changed.wait()
        if self._machine.state == "closed":
            return None
        return self._take()

    def _take(self) -> Batch[T]:
        """Take the oldest items, up to the point where the stream was caught up."""
        items: list[T] = []
        cursors: list[str | None] = []
        is_caught_up = False
        while self._buffer and len(items) < self._tuning.batch_items and not is_caught_up:
            entry = self._buffer.popleft()
            items.extend(entry.items)
            cursors.append(entry.cursor)
            self._bytes -= entry.size
            is_caught_up = entry.is_caught_up
        self._taken += len(items)
        first = self._taken - len(items)
        if self._has_room():
            self._feed({"on": "low"})

        def acknowledge(count: int) -> None:
            last = cursors[-1] if count == len(items) else cursors[count - 1]
            self._acknowledge(first + count, last)

        return Batch(items, cursors[-1], is_caught_up, acknowledge)

    def _has_room(self) -> bool:
        state = self._machine.state
        share = {"paused": _RESUME_AT, "parked": _REOPEN_AT}.get(state)
        return share is not None and not self._is_above(share)

    def _is_above(self, share: float) -> bool:
        return (
            len(self._buffer) >= self._tuning.buffer_items * share
            or self._bytes >= self._tuning.buffer_bytes * share
        )

    def _acknowledge(self, through: int, cursor: str | None) -> None:
        if through < self._acknowledged:
            return
        self._acknowledged = through
        # Behind the last item the machine may know a later place, from a checkpoint.
        place = self._machine.cursor if self._acknowledged == self._delivered else cursor
        if place is not None and self._source.store is not None:
            self._source.store.save(place)

    def _feed(self, given: Input) -> None:
        if self._options is None:
            # Never started: there is nothing to close.
            if given["on"] == "stop":
                self._machine = replace(self._machine, state="closed")
            return
        before = self._machine.state
        self._machine, effects = step(self._machine, given, self._options, random.random())
        if self._machine.state != before:
            self._deadline = None
        for effect in effects:
            getattr(self, f"_do_{effect['do']}")(effect)
        # The timer belongs to the state that was left.
        if self._deadline is None:
            self._clear_timer()
        if self._tuning.on_step:
            self._tuning.on_step(given, self._machine, effects)

    def _do_connect(self, _: Effect) -> None:
        self._connection += 1
        self._outgoing = None
        self._readable.set()
        self._reader = asyncio.ensure_future(self._read(self._connection))

    def _do_close(self, _: Effect) -> None:
        self._connection += 1
        reader, self._reader = self._reader, None
        self._socket = None
        self._readable.set()
        if reader is None:
            return
        self._closing.add(reader)
        reader.add_done_callback(self._closing.discard)
        # The reader may be the caller, which then sees that its connection is over.
        if reader is not asyncio.current_task():
            reader.cancel()

    def _do_pause(self, _: Effect) -> None:
        self._readable.clear()

    def _do_resume(self, _: Effect) -> None:
        self._readable.set()

    def _do_subscribe(self, effect: Effect) -> None:
        message = {"action": "subscribe", **self._source.subscribe}
        if effect["cursor"] is not None:
            message["cursor"] = effect["cursor"]
        elif self._source.start is not None:
            message["start"] = self._source.start
        # Sent by the reader, which alone may wait for the socket.
        self._outgoing = json.dumps(message)

    def _do_timer(self, effect: Effect) -> None:
        self._set_timer(effect["ms"] / 1000)

    def _do_deliver(self, effect: Effect) -> None:
        self._delivered += 1
        item = self._source.item(effect["message"])
        self._buffer.append(_Entry((item,), effect["cursor"], self._frame_size))
        self._bytes += self._frame_size
        self._changed.set()

    def _do_mark(self, effect: Effect) -> None:
        cursor, is_caught_up = effect["cursor"], effect["caught_up"]
        if self._buffer:
            last = self._buffer.pop()
            caught_up = is_caught_up or last.is_caught_up
            self._buffer.append(replace(last, cursor=cursor, is_caught_up=caught_up))
        elif is_caught_up:
            self._buffer.append(_Entry((), cursor, 0, True))
        self._changed.set()
        if self._acknowledged == self._delivered and self._source.store is not None:
            # The consumer waits for nothing here, so it hears of a failure at its next pull.
            try:
                self._source.store.save(cursor)
            except Exception as error:
                self._break(error)

    def _break(self, error: Exception) -> None:
        """End the stream by an error of this program: the consumer gets it after what is in the buffer."""
        self._fault = error
        self._changed.set()

    def _do_moved(self, effect: Effect) -> None:
        if self._source.on_moved:
            self._source.on_moved(effect["code"], effect["cursor"])

    def _do_fail(self, effect: Effect) -> None:
        self._failure = {name: value for name, value in effect.items() if name != "do"}
        self._changed.set()

    def _do_finish(self, _: Effect) -> None:
        self._changed.set()

    async def _read(self, connection: int) -> None:
        """Open a socket and read it, until this connection is no longer the current one."""

        def feed(given: Input) -> None:
            if connection == self._connection:
                self._feed(given)

        try:
            url, headers = await self._source.address()
            socket = await connect(
                url,
                additional_headers=headers,
                compression=None,
                max_size=_MAX_FRAME_BYTES,
                # The machine's own timers watch the connection.
                ping_interval=None,
                open_timeout=None,
                close_timeout=1,
            )
        except asyncio.CancelledError:
            raise
        except Exception as error:
            return feed({"on": "refused", **_refusal(error)})
        try:
            if connection != self._connection:
                return
            self._socket = socket
            feed({"on": "opened"})
            while connection == self._connection:
                # While nothing is received, the library stops reading once its own short queue is full.
                await self._readable.wait()
                data = await socket.recv()
                if connection != self._connection:
                    return
                self._frame_size = len(data)
                feed(read_frame(data))
                if self._outgoing is not None:
                    text, self._outgoing = self._outgoing, None
                    await socket.send(text)
                if connection == self._connection and self._is_above(1):
                    feed({"on": "full"})
        except ConnectionClosed as closed:
            received = closed.rcvd
            code, reason = (received.code, received.reason) if received else (1006, "")
            feed({"on": "closed", "code": code, "reason": reason})
        except Exception as error:
            # A message that is not what the service describes, or a callback that fails.
            self._break(error)
        finally:
            await socket.close(1000)

    def _set_timer(self, seconds: float) -> None:
        """Set the deadline. A timer that is due before it stays, and looks again: deadlines move with every message."""
        loop = asyncio.get_running_loop()
        self._deadline = loop.time() + seconds
        if self._timer is not None and self._timer.when() <= self._deadline:
            return
        self._clear_timer()
        self._timer = loop.call_at(self._deadline, self._timer_fired)

    def _clear_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _timer_fired(self) -> None:
        self._timer = None
        if self._deadline is None:
            return
        left = self._deadline - asyncio.get_running_loop().time()
        if left > 0:
            self._set_timer(left)
        else:
            self._deadline = None
            self._feed({"on": "timeout"})


def _refusal(error: Exception) -> Input:
    """What an error in connecting, or in fetching a ticket, tells the machine."""
    if isinstance(error, InvalidStatus):
        status, header = error.response.status_code, error.response.headers.get("Retry-After")
        refusal: Input = {"status": status, "detail": f"The handshake was answered with status {status}."}
        return {**refusal, "retry_after_ms": int(header) * 1000} if header and header.isdigit() else refusal
    if isinstance(error, ProblemError):
        refusal = {"status": error.status, "code": error.code, "detail": str(error)}
        return refusal if error.retry_after is None else {**refusal, "retry_after_ms": error.retry_after * 1000}
    return {"detail": str(error) or type(error).__name__}
