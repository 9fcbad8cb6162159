"""Streams of a program without an event loop: when they end, how often they are read, and in which thread what runs."""

from __future__ import annotations

import gc
import json
import os
import queue
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from test_faults import event
from websockets.exceptions import ConnectionClosed
from websockets.sync.server import ServerConnection, serve

from almanac_client import Almanac, MemoryCursor


@contextmanager
def events_server() -> Iterator[tuple[str, queue.Queue[int | None]]]:
    """A server that sends two events. Gives its address, and the close codes of its connections."""
    closes: queue.Queue[int | None] = queue.Queue()

    def answer(connection: ServerConnection) -> None:
        connection.send('{"type": "ready"}')
        connection.recv()
        # The client may close before it has been sent everything.
        try:
            for message in [{"type": "subscribed", "cursor": "c0"}, event(1, "1"), event(2, "2")]:
                connection.send(json.dumps(message))
            connection.recv()
        except ConnectionClosed:
            closes.put(connection.close_code)

    with serve(answer, "127.0.0.1", 0) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"ws://127.0.0.1:{server.socket.getsockname()[1]}", closes
        server.shutdown()


def stream_threads() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "almanac-stream"]


def test_a_loop_that_is_left_while_its_batch_is_in_use() -> None:
    store = MemoryCursor()
    with events_server() as (url, closes):
        stream = Almanac(streams_url=url).events(store=store)
        for batch in stream.batches():
            break
        assert closes.get(timeout=20) == 1000
        assert stream_threads() == []
        batch.ack()
    assert store.cursor in ("c1", "c2")


def test_an_iterator_that_is_forgotten() -> None:
    def first(url: str) -> Any:
        return next(Almanac(streams_url=url).events().batches())

    with events_server() as (url, closes):
        batch = first(url)
        assert closes.get(timeout=20) == 1000
        assert stream_threads() == []
    assert batch.items[0].id == "e1"


def test_an_iterator_that_is_freed_in_the_thread_of_its_stream() -> None:
    """The garbage collector may run there. The thread cannot wait for its own end."""
    collect = threading.Event()

    def on_step(*_: object) -> None:
        if collect.is_set():
            gc.collect()

    with events_server() as (url, closes):
        gc.disable()
        try:
            cycle: list[Any] = [Almanac(streams_url=url).events(on_step=on_step).batches()]
            cycle.append(cycle)
            batch = next(cycle[0])
            if len(batch.items) == 1:
                assert [one.id for one in next(cycle[0]).items] == ["e2"]
            # The loop is woken up as by a message.
            stream, loop = cycle[0]._reader._stream, cycle[0]._reader._loop
            del cycle
            collect.set()
            loop.call_soon_threadsafe(stream._feed, {"on": "heartbeat", "message": {}})
            assert closes.get(timeout=20) == 1000
            give_up = time.monotonic() + 20
            while stream_threads() and time.monotonic() < give_up:
                time.sleep(0.01)
            assert stream_threads() == []
        finally:
            gc.enable()


@pytest.mark.parametrize("how", ["items", "batches"])
def test_a_stream_is_read_once(how: str) -> None:
    with events_server() as (url, closes):
        stream = Almanac(streams_url=url).events()
        with stream.batches() as batches:
            next(batches)
            with pytest.raises(RuntimeError, match="A stream is read once. Open another one."):
                next(iter(stream if how == "items" else stream.batches()))
            # The first loop goes on.
            assert len(stream_threads()) == 1
            assert closes.empty()
        with pytest.raises(RuntimeError, match="A stream is read once"):
            next(iter(stream if how == "items" else stream.batches()))
        assert stream_threads() == []


class SqliteCursor:
    """A store whose connection is of this thread."""

    def __init__(self) -> None:
        self.database = sqlite3.connect(":memory:", check_same_thread=False)
        self.database.execute("CREATE TABLE cursors (cursor TEXT)")
        self.loaded_in: threading.Thread | None = None

    def load(self) -> str | None:
        self.loaded_in = threading.current_thread()
        row = self.database.execute("SELECT cursor FROM cursors").fetchone()
        return None if row is None else str(row[0])

    def save(self, cursor: str) -> None:
        with self.database:
            self.database.execute("DELETE FROM cursors")
            self.database.execute("INSERT INTO cursors VALUES (?)", (cursor,))


def test_a_store_in_sqlite() -> None:
    store = SqliteCursor()
    with events_server() as (url, _), Almanac(streams_url=url).events(store=store).batches() as batches:
        next(batches).ack()
    assert store.loaded_in is threading.main_thread()
    assert store.load() in ("c1", "c2")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_process_that_is_forked_while_a_stream_is_open() -> None:
    with events_server() as (url, closes):
        batches = Almanac(streams_url=url).events().batches()
        next(batches)
        child = os.fork()
        if child == 0:
            # As the end of a program does: the stream's thread is not here.
            batches.close()
            os._exit(7)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
        batches.close()
        assert closes.get(timeout=20) == 1000
