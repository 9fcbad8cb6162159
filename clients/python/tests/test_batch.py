"""Items one by one: what is acknowledged of their batch."""

from __future__ import annotations

from contextlib import closing

import pytest

from almanac_client import StreamBatch
from almanac_client._batch import one_by_one


@pytest.mark.parametrize(
    ("items", "pulls", "acknowledged"),
    [
        # The item at which the loop is left may not be processed.
        (["a", "b", "c"], 1, []),
        (["a", "b", "c"], 3, [2]),
        (["a", "b", "c"], 4, [3]),
        # A batch of no items says that the stream is caught up.
        ([], 1, [0]),
    ],
)
def test_what_is_acknowledged(items: list[str], pulls: int, acknowledged: list[int]) -> None:
    counts: list[int] = []
    with closing(one_by_one(StreamBatch(items, "c", True, counts.append))) as pulled:
        assert [next(pulled, None) for _ in range(pulls)] == [*items, None][:pulls]
    assert counts == acknowledged
