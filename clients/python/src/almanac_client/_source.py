"""Sources of the streams: where their messages come from, and what becomes of them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Hashable, Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any, Generic, TypeVar
from urllib.parse import urlsplit

from ._decode import Number, decode
from ._machine import Effect, Input, Machine
from .cursors import CursorStore
from .generated import models
from .options import EventsOptions, PredictionsOptions, PricesOptions, StreamTuning, check_counts, check_names

T = TypeVar("T")
Ticket = Callable[[models.StreamName], Awaitable[str]]
Address = Callable[[], Awaitable[tuple[str, dict[str, str]]]]
"""Returns address and headers of a new connection. Requests a ticket where tickets are used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamSource(Generic[T]):
    """The fields with a default are the options of `options.py`, which explains them."""

    subscribe: dict[str, Any]
    """The subscribe message, without the cursor."""
    address: Address
    uses_tickets: bool
    item: Callable[[dict[str, Any]], T]
    key: Callable[[T], Hashable] | None = None
    """What an item is the current value of, on streams where a newer item replaces an older one."""
    cursor: str | None = None
    start: str | int | None = None
    store: CursorStore | None = None
    on_lost_place: str = "fail"
    on_moved: Callable[[str, str], None] | None = None
    buffer_items: int = 1024
    buffer_bytes: int = 4 * 1024 * 1024
    batch_items: int = 256
    backoff_first: float = 1.0
    backoff_max: float = 30.0
    max_attempts: int | None = None
    on_step: Callable[[Input, Machine, list[Effect]], None] | None = None


_LOCAL_STREAMS_URL = "ws://127.0.0.1:8081"
_OWN_OPTIONS = StreamTuning.__optional_keys__ | {"cursor", "start", "store", "on_lost_place", "on_moved"}
"""Options of the stream itself. The others are members of its subscribe message."""


def headers_of(key: str | None) -> dict[str, str]:
    return {} if key is None else {"authorization": f"Bearer {key}"}


def is_stream_url(url: object) -> bool:
    return isinstance(url, str) and url.startswith(("ws://", "wss://"))


def _is_this_machine(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


class StreamSources:
    """Makes the sources of the streams, for both clients."""

    def __init__(
        self,
        key: str | None,
        url: str,
        streams_url: str | None,
        number: Number,
        ticket: Ticket | None = None,
        origin: str | None = None,
    ) -> None:
        self._key, self._number = key, number
        self._rest_url = url
        given = _LOCAL_STREAMS_URL if streams_url is None and _is_this_machine(url) else streams_url
        self._url = None if given is None else given.rstrip("/")
        self._ticket, self._origin = ticket, origin

    def events(self, options: EventsOptions) -> StreamSource[models.Event]:
        def item(message: dict[str, Any]) -> models.Event:
            return decode(message["event"], "Event", self._number)

        if options.get("start") is not None and options.get("cursor") is not None:
            raise ValueError("Give either start or cursor: a cursor already says where to begin.")
        return self._source("events", options, EventsOptions.__optional_keys__, item)

    def prices(self, options: PricesOptions) -> StreamSource[models.CommodityPrice | models.FxPrice]:
        def item(message: dict[str, Any]) -> models.CommodityPrice | models.FxPrice:
            return decode(message, "FxPrice" if message["type"] == "fx" else "CommodityPrice", self._number)

        def key(price: models.CommodityPrice | models.FxPrice) -> Hashable:
            return (price.base, price.rate.currency) if price.type == "fx" else price.spot.symbol

        source = self._source("prices", options, PricesOptions.__optional_keys__, item, key)
        # The service would accept the subscription, and never send a price.
        if not options.get("commodities") and not options.get("fx"):
            raise TypeError(
                'Give `commodities` or `fx`, for example commodities=[{"commodity": "XAU", "currency": "EUR"}],'
                ' or fx=[{"base": "EUR"}].'
            )
        return source

    def predictions(self, options: PredictionsOptions) -> StreamSource[models.Prediction]:
        def item(message: dict[str, Any]) -> models.Prediction:
            return decode(message["prediction"], "Prediction", self._number)

        def key(prediction: models.Prediction) -> Hashable:
            return prediction.country, prediction.indicator

        return self._source("predictions", options, PredictionsOptions.__optional_keys__, item, key)

    def _source(
        self,
        name: models.StreamName,
        options: Mapping[str, Any],
        known: frozenset[str],
        item: Callable[[dict[str, Any]], T],
        key: Callable[[T], Hashable] | None = None,
    ) -> StreamSource[T]:
        async def address() -> tuple[str, dict[str, str]]:
            if self._ticket is not None:
                return await self._ticket(name), {"origin": self._origin or ""}
            return f"{self._url}/v1/{name}/stream", headers_of(self._key)

        check_names(name, options, known)
        check_counts(options)
        if self._ticket is None:
            self._check_address(name)
        given = {option: value for option, value in options.items() if value is not None}
        own = {option: given.pop(option) for option in _OWN_OPTIONS & given.keys()}
        return StreamSource(
            subscribe=given, address=address, uses_tickets=self._ticket is not None, item=item, key=key, **own
        )

    def _check_address(self, name: models.StreamName) -> None:
        """Raise a `ValueError` for a wrong address. It would be tried for ever, as one whose service is away."""
        if self._url is None:
            raise ValueError(
                f"{name}() needs streams_url, the address of the streams, because url is {self._rest_url}."
                ' Give it to the client, for example streams_url="wss://streams.example.com".'
            )
        if not is_stream_url(self._url):
            raise ValueError(f"streams_url must begin with ws:// or wss://: {self._url}")


class DatedSources(StreamSources):
    """In the place of the streams of a client as of a day: they are of now."""

    def __init__(self, day: str) -> None:
        self._day = day

    def _source(self, name: models.StreamName, *_: Any) -> Any:
        raise ValueError(f"A client as of {self._day} has no {name} stream: streams are of now.")
