"""A stream for programs without an event loop. The loop runs in a thread, so that pings are answered while you work."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator, Coroutine, Iterator
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

    def __iter__(self) -> Iterator[T]:
        """Each item by itself. Items are acknowledged at the end of their batch, and where the loop ends."""
        with self.batches() as batches:
            for batch in batches:
                yield from one_by_one(batch)

    def batches(self) -> _Batches[T]:
        """Items as they have arrived, to be acknowledged by `batch.ack()`. Resumes at the store's cursor."""
        return _Batches(self._source)


class _Batches(Generic[T]):
    """An iterator over batches. `close` ends the stream and its thread; the end of the iteration does so too."""

    def __init__(self, source: StreamSource[T]) -> None:
        self._source = source
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._batches: AsyncGenerator[StreamBatch[T], None] | None = None
        self._pull: asyncio.Task[Any] | None = None
        self._is_closed = False

    def __iter__(self) -> _Batches[T]:
        return self

    def __next__(self) -> StreamBatch[T]:
        if self._is_closed:
            raise StopIteration
        try:
            batch = self._run(self._next())
        except BaseException:
            self.close()
            raise
        if batch is None:
            self.close()
            raise StopIteration
        # Acknowledged in the stream's own thread, where its state is.
        return StreamBatch(batch.items, batch.cursor, batch.is_caught_up, lambda count: self._ack(batch, count))

    def __enter__(self) -> _Batches[T]:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        if self._is_closed:
            return
        self._is_closed = True
        if self._loop is None or self._thread is None:
            return
        self._run(self._end())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _ack(self, batch: StreamBatch[T], count: int) -> None:
        async def acknowledge() -> None:
            batch.ack(count)

        if self._is_closed:
            batch.ack(count)
        else:
            self._run(acknowledge())

    async def _next(self) -> StreamBatch[T] | None:
        if self._batches is None:
            self._batches = AsyncStream(self._source).batches()
        self._pull = asyncio.current_task()
        return await anext(self._batches, None)

    async def _end(self) -> None:
        # After Ctrl-C the last pull may still run, and a generator that runs cannot be closed.
        if self._pull is not None:
            self._pull.cancel()
            await asyncio.wait([self._pull])
        if self._batches is not None:
            await self._batches.aclose()

    def _run(self, work: Coroutine[Any, Any, R]) -> R:
        if self._loop is None:
            loop = asyncio.new_event_loop()
            thread = threading.Thread(target=loop.run_forever, name="almanac-stream", daemon=True)
            thread.start()
            # Only now, because `close` waits for a loop that runs.
            self._loop, self._thread = loop, thread
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()
