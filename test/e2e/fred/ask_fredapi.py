"""Asks a running service with fredapi, unmodified. Writes what it gives for each series as JSON.

Arguments: address of the service, a day YYYY-MM-DD, ids of series. The API key is in ALMANAC_KEY.
"""

import json
import os
import sys
import urllib.request

from fredapi import Fred

base, day, *ids = sys.argv[1:]
key = os.environ["ALMANAC_KEY"]
opener = urllib.request.build_opener()
opener.addheaders = [("Authorization", f"Bearer {key}")]
urllib.request.install_opener(opener)
Fred.root_url = f"{base}/fred"
fred = Fred(api_key="in-the-header")


def iso(date):
    return date.strftime("%Y-%m-%d")


def values(series):
    """A series as pairs. A missing value is null, because JSON has no NaN."""
    return [[iso(date), None if value != value else value] for date, value in series.items()]


def rows(frame):
    columns = zip(frame["date"], frame["realtime_start"], frame["value"], strict=True)
    return [[iso(date), iso(start), None if value != value else value] for date, start, value in columns]


def message_of(ask):
    try:
        ask()
    except ValueError as error:
        return str(error)
    return ""


def found(series_id):
    return {
        "all": rows(fred.get_series_all_releases(series_id)),
        "first": values(fred.get_series_first_release(series_id)),
        "as_of": rows(fred.get_series_as_of_date(series_id, day)),
        "on_day": values(fred.get_series(series_id, realtime_start=day, realtime_end=day)),
        "latest": values(fred.get_series_latest_release(series_id)),
        "within": values(fred.get_series(series_id, observation_start="2010-02-01", observation_end="2019-12-31")),
        "vintage_dates": [iso(date) for date in fred.get_series_vintage_dates(series_id)],
        "info": fred.get_series_info(series_id).to_dict(),
    }


search = fred.search("unemployment united states", order_by="series_id", filter=("frequency", "Monthly"))
json.dump(
    {
        "series": {series_id: found(series_id) for series_id in ids},
        "search": [[series_id, iso(row["observation_end"])] for series_id, row in search.iterrows()],
        "unknown": message_of(lambda: fred.get_series("USA.none")),
        "misspelt": message_of(lambda: fred.get_series(ids[0], realtime_begin=day)),
    },
    sys.stdout,
)
