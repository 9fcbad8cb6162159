"""A stream for programs without an event loop. The loop runs in a thread, so that pings are answered while you work."""

from __future__ import annotations

import asyncio
import threading
import weakref
from collections.abc import Coroutine, Iterator
from typing import Any, Generic, TypeVar

from ._batch import StreamBatch, one_by_one
from ._source import StreamSource
from ._stream import AsyncStream

T = TypeVar("T")
R = TypeVar("R")


class SyncStream(Generic[T]):
    """Survives lost connections. The first pull opens it, and the end of the loop over it closes it."""

    def __init__(self, source: StreamSource[T]) -> None:
        self._source = source
        self._stream = AsyncStream(source)

    def __iter__(self) -> Iterator[T]:
        """Each item by itself. Items are acknowledged at the end of their batch, and where the loop ends."""
        with _Batches(self._stream, self._stream._most_by_item) as batches:
            for batch in batches:
                yield from one_by_one(batch)

    def batches(self) -> _Batches[T]:
        """Items as they have arrived, to be acknowledged by `batch.ack()`. Resumes at the store's cursor."""
        return _Batches(self._stream, self._source.batch_items)


# Time for which the garbage collector and the end of the program wait for a stream whose loop was left, s.
LONGEST_WAIT = 5.0


class _Batches(Generic[T]):
    """An iterator over batches. `close` ends the stream and its thread; so do the end of the iteration and leaving it."""

    def __init__(self, stream: AsyncStream[T], most: int) -> None:
        self._reader = _Reader(stream, most)
        # A loop that is left only lets go of its iterator.
        self._close = weakref.finalize(self, self._reader.close, LONGEST_WAIT)

    def __iter__(self) -> _Batches[T]:
        return self

    def __next__(self) -> StreamBatch[T]:
        try:
            batch = self._reader.next()
        except BaseException:
            self.close()
            raise
        if batch is None:
            self.close()
            raise StopIteration
        return batch

    def __enter__(self) -> _Batches[T]:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._close.detach()
        self._reader.close()


class _Reader(Generic[T]):
    """Runs a stream in a thread. The batches refer to it, and not to their iterator, which would never be freed then."""

    def __init__(self, stream: AsyncStream[T], most: int) -> None:
        self._stream, self._most = stream, most
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._pull: asyncio.Task[Any] | None = None
        self._is_closed = False

    def next(self) -> StreamBatch[T] | None:
        if self._is_closed:
            return None
        if self._loop is None:
            # Here, and not in the stream's thread, because a connection of sqlite3 works only in the thread that made it.
            self._stream._load()
        batch = self._run(self._next())
        if batch is None:
            return None
        # Acknowledged in the stream's own thread, where its state is.
        return StreamBatch(batch.items, batch.cursor, batch.is_caught_up, lambda count: self._ack(batch, count))

    def close(self, wait: float | None = None) -> None:
        if self._is_closed:
            return
        self._is_closed = True
        # A process that was forked has the stream without its thread.
        if self._loop is None or self._thread is None or not self._thread.is_alive():
            return
        loop = self._loop
        ended = asyncio.run_coroutine_threadsafe(self._end(), loop)
        ended.add_done_callback(lambda _: loop.call_soon_threadsafe(loop.stop))
        # The garbage collector may call this in the stream's thread, which cannot wait for itself.
        if threading.current_thread() is not self._thread:
            self._thread.join(wait)
            if not self._thread.is_alive():
                ended.result()

    def _ack(self, batch: StreamBatch[T], count: int) -> None:
        async def acknowledge() -> None:
            batch.ack(count)

        if self._is_closed:
            batch.ack(count)
        else:
            self._run(acknowledge())

    async def _next(self) -> StreamBatch[T] | None:
        self._pull = asyncio.current_task()
        return await self._stream._pull(self._most)

    async def _end(self) -> None:
        try:
            await self._stream.aclose()
        finally:
            # After Ctrl-C the last pull may still run. It ends with the stream.
            if self._pull is not None:
                await asyncio.wait([self._pull])

    def _run(self, work: Coroutine[Any, Any, R]) -> R:
        if self._loop is None:
            loop = asyncio.new_event_loop()
            thread = threading.Thread(target=_serve, args=[loop], name="almanac-stream", daemon=True)
            thread.start()
            # Only now, because `close` waits for a loop that runs.
            self._loop, self._thread = loop, thread
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    try:
        loop.run_forever()
    finally:
        loop.close()
