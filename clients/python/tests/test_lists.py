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
    """Answers with a page of one row that has its address as its period or subject, and a second page behind it."""

    def do_GET(self) -> None:
        if self.path.startswith("/v1/events?"):
            event = {**{field.name: "" for field in fields(models.Event)}, "subject": self.path, "data": {}}
            has_more = "cursor=" not in self.path
            return self._answer({"events": [event], "next_cursor": "c1", "has_more": has_more, "as_of": ""})
        name = self.path.split("?")[0].rsplit("/", 1)[1]
        texts = {field.name for model in (models.SeriesObservation, models.Vintage) for field in fields(model)}
        row: dict[str, Any] = dict.fromkeys(texts, "")
        row |= {"period": self.path, "value": "1", "release_id": "r", "revises": None}
        cursor = None if "cursor=" in self.path else "c1"
        self._answer({name: [row], "next_cursor": cursor, "as_of": ""})

    def _answer(self, page: dict[str, Any]) -> None:
        body = json.dumps(page).encode()
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
EVENTS = ["/v1/events?start=42&limit=100", "/v1/events?limit=100&cursor=c1"]
"""A page with both a start and a cursor would be refused."""
VINTAGES = "/v1/economics/USA/trade/exports/vintages?period=2024-01&limit=1000"


def test_of_a_program_without_an_event_loop(url: str) -> None:
    with Almanac(url=url) as client:
        history = client.observations("AUS", "unemployment", start="2020", frequency="Q")
        vintages = client.vintages("USA", "exports", period="2024-01")
        events = [one.subject for page in client.pages("events_list", start=42, limit=100) for one in page.events]
    assert [one.period for one in history] == [HISTORY, f"{HISTORY}&cursor=c1"]
    assert [one.period for one in vintages] == [VINTAGES, f"{VINTAGES}&cursor=c1"]
    assert events == EVENTS


def test_of_a_program_with_an_event_loop(url: str) -> None:
    async def read() -> None:
        async with AsyncAlmanac(url=url) as client:
            history = await client.observations("AUS", "unemployment", start="2020", frequency="Q")
            vintages = await client.vintages("USA", "exports", period="2024-01")
            pages = client.pages("events_list", start=42, limit=100)
            events = [one.subject async for page in pages for one in page.events]
        assert [one.period for one in history] == [HISTORY, f"{HISTORY}&cursor=c1"]
        assert [one.period for one in vintages] == [VINTAGES, f"{VINTAGES}&cursor=c1"]
        assert events == EVENTS

    asyncio.run(read())
