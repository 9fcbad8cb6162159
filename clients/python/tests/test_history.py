"""The frames that a history becomes."""

from __future__ import annotations

import sys
from dataclasses import fields
from decimal import Decimal

import polars
import pyarrow
import pytest

from almanac_client import History, Vintages, models
from almanac_client._decode import decode

HISTORY = History(
    [
        decode(
            {
                "country": "USA",
                "measure": "cpi",
                "transformation": "",
                "period": period,
                "value": value,
                "unit": "index",
                "series": f"USA.cpi.M.TEST.T.index.NSA.{base}=100",
                "source": "TEST",
                "base_period": base,
                "base_value": "100",
                "seasonal_adjustment": "not_seasonally_adjusted",
                "annualization": "not_annualized",
                "released_on": "2026-03-01",
                "released_on_basis": "publisher",
            },
            "SeriesObservation",
            Decimal,
        )
        for period, value, base in [("2026-01", "325.25", "1982"), ("2026-02", "12345678901234567890.125", "2015")]
    ]
)


VINTAGES = Vintages(
    [
        decode({**dict.fromkeys(names, ""), "period": "2026-01", "value": value, "revises": revises}, "Vintage", Decimal)
        for names in [[field.name for field in fields(models.Vintage)]]
        for value, revises in [("325.25", None), (None, "r1")]
    ]
)


def test_vintages_with_a_withdrawal() -> None:
    table = VINTAGES.to_arrow()
    assert table["value"].to_pylist() == [Decimal("325.25"), None]
    assert table["revises"].to_pylist() == [None, "r1"]
    assert {"released_on", "released_on_basis", "release_id"} < set(table.column_names)
    assert VINTAGES.to_polars(floats=True)["value"].to_list() == [325.25, None]
    assert str(VINTAGES.to_pandas().dtypes["value"]).startswith("decimal128")


def test_polars() -> None:
    frame = HISTORY.to_polars()
    assert frame["value"].to_list() == [Decimal("325.25"), Decimal("12345678901234567890.125")]
    assert isinstance(frame.schema["value"], polars.Decimal)
    assert HISTORY.to_polars(floats=True).schema["value"] == polars.Float64()


def test_pandas_and_arrow() -> None:
    assert HISTORY.to_arrow().schema.field("value").type == pyarrow.decimal128(38, 3)
    assert str(HISTORY.to_pandas().dtypes["value"]) == "decimal128(38, 3)[pyarrow]"
    assert str(HISTORY.to_pandas(floats=True).dtypes["value"]) == "float64"


def test_a_row_says_what_it_is() -> None:
    frame = HISTORY.to_pandas()
    assert list(frame["base_period"]) == ["1982", "2015"]
    assert list(frame["released_on_basis"]) == ["publisher", "publisher"]
    row = {"country": "USA", "measure": "merchandise_exports", "transformation": "", "period": "2026-01"}
    exports = History([decode({**row, "value": "1", "unit": "USD"}, "Observation", Decimal)])
    assert exports.to_arrow().column("series").to_pylist() == [None]


def test_a_missing_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(ModuleNotFoundError, match=r"needs polars, .* pip install 'almanac-client\[polars\]'"):
        HISTORY.to_polars()
