"""The lists of an indicator are read page after page, over HTTP."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from dataclasses import fields
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from almanac_client import Almanac, AsyncAlmanac, models


class _Pages(BaseHTTPRequestHandler):
    """Answers with a page of one row that has its address as its period, and a second page behind it."""

    def do_GET(self) -> None:
        name = self.path.split("?")[0].rsplit("/", 1)[1]
        texts = {field.name for model in (models.SeriesObservation, models.Vintage) for field in fields(model)}
        row: dict[str, Any] = dict.fromkeys(texts, "")
        row |= {"period": self.path, "value": "1", "release_id": "r", "revises": None}
        cursor = None if "cursor=" in self.path else "c1"
        body = json.dumps({name: [row], "next_cursor": cursor, "as_of": ""}).encode()
        self.send_response(200)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def url() -> Iterator[str]:
    with HTTPServer(("127.0.0.1", 0), _Pages) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


HISTORY = "/v1/economics/AUS/unemployment/observations?start=2020&frequency=Q&limit=1000"
VINTAGES = "/v1/economics/USA/trade/exports/vintages?period=2024-01&limit=1000"


def test_of_a_program_without_an_event_loop(url: str) -> None:
    with Almanac(url=url) as client:
        history = client.observations("AUS", "unemployment", start="2020", frequency="Q")
        vintages = client.vintages("USA", "exports", period="2024-01")
    assert [one.period for one in history] == [HISTORY, f"{HISTORY}&cursor=c1"]
    assert [one.period for one in vintages] == [VINTAGES, f"{VINTAGES}&cursor=c1"]


def test_of_a_program_with_an_event_loop(url: str) -> None:
    async def read() -> None:
        async with AsyncAlmanac(url=url) as client:
            history = await client.observations("AUS", "unemployment", start="2020", frequency="Q")
            vintages = await client.vintages("USA", "exports", period="2024-01")
        assert [one.period for one in history] == [HISTORY, f"{HISTORY}&cursor=c1"]
        assert [one.period for one in vintages] == [VINTAGES, f"{VINTAGES}&cursor=c1"]

    asyncio.run(read())
