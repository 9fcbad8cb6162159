"""The clients: `AsyncAlmanac`, and `Almanac` for programs without an event loop."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from decimal import Decimal
from typing import Any, Literal, TypeVar

import httpx

from . import _rest
from ._decode import Number, decode
from ._stream import AsyncStream, Source, Tuning
from ._sync import SyncStream
from .cursors import CursorStore
from .errors import ProblemError
from .generated import models
from .generated.operations import AsyncRestMethods, RestMethods
from .history import History

T = TypeVar("T")
StreamName = Literal["prices", "events", "predictions"]
Ticket = Callable[[StreamName], Awaitable[str]]

_URL = "http://127.0.0.1:8080"
_STREAMS_URL = "ws://127.0.0.1:8081"


def _headers(key: str | None) -> dict[str, str]:
    return {} if key is None else {"authorization": f"Bearer {key}"}


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
            answer = await self._http.request(**request)
            try:
                _rest.raise_problem(answer)
                return answer
            except ProblemError as problem:
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
            answer = self._http.request(**request)
            try:
                _rest.raise_problem(answer)
                return answer
            except ProblemError as problem:
                time.sleep(_rest.wait_before(attempt, self._retries, problem))
                attempt += 1


class _Streams:
    """Opens the streams, for both clients."""

    def __init__(self, key: str | None, streams_url: str, ticket: Ticket | None, number: Number) -> None:
        self._key, self._url, self._ticket, self._number = key, streams_url.rstrip("/"), ticket, number

    def events(self, filters: dict[str, Any], tuning: dict[str, Any], **place: Any) -> AsyncStream[models.Event]:
        def item(message: dict[str, Any]) -> models.Event:
            return decode(message["event"], "Event", self._number)

        return self._open("events", filters, item, tuning, **place)

    def prices(
        self, pairs: dict[str, Any], tuning: dict[str, Any]
    ) -> AsyncStream[models.CommodityPrice | models.FxPrice]:
        def item(message: dict[str, Any]) -> models.CommodityPrice | models.FxPrice:
            return decode(message, "FxPrice" if message["type"] == "fx" else "CommodityPrice", self._number)

        return self._open("prices", pairs, item, tuning)

    def predictions(self, filters: dict[str, Any], tuning: dict[str, Any]) -> AsyncStream[models.Prediction]:
        def item(message: dict[str, Any]) -> models.Prediction:
            return decode(message["prediction"], "Prediction", self._number)

        return self._open("predictions", filters, item, tuning)

    def _open(
        self,
        name: StreamName,
        subscribe: dict[str, Any],
        item: Callable[[dict[str, Any]], T],
        tuning: dict[str, Any],
        **place: Any,
    ) -> AsyncStream[T]:
        async def address() -> tuple[str, dict[str, str]]:
            if self._ticket is not None:
                return await self._ticket(name), {}
            return f"{self._url}/v1/{name}/stream", _headers(self._key)

        if place.get("start") is not None and place.get("cursor") is not None:
            raise ValueError("Give either start or cursor: a cursor already says where to begin.")
        # Connecting to it would be tried for ever, as to a service that is away.
        if self._ticket is None and not self._url.startswith(("ws://", "wss://")):
            raise ValueError(f"streams_url must begin with ws:// or wss://: {self._url}")
        wanted = {member: value for member, value in subscribe.items() if value is not None}
        return AsyncStream(
            Source(
                subscribe=wanted,
                address=address,
                uses_tickets=self._ticket is not None,
                item=item,
                tuning=Tuning(**tuning),
                **place,
            )
        )


class AsyncAlmanac:
    """A client of the service for programs with an event loop: REST by `rest`, and the three streams."""

    def __init__(
        self,
        key: str | None = None,
        *,
        url: str = _URL,
        streams_url: str = _STREAMS_URL,
        ticket: Ticket | None = None,
        decimal: Number = Decimal,
        retries: int = 2,
        timeout: float = 30.0,
    ) -> None:
        """`decimal` makes numbers of decimals: Decimal, or float if you ask for it. `ticket` returns a ticket's `url`."""
        self._http = httpx.AsyncClient(base_url=url, headers=_headers(key), timeout=timeout)
        self.rest = AsyncRest(self._http, decimal, retries)
        self._streams = _Streams(key, streams_url, ticket, decimal)

    async def __aenter__(self) -> AsyncAlmanac:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        await self._http.aclose()

    async def pages(self, operation: str, **args: Any) -> AsyncIterator[Any]:
        """Page after page of an operation that is read page by page, until the last."""
        cursor: str | None = None
        while True:
            page = await self.rest._call(operation, {**args, "cursor": cursor} if cursor else args)
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
    ) -> History:
        """Read the whole history of an indicator, for example `cpi` or `trade/exports` (or only `exports`).

        `as_of` is a day: the history as it was known then.
        """
        args = {"country": country, "start": start, "end": end, "as_of": as_of, "limit": 1000}
        pages = self.pages(_rest.history_operation(indicator), **args)
        return History([one async for page in pages for one in page.observations])

    def events(
        self,
        *,
        countries: list[str] | None = None,
        families: list[str] | None = None,
        types: list[str] | None = None,
        cursor: str | None = None,
        start: str | None = None,
        store: CursorStore | None = None,
        on_lost_place: Literal["fail", "resume"] = "fail",
        on_moved: Callable[[str, str], None] | None = None,
        **tuning: Any,
    ) -> AsyncStream[models.Event]:
        """The events from the store's cursor on, else from `cursor` (also `earliest`, `latest`) or `start`, else from now.

        `start` is a sequence, or a time such as `2026-09-01T08:00:00Z` or `2026-09-01`, which means the first event recorded
        at or after it.
        """
        filters = {"countries": countries, "families": families, "types": types}
        place = {"start": start, "cursor": cursor, "store": store, "on_lost_place": on_lost_place, "on_moved": on_moved}
        return self._streams.events(filters, tuning, **place)

    def prices(
        self,
        *,
        commodities: list[dict[str, str]] | None = None,
        fx: list[dict[str, Any]] | None = None,
        **tuning: Any,
    ) -> AsyncStream[models.CommodityPrice | models.FxPrice]:
        """The current price of each pair, then its changes."""
        return self._streams.prices({"commodities": commodities, "fx": fx}, tuning)

    def predictions(
        self, *, countries: list[str] | None = None, indicators: list[str] | None = None, **tuning: Any
    ) -> AsyncStream[models.Prediction]:
        """The current prediction of each match, then its changes."""
        return self._streams.predictions({"countries": countries, "indicators": indicators}, tuning)


