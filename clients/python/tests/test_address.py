"""An address that no stream can have is refused before anything is tried."""

import pytest

from almanac_client import Almanac


@pytest.mark.parametrize("address", ["http://127.0.0.1:8080", "127.0.0.1:8081", ""])
def test_an_address_of_another_scheme_is_refused_at_once(address: str) -> None:
    with pytest.raises(ValueError, match="streams_url must begin with ws:// or wss://"):
        next(iter(Almanac(streams_url=address).events()))
