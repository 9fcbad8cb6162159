"""Client of Almanac: economic and market data over REST and WebSocket. Figures are exact decimals."""

from ._client import Almanac, AsyncAlmanac, AsyncRest, Rest
from ._stream import AsyncStream, Batch
from ._sync import SyncStream
from .cursors import CursorStore, FileCursor, MemoryCursor
from .errors import AlmanacError, ProblemError, StreamError
from .generated import models
from .history import History

__all__ = [
    "Almanac",
    "AlmanacError",
    "AsyncAlmanac",
    "AsyncRest",
    "AsyncStream",
    "Batch",
    "CursorStore",
    "FileCursor",
    "History",
    "MemoryCursor",
    "ProblemError",
    "Rest",
    "StreamError",
    "SyncStream",
    "models",
]
