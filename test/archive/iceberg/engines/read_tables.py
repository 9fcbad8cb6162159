"""Reads the tables of a running service with DuckDB and pyiceberg, and prints what they found as JSON.

Usage: read_tables.py BASE KEY
"""

import json
import sys
from pathlib import Path

import duckdb
from pyiceberg.catalog import load_catalog

base, key = sys.argv[1:]
TABLES = ["releases", "events", "ticks", "quotes", "predictions", "signals"]


def duck() -> dict:
    """Every table over HTTP, with the extensions that come from packages."""
    connection = duckdb.connect(config={"allow_unsigned_extensions": "true"})
    extensions = next(Path(folder, "duckdb_ext", "extensions") for folder in sys.path if Path(folder, "duckdb_ext").is_dir())
    for name in ["avro", "httpfs", "iceberg"]:
        [extension] = extensions.rglob(f"{name}.duckdb_extension")
        connection.load_extension(str(extension))
    connection.execute("SET TimeZone = 'UTC'")
    connection.execute(f"CREATE SECRET (TYPE iceberg, TOKEN '{key}')")
    connection.execute(f"ATTACH '' AS alm (TYPE iceberg, ENDPOINT '{base}/iceberg')")
    found = {}
    for table in TABLES:
        rows = connection.execute(
            f"SELECT _partition, count(*), max(_offset), sum(_offset)::varchar FROM alm.almanac.{table} GROUP BY 1 ORDER BY 1"
        ).fetchall()
        found[table] = rows
    found["values"] = connection.execute(
        "SELECT _offset, value::varchar, strftime(recorded_at, '%Y-%m-%dT%H:%M:%S.%gZ') FROM alm.almanac.releases ORDER BY 1"
    ).fetchall()
    found["pruned"] = connection.execute(
        "SELECT count(*) FROM alm.almanac.releases WHERE _offset BETWEEN 100 AND 199"
    ).fetchone()[0]
    return found


def iceberg() -> dict:
    """The tables where the archive is."""
    catalog = load_catalog("almanac", type="rest", uri=f"{base}/iceberg", token=key, warehouse="shared")
    found = {"tables": sorted(name for _, name in catalog.list_tables("almanac"))}
    found["missing"] = [catalog.table_exists("almanac.access"), catalog.namespace_exists("elsewhere")]
    for table in TABLES:
        scan = catalog.load_table(f"almanac.{table}").scan(selected_fields=("_partition", "_offset"))
        found[table] = scan.to_arrow().group_by("_partition").aggregate(
            [("_offset", "count"), ("_offset", "max")]
        ).sort_by("_partition").to_pylist()
    events = catalog.load_table("almanac.events")
    found["summary"] = events.current_snapshot().summary.additional_properties
    found["sequences"] = events.scan(selected_fields=("sequence",)).to_arrow()["sequence"].to_pylist()
    releases = catalog.load_table("almanac.releases").scan(selected_fields=("_offset", "value", "recorded_at")).to_arrow()
    found["values"] = [[row["_offset"], str(row["value"])] for row in releases.sort_by("_offset").to_pylist()]
    try:
        catalog.drop_table("almanac.releases")
    except Exception as error:
        found["refused"] = f"{type(error).__name__}: {error}"
    return found


print(json.dumps({"duckdb": duck(), "pyiceberg": iceberg()}))
