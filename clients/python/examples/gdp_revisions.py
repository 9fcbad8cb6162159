"""Every value published for each quarter of US GDP, null where one was withdrawn, as a table in SQLite. Runs until Ctrl-C, with --once until caught up."""

import os
import signal
import sqlite3
import sys

from almanac_client import Almanac


def rows(event):
    """Return the rows of an event. Pure: the same events always give the same table."""
    if event.subject.startswith("USA/gdp/"):
        value = None if event.type == "economics.release.withdrawn" else str(event.data.value)
        return [(event.data.period, event.data.released_on, value)]
    return []


signal.signal(signal.SIGINT, lambda *_: sys.exit(130))  # Ctrl-C ends without a traceback.
db = sqlite3.connect("gdp-revisions.db")
db.executescript("""
    CREATE TABLE IF NOT EXISTS revisions (period TEXT, released_on TEXT, value TEXT, PRIMARY KEY (period, released_on));
    CREATE TABLE IF NOT EXISTS position (only INTEGER PRIMARY KEY CHECK (only = 1), cursor TEXT);
    INSERT OR IGNORE INTO position VALUES (1, 'earliest');
""")
(position,) = db.execute("SELECT cursor FROM position").fetchone()
almanac = Almanac(os.environ["ALMANAC_KEY"])
with almanac.events(countries=["USA"], families=["output"], cursor=position).batches() as batches:
    for batch in batches:
        with db:  # One transaction: the rows and the position behind them.
            moved = db.execute("UPDATE position SET cursor = ? WHERE cursor = ?", (batch.cursor, position)).rowcount
            if moved == 0:
                raise SystemExit("another process writes this table")
            db.executemany("REPLACE INTO revisions VALUES (?, ?, ?)", [row for event in batch.items for row in rows(event)])
        position = batch.cursor
        if batch.is_caught_up and "--once" in sys.argv:
            break
