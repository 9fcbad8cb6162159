"""The price of gold in euro: at once, then whenever it changes."""

import asyncio
import os

from almanac_client import AsyncAlmanac


async def main() -> None:
    async with AsyncAlmanac(os.environ["ALMANAC_KEY"]) as almanac:
        async for price in almanac.prices(commodities=[{"commodity": "XAU", "currency": "EUR"}]):
            print(price.spot.price, flush=True)


asyncio.run(main())
