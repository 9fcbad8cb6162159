"""Reads a panel as Parquet and as an Arrow stream, and prints what it says as JSON. The readers share no code with the service."""

import json
import sys

import pyarrow as pa
import pyarrow.parquet as pq


def text_of(value: object) -> str | None:
    return None if value is None else value if isinstance(value, str) else format(value, "f")


def shown(table: pa.Table) -> dict[str, object]:
    return {
        "types": {field.name: str(field.type) for field in table.schema},
        "about": {
            field.name: {
                key.decode(): text.decode()
                for key, text in (field.metadata or {}).items()
                if not key.startswith(b"PARQUET:")
            }
            for field in table.schema
        },
        "values": {
            name: [text_of(value) for value in column.to_pylist()]
            for name, column in zip(table.column_names, table.columns)
        },
    }


def main(parquet: str, arrow: str) -> None:
    with pa.ipc.open_stream(arrow) as reader:
        stream = reader.read_all()
    stored = pq.read_metadata(parquet).metadata[b"columns"]
    found = {"parquet": shown(pq.read_table(parquet)), "arrow": shown(stream), "columns": json.loads(stored)}
    try:
        import duckdb
    except ImportError:
        pass
    else:
        rows = duckdb.sql(f"SELECT * FROM '{parquet}'").fetchall()
        found["duckdb"] = [[text_of(value) for value in row] for row in rows]
    try:
        import pandas
    except ImportError:
        pass
    else:
        frame = pandas.read_parquet(parquet).set_index("period").astype(float)
        found["pandas"] = {name: [None if value != value else value for value in frame[name]] for name in frame}
    print(json.dumps(found))


main(*sys.argv[1:])
