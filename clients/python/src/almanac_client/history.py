"""The rows of a history and of its vintages, and the frames that they become."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar, overload

from .generated.models import Observation, SeriesObservation, Vintage

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

_MAX_PRECISION_128 = 38

Row = TypeVar("Row", Observation | SeriesObservation, Vintage)


class Rows(Sequence[Row], Generic[Row]):
    """Rows of an answer. It is a sequence; `to_pandas`, `to_polars` and `to_arrow` make frames of it.

    The column `value` keeps its decimals (Arrow's decimal128, or decimal256 where 38 digits are too few). With
    `floats=True` it has floats, which plots and most statistics expect. The columns from `series` on say what a row is: with
    several bases, rates or sources in one frame, rows are only comparable where these agree. They are null in the history of
    exports.
    """

    _COLUMNS: ClassVar[tuple[str, ...]]
    _NAME: ClassVar[str]

    def __init__(self, rows: Sequence[Row]) -> None:
        self._rows = rows

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Row]: ...
    def __getitem__(self, index: int | slice) -> Row | Sequence[Row]:
        return self._rows[index]

    def __len__(self) -> int:
        return len(self._rows)

    def __repr__(self) -> str:
        if not self._rows:
            return f"{type(self).__name__} of 0 {self._NAME}"
        first, last = self._rows[0], self._rows[-1]
        of = f"{first.measure} of {first.country}, {first.period} to {last.period}"
        return f"{type(self).__name__} of {len(self)} {self._NAME}, {of}"

    def to_arrow(self, *, floats: bool = False) -> pyarrow.Table:
        """Return an Arrow table. Needs the extra `arrow`."""
        pyarrow = _module("pyarrow", "arrow")
        columns = {name: [getattr(one, name, None) for one in self] for name in self._COLUMNS}
        values = columns.pop("value")
        texts = {name: pyarrow.array(column, pyarrow.string()) for name, column in columns.items()}
        if floats:
            numbers = pyarrow.array([None if value is None else float(value) for value in values], pyarrow.float64())
        else:
            numbers = pyarrow.array(values, _decimal_type(pyarrow, values))
        return pyarrow.table({name: numbers if name == "value" else texts[name] for name in self._COLUMNS})

    def to_pandas(self, *, floats: bool = False) -> pandas.DataFrame:
        """Return a pandas frame. Needs the extra `pandas`. Decimals have the dtype `decimal128[pyarrow]`."""
        pandas = _module("pandas", "pandas")
        table = self.to_arrow(floats=floats)
        return table.to_pandas(types_mapper=None if floats else pandas.ArrowDtype)

    def to_polars(self, *, floats: bool = False) -> polars.DataFrame:
        """Return a polars frame. Needs the extra `polars`. Decimals have the dtype `Decimal`."""
        polars = _module("polars", "polars")
        # A table always makes a frame, and never a series.
        return polars.DataFrame(polars.from_arrow(self.to_arrow(floats=floats)))


class History(Rows[Observation | SeriesObservation]):
    """Observations, oldest first."""

    _COLUMNS = (
        "country",
        "measure",
        "transformation",
        "period",
        "value",
        "unit",
        "series",
        "source",
        "base_period",
        "base_value",
        "seasonal_adjustment",
        "annualization",
        "released_on",
        "released_on_basis",
    )
    _NAME = "observations"


class Vintages(Rows[Vintage]):
    """What was answered for the periods over time, period by period. The value is None where nothing answered any more."""

    _COLUMNS = (*History._COLUMNS, "valid_from", "release_id", "revises", "recorded_at")
    _NAME = "vintages"


def _module(name: str, extra: str) -> Any:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        advice = f"Install almanac-client with the extra `{extra}`: pip install 'almanac-client[{extra}]'."
        raise ModuleNotFoundError(f"This needs {name}, which is not installed. {advice}", name=error.name) from error


def _decimal_type(pyarrow: Any, given: Sequence[Any]) -> Any:
    """The narrowest decimal type that holds every value exactly; floats if the client was asked to make them."""
    values = [value for value in given if value is not None]
    if not all(isinstance(value, Decimal) for value in values):
        return pyarrow.float64()
    scale = whole = 0
    for value in values:
        _, digits, exponent = value.as_tuple()
        places = max(0, -int(exponent))
        scale = max(scale, places)
        whole = max(whole, len(digits) + int(exponent))
    precision = max(1, whole + scale)
    make = pyarrow.decimal128 if precision <= _MAX_PRECISION_128 else pyarrow.decimal256
    return make(max(precision, _MAX_PRECISION_128) if make is pyarrow.decimal128 else precision, scale)
