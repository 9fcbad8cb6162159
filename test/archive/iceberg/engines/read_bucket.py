"""Reads a table from the bucket that the archive is in, with pyiceberg alone, and prints what it found as JSON.

Usage: read_bucket.py METADATA ENDPOINT, with AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION in the environment
"""

import json
import os
import sys

from pyiceberg.table import StaticTable

metadata, endpoint = sys.argv[1:]
table = StaticTable.from_metadata(
    metadata,
    properties={
        "s3.endpoint": endpoint,
        "s3.access-key-id": os.environ["AWS_ACCESS_KEY_ID"],
        "s3.secret-access-key": os.environ["AWS_SECRET_ACCESS_KEY"],
        "s3.region": os.environ["AWS_REGION"],
    },
)
rows = table.scan(selected_fields=("_offset", "value")).to_arrow().sort_by("_offset").to_pylist()
print(json.dumps([[row["_offset"], None if row["value"] is None else str(row["value"])] for row in rows]))