class Almanac:
    """A client of the service for programs without an event loop. Its streams run in a thread of their own."""

    def __init__(
        self,
        key: str | None = None,
        *,
        url: str = _URL,
        streams_url: str = _STREAMS_URL,
        decimal: Number = Decimal,
        retries: int = 2,
        timeout: float = 30.0,
    ) -> None:
        """`decimal` makes numbers of decimals: Decimal, or float if you ask for it."""
        self._http = httpx.Client(base_url=url, headers=_headers(key), timeout=timeout)
        self.rest = Rest(self._http, decimal, retries)
        self._streams = _Streams(key, streams_url, None, decimal)

    def __enter__(self) -> Almanac:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    def pages(self, operation: str, **args: Any) -> Iterator[Any]:
        """Page after page of an operation that is read page by page, until the last."""
        cursor: str | None = None
        while True:
            page = self.rest._call(operation, {**args, "cursor": cursor} if cursor else args)
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
    ) -> History:
        """Read the whole history of an indicator, for example `cpi` or `trade/exports` (or only `exports`).

        `as_of` is a day: the history as it was known then.
        """
        args = {"country": country, "start": start, "end": end, "as_of": as_of, "limit": 1000}
        pages = self.pages(_rest.history_operation(indicator), **args)
        return History([one for page in pages for one in page.observations])

    def events(
        self,
        *,
        countries: list[str] | None = None,
        families: list[str] | None = None,
        types: list[str] | None = None,
        cursor: str | None = None,
        start: str | None = None,
        store: CursorStore | None = None,
        on_lost_place: Literal["fail", "resume"] = "fail",
        on_moved: Callable[[str, str], None] | None = None,
        **tuning: Any,
    ) -> SyncStream[models.Event]:
        """The events from the store's cursor on, else from `cursor` (also `earliest`, `latest`) or `start`, else from now.

        `start` is a sequence, or a time such as `2026-09-01T08:00:00Z` or `2026-09-01`, which means the first event recorded
        at or after it.
        """
        filters = {"countries": countries, "families": families, "types": types}
        place = {"start": start, "cursor": cursor, "store": store, "on_lost_place": on_lost_place, "on_moved": on_moved}
        return SyncStream(lambda: self._streams.events(filters, tuning, **place))

    def prices(
        self,
        *,
        commodities: list[dict[str, str]] | None = None,
        fx: list[dict[str, Any]] | None = None,
        **tuning: Any,
    ) -> SyncStream[models.CommodityPrice | models.FxPrice]:
        """The current price of each pair, then its changes."""
        return SyncStream(lambda: self._streams.prices({"commodities": commodities, "fx": fx}, tuning))

    def predictions(
        self, *, countries: list[str] | None = None, indicators: list[str] | None = None, **tuning: Any
    ) -> SyncStream[models.Prediction]:
        """The current prediction of each match, then its changes."""
        return SyncStream(lambda: self._streams.predictions({"countries": countries, "indicators": indicators}, tuning))
