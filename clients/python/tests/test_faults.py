"""What a callback, a converter or the store raises ends the stream and reaches its consumer."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import fields
from decimal import Decimal
from http import HTTPStatus
from typing import Any

import pytest
from test_errors import unused_port
from websockets.asyncio.server import ServerConnection, serve
from websockets.http11 import Request, Response

from almanac_client import AsyncAlmanac, MemoryCursor, StreamError, models

CPI = {"country": "USA", "period": "2026-03", "base_period": "1982/1984", "base_value": "100", "released_on": "2026-04-10"}


def event(number: int, value: str) -> dict[str, Any]:
    envelope = {"sequence": f"{number:020}", "cursor": f"c{number}", "id": f"e{number}"}
    data = {"dataschema": "urn:almanac:schema:Cpi", "data": {**CPI, "value": value}}
    return {"type": "event", "event": {**{field.name: "" for field in fields(models.Event)}, **envelope, **data}}


async def against(messages: list[dict[str, Any]], use: Callable[[str], Awaitable[None]]) -> None:
    """Use a server that sends these messages after a subscription."""

    async def answer(connection: ServerConnection) -> None:
        await connection.send('{"type": "ready"}')
        await connection.recv()
        for message in [{"type": "subscribed", "cursor": "c0"}, *messages]:
            await connection.send(json.dumps(message))
        await connection.wait_closed()

    async with serve(answer, "127.0.0.1", 0) as server:
        await use(f"ws://127.0.0.1:{next(iter(server.sockets)).getsockname()[1]}")


def test_a_converter_and_nothing_behind_the_message_at_fault() -> None:
    def number(text: str) -> Decimal:
        if text == "bad":
            raise ArithmeticError("no number: bad")
        return Decimal(text)

    seen: list[str] = []
    store = MemoryCursor()

    async def use(url: str) -> None:
        stream = AsyncAlmanac(streams_url=url, decimal=number).events(store=store)
        async for one in stream:
            seen.append(one.id)
            # The message at fault closes the stream while this one is processed.
            while stream.state != "closed":
                await asyncio.sleep(0.01)

    with pytest.raises(ArithmeticError, match="no number: bad"):
        asyncio.run(asyncio.wait_for(against([event(1, "1"), event(2, "bad"), event(3, "3")], use), 10))
    assert (seen, store.cursor) == (["e1"], "c1")


@pytest.mark.parametrize("on", ["start", "refused", "timeout"])
def test_on_step(on: str) -> None:
    def on_step(given: dict[str, Any], *_: object) -> None:
        if given["on"] == on:
            raise RuntimeError(f"raised at {on}")

    async def use() -> None:
        client = AsyncAlmanac(streams_url=f"ws://127.0.0.1:{unused_port()}")
        stream = client.events(on_step=on_step, backoff_first=0.001)
        with pytest.raises(RuntimeError, match=f"raised at {on}"):
            await asyncio.wait_for(anext(aiter(stream)), 10)
        assert stream.state == "closed"

    asyncio.run(use())


def test_on_moved() -> None:
    def on_moved(code: str, cursor: str) -> None:
        raise RuntimeError(f"{code}: {cursor}")

    async def use(url: str) -> None:
        stream = AsyncAlmanac(streams_url=url).events(cursor="c5", on_lost_place="resume", on_moved=on_moved)
        await asyncio.wait_for(anext(aiter(stream)), 10)

    error = {"type": "error", "code": "cursor_expired", "resume_cursor": "c9"}
    with pytest.raises(RuntimeError, match="cursor_expired: c9"):
        asyncio.run(against([error], use))


@pytest.mark.parametrize("returned", [None, "", "https://example.com/ticket"])
def test_a_ticket_that_is_no_address(returned: Any) -> None:
    async def ticket(_: str) -> Any:
        return returned

    async def use() -> None:
        stream = AsyncAlmanac(ticket=ticket, origin="https://example.com").events()
        await asyncio.wait_for(anext(aiter(stream)), 10)

    name = type(returned).__name__
    with pytest.raises(TypeError, match=f"`ticket` must return the `url` of a ticket.* It returned: {name}"):
        asyncio.run(use())


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirection_names_the_address(status: int) -> None:
    def redirect(connection: ServerConnection, _: Request) -> Response:
        response = connection.respond(HTTPStatus(status), "")
        response.headers["Location"] = "https://b.test/x"
        return response

    async def use() -> None:
        async with serve(lambda _: asyncio.sleep(0), "127.0.0.1", 0, process_request=redirect) as server:
            url = f"ws://127.0.0.1:{next(iter(server.sockets)).getsockname()[1]}"
            await asyncio.wait_for(anext(aiter(AsyncAlmanac(streams_url=url).events())), 10)

    with pytest.raises(StreamError, match=f"status {status}: it redirects to https://b.test/x. Give the address") as raised:
        asyncio.run(use())
    assert raised.value.status == status


@pytest.mark.parametrize(("start", "sent"), [(42, "42"), ("2026-09-01", "2026-09-01")])
def test_a_start_as_a_number_and_as_text(start: str | int, sent: str) -> None:
    subscribed: list[dict[str, Any]] = []

    async def answer(connection: ServerConnection) -> None:
        await connection.send('{"type": "ready"}')
        subscribed.append(json.loads(await connection.recv()))
        detail = "/start: 42 is beyond the next event, 6."
        error = {"type": "error", "code": "cursor_ahead", "detail": detail, "resume_cursor": "c6"}
        await connection.send(json.dumps(error))
        await connection.close(4400, "cursor_ahead")

    async def follow() -> None:
        async with serve(answer, "127.0.0.1", 0) as server:
            url = f"ws://127.0.0.1:{next(iter(server.sockets)).getsockname()[1]}"
            async for _ in AsyncAlmanac(streams_url=url).events(start=start):
                pass

    with pytest.raises(StreamError, match="beyond the next event") as raised:
        asyncio.run(asyncio.wait_for(follow(), 10))
    assert (raised.value.code, raised.value.resume_cursor) == ("cursor_ahead", "c6")
    assert subscribed == [{"action": "subscribe", "start": sent}]
