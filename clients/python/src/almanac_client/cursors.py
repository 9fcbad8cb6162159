"""Stores that keep the cursor of one stream, so that a program continues where it was."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Protocol


class CursorStore(Protocol):
    def load(self) -> str | None:
        """Return the cursor that was saved last; None if there is none."""

    def save(self, cursor: str) -> None:
        """Keep a later cursor."""


class MemoryCursor:
    """Keeps the cursor while the program runs."""

    def __init__(self, cursor: str | None = None) -> None:
        self.cursor = cursor

    def load(self) -> str | None:
        return self.cursor

    def save(self, cursor: str) -> None:
        self.cursor = cursor


class FileCursor:
    """Keeps the cursor in a file. Each save replaces it as a whole: a crash leaves the old cursor or the new one."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)

    def load(self) -> str | None:
        try:
            return self.path.read_text(encoding="utf-8").strip() or None
        except FileNotFoundError:
            return None

    def save(self, cursor: str) -> None:
        handle, name = tempfile.mkstemp(dir=self.path.parent, prefix=f"{self.path.name}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(f"{cursor}\n")
                file.flush()
                os.fsync(file.fileno())
            os.replace(name, self.path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
