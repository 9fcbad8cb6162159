"""Ctrl-C in a stream without an event loop: a real SIGINT to a program of its own."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest
from test_faults import event
from websockets.asyncio.server import ServerConnection, serve

# Prints each item. At the item that is named, it works until it is interrupted.
PROGRAM = """
import signal, sys, time
from almanac_client import Almanac, FileCursor

signal.signal(signal.SIGINT, signal.default_int_handler)
url, cursor, long_item = sys.argv[1:]
for event in Almanac(streams_url=url).events(store=FileCursor(cursor)):
    print(event.id, flush=True)
    if event.id == long_item:
        time.sleep(60)
"""


@pytest.mark.parametrize(("long_item", "saved"), [("none", "c2"), ("e2", "c1")])
def test_ctrl_c(long_item: str, saved: str, tmp_path: Path) -> None:
    """Interrupts the wait for a third item, or the work at the second one, which must come again."""
    cursor = tmp_path / "cursor"
    closed: asyncio.Queue[int | None] = asyncio.Queue()

    async def answer(connection: ServerConnection) -> None:
        await connection.send('{"type": "ready"}')
        await connection.recv()
        for message in [{"type": "subscribed", "cursor": "c0"}, event(1, "1"), event(2, "2")]:
            await connection.send(json.dumps(message))
        await connection.wait_closed()
        closed.put_nowait(connection.close_code)

    async def use() -> None:
        async with serve(answer, "127.0.0.1", 0) as server:
            url = f"ws://127.0.0.1:{next(iter(server.sockets)).getsockname()[1]}"
            arguments = [sys.executable, "-c", PROGRAM, url, str(cursor), long_item]
            program = await asyncio.create_subprocess_exec(*arguments, stdout=PIPE, stderr=PIPE)
            assert program.stdout
            assert [await program.stdout.readline() for _ in range(2)] == [b"e1\n", b"e2\n"]
            # It waits for a third item once it has acknowledged the second one.
            while long_item == "none" and (not cursor.exists() or cursor.read_text() != "c2\n"):
                await asyncio.sleep(0.01)
            program.send_signal(signal.SIGINT)
            _, stderr = await program.communicate()
            # Python ends by the signal itself after a KeyboardInterrupt.
            assert (program.returncode, stderr.decode().splitlines()[-1]) == (-signal.SIGINT, "KeyboardInterrupt")
            assert "another exception" not in stderr.decode()
            assert (await closed.get(), cursor.read_text()) == (1000, f"{saved}\n")

    asyncio.run(asyncio.wait_for(use(), 20))
