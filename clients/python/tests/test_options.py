"""Options that cannot work are refused before anything is tried."""

from typing import Any

import pytest

from almanac_client import Almanac, AsyncAlmanac, PricesOptions


@pytest.mark.parametrize("address", ["http://127.0.0.1:8080", "127.0.0.1:8081", ""])
def test_an_address_of_another_scheme(address: str) -> None:
    with pytest.raises(ValueError, match="streams_url must begin with ws:// or wss://"):
        Almanac(streams_url=address).events()


@pytest.mark.parametrize("url", ["https://almanac.example.com", "http://10.0.0.1:8080", "http://127.example.com"])
def test_streams_of_another_machine_without_their_address(url: str) -> None:
    """The streams of this machine would be tried for ever, with the key."""
    client = Almanac(url=url)
    for stream in (client.events, client.predictions, lambda: client.prices(fx=[{"base": "EUR"}])):
        with pytest.raises(ValueError, match=f"needs streams_url, the address of the streams, because url is {url}. "):
            stream()
    Almanac(url=url, streams_url="wss://streams.example.com").events()


@pytest.mark.parametrize("url", ["http://127.0.0.1:9000", "http://localhost:8080/", "http://[::1]:8080"])
def test_streams_of_this_machine(url: str) -> None:
    Almanac(url=url).events()


@pytest.mark.parametrize("option", ["buffer_items", "buffer_bytes", "batch_items", "max_attempts"])
@pytest.mark.parametrize("value", [0, -1, 1.5, "8"])
def test_a_bound_that_is_no_count(option: str, value: Any) -> None:
    options: Any = {option: value}
    for client in (Almanac(), AsyncAlmanac()):
        for stream in (client.events, client.predictions):
            with pytest.raises(ValueError, match=f"{option} must be an integer of 1 or more: {value!r}"):
                stream(**options)
    Almanac().events(**{**options, option: 1})


async def _ticket(_: str) -> str:
    return "ws://127.0.0.1:8081/v1/prices/stream?ticket=t"


@pytest.mark.parametrize("options", [{"ticket": _ticket}, {"origin": "https://example.com"}])
def test_a_ticket_without_its_origin(options: Any) -> None:
    with pytest.raises(ValueError, match="Give ticket and origin together"):
        AsyncAlmanac(**options)
    # The address of the streams is that of the ticket.
    AsyncAlmanac(url="https://example.com", ticket=_ticket, origin="https://example.com").events()


def test_a_mistyped_option() -> None:
    with pytest.raises(TypeError, match=r"events\(\) has no option 'familes'. Did you mean 'families'\?"):
        Almanac().events(familes=["output"])  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"predictions\(\) has no option 'store'. Known: backoff_first, "):
        Almanac().predictions(store=None)  # type: ignore[call-arg]


@pytest.mark.parametrize("options", [{}, {"commodities": []}, {"commodities": None, "fx": []}])
def test_prices_of_nothing(options: PricesOptions) -> None:
    with pytest.raises(TypeError, match="Give `commodities` or `fx`"):
        Almanac().prices(**options)


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("cpii", "'cpii' has no history. Did you mean 'cpi'?"),
        ("trade/export", "Did you mean 'trade/exports'?"),
        ("candles", "'candles' has no history. Known: cpi, inflation, "),
    ],
)
def test_a_mistyped_history(typed: str, message: str) -> None:
    with pytest.raises(ValueError) as raised:
        Almanac().observations("USA", typed)
    assert message in str(raised.value)
    with pytest.raises(ValueError, match="has no history"):
        Almanac().vintages("USA", typed)


def test_an_operation_by_its_name() -> None:
    client = Almanac()
    with pytest.raises(ValueError, match="no operation 'events_lists'. Did you mean 'events_list'"):
        client.rest.csv("events_lists")
    with pytest.raises(TypeError, match="economics_get_cpi needs 'country'."):
        client.rest.csv("economics_get_cpi", countries="USA")
