"""Reads an export with engines that are not Almanac's. Prints one JSON object: by reader, the rows."""

import base64
import datetime
import decimal
import glob
import json
import sys


def plain(value):
    if isinstance(value, decimal.Decimal):
        return format(value, "f")
    if isinstance(value, datetime.datetime):
        return value.astimezone(datetime.timezone.utc).isoformat(timespec="microseconds")
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, (bytes, bytearray)):
        return base64.b64encode(value).decode()
    if isinstance(value, (list, tuple)) and value and isinstance(value[0], tuple):
        return {key: plain(item) for key, item in value}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return value


def duck(query):
    import duckdb

    session = duckdb.connect()
    session.execute("SET TimeZone = 'UTC'")
    return session.sql(query).to_arrow_table().to_pylist()


def pyarrow_parquet(files):
    import pyarrow.parquet

    return [row for file in files for row in pyarrow.parquet.read_table(file).to_pylist()]


def pyarrow_ipc(files):
    import pyarrow.ipc

    rows = []
    for file in files:
        table = pyarrow.ipc.open_file(file).read_all()
        table.validate(full=True)
        rows += table.to_pylist()
    return rows


def fastavro_files(files):
    import fastavro

    rows = []
    for file in files:
        with open(file, "rb") as source:
            rows += list(fastavro.reader(source))
    return rows


def pandas_csv(files):
    import pandas

    frames = [pandas.read_csv(file, dtype=str, keep_default_na=False) for file in files]
    return pandas.concat(frames).to_dict("records")


readers = {
    "parquet": {
        "pyarrow": pyarrow_parquet,
        "duckdb": lambda files: duck(f"SELECT * FROM read_parquet({files})"),
    },
    "arrow": {"pyarrow": pyarrow_ipc},
    "ndjson": {
        "duckdb": lambda files: duck(
            f"SELECT partition, \"offset\" AS \"offset\", key, value::VARCHAR AS value FROM read_json({files}, "
            "columns = {topic: 'VARCHAR', partition: 'INTEGER', \"offset\": 'BIGINT', key: 'VARCHAR', value: 'JSON'}, "
            "format = 'newline_delimited', maximum_object_size = 4000000)"
        )
    },
    "csv": {
        "pandas": pandas_csv,
        "duckdb": lambda files: duck(f"SELECT * FROM read_csv({files}, all_varchar = true, header = true, nullstr = '')"),
    },
    "avro": {"fastavro": fastavro_files},
}

directory, form = sys.argv[1:]
names = sorted(glob.glob(f"{directory}/*/*/*.{form}"))
json.dump(
    {name: [{key: plain(value) for key, value in row.items()} for row in read(names)] for name, read in readers[form].items()},
    sys.stdout,
)
