"""Errors as a program gets them."""

from __future__ import annotations

import asyncio
import socket
import threading

import pytest

from almanac_client import Almanac, AsyncAlmanac, RestError, StreamError


def unused_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def test_an_address_that_cannot_be_reached() -> None:
    url = f"http://127.0.0.1:{unused_port()}"
    with pytest.raises(RestError, match="Connection refused. Check that the service runs") as raised:
        Almanac(url=url).rest.health_health_get()
    assert (raised.value.code, raised.value.status, raised.value.is_retryable) == ("unreachable", None, True)
    assert str(raised.value).startswith(f"{url}/health cannot be reached: ")

    async def call() -> None:
        await AsyncAlmanac(url=url).rest.health_health_get()

    with pytest.raises(RestError, match=f"{url}/health cannot be reached"):
        asyncio.run(call())


def test_an_answer_that_breaks_off() -> None:
    def answer(server: socket.socket) -> None:
        client, _ = server.accept()
        with client:
            client.recv(65_536)
            client.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{")

    with socket.create_server(("127.0.0.1", 0)) as server:
        answering = threading.Thread(target=answer, args=[server])
        answering.start()
        with pytest.raises(RestError) as raised:
            Almanac(url=f"http://127.0.0.1:{server.getsockname()[1]}").rest.health_health_get()
        answering.join()
    assert raised.value.code == "unreachable"


def test_a_code_without_a_detail() -> None:
    error = StreamError("currency_not_supported", "", None, None)
    assert str(error).startswith("currency_not_supported: Currency is not served. ")
    assert str(StreamError("of_tomorrow", "", None, None)) == "of_tomorrow"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b'{"detail": "Connect to wss://here."}', "The handshake was answered with status 404: Connect to wss://here."),
        (b"Bad gateway", "The handshake was answered with status 404."),
        (b'{"detail": 7}', "The handshake was answered with status 404."),
        (b"", "The handshake was answered with status 404."),
    ],
)
def test_a_handshake_that_is_refused(body: bytes, message: str) -> None:
    def answer(server: socket.socket) -> None:
        client, _ = server.accept()
        with client:
            client.recv(65_536)
            client.sendall(b"HTTP/1.1 404 Not Found\r\ncontent-length: %d\r\n\r\n%s" % (len(body), body))

    with socket.create_server(("127.0.0.1", 0)) as server:
        answering = threading.Thread(target=answer, args=[server])
        answering.start()
        with pytest.raises(StreamError) as raised:
            next(iter(Almanac(streams_url=f"ws://127.0.0.1:{server.getsockname()[1]}").events()))
        answering.join()
    assert (raised.value.code, raised.value.status) == ("refused", 404)
    assert str(raised.value) == f"refused: {message}"
