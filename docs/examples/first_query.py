"""Every print of US GDP, from the journal's Iceberg tables, in DuckDB with its extensions from PyPI.

Usage: first_query.py [BASE], with an API key in ALMANAC_KEY that ALMANAC_TABLES admits.
"""

import os
import sys
from pathlib import Path

import duckdb
import duckdb_ext

base = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8080"
# The packages are not signed by DuckDB, which therefore loads them only if it is told to.
connection = duckdb.connect(config={"allow_unsigned_extensions": "true"})
for name in ["avro", "httpfs", "iceberg"]:
    [extension] = [file for place in duckdb_ext.__path__ for file in Path(place).rglob(f"{name}.duckdb_extension")]
    connection.load_extension(str(extension))
connection.execute(f"CREATE SECRET (TYPE iceberg, TOKEN '{os.environ['ALMANAC_KEY']}')")
connection.execute(f"ATTACH '' AS alm (TYPE iceberg, ENDPOINT '{base}/iceberg')")
prints = connection.sql("""
    SELECT period, value, released_on, provenance_publisher
    FROM alm.almanac.releases
    WHERE series_country = 'USA' AND series_indicator = 'gdp'
    ORDER BY period, _offset""")
prints.show()
