"""A client of a day, first releases, and panels."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from dataclasses import fields
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, HTTPServer

import pandas
import pytest

from almanac_client import Almanac, AsyncAlmanac, History, Panel, Vintages, models
from almanac_client._decode import decode

PANEL = (
    "# unit,index,percent\r\n# base,1982=100 | 2015=100,\r\n# series,\"USA.cpi,1\",DEU.unemployment\r\n"
    "period,USA.cpi,DEU.unemployment\r\n2025-Q1,317.671,3.5\r\n2025-Q2,,12345678901234567890.25\r\n"
)


class _Answers(BaseHTTPRequestHandler):
    """Answers with the panel, and notes the addresses."""

    asked: list[str] = []

    def do_GET(self) -> None:
        self.asked.append(self.path)
        body = PANEL.encode()
        self.send_response(200)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def url() -> Iterator[str]:
    _Answers.asked = []
    with HTTPServer(("127.0.0.1", 0), _Answers) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


ADDRESS = "/v1/panel?country=USA&country=DEU&indicator=cpi&frequency=Q&about=rows&start=2025"


def test_a_panel_is_one_call(url: str) -> None:
    with Almanac(url=url) as client:
        panel = client.panel(["USA", "DEU"], ["cpi"], "Q", start="2025")
        client.as_of("2025-08-01").panel(["USA", "DEU"], ["cpi"], "Q", start="2025")
    assert _Answers.asked == [ADDRESS, f"/asof/2025-08-01{ADDRESS}"]
    assert panel.columns == ["USA.cpi", "DEU.unemployment"]
    assert panel["USA.cpi"] == [Decimal("317.671"), None]
    assert panel.about["USA.cpi"] == {"unit": "index", "base": "1982=100 | 2015=100", "series": "USA.cpi,1"}
    assert repr(panel) == "Panel of 2 columns, 2025-Q1 to 2025-Q2"


def test_a_panel_of_a_program_with_an_event_loop(url: str) -> None:
    async def read() -> None:
        async with AsyncAlmanac(url=url) as client, client.as_of("2025-08-01") as dated:
            assert (await dated.panel(["USA", "DEU"], ["cpi"], "Q", start="2025")).periods == ["2025-Q1", "2025-Q2"]

    asyncio.run(read())
    assert _Answers.asked == [f"/asof/2025-08-01{ADDRESS}"]


def test_a_panel_in_pandas() -> None:
    frame = Panel(PANEL, Decimal).to_pandas()
    assert isinstance(frame.index, pandas.PeriodIndex)
    assert frame.index.freqstr.startswith("Q")
    assert frame["DEU.unemployment"].iloc[1] == Decimal("12345678901234567890.25")
    floats = Panel(PANEL, Decimal).to_pandas(floats=True)
    assert floats["USA.cpi"].dropna().to_list() == [317.671]


def test_a_client_of_a_day_has_no_streams() -> None:
    with Almanac() as client, client.as_of("2025-08-01") as dated:
        for open_stream in (dated.events, dated.predictions):
            with pytest.raises(ValueError, match="streams are of now"):
                open_stream()


def _vintages(*entries: tuple[str, str | None, str]) -> Vintages:
    texts = dict.fromkeys([field.name for field in fields(models.Vintage)], "")
    rows = [{**texts, "period": period, "value": value, "valid_from": day} for period, value, day in entries]
    return Vintages([decode({**row, "revises": None}, "Vintage", Decimal) for row in rows])


def test_first_releases_and_those_of_a_day() -> None:
    all_entries = _vintages(
        ("2025-01", "1", "2025-02-10"),
        ("2025-01", "2", "2025-03-10"),
        ("2025-01", None, "2025-04-10"),
        ("2025-02", "3", "2025-03-10"),
    )
    assert [(one.period, one.value) for one in all_entries.first()] == [("2025-01", Decimal(1)), ("2025-02", Decimal(3))]
    assert [one.value for one in all_entries.on("2025-02-28")] == [Decimal(1)]
    assert [one.value for one in all_entries.on("2025-04-10")] == [None, Decimal(3)]


def test_a_history_with_an_index_of_periods() -> None:
    row = {"country": "USA", "measure": "merchandise_exports", "transformation": "", "unit": "USD"}
    rows = [decode({**row, "period": period, "value": "1"}, "Observation", Decimal) for period in ("2024", "2025")]
    frame = History(rows).to_pandas(index="period")
    assert [str(period) for period in frame.index] == ["2024", "2025"]
    assert "period" not in frame.columns
    mixed = [decode({**row, "period": period, "value": "1"}, "Observation", Decimal) for period in ("2024", "2024-Q1")]
    with pytest.raises(ValueError, match="several frequencies"):
        History(mixed).to_pandas(index="period")
