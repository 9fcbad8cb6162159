"""Histories of several countries and indicators at one moment, and the frames that they become."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ._decode import Number
from .history import decimal_type, module_of, period_index

if TYPE_CHECKING:
    import pandas
    import pyarrow

_ABOUT = "# "


class Panel:
    """A table with a row for each period, and a column for each figure of each country.

    `about` says of each column what it is: its unit, transformation, base, adjustment, series and source,
    and from which period on each of its series answers (`series_since`).
    """

    def __init__(self, text: str, number: Number) -> None:
        """`text` is the CSV of the service, with the rows that say what each column is."""
        lines = list(csv.reader(io.StringIO(text, newline="")))
        said = [line for line in lines if line[0].startswith(_ABOUT)]
        (_, *names), *rows = [line for line in lines if not line[0].startswith(_ABOUT)]
        self.columns: Sequence[str] = names
        self.periods: Sequence[str] = [row[0] for row in rows]
        self.about: Mapping[str, Mapping[str, str]] = {
            name: {line[0].removeprefix(_ABOUT): line[i + 1] for line in said} for i, name in enumerate(names)
        }
        self._values = {
            name: [number(row[i + 1]) if row[i + 1] else None for row in rows] for i, name in enumerate(names)
        }

    def __getitem__(self, column: str) -> Sequence[Any]:
        """Return the values of a column; None where there is no figure."""
        return self._values[column]

    def __len__(self) -> int:
        return len(self.periods)

    def __repr__(self) -> str:
        span = f"{self.periods[0]} to {self.periods[-1]}" if self.periods else "no period"
        return f"Panel of {len(self.columns)} columns, {span}"

    def to_arrow(self, *, floats: bool = False) -> pyarrow.Table:
        """Return an Arrow table. Needs the extra `arrow`. A column keeps in its metadata what it is."""
        pyarrow = module_of("pyarrow", "arrow")
        fields, arrays = [pyarrow.field("period", pyarrow.string())], [pyarrow.array(self.periods, pyarrow.string())]
        for name, values in self._values.items():
            kind = pyarrow.float64() if floats else decimal_type(pyarrow, values)
            fields.append(pyarrow.field(name, kind, metadata=dict(self.about[name])))
            arrays.append(pyarrow.array([float(one) if floats and one is not None else one for one in values], kind))
        return pyarrow.Table.from_arrays(arrays, schema=pyarrow.schema(fields))

    def to_pandas(self, *, floats: bool = False) -> pandas.DataFrame:
        """Return a pandas frame with a PeriodIndex. Needs the extra `pandas`. Decimals have the dtype `decimal128[pyarrow]`."""
        pandas = module_of("pandas", "pandas")
        frame = self.to_arrow(floats=floats).to_pandas(types_mapper=None if floats else pandas.ArrowDtype)
        return frame.drop(columns="period").set_index(period_index(pandas, self.periods))
