"""Client of Almanac: economic and market data over REST and WebSocket. Figures are exact decimals."""

from ._batch import StreamBatch
from ._client import Almanac, AsyncAlmanac, AsyncRest, Rest
from ._stream import AsyncStream
from ._sync import SyncStream
from .cursors import CursorStore, FileCursor, MemoryCursor
from .errors import AlmanacError, RestError, StreamError
from .generated import models
from .history import History, Vintages
from .options import EventsOptions, PredictionsOptions, PricesOptions, StreamTuning
from .panel import Panel

__all__ = [
    "Almanac",
    "AlmanacError",
    "AsyncAlmanac",
    "AsyncRest",
    "AsyncStream",
    "CursorStore",
    "EventsOptions",
    "FileCursor",
    "History",
    "MemoryCursor",
    "Panel",
    "PredictionsOptions",
    "PricesOptions",
    "Rest",
    "RestError",
    "StreamBatch",
    "StreamError",
    "StreamTuning",
    "SyncStream",
    "Vintages",
    "models",
]
