"""Reads events at a steady rate: `python steady_reader.py STREAMS_URL COUNT RATE`. Prints what it read and its memory.

It pauses even if it is late, so that the server is the faster one on every machine.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

from almanac_client import AsyncAlmanac


def _peak_kib() -> int:
    """Peak of resident memory since the program began. `ru_maxrss` also counts the process that it was forked from."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:"))


async def main(streams_url: str, count: int, rate: float) -> None:
    states: Counter[str] = Counter()

    def note(given: dict[str, Any], machine: Any, _: object) -> None:
        if given["on"] != "data":
            states[machine.state] += 1

    read, in_order, start = 0, True, time.monotonic()
    async with AsyncAlmanac("TEST", streams_url=streams_url) as client:
        async for event in client.events(cursor="earliest", on_step=note):
            read += 1
            in_order = in_order and int(event.sequence) == read
            if read % 64 == 0:
                await asyncio.sleep(64 / rate)
            if read == count:
                break
    rss = _peak_kib() * 1024
    seconds = time.monotonic() - start
    print(json.dumps({"read": read, "isInOrder": in_order, "seconds": seconds, "rss": rss, "states": states}))


asyncio.run(main(sys.argv[1], int(sys.argv[2]), float(sys.argv[3])))
