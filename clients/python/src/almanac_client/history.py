"""The observations of a history, and the frames that they become."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any, overload

from .generated.models import Observation, SeriesObservation

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

_Row = Observation | SeriesObservation
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
_MAX_PRECISION_128 = 38


class History(Sequence[_Row]):
    """Observations, oldest first. It is a sequence; `to_pandas`, `to_polars` and `to_arrow` make frames of it.

    The column `value` keeps its decimals (Arrow's decimal128, or decimal256 where 38 digits are too few). With
    `floats=True` it has floats, which plots and most statistics expect. The columns from `series` on say what a row is: with
    several bases, rates or sources in one frame, rows are only comparable where these agree. They are null in the history of
    exports.
    """

    def __init__(self, observations: Sequence[_Row]) -> None:
        self._observations = observations

    @overload
    def __getitem__(self, index: int) -> _Row: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[_Row]: ...
    def __getitem__(self, index: int | slice) -> _Row | Sequence[_Row]:
        return self._observations[index]

    def __len__(self) -> int:
        return len(self._observations)

    def __repr__(self) -> str:
        if not self._observations:
            return "History of 0 observations"
        first, last = self._observations[0], self._observations[-1]
        return f"History of {len(self)} observations, {first.measure} of {first.country}, {first.period} to {last.period}"

    def to_arrow(self, *, floats: bool = False) -> pyarrow.Table:
        """Return an Arrow table. Needs the extra `arrow`."""
        pyarrow = _module("pyarrow", "arrow")
        columns = {name: [getattr(one, name, None) for one in self] for name in _COLUMNS}
        values = columns.pop("value")
        texts = {name: pyarrow.array(column, pyarrow.string()) for name, column in columns.items()}
        if floats:
            numbers = pyarrow.array([float(value) for value in values], pyarrow.float64())
        else:
            numbers = pyarrow.array(values, _decimal_type(pyarrow, values))
        return pyarrow.table({name: numbers if name == "value" else texts[name] for name in _COLUMNS})

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


def _module(name: str, extra: str) -> Any:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        advice = f"Install almanac-client with the extra `{extra}`: pip install 'almanac-client[{extra}]'."
        raise ModuleNotFoundError(f"This needs {name}, which is not installed. {advice}", name=error.name) from error


def _decimal_type(pyarrow: Any, values: Sequence[Any]) -> Any:
    """The narrowest decimal type that holds every value exactly; floats if the client was asked to make them."""
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
