"""A reader that is slower than prices change, or predictions: what it reads next is current, and its connection stays."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Awaitable, Callable
from dataclasses import fields
from decimal import Decimal
from typing import Any

import pytest
from websockets.asyncio.server import ServerConnection, serve

from almanac_client import Almanac, AsyncAlmanac, models
from almanac_client._buffer import MessageBuffer

UPDATES = 1_000
"""Number for each of two pairs: together more than the 1,024 messages of the buffer."""


def fx(currency: str, rate: int) -> dict[str, Any]:
    rates = {"currency": currency, "rate": str(rate), "timestamp": "", "stale": False}
    return {"type": "fx", "base": "EUR", "market_session": "open", "rate": rates}


def gold(price: int) -> dict[str, Any]:
    spot = {"symbol": "XAU-EUR", "price": str(price), "currency": "EUR", "unit": "", "timestamp": "", "stale": False}
    return {"type": "commodity", "spot": spot}


def prediction(indicator: str, value: int) -> dict[str, Any]:
    figures = {"country": "USA", "indicator": indicator, "value": str(value), "lower": "0", "upper": "0", "scored": None}
    return {"type": "prediction", "prediction": {**{field.name: "" for field in fields(models.Prediction)}, **figures}}


def value_of(item: Any) -> tuple[str, Decimal]:
    if isinstance(item, models.FxPrice):
        return item.rate.currency, item.rate.rate
    if isinstance(item, models.CommodityPrice):
        return item.spot.symbol, item.spot.price
    return item.indicator, item.value


PRICES = [fx("USD", 1), *[message for one in range(2, UPDATES + 2) for message in (gold(one), fx("USD", one))], fx("CHF", 7)]
PREDICTIONS = [
    prediction("gdp", 1),
    *[message for one in range(2, UPDATES + 2) for message in (prediction("cpi", one), prediction("gdp", one))],
    prediction("inflation", 7),
]
NEWEST = [1, UPDATES + 1, UPDATES + 1, 7]


async def served(messages: list[dict[str, Any]], read: Callable[[str, asyncio.Event], Awaitable[None]]) -> int:
    """Use a server that sends the first message, and the others once the event is set. Returns its connections."""
    go_on, connections = asyncio.Event(), 0

    async def answer(connection: ServerConnection) -> None:
        nonlocal connections
        connections += 1
        await connection.send('{"type": "ready"}')
        await connection.recv()
        await connection.send('{"type": "subscribed"}')
        await connection.send(json.dumps(messages[0]))
        await go_on.wait()
        for message in messages[1:]:
            await connection.send(json.dumps(message))
        await connection.wait_closed()

    async with serve(answer, "127.0.0.1", 0) as server:
        await read(f"ws://127.0.0.1:{next(iter(server.sockets)).getsockname()[1]}", go_on)
    return connections


class Steps:
    """Notes the states, and when as many messages have been received."""

    def __init__(self, count: int) -> None:
        self.all_received = threading.Event()
        self.states: set[str] = set()
        self._left = count

    def __call__(self, given: dict[str, Any], machine: Any, _: object) -> None:
        self.states.add(machine.state)
        self._left -= given["on"] == "data"
        if self._left == 0:
            self.all_received.set()


@pytest.mark.parametrize(
    ("messages", "names"), [(PRICES, ["USD", "XAU-EUR", "USD", "CHF"]), (PREDICTIONS, ["gdp", "cpi", "gdp", "inflation"])]
)
@pytest.mark.parametrize("kind", ["items", "batches", "items without a loop", "batches without a loop"])
def test_what_a_slow_reader_reads(kind: str, messages: list[dict[str, Any]], names: list[str]) -> None:
    seen: list[tuple[str, Decimal]] = []
    steps = Steps(len(messages))

    def opened(client: Any) -> Any:
        return client.prices(fx=[{"base": "EUR"}], on_step=steps) if messages is PRICES else client.predictions(on_step=steps)

    async def read(url: str, go_on: asyncio.Event) -> None:
        stream = opened(AsyncAlmanac(streams_url=url))
        pulled = aiter(stream) if kind == "items" else stream.batches()
        async for one in pulled:
            seen.extend(value_of(item) for item in (one.items if kind == "batches" else [one]))
            if len(seen) >= len(names):
                break
            go_on.set()
            await asyncio.to_thread(steps.all_received.wait, 15)
        await pulled.aclose()

    async def read_without_loop(url: str, go_on: asyncio.Event) -> None:
        loop = asyncio.get_running_loop()

        def follow() -> None:
            stream = opened(Almanac(streams_url=url))
            for one in stream if kind.startswith("items") else stream.batches():
                seen.extend(value_of(item) for item in (one.items if kind.startswith("batches") else [one]))
                if len(seen) >= len(names):
                    break
                loop.call_soon_threadsafe(go_on.set)
                steps.all_received.wait(15)

        await asyncio.to_thread(follow)

    use = read_without_loop if "without" in kind else read
    connections = asyncio.run(asyncio.wait_for(served(messages, use), 40))
    # Those that wait keep their order.
    assert seen == [(name, Decimal(value)) for name, value in zip(names, NEWEST, strict=True)]
    assert connections == 1
    assert not steps.states & {"paused", "parked"}


def test_items_are_taken_one_by_one() -> None:
    """Those of a batch would be outdated by the time the reader comes to them."""
    seen: list[tuple[str, Decimal]] = []

    async def follow() -> None:
        parts = asyncio.Queue[list[dict[str, Any]]]()
        received = asyncio.Semaphore(0)

        async def answer(connection: ServerConnection) -> None:
            await connection.send('{"type": "ready"}')
            await connection.recv()
            await connection.send('{"type": "subscribed"}')
            while messages := await parts.get():
                for message in messages:
                    await connection.send(json.dumps(message))

        def note(given: dict[str, Any], *_: object) -> None:
            if given["on"] == "data":
                received.release()

        async def send(*messages: dict[str, Any]) -> None:
            """Return once they are in the reader's buffer."""
            parts.put_nowait([*messages])
            for _ in messages:
                await received.acquire()

        async with serve(answer, "127.0.0.1", 0) as server:
            url = f"ws://127.0.0.1:{next(iter(server.sockets)).getsockname()[1]}"
            prices = aiter(AsyncAlmanac(streams_url=url).prices(fx=[{"base": "EUR"}], on_step=note))
            # The first pull opens the stream.
            _, first = await asyncio.gather(send(fx("USD", 1)), anext(prices))
            await send(fx("CHF", 1), fx("GBP", 1))
            second = await anext(prices)
            await send(fx("CHF", 2), fx("GBP", 2))
            seen.extend(value_of(price) for price in (first, second, await anext(prices), await anext(prices)))
            await prices.aclose()
            parts.put_nowait([])

    asyncio.run(asyncio.wait_for(follow(), 10))
    assert seen == [(name, Decimal(rate)) for name, rate in (("USD", 1), ("CHF", 1), ("GBP", 2), ("CHF", 2))]


def test_a_buffer_of_events_keeps_all_in_order() -> None:
    buffer = MessageBuffer[str](2, 100)
    for number, item in enumerate(["a", "b", "a"]):
        buffer.add(item, f"c{number}", 1)
    buffer.mark("c9", True)
    assert (len(buffer), buffer.is_above(1)) == (3, True)
    taken = buffer.take(9)
    assert (taken.items, taken.cursors, taken.is_caught_up) == (["a", "b", "a"], ["c0", "c1", "c9"], True)
    assert not buffer.is_above(0.1)


def test_a_buffer_with_keys_is_never_above_its_bound() -> None:
    buffer = MessageBuffer[str](2, 2, lambda item: item[0])
    for item in ["a1", "b1", "c1", "a2", "b2"]:
        buffer.add(item, None, 2)
    assert not buffer.is_above(0)
    assert [buffer.take(2).items, buffer.take(2).items, len(buffer)] == [["a2", "b2"], ["c1"], 0]
