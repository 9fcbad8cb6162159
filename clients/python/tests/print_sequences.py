"""Prints the sequence of each event until the stream is caught up at a place beyond COUNT events.

Run as `python print_sequences.py STREAMS_URL KEY COUNT CURSOR_FILE`.
"""

from __future__ import annotations

import sys

from almanac_client import Almanac, FileCursor

streams_url, key, count, cursor_file = sys.argv[1:]
client = Almanac(key, streams_url=streams_url)
stream = client.events(cursor="earliest", store=FileCursor(cursor_file), backoff_first=0.05, backoff_max=0.5)
read = 0
with stream.batches() as batches:
    for batch in batches:
        for event in batch.items:
            print(event.sequence)
        read += len(batch.items)
        sys.stdout.flush()
        batch.ack()
        if batch.is_caught_up and read >= int(count):
            break
