"""The clients: `AsyncAlmanac`, and `Almanac` for programs without an event loop."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Literal

import httpx

from . import _rest
from ._decode import Number
from ._source import DatedSources, StreamSources, Ticket, headers_of
from ._stream import AsyncStream
from ._sync import SyncStream
from .errors import RestError
from .generated import models
from .generated.operations import AsyncRestMethods, RestMethods
from .history import History, Vintages
from .options import EventsOptions, PredictionsOptions, PricesOptions
from .panel import Panel

if TYPE_CHECKING:
    # In `typing` since Python 3.11.
    from typing_extensions import Unpack

_URL = "http://127.0.0.1:8080"
Frequency = Literal["M", "Q", "A"]
Units = Literal["lin", "chg", "ch1", "pch", "pc1", "pca", "cch", "cca", "log"]
Aggregation = Literal["avg", "sum", "eop"]


class AsyncRest(AsyncRestMethods):
    """Every operation of the service, by its id."""

    def __init__(self, http: httpx.AsyncClient, number: Number, retries: int) -> None:
        self._http, self._number, self._retries = http, number, retries

    async def _call(self, operation: str, args: dict[str, Any]) -> Any:
        answer = await self._answer(_rest.request_of(operation, args))
        return _rest.read_answer(operation, answer, self._number)

    async def csv(self, operation: str, **args: Any) -> str:
        """Return the answer of an operation as CSV, if it has such a form."""
        return (await self._answer(_rest.request_of(operation, args, "text/csv"))).text

    async def _answer(self, request: Mapping[str, Any]) -> httpx.Response:
        attempt = 0
        while True:
            try:
                answer = await self._http.request(**request)
                _rest.raise_problem(answer)
                return answer
            except httpx.TransportError as error:
                raise _rest.unreachable(error) from error
            except RestError as problem:
                await asyncio.sleep(_rest.wait_before(attempt, self._retries, problem))
                attempt += 1


class Rest(RestMethods):
    """Every operation of the service, by its id."""

    def __init__(self, http: httpx.Client, number: Number, retries: int) -> None:
        self._http, self._number, self._retries = http, number, retries

    def _call(self, operation: str, args: dict[str, Any]) -> Any:
        return _rest.read_answer(operation, self._answer(_rest.request_of(operation, args)), self._number)

    def csv(self, operation: str, **args: Any) -> str:
        """Return the answer of an operation as CSV, if it has such a form."""
        return self._answer(_rest.request_of(operation, args, "text/csv")).text

    def _answer(self, request: Mapping[str, Any]) -> httpx.Response:
        attempt = 0
        while True:
            try:
                answer = self._http.request(**request)
                _rest.raise_problem(answer)
                return answer
            except httpx.TransportError as error:
                raise _rest.unreachable(error) from error
            except RestError as problem:
                time.sleep(_rest.wait_before(attempt, self._retries, problem))
                attempt += 1


class AsyncAlmanac:
    """A client of the service for programs with an event loop: REST by `rest`, and the three streams."""

    def __init__(
        self,
        key: str | None = None,
        *,
        url: str = _URL,
        streams_url: str | None = None,
        ticket: Ticket | None = None,
        origin: str | None = None,
        decimal: Number = Decimal,
        retries: int = 2,
        timeout: float = 30.0,
    ) -> None:
        """`decimal` makes numbers of decimals: Decimal, or float if you ask for it.

        `streams_url` may be left out while `url` is this machine's. A program that must not hold a key gives `ticket` instead,
        which is called for each connection of a stream and returns a ticket's `url`, and the `origin` of the tickets.
        """
        if (ticket is None) != (origin is None):
            raise ValueError("Give ticket and origin together: a ticket is only valid with the origin that it was made for.")
        self._key, self._url, self._decimal = key, url.rstrip("/"), decimal
        self._retries, self._timeout = retries, timeout
        self._http = httpx.AsyncClient(base_url=url, headers=headers_of(key), timeout=timeout)
        self.rest = AsyncRest(self._http, decimal, retries)
        self._sources = StreamSources(key, url, streams_url, decimal, ticket, origin)

    async def __aenter__(self) -> AsyncAlmanac:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        await self._http.aclose()

    def as_of(self, day: str) -> AsyncAlmanac:
        """Return a client of a day, YYYY-MM-DD: no call of it can reach what was published later.

        It has no streams, which are of now.
        """
        same = {"decimal": self._decimal, "retries": self._retries, "timeout": self._timeout}
        client = AsyncAlmanac(self._key, url=f"{self._url}/asof/{day}", **same)
        client._sources = DatedSources(day)
        return client

    async def pages(self, operation: str, **args: Any) -> AsyncIterator[Any]:
        """Page after page of an operation that is read page by page, until the last."""
        cursor: str | None = None
        while True:
            page = await self.rest._call(operation, _rest.args_of_page(operation, args, cursor))
            yield page
            cursor = _rest.next_page(page)
            if cursor is None:
                return

    async def observations(
        self,
        country: str,
        indicator: str,
        *,
        start: str | None = None,
        end: str | None = None,
        as_of: str | None = None,
        frequency: Frequency | None = None,
        units: Units | None = None,
        aggregation_method: Aggregation | None = None,
    ) -> History:
        """Read the whole history of an indicator, for example `cpi` or `trade/exports` (or only `exports`).

        `as_of` is a day: the history as it was known then. `frequency` chooses where an indicator is published in several;
        with `aggregation_method` its periods are made of shorter ones. `units` are changes and rates, as FRED names them.
        """
        chosen = {"start": start, "end": end, "as_of": as_of, "frequency": frequency}
        chosen |= {"units": units, "aggregation_method": aggregation_method}
        pages = self.pages(_rest.list_operation(indicator, "observations"), country=country, **chosen, limit=1000)
        return History([one async for page in pages for one in page.observations])

    async def vintages(
        self,
        country: str,
        indicator: str,
        *,
        period: str | None = None,
        start: str | None = None,
        end: str | None = None,
        frequency: Frequency | None = None,
    ) -> Vintages:
        """Read what was answered for the periods of an indicator over time: first prints and revisions.

        `period` asks for one period, without `start`, `end` and `frequency`.
        """
        chosen = {"period": period, "start": start, "end": end, "frequency": frequency}
        pages = self.pages(_rest.list_operation(indicator, "vintages"), country=country, **chosen, limit=1000)
        return Vintages([one async for page in pages for one in page.vintages])

    async def first_release(
        self,
        country: str,
        indicator: str,
        *,
        start: str | None = None,
        end: str | None = None,
        frequency: Frequency | None = None,
    ) -> Vintages:
        """Read every figure of an indicator as it was first published."""
        return (await self.vintages(country, indicator, start=start, end=end, frequency=frequency)).first()

    async def panel(
        self,
        countries: Sequence[str],
        indicators: Sequence[str],
        frequency: Frequency,
        *,
        start: str | None = None,
        end: str | None = None,
        as_of: str | None = None,
        units: Units | None = None,
        aggregation_method: Aggregation | None = None,
    ) -> Panel:
        """Read the histories of several countries and indicators at one moment, as one table. Costs one call."""
        chosen = {"start": start, "end": end, "as_of": as_of, "units": units, "aggregation_method": aggregation_method}
        asked = {"country": list(countries), "indicator": list(indicators), "frequency": frequency, "about": "rows"}
        return Panel(await self.rest._call("panel_get", {**asked, **chosen}), self._decimal)

    def events(self, **options: Unpack[EventsOptions]) -> AsyncStream[models.Event]:
        """The events from the store's cursor on, else from `cursor` (also `earliest`, `latest`) or `start`, else from now.

        Takes the filters `countries`, `families` and `types`; `cursor`, `start`, `store`, `on_lost_place` and `on_moved`; and
        what `StreamTuning` has.
        """
        return AsyncStream(self._sources.events(options))

    def prices(self, **options: Unpack[PricesOptions]) -> AsyncStream[models.CommodityPrice | models.FxPrice]:
        """The current price of each pair, then its changes.

        Takes `commodities` and `fx`, of which one must be given, and what `StreamTuning` has.
        """
        return AsyncStream(self._sources.prices(options))

    def predictions(self, **options: Unpack[PredictionsOptions]) -> AsyncStream[models.Prediction]:
        """The current prediction of each match, then its changes.

        Takes the filters `countries` and `indicators`, and what `StreamTuning` has.
        """
        return AsyncStream(self._sources.predictions(options))


class Almanac:
    """A client of the service for programs without an event loop. Its streams run in a thread of their own."""

    def __init__(
        self,
        key: str | None = None,
        *,
        url: str = _URL,
        streams_url: str | None = None,
        decimal: Number = Decimal,
        retries: int = 2,
        timeout: float = 30.0,
    ) -> None:
        """`decimal` makes numbers of decimals: Decimal, or float if you ask for it.

        `streams_url` may be left out while `url` is this machine's.
        """
        self._key, self._url, self._decimal = key, url.rstrip("/"), decimal
        self._retries, self._timeout = retries, timeout
        self._http = httpx.Client(base_url=url, headers=headers_of(key), timeout=timeout)
        self.rest = Rest(self._http, decimal, retries)
        self._sources = StreamSources(key, url, streams_url, decimal)

    def __enter__(self) -> Almanac:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    def as_of(self, day: str) -> Almanac:
        """Return a client of a day, YYYY-MM-DD: no call of it can reach what was published later.

        It has no streams, which are of now.
        """
        same = {"decimal": self._decimal, "retries": self._retries, "timeout": self._timeout}
        client = Almanac(self._key, url=f"{self._url}/asof/{day}", **same)
        client._sources = DatedSources(day)
        return client

    def pages(self, operation: str, **args: Any) -> Iterator[Any]:
        """Page after page of an operation that is read page by page, until the last."""
        cursor: str | None = None
        while True:
            page = self.rest._call(operation, _rest.args_of_page(operation, args, cursor))
            yield page
            cursor = _rest.next_page(page)
            if cursor is None:
                return

    def observations(
        self,
        country: str,
        indicator: str,
        *,
        start: str | None = None,
        end: str | None = None,
        as_of: str | None = None,
        frequency: Frequency | None = None,
        units: Units | None = None,
        aggregation_method: Aggregation | None = None,
    ) -> History:
        """Read the whole history of an indicator, for example `cpi` or `trade/exports` (or only `exports`).

        `as_of` is a day: the history as it was known then. `frequency` chooses where an indicator is published in several;
        with `aggregation_method` its periods are made of shorter ones. `units` are changes and rates, as FRED names them.
        """
        chosen = {"start": start, "end": end, "as_of": as_of, "frequency": frequency}
        chosen |= {"units": units, "aggregation_method": aggregation_method}
        pages = self.pages(_rest.list_operation(indicator, "observations"), country=country, **chosen, limit=1000)
        return History([one for page in pages for one in page.observations])

    def vintages(
        self,
        country: str,
        indicator: str,
        *,
        period: str | None = None,
        start: str | None = None,
        end: str | None = None,
        frequency: Frequency | None = None,
    ) -> Vintages:
        """Read what was answered for the periods of an indicator over time: first prints and revisions.

        `period` asks for one period, without `start`, `end` and `frequency`.
        """
        chosen = {"period": period, "start": start, "end": end, "frequency": frequency}
        pages = self.pages(_rest.list_operation(indicator, "vintages"), country=country, **chosen, limit=1000)
        return Vintages([one for page in pages for one in page.vintages])

    def first_release(
        self,
        country: str,
        indicator: str,
        *,
        start: str | None = None,
        end: str | None = None,
        frequency: Frequency | None = None,
    ) -> Vintages:
        """Read every figure of an indicator as it was first published."""
        return (self.vintages(country, indicator, start=start, end=end, frequency=frequency)).first()

    def panel(
        self,
        countries: Sequence[str],
        indicators: Sequence[str],
        frequency: Frequency,
        *,
        start: str | None = None,
        end: str | None = None,
        as_of: str | None = None,
        units: Units | None = None,
        aggregation_method: Aggregation | None = None,
    ) -> Panel:
        """Read the histories of several countries and indicators at one moment, as one table. Costs one call."""
        chosen = {"start": start, "end": end, "as_of": as_of, "units": units, "aggregation_method": aggregation_method}
        asked = {"country": list(countries), "indicator": list(indicators), "frequency": frequency, "about": "rows"}
        return Panel(self.rest._call("panel_get", {**asked, **chosen}), self._decimal)

    def events(self, **options: Unpack[EventsOptions]) -> SyncStream[models.Event]:
        """The events from the store's cursor on, else from `cursor` (also `earliest`, `latest`) or `start`, else from now.

        Takes the filters `countries`, `families` and `types`; `cursor`, `start`, `store`, `on_lost_place` and `on_moved`; and
        what `StreamTuning` has.
        """
        return SyncStream(self._sources.events(options))

    def prices(self, **options: Unpack[PricesOptions]) -> SyncStream[models.CommodityPrice | models.FxPrice]:
        """The current price of each pair, then its changes.

        Takes `commodities` and `fx`, of which one must be given, and what `StreamTuning` has.
        """
        return SyncStream(self._sources.prices(options))

    def predictions(self, **options: Unpack[PredictionsOptions]) -> SyncStream[models.Prediction]:
        """The current prediction of each match, then its changes.

        Takes the filters `countries` and `indicators`, and what `StreamTuning` has.
        """
        return SyncStream(self._sources.predictions(options))
