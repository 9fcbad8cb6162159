"""Acknowledgement of batches."""

from __future__ import annotations

import asyncio
from contextlib import aclosing, closing
from typing import Any

import pytest
from test_faults import against, event

from almanac_client import AsyncAlmanac, MemoryCursor, StreamBatch
from almanac_client._batch import one_by_one


@pytest.mark.parametrize(
    ("items", "pulls", "acknowledged"),
    [
        # The item at which the loop is left may not be processed.
        (["a", "b", "c"], 1, []),
        (["a", "b", "c"], 3, [2]),
        (["a", "b", "c"], 4, [3]),
        # A batch of no items says that the stream is caught up.
        ([], 1, [0]),
    ],
)
def test_what_is_acknowledged(items: list[str], pulls: int, acknowledged: list[int]) -> None:
    counts: list[int] = []
    with closing(one_by_one(StreamBatch(items, "c", True, counts.append))) as pulled:
        assert [next(pulled, None) for _ in range(pulls)] == [*items, None][:pulls]
    assert counts == acknowledged


@pytest.mark.parametrize(("count", "saved"), [(0, "c0"), (1, "c1"), (2, "c2")])
def test_what_is_saved(count: int, saved: str) -> None:
    store = MemoryCursor()

    async def use(url: str) -> None:
        arrived: asyncio.Queue[None] = asyncio.Queue()

        def on_step(given: dict[str, Any], *_: object) -> None:
            if given["on"] == "data":
                arrived.put_nowait(None)

        stream = AsyncAlmanac(streams_url=url).events(store=store, on_step=on_step)
        async with aclosing(stream.batches()) as batches:
            assert (await anext(batches)).items == []
            # Now that both have arrived, they are one batch.
            for _ in range(2):
                await arrived.get()
            (await anext(batches)).ack(count)

    messages = [{"type": "caught_up", "cursor": "c0"}, event(1, "1"), event(2, "2")]
    asyncio.run(asyncio.wait_for(against(messages, use), 10))
    assert store.cursor == saved
