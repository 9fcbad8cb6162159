"""The rows of a history and of its vintages, and the frames that they become."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, TypeVar, overload

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
        pyarrow = module_of("pyarrow", "arrow")
        columns = {name: [getattr(one, name, None) for one in self] for name in self._COLUMNS}
        values = columns.pop("value")
        texts = {name: pyarrow.array(column, pyarrow.string()) for name, column in columns.items()}
        if floats:
            numbers = pyarrow.array([None if value is None else float(value) for value in values], pyarrow.float64())
        else:
            numbers = pyarrow.array(values, decimal_type(pyarrow, values))
        return pyarrow.table({name: numbers if name == "value" else texts[name] for name in self._COLUMNS})

    def to_pandas(self, *, floats: bool = False, index: Literal["period"] | None = None) -> pandas.DataFrame:
        """Return a pandas frame. Needs the extra `pandas`. Decimals have the dtype `decimal128[pyarrow]`.

        With `index="period"` the periods are its index, a PeriodIndex. All rows are then of one frequency.
        """
        pandas = module_of("pandas", "pandas")
        table = self.to_arrow(floats=floats)
        frame = table.to_pandas(types_mapper=None if floats else pandas.ArrowDtype)
        if index is None:
            return frame
        return frame.drop(columns="period").set_index(period_index(pandas, [one.period for one in self]))

    def to_polars(self, *, floats: bool = False) -> polars.DataFrame:
        """Return a polars frame. Needs the extra `polars`. Decimals have the dtype `Decimal`."""
        polars = module_of("polars", "polars")
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

    def first(self) -> Vintages:
        """Return the first entry of each figure of a period: as it was first published."""
        return Vintages([entries[0] for entries in self._by_figure()])

    def on(self, day: str) -> Vintages:
        """Return the entry of each figure of a period that was the answer on a day, YYYY-MM-DD."""
        by_then = ([one for one in entries if one.valid_from <= day] for entries in self._by_figure())
        return Vintages([entries[-1] for entries in by_then if entries])

    def _by_figure(self) -> list[list[Vintage]]:
        figures: dict[tuple[str, str, str], list[Vintage]] = {}
        for one in self:
            figures.setdefault((one.period, one.measure, one.transformation), []).append(one)
        return list(figures.values())


def module_of(name: str, extra: str) -> Any:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        advice = f"Install almanac-client with the extra `{extra}`: pip install 'almanac-client[{extra}]'."
        raise ModuleNotFoundError(f"This needs {name}, which is not installed. {advice}", name=error.name) from error


def period_index(pandas: Any, periods: Sequence[str]) -> Any:
    """Return a PeriodIndex of periods of one frequency, which their form says: 2024, 2024-Q1 or 2024-01."""
    frequencies = {"Y" if len(period) == len("2024") else "Q" if "Q" in period else "M" for period in periods}
    if len(frequencies) > 1:
        raise ValueError("The rows are of several frequencies: ask for one by `frequency`.")
    return pandas.PeriodIndex(periods, freq=next(iter(frequencies), "M"), name="period")


def decimal_type(pyarrow: Any, given: Sequence[Any]) -> Any:
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
