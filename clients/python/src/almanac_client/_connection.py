"""The connection of a stream."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus, InvalidURI, SecurityError

from ._machine import Input
from ._rest import problem_members
from ._source import Address, is_stream_url
from .errors import RestError

_MAX_FRAME_BYTES = 16 * 1024 * 1024
_WANTED_OF_TICKET = "`ticket` must return the `url` of a ticket, a string that begins with ws:// or wss://."


class Connection:
    """One connection at a time. What an older one still reports is ignored."""

    def __init__(
        self,
        address: Address,
        on_input: Callable[[Input], None],
        on_frame: Callable[[str | bytes], None],
        on_fault: Callable[[Exception], None],
    ) -> None:
        self._address, self._on_input, self._on_frame, self._on_fault = address, on_input, on_frame, on_fault
        # Counts the connections.
        self._current = 0
        self._reader: asyncio.Task[None] | None = None
        self._outgoing: str | None = None
        self._readable = asyncio.Event()
        self._readable.set()
        self._closing: set[asyncio.Task[None]] = set()

    def open(self) -> None:
        self._current += 1
        self._outgoing = None
        self._readable.set()
        self._reader = asyncio.ensure_future(self._read(self._current))

    def close(self) -> None:
        self._current += 1
        reader, self._reader = self._reader, None
        self._readable.set()
        if reader is None:
            return
        self._closing.add(reader)
        reader.add_done_callback(self._closing.discard)
        # The reader may be the caller, which then sees that its connection is over.
        if reader is not asyncio.current_task():
            reader.cancel()

    def pause(self) -> None:
        self._readable.clear()

    def resume(self) -> None:
        self._readable.set()

    def send(self, message: dict[str, Any]) -> None:
        """Send a message from within `on_frame`. The reader sends it then, because it alone may wait for the socket."""
        self._outgoing = json.dumps(message)

    async def wait_closed(self) -> None:
        while self._closing:
            await asyncio.gather(*self._closing, return_exceptions=True)

    async def _read(self, connection: int) -> None:
        """Open a socket and read it, until this connection is no longer the current one."""

        def report(given: Input) -> None:
            if connection == self._current:
                self._on_input(given)

        try:
            url, headers = await self._address()
            # Only that of a ticket can be anything else. No further attempt would mend it.
            if not is_stream_url(url):
                if connection == self._current:
                    self._on_fault(TypeError(f"{_WANTED_OF_TICKET} It returned: {type(url).__name__}."))
                return
            socket = await _connect(url, headers)
        except Exception as error:
            return report({"on": "refused", **_refusal(error)})
        try:
            report({"on": "opened"})
            while connection == self._current:
                # While nothing is received, the library stops reading once its own short queue is full.
                await self._readable.wait()
                data = await socket.recv()
                if connection != self._current:
                    return
                self._on_frame(data)
                if self._outgoing is not None:
                    text, self._outgoing = self._outgoing, None
                    await socket.send(text)
        except ConnectionClosed as closed:
            received = closed.rcvd
            code, reason = (received.code, received.reason) if received else (1006, "")
            report({"on": "closed", "code": code, "reason": reason})
        finally:
            await socket.close(1000)


async def _connect(url: str, headers: dict[str, str]) -> ClientConnection:
    return await connect(
        url,
        additional_headers=headers,
        compression=None,
        max_size=_MAX_FRAME_BYTES,
        # The machine's own timers watch the connection.
        ping_interval=None,
        open_timeout=None,
        close_timeout=1,
    )


def _refusal(error: Exception) -> Input:
    """Return the refusal that the machine gets for an error in connecting, or in requesting a ticket."""
    # The library follows a redirection to an address of streams, and fails so on any other.
    if isinstance(error, (InvalidURI, SecurityError)) and isinstance(error.__context__, InvalidStatus):
        response = error.__context__.response
        detail = (
            f"The handshake was answered with status {response.status_code}: it redirects to"
            f" {response.headers['Location']}. Give the address that it leads to, as ws:// or wss://."
        )
        return {"status": response.status_code, "detail": detail}
    if isinstance(error, InvalidStatus):
        status, header = error.response.status_code, error.response.headers.get("Retry-After")
        words = problem_members(error.response.body or b"").get("detail")
        answered = f"The handshake was answered with status {status}"
        detail = f"{answered}: {words}" if isinstance(words, str) else f"{answered}."
        refusal: Input = {"status": status, "detail": detail}
        return {**refusal, "retry_after_ms": int(header) * 1000} if header and header.isdigit() else refusal
    if isinstance(error, RestError):
        retry_after_ms = None if error.retry_after is None else error.retry_after * 1000
        known = {"status": error.status, "code": error.code, "detail": str(error), "retry_after_ms": retry_after_ms}
        return {name: value for name, value in known.items() if value is not None}
    return {"detail": str(error) or type(error).__name__}
